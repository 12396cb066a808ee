"""Make blocks of code valid, so that an engine can read them.

Ellipses (`connect(...)`), placeholders (`decode(data, <type>)`), markup of components and paragraphs with errors are left out. A
comment that is an option, such as `// size: 3,`, counts as code. What remains keeps its line and column.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from ....schema.blank_text import blank

#: An ellipsis that stands for left out code, and one that stands for a value.
_ELLIPSIS: Final = re.compile(r"\.\.\.(?=[ \t]*(?:[)\]},;]|/[/*]|$))", re.MULTILINE)
_LEFT_OUT_VALUE: Final = re.compile(r"(?<=[:=>][ \t])(?:\.\.\.|…)")
_ELLIPSIS_SIGN: Final = re.compile("…")
#: A placeholder in angle brackets: `<type>`. In TypeScript, it would be markup.
_PLACEHOLDER: Final = re.compile(r"<(?P<name>[A-Za-z_][\w-]{0,40})>")
_SCRIPT: Final = re.compile(r"<script\b[^<>]{0,200}>")
_END_OF_SCRIPT: Final = "</script>"
_COMPONENT: Final = re.compile(r"<(?:template|script|style)\b")
#: A comment that is an option of an object or of a call, with the sign of the comment.
_OPTION: Final = {
    ".ts": re.compile(
        r"^[ \t]*(?P<sign>//)(?=[ \t]*(?:[A-Za-z_$][\w$]*[ \t]*:[^\n]{0,160}[,{\[][ \t]*$|[}\]],?[ \t]*$))", re.MULTILINE
    ),
    ".py": re.compile(r"^[ \t]*(?P<sign>#)(?=[ \t]*[A-Za-z_]\w*=[^=\n]{1,120},[ \t]*$)", re.MULTILINE),
}
#: Maximum number of paragraphs of a block that are looked at one by one.
_MAX_PARAGRAPHS: Final = 40


def repaired(text: str, extension: str, is_valid: Callable[[str], bool]) -> str:
    """Return the valid code of a block; "" for a block without any."""
    if extension == ".ts" and _COMPONENT.search(text) is not None and not is_valid(text):
        text = _scripts(text)
        if not text.strip():
            return ""
    shown = _with_options(text, extension)
    for each in (shown, _without_placeholders(shown, extension)) if shown != text else ():
        if is_valid(each):
            return each
    if is_valid(text):
        return text
    text = _without_placeholders(text, extension)
    return text if is_valid(text) else _valid_paragraphs(text, is_valid)


def _scripts(text: str) -> str:
    """Return the scripts of a component, with blanks in place of its markup."""
    parts, at = [], 0
    for found in _SCRIPT.finditer(text):
        end = text.find(_END_OF_SCRIPT, found.end()) if found.start() >= at else -1
        if end >= 0:
            parts += [blank(text[at : found.end()]), text[found.end() : end]]
            at = end
        elif found.start() >= at:
            break
    return "".join([*parts, blank(text[at:])])


def _with_options(text: str, extension: str) -> str:
    """Return a block in which comments that are options count as code."""
    option = _OPTION.get(extension)
    return option.sub(lambda found: _blanked(found, "sign"), text) if option is not None else text


def _without_placeholders(text: str, extension: str) -> str:
    text = _ELLIPSIS_SIGN.sub(" ", _LEFT_OUT_VALUE.sub(lambda found: "0".ljust(len(found[0])), text))
    if extension == ".py":
        return _PLACEHOLDER.sub(lambda found: f"_{found['name'].replace('-', '_')}_", text)
    return _ELLIPSIS.sub("   ", text)


def _valid_paragraphs(text: str, is_valid: Callable[[str], bool]) -> str:
    """Return the paragraphs of a block that are valid on their own, with blanks in place of the others."""
    paragraphs = re.split(r"(\n[ \t]*(?=\n))", text)
    if not 1 < len(paragraphs) <= 2 * _MAX_PARAGRAPHS:
        return ""
    kept = [each if place % 2 or is_valid(each) else blank(each) for place, each in enumerate(paragraphs)]
    found = "".join(kept)
    return found if found.strip() and is_valid(found) else ""


def _blanked(found: re.Match[str], group: str) -> str:
    start, end = found.start(group) - found.start(), found.end(group) - found.start()
    return f"{found[0][:start]}{' ' * (end - start)}{found[0][end:]}"
