"""The syntax of Prisma schemas: https://www.prisma.io/docs/orm/reference/prisma-schema-reference.

A file has blocks, a block has lines, and a line is a field, a value of an enum, a setting or an attribute of the block. An
unreadable line is reported as a problem, and the other lines are read.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from ....schema.records import Problem
from ...contracts.declarations import ContractSyntaxError
from ...contracts.tokens import Token, TokenReader, pattern_of_tokens, tokens_of

_TOKENS: Final = pattern_of_tokens(r"//[^\n]*|/\*(?:[^*]|\*(?!/))*(?:\*/|\Z)")
_BLOCKS: Final = frozenset(("model", "view", "enum", "type", "datasource", "generator"))
#: Maximum depth of nested lists and calls.
_MAX_DEPTH: Final = 32


class Value(NamedTuple):
    """A value: `name`, `text` for a quoted text, `list`, or `call` with its arguments."""

    kind: str
    text: str
    items: tuple[Argument, ...] = ()


class Argument(NamedTuple):
    """An argument, or an item of a list. The name is "" for an argument without a name."""

    name: str
    value: Value


class Attribute(NamedTuple):
    """An attribute, without its at signs: `@db.VarChar(80)` is `db.VarChar`."""

    name: str
    arguments: tuple[Argument, ...]

    def argument(self, name: str, place: int = -1) -> Value | None:
        """Return the argument with a name, or else the unnamed argument at a position."""
        for each in self.arguments:
            if each.name == name:
                return each.value
        unnamed = [each.value for each in self.arguments if not each.name]
        return unnamed[place] if 0 <= place < len(unnamed) else None


class Line(NamedTuple):
    """A field, a value of an enum, a setting (`name = value`), or an attribute of the block, with the name ""."""

    name: str
    #: Name of the type; `Unsupported` for a type that Prisma does not know.
    type: str
    is_list: bool
    is_optional: bool
    #: Value of a setting, or the text of an unsupported type.
    value: Value | None
    attributes: tuple[Attribute, ...]
    start: Token
    end: Token
    #: The text of the comments above.
    comment: str


class Block(NamedTuple):
    """A block: its keyword, name and lines."""

    keyword: str
    name: str
    lines: Sequence[Line]
    start: Token
    name_token: Token
    end: Token
    #: First line of the comments above the block, or of the block.
    first_line: int
    comment: str


class PrismaFile(NamedTuple):
    """All blocks of a file, and the unreadable parts of the file."""

    blocks: Sequence[Block]
    problems: Sequence[Problem]


def read_prisma(text: str) -> PrismaFile:
    """Read a schema. An unreadable part is a problem with its line."""
    return _Reading(text).file()


class _Reading:
    def __init__(self, text: str) -> None:
        self._reader = TokenReader(tokens_of(text, _TOKENS))
        self._problems: list[Problem] = []

    def file(self) -> PrismaFile:
        blocks: list[Block] = []
        reader = self._reader
        while not reader.is_done:
            begin = reader.at
            try:
                block = self._block()
            except ContractSyntaxError as error:
                self._problems.append(Problem(error.line, error.reason))
                self._skip_line(begin)
                continue
            if block is not None:
                blocks.append(block)
        return PrismaFile(blocks, self._problems)

    def _block(self) -> Block | None:
        reader = self._reader
        begin = reader.at
        start = reader.expect("name", "a block such as `model`")
        if start.text not in _BLOCKS:
            raise ContractSyntaxError(start.line, f"expected a block such as `model`, but found {start.text[:40]!r}")
        name = reader.expect("name", f"the name of the {start.text}")
        if reader.kind == "=":  # an alias of a type, in the first versions of Prisma
            self._skip_line(begin)
            return None
        reader.expect("{", "`{`")
        lines: list[Line] = []
        while reader.kind != "}":
            if reader.is_done:
                self._problems.append(Problem(start.line, f"`{{` of this {start.text} has no `}}`"))
                break
            at = reader.at
            try:
                lines.append(self._line(start.text))
            except ContractSyntaxError as error:
                self._problems.append(Problem(error.line, error.reason))
                self._skip_line(at)
        reader.take("}")
        comments = reader.comments_above(begin)
        first = comments[0].line if comments else start.line
        return Block(start.text, name.text, lines, start, name, reader.last or name, first, _comment(comments))

    def _skip_line(self, begin: int) -> None:
        """Move past the line of a token, but not past the end of a block."""
        reader = self._reader
        line = reader.token(begin).line
        while not reader.is_done and (reader.at <= begin or reader.line == line):
            if reader.kind == "}" and reader.at > begin:
                return
            reader.drop()

    def _line(self, keyword: str) -> Line:
        reader = self._reader
        begin = reader.at
        start = reader.token(begin)
        kind, name, is_list, is_optional = "", "", False, False
        value: Value | None = None
        if reader.kind != "@":
            name = reader.expect("name", "a field or an attribute").text
            if reader.take("="):
                value = self._value(0)
            elif keyword in ("model", "view", "type"):
                kind, value = self._type()
                if reader.take("["):
                    reader.expect("]", "`]`")
                    is_list = True
                is_optional = reader.take("?")
                reader.take("!")
        attributes: list[Attribute] = []
        while reader.kind == "@" and (reader.at == begin or reader.line == self._last_line()):
            attributes.append(self._attribute())
        if not reader.is_done and reader.kind != "}" and reader.line == self._last_line():
            raise ContractSyntaxError(reader.line, f"expected the end of the line, but found {reader.text[:40]!r}")
        comment = _comment(reader.comments_above(begin))
        return Line(name, kind, is_list, is_optional, value, tuple(attributes), start, reader.last or start, comment)

    def _last_line(self) -> int:
        last = self._reader.last
        return last.end_line if last is not None else 0

    def _type(self) -> tuple[str, Value | None]:
        reader = self._reader
        line = self._last_line()
        if reader.line != line:
            raise ContractSyntaxError(line, "the field has no type")
        name = reader.expect("name", "the type of the field").text
        if name == "Unsupported" and reader.take("("):
            written = reader.expect("text", "the type in quotes").text
            reader.expect(")", "`)`")
            return name, Value("text", written)
        return name, None

    def _attribute(self) -> Attribute:
        reader = self._reader
        reader.expect("@", "`@`")
        reader.take("@")
        name = reader.expect("name", "the name of the attribute").text
        return Attribute(name, self._arguments(")", 0) if reader.take("(") else ())

    def _arguments(self, closing: str, depth: int) -> tuple[Argument, ...]:
        reader = self._reader
        opened = self._last_line()
        found: list[Argument] = []
        while not reader.take(closing):
            if reader.is_done or reader.kind in ("}", "@"):
                raise ContractSyntaxError(opened, f"a bracket of this line has no `{closing}`")
            value = self._value(depth)
            if value.kind == "name" and reader.take(":"):
                found.append(Argument(value.text, self._value(depth)))
            else:
                found.append(Argument("", value))
        return tuple(found)

    def _value(self, depth: int) -> Value:
        reader = self._reader
        if depth > _MAX_DEPTH:
            raise ContractSyntaxError(reader.line, f"values are nested more than {_MAX_DEPTH} times")
        if reader.take("["):
            return Value("list", "", self._arguments("]", depth + 1))
        if reader.kind == "text":
            return Value("text", reader.next().text)
        if reader.take("{"):
            return Value("list", "", self._arguments("}", depth + 1))
        name = reader.expect("name", "a value").text
        return Value("call", name, self._arguments(")", depth + 1)) if reader.take("(") else Value("name", name)


def _comment(comments: Sequence[Token]) -> str:
    return "\n".join(comment.text.strip("/* ") for comment in comments).strip()
