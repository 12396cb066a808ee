"""Read the statements that define and change the schema of a database: CREATE, ALTER, DROP, RENAME, COMMENT ON.

The reader follows the tokens and accepts the forms of several dialects, so no dialect must be selected. The reader skips only
unknown parts of a statement.
"""

from __future__ import annotations

import re
from typing import Final

from ...facts.data import Action, ObjectName, SchemaChange
from .alterations import read_alteration
from .definition import Definition
from .reader import TokenReader
from .table_items import read_items
from .tokens import Kind, string_value

#: Words between CREATE and the kind of the object.
_ADJECTIVES: Final = frozenset(
    (
        "GLOBAL", "LOCAL", "TEMP", "TEMPORARY", "UNLOGGED", "EXTERNAL", "TRANSIENT", "DYNAMIC", "COLUMN", "FOREIGN",
        "VIRTUAL", "UNIQUE", "RECURSIVE", "MATERIALIZED", "CONSTRAINT", "CLUSTERED", "NONCLUSTERED", "FULLTEXT",
        "SPATIAL", "BITMAP", "FORCE", "EDITIONABLE", "NONEDITIONABLE", "ALGORITHM", "SECURE", "AGGREGATE",
        "HYBRID", "ICEBERG",
    )
)  # fmt: skip
_KINDS: Final = {
    "TABLE": "table",
    "VIEW": "view",
    "INDEX": "index",
    "TYPE": "enum",
    "SEQUENCE": "sequence",
    "TRIGGER": "trigger",
    "FUNCTION": "procedure",
    "PROCEDURE": "procedure",
    "PROC": "procedure",
    "AGGREGATE": "procedure",
    "EVENT": "procedure",
    "TASK": "procedure",
    "MACRO": "procedure",
    "SCHEMA": "schema",
    "DOMAIN": "enum",
    "CONSTRAINT": "constraint",
    "COLUMN": "column",
}
#: Kinds of symbols; an enum or a domain is a type.
SYMBOL_KINDS: Final = frozenset(("table", "view", "index", "enum", "sequence", "trigger", "procedure"))
_TEMPORARY: Final = frozenset(("TEMP", "TEMPORARY"))
#: Maximum number of characters in which the end of a statement inside a block is searched.
_MAX_INNER: Final = 20_000
#: A statement inside a block of a procedural language that changes the schema.
_INNER: Final = re.compile(r"\b(?:CREATE|ALTER|DROP)\s+(?:TABLE|TYPE|UNIQUE|INDEX|SEQUENCE|VIEW|MATERIALIZED)\b", re.IGNORECASE)


def read_definition(reader: TokenReader) -> Definition | None:
    """Read a statement; None if the statement defines and changes nothing, or has no name."""
    word = reader.word
    reader.at += 1
    if word == "CREATE":
        return _read_creation(reader)
    if word == "ALTER":
        return _read_change(reader)
    if word == "DROP":
        return _read_removal(reader)
    if word == "COMMENT" and reader.skip("ON"):
        return _read_comment(reader)
    if word == "RENAME" and reader.skip("TABLE"):
        return _read_renaming(reader)
    if word in ("EXEC", "EXECUTE") and reader.skip_any(("SP_RENAME",)):
        return _read_sp_rename(reader)
    return None


# -------------------------------------------------------------------- CREATE


def _read_creation(reader: TokenReader) -> Definition | None:
    start = reader.tokens[reader.at - 1].start
    replaces = reader.skip("OR", "REPLACE") or reader.skip("OR", "ALTER")
    adjectives: set[str] = set()
    while adjective := reader.skip_any(_ADJECTIVES):
        adjectives.add(adjective)
        if adjective == "ALGORITHM":
            reader.at += 2
    if reader.word in ("DEFINER", "SQL"):
        while reader.has_more and reader.word not in _KINDS:
            reader.at += 1
    if reader.word == "EVENT" and reader.peek(1) == "TRIGGER":
        reader.at += 1
    word = reader.word
    kind = _KINDS.get(word)
    if kind is None:
        return None
    reader.at += 1
    reader.skip("CONCURRENTLY")
    is_conditional = reader.skip("IF", "NOT", "EXISTS")
    if kind == "schema":
        name_start = reader.token.start
        schema = reader.name()
        definition = Definition("expression", ObjectName(schema), name_start)
        definition.changes.append(SchemaChange(Action.CREATE, "schema", ObjectName(schema), 0, start))
        return definition if schema else None
    if kind == "index":
        return _read_index(reader, start, is_conditional=is_conditional, is_unique="UNIQUE" in adjectives)
    name_start = reader.token.start
    name = reader.object_name()
    if name is None or kind not in SYMBOL_KINDS:
        return None
    definition = Definition(kind, name, name_start)
    change = SchemaChange(Action.CREATE, kind, name, 0, start, is_conditional=is_conditional, is_sweeping=replaces)
    if adjectives & _TEMPORARY or name.name.startswith("#"):
        change.text = "temporary"
    definition.changes.append(change)
    if kind == "table":
        _read_table(reader, definition, change)
    elif kind == "view":
        change.is_unique = "MATERIALIZED" in adjectives
        change.columns = reader.columns() if reader.word == "(" else []
        _read_view(reader, definition)
    elif kind == "trigger":
        _read_trigger(reader, definition, change)
    elif kind == "procedure":
        _read_routine(reader, definition)
    elif kind == "enum":
        if reader.skip("AS", "ENUM") or reader.skip("AS", "TABLE"):
            change.type = "enum"
            start_at, end_at = reader.skip_group()
            change.columns = [string_value(each) for each in reader.tokens[start_at:end_at] if each.kind == Kind.STRING]
        else:
            change.type = "domain" if word == "DOMAIN" else "type"
            reader.skip("AS")
            change.text = reader.source(reader.at, len(reader.tokens))[:200]
    return definition


