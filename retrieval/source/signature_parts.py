"""The parameters and the return type in a signature, as they are written."""

from __future__ import annotations

import re
from typing import NamedTuple

_PARAMETER = re.compile(
    r"(?:@\w+(?:\([^()]*\))?\s*)*(?:(?:public|private|protected|readonly|override)\s+)*"
    r"(?P<name>\.{3}\s*[\w$]+|[\w$]+|\{.*?\}|\[.*?\])\s*\??\s*(?::\s*(?P<type>.*))?$",
    re.DOTALL,
)
_NAME = re.compile(r"(?<![\w$.])[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*")
_TYPE_PARAMETER = re.compile(r"(?:(?:const|in|out)\s+)*([A-Za-z_$][\w$]*)")


class Parameter(NamedTuple):
    """A parameter's name and the text of its type; "" for a name that is a pattern, or a type that is not written."""

    name: str
    type: str


class SignatureParts(NamedTuple):
    """What goes in and what comes out."""

    parameters: tuple[Parameter, ...]
    return_type: str
    #: Names of its own type parameters.
    type_parameters: frozenset[str] = frozenset()


def signature_parts(signature: str) -> SignatureParts:
    """The parts of a callable's signature; none for other text."""
    start = _parameters_start(signature)
    if start is None:
        return SignatureParts((), "")
    end = _closing(signature, start)
    written = _split(signature[start + 1 : end])
    return SignatureParts(
        tuple(map(_parameter, written)), _return_type(signature[end + 1 :]), _type_parameters(signature[:start].rstrip())
    )


def type_names(type_text: str) -> list[str]:
    """Names in the text of a type, `React.FC` as one, each once, in order."""
    return list(dict.fromkeys(_NAME.findall(type_text)))


def _parameters_start(text: str) -> int | None:
    """Place of the parenthesis that opens the parameters: the first that stands in no other brackets."""
    depth = 0
    for place, character in enumerate(text):
        if character == "(" and depth == 0:
            return place
        if character in "([{<":
            depth += 1
        elif character in ")]}" or (character == ">" and text[place - 1] != "="):
            depth -= 1
    return None


def _type_parameters(head: str) -> frozenset[str]:
    """The names between the angle brackets at the end of what stands before the parameters."""
    if not head.endswith(">") or "<" not in head:
        return frozenset()
    written = _split(head[head.index("<") + 1 : -1])
    return frozenset(match[1] for parameter in written if (match := _TYPE_PARAMETER.match(parameter)))


def _closing(text: str, start: int) -> int:
    depth = 0
    for place in range(start, len(text)):
        character = text[place]
        if character in "([{":
            depth += 1
        elif character in ")]}":
            depth -= 1
            if depth == 0:
                return place
    return len(text)


def _split(text: str) -> list[str]:
    """Pieces between the commas that stand in no brackets; defaults are cut off."""
    pieces, current, depth = [], "", 0
    for place, character in enumerate(text):
        if character in "([{<":
            depth += 1
        elif character in ")]}" or (character == ">" and text[place - 1] != "="):
            depth -= 1
        if character == "," and depth == 0:
            pieces.append(current)
            current = ""
        else:
            current += character
    return [piece.strip() for piece in [*pieces, current] if piece.strip()]


def _parameter(written: str) -> Parameter:
    declared = re.split(r"\s=(?!>)\s", written, maxsplit=1)[0]
    match = _PARAMETER.match(declared)
    if match is None:
        return Parameter("", "")
    name = match["name"].removeprefix("...").strip()
    return Parameter("" if name[0] in "{[" else name, (match["type"] or "").strip())


def _return_type(rest: str) -> str:
    match = re.match(r"\s*(?::|=>)\s*(.*)", rest, re.DOTALL)
    return match[1].strip() if match else ""
