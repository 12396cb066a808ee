"""The names that a database generates for constraints and indexes without a name, and those that it shortens.

PostgreSQL: `ChooseConstraintName` and `ChooseIndexName`. MySQL and MariaDB: `make_unique_key_name`, and the numbers that InnoDB
gives to foreign keys (https://dev.mysql.com/doc/refman/8.4/en/create-table-foreign-keys.html).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import Final

from .tables import Constraint, Table

#: Maximum number of characters of a name in PostgreSQL.
_MAX_NAME: Final = 63
_SUFFIXES: Final = {
    "primary key": "pkey",
    "unique": "key",
    "foreign key": "fkey",
    "check": "check",
    "exclude": "excl",
    "index": "idx",
}
#: What stands in MySQL between the name of the table and a number.
_OF_MYSQL: Final = {"foreign key": "ibfk", "check": "chk"}


def names_of_postgres(table: str, kind: str, part: str) -> Iterator[str]:
    """Yield the names that PostgreSQL tries, in this order, for a constraint over columns, which are `part`."""
    suffix = _SUFFIXES.get(kind, "key")
    yield _fitted(table, part, suffix)
    number = 1
    while True:
        yield _fitted(table, part, f"{suffix}{number}")
        number += 1


def kept_name(names: Collection[str], name: str) -> str:
    """Return the one of the given names, in lower case, that a statement means.

    PostgreSQL cuts long names. A later statement may have the name as it was written, or as PostgreSQL has kept it.
    """
    name = name.lower()
    if name in names or len(name) < _MAX_NAME:
        return name
    return next((each for each in names if each[:_MAX_NAME] == name[:_MAX_NAME]), name)


def names_of_mysql(table: Table, kind: str, column: str) -> Iterator[str]:
    """Yield the names that MySQL tries, in this order, for a constraint whose first column is `column`."""
    if kind in _OF_MYSQL:
        number = 1 + max(_numbers(table.name, _OF_MYSQL[kind], table.constraints), default=0)
        while True:
            yield f"{table.name}_{_OF_MYSQL[kind]}_{number}"
            number += 1
    yield column
    number = 2
    while True:
        yield f"{column}_{number}"
        number += 1


def rename_with_table(constraints: dict[str, Constraint], old: str, new: str) -> dict[str, Constraint]:
    """Return the constraints of a renamed table of MySQL. Generated names of foreign keys begin with the name of the table."""
    made = re.compile(rf"{re.escape(old)}_ibfk_(\d+)", re.IGNORECASE)
    for each in constraints.values():
        named = made.fullmatch(each.name)
        each.name = f"{new}_ibfk_{named[1]}" if named is not None else each.name
    return {each.name.lower(): each for each in constraints.values()}


def _numbers(table: str, word: str, names: Collection[str]) -> Iterator[int]:
    made = re.compile(rf"{re.escape(table)}_{word}_(\d{{1,9}})", re.IGNORECASE)
    return (int(found[1]) for name in names if (found := made.fullmatch(name)) is not None)


def _fitted(table: str, part: str, suffix: str) -> str:
    """Join the parts of a name. The longer part is shortened until the name fits, as in PostgreSQL."""
    room = _MAX_NAME - len(suffix) - 1 - (1 if part else 0)
    first, second = len(table), len(part)
    while first + second > room:
        if first > second:
            first -= 1
        else:
            second -= 1
    return "_".join(each for each in (table[:first], part[:second], suffix) if each)
