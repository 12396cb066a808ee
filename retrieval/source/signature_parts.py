"""Parse the text of a signature in TypeScript or JavaScript into parameters, type parameters and result type."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...schema.signatures import SignatureParameter, SignatureParts, TypeParameter

_STRING = re.compile(r""""(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`""")
_OPENING, _CLOSING = "([{<", ")]}>"
_NAME = re.compile(r"(?<![\w$.])[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*")
_RESULT = re.compile(r"\s*(?::|=>)\s*(.+)", re.DOTALL)
_TYPE_PARAMETER = re.compile(r"((?:(?:const|in|out)\s+)*)([\w$]+)\s*(.*)", re.DOTALL)
_DECORATORS = re.compile(r"\A(?:@\w[\w.]*(?:\([^()]*\))?\s*)+")
_MODIFIERS = re.compile(r"\A(?:(?:public|private|protected|readonly|override)\s+)+")


def signature_parts(signature: str) -> SignatureParts:
    """Return the parts of a callable's signature, or no parts for other text."""
    start = next((place for place, character, depth in characters(signature) if character == "(" and depth == 0), -1)
    if start < 0:
        return SignatureParts((), None)
    end = closing(signature, start)
    result = _RESULT.match(signature, end + 1)
    head = signature[:start].rstrip()
    own = type_parameters_of(head[head.index("<") + 1 : -1]) if head.endswith(">") and "<" in head else ()
    return SignatureParts(parameters_of(signature[start + 1 : end]), result[1].strip() if result else None, own)


def type_names(type_text: str) -> list[str]:
    """Return the distinct names in the text of a type, in order; `React.FC` is one name."""
    return list(dict.fromkeys(_NAME.findall(type_text)))


def parameters_of(text: str) -> tuple[SignatureParameter, ...]:
    """Return the parameters between parentheses."""
    return tuple(map(_parameter, split(text)))


def type_parameters_of(text: str) -> tuple[TypeParameter, ...]:
    """Return the type parameters between angle brackets."""
    return tuple(map(_type_parameter, split(text)))


def _type_parameter(written: str) -> TypeParameter:
    words = _TYPE_PARAMETER.match(written)
    if words is None:
        return TypeParameter(written)
    rest = words[3]
    at = assignment(rest)
    constraint = (rest[:at] if at >= 0 else rest).strip().removeprefix("extends").strip()
    default = rest[at + 1 :].strip() if at >= 0 else None
    return TypeParameter(words[2], constraint or None, default, tuple(words[1].split()))


def _parameter(written: str) -> SignatureParameter:
    at = assignment(written)
    default = written[at + 1 :].strip() if at >= 0 else None
    declared = (written[:at] if at >= 0 else written).strip()
    declared = _MODIFIERS.sub("", _DECORATORS.sub("", declared, count=1), count=1)
    pieces = split(declared, ":")
    name = pieces[0] if pieces else declared
    type = declared[declared.index(name) + len(name) :].lstrip(" :") if len(pieces) > 1 else None
    rest, name = name.startswith("..."), name.removeprefix("...")
    return SignatureParameter(name.rstrip("? "), type or None, name.rstrip().endswith("?"), rest, default)


def characters(text: str, start: int = 0) -> Iterator[tuple[int, str, int]]:
    """Yield position, character and nesting depth from `start` on, without strings and without the `>` of arrows.

    A bracket has the depth outside of the brackets.
    """
    depth, place = 0, start
    while place < len(text):
        character = text[place]
        if character in "\"'`" and (string := _STRING.match(text, place)):
            place = string.end()
            continue
        is_arrow = character == ">" and text[place - 1 : place] == "="
        if character in _CLOSING and not is_arrow:
            depth -= 1
        if not is_arrow:
            yield place, character, depth
        if character in _OPENING:
            depth += 1
        place += 1


def closing(text: str, start: int) -> int:
    """Return the position of the bracket that closes the bracket at `start`; the length of the text if there is none."""
    return next((place for place, character, depth in characters(text, start) if depth == 0 and character in _CLOSING), len(text))


def split(text: str, separator: str = ",") -> list[str]:
    """Split a text at separators outside of brackets, and return the stripped, non-empty pieces."""
    pieces, begin = [], 0
    for place, character, depth in characters(text):
        if character == separator and depth == 0:
            pieces.append(text[begin:place])
            begin = place + 1
    return [piece.strip() for piece in [*pieces, text[begin:]] if piece.strip()]


def assignment(text: str, start: int = 0) -> int:
    """Return the position of the `=` before a default or a value, outside of brackets; -1 if there is none."""
    for place, character, depth in characters(text, start):
        if (
            character == "="
            and depth == 0
            and text[place + 1 : place + 2] not in ("=", ">")
            and text[place - 1 : place] not in ("=", "!", "<")
        ):
            return place
    return -1
