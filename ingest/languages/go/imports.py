"""Imports of Go: an import path is the path of a module, followed by a folder in the module."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cached_property
from typing import Final

from ....schema.paths import parent_of, path_in
from ...files.workspace_files import join_path
from ..import_targets import BuiltinTarget, MissingTarget, PackageTarget, Resolution, SourceTarget
from ..path_imports import PathImports
from ..syntax_only.import_statements import SLASH_COMMENT, Specifier
from .modules.standard_library import CGO, is_standard
from .modules.workspace import GoWorkspace

_IMPORT: Final = re.compile(r"(?P<alias>[\w.]+[ \t]+)?\"(?P<path>[^\"]+)\"")
_VERSION: Final = re.compile(r"v\d+")


def read_specifiers(statement: str) -> Iterator[Specifier]:
    """Read the packages that an import statement names."""
    for spec in _IMPORT.finditer(SLASH_COMMENT.sub("", statement)):
        parts = [part for part in spec["path"].split("/") if not _VERSION.fullmatch(part)]
        alias = (spec["alias"] or "").strip()
        name = alias if alias not in ("", "import") else parts[-1].removeprefix("go-").partition(".")[0] if parts else ""
        yield Specifier(spec["path"], (), (name,) if name not in ("", "_", ".") else ())


def _is_document(path: str) -> bool:
    """Return whether a path stands for the code in a document. The Go command ignores files whose names begin with `_`."""
    return path.rpartition("/")[2].startswith("_")


class GoImports(PathImports):
    """Resolves imports to packages of the workspace's modules, of the standard library, or of required modules."""

    def target(self, specifier: str, from_path: str) -> Resolution:
        """Return the file that represents a package of the workspace, or the external module that contains the package."""
        home = self._workspace.home_of(from_path)
        folder = self._workspace.folder_of(specifier, home)
        if folder is None and _is_document(from_path):
            folder = self._workspace.folder_of_other_version(specifier)
        if folder is not None:
            found = self._file(folder, specifier)
            return SourceTarget(found) if found is not None else MissingTarget(specifier)
        if specifier.startswith("."):
            return self._target_of_relative(specifier, from_path)
        if specifier == CGO or specifier.startswith("/"):
            return MissingTarget(specifier)
        if is_standard(specifier):
            return BuiltinTarget(specifier, "go")
        module = next(self._workspace.outside(home, specifier), None) if home is not None else None
        if module is None:
            return PackageTarget(specifier, "", None)
        return PackageTarget(module.path, specifier[len(module.path) :].lstrip("/"), None)

    def place_of(self, path: str) -> str:
        """Return the path of a document, whose imports may name other versions; else the folder of the file."""
        return path if _is_document(path) else super().place_of(path)

    @cached_property
    def _workspace(self) -> GoWorkspace:
        return self.files.once(GoWorkspace)

    def _target_of_relative(self, specifier: str, from_path: str) -> Resolution:
        """Return the target of a relative path in a directive: the file with `main` in a folder, or a file."""
        place = join_path(parent_of(from_path), specifier)
        if place is None:
            return MissingTarget(specifier)
        if self.files.is_source(place):
            return SourceTarget(place)
        files = self._packages.get(place, [])
        main = path_in(place, "main.go")
        return SourceTarget(main if main in files else files[0]) if files else MissingTarget(specifier)

    def _file(self, folder: str, specifier: str) -> str | None:
        """Return the file of a folder with the name of the package, or else the first file."""
        files = self._packages.get(folder, [])
        named = path_in(folder, f"{specifier.rpartition('/')[2]}.go")
        return named if named in files else files[0] if files else None

    @cached_property
    def _packages(self) -> dict[str, list[str]]:
        """The Go files of each folder, without tests, in the order of their paths."""
        found: dict[str, list[str]] = defaultdict(list)
        for path in sorted(self.files.sources):
            if path.endswith(".go") and not path.endswith("_test.go"):
                found[parent_of(path)].append(path)
        return found
