"""Read the columns and constraints of tables, in `CREATE TABLE` and `ALTER TABLE`."""

from __future__ import annotations

from typing import Final

from ...facts.data import Action, ObjectName, SchemaChange
from .definition import Definition
from .reader import TokenReader
from .tokens import Kind, Token

#: Words that end the type or the default of a column.
ATTRIBUTES: Final = frozenset(
    (
        "NOT", "NULL", "DEFAULT", "PRIMARY", "UNIQUE", "REFERENCES", "CHECK", "CONSTRAINT", "COLLATE", "GENERATED",
        "AUTO_INCREMENT", "AUTOINCREMENT", "COMMENT", "ON", "IDENTITY", "AS", "STORAGE", "COMPRESSION", "KEY", "FIRST",
        "AFTER", "VIRTUAL", "STORED", "ENCODE", "USING", "ROWGUIDCOL", "SPARSE", "DEFERRABLE", "INITIALLY", "INVISIBLE",
        "OPTIONS", "POLICY", "CHARSET", "ENABLE", "DISABLE", "MASKING",
    )
)  # fmt: skip
#: Words that begin a constraint or an index in the list of a table.
_CONSTRAINTS: Final = frozenset(
    ("CONSTRAINT", "PRIMARY", "UNIQUE", "FOREIGN", "CHECK", "EXCLUDE", "KEY", "INDEX", "FULLTEXT", "SPATIAL", "PERIOD")
)
_RULES: Final = frozenset(("CASCADE", "RESTRICT"))
_TIMING: Final = frozenset(("DEFERRABLE", "INITIALLY", "NOT", "ENFORCED", "VALID", "IMMEDIATE", "DEFERRED"))


def read_items(reader: TokenReader, table: ObjectName, definition: Definition) -> None:
    """Read the list in parentheses of `CREATE TABLE`."""
    reader.skip("(")
    while reader.has_more and reader.word != ")":
        is_list_of_constraints = is_constraint(reader)
        read_item(reader, table, definition, is_conditional=False)
        if is_list_of_constraints and is_constraint(reader):
            continue  # SQLite admits constraints without commas between them
        reader.skip_listed()
    reader.skip(")")


def read_item(reader: TokenReader, table: ObjectName, definition: Definition, *, is_conditional: bool) -> None:
    """Read a column or a constraint."""
    if is_constraint(reader):
        read_constraint(reader, table, definition, is_conditional=is_conditional)
    elif reader.word == "LIKE":
        reader.at += 1
        source = reader.object_name()
        start = reader.at
        reader.skip_expression(())
        if source is not None:
            definition.changes.append(
                SchemaChange(
                    Action.ALTER,
                    "table",
                    table,
                    0,
                    reader.token.start,
                    target=source,
                    text="like " + reader.source(start, reader.at),
                )
            )
    else:
        read_column(reader, table, definition, is_conditional=is_conditional)


def is_constraint(reader: TokenReader) -> bool:
    """Return whether a constraint or an index is next, not a column with the name of a keyword."""
    word = reader.word
    if word not in _CONSTRAINTS:
        return False
    if word in ("KEY", "INDEX"):
        after = reader.peek(2)
        return reader.peek(1) == "(" or after == "USING" or (after == "(" and not _is_number(reader, 3))
    if word in ("PRIMARY", "FOREIGN"):
        return reader.peek(1) == "KEY"
    if word in ("FULLTEXT", "SPATIAL"):
        return reader.peek(1) in ("KEY", "INDEX", "(") or reader.peek(2) == "("
    if word == "PERIOD":
        return reader.peek(1) == "FOR"
    return word in ("CONSTRAINT", "UNIQUE", "CHECK", "EXCLUDE")


def _is_number(reader: TokenReader, ahead: int) -> bool:
    """Return whether a number is next after some tokens, such as the length of a type: `key varchar(512)`."""
    place = reader.at + ahead
    return place < len(reader.tokens) and reader.tokens[place].kind == Kind.NUMBER


def read_column(reader: TokenReader, table: ObjectName, definition: Definition, *, is_conditional: bool) -> None:
    """Read a column with its type and its constraints."""
    token = reader.token
    name = reader.name()
    if not name:
        reader.skip_item()
        return
    type_start, type_end = _skip_type(reader)
    change = SchemaChange(
        Action.CREATE,
        "column",
        ObjectName(name),
        0,
        token.start,
        table=table,
        type=reader.source(type_start, type_end),
        is_conditional=is_conditional,
    )
    definition.changes.append(change)
    _read_attributes(reader, table, change, definition)
    end = reader.tokens[reader.at - 1].end
    change.symbol = definition.member("column", name, token.start, end, token.start)


def _skip_type(reader: TokenReader) -> tuple[int, int]:
    start = reader.at
    while reader.has_more:
        word = reader.word
        if word in (",", ")") or (word in ATTRIBUTES and not (word == "CHARSET" and reader.at == start)):
            break
        if word == "CHARACTER" and reader.peek(1) == "SET":
            break
        if word in ("(", "["):
            reader.skip_group()
        else:
            reader.at += 1
    return start, reader.at


