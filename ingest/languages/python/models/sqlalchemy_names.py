"""The names that SQLAlchemy gives to tables, keys and indexes: https://docs.sqlalchemy.org/en/20/core/constraints.html."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from hashlib import md5
from typing import Final, NamedTuple

#: Maximum length of a name in PostgreSQL.
_MAX_NAME: Final = 63
#: Prefixes of naming conventions, by the kind of constraint.
PREFIXES: Final = {"primary key": "pk", "unique": "uq", "foreign key": "fk", "index": "ix"}
#: SQLAlchemy's default naming convention, which is only for indexes.
_DEFAULT: Final = {"ix": "ix_%(column_0_label)s"}
_TOKEN: Final = re.compile(r"%\((\w+)\)s")
_COLUMN: Final = re.compile(r"(referred_)?column_(\d+)(_?N)?(?:_(name|key|label))?$")
_CAMEL: Final = re.compile(r"((?<=[a-z0-9])[A-Z]|(?!^)[A-Z](?=[a-z]))")


class Named(NamedTuple):
    """The parts of the name of a key or an index."""

    table: str
    schema: str
    columns: Sequence[str]
    #: Table and columns to which a foreign key refers.
    referred: str = ""
    referred_columns: Sequence[str] = ()


def snake_case(name: str) -> str:
    """Return the table name that Flask-SQLAlchemy derives from the name of a class: `HTTPLog` -> `http_log`."""
    return _CAMEL.sub(r"_\1", name).lower().lstrip("_")


def key_name(conventions: Mapping[str, str], kind: str, written: str, named: Named) -> str | None:
    """Return the name of a key or an index; "" if the database names it, and None if code computes the name."""
    prefix = PREFIXES.get(kind, "")
    convention = conventions.get(prefix, _DEFAULT.get(prefix, ""))
    if written and "%(constraint_name)s" not in convention:
        return fitted(written)
    if not convention:
        return ""
    values = {"table_name": named.table, "referred_table_name": named.referred, "constraint_name": written}
    name = convention
    for token in set(_TOKEN.findall(convention)):
        value = values.get(token) if token in values else _column_token(token, named)
        if value is None:
            return None
        name = name.replace(f"%({token})s", value)
    return fitted(name)


def _column_token(token: str, named: Named) -> str | None:
    match = _COLUMN.match(token)
    if match is None:
        return None
    columns = named.referred_columns if match[1] else named.columns
    start = f"{named.schema.replace('.', '_')}_{named.table}_" if named.schema else f"{named.table}_"
    labels = [f"{start}{column}" if match[4] == "label" else column for column in columns]
    if match[3]:
        return ("_" if match[3] == "_N" else "").join(labels)
    number = int(match[2])
    return labels[number] if number < len(labels) else ""


def fitted(name: str) -> str:
    """Return a generated name of SQLAlchemy, shortened to the limit of the database."""
    if len(name) <= _MAX_NAME:
        return name
    return f"{name[: _MAX_NAME - 8]}_{md5(name.encode(), usedforsecurity=False).hexdigest()[-4:]}"
