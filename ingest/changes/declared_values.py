"""The tables, routes and other records that a file declares. Lines are left out, so that a moved record is unchanged."""

from __future__ import annotations

from typing import Final

import msgspec

from ..facts.api import ApiFacts
from ..facts.model import FileFacts
from ..files.path_roles import is_test_path
from ..incremental.tree_state import TreeState

#: Fields of facts with only the place of a record.
_PLACES: Final = frozenset(("symbol", "line"))


def schema_values(state: TreeState, path: str) -> object:
    """Return the records of a file about the schema of a database.

    The result is None for a file without records, and for a test with its own models.
    """
    facts = _facts(state, path)
    data = facts.data if facts is not None else None
    declared = [data.changes, data.models, data.migration] if data is not None else []
    return _without_places(declared) if any(declared) else None


def api_values(state: TreeState, path: str) -> object:
    """Return the records of a file about endpoints; None for a file without records, and for a test with its own application."""
    return _without_places(api_facts(state, path))


def api_facts(state: TreeState, path: str) -> ApiFacts | None:
    """Return the facts about endpoints in a file; None if the file is a test."""
    facts = _facts(state, path)
    return facts.api if facts is not None else None


def _facts(state: TreeState, path: str) -> FileFacts | None:
    return state.facts(path) if not is_test_path(path) else None


def _without_places(value: object) -> object:
    if isinstance(value, msgspec.Struct):
        return [_without_places(getattr(value, name)) for name in value.__struct_fields__ if name not in _PLACES]
    if isinstance(value, list | tuple):
        return [_without_places(each) for each in value]
    return list(value) if isinstance(value, dict) else value
