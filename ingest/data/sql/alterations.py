"""Read `ALTER TABLE`. Each action becomes a change."""

from __future__ import annotations

from typing import Final

from ...facts.data import Action, ObjectName, SchemaChange
from .definition import Definition
from .reader import TokenReader
from .table_items import is_constraint, read_column, read_constraint, read_item

_STOPS: Final = frozenset(("USING", "COLLATE"))


def read_alteration(reader: TokenReader, kind: str) -> Definition | None:
    """Read `ALTER TABLE`, `ALTER VIEW` or `ALTER INDEX`, from the token after the keyword of the object."""
    is_conditional = reader.skip("IF", "EXISTS")
    reader.skip("ONLY")
    name_start = reader.token.start
    table = reader.object_name()
    if table is None:
        return None
    reader.skip("*")
    definition = Definition("alteration", table, name_start)
    if reader.skip("WITH"):
        reader.skip_any(("CHECK", "NOCHECK"))
    while reader.has_more:
        place = reader.at
        _read_action(reader, table, kind, definition)
        if reader.at == place:
            reader.at += 1
        reader.skip_item()
        reader.skip(",")
    for change in definition.changes:
        change.is_conditional = change.is_conditional or (is_conditional and change.kind == kind)
    return definition


def _read_action(reader: TokenReader, table: ObjectName, kind: str, definition: Definition) -> None:
    if reader.skip("ADD"):
        _read_addition(reader, table, definition)
    elif reader.skip("DROP"):
        _read_removal(reader, table, definition)
    elif reader.skip("RENAME"):
        _read_renaming(reader, table, kind, definition)
    elif reader.word in ("ALTER", "MODIFY", "CHANGE"):
        _read_column_change(reader, table, definition)
    elif reader.skip("SET", "SCHEMA"):
        schema = reader.name()
        definition.changes.append(_renamed(kind, table, ObjectName(table.name, schema), reader))
    elif reader.skip("ATTACH", "PARTITION"):
        part = reader.object_name()
        if part is not None:
            definition.changes.append(
                SchemaChange(Action.ALTER, "table", part, 0, reader.token.start, target=table, text="partition")
            )
        reader.at = len(reader.tokens)
    elif is_constraint(reader):  # further constraints of one ADD in T-SQL
        read_constraint(reader, table, definition, is_conditional=False)


def _read_addition(reader: TokenReader, table: ObjectName, definition: Definition) -> None:
    is_column = reader.skip("COLUMN")
    is_conditional = reader.skip("IF", "NOT", "EXISTS")
    if not is_column and reader.word == "VALUE":
        return
    if reader.word == "(":  # several columns of MySQL or Oracle
        reader.at += 1
        while reader.has_more and reader.word != ")":
            read_item(reader, table, definition, is_conditional=is_conditional)
            reader.skip_expression(())
            if not reader.skip(","):
                break
        reader.skip(")")
    elif not is_column and is_constraint(reader):
        read_constraint(reader, table, definition, is_conditional=is_conditional)
    elif is_column or reader.token.is_name:
        read_column(reader, table, definition, is_conditional=is_conditional)


def _read_removal(reader: TokenReader, table: ObjectName, definition: Definition) -> None:
    start = reader.token.start
    kind, type_ = "column", ""
    if reader.skip("PRIMARY", "KEY"):
        kind, type_ = "constraint", "primary key"
    elif reader.skip("FOREIGN", "KEY"):
        kind, type_ = "constraint", "foreign key"
    elif reader.skip_any(("CONSTRAINT", "CHECK")):
        kind = "constraint"
    elif reader.skip_any(("INDEX", "KEY")):
        kind = "index"
    else:
        reader.skip("COLUMN")
    is_conditional = reader.skip("IF", "EXISTS")
    name = reader.name() if not (kind == "constraint" and type_ == "primary key") else ""
    if not name and type_ != "primary key":
        return
    is_sweeping = reader.skip_any(("CASCADE", "RESTRICT")) == "CASCADE"
    definition.changes.append(
        SchemaChange(
            Action.DROP,
            kind,
            ObjectName(name),
            0,
            start,
            table=table,
            type=type_,
            is_conditional=is_conditional,
            is_sweeping=is_sweeping,
        )
    )


def _read_renaming(reader: TokenReader, table: ObjectName, kind: str, definition: Definition) -> None:
    start = reader.token.start
    is_last = reader.at + 1 == len(reader.tokens)  # a name in quotes is not a keyword
    if reader.skip_any(("TO", "AS")) or (reader.token.is_name and is_last):
        new = reader.object_name()
        if new is not None:
            definition.changes.append(_renamed(kind, table, ObjectName(new.name, new.schema or table.schema), reader))
        return
    inner = "column"
    if reader.skip("CONSTRAINT"):
        inner = "constraint"
    elif reader.skip_any(("INDEX", "KEY")):
        inner = "index"
    else:
        reader.skip("COLUMN")
    old = reader.name()
    reader.skip("TO")
    token = reader.token
    new_name = reader.name()
    if old and new_name:
        change = SchemaChange(Action.RENAME, inner, ObjectName(old), 0, start, table=table, new_name=ObjectName(new_name))
        change.symbol = definition.member(inner, new_name, start, token.end, token.start)
        definition.changes.append(change)


def _renamed(kind: str, name: ObjectName, new: ObjectName, reader: TokenReader) -> SchemaChange:
    return SchemaChange(Action.RENAME, kind, name, 0, reader.tokens[reader.at - 1].start, new_name=new)


def _read_column_change(reader: TokenReader, table: ObjectName, definition: Definition) -> None:
    verb = reader.skip_any(("ALTER", "MODIFY", "CHANGE"))
    if verb == "ALTER" and reader.skip_any(("CONSTRAINT", "INDEX")):
        return
    reader.skip("COLUMN")
    start = reader.token.start
    old = reader.name()
    if not old:
        return
    if verb == "CHANGE":
        if reader.token.is_name and reader.folded(reader.token).lower() != old.lower():
            new = ObjectName(reader.folded(reader.token))
            definition.changes.append(SchemaChange(Action.RENAME, "column", ObjectName(old), 0, start, table=table, new_name=new))
        _redefined(reader, table, definition)
        return
    if verb == "MODIFY" or (reader.token.is_name and reader.word not in ("TYPE", "SET", "DROP", "ADD", "RESET", "RESTART")):
        reader.at -= 1
        _redefined(reader, table, definition)
        return
    change = SchemaChange(Action.ALTER, "column", ObjectName(old), 0, start, table=table)
    reader.skip("SET", "DATA")
    if reader.skip("TYPE"):
        change.type = reader.source(*reader.skip_expression(_STOPS))
    elif reader.skip("SET", "NOT", "NULL"):
        change.nullable = False
    elif reader.skip("DROP", "NOT", "NULL"):
        change.nullable = True
    elif reader.skip("SET", "DEFAULT"):
        change.default = reader.source(*reader.skip_expression(()))
    elif reader.skip("DROP", "DEFAULT"):
        change.default = ""
    elif reader.skip("ADD", "GENERATED"):
        change.text = "identity"
    definition.changes.append(change)


def _redefined(reader: TokenReader, table: ObjectName, definition: Definition) -> None:
    """Read a column with its new type, for a change of an existing column."""
    before = len(definition.changes)
    read_column(reader, table, definition, is_conditional=False)
    for change in definition.changes[before:]:
        if change.kind == "column":
            change.action, change.symbol = Action.ALTER, 0
            definition.members.pop()
            change.nullable = True if change.nullable is None else change.nullable
