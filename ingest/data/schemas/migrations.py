"""Find the SQL files that define one database, and the order in which they run."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import lru_cache
from posixpath import commonpath
from typing import Final, NamedTuple

from ....schema.paths import parent_of
from ..sql.dialects import NAMED

#: Names of migrations. The version is the first matching group.
_VERSIONED: Final = re.compile(r"^(?:V(\d[\d._]*?)__|(\d{1,14}(?:[._-]\d+)*)(?:[_.\-]|$))", re.ASCII)
#: A version behind a letter. It gives an order, but does not make a migration of a file.
_LETTERED: Final = re.compile(r"^v(\d+(?:[._-]\d+)*)(?:[_.\-]|$)", re.ASCII | re.IGNORECASE)
#: Folders whose files are migrations in the order of their names.
_FOLDERS: Final = frozenset(("migrations", "migration", "migrate", "migrates", "versions"))
#: Names of files that revert a migration.
_DOWN: Final = re.compile(r"(?:^|[._-])(?:down|undo|revert|rollback)\.sql$|^U\d[\d._]*__", re.IGNORECASE)
#: Names of folders with the migrations of one release: `0.10`, `v1.2.0`.
_RELEASE: Final = re.compile(r"v?\d+(?:\.\d+)+", re.IGNORECASE)
#: Repeatable migrations of Flyway, which run last.
_REPEATABLE: Final = re.compile(r"^R__")
#: Names of the folders of migrations that have their own folders: Prisma, Diesel.
_INNER: Final = frozenset(("migration.sql", "up.sql", "down.sql"))
#: Name of a dialect inside the name of a file.
_DIALECT: Final = re.compile(r"[._-](" + "|".join(NAMED) + r")(?=[._-])", re.IGNORECASE)
#: A date with dashes, perhaps with a time of 4 to 6 digits and with more numbers; Diesel removes the dashes.
_TIME: Final = re.compile(r"(?P<date>\d{4}-\d{2}-\d{2})(?:[-_](?P<time>\d{4,6})(?!\d))?(?P<rest>(?:[._-]\d+)*)", re.ASCII)
_NUMBER: Final = re.compile(r"\d+")


class FileSet(NamedTuple):
    """The files that define one database."""

    #: The innermost folder that contains all files.
    folder: str
    #: Paths in the order of execution, without migrations that revert other migrations.
    paths: Sequence[str]
    is_migrations: bool


def is_down_file(path: str) -> bool:
    """Return whether a file reverts a migration."""
    return _DOWN.search(path.rpartition("/")[2]) is not None


def is_in_migrations(path: str) -> bool:
    """Return whether a file is in a folder of migrations, in any language."""
    return any(part.lower() in _FOLDERS for part in path.split("/")[:-1])


def is_in_order(path: str) -> bool:
    """Return whether a file has a place in the order of migrations, by its name or its folder."""
    return is_in_migrations(path) or _version(path.rpartition("/")[2]) is not None


def file_sets(paths: Iterable[str]) -> Sequence[FileSet]:
    """Return the databases that SQL files define: one for the migrations of each folder, and one for each other file."""
    return _file_sets(tuple(sorted(paths)))


# An update asks twice, for the states before and after the change, which usually have the same paths.
@lru_cache(maxsize=2)
def _file_sets(paths: tuple[str, ...]) -> Sequence[FileSet]:
    by_folder: dict[str, list[str]] = defaultdict(list)
    single: list[str] = []
    for path in paths:
        folder, name = parent_of(path), path.rpartition("/")[2]
        around = folder.rpartition("/")[2]
        release = _release_folder(folder) if _version(name) is not None else ""
        if release:
            by_folder[parent_of(release)].append(path)
        elif name in _INNER and _version(around) is not None:
            by_folder[parent_of(folder)].append(path)
        elif _version(name) is not None or _REPEATABLE.match(name) or around.lower() in _FOLDERS:
            by_folder[folder].append(path)
        else:
            single.append(path)
    found = [FileSet(folder, _ordered(part), True) for folder, members in by_folder.items() for part in _by_dialect(members)]
    others: dict[str, list[str]] = defaultdict(list)
    for path in single:
        others[parent_of(path)].append(path)
    found += [FileSet(folder, tuple(part), False) for folder, members in others.items() for part in _by_dialect(members)]
    return found


def _release_folder(folder: str) -> str:
    """Return the folder of a release that a folder is, or in which it is: `1.2.0` for `1.2.0/tables`; "" if there is none."""
    for each in (folder, parent_of(folder)):
        if _RELEASE.fullmatch(each.rpartition("/")[2]) is not None:
            return each
    return ""


def _by_dialect(paths: Sequence[str]) -> list[list[str]]:
    """Group files by the dialect in their names.

    A file without a dialect is in every group, except a group with a file of the same name for its dialect.
    """
    named = {path: dialect for path in paths if (dialect := _dialect_in(path)) is not None}
    parts: list[list[str]] = []
    for dialect in sorted(set(named.values()), key=lambda each: (each != "postgres", each)):
        own = {_without_dialect(path) for path in paths if named.get(path) == dialect}
        parts.append(
            [path for path in paths if named.get(path) == dialect or (path not in named and _without_dialect(path) not in own)]
        )
    return parts or [list(paths)]


def _dialect_in(path: str) -> str | None:
    match = _DIALECT.search(path.rpartition("/")[2])
    return NAMED[match[1].lower()] if match is not None else None


def _without_dialect(path: str) -> str:
    folder, _, name = path.rpartition("/")
    return f"{folder}/{_DIALECT.sub('', name, count=1)}"


def _version(name: str) -> tuple[int, ...] | None:
    match = _VERSIONED.match(name)
    if match is None:
        return None
    version = match[1] or match[2]
    time = _TIME.fullmatch(version)
    if time is not None:
        seconds = f"{time['date'].replace('-', '')}{(time['time'] or '').ljust(6, '0')}"
        return (int(seconds), *(int(number) for number in _NUMBER.findall(time["rest"]) or ("0",)))
    return tuple(int(number) for number in _NUMBER.findall(version))


def in_order(paths: Iterable[str]) -> Sequence[str]:
    """Return files in the order of the versions in their names."""
    return tuple(sorted(paths, key=_order))


def common_folder(paths: Iterable[str]) -> str:
    """Return the innermost folder that contains all files."""
    folders = [parent_of(path) for path in paths]
    return commonpath(folders) if folders and all(folders) else ""


def _ordered(paths: Sequence[str]) -> Sequence[str]:
    return in_order(path for path in paths if not is_down_file(path))


def _order(path: str) -> tuple[bool, tuple[int, ...], bool, tuple[int, ...], str]:
    name = path.rpartition("/")[2]
    own = parent_of(path).rpartition("/")[2] if name in _INNER else name
    lettered = _LETTERED.match(own)
    version = _version(own) or (tuple(int(number) for number in _NUMBER.findall(lettered[1])) if lettered is not None else None)
    folder = _release_folder(parent_of(path)).rpartition("/")[2]
    release = tuple(int(number) for number in _NUMBER.findall(folder))
    return (bool(_REPEATABLE.match(own)), release, version is None, version or (), path)
