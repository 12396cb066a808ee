"""The names that Hibernate gives to tables, columns and keys, and the PostgreSQL types for the types of Java."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Final

from ....facts.mapped_tables import MappedField

_TYPES: Final = {
    "String": "varchar", "$int": "integer", "Integer": "integer", "$long": "bigint", "Long": "bigint", "$short": "smallint",
    "Short": "smallint", "$byte": "smallint", "Byte": "smallint", "$boolean": "boolean", "Boolean": "boolean",
    "$double": "double precision", "Double": "double precision", "$float": "real", "Float": "real", "BigDecimal": "numeric",
    "BigInteger": "numeric", "$char": "char(1)", "Character": "char(1)", "LocalDate": "date", "sql.Date": "date",
    "LocalDateTime": "timestamp(6)", "Date": "timestamp(6)", "Calendar": "timestamp(6)", "sql.Timestamp": "timestamp(6)",
    "Timestamp": "timestamp(6)", "Instant": "timestamp(6) with time zone", "OffsetDateTime": "timestamp(6) with time zone",
    "ZonedDateTime": "timestamp(6) with time zone", "LocalTime": "time(6)", "sql.Time": "time(6)",
    "OffsetTime": "time(6) with time zone", "UUID": "uuid", "$byte[]": "bytea", "Byte[]": "bytea", "Duration": "numeric(21,0)",
    "Year": "integer", "enum": "smallint", "enum name": "varchar", "text lob": "oid", "binary lob": "oid", "Blob": "oid",
    "Clob": "oid", "json": "jsonb", "long text": "text", "ZoneId": "varchar", "ZoneOffset": "varchar", "Locale": "varchar",
    "Currency": "varchar", "TimeZone": "varchar", "Class": "varchar", "URL": "varchar", "uuid text": "char(36)",
    "InetAddress": "inet", "$char[]": "varchar", "AtomicInteger": "integer", "AtomicLong": "bigint",
}  # fmt: skip
#: Default sizes of types.
_SIZES: Final = {"varchar": "(255)", "BigDecimal": "(38,2)", "BigInteger": "(38,0)"}
_DIGITS: Final = "0123456789abcdefghijklmnopqrstuvwxyz"
#: Maximum length of a `varchar` in PostgreSQL.
_MAX_LENGTH: Final = 10_485_760


def underscored(name: str) -> str:
    """Return a name in the naming strategy of Spring Boot: `firstName` -> `first_name`."""
    parts: list[str] = []
    name = name.replace(".", "_")
    for place, character in enumerate(name):
        if 0 < place < len(name) - 1 and character.isupper() and name[place - 1].islower() and name[place + 1].islower():
            parts.append("_")
        parts.append(character)
    return "".join(parts).lower()


def key_name(prefix: str, table: str, columns: Iterable[str], target: str = "") -> str:
    """Return the name that Hibernate generates for a key, with the prefix `FK`, `UK` or `IDX`."""
    text = (
        f"table`{table}`" + (f"references`{target}`" if target else "") + "".join(f"column`{each}`" for each in sorted(columns))
    )
    number = int.from_bytes(hashlib.md5(text.encode(), usedforsecurity=False).digest(), "big")
    digits = ""
    while number:
        number, digit = divmod(number, 35)
        digits = _DIGITS[digit] + digits
    return prefix + (digits or "0")


def column_type(field: MappedField, kind: str) -> str:
    """Return the type of a column for a type of Java; "" if it is not known."""
    if field.column_type:
        return field.column_type.lower().partition(" not null")[0].partition(" default")[0]
    name = _TYPES.get(kind, "")
    size = field.size or (field.validated_size if name == "varchar" else "")
    if name == "varchar":
        length = size.strip("()") or ("3" if kind == "Currency" else "255")
        if kind == "enum name" and length == "1":
            return "char(1)"
        return "text" if length.isdigit() and int(length) > _MAX_LENGTH else f"varchar({length})"
    if name == "numeric":
        return f"numeric{size if ',' in size else _SIZES[kind]}"
    return name
