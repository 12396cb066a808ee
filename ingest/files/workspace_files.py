"""Tell which paths exist: the indexed sources first, then the disk, with each folder listed at most once.

Paths are POSIX and relative to the workspace root; the root folder is "". A joined path outside the root is None, so that no file
outside is read. The only exception is a symbolic link below the root, such as an npm-linked package.
"""

from __future__ import annotations

import os
import posixpath
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, TypeVar

from ...schema.paths import parent_of, path_in
from .path_roles import DATA_EXTENSION

#: Type of a value that is computed from the files of a workspace.
T = TypeVar("T")


def join_path(folder: str, relative: str) -> str | None:
    """Join `folder` with a relative path and normalize it. Return None if the result is outside the workspace."""
    joined = posixpath.normpath(path_in(folder, relative))
    if joined == ".":
        return ""
    return None if joined.startswith(("../", "/")) or joined == ".." else joined


class WorkspaceFiles:
    """Existence of paths, cached for the lifetime of one resolver."""

    def __init__(
        self,
        root: Path,
        source_paths: Iterable[str],
        configuration_paths: Iterable[str] = (),
        data_paths: Iterable[str] = (),
        python_environment: str = "",
    ) -> None:
        """Paths are POSIX and relative to `root`.

        `source_paths` are the indexed files; the other files are the `configuration_files` and `data_files` of a `Discovery`.
        Of the latter, only JSON files are nodes of the graph.
        `python_environment` is the setting with this name.
        """
        self.root = os.path.realpath(root)
        self.sources = frozenset(source_paths)
        self.data = frozenset(path for path in data_paths if path.endswith(DATA_EXTENSION))
        self.source_folders = _all_folders(self.sources)
        self._listings: dict[str, dict[str, bool]] = {}
        self.configurations = frozenset(configuration_paths)
        self.python_environment = python_environment
        #: The results of `once`.
        self._made: dict[Callable[[WorkspaceFiles], Any], Any] = {}

    def once(self, make: Callable[[WorkspaceFiles], T]) -> T:
        """Return the result of calling `make` with these files. The result is computed once for all callers."""
        if make not in self._made:
            self._made[make] = make(self)
        found: T = self._made[make]
        return found

    def is_source(self, path: str) -> bool:
        """Return whether a path belongs to an indexed file."""
        return path in self.sources

    def is_file(self, path: str) -> bool:
        """Return whether a path belongs to an indexed file or a file on disk."""
        if self.is_source(path):
            return True
        folder, _, name = path.rpartition("/")
        return self._list(folder).get(name) is False

    def is_folder(self, path: str) -> bool:
        """Return whether a path belongs to a folder with sources at any depth, or to a folder on disk."""
        if path in self.source_folders:
            return True
        folder, _, name = path.rpartition("/")
        return self._list(folder).get(name) is True

    def real_path(self, path: str) -> str:
        """Return the path with symbolic links resolved, or the path itself if its target is outside the workspace."""
        real = os.path.relpath(os.path.realpath(f"{self.root}/{path}"), self.root)
        return path if real.startswith("..") else real

    def read(self, path: str) -> bytes | None:
        """Return the content of a file, or None if it does not exist or cannot be read."""
        try:
            with open(f"{self.root}/{path}", "rb") as handle:
                return handle.read()
        except OSError:
            return None

    def _list(self, folder: str) -> dict[str, bool]:
        found = self._listings.get(folder)
        if found is None:
            found = self._listings[folder] = listing(f"{self.root}/{folder}")
        return found


def listing(folder: str) -> dict[str, bool]:
    """Map the names in a folder to whether they are folders. Links are followed. A missing or unreadable folder is empty."""
    found: dict[str, bool] = {}
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                kind = _kind_of(entry)
                if kind is not None:
                    found[entry.name] = kind
    except OSError:
        return found
    return found


def _kind_of(entry: os.DirEntry[str]) -> bool | None:
    """Return True for a folder, False for a file, and None for other entries, such as a dangling link."""
    try:
        if entry.is_dir():
            return True
        return False if entry.is_file() else None
    except OSError:
        return None


def _all_folders(paths: Iterable[str]) -> set[str]:
    found: set[str] = set()
    for path in paths:
        folder = parent_of(path)
        while folder not in found:
            found.add(folder)
            folder = parent_of(folder)
    return found
