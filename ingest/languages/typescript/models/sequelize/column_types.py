"""Types of columns that Sequelize makes in PostgreSQL: https://sequelize.org/docs/v6/other-topics/other-data-types/."""

from __future__ import annotations

from typing import Final

from .....facts.operations import Op
from ..declared import DeclaredNames

_TYPES: Final = {
    "STRING": "varchar(255)", "TEXT": "text", "CITEXT": "citext", "CHAR": "char(255)", "TSVECTOR": "tsvector",
    "BOOLEAN": "boolean", "INTEGER": "integer", "BIGINT": "bigint", "SMALLINT": "smallint", "TINYINT": "smallint",
    "MEDIUMINT": "integer", "FLOAT": "double precision", "REAL": "real", "DOUBLE": "double precision", "DECIMAL": "decimal",
    "NUMBER": "decimal", "NUMERIC": "decimal", "DATE": "timestamp with time zone", "DATEONLY": "date", "TIME": "time",
    "UUID": "uuid", "JSON": "json", "JSONB": "jsonb", "BLOB": "bytea", "HSTORE": "hstore", "CIDR": "cidr", "INET": "inet",
    "MACADDR": "macaddr", "GEOMETRY": "geometry", "GEOGRAPHY": "geography", "NOW": "timestamp with time zone",
}  # fmt: skip
#: Members of a type that have no effect in PostgreSQL.
_VARIANTS: Final = frozenset(("BINARY", "UNSIGNED", "ZEROFILL"))
#: Types of ranges, by the type of their bounds.
_RANGES: Final = {
    "INTEGER": "int4range",
    "BIGINT": "int8range",
    "DECIMAL": "numrange",
    "DATE": "tstzrange",
    "DATEONLY": "daterange",
}


def column_type(names: DeclaredNames, node: int, table: str, column: str) -> str:
    """Return the type of a column of a table for an expression such as `DataTypes.STRING(20)`; "" if it is not known."""
    written = names.text(node)
    if written:
        return written.lower()
    node = names.value(node)
    call = names.call(node)
    name = call.name if call is not None else names.origin(node)[1] if node >= 0 else ""
    parts = [part for part in name.split(".") if part not in _VARIANTS]
    if not parts:
        return ""
    kind = parts[-1]
    first = call.argument(0) if call is not None else -1
    second = call.argument(1) if call is not None else -1
    if kind == "ENUM":
        return f'"enum_{table}_{column}"'
    if kind == "ARRAY":
        options = names.object(first)
        inner = column_type(names, options.get("type", -1) if options else first, table, column)
        return f"{inner}[]" if inner else ""
    if kind == "RANGE":
        inner = names.origin(first)[1].rpartition(".")[2] if first >= 0 and names.code[first] in (Op.MEMBER, Op.NAME) else ""
        return _RANGES.get(inner or "INTEGER", "")
    if kind == "VIRTUAL":
        return ""
    made = _TYPES.get(kind, "")
    size = names.number(first)
    if size and made.startswith(("varchar", "char")):
        return f"{made.partition('(')[0]}({size})"
    if size and made == "decimal":
        return f"decimal({size}, {names.number(second) or 0})"
    return "bytea" if "BINARY" in name.split(".") and kind == "STRING" else made
