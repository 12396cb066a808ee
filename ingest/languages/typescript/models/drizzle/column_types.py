"""Types of columns by the functions of Drizzle that declare them: https://orm.drizzle.team/docs/column-types/pg."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

#: Returns the source text of the value of an option; "" if there is no such option.
Options = Callable[[str], str]

#: Dialect by the last part of the module of Drizzle.
DIALECTS: Final = {
    "pg-core": "postgresql",
    "mysql-core": "mysql",
    "sqlite-core": "sqlite",
    "singlestore-core": "mysql",
    "gel-core": "postgresql",
    "cockroach-core": "postgresql",
}
_POSTGRESQL: Final = {
    "integer": "integer", "smallint": "smallint", "bigint": "bigint", "serial": "serial", "smallserial": "smallserial",
    "bigserial": "bigserial", "boolean": "boolean", "text": "text", "varchar": "varchar", "char": "char", "numeric": "numeric",
    "decimal": "numeric", "real": "real", "doublePrecision": "double precision", "json": "json", "jsonb": "jsonb",
    "time": "time", "timestamp": "timestamp", "date": "date", "interval": "interval", "uuid": "uuid", "inet": "inet",
    "cidr": "cidr", "macaddr": "macaddr", "macaddr8": "macaddr8", "point": "point", "line": "line", "geometry": "geometry",
    "vector": "vector", "halfvec": "halfvec", "bit": "bit", "sparsevec": "sparsevec", "bytea": "bytea",
}  # fmt: skip
_MYSQL: Final = {
    "int": "int", "tinyint": "tinyint", "smallint": "smallint", "mediumint": "mediumint", "bigint": "bigint",
    "serial": "bigint unsigned", "boolean": "boolean", "varchar": "varchar", "char": "char", "text": "text",
    "tinytext": "tinytext", "mediumtext": "mediumtext", "longtext": "longtext", "float": "float", "double": "double",
    "real": "real", "decimal": "decimal", "datetime": "datetime", "timestamp": "timestamp", "date": "date", "time": "time",
    "year": "year", "json": "json", "binary": "binary", "varbinary": "varbinary", "mysqlEnum": "enum",
    "singlestoreEnum": "enum",
}  # fmt: skip
_SQLITE: Final = {"integer": "integer", "int": "integer", "text": "text", "real": "real", "blob": "blob", "numeric": "numeric"}
_BY_DIALECT: Final[Mapping[str, Mapping[str, str]]] = {"postgresql": _POSTGRESQL, "mysql": _MYSQL, "sqlite": _SQLITE}
#: Types that are never null, because the database generates their values.
SERIALS: Final = frozenset(("serial", "smallserial", "bigserial", "bigint unsigned"))


def is_column(function: str, dialect: str) -> bool:
    """Return whether a function of Drizzle declares a column."""
    return function in _BY_DIALECT.get(dialect, {})


def column_type(function: str, dialect: str, options: Options) -> str:
    """Return the type of a column that a function of Drizzle declares."""
    kind = _BY_DIALECT.get(dialect, {}).get(function, "")
    length = options("length")
    if dialect == "sqlite":
        return f"text({length})" if kind == "text" and length else kind
    if kind in ("varchar", "char", "binary", "varbinary"):
        return f"{kind}({length})" if length else kind
    if kind in ("numeric", "decimal", "float", "double", "real") and options("precision"):
        scale = options("scale")
        sized = f"{kind}({options('precision')}{f', {scale}' if scale else ''})"
        return kind if kind == "real" and dialect == "postgresql" else sized + _unsigned(options)
    if kind in ("time", "timestamp") and dialect == "postgresql":
        zone = " with time zone" if options("withTimezone") == "true" else ""
        return f"{kind}{_bracketed(options('precision'))}{zone}"
    if kind in ("datetime", "timestamp", "time"):
        return kind + _bracketed(options("fsp"))
    if kind == "interval":
        fields = options("fields")
        return f"interval{f' {fields}' if fields else ''}{_bracketed(options('precision'))}"
    if kind in ("vector", "halfvec", "bit", "sparsevec"):
        return kind + _bracketed(options("dimensions"))
    if kind == "geometry":
        return f"geometry({options('type') or 'point'}{f',{srid}' if (srid := options('srid')) else ''})"
    return kind + (_unsigned(options) if dialect == "mysql" and "unsigned" not in kind else "")


def _bracketed(size: str) -> str:
    return f"({size})" if size else ""


def _unsigned(options: Options) -> str:
    return " unsigned" if options("unsigned") == "true" else ""