def _read_attributes(reader: TokenReader, table: ObjectName, change: SchemaChange, definition: Definition) -> None:
    """Read the attributes after the type of a column. Each constraint of a column becomes a separate change."""
    named = ""
    while reader.has_more and reader.word not in (",", ")"):
        token = reader.token
        if reader.skip("CONSTRAINT"):
            named = reader.name()
            continue
        if reader.skip("NOT", "NULL"):
            change.nullable = False
        elif reader.skip("NULL"):
            change.nullable = True
        elif reader.skip("DEFAULT"):
            change.default = reader.source(*reader.skip_expression(ATTRIBUTES))
        elif reader.skip("PRIMARY", "KEY"):
            reader.skip_any(("ASC", "DESC", "CLUSTERED", "NONCLUSTERED"))
            _column_constraint(definition, table, change, named, "primary key", token)
        elif reader.skip("UNIQUE"):
            reader.skip("KEY")
            _column_constraint(definition, table, change, named, "unique", token)
        elif reader.word == "REFERENCES":
            made = _column_constraint(definition, table, change, named, "foreign key", token)
            read_target(reader, made)
        elif reader.skip("CHECK"):
            made = _column_constraint(definition, table, change, named, "check", token)
            made.text = reader.source(*reader.skip_group())
        elif reader.skip("GENERATED"):
            reader.skip_any(("ALWAYS", "BY"))
            if reader.skip("DEFAULT"):
                reader.skip("AS")
            reader.skip("AS")
            if reader.skip("IDENTITY"):
                change.nullable = False
                change.text = "identity"
            else:
                change.text = "generated"
            if reader.word == "(":
                reader.skip_group()
        elif reader.skip("COMMENT"):
            reader.at += 1
        else:
            if reader.word == "IDENTITY":
                change.text = "identity"
            if reader.word == "(":
                reader.skip_group()
            else:
                reader.at += 1
            continue
        named = ""


def _column_constraint(
    definition: Definition, table: ObjectName, column: SchemaChange, name: str, type_: str, token: Token
) -> SchemaChange:
    change = SchemaChange(
        Action.CREATE,
        "constraint",
        ObjectName(name),
        0,
        token.start,
        table=table,
        type=type_,
        columns=[column.name.name],
        is_conditional=column.is_conditional,
    )
    definition.changes.append(change)
    return change


def read_target(reader: TokenReader, change: SchemaChange) -> None:
    """Read `REFERENCES table (columns)` and its rules."""
    reader.skip("REFERENCES")
    change.target = reader.object_name()
    change.target_columns = reader.columns()
    while reader.has_more:
        if reader.word == "ON" and reader.peek(1) in ("DELETE", "UPDATE"):
            is_delete = reader.peek(1) == "DELETE"
            reader.at += 2
            rule = reader.skip_any(_RULES)
            if not rule and reader.skip("SET"):
                rule = "SET " + reader.skip_any(("NULL", "DEFAULT"))
                if reader.word == "(":
                    reader.skip_group()
            if not rule and reader.skip("NO", "ACTION"):
                rule = "NO ACTION"
            if is_delete:
                change.on_delete = rule
            else:
                change.on_update = rule
        elif reader.skip("MATCH"):
            reader.at += 1
        elif (reader.word == "NOT" and reader.peek(1) == "NULL") or not reader.skip_any(_TIMING):
            return


def read_constraint(reader: TokenReader, table: ObjectName, definition: Definition, *, is_conditional: bool) -> None:
    """Read a constraint or an index of a table."""
    first, name = reader.token, ""
    name_start = first.start
    if reader.skip("CONSTRAINT"):
        name_start = reader.token.start
        # MySQL allows a constraint without name here.
        name = reader.name() if not is_constraint(reader) or reader.peek(1) in _CONSTRAINTS else ""
    change = SchemaChange(
        Action.CREATE, "constraint", ObjectName(name), 0, first.start, table=table, is_conditional=is_conditional
    )
    if reader.skip("PRIMARY", "KEY"):
        change.type = "primary key"
        reader.skip_any(("CLUSTERED", "NONCLUSTERED"))
        _read_key_columns(reader, change)
    elif reader.skip("FOREIGN", "KEY"):
        change.type = "foreign key"
        if reader.word != "(":
            reader.name()
        change.columns = reader.columns()
        if reader.word == "REFERENCES":
            read_target(reader, change)
    elif reader.skip("CHECK"):
        change.type = "check"
        change.text = reader.source(*reader.skip_group())
    elif reader.skip("EXCLUDE"):
        change.type = "exclude"
        if reader.skip("USING"):
            reader.at += 1
        if reader.word == "(":
            reader.skip_group()
    elif reader.skip("UNIQUE"):
        change.type, change.is_unique = "unique", True
        reader.skip_any(("KEY", "INDEX", "CLUSTERED", "NONCLUSTERED"))
        reader.skip("NULLS", "NOT", "DISTINCT")
        if reader.token.is_name and reader.word not in ("USING", "("):
            name_start, name = reader.token.start, reader.name()
        _read_key_columns(reader, change)
    elif reader.skip("PERIOD"):
        reader.skip_item()
        return
    else:
        reader.skip_any(("FULLTEXT", "SPATIAL"))
        reader.skip_any(("KEY", "INDEX"))
        change.kind = "index"
        if reader.token.is_name and reader.word != "USING":
            name_start, name = reader.token.start, reader.name()
        _read_key_columns(reader, change)
    while reader.has_more and reader.word not in (",", ")") and not is_constraint(reader):
        if reader.word == "(":
            reader.skip_group()
        else:
            reader.at += 1
    change.name = ObjectName(name)
    if name:
        end = reader.tokens[reader.at - 1].end
        change.symbol = definition.member(change.kind, name, first.start, end, name_start)
    definition.changes.append(change)


def _read_key_columns(reader: TokenReader, change: SchemaChange) -> None:
    """Read the columns of a key, or the index that the key adopts."""
    if reader.skip("USING", "INDEX"):
        change.new_name = ObjectName(reader.name())
        return
    if reader.skip("USING"):
        reader.at += 1
    change.columns = reader.columns()
