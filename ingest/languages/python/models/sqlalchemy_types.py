"""The PostgreSQL types for the types of SQLAlchemy: https://docs.sqlalchemy.org/en/20/core/types.html."""

from __future__ import annotations

import re
from typing import Final

from .declared import Call, DeclaredNames

#: Type of a column by the type class of SQLAlchemy, of its dialects, and of related packages.
_TYPES: Final = {
    "BIGINT": "bigint",
    "BINARY": "bytea",
    "BLOB": "bytea",
    "BOOLEAN": "boolean",
    "BYTEA": "bytea",
    "BigInteger": "bigint",
    "Boolean": "boolean",
    "CIDR": "cidr",
    "CITEXT": "citext",
    "CLOB": "text",
    "DATE": "date",
    "DATERANGE": "daterange",
    "DATETIME": "timestamp without time zone",
    "DOUBLE": "double precision",
    "DOUBLE_PRECISION": "double precision",
    "Date": "date",
    "Double": "double precision",
    "FLOAT": "double precision",
    "Float": "double precision",
    "HSTORE": "hstore",
    "INET": "inet",
    "INT4RANGE": "int4range",
    "INT8RANGE": "int8range",
    "INTEGER": "integer",
    "INTERVAL": "interval",
    "Integer": "integer",
    "Interval": "interval",
    "JSON": "json",
    "JSONB": "jsonb",
    "LONGBLOB": "bytea",
    "LONGTEXT": "text",
    "LargeBinary": "bytea",
    "MACADDR": "macaddr",
    "MEDIUMBLOB": "bytea",
    "MEDIUMTEXT": "text",
    "MONEY": "money",
    "MatchType": "boolean",
    "NUMRANGE": "numrange",
    "OID": "oid",
    "PickleType": "bytea",
    "REAL": "real",
    "REGCLASS": "regclass",
    "SMALLINT": "smallint",
    "SmallInteger": "smallint",
    "TEXT": "text",
    "TINYINT": "smallint",
    "TSQUERY": "tsquery",
    "TSRANGE": "tsrange",
    "TSTZRANGE": "tstzrange",
    "TSVECTOR": "tsvector",
    "TSVectorType": "tsvector",
    "Text": "text",
    "UUID": "uuid",
    "UnicodeText": "text",
    "Uuid": "uuid",
    "VARBINARY": "bytea",
    "AutoString": "varchar",
}
#: Classes whose first argument, or the argument `length`, is a length.
_SIZED: Final = {
    "AutoString": "varchar",
    "CHAR": "char",
    "NCHAR": "char",
    "NVARCHAR": "varchar",
    "String": "varchar",
    "Unicode": "varchar",
    "VARCHAR": "varchar",
    "NUMERIC": "numeric",
    "DECIMAL": "numeric",
    "Numeric": "numeric",
}
_TIMES: Final = {
    "DateTime": "timestamp",
    "TIMESTAMP": "timestamp",
    "Time": "time",
    "TIME": "time",
}
#: Types of SQLAlchemy-Utils in PostgreSQL: https://sqlalchemy-utils.readthedocs.io/en/latest/data_types.html.
_UTILS: Final = {
    "ArrowType": "timestamp without time zone",
    "ChoiceType": "varchar(255)",
    "CurrencyType": "varchar(3)",
    "CountryType": "varchar(2)",
    "DateRangeType": "daterange",
    "DateTimeRangeType": "tsrange",
    "EncryptedType": "bytea",
    "Int8RangeType": "int8range",
    "IntRangeType": "int4range",
    "JSONType": "json",
    "LocaleType": "varchar(10)",
    "LtreeType": "ltree",
    "NumericRangeType": "numrange",
    "PasswordType": "bytea",
    "ScalarListType": "text",
    "StringEncryptedType": "varchar",
    "TimezoneType": "varchar(50)",
    "URLType": "text",
    "UUIDType": "uuid",
    "WeekDaysType": "bit(7)",
}
#: Classes of SQLAlchemy-Utils for short texts: name and position of the argument with the length, and the default length.
_SHORT_TEXTS: Final = {
    "ColorType": ("length", 0, 20),
    "EmailType": ("length", 0, 255),
    "IPAddressType": ("max_length", 0, 50),
    "PhoneNumberType": ("max_length", 1, 20),
}
_ENUMS: Final = frozenset(("Enum", "ENUM"))
#: Type of a column by the annotation of its attribute: https://docs.sqlalchemy.org/en/20/orm/declarative_tables.html.
ANNOTATED: Final = {
    "bool": "boolean",
    "bytes": "bytea",
    "datetime.date": "date",
    "datetime.datetime": "timestamp without time zone",
    "datetime.time": "time without time zone",
    "datetime.timedelta": "interval",
    "decimal.Decimal": "numeric",
    "float": "double precision",
    "int": "integer",
    "str": "varchar",
    "uuid.UUID": "uuid",
}
#: Packages whose classes have the types of the tables above.
PACKAGES: Final = frozenset(("sqlalchemy", "sqlalchemy_utils", "sqlmodel", "geoalchemy2", "pgvector", "flask_sqlalchemy"))
#: Maximum depth of nested types.
_MAX_DEPTH: Final = 20
_WORD: Final = re.compile(r"[A-Za-z_]\w*$", re.ASCII)


