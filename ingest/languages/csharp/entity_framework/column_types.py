"""The types of PostgreSQL for the types of C#."""

from __future__ import annotations

from typing import Final

COLUMN_TYPES: Final = {
    "bool": "boolean", "byte": "smallint", "sbyte": "smallint", "short": "smallint", "ushort": "integer", "int": "integer",
    "uint": "bigint", "long": "bigint", "ulong": "numeric", "float": "real", "double": "double precision", "decimal": "numeric",
    "string": "text", "char": "char(1)", "byte[]": "bytea", "Guid": "uuid", "DateTime": "timestamptz", "DateOnly": "date",
    "DateTimeOffset": "timestamptz", "TimeOnly": "time", "TimeSpan": "interval", "Boolean": "boolean", "Int16": "smallint",
    "Int32": "integer", "Int64": "bigint", "Single": "real", "Double": "double precision", "Decimal": "numeric", "String": "text",
    "Uri": "text", "JsonDocument": "jsonb",
}  # fmt: skip
