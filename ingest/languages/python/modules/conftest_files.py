"""Specifiers for the `conftest.py` files around a file, because pytest loads them without an import."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from .....schema.paths import folders_above, parent_of

#: Maximum number of folders above one file whose `conftest.py` has its own specifier.
_MAX_LEVELS: Final = 6
_PREFIX: Final = "conftest.py#"


def conftest_specifiers() -> list[str]:
    """Return the specifiers of the `conftest.py` files, from the nearest folder outwards."""
    return [f"{_PREFIX}{level}" for level in range(_MAX_LEVELS)]


def conftest_at(specifier: str, from_path: str, sources: Collection[str]) -> str | None:
    """Return the path of the `conftest.py` that a specifier names; None if the file does not exist, and for other specifiers."""
    if not specifier.startswith(_PREFIX):
        return None
    level = int(specifier.removeprefix(_PREFIX))
    folders = folders_above(parent_of(from_path))
    paths = [path for folder in folders if (path := f"{folder}/conftest.py" if folder else "conftest.py") in sources]
    return paths[level] if level < len(paths) else None


def is_conftest(specifier: str) -> bool:
    """Return whether a specifier names a `conftest.py` around a file."""
    return specifier.startswith(_PREFIX)
