"""Decision records in three forms: MADR, Nygard and the Y-statement."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Final

from .parts import Part, as_written, plain, short, split_lead
from .structured_forms import Decision, Option, Structure

#: Headings of the parts of a decision.
PARTS: Final = {
    "status": re.compile(r"status\b", re.IGNORECASE),
    "context": re.compile(r"context\b|problem(?: statement)?\s*$|issue\s*$|background\s*$", re.IGNORECASE),
    "drivers": re.compile(r"(?:decision drivers|drivers|forces|decision criteria)\b", re.IGNORECASE),
    "options": re.compile(
        r"(?:considered (?:options|alternatives)|options considered|alternatives(?: considered)?|options|positions)\b",
        re.IGNORECASE,
    ),
    "arguments": re.compile(r"pros and cons\b", re.IGNORECASE),
    "decision": re.compile(r"decision(?: outcome)?\b(?! drivers| makers)", re.IGNORECASE),
    "consequences": re.compile(r"(?:positive |negative )?consequences\b|implications\b", re.IGNORECASE),
    "date": re.compile(r"date\b", re.IGNORECASE),
    "deciders": re.compile(r"(?:deciders|decision[- ]makers)\b", re.IGNORECASE),
}
#: Headings that stand for the context and the decision of a record whose head says that it is a decision.
_OTHER_PARTS: Final = {
    "context": re.compile(r"(?:why|motivation|rationale|problem)\b", re.IGNORECASE),
    "decision": re.compile(
        r"(?:how|proposal|proposed solution|solution|recommendation|decided\b.*|chosen\b.*|rationale|conclusion)\b", re.IGNORECASE
    ),
}
#: Headings of groups of the parts of a decision.
GROUP: Final = re.compile(r"(?:summary|details|overview)\s*$", re.IGNORECASE)
#: A field in a line of its own at the head of a record: "Date: 2024-05-01", "**Status:** accepted".
_FIELD: Final = re.compile(
    r"[ ]{0,3}[*_]{0,2}(?P<key>date|status|deciders?|decision[- ]makers?|authors?|owners?|(?:supersed|replac)(?:es|ed(?: by)?))"
    r"[ ]*(?::[*_]{0,2}|[*_]{1,2}[ ]*:)[ ]*(?P<text>\S.*)",
    re.IGNORECASE,
)
#: Texts of a field without a value.
_NONE: Final = ("", "n/a", "none", "na", "tbd")
_REPLACED: Final = ("supersedes", "superseded by", "replaces", "replaced by")
#: A title of a section with a decision.
_RECORD: Final = re.compile(r"\bdecision records?\b|\badr\b(?![-\w]*s\b)", re.IGNORECASE)
#: The states of a record, and the fields with its writers, in a table at the head of a document.
_STATE: Final = re.compile(
    r"(?:proposed|draft|in review|accepted|approved|(?:partially )?implemented|rejected|deprecated|superseded)\b", re.IGNORECASE
)
_WRITERS: Final = frozenset(("author", "authors", "deciders", "decision-makers", "decision makers", "owner", "owners"))
#: A decision in one sentence. The words before "decided" may vary, such as "we have" or "the team".
Y_STATEMENT: Final = re.compile(
    r"\bin the context of\b(?P<context>.{1,400}?),?\s+facing\b(?P<facing>.{1,400}?),?\s+(?:we|the team|i)\s+(?:have\s+)?"
    r"(?:decided|chose)\b(?:\s+(?:for|to|that))?(?P<rest>.{1,1200})",
    re.IGNORECASE | re.DOTALL,
)
_Y_PARTS: Final = re.compile(
    r",?\s*(?:and\s+)?(?P<part>neglected|neglecting|against|to\s+achieve|achieving|accepting)(?:\s+that)?\b", re.IGNORECASE
)
#: The number of a heading: "3. **Context**".
_NUMBER: Final = re.compile(r"^(?:\d+(?:\.\d+)*[.)]?\s+)?[*_]{0,3}")
_CHOSEN: Final = re.compile(r"chosen option:[ ]*(?P<text>.+)", re.IGNORECASE)
_ARGUMENT: Final = re.compile(r"(?P<kind>good|bad|neutral|pro|con)\b[,:]?[ ]*(?:because[ ]+)?", re.IGNORECASE)
_REPLACES: Final = re.compile(
    r"(?P<form>(?:superse[dc]ed|replaced)(?:[ ]*:)?(?:[ ]+(?:on[ ]+)?\d[\d./-]*)? by|superse[dc]es|replaces|amends)"
    r"[ :]*(?P<what>(?:[^.;\n]|(?<=\d)\.(?=[ ])){1,160})",
    re.IGNORECASE,
)
#: Words for a status, at the beginning of a section "Status".
#: A choice of states that nobody has made: "{Proposed|Accepted}".
_CHOICE: Final = re.compile(r"[\[{<]?[\w -]+(?:\|[\w -]+)+[\]}>]?")
_STATUS: Final = re.compile(r"[\w -]+")
#: Number of characters at the beginning of a section in which a Y-statement is searched.
_BEGINNING: Final = 4_000


def is_decision(part: Part) -> bool:
    """Return whether a section records a decision: by its inner headings, or by a sentence in the form of a Y-statement."""
    inner_parts = list(_grouped(part))
    names = {name for inner in inner_parts for name in _names(inner)}
    own = names & {"status", "context", "decision", "consequences", "options"}
    if "decision" not in own and "context" in own:
        is_named = _RECORD.search(part.section.title) is not None or {"status", "consequences"} <= own
        own |= {"decision"} if is_named and any(map(_is_other_decision, inner_parts)) else set()
    if {"context", "decision"} <= own and len(own) >= 3:
        return True
    if any(inner.section.title.lower().startswith("decision outcome") for inner in part.inner) and "context" in own:
        return True
    if _RECORD.search(part.section.title) is not None and len(own) >= 2:
        return True
    head = _head(part) if part.inner else {}
    if "status" in head and (any(name in head for name in _REPLACED) or _RECORD.search(part.section.title) is not None):
        return True
    is_outermost = part.section.parent < 0
    if is_outermost and own and {"date", "status"} <= head.keys() and _STATE.match(head["status"]) and _WRITERS & head.keys():
        return True
    return "in the context of" in part.text(_BEGINNING).lower() and Y_STATEMENT.search(_flowing(part)) is not None


def read_decision(part: Part, fields: Mapping[str, str]) -> Structure:
    """Return the parts of a decision; `fields` is the front matter of the document."""
    inner_parts = list(_grouped(part))
    found = {name: inner for inner in reversed(inner_parts) for name in _names(inner)}
    head = _head(part)
    for name, pattern in _OTHER_PARTS.items() if "status" in head or "context" in found else ():
        others = [inner for inner in inner_parts if pattern.match(_NUMBER.sub("", inner.section.title)) is not None]
        if name not in found and others:
            found[name] = others[0]
    if not found:
        return _statement(part)
    status = found.get("status")
    listed = {lead.lower(): rest for lead, rest in (split_lead(item) for item in part.items) if lead} | head
    written = "\n".join(text for each in (status, part) if each is not None for _, text in each.numbered_texts())
    earlier, later = _replaced(written) if not any(name in head for name in _REPLACED) else _replaced_in_head(head)
    is_madr = any(name in found for name in ("options", "arguments", "drivers")) or any(
        inner.section.title.lower().startswith("decision outcome") for inner in inner_parts
    )
    decision = Decision(
        part.section.title,
        fields.get("status", "") or listed.get("status", "") or (_status(status) if status is not None else ""),
        fields.get("date", "") or listed.get("date", "") or _text(found.get("date")),
        next((value for name, value in (*fields.items(), *listed.items()) if PARTS["deciders"].match(name)), "")
        or _text(found.get("deciders")),
        _text(found.get("context")),
        _items(found.get("drivers")),
        list(_options(found)),
        _outcome(found.get("decision")),
        list(_consequences(part)),
        earlier,
        later,
    )
    return Structure("decision", "MADR" if is_madr else "Nygard", decision)


def _names(part: Part) -> tuple[str, ...]:
    return _named(part.section.title)


@lru_cache(1_024)
def _named(title: str) -> tuple[str, ...]:
    """Return the name of the part of a decision that has a title; nothing for any other title."""
    title = _NUMBER.sub("", title)
    return next(((name,) for name, pattern in PARTS.items() if pattern.match(title) is not None), ())


def _grouped(part: Part) -> Iterator[Part]:
    """Yield the inner sections of a record, and those inside groups such as "Summary" and "Details"."""
    for inner in part.inner:
        if GROUP.match(inner.section.title) is not None and any(True for each in inner.inner for _ in _names(each)):
            yield from inner.inner
        else:
            yield inner


def _is_other_decision(part: Part) -> bool:
    return _OTHER_PARTS["decision"].match(_NUMBER.sub("", part.section.title)) is not None


def _status(part: Part) -> str:
    for text in part.paragraphs():
        if text.startswith(">") or _CHOICE.fullmatch(text):
            continue  # a remark of the template
        found = _STATUS.match(text)
        return short(found[0]).strip() if found is not None else short(text)
    return next(iter(_items(part)), "") or part.section.title[len("status") :].strip(" :-\u2013\u2014")


def _text(part: Part | None) -> str:
    """Return the paragraphs and the items of a part in their order, or those of its inner sections if it has none."""
    if part is None:
        return ""
    return short(" ".join(part.flowing_texts())) or short(
        " ".join(f"{plain(inner.section.title)}: {' '.join(inner.flowing_texts())}" for inner in part.inner)
    )


def _items(part: Part | None) -> list[str]:
    return [short(entry.item.text) for entry in part.entries()] if part is not None else []


def _outcome(part: Part | None) -> str:
    text = _text(part)
    chosen = _CHOSEN.search(text)
    return chosen["text"] if chosen is not None else text


def _consequences(part: Part) -> Iterator[str]:
    for inner in _inner_parts(part, 2 if list(_grouped(part)) == part.inner else 3):
        if PARTS["consequences"].match(inner.section.title):
            if not any(item.depth == 0 for item in inner.items):
                yield from [_text(inner)] if _text(inner) else []
                continue
            yield from (short(text) for text in inner.flowing_texts() if not text.endswith(":"))  # else an item's introduction


def _inner_parts(part: Part, depth: int) -> Iterator[Part]:
    for inner in part.inner:
        yield inner
        if depth > 1:
            yield from _inner_parts(inner, depth - 1)


def _options(found: Mapping[str, Part]) -> Iterator[Option]:
    """Yield the options of a decision, with the arguments from sections that have the names of options."""
    argued = {
        inner.section.title.lower(): inner for name in ("arguments", "options") if name in found for inner in found[name].inner
    }
    names = _items(found.get("options")) or [inner.section.title for inner in argued.values()]
    for name in names:
        option = Option(name)
        section = argued.get(name.lower())
        for text in _items(section):
            kind = _ARGUMENT.match(text)
            argument = text[kind.end() :] if kind is not None else text
            side = kind["kind"].lower() if kind is not None else "neutral"
            (option.good if side in ("good", "pro") else option.bad if side in ("bad", "con") else option.neutral).append(
                argument
            )
        yield option


def _head(part: Part) -> dict[str, str]:
    """Return the fields at the head of a record: lines, the rows of a table with two columns, or the items of a list."""
    lines = [found for _, line in part.numbered_texts() if (found := _FIELD.match(line)) is not None]
    rows = [row for table in part.tables[:1] for row in (table.header, *table.rows) if len(row) == 2]
    pairs = [
        *((found["key"], found["text"]) for found in lines),
        *rows,
        *(split_lead(item) for item in part.items if item.depth == 0),
    ]
    return {name: short(plain(text)) for key, text in pairs if (name := plain(key).strip(" :*_").lower())}


def _replaced_in_head(head: Mapping[str, str]) -> tuple[list[str], list[str]]:
    """Return what a record replaces and what replaces it, from the fields at its head."""
    named = {name: text for name in _REPLACED if (text := head.get(name, "")) and text.lower().strip(" .-") not in _NONE}
    earlier = [text for name, text in named.items() if not name.endswith(" by")]
    return earlier, [text for name, text in named.items() if name.endswith(" by")]


def _replaced(text: str) -> tuple[list[str], list[str]]:
    """Return two lists from the text of a decision: replaced decisions, and decisions that replace it."""
    earlier: list[str] = []
    later: list[str] = []
    for found in _REPLACES.finditer(plain(text)):
        (later if found["form"].lower().endswith("by") else earlier).append(short(found["what"]).strip(" *_:"))
    return earlier, later


def _statement(part: Part) -> Structure:
    found = Y_STATEMENT.search(_flowing(part))
    if found is None:
        return as_written(part, "decision", "The section has neither the parts of a decision nor a Y-statement.")
    pieces = {"decided": ""}
    at, name = 0, "decided"
    rest = found["rest"].partition("\n\n")[0]
    for mark in _Y_PARTS.finditer(rest):
        pieces[name] = rest[at : mark.start()]
        name, at = " ".join(mark["part"].lower().split()), mark.end()
    pieces[name] = rest[at:]
    parts = {name: short(text).strip(" ,.") for name, text in pieces.items()}
    return Structure(
        "decision",
        "Y-statement",
        Decision(
            part.section.title,
            context=short(found["context"]).strip(" ,"),
            decision=parts["decided"],
            facing=short(found["facing"]).strip(" ,"),
            achieves=parts.get("to achieve", "") or parts.get("achieving", ""),
            accepts=parts.get("accepting", ""),
            neglects=parts.get("neglected", "") or parts.get("neglecting", "") or parts.get("against", ""),
        ),
    )


def _flowing(part: Part) -> str:
    """Return the beginning of a section's text without markup, because the clauses may be items of a list."""
    return re.sub(r"(?m)^[ \t]*(?:[-*+>]|\d+\.)[ \t]+", "", plain(part.text(_BEGINNING)))
