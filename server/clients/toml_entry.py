"""Add a table to a TOML text, or remove it. All other characters stay unchanged.

Both operations compare the values of the text before and after: only the table may differ.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping

_HEADER = re.compile(r"[ \t]*\[")


class InvalidToml(Exception):
    """The text is not TOML, or its form does not allow adding or removing the table. The message gives the reason."""


def added_table(text: str, section: str, name: str, entry: Mapping[str, object]) -> str:
    """Return the text with the table `[section.name]` at its end. A text with the table stays unchanged. Raises InvalidToml."""
    before = _read(text)
    if table_of(text, section, name) is not None:
        return text
    end = "\r\n" if "\r\n" in text else "\n"
    block = end.join([f"[{section}.{name}]", *(f"{key} = {json.dumps(value)}" for key, value in entry.items())])
    if not text:
        after = block + end
    elif text.endswith("\n"):
        after = text + end + block + end
    else:
        after = text + end + end + block  # the extra line end indicates for a removal that the text had no final line end
    expected = dict(before)
    others = before.get(section, {})
    expected[section] = {**others, name: dict(entry)} if isinstance(others, dict) else None
    if not _reads_as(after, expected):
        raise InvalidToml(f"'{section}' is not written as tables of their own, so that no table can be added to it")
    return after


def table_of(text: str, section: str, name: str) -> object:
    """Return the value of `section.name`; None if there is none. Raises InvalidToml."""
    others = _read(text).get(section)
    return others.get(name) if isinstance(others, dict) else None


def removed_table(text: str, section: str, name: str) -> str:
    """Return the text without the table `[section.name]` and the tables in it. Raises InvalidToml."""
    if table_of(text, section, name) is None:
        return text
    before = _read(text)
    tables = before.pop(section)
    others = {key: value for key, value in tables.items() if key != name} if isinstance(tables, dict) else {}
    expected = {**before, section: others}
    lines = text.splitlines(keepends=True)
    own = re.compile(rf"""[ \t]*\[[ \t]*{re.escape(section)}[ \t]*\.[ \t]*(["']?){re.escape(name)}\1[ \t]*[.\]]""")
    for first, line in enumerate(lines):
        if own.match(line):
            last = _last_line(lines, first, own)
            start = first - 1 if first and not lines[first - 1].strip() else first
            kept = "".join(lines[:start])
            if start and last == len(lines) and not text.endswith("\n"):
                kept = kept.removesuffix("\n").removesuffix("\r")
            after = kept + "".join(lines[last:])
            if _reads_as(after, expected) or (not others and _reads_as(after, before)):
                return after
    raise InvalidToml(f"'{section}.{name}' is not written as a table of its own; remove it by hand")


def _last_line(lines: list[str], first: int, own: re.Pattern[str]) -> int:
    """Return the number of lines up to the end of a table, without the comments and blank lines after it."""
    last = first + 1
    for number in range(first + 1, len(lines)):
        line = lines[number]
        if _HEADER.match(line) and not own.match(line):
            break
        if line.strip() and not line.lstrip().startswith("#"):
            last = number + 1
    return last


def _read(text: str) -> dict[str, object]:
    try:
        return tomllib.loads(text.removeprefix("\ufeff"))
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise InvalidToml(str(error)) from error


def _reads_as(text: str, expected: dict[str, object]) -> bool:
    try:
        return _read(text) == expected
    except InvalidToml:
        return False
