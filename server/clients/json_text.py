"""Read JSON with comments and trailing commas, with the place of each member of an object.

People edit such files by hand, so a program that changes a member must leave everything else unchanged.
"""

from __future__ import annotations

import json
import re
from typing import NamedTuple

#: Maximum depth of nested objects and lists.
MAX_DEPTH = 100

_SPACE = re.compile(r"[ \t\r\n]*")
_LINE_COMMENT = re.compile(r"//[^\r\n]*")
_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\.)*"')
_SCALAR = re.compile(r"true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?")


class InvalidJson(Exception):
    """The text is not JSON with comments and trailing commas. The message contains the place."""


class Member(NamedTuple):
    """A key with its value. Offsets count characters; `end` is the offset after the value."""

    key: str
    start: int
    value: Value
    end: int


class Value(NamedTuple):
    """A value and its place. `members` are the members of an object, in the order of the text."""

    data: object
    start: int
    end: int
    members: tuple[Member, ...] = ()


def read_json(text: str) -> Value:
    """Return the value of a text, which may have comments, trailing commas and a byte order mark. Raises InvalidJson."""
    return _Reader(text).read()


def skip_trivia(text: str, place: int) -> int:
    """Return the offset after the white space and the comments at `place`. Raises InvalidJson if a comment does not end."""
    while True:
        match = _SPACE.match(text, place)
        assert match is not None  # the pattern also matches empty text
        place = match.end()
        if line := _LINE_COMMENT.match(text, place):
            place = line.end()
        elif text.startswith("/*", place):
            end = text.find("*/", place + 2)
            if end < 0:
                raise InvalidJson(f"{_position(text, place)}: a comment does not end")
            place = end + 2
        else:
            return place


class _Reader:
    def __init__(self, text: str) -> None:
        self._text = text
        self._place = 1 if text.startswith("\ufeff") else 0

    def read(self) -> Value:
        self._skip()
        value = self._value(0)
        self._skip()
        if self._place != len(self._text):
            raise self._error("the end of the text was expected")
        return value

    def _value(self, depth: int) -> Value:
        if depth > MAX_DEPTH:
            raise self._error(f"values are nested more than {MAX_DEPTH} deep")
        opening = self._text[self._place : self._place + 1]
        if opening == "{":
            return self._object(depth)
        if opening == "[":
            return self._list(depth)
        start = self._place
        pattern = _STRING if opening == '"' else _SCALAR
        token = self._token(pattern, "a value was expected")
        return Value(self._decoded(token, start), start, self._place)

    def _object(self, depth: int) -> Value:
        start = self._place
        data: dict[str, object] = {}
        members: list[Member] = []
        self._place += 1
        self._skip()
        while not self._takes("}"):
            if members and not self._had_comma:
                raise self._error("',' or '}' was expected")
            key_start = self._place
            key = str(self._decoded(self._token(_STRING, "a name in double quotes was expected"), key_start))
            self._skip()
            if not self._takes(":"):
                raise self._error("':' was expected")
            self._skip()
            value = self._value(depth + 1)
            members.append(Member(key, key_start, value, value.end))
            data[key] = value.data
            self._separator()
        return Value(data, start, self._place, tuple(members))

    def _list(self, depth: int) -> Value:
        start = self._place
        data: list[object] = []
        self._place += 1
        self._skip()
        while not self._takes("]"):
            if data and not self._had_comma:
                raise self._error("',' or ']' was expected")
            data.append(self._value(depth + 1).data)
            self._separator()
        return Value(data, start, self._place)

    def _separator(self) -> None:
        self._skip()
        self._had_comma = self._takes(",")
        self._skip()

    def _token(self, pattern: re.Pattern[str], expectation: str) -> str:
        match = pattern.match(self._text, self._place)
        if match is None:
            raise self._error(expectation)
        self._place = match.end()
        return match[0]

    def _decoded(self, token: str, start: int) -> object:
        try:
            return json.loads(token)
        except ValueError as error:
            raise InvalidJson(f"{_position(self._text, start)}: {error}") from error

    def _takes(self, character: str) -> bool:
        if self._text.startswith(character, self._place):
            self._place += 1
            return True
        return False

    def _skip(self) -> None:
        self._place = skip_trivia(self._text, self._place)

    def _error(self, what: str) -> InvalidJson:
        return InvalidJson(f"{_position(self._text, self._place)}: {what}")


def _position(text: str, place: int) -> str:
    line = text.count("\n", 0, place) + 1
    return f"line {line}, column {place - text.rfind(chr(10), 0, place)}"
