"""Valid code that the TypeScript grammars take for something else without an error: only a look at the source finds it."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from .grammar_edits import Edit, Finder, GapSource, blanks, replaces
from .grammar_mask import masked
from .grammar_type_arguments import import_type_arguments, tagged_templates


class Misreading(NamedTuple):
    """What is misread: its name, a text and a pattern without which it cannot occur, and what finds edits against it."""

    name: str
    sign: bytes
    pattern: re.Pattern[bytes]
    find: Finder


_USING: Final = rb"using[ \t]+[A-Za-z_$][\w$]*[ \t]*(?:=(?![=>])|:)"
_NEW_NON_NULL: Final = rb"new(?<![\w$.]new)\s+(?:[\w$.]|\([^()]*\))+?(!)(?=[.(\[])"

MISREADINGS: Final = (
    # Read as an assignment; with a type it is an error.
    Misreading(
        "using declaration",
        b"using ",
        re.compile(_USING),
        replaces(rb"(?:^|[;{}])\s*((?:await[ \t]+)?(?=" + _USING + rb")using)", b"const"),
    ),
    # Read as comparisons.
    Misreading("import type as type argument", b"typeof import(", re.compile(rb"<\s*typeof import\("), import_type_arguments),
    Misreading("type arguments of a tagged template", b">`", re.compile(rb"[^=]>`"), tagged_templates),
    # Read as a call of what `new` makes.
    Misreading("non-null constructor", b"!", re.compile(_NEW_NON_NULL), blanks(_NEW_NON_NULL)),
)


def misread_edits(data: bytes) -> list[Edit]:
    """The edits under which what would be misread is read right; none for almost every file."""
    present = [reading for reading in MISREADINGS if reading.sign in data and reading.pattern.search(data)]
    if not present:
        return []
    source = GapSource(data, masked(data))
    return [edit._replace(gap=reading.name) for reading in present for edit in reading.find(source)]
