"""The answer of a tool of the graph. To fit a budget, each section keeps only its first entries."""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
from collections.abc import Mapping, Sequence

import msgspec

from ....retrieval.text.json_budget import fitting, json_length
from ....retrieval.text.tokens import tokens_of_characters
from ....schema.errors import UsageError
from ..scopes.running import Nothing

#: Minimum budget of an answer in tokens, for a subject, its counts and a cursor.
MIN_BUDGET = 200
#: Characters reserved for the cursor, the counts and the state of the index.
_ENVELOPE = 400
#: Maximum share of the budget for the questions of a workflow.
_QUERY_SHARE = 0.15
#: Maximum length of a cursor, in characters.
_MAX_CURSOR = 2_000


class Entry(msgspec.Struct, frozen=True, rename="camel", omit_defaults=True):
    """A node of the graph in an answer, and the reason why the answer contains it."""

    name: str
    kind: str = ""
    #: Path, with a line for a symbol; for a step, the line in its document.
    at: str = ""
    signature: str = ""
    #: Hops from the subject, or 0.
    distance: int = 0
    #: Edges that connect the node with the subject: calls, references, types and others.
    through: tuple[str, ...] = ()
    #: Similarity to the request, 0 to 1.
    score: float = 0.0
    #: Why the node is in the answer; "" if the name of the section is a sufficient reason.
    reason: str = ""
    #: Number of elements of the node, such as the symbols of a file.
    count: int = 0
    #: For a step of a workflow: its number, actor and condition, its details, the commands in it (`code`), and the code that
    #: it names (`links`).
    number: str = ""
    actor: str = ""
    condition: str = ""
    #: Frames around a message, such as "alt paid".
    frame: str = ""
    details: tuple[str, ...] = ()
    code: tuple[str, ...] = ()
    links: tuple[str, ...] = ()
    #: For a message or a transition: its beginning and its end.
    source: str = ""
    target: str = ""


