"""Lines of a PlantUML diagram, without comments and without lines that only change the appearance."""

from __future__ import annotations

import re
from collections.abc import Iterator

_MARK = re.compile(r"@(?:start|end)uml\b")
_BLOCK_COMMENT = re.compile(r"/'(?:[^']|'(?!/))*'/")
#: Maximum number of characters of a continued statement.
_MAX_CONTINUED = 2_000
_TITLE = re.compile(r"title\s+(.+)")
#: Statements of one line that draw nothing.
_APPEARANCE = re.compile(
    r"(?:!|skinparam\b|hide\b|show\b|scale\b|left to right direction|top to bottom direction|header\b|footer\b|caption\b"
    r"|autonumber\b|newpage\b|allowmixing\b|remove\b|set\b|page\b|autoactivate\b|mainframe\b|\|\|\||\.\.\.|==)"
)
#: Those that may stand between the braces of a class or a group. Other words there are names of members.
_INNER_APPEARANCE = re.compile(r"(?:!|skinparam\b|hide\b|show\b|\|\|\||\.\.\.|==)")
#: Statements over several lines that draw nothing, with their last lines.
_LONG_APPEARANCE = re.compile(r"(skinparam\s+\w+|<style>|legend\b|header$|footer$|title$|!procedure|!function)")
_LONG_ENDS = {"skinparam": "}", "<style>": "</style>", "legend": "end", "header": "end", "footer": "end", "title": "end"}


def plantuml_lines(text: str) -> Iterator[tuple[int, str]]:
    """Yield the lines that draw something and their numbers, without indentation. A title begins with `title `."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if "/'" in text:
        text = _BLOCK_COMMENT.sub(lambda match: "\n" * match[0].count("\n"), text)
    end = ""
    depth = 0
    lines = text.split("\n")
    # Text before the first mark is no part of the diagram, such as a license.
    first = next((number for number, line in enumerate(lines, 1) if _MARK.match(line.lstrip()) is not None), 0)
    before = ""
    for number, line in enumerate(lines[first:], first + 1):
        stripped = before + line.strip()
        before = ""
        if end:
            if stripped.lower().startswith(end):
                end = ""
            continue
        if not stripped or stripped.startswith("'") or _MARK.match(stripped) is not None:
            continue
        if stripped.endswith("\\") and not stripped.endswith("\\\\") and len(stripped) < _MAX_CONTINUED:
            before = stripped[:-1]
            continue
        long = _LONG_APPEARANCE.match(stripped) if not depth or _INNER_APPEARANCE.match(stripped) is not None else None
        if long is not None and (not stripped.startswith("skinparam") or stripped.endswith("{")):
            word = long[1].split()[0]
            end = _LONG_ENDS.get(word, "!end")
            continue
        if (_INNER_APPEARANCE if depth else _APPEARANCE).match(stripped) is None:
            depth = max(depth + stripped.endswith("{") - stripped.startswith("}"), 0)
            yield number, stripped


def title_of(line: str) -> str | None:
    """Return the title in a line, or None if the line is not a title."""
    match = _TITLE.fullmatch(line)
    return match[1].strip().strip('"') if match is not None else None