def _read_table(reader: TokenReader, definition: Definition, change: SchemaChange) -> None:
    table = definition.name
    if reader.skip("PARTITION", "OF"):
        change.target, change.text = reader.object_name(), "partition"
        if reader.word == "(":
            reader.skip_group()
    elif reader.skip("LIKE"):
        change.target, change.text = reader.object_name(), "like including all"
    elif reader.skip("OF"):
        reader.object_name()
    if reader.word == "(" and change.target is None and reader.peek(1) not in ("SELECT", "WITH"):
        read_items(reader, table, definition)
        for each in definition.changes[1:]:
            each.of_creation = True
    elif reader.word == "USING" and reader.peek(2) == "(":
        reader.at += 3
        _read_virtual_columns(reader, definition)
    while reader.has_more:
        if reader.skip("INHERITS"):
            start, _ = reader.skip_group()
            after, reader.at = reader.at, start
            change.target, change.text = reader.object_name(), "inherits"
            reader.at = after
        elif reader.word in ("SELECT", "WITH", "(") and reader.peek(-1) == "AS":
            definition.query = (reader.at, len(reader.tokens))
            change.text = change.text or "select"
            return
        elif reader.word == "PARTITION" and reader.peek(1) == "BY" and not change.text:
            change.text = "partitioned"
            reader.at += 2
        elif reader.word == "(":
            reader.skip_group()
        else:
            reader.at += 1


def _read_virtual_columns(reader: TokenReader, definition: Definition) -> None:
    """Read the columns of a virtual table of SQLite, such as `fts5(title, body, content=pages)`, without its options."""
    while reader.has_more and reader.word != ")":
        token = reader.token
        name = reader.name()
        if name and reader.word != "=":
            column = SchemaChange(
                Action.CREATE, "column", ObjectName(name), 0, token.start, table=definition.name, of_creation=True
            )
            column.symbol = definition.member("column", name, token.start, token.end, token.start)
            definition.changes.append(column)
        reader.skip_listed()
    reader.skip(")")


def _read_view(reader: TokenReader, definition: Definition) -> None:
    while reader.has_more and not reader.skip("AS"):
        if reader.word == "(":
            reader.skip_group()
        else:
            reader.at += 1
    if reader.has_more:
        definition.query = (reader.at, len(reader.tokens))


def _read_trigger(reader: TokenReader, definition: Definition, change: SchemaChange) -> None:
    while reader.has_more and not reader.skip("ON"):
        reader.at += 1
    change.table = reader.object_name()
    definition.query = (reader.at, len(reader.tokens))


def _read_routine(reader: TokenReader, definition: Definition) -> None:
    for token in reader.tokens[reader.at :]:
        if token.kind == Kind.STRING and len(token.text) > 8 and token.text.startswith("$"):
            definition.body = (token.start + token.text.index("$", 1) + 1, string_value(token))
            return
    definition.query = (reader.at, len(reader.tokens))


def _read_index(reader: TokenReader, start: int, *, is_conditional: bool, is_unique: bool) -> Definition | None:
    name_start = reader.token.start
    name = reader.object_name() if reader.word != "ON" else ObjectName("")
    if reader.skip("USING"):
        reader.name()  # MySQL admits the kind of the index here, too
    if name is None or not reader.skip("ON"):
        return None
    reader.skip("ONLY")
    table_start = reader.token.start
    table = reader.object_name()
    if table is None:
        return None
    change = SchemaChange(Action.CREATE, "index", name, 0, start, table=table, is_unique=is_unique, is_conditional=is_conditional)
    if reader.skip("USING"):
        change.type = reader.name()
    change.columns = reader.columns()
    if reader.skip("INCLUDE"):
        reader.skip_group()
    if reader.skip("WHERE"):
        change.text = reader.source(reader.at, len(reader.tokens))
    definition = Definition("index", name if name.name else table, name_start if name.name else table_start)
    definition.changes.append(change)
    return definition


# -------------------------------------------------------------------- ALTER, DROP and others


