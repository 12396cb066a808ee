"""Keys and indexes of SQLAlchemy as changes of a database, for models and for migrations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ....data.schemas.mapped import MappedChanges
from ....facts.data import ObjectName
from ....facts.mapped_tables import MappedField, MappedKey

_INDEX: Final = "index"
_UNIQUE_INDEX: Final = "unique index"


def key_of_column(field: MappedField, column: str) -> MappedKey | None:
    """Return the key or index of a column with `unique=True` or `index=True`; None for other columns."""
    if not field.is_unique and not field.is_indexed:
        return None
    kind = "unique" if not field.is_indexed else _UNIQUE_INDEX if field.is_unique else _INDEX
    return MappedKey(kind, [column], field.symbol, field.line)


def add_key(changes: MappedChanges, path: str, table: ObjectName, key: MappedKey, columns: Sequence[str], name: str) -> None:
    """Add a key or an index over columns."""
    if key.kind in (_INDEX, _UNIQUE_INDEX):
        changes.index(path, table, key, columns, name, is_unique=key.kind == _UNIQUE_INDEX)
    else:
        changes.constraint(path, table, key, key.kind, columns, name)