def last_part(dotted: str) -> str:
    """Return the name after the last dot."""
    return dotted.rpartition(".")[2]


class ColumnType:
    """The type of a column, read from an expression."""

    __slots__ = ("name", "sql")

    def __init__(self, name: str = "", sql: str = "") -> None:
        """`name` is the dotted name of the type class. `sql` is the database type, "" if the class does not determine it."""
        self.name = name
        self.sql = sql


def column_type(names: DeclaredNames, node: int, depth: int = 0) -> ColumnType:
    """Return the column type in an expression: `String(50)`, `Text`, `ARRAY(Integer)`, `JSON().with_variant(…)`."""
    node = names.value(node)
    call = names.call(node)
    if call is None:
        receiver, method = names.method_call(node)
        if method in ("with_variant", "evolve", "as_generic", "copy") and depth < _MAX_DEPTH:
            return _variant(names, node, column_type(names, receiver, depth + 1), method, depth)
        name = names.dotted(node)
        return ColumnType(name, type_of_class(last_part(name)))
    own = last_part(call.name)
    if own in _ENUMS:
        return _enum(names, call)
    if own == "ARRAY" and depth < _MAX_DEPTH:
        inner = column_type(names, call.argument("item_type", 0), depth + 1)
        return ColumnType(call.name, f"{inner.sql}[]") if inner.sql else ColumnType(inner.name)
    if own in ("MutableDict", "MutableList", "as_mutable") and depth < _MAX_DEPTH:
        return column_type(names, call.argument("sqltype", 0), depth + 1)
    if own in _TIMES:
        with_zone = names.is_true(call.argument("timezone", 0))
        precision = names.number(call.named.get("precision", -1))
        size = f"({precision})" if precision else ""
        return ColumnType(call.name, f"{_TIMES[own]}{size} {'with' if with_zone else 'without'} time zone")
    if own in _SIZED:
        return ColumnType(call.name, _SIZED[own] + _size(names, call, own))
    if own in _SHORT_TEXTS:
        keyword, position, default = _SHORT_TEXTS[own]
        return ColumnType(call.name, f"varchar({names.number(call.argument(keyword, position)) or default})")
    if own == "ChoiceType" and depth < _MAX_DEPTH:
        stored = column_type(names, call.argument("impl", 1), depth + 1).sql
        return ColumnType(call.name, stored or type_of_class(own))
    if own in ("Float", "FLOAT"):
        precision = names.number(call.argument("precision", 0))
        return ColumnType(call.name, f"float({precision})" if precision else "double precision")
    if own in ("BIT", "Vector", "VECTOR", "HALFVEC"):
        size = names.number(call.argument("length" if own == "BIT" else "dim", 0))
        kind = {"BIT": "bit", "HALFVEC": "halfvec"}.get(own, "vector")
        return ColumnType(call.name, f"{kind}({size})" if size else kind)
    return ColumnType(call.name, type_of_class(own))


def type_or_class(found: ColumnType) -> str:
    """Return the type, or the dotted name of a class that the repository may declare: `app.types.JSON` may be `jsonb`."""
    root, _, rest = found.name.partition(".")
    may_be_own = bool(rest) and root not in PACKAGES and found.sql == type_of_class(last_part(found.name))
    return found.name if may_be_own or not found.sql else found.sql


def type_of_class(own: str) -> str:
    """Return the type by the name of its class alone; "" for an unknown class."""
    if own in _TIMES:
        return f"{_TIMES[own]} without time zone"
    if own in _SHORT_TEXTS:
        return f"varchar({_SHORT_TEXTS[own][2]})"
    return _TYPES.get(own) or _UTILS.get(own) or _SIZED.get(own, "")


def _size(names: DeclaredNames, call: Call, own: str) -> str:
    if own in ("NUMERIC", "DECIMAL", "Numeric"):
        precision, scale = names.number(call.argument("precision", 0)), names.number(call.argument("scale", 1))
        return f"({precision},{scale})" if precision and scale else f"({precision},0)" if precision else ""
    length = names.number(call.argument("length", 0))
    return f"({length})" if length else ""


def _variant(names: DeclaredNames, node: int, base: ColumnType, method: str, depth: int) -> ColumnType:
    """Return the PostgreSQL type of an expression with `with_variant`."""
    given = names.arguments(node)
    if method == "with_variant" and len(given) > 1 and any(names.text(each) == "postgresql" for each in given[1:]):
        return column_type(names, given[0], depth + 1)
    return base


def _enum(names: DeclaredNames, call: Call) -> ColumnType:
    """Return the type of an enum: its name, or else the name of the class in lower case."""
    written = names.text(call.named.get("name", -1))
    if names.is_false(call.named.get("native_enum", -1)):
        length = names.number(call.named.get("length", -1))
        if not length and not names.dotted(call.argument("", 0)):
            length = str(max((len(names.text(node)) for node in call.positional), default=0))
        return ColumnType(call.name, f"varchar({length})" if length else "varchar")
    if written:
        return ColumnType(call.name, quoted(written))
    cls = names.dotted(call.argument("", 0))
    return ColumnType(call.name, quoted(last_part(cls).lower()) if cls else "varchar")


def quoted(name: str) -> str:
    """Return the name of a type as a statement would write it."""
    return name if _WORD.match(name) and name == name.lower() else f'"{name}"'
