"""Types of columns as the drivers of TypeORM write them."""

from __future__ import annotations

from typing import Final

from .....facts.mapped_tables import MappedField

#: Decorators of columns whose type the driver chooses.
_TIMES: Final = ("CreateDateColumn", "UpdateDateColumn", "DeleteDateColumn")
_NUMBERS: Final = ("VersionColumn", "TreeLevelColumn")
_POSTGRES: Final = {
    "string": "character varying", "varchar": "character varying", "number": "integer", "int": "integer", "int4": "integer",
    "Date": "timestamp without time zone", "timestamp": "timestamp without time zone", "timestamptz": "timestamp with time zone",
    "time": "time without time zone", "timetz": "time with time zone", "bool": "boolean", "simple-array": "text",
    "simple-json": "text", "simple-enum": "enum", "int2": "smallint", "int8": "bigint", "decimal": "numeric",
    "float8": "double precision", "float": "double precision", "float4": "real", "char": "character", "varbit": "bit varying",
    "time of row": "timestamp without time zone",
}  # fmt: skip
_MYSQL: Final = {
    "string": "varchar", "number": "int", "integer": "int", "Date": "datetime", "boolean": "tinyint", "bool": "tinyint",
    "uuid": "varchar(36)", "simple-array": "text", "simple-json": "text", "simple-enum": "enum", "dec": "decimal",
    "numeric": "decimal", "fixed": "decimal", "double precision": "double", "real": "double", "nvarchar": "varchar",
    "time of row": "datetime(6)",
}  # fmt: skip
_SQLITE: Final = {
    "string": "varchar", "number": "integer", "int": "integer", "Date": "datetime", "uuid": "varchar", "simple-array": "text",
    "simple-json": "text", "simple-enum": "varchar", "time of row": "datetime",
}  # fmt: skip
_MSSQL: Final = {
    "string": "nvarchar", "number": "int", "integer": "int", "Date": "datetime2", "boolean": "bit", "uuid": "uniqueidentifier",
    "simple-array": "ntext", "simple-json": "ntext", "simple-enum": "nvarchar", "dec": "decimal", "double precision": "float",
    "time of row": "datetime2",
}  # fmt: skip
_BY_DRIVER: Final = {
    "mysql": _MYSQL, "mariadb": _MYSQL, "aurora-mysql": _MYSQL, "sqlite": _SQLITE, "better-sqlite3": _SQLITE, "sqljs": _SQLITE,
    "expo": _SQLITE, "mssql": _MSSQL,
}  # fmt: skip
#: Drivers that create a unique index where other drivers create a unique constraint.
INDEXES_UNIQUES: Final = frozenset(("mysql", "mariadb", "aurora-mysql"))


def column_type(field: MappedField, driver: str, enum_name: str) -> str:
    """Return the type of a column. `enum_name` is the name of its type if it is an enum of PostgreSQL."""
    written = field.column_type or _plain(field.type)
    kind = "time of row" if written in _TIMES else "number" if written in _NUMBERS else written
    table = _BY_DRIVER.get(driver, _POSTGRES)
    kind = table.get(kind, kind)
    if kind == "enum" and table is _POSTGRES:
        kind = enum_name
    first, _, rest = kind.partition(" with")
    size = field.size or ("(255)" if kind == "varchar" and table is _MYSQL else "")
    return f"{first}{size}{' with' if rest else ''}{rest}{'[]' if field.is_list else ''}"


def _plain(kind: str) -> str:
    """Return the type of a column by the type of its property; for an enum or an unknown type, return text."""
    if kind in ("string", "number", "boolean"):
        return kind
    return "Date" if kind == "#Date" else "string"
