"""Write the signature of a declaration: one line, without annotations, comments and body."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from typing import Final

from ....schema.languages import BY_NAME
from ...symbols.byte_ranges import between, decoded
from ...symbols.headers import MAX_SIGNATURE_LENGTH
from ..comments import Lead
from .definitions import CALLABLE, Definition
from .rules import SyntaxRules

_DIRECTIVES: Final = re.compile(r"^[ \t]*#[^\n]*", re.MULTILINE)
_CLOSING: Final = {"(": ")", "[": "]"}
#: A string or a bracket.
_TOKEN: Final = re.compile(r"\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|[()\[\]]")
#: Blanks in place of line breaks, and commas at the end of lists.
_LOOSE: Final = re.compile(r"(?<=[(\[]) | (?=[)\],;])|,(?= ?[)\]])")
#: Endings of a signature before the body.
_TAILS: Final = ("->", "=>", "=", "{", "(", "[", ",", ";", ":", "\\")
_LAMBDA: Final = re.compile(r"\s*=?\s*\([^()]*\)\s*(?:->|=>)$")
_END: Final = re.compile(r"[;\s]+end$")


def signature_of(data: bytes, rules: SyntaxRules, declared: Definition, begin: int, end: int, leads: Sequence[Lead]) -> str:
    """Return the signature of the declaration between two offsets. `leads` are all comments of the file, in order."""
    if declared.is_list:
        words = decoded(data, begin, min(declared.name_position, begin + MAX_SIGNATURE_LENGTH)).split()
        return " ".join([*words[:1], declared.name])
    stop = declared.body if declared.body >= 0 else declared.stub if declared.stub >= 0 else end
    if declared.body < 0 and declared.kind not in CALLABLE:
        newline = data.find(b"\n", max(declared.name_position, begin), stop)
        stop = newline if newline >= 0 else stop
    text = _without_comments(data, begin, min(stop, begin + 4 * MAX_SIGNATURE_LENGTH), leads)
    text = _DIRECTIVES.sub("", text) if rules.directive is not None else text
    line = _one_line(_without_annotations(text, rules.annotation))
    line = _LAMBDA.sub("", line.rstrip("{ ")) if declared.body < 0 else line
    if declared.body < 0 and BY_NAME[rules.language].layout == "ended":
        line = _END.sub("", line)
    while line.endswith(_TAILS) and not line.endswith("::") and "operator" not in line[-12:]:
        line = line[: -2 if line.endswith(("->", "=>")) else -1].rstrip()
    return line[:MAX_SIGNATURE_LENGTH] or declared.name


def _without_comments(data: bytes, start: int, end: int, leads: Sequence[Lead]) -> str:
    parts = []
    for lead in leads[bisect_left(leads, start, key=lambda lead: lead.start) :]:
        if lead.start >= end:
            break
        if lead.is_comment and lead.start >= start:
            parts.append(between(data, start, lead.start))
            start = max(start, lead.end)
    parts.append(between(data, start, end))
    return b"\n".join(parts).decode("utf-8", "replace")


def _without_annotations(text: str, annotation: re.Pattern[str] | None) -> str:
    """Return the text of a declaration without the annotations before it, or the whole text if nothing else is in it."""
    at = len(text) - len(text.lstrip())
    while annotation is not None and (found := annotation.match(text, at)):
        end = _after_brackets(text, found.end())
        end += len(text[end:]) - len(text[end:].lstrip())
        if end == at:
            break  # an unclosed bracket: the text is broken, or was cut
        at = end
    return text[at:] or text


def _after_brackets(text: str, start: int) -> int:
    """Return the offset after the bracket that closes the bracket at `start`, or `start` if no bracket opens there."""
    expected = [_CLOSING.get(text[start : start + 1], "")]
    if not expected[0]:
        return start
    for found in _TOKEN.finditer(text, start + 1):
        token = found[0]
        if token in _CLOSING:
            expected.append(_CLOSING[token])
        elif token == expected[-1]:
            expected.pop()
            if not expected:
                return found.end()
    return start


def _one_line(text: str) -> str:
    text = text.replace("\\\n", "\n")
    if "\n" not in text and "  " not in text:
        return text.strip()
    # The pattern is applied twice, because a comma may precede a blank before a bracket.
    return _LOOSE.sub("", _LOOSE.sub("", " ".join(text.split())))
