"""Edits before the first parse: for code that is misread without an error, and for frequent gaps.

The TypeScript grammars misread some valid code without an error, so only the source shows the misreading. After an error, the
grammars parse at half their speed. Gaps that are frequent in some files are therefore edited first, if the edit is harmless in
correct code.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from .edits import Edit, Finder, GapSource, blanks, replaces
from .mask import masked
from .separators import plain_call_signatures
from .type_arguments import asserted_names, import_type_arguments, tagged_templates, variance_annotations


class Misreading(NamedTuple):
    """A misreading: a text and patterns that occur near it (one pattern must match), and the finder of its edits."""

    name: str
    required_text: bytes
    patterns: tuple[re.Pattern[bytes], ...]
    find: Finder


_USING: Final = rb"using[ \t]+[A-Za-z_$][\w$]*[ \t]*(?:=(?![=>])|:)"
_NEW_NON_NULL: Final = rb"new(?<![\w$.]new)\s+(?:[\w$.]|\([^()]*\))+?(!)(?=[.(\[])"
#: Signs that end the name of a type parameter.
_PARAMETER_END: Final = rb"(?:[,>]|\s+(?:=|extends)\s)"
#: White space with a line end between `export` and what it exports. Comments are white space in the mask.
_EXPORT_APART: Final = re.compile(
    rb"export(?<![\w$.#]export)(\s+)(?=[{*@]|(?:abstract|as|async|class|const|declare|default|enum|function|import|interface|let|module"
    rb"|namespace|type|var)\b)"
)


def line_ends_after_export(source: GapSource) -> Iterator[Edit]:
    """Replace the line ends between `export` and what it exports by spaces, and blank line comments there."""
    for _, (start, end) in source.matches(_EXPORT_APART):
        between = source.data[start:end]
        if b"\n" in between or b"\r" in between:
            joined = between.translate(_LINE_ENDS)
            yield Edit(start, end, b" " * len(between) if b"//" in between else joined)


#: Translates line ends to spaces.
_LINE_ENDS: Final = bytes.maketrans(b"\r\n", b"  ")

MISREADINGS: Final = (
    # The grammar reads an assignment; with a type annotation it reports an error.
    Misreading(
        "using declaration",
        b"using ",
        (re.compile(_USING),),
        replaces(rb"(?:^[ \t]*|[;{}]\s*)((?:await[ \t]+)?(?=" + _USING + rb")using)", b"const"),
    ),
    # The grammar reads comparisons.
    Misreading("import type as type argument", b"typeof import(", (re.compile(rb"<\s*typeof import\("),), import_type_arguments),
    Misreading("type arguments of a tagged template", b">`", (re.compile(rb"[^=]>`"),), tagged_templates),
    # The grammar reads `(x as a.b).C`.
    Misreading(
        "name of three parts after as",
        b"",
        (re.compile(rb" as [\w$.<>|&, \[\]]{1,200}?\.[\w$]+\."), re.compile(rb" satisfies [\w$.<>|&, \[\]]{1,200}?\.[\w$]+\.")),
        asserted_names,
    ),
    # The grammar reads a variable `export`, and then a declaration that is not exported.
    Misreading("line end after export", b"export", (re.compile(rb"\bexport[ \t]*+(?:/[/*]|[\r\n])"),), line_ends_after_export),
    # The grammar reads `new` without arguments, and then a call of the new object.
    Misreading("non-null constructor", b"!", (re.compile(_NEW_NON_NULL),), blanks(_NEW_NON_NULL)),
)

#: Gaps from the module `gaps` that are repaired before the first parse, each with patterns for its usual layout.
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
    """Return the edits that prevent misreadings; none for most files."""
    present = [
        reading
        for reading in MISREADINGS + FORESEEN
        if reading.required_text in data and any(pattern.search(data) for pattern in reading.patterns)
    ]
    if not present:
        return []
    source = GapSource(data, masked(data))
    return [edit._replace(gap=reading.name) for reading in present for edit in reading.find(source)]
