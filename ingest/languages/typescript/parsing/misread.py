"""What is mended before the first parse, because only a look at the source finds it or because an error would cost too much.

The TypeScript grammars take some valid code for something else without an error. And where they meet an error, they read on at
half their speed: gaps that are frequent in the files that have them, and safe to mend in code without errors, are foreseen.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from .edits import Edit, Finder, GapSource, blanks, replaces
from .mask import masked
from .separators import plain_call_signatures
from .type_arguments import import_type_arguments, tagged_templates, variance_annotations


class Misreading(NamedTuple):
    """What is misread: its name, a text and patterns one of which matches where it occurs, and what finds edits against it."""

    name: str
    sign: bytes
    patterns: tuple[re.Pattern[bytes], ...]
    find: Finder


_USING: Final = rb"using[ \t]+[A-Za-z_$][\w$]*[ \t]*(?:=(?![=>])|:)"
_NEW_NON_NULL: Final = rb"new(?<![\w$.]new)\s+(?:[\w$.]|\([^()]*\))+?(!)(?=[.(\[])"
#: What ends the name of a type parameter.
_PARAMETER_END: Final = rb"(?:[,>]|\s+(?:=|extends)\s)"

MISREADINGS: Final = (
    # Read as an assignment; with a type it is an error.
    Misreading(
        "using declaration",
        b"using ",
        (re.compile(_USING),),
        replaces(rb"(?:^[ \t]*|[;{}]\s*)((?:await[ \t]+)?(?=" + _USING + rb")using)", b"const"),
    ),
    # Read as comparisons.
    Misreading("import type as type argument", b"typeof import(", (re.compile(rb"<\s*typeof import\("),), import_type_arguments),
    Misreading("type arguments of a tagged template", b">`", (re.compile(rb"[^=]>`"),), tagged_templates),
    # Read as a call of what `new` makes.
    Misreading("non-null constructor", b"!", (re.compile(_NEW_NON_NULL),), blanks(_NEW_NON_NULL)),
)

#: Gaps that a repair would find as well (`grammar_gaps`), with patterns for the usual layout.
FORESEEN: Final = (
    Misreading(
        "variance annotation",
        b"",
        (
            re.compile(rb"in(?:(?<=[<,]in)|(?<=[<,]\sin)|(?<=\n  in))(?: out)? [\w$]+" + _PARAMETER_END),
            re.compile(rb"out(?:(?<=[<,]out)|(?<=[<,]\sout)|(?<=\n  out)) [\w$]+" + _PARAMETER_END),
        ),
        variance_annotations,
    ),
    Misreading(
        "call signature without separator",
        b"",
        (re.compile(rb"\n[ \t]+(?:<[^<>=\n/][^\n]*>\(|\([^\n]*\): )"),),
        plain_call_signatures,
    ),
)


def misread_edits(data: bytes) -> list[Edit]:
    """The edits under which what would be misread is read right; none for most files."""
    present = [
        reading
        for reading in MISREADINGS + FORESEEN
        if reading.sign in data and any(pattern.search(data) for pattern in reading.patterns)
    ]
    if not present:
        return []
    source = GapSource(data, masked(data))
    return [edit._replace(gap=reading.name) for reading in present for edit in reading.find(source)]
