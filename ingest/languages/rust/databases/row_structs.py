"""Structs whose fields stand for columns: `#[derive(FromRow)]` of sqlx, `#[derive(Queryable, Selectable)]` of Diesel.

See https://docs.rs/sqlx/latest/sqlx/trait.FromRow.html and https://docs.diesel.rs/master/diesel/prelude/derive.Selectable.html.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from ....facts.data import Fragment
from ....facts.model import FileFacts
from ....symbols.code_groups import Groups
from .plain_code import plain_code

_STRUCT: Final = re.compile(r"\bstruct\s+(?P<name>[A-Z]\w*)\s*(?:<[^<>{};]{0,100}>\s*)?(?=\{)")
_DERIVED: Final = re.compile(r"\bderive\s*\([^()]*\b(?:FromRow|Queryable|QueryableByName|Selectable)\b")
#: A struct whose fields have other names than the columns.
_RENAMED: Final = re.compile(r"\brename_all\b")
_FIELD: Final = re.compile(
    r"(?P<attributes>(?:#\[[^\]]{0,400}\]\s*){0,8})(?:pub(?:\([^)]{0,40}\))?\s+)?(?P<name>(?:r#)?[a-z_]\w*)\s*:(?!:)[^,{}]{0,200}(?:,|\Z)"
)
_OPTIONS: Final = re.compile(r"\b(?:sqlx|diesel)\s*\((?P<options>[^)]*)\)")
_NAMED: Final = re.compile(r"\b(?:rename|column_name)\s*=\s*\"?(\w+)")
#: Options of fields that are no column of the row.
_NO_COLUMN: Final = re.compile(r"\b(?:flatten|skip|embed|skip_insertion)\b")
#: Maximum number of characters of the attributes before a struct.
_MAX_ATTRIBUTES: Final = 400


class RowStruct(NamedTuple):
    """A struct, and the columns for which its fields stand."""

    name: str
    columns: list[str]
    #: Whether the struct derives a trait of rows, so that statements of other files may read rows into it.
    is_row: bool


def row_structs(code: str) -> Iterator[RowStruct]:
    """Yield the structs of a file. `code` has no comments, and only the texts that are values in attributes."""
    groups = Groups(code)
    for found in _STRUCT.finditer(code):
        before = code[max(0, found.start() - _MAX_ATTRIBUTES) : found.start()]
        attributes = before[max(before.rfind("}"), before.rfind(";")) + 1 :]
        if _RENAMED.search(attributes) is None:
            body = code[found.end() + 1 : groups.end(found.end(), len(code)) - 1]
            columns = [column for each in _FIELD.finditer(body) if (column := _column(each))]
            yield RowStruct(found["name"], columns, _DERIVED.search(attributes) is not None)


def add_row_structs(facts: FileFacts, text: str) -> None:
    """Add the structs that derive a trait of rows to the facts about data of a file, as parts of statements."""
    found = [each for each in row_structs(plain_code(text, with_names=True)) if each.is_row and each.columns]
    if found:
        facts.own_data().fragments += [Fragment(fragment_of(each.name), [], each.columns) for each in found]


def fragment_of(struct: str) -> str:
    """Return the name by which statements include the columns of a struct."""
    return f"rust:{struct}"


def _column(field: re.Match[str]) -> str:
    """Return the column of a field; "" for a field that is not a column of the same row, such as `#[sqlx(flatten)]`."""
    options = " ".join(_OPTIONS.findall(field["attributes"]))
    if _NO_COLUMN.search(options) is not None:
        return ""
    named = _NAMED.search(options)
    return named[1] if named is not None else field["name"].removeprefix("r#")
