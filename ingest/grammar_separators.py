"""The gap of call signatures: type members that end at a line end where the grammars do not see it.

TypeScript ends a type member before a line that begins with `<` or `(` (a call signature); the grammar reads on, as it must in
code.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from .grammar_brackets import closing, end_of_code_before
from .grammar_edits import Edit, GapSource

_LINE_STARTING_SIGNATURE: Final = re.compile(rb"\n[ \t\r\f\v]*(?=[(<])")
_BRACKET: Final = re.compile(rb"[(){}\[\]]")
_ENDS_MEMBER: Final = re.compile(rb"[\w$)\]}'\"`>/\x80-\xff]\Z")
_READS_ON: Final = re.compile(
    rb"(?:=>|(?:^|[^\w$.])(?:extends|keyof|typeof|readonly|is|infer|new|in|as|get|set|asserts|unique|satisfies|abstract))\Z"
)
_INTERFACE_HEADER: Final = re.compile(rb"(?:^|[^\w$.])interface\s+[\w$\x80-\xff]+[^;{}]*\Z")
_TYPE_BEFORE: Final = re.compile(rb"(?:[:|&<\[?(,]|(?<!=)=|(?:^|[^\w$.])(?:as|extends|keyof|satisfies|readonly|is))\Z")
_MAYBE_TYPE_BEFORE: Final = re.compile(rb"(?:=>|>|[\w$])\Z")
_STATEMENT_BEFORE: Final = re.compile(rb"(?:^|[^\w$.])(?:else|try|finally|do|static)\Z")
_ANNOTATED: Final = re.compile(rb"\s*:")

NOT_A_TYPE, MAYBE_A_TYPE, A_TYPE = range(3)


def unseparated_call_signatures(source: GapSource) -> Iterator[Edit]:
    """A semicolon before each call signature that begins a line of an interface or type literal after another member."""
    mask = source.mask
    signatures = [found.end() for found in _LINE_STARTING_SIGNATURE.finditer(mask)]
    for signature, body in _with_bodies(mask, signatures):
        end = end_of_code_before(mask, signature)
        if _ends_member(mask, end) and (body == A_TYPE or (body == MAYBE_A_TYPE and _is_annotated(mask, signature))):
            yield from _semicolon_between(source, end, signature)


def _with_bodies(mask: bytes, offsets: list[int]) -> Iterator[tuple[int, int]]:
    """Each offset, in order, with the kind of body that directly holds it."""
    if not offsets:
        return
    open_braces: list[int] = []
    waiting = iter(offsets)
    offset = next(waiting)
    for found in _BRACKET.finditer(mask):
        while offset <= found.start():
            yield offset, _body_kind(mask, open_braces[-1]) if open_braces else NOT_A_TYPE
            following = next(waiting, None)
            if following is None:
                return
            offset = following
        if found[0] in b"([{":
            open_braces.append(found.start())
        elif open_braces:
            open_braces.pop()


def _ends_member(mask: bytes, end: int) -> bool:
    before = mask[max(0, end - 12) : end]
    return _ENDS_MEMBER.search(before) is not None and _READS_ON.search(before) is None


def _body_kind(mask: bytes, brace: int) -> int:
    """What the bracket at an offset holds: members of a type, perhaps, or something else."""
    if mask[brace] != ord("{"):
        return NOT_A_TYPE
    end = end_of_code_before(mask, brace)
    before = mask[max(0, end - 12) : end]
    if _TYPE_BEFORE.search(before):
        return A_TYPE
    if _STATEMENT_BEFORE.search(before) or not _MAYBE_TYPE_BEFORE.search(before):
        return NOT_A_TYPE
    if _INTERFACE_HEADER.search(mask[max(0, end - 600) : end]):
        return A_TYPE
    return MAYBE_A_TYPE


def _is_annotated(mask: bytes, signature: int) -> bool:
    """Whether a parameter list with a return type stands at `signature`."""
    parameters = signature
    if mask[signature] == ord("<"):
        after = closing(mask, signature)
        if after < 0:
            return False
        parameters = after + len(mask[after : after + 200]) - len(mask[after : after + 200].lstrip())
    if mask[parameters : parameters + 1] != b"(":
        return False
    after = closing(mask, parameters)
    return after >= 0 and _ANNOTATED.match(mask, after) is not None


def _semicolon_between(source: GapSource, end: int, start: int) -> Iterator[Edit]:
    """A semicolon in white space between the code that ends at `end` and the code that begins at `start`."""
    for place in (start - 1, end):
        if source.data[place] in b" \t\r":
            yield Edit(place, place + 1, b";")
            return