class GraphAnswer(msgspec.Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """The answer of a tool of the graph."""

    #: Subject of the answer; None for the whole repository.
    subject: Entry | None = None
    #: Numbers about the subject, including parts that are not listed.
    summary: dict[str, int | str] = {}
    sections: dict[str, tuple[Entry, ...]] = {}
    #: Number of further entries of each section, which follow on the next page.
    left_out: dict[str, int] = {}
    cursor: str = ""
    #: Why the answer is empty.
    nothing: Nothing | None = None
    #: The question of each section, by name of the section: a chain of `astrolabe query`, or a description in words.
    queries: dict[str, str] = {}
    #: Time in UTC at which a workflow's answer, possibly a cached answer, was computed.
    made_at: str = ""
    #: Source for the task, in the form of a search answer.
    source: str = ""
    token_count: int = 0


class Page(msgspec.Struct, frozen=True):
    """A page of an answer: its budget, the request of its cursor, and the offset in each section."""

    budget: int
    request: str
    offsets: Mapping[str, int]

    @classmethod
    def of(cls, tool: str, arguments: Sequence[object], budget: int, cursor: str) -> Page:
        """Return the page of a cursor, or the first page. Raises UsageError for a cursor of another request."""
        if budget < MIN_BUDGET:
            raise UsageError(f"`{tool}` needs a budget of at least {MIN_BUDGET} tokens, not {budget}.")
        request = hashlib.sha256(json.dumps([tool, *arguments], default=str).encode()).hexdigest()[:12]
        return cls(budget, request, _offsets(tool, request, cursor) if cursor else {})


def fitted(answer: GraphAnswer, page: Page, shares: Mapping[str, int] | None = None) -> GraphAnswer:
    """Return the answer with as many entries as fit the budget, from the page's offsets on.

    Entries are added section by section, in several rounds. `shares` has the number of entries of a section in a round; the
    default is 1.
    """
    waiting = {name: entries[page.offsets.get(name, 0) :] for name, entries in answer.sections.items()}
    shown: dict[str, list[Entry]] = {name: [] for name in waiting}
    answer = msgspec.structs.replace(answer, queries={} if page.offsets else _queries_within(answer.queries, page.budget))
    bare = msgspec.structs.replace(answer, sections=dict.fromkeys(waiting, ()))
    room = page.budget * 4 - _ENVELOPE - json_length(bare) - sum(len(name) + 12 for name in waiting)
    open_sections = [name for name, entries in waiting.items() if entries]
    while open_sections:
        for name in list(open_sections):
            wanted = waiting[name][len(shown[name]) :][: (shares or {}).get(name, 1)]
            taken, used = fitting(wanted, room)
            room -= used
            shown[name] += taken
            if len(taken) < len(wanted) or len(shown[name]) == len(waiting[name]):
                open_sections.remove(name)
    left = {name: len(entries) - len(shown[name]) for name, entries in waiting.items() if len(entries) > len(shown[name])}
    following = {name: page.offsets.get(name, 0) + len(shown[name]) for name in waiting}
    cut = msgspec.structs.replace(
        answer,
        sections={name: tuple(entries) for name, entries in shown.items() if entries},
        left_out=left,
        cursor=_cursor(page.request, following) if left else "",
    )
    return msgspec.structs.replace(cut, token_count=tokens_of_characters(json_length(cut)))


def _queries_within(queries: Mapping[str, str], budget: int) -> dict[str, str]:
    """Return the first questions that fit their share of a budget. Only the first page contains questions."""
    room = int(budget * 4 * _QUERY_SHARE)
    kept: dict[str, str] = {}
    for name, query in queries.items():
        room -= len(name) + json_length(query) + 6
        if room < 0:
            break
        kept[name] = query
    return kept


def _cursor(request: str, offsets: Mapping[str, int]) -> str:
    return base64.urlsafe_b64encode(json.dumps([request, offsets], separators=(",", ":")).encode()).decode().rstrip("=")


def _offsets(tool: str, request: str, cursor: str) -> dict[str, int]:
    try:
        if len(cursor) > _MAX_CURSOR:
            raise ValueError("too long")
        padded = cursor + "=" * (-len(cursor) % 4)
        belongs, offsets = msgspec.json.decode(base64.urlsafe_b64decode(padded), type=tuple[str, dict[str, int]])
    except (ValueError, binascii.Error, msgspec.DecodeError, UnicodeError) as error:
        raise UsageError(f"`{tool}`: this is no cursor of an earlier answer. Leave it out to begin anew.") from error
    if belongs != request or any(offset < 0 for offset in offsets.values()):
        raise UsageError(f"`{tool}`: the cursor belongs to a request with other arguments. Repeat these, or leave it out.")
    return offsets


def graph_text(answer: GraphAnswer) -> str:
    """Return an answer as text: the subject, the counts, and a line for each entry."""
    lines: list[str] = []
    if answer.subject is not None:
        lines.append(_line(answer.subject))
    if answer.summary:
        lines.append(
            ", ".join(
                f"{name} {value:,}" if isinstance(value, int) else f"{name} {value}" for name, value in answer.summary.items()
            )
        )
    if answer.nothing is not None:
        lines.append(answer.nothing.message)
    for name, entries in answer.sections.items():
        lines += ["", f"{name}:", *(f"  {_line(entry)}" for entry in entries)]
        if more := answer.left_out.get(name):
            lines.append(f"  … {more:,} more")
    if answer.cursor:
        lines += ["", f"cursor: {answer.cursor}"]
    return "\n".join([*lines, *(["", answer.source] if answer.source else [])])


def _line(entry: Entry) -> str:
    parts = [f"{entry.number}." if entry.number else "", entry.kind]
    parts += [f"{entry.source} -> {entry.target}:" if entry.source or entry.target else "", entry.name]
    parts += [f"[{entry.actor}]" if entry.actor else "", f"[if {entry.condition}]" if entry.condition else ""]
    parts += [f"[{entry.frame}]" if entry.frame else ""]
    parts += [f"({entry.at})" if entry.at and entry.at != entry.name else ""]
    parts += [f"distance {entry.distance}" if entry.distance else "", ", ".join(entry.through), entry.reason]
    parts += [f"{entry.count:,}" if entry.count else "", f"score {entry.score:.2f}" if entry.score else ""]
    parts += [f"({'; '.join(entry.details)})" if entry.details else ""]
    parts += [f"`{' '.join(text.split())}`" for text in entry.code]
    parts += [f"-> {', '.join(entry.links)}" if entry.links else ""]
    return " ".join(part for part in parts if part)
