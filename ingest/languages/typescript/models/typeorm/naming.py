"""The names that TypeORM generates for tables, columns and keys: its default naming strategy, and `typeorm-naming-strategies`."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Sequence
from typing import Final
from urllib.parse import quote

_CAMEL: Final = re.compile(r"^([A-Z])|[\s\-_](\w)", re.ASCII)
_ACRONYM: Final = re.compile(r"([A-Z])([A-Z])([a-z])")
_HUMP: Final = re.compile(r"([a-z0-9])([A-Z])")
_WORD: Final = re.compile(r"\w\S*", re.ASCII)
#: Prefixes of the names of keys, each with the number of digits after it.
_DIGITS: Final = {"PK": 27, "UQ": 27, "FK": 27, "REL": 26, "IDX": 26}


def camel_case(text: str) -> str:
    """Return a name as TypeORM writes it in camel case: `Author_id` -> `authorId`."""
    return _CAMEL.sub(lambda found: found[2].upper() if found[2] else found[1].lower(), text)


def snake_case(text: str) -> str:
    """Return a name as TypeORM writes it in snake case: `HTTPServer` -> `http_server`."""
    return _HUMP.sub(r"\1_\2", _ACRONYM.sub(r"\1_\2\3", text)).lower()


def title_case(text: str) -> str:
    """Return a name as TypeORM capitalizes it: `firstName` -> `Firstname`."""
    return _WORD.sub(lambda found: found[0][:1].upper() + found[0][1:].lower(), text)


def key_name(kind: str, table: str, columns: Iterable[str], where: str = "") -> str:
    """Return the generated name of a key of a kind `PK`, `UQ`, `FK`, `REL` or `IDX`."""
    parts = "_".join([table.rpartition(".")[2], *sorted(columns)]) + (f"_{where}" if where else "")
    # TypeORM hashes the text after `encodeURIComponent`.
    encoded = quote(parts, safe="-_.!~*'()").encode()
    return f"{kind}_{hashlib.sha1(encoded, usedforsecurity=False).hexdigest()[: _DIGITS[kind]]}"


class DefaultNaming:
    """The strategy of TypeORM itself."""

    def table(self, name: str) -> str:
        return snake_case(name)

    def column(self, name: str, written: str, prefixes: Sequence[str]) -> str:
        own = written or name
        return camel_case("_".join(prefixes)) + title_case(own) if prefixes else own

    def join_column(self, relation: str, referred: str) -> str:
        return camel_case(f"{relation}_{referred}")

    def join_table(self, first: str, second: str, relation: str) -> str:
        return snake_case(f"{first}_{relation.replace('.', '_')}_{second}")

    def join_table_column(self, table: str, column: str) -> str:
        return camel_case(f"{table}_{column}")


class SnakeNaming(DefaultNaming):
    """The strategy in snake case that most projects use."""

    def column(self, name: str, written: str, prefixes: Sequence[str]) -> str:
        return snake_case("_".join([*prefixes, ""])) + (written or snake_case(name))

    def join_column(self, relation: str, referred: str) -> str:
        return snake_case(f"{relation}_{referred}")

    def join_table_column(self, table: str, column: str) -> str:
        return snake_case(f"{table}_{column}")