def _read_change(reader: TokenReader) -> Definition | None:
    while reader.skip_any(_ADJECTIVES):
        pass
    word = reader.word
    reader.at += 1
    kind = _KINDS.get(word, "")
    if kind in ("table", "view", "index", "sequence"):
        return read_alteration(reader, kind)
    if word != "TYPE":
        return None
    start = reader.token.start
    name = reader.object_name()
    if name is None:
        return None
    definition = Definition("alteration", name, start)
    change = SchemaChange(Action.ALTER, "enum", name, 0, start)
    if reader.skip("ADD", "VALUE"):
        change.is_conditional = reader.skip("IF", "NOT", "EXISTS")
        change.columns = [string_value(reader.token)] if reader.token.kind == Kind.STRING else []
    elif reader.skip("RENAME", "TO"):
        change.action, change.new_name = Action.RENAME, reader.object_name()
    elif reader.skip("SET", "SCHEMA"):
        change.action, change.new_name = Action.RENAME, ObjectName(name.name, reader.name())
    definition.changes.append(change)
    return definition


def _read_removal(reader: TokenReader) -> Definition | None:
    start = reader.tokens[reader.at - 1].start
    while reader.skip_any(_ADJECTIVES):
        pass
    kind = _KINDS.get(reader.word, "")
    if not kind:
        return None
    reader.at += 1
    reader.skip("CONCURRENTLY")
    is_conditional = reader.skip("IF", "EXISTS")
    definition: Definition | None = None
    while reader.has_more:
        name_start = reader.token.start
        name = reader.object_name()
        if name is None:
            break
        if reader.word == "(":
            reader.skip_group()
        change = SchemaChange(Action.DROP, kind, name, 0, start, is_conditional=is_conditional)
        if reader.skip("ON"):
            change.table = reader.object_name()
        definition = definition or Definition("alteration", name, name_start)
        definition.changes.append(change)
        if not reader.skip(","):
            break
    if definition is not None and reader.skip("CASCADE"):
        for change in definition.changes:
            change.is_sweeping = True
    return definition


def _read_comment(reader: TokenReader) -> Definition | None:
    reader.skip("MATERIALIZED")
    kind = _KINDS.get(reader.word, "")
    if not kind:
        return None
    reader.at += 1
    start = reader.token.start
    name = reader.object_name()
    if name is None:
        return None
    change = SchemaChange(Action.ALTER, kind, name, 0, start)
    if kind == "column":
        change.name, change.table = _column_name(reader, start)
    if reader.skip("ON"):
        change.table = reader.object_name()
    if not reader.skip("IS"):
        return None
    is_text = reader.token.kind == Kind.STRING
    change.text = "comment " + (string_value(reader.token) if is_text else "")
    definition = Definition("alteration", change.table or name, start)
    definition.changes.append(change)
    return definition


def _column_name(reader: TokenReader, start: int) -> tuple[ObjectName, ObjectName]:
    parts = [reader.folded(token) for token in reader.tokens[: reader.at] if token.start >= start and token.is_name]
    table = ObjectName(parts[-2], parts[-3] if len(parts) > 2 else "") if len(parts) > 1 else ObjectName("")
    return ObjectName(parts[-1]), table


def _read_renaming(reader: TokenReader) -> Definition | None:
    start = reader.token.start
    definition: Definition | None = None
    while (old := reader.object_name()) is not None and reader.skip("TO"):
        new = reader.object_name()
        if new is None:
            break
        definition = definition or Definition("alteration", old, start)
        definition.changes.append(SchemaChange(Action.RENAME, "table", old, 0, start, new_name=new))
        if not reader.skip(","):
            break
    return definition


def _read_sp_rename(reader: TokenReader) -> Definition | None:
    """Read the procedure of SQL Server that renames a table, or a column given as `table.column`."""
    start = reader.token.start
    texts = [string_value(token) for token in reader.tokens[reader.at :] if token.kind == Kind.STRING]
    if len(texts) < 2:
        return None
    *around, last = texts[0].replace("[", "").replace("]", "").split(".")
    if len(texts) > 2 and texts[2].upper() == "COLUMN" and around:
        table = ObjectName(around[-1], around[-2] if len(around) > 1 else "")
        definition = Definition("alteration", table, start)
        definition.changes.append(
            SchemaChange(Action.RENAME, "column", ObjectName(last), 0, start, table=table, new_name=ObjectName(texts[1]))
        )
        return definition
    old = ObjectName(last, around[-1] if around else "")
    definition = Definition("alteration", old, start)
    definition.changes.append(SchemaChange(Action.RENAME, "table", old, 0, start, new_name=ObjectName(texts[1], old.schema)))
    return definition


def inner_statements(body: str) -> list[str]:
    """Return the statements in a block of a procedural language that change the schema, up to their semicolons."""
    found: list[str] = []
    for match in _INNER.finditer(body):
        end = body.find(";", match.end(), match.end() + _MAX_INNER)
        if end >= 0:
            found.append(body[match.start() : end])
    return found
