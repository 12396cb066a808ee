"""Import rules of languages in which specifiers name files of the repository by paths, or by names that follow from paths.

Targets are found only by the paths of sources and the manifests of the repository. Statements that may refer to several files,
and imports of packages outside the repository, have no target.
"""

from __future__ import annotations

from collections import defaultdict
from functools import cached_property

from ...schema.paths import common_start, parent_of
from ..files.workspace_files import WorkspaceFiles
from .import_targets import MissingTarget, Resolution, SourceTarget


class PathImports:
    """Resolves specifiers to source files, and caches the answers.

    The subclass of a language overrides `find` for the file of a specifier, or `target` for its target.
    """

    def __init__(self, files: WorkspaceFiles) -> None:
        self.files = files
        self._answers: dict[tuple[str, str], Resolution] = {}

    def resolve(self, specifier: str, from_path: str) -> Resolution:
        """Return the target of a specifier in a file."""
        key = (self.place_of(from_path), specifier)
        if key not in self._answers:
            self._answers[key] = self.target(specifier, from_path)
        answer = self._answers[key]
        return self.own(specifier, from_path) if answer == SourceTarget(from_path) else answer

    def own(self, specifier: str, from_path: str) -> Resolution:
        """Return the target of a specifier that refers to its own file.

        A file does not import itself, so the target is missing.
        """
        return MissingTarget(specifier)

    def target(self, specifier: str, from_path: str) -> Resolution:
        """Return the target of a specifier. All files with the same `place_of` share the answer."""
        found = self.find(specifier, from_path)
        return SourceTarget(found) if found is not None else MissingTarget(specifier)

    def find(self, specifier: str, from_path: str) -> str | None:
        """Return the path of the source file that a specifier names; None if the specifier names no file, or several files."""
        raise NotImplementedError

    def place_of(self, path: str) -> str:
        """Return the folder, or another key, on which the targets of the specifiers in a file depend."""
        return parent_of(path)

    def source(self, *paths: str | None) -> str | None:
        """Return the first of the given paths that is a source file; None if there is none."""
        return next((path for path in paths if path is not None and path in self.files.sources), None)

    @cached_property
    def by_name(self) -> dict[str, list[str]]:
        """Paths of the source files of the workspace by their names."""
        found: dict[str, list[str]] = defaultdict(list)
        for path in self.files.sources:
            found[path.rpartition("/")[2]].append(path)
        return found


def ends_with(path: str, tail: str) -> bool:
    """Return whether a path ends with the parts of another path."""
    return path == tail or path.endswith("/" + tail)


def nearest(paths: list[str], from_path: str) -> str | None:
    """Return the path that shares the most folders with a file; None if several do."""
    own = from_path.split("/")[:-1]

    shared = [common_start(own, path.split("/")[:-1]) for path in paths]
    best = max(shared)
    found = [path for path, count in zip(paths, shared, strict=True) if count == best]
    return found[0] if len(found) == 1 else None
