"""Read the spelling of JSDoc types: find the end of a `{…}`, and rewrite Closure's spelling to TypeScript's in the same
length."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

_STEP: Final = re.compile(rb"""=>|[{}\[\]]|'[^'\n]*'|"[^"\n]*"|`[^`]*`""")

#: Texts that show that a type may be in Closure's spelling.
_CLOSURE: Final = re.compile(rb"[!?=]|\.<|\.\.\.|\b(?:Object|function|String|Number|Boolean|Void|Null|Undefined|array|promise)\b")
_NAMES: Final = {
    b"String": b"string",
    b"Number": b"number",
    b"Boolean": b"boolean",
    b"Void": b"void",
    b"Null": b"null",
    b"Undefined": b"undefined",
    b"array": b"Array",
    b"promise": b"Promise",
}
_NAME: Final = re.compile(rb"(?<![\w$.'\"])(?:String|Number|Boolean|Void|Null|Undefined|array|promise)(?![\w$'\"?]|\s*[.:(])")
_GENERIC_OBJECT: Final = re.compile(rb"(?<![\w$.])Object(?=\s*<)")
_PLAIN_OBJECT: Final = re.compile(rb"(?<![\w$.'\"])Object(?![\w$'\"?]|\s*[.<:(])")
_FUNCTION_WORD: Final = re.compile(rb"(?<![\w$.])function(?![\w$]|\s*\()")
_FUNCTION: Final = re.compile(rb"(?<![\w$.])function\s*\(([^(){}]*)\)\s*:\s*(?=\S)")
_FUNCTION_ONLY: Final = re.compile(rb"(?<![\w$.])function\s*\([^(){}]*\)")
_NON_NULL: Final = re.compile(rb"(?<!['\"`])!(?=[\w$({\[])|(?<=[\w$\])>}])!(?=\s*[|&,)\]>]|\s*$)")
_NULLABLE: Final = re.compile(rb"(?<![\w$)\]}>?\s'\"])\?(?=[\w$({\[])")
_AROUND: Final = re.compile(rb"^(\s*)(\.\.\.|\?)?(.*?)([?=]*)(\s*)$", re.DOTALL)


class Rewritten(NamedTuple):
    """A type in TypeScript's spelling, with the same length, and additional properties that the original spelling expressed."""

    text: bytes
    rest: bool
    optional: bool


def balanced_end(data: bytes, start: int, end: int) -> int:
    """Return the offset of the bracket that closes the bracket at `start`, or -1 if there is none before `end`."""
    depth = 0
    for match in _STEP.finditer(data, start, end):
        token = match.group()
        if token in (b"{", b"["):
            depth += 1
        elif token in (b"}", b"]"):
            depth -= 1
            if depth == 0:
                return match.start()
    return -1


def rewritten_type(text: bytes) -> Rewritten:
    """Rewrite the inside of a `{…}` to TypeScript's spelling."""
    if _CLOSURE.search(text) is None:
        return Rewritten(text, False, False)
    around = _AROUND.match(text)
    if around is None:
        return Rewritten(text, False, False)
    space, prefix, inner, suffix, tail = (part or b"" for part in around.groups())
    inner = _NON_NULL.sub(b" ", inner)
    inner = inner.replace(b".<", b" <")
    inner = _NULLABLE.sub(b" ", inner)
    inner = _GENERIC_OBJECT.sub(b"Record", inner)
    inner = _PLAIN_OBJECT.sub(b"any   ", inner)
    inner = _FUNCTION_WORD.sub(b"Function", inner)
    inner = _FUNCTION.sub(_function, inner)
    inner = _FUNCTION_ONLY.sub(lambda match: b"Function".ljust(len(match.group())), inner)
    inner = _NAME.sub(lambda match: _NAMES[match.group()], inner)
    written = space + b" " * len(prefix) + inner + b" " * len(suffix) + tail
    return Rewritten(written, prefix == b"...", suffix.endswith(b"="))


def _function(match: re.Match[bytes]) -> bytes:
    """Rewrite `function(A, B=): C` to `(..._:[A, B?])=>C` of the same length. C keeps its offset; A and B move by two."""
    inside = match.group(1)
    given = b",".join(part[:-1] + b"?" if part.rstrip().endswith(b"=") else part for part in inside.split(b","))
    return (b"(..._:[" + given + b"])=>").ljust(len(match.group()))
