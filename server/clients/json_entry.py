"""Add a member to an object of a JSON text, or remove it.

All other characters stay unchanged. A removal must also remove a section that the addition created, but keep a section that was
empty before. Only a created section has a blank after its opening brace; an entry in an empty section follows the brace directly,
as in `{"astrolabe": …}`.
"""

from __future__ import annotations

import json
import re
from typing import NamedTuple

from .json_text import InvalidJson, Value, read_json, skip_trivia

_INDENT = re.compile(r"[ \t]*")


class _Section(NamedTuple):
    """A section that is created with its only member."""

    name: str
    entry: object


def added_entry(text: str, section: str, name: str, entry: object) -> str:
    """Return the text with the member `name` in the object `section` of the root. A text with the member stays unchanged.

    `{"servers": {}}` becomes `{"servers": {"astrolabe": …}}`. Raises InvalidJson if the text is invalid, or if the root or the
    section is not an object.
    """
    root = _object(read_json(text), "the root")
    index = _index(root, section)
    if index is None:
        return _with_member(text, root, root, section, _Section(name, entry))
    found = _object(root.members[index].value, f'"{section}"')
    if _index(found, name) is not None:
        return text
    return _with_member(text, root, found, name, entry)


def entry_of(text: str, section: str, name: str) -> object:
    """Return the value of a member of a section; None if there is none. Raises InvalidJson."""
    root = read_json(text)
    index = _index(root, section)
    if index is None:
        return None
    found = root.members[index].value
    place = _index(found, name)
    return found.members[place].value.data if place is not None else None


def removed_entry(text: str, section: str, name: str) -> str:
    """Return the text without the member, and without its section if the section is then empty.

    Raises InvalidJson.
    """
    root = read_json(text)
    index = _index(root, section)
    if index is None:
        return text
    found = root.members[index].value
    place = _index(found, name)
    if place is None:
        return text
    without = _without_member(text, found, place)
    emptied = read_json(without).members[index].value
    is_made = text[found.start + 1].isspace()
    if emptied.members or without[emptied.start + 1 : emptied.end - 1].strip() or not is_made:
        return without  # the section has other members or a comment, or existed before
    return _without_member(without, read_json(without), index)


def _object(value: Value, what: str) -> Value:
    if not isinstance(value.data, dict):
        raise InvalidJson(f"{what} is not an object in braces")
    return value


def _index(value: Value, key: str) -> int | None:
    """Return the index of the last member with a key. If a key occurs twice, the last member counts."""
    return next((index for index in reversed(range(len(value.members))) if value.members[index].key == key), None)


# ---------------------------------------------------------------------- adding


def _with_member(text: str, root: Value, parent: Value, key: str, data: object) -> str:
    if parent.members:
        return _after_last(text, root, parent, key, data)
    return _as_only(text, root, parent, key, data)


def _after_last(text: str, root: Value, parent: Value, key: str, data: object) -> str:
    last = parent.members[-1]
    comma = skip_trivia(text, last.end)
    has_comma = text.startswith(",", comma)
    if not _begins_line(text, last.start):
        member = _compact(key, data)
        if has_comma:
            return f"{text[: comma + 1]} {member},{text[comma + 1 :]}"
        return f"{text[: last.end]}, {member}{text[last.end :]}"
    lines = _line_end(text) + _indent(text, last.start)
    member = lines + _spread(text, root, _indent(text, last.start), key, data)
    if has_comma:
        place = _end_of_comments(text, comma + 1)
        return f"{text[:place]}{member},{text[place:]}"
    place = _end_of_comments(text, last.end)
    return f"{text[: last.end]},{text[last.end : place]}{member}{text[place:]}"


def _as_only(text: str, root: Value, parent: Value, key: str, data: object) -> str:
    place = _end_of_comments(text, parent.start + 1)
    has_comment = place > parent.start + 1
    is_spread = "\n" in text[place : parent.end] and (parent is root or has_comment)
    blank = _line_end(text) + _indent(text, parent.start) + _unit(text, root) if is_spread else " " if has_comment else ""
    return text[:place] + blank + _compact(key, data) + text[place:]


def _end_of_comments(text: str, place: int) -> int:
    """Return the offset after the comments that begin at an offset; the same offset if there are none."""
    behind = skip_trivia(text, place)
    return place + len(text[place:behind].rstrip(" \t\r\n"))


def _compact(key: str, data: object) -> str:
    """Return a member on one line; a section has blanks inside of its braces."""
    if isinstance(data, _Section):
        return f"{json.dumps(key)}: {{ {_compact(data.name, data.entry)} }}"
    return f"{json.dumps(key)}: {json.dumps(data, ensure_ascii=False)}"


def _spread(text: str, root: Value, indent: str, key: str, data: object) -> str:
    value = {data.name: data.entry} if isinstance(data, _Section) else data
    lines = json.dumps(value, ensure_ascii=False, indent=_unit(text, root)).split("\n")
    return f"{json.dumps(key)}: " + (_line_end(text) + indent).join(lines)


def _unit(text: str, root: Value) -> str:
    """Return the indentation of one level: the indentation of the first member of the root, or two spaces."""
    if root.members and _begins_line(text, root.members[0].start):
        return _indent(text, root.members[0].start).removeprefix(_indent(text, root.start)) or "  "
    return "  "


def _indent(text: str, place: int) -> str:
    match = _INDENT.match(text, text.rfind("\n", 0, place) + 1)
    assert match is not None  # the pattern also matches empty text
    return match[0]


def _begins_line(text: str, place: int) -> bool:
    start = text.rfind("\n", 0, place) + 1
    return start > 0 and not text[start:place].strip(" \t")


def _line_end(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"


# ---------------------------------------------------------------------- removing


def _without_member(text: str, parent: Value, index: int) -> str:
    member = parent.members[index]
    before = parent.members[index - 1].end if index else parent.start + 1
    start = before + len(text[before : member.start].rstrip(" \t\r\n"))
    comma = skip_trivia(text, member.end)
    if text.startswith(",", comma):
        return text[:start] + text[comma + 1 :]
    if not index:
        return text[:start] + text[member.end :]
    previous = skip_trivia(text, before)  # the comma before the removed member
    return text[:previous] + text[previous + 1 : max(start, previous + 1)] + text[member.end :]
