"""Import statements, imports in comments, and `require`: reduced to the names that are used, and what their names stand for."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

_STATEMENT = re.compile(
    r"""(?P<head>\s*import\s+(?:(?:type|typeof)\s+(?!from\b|,))?)
        (?P<clause>[^'"]*?)
        (?P<tail>\s*\bfrom\s*['"].*)""",
    re.VERBOSE | re.DOTALL,
)
#: Between two statements on one line.
_NEXT_STATEMENT = re.compile(r"(?<=;)[ \t]*(?=import\b)")
_COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
_SPECIFIER = re.compile(r"""\bfrom\s*(?:'[^'\n]*'|"[^"\n]*")""")
#: What a `require` gives, taken apart without further patterns or values in it.
_TAKEN_APART = re.compile(r"(?P<head>\s*(?:const|let|var)\s*)\{(?P<items>[^{}()]*)\}(?=\s*=\s*require\b)")
#: A `require` of which nothing is called or taken at once.
_REQUIRED = re.compile(
    r"""(?<![\w$.])(?:(?P<name>[\w$]+)|\{(?P<items>[^{}()]*)\})\s*=\s*require\(\s*(['"])(?P<specifier>[^'"\n]+)\3\s*\)(?!\s*[.(\[])"""
)
#: An import in a comment; of one that has lines of its own, these.
_TAG = re.compile(
    r"""(?P<lead>^[ \t]*\*?[ \t]*)? @import\s+ (?P<clause>[^'"@]*?) \s*\bfrom\s* (?P<source>'[^'\n]*'|"[^"\n]*")
        (?(lead)(?P<end>;?[ \t]*\n)?)""",
    re.VERBOSE | re.MULTILINE,
)
#: Where lines of a comment begin.
_STARS = re.compile(r"^[ \t]*\*(?!\s+as\b)", re.MULTILINE)
_BRACES = re.compile(r"\{(.*?)\}", re.DOTALL)

#: Import statements whose parts are remembered: each result of a file asks for those of the file.
_MAX_STATEMENTS = 8_192


class _ImportClause(NamedTuple):
    """An import statement: what stands before the names, outside of braces, inside, and behind."""

    head: str
    outside: tuple[str, ...]
    inside: tuple[str, ...]
    tail: str


def reduced_import(text: str, names: Collection[str]) -> str:
    """An import statement with only these local names, on one line; unchanged when it has another form or none of them.

    Of several statements on one line, those that bring one of the names.
    """
    statements = _NEXT_STATEMENT.split(text)
    bringing = [
        statement for statement in statements if len(statements) > 1 and not imported_names(statement).keys().isdisjoint(names)
    ]
    return " ".join(_reduced(statement, names) for statement in bringing or [text])


def _reduced(statement: str, names: Collection[str]) -> str:
    clause = _import_clause(statement) if names else None
    if clause is None:
        return statement
    head, outside, inside, tail = clause
    kept_outside = [part for part in outside if _local_name(part) in names]
    kept_inside = [part for part in inside if _local_name(part) in names]
    if not kept_outside and not kept_inside:
        return statement
    if len(kept_outside) == len(outside) and len(kept_inside) == len(inside):
        return statement
    return f"{head}{_clause(kept_outside, kept_inside)} {tail}"


def reduced_require(text: str, names: Collection[str]) -> str:
    """`const { a, b } = require("x")` with only these local names, on one line; unchanged when it has another form."""
    match = _TAKEN_APART.match(text)
    if match is None:
        return text
    items = [item.strip() for item in _COMMENT.sub("", match["items"]).split(",") if item.strip()]
    kept = [item for item in items if _taken_name(item) in names]
    # What the rest of an object holds depends on what was taken before.
    if not kept or len(kept) == len(items) or any(item.startswith("...") for item in items):
        return text
    # Formatters begin a line with a long `require`.
    rest = re.sub(r"^\s*=\s*", " = ", text[match.end() :])
    return f"{match['head']}{{ {', '.join(kept)} }}{rest}"


def takes_require_apart(statement: str) -> bool:
    """Whether a statement is `const { a, b } = require("x")`."""
    return _TAKEN_APART.match(statement) is not None


def required_names(statement: str) -> Iterator[tuple[str, dict[str, str]]]:
    """What the local names of a statement with `require` stand for, by specifier: a name, or "*"."""
    for match in _REQUIRED.finditer(statement):
        items = [item.strip() for item in _COMMENT.sub("", match["items"] or "").split(",") if item.strip()]
        names = {_taken_name(item): re.split(r"[\s:=]", item)[0] for item in items}
        yield match["specifier"], {match["name"]: "*"} if match["name"] else names


def _taken_name(item: str) -> str:
    """`a: b = 1` -> `b`."""
    return item.partition("=")[0].rpartition(":")[2].strip()


def is_import_comment(lines: Sequence[str]) -> bool:
    """Whether a comment imports types."""
    return any("@import" in line for line in lines)


def reduced_import_comment(text: str, names: Collection[str]) -> str:
    """A comment whose imports bring these local names alone; what else it says stays as it is."""
    return _TAG.sub(lambda tag: _reduced_tag(tag, names), text) if names else text


def _reduced_tag(tag: re.Match[str], names: Collection[str]) -> str:
    outside, inside = _clause_items(_STARS.sub("", tag["clause"]))
    kept = [[part for part in parts if _local_name(part) in names] for parts in (outside, inside)]
    if kept == [outside, inside]:
        return tag[0]
    if not any(kept):
        # Of several tags, one of which none is used goes with its lines.
        return "" if tag["lead"] and tag["end"] else tag[0]
    return f"{tag['lead'] or ''}@import {_clause(*kept)} from {tag['source']}{tag['end'] or ''}"


def _clause(outside: Sequence[str], inside: Sequence[str]) -> str:
    return ", ".join([*outside, *(["{ " + ", ".join(inside) + " }"] if inside else [])])


@lru_cache(_MAX_STATEMENTS)
def imported_names(statement: str) -> Mapping[str, str]:
    """What each local name of an import statement stands for: a name, "default" or "*"."""
    clause = _import_clause(statement)
    if clause is None:
        return {}
    _, outside, inside, _ = clause
    found = {_local_name(part): "*" if part.startswith("*") else "default" for part in outside}
    return found | {_local_name(part): re.split(r"\s+", part.removeprefix("type "))[0] for part in inside}


@lru_cache(_MAX_STATEMENTS)
def _import_clause(statement: str) -> _ImportClause | None:
    match = _STATEMENT.fullmatch(_without_comments(statement))
    if match is None:
        return None
    outside, inside = _clause_items(match["clause"])
    return _ImportClause(match["head"], tuple(outside), tuple(inside), match["tail"].strip())


def _clause_items(clause: str) -> tuple[list[str], list[str]]:
    """What stands outside the braces of an import clause, and inside."""
    braces = _BRACES.search(clause)
    outside = [part.strip() for part in _BRACES.sub("", clause).split(",")]
    inside = [part.strip() for part in braces[1].split(",")] if braces else []
    return [part for part in outside if part], [part for part in inside if part]


def _without_comments(statement: str) -> str:
    # A specifier may hold "//", so only what stands before it is cleaned.
    specifiers = [match.start() for match in _SPECIFIER.finditer(statement)]
    end = specifiers[-1] if specifiers else 0
    return f"{_COMMENT.sub('', statement[:end]).strip()} {statement[end:].strip()}".strip()


def _local_name(item: str) -> str:
    """`a as b` -> `b`, `* as ns` -> `ns`, `type T` -> `T`."""
    return item.split()[-1] if item else ""
