"""The PostgreSQL types that GORM chooses for the types of Go."""

from __future__ import annotations

from typing import Final

_TIME: Final = "timestamptz"
_TYPES: Final = {
    "bool": "boolean", "string": "text", "bytes": "bytea", "float32": "decimal", "float64": "decimal", "int": "bigint",
    "int64": "bigint", "int32": "integer", "int16": "smallint", "int8": "smallint", "uint": "bigint", "uint64": "bigint",
    "uint32": "bigint", "uint16": "integer", "uint8": "smallint", "byte": "smallint", "rune": "integer", "time.Time": _TIME,
    "time.Duration": "bigint", "gorm.io/gorm.DeletedAt": _TIME, "database/sql.NullTime": _TIME,
    "database/sql.NullString": "text", "database/sql.NullBool": "boolean", "database/sql.NullInt64": "bigint",
    "database/sql.NullInt32": "integer", "database/sql.NullInt16": "smallint", "database/sql.NullFloat64": "decimal",
    "database/sql.NullByte": "smallint", "gorm.io/datatypes.JSON": "jsonb", "gorm.io/datatypes.JSONMap": "jsonb",
    "gorm.io/datatypes.JSONType": "jsonb", "gorm.io/datatypes.JSONSlice": "jsonb", "gorm.io/datatypes.Date": "date",
    "gorm.io/datatypes.UUID": "uuid", "encoding/json.RawMessage": "bytea",
}  # fmt: skip
#: General type names in a tag, which GORM replaces by a type of the database.
_GENERAL: Final = {
    "string": "string", "bool": "bool", "int": "int", "uint": "uint", "float": "float64", "time": "time.Time", "bytes": "bytes",
}  # fmt: skip
_SERIALS: Final = {"serial": "integer", "bigserial": "bigint", "smallserial": "smallint"}


def is_value(kind: str) -> bool:
    """Return whether GORM stores values of a Go type in one column."""
    return kind in _TYPES


def column_type(kind: str, written: str, size: str) -> str:
    """Return the type of a column by the type of its field, and by the type and size in its tag; "" if it is not known."""
    if written and written.lower() not in _GENERAL:
        return _SERIALS.get(written.lower(), written)
    kind = _GENERAL.get(written.lower(), kind)
    made = _TYPES.get(kind, "")
    number = size.strip("()")
    if made == "text" and number.isdigit() and int(number):
        return f"varchar({number})"
    if made == "decimal" and "," in size:
        return f"numeric{size}"
    if made == _TIME and number:
        return f"timestamptz({number})"
    if made in ("bigint", "integer", "smallint") and number.isdigit():
        bits = int(number)
        return "smallint" if bits <= 16 else "integer" if bits <= 32 else "bigint"
    return made
