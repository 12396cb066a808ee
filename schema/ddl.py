"""The schema of the graph as data, read from `graph.cypher` and `history.cypher`.

Only these files declare tables and properties.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from importlib.resources import files
from typing import Final

import msgspec

#: Names of the files that declare tables: `graph.cypher` for every graph, and `history.cypher` for the tables of commits,
#: which only a copy of the graph has.
GRAPH: Final = "graph"
HISTORY: Final = "history"
_LEFT_OUT: Final = "\n\nTypes, comments and properties are left out as the budget needs it; a larger budget shows them."
_TABLES_LEFT_OUT: Final = " and other tables; a larger budget shows them with their properties."
_TOKEN = re.compile(r"//[^\n]*|\n[ \t]*(?=\n)|\w+(?:\[\])?|[(),;]")


class Property(msgspec.Struct, frozen=True):
    """A property of a table.

    `type` is a type of the engine: STRING, INT64, INT32 or BOOLEAN, or an array of one of these, such as STRING[].
    """

    name: str
    type: str
    #: The comment above the property in the DDL; "" if there is none.
    comment: str


class Table(msgspec.Struct, frozen=True):
    """A node table or a relationship table."""

    name: str
    #: "node" or "rel".
    kind: str
    comment: str
    properties: tuple[Property, ...]
    #: Name of the primary key; None for a relationship table.
    primary_key: str | None
    #: Pairs of node tables that the relationship table joins; empty for a node table.
    connections: tuple[tuple[str, str], ...]


@cache
def source(name: str = GRAPH) -> str:
    """Return the text of `graph.cypher` or `history.cypher`."""
    return files(__package__).joinpath(f"{name}.cypher").read_text(encoding="utf-8")


@cache
def statements(name: str = GRAPH) -> tuple[str, ...]:
    """Return the statements of the DDL in order, without comments."""
    uncommented = re.sub(r"//[^\n]*", "", source(name))
    return tuple(" ".join(statement.split()) for statement in uncommented.split(";") if statement.strip())


@cache
def tables(name: str = GRAPH) -> dict[str, Table]:
    """Return the tables that `graph.cypher` or `history.cypher` declares, by name, in the order of the file."""
    return {table.name: table for table in _Reader(source(name)).tables()}


@cache
def all_tables() -> dict[str, Table]:
    """Return the tables of the graph and of the history by name."""
    return {**tables(), **tables(HISTORY)}


@cache
def schema_text() -> str:
    """Return a short form of the schema for authors of Cypher."""
    return _schema(_node_text, _rel_text)


def schema_within(characters: int) -> str:
    """Return the most detailed form of the schema whose JSON has at most `characters` characters: with comments, without
    comments, or only the names of the tables.
    """
    for text in (schema_text(), _schema(_node_line, _rel_line), _schema(_name_text, _name_text)):
        note = "" if text is schema_text() else _LEFT_OUT
        if _json_length(text) + _json_length(note) <= characters:
            return text + note
    names, room = list[str](), characters - _json_length(_TABLES_LEFT_OUT)
    for name in all_tables():
        room -= len(name) + 2
        if room < 0:
            break
        names.append(name)
    return f"{', '.join(names)}{_TABLES_LEFT_OUT}"


def _json_length(text: str) -> int:
    return len(msgspec.json.encode(text))


def _schema(node_text: Callable[[Table], str], rel_text: Callable[[Table], str]) -> str:
    known = all_tables().values()
    lines = ["Node tables (the primary key is marked *):"]
    lines += [node_text(table) for table in known if table.kind == "node"]
    lines += ["", "Relationship tables:"]
    lines += [rel_text(table) for table in known if table.kind == "rel"]
    return "\n".join(lines)


def _node_line(table: Table) -> str:
    names = (f"{prop.name}{'*' if prop.name == table.primary_key else ''}" for prop in table.properties)
    return f"{table.name}: {', '.join(names)}"


def _rel_line(table: Table) -> str:
    ends = ", ".join(f"({start})->({end})" for start, end in table.connections)
    names = ", ".join(prop.name for prop in table.properties)
    return f"{table.name} {ends}{': ' if names else ''}{names}"


def _name_text(table: Table) -> str:
    return table.name


def _node_text(table: Table) -> str:
    properties = (_property_text(p, "*" if p.name == table.primary_key else "") for p in table.properties)
    return f"{table.name} - {table.comment}\n  " + "\n  ".join(properties)


def _rel_text(table: Table) -> str:
    ends = ", ".join(f"({start})->({end})" for start, end in table.connections)
    return "\n  ".join([f"{table.name} {ends} - {table.comment}", *(_property_text(p, "") for p in table.properties)])


def _property_text(prop: Property, mark: str) -> str:
    return f"{prop.name}{mark} {prop.type}" + (f": {prop.comment}" if prop.comment else "")


class _Reader:
    """Reads the part of Cypher's DDL that `graph.cypher` uses."""

    def __init__(self, text: str) -> None:
        self._tokens = _TOKEN.findall(text)
        self._next = 0
        self._comment: list[str] = []

    def tables(self) -> Iterator[Table]:
        shared = ""
        while (token := self._word()) is not None:
            # A comment describes all tables up to the next blank line.
            shared = self._take_comment() or (shared if self._follows_directly() else "")
            self._require(token, "CREATE")
            yield self._table(shared)

    def _table(self, comment: str) -> Table:
        kind = self._read().lower()
        self._require(self._read(), "TABLE")
        name = self._read()
        self._require(self._read(), "(")
        properties: list[Property] = []
        connections: list[tuple[str, str]] = []
        primary_key = None
        separator = ","
        while separator == ",":
            word = self._read()
            if word == "FROM":
                start, _, end = self._read(), self._read(), self._read()
                connections.append((start, end))
            elif word == "PRIMARY":
                _, _, primary_key, _ = self._read(), self._read(), self._read(), self._read()
            else:
                documented = self._take_comment()
                properties.append(Property(word, self._read(), documented))
            separator = self._read()
        self._require(separator, ")")
        self._require(self._read(), ";")
        return Table(name, kind, comment, tuple(properties), primary_key, tuple(connections))

    def _word(self) -> str | None:
        """Return the next token that is not a comment or a blank line, and keep the comment directly above it."""
        while self._next < len(self._tokens):
            token = self._tokens[self._next]
            self._next += 1
            if token.startswith("//"):
                self._comment.append(token[2:].strip())
            elif token.startswith("\n"):
                self._comment.clear()
            else:
                return str(token)
        return None

    def _follows_directly(self) -> bool:
        """Return whether no blank line precedes the current token."""
        return self._next >= 2 and self._tokens[self._next - 2] == ";"

    def _read(self) -> str:
        token = self._word()
        if token is None:
            raise ValueError("graph.cypher ends inside a statement")
        return token

    def _take_comment(self) -> str:
        text = " ".join(self._comment)
        self._comment.clear()
        return text

    def _require(self, token: str, wanted: str) -> None:
        if token != wanted:
            raise ValueError(f"graph.cypher: expected {wanted!r}, found {token!r}")
