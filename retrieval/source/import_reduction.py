"""Reduce import statements, imports in comments, and `require` to the used names."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from ...schema.import_clauses import ImportClause

#: An import in a comment, with its whole lines if they contain nothing else.
_TAG = re.compile(
    r"""(?P<lead>^[ \t]*\*?[ \t]*)? @import\s+ (?P<clause>[^'"@]*?) \s*\bfrom\s* (?P<source>'[^'\n]*'|"[^"\n]*")
        (?(lead)(?P<end>;?[ \t]*\n)?)""",
    re.VERBOSE | re.MULTILINE,
)
#: Star at the start of a comment line.
_STARS = re.compile(r"^[ \t]*\*(?!\s+as\b)", re.MULTILINE)
_BRACES = re.compile(r"\{(.*?)\}", re.DOTALL)


def reduced_imports(text: str, clauses: Sequence[ImportClause], names: Collection[str]) -> str:
    """Return import statements with only these local names, each on one line.

    Statements without the names are left out. If no statement remains, the text stays unchanged; a statement in an unknown form
    stays unchanged, too.
    """
    bringing = [clause for clause in clauses if not clause.names.keys().isdisjoint(names)]
    kept = list(dict.fromkeys(_reduced(clause, names) for clause in bringing))
    is_whole = not kept or (len(clauses) == 1 and kept[0] == clauses[0].text)
    return text if is_whole else " ".join(kept)


def _reduced(clause: ImportClause, names: Collection[str]) -> str:
    outside = [binding.text for binding in clause.outside if binding.local in names]
    inside = [binding.text for binding in clause.inside if binding.local in names]
    is_whole = len(outside) == len(clause.outside) and len(inside) == len(clause.inside)
    if not clause.is_reducible or is_whole or not (outside or inside):
        return clause.text
    return f"{clause.head}{_clause(outside, inside)} {clause.tail}"


def is_import_comment(lines: Sequence[str]) -> bool:
    """Return whether a comment imports types."""
    return any("@import" in line for line in lines)


def reduced_import_comment(text: str, names: Collection[str]) -> str:
    """Return a comment with only these local names in its imports; other text of the comment stays unchanged."""
    return _TAG.sub(lambda tag: _reduced_tag(tag, names), text) if names else text


def _reduced_tag(tag: re.Match[str], names: Collection[str]) -> str:
    outside, inside = _clause_items(_STARS.sub("", tag["clause"]))
    kept = [[part for part in parts if _local_name(part) in names] for parts in (outside, inside)]
    if kept == [outside, inside]:
        return tag[0]
    if not any(kept):
        # An import without used names is removed if its lines contain nothing else.
        return "" if tag["lead"] and tag["end"] else tag[0]
    return f"{tag['lead'] or ''}@import {_clause(*kept)} from {tag['source']}{tag['end'] or ''}"


def _clause(outside: Sequence[str], inside: Sequence[str]) -> str:
    return ", ".join([*outside, *(["{ " + ", ".join(inside) + " }"] if inside else [])])


def _clause_items(clause: str) -> tuple[list[str], list[str]]:
    """Return the parts outside and inside the braces of an import clause."""
    braces = _BRACES.search(clause)
    outside = [part.strip() for part in _BRACES.sub("", clause).split(",")]
    inside = [part.strip() for part in braces[1].split(",")] if braces else []
    return [part for part in outside if part], [part for part in inside if part]


def _local_name(item: str) -> str:
    """Return the local name of an import: `a as b` -> `b`, `* as ns` -> `ns`, `type T` -> `T`."""
    return item.split()[-1] if item else ""
