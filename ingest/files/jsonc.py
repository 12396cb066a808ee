"""Parse JSON in configuration files, with comments, trailing commas and a byte order mark."""

from __future__ import annotations

import json
import re

from ...schema.blank_text import blank
from ...schema.records import Problem

_COMMENT_OR_STRING = re.compile(r'"(?:\\.|[^"\\\n])*"|//[^\n]*|/\*.*?(?:\*/|\Z)', re.DOTALL)
_TRAILING_COMMA_OR_STRING = re.compile(r'"(?:\\.|[^"\\\n])*"|,(?=\s*[}\]])')


def parse_object(content: bytes) -> tuple[dict[str, object], Problem | None]:
    """Parse the object in a file.

    For a broken file or another value, the result is `{}` and a problem with its line.
    """
    text = content.decode("utf-8-sig", "replace")
    plain = _TRAILING_COMMA_OR_STRING.sub(_drop_comma, _COMMENT_OR_STRING.sub(_blank_comment, text))
    try:
        value = json.loads(plain, strict=False)
    except json.JSONDecodeError as error:
        return {}, Problem(error.lineno, f"not valid JSON: {error.msg}")
    except (RecursionError, ValueError) as error:
        # The nesting exceeds the decoder's depth, or a number has many thousand digits.
        return {}, Problem(1, f"not readable JSON: {error}")
    if not isinstance(value, dict):
        return {}, Problem(1, "not a JSON object")
    return value, None


def _blank_comment(match: re.Match[str]) -> str:
    """Replace a comment by spaces, but keep newlines, so that the line of an error is the line in the file."""
    found = match[0]
    return found if found[0] == '"' else blank(found)


def _drop_comma(match: re.Match[str]) -> str:
    return "" if match[0] == "," else match[0]


def text_value(holder: dict[str, object], key: str) -> str | None:
    """Return the string under `key`, or None for a missing key or another value."""
    value = holder.get(key)
    return value if isinstance(value, str) else None


def text_list(value: object) -> list[str]:
    """Return the strings of a list, or `[]` for another value."""
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []


def object_value(holder: dict[str, object], key: str) -> dict[str, object]:
    """Return the object under `key`, or `{}` for a missing key or another value."""
    value = holder.get(key)
    return value if isinstance(value, dict) else {}
