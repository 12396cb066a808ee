"""Functions and classes that manifests name as entry points: programs, and plugins that other programs load.

The formats of `module:object` are in the "Entry points specification" of the Python Packaging User Guide.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from .....schema.paths import path_in
from ....files.workspace_files import WorkspaceFiles
from ...framework_rules.wiring import SymbolPlace, Wired, WiredFile
from ..packaging import ManifestReader

#: A module, an object in it, and extras, which have no effect: `shop.cli:main [color]`.
_OBJECT: Final = re.compile(r"(?P<module>\w+(?:\.\w+)*)\s*:\s*(?P<object>\w+(?:\.\w+)*)\s*(?:\[[^\]]*\])?")


class _EntryPoint(NamedTuple):
    """An object of a file, and how a manifest names the object."""

    names: list[str]
    text: str


class EntryPoints:
    """The entry points in the manifests of a workspace, by the file of their module."""

    def __init__(self, files: WorkspaceFiles) -> None:
        self._by_path: dict[str, list[_EntryPoint]] = {}
        for manifest in files.once(ManifestReader).all:
            roots = [manifest.folder, *manifest.source_folders, path_in(manifest.folder, "src")]
            for name, target in manifest.entry_points:
                found = _OBJECT.fullmatch(target.strip())
                path = _module_file(files, roots, found["module"]) if found is not None else None
                if found is not None and path is not None:
                    point = _EntryPoint(found["object"].split("."), f"{name} = {target}")
                    self._by_path.setdefault(path, []).append(point)

    def wired(self, file: WiredFile) -> Iterator[Wired]:
        """Yield the objects of a file, or objects that the file imports, that manifests name."""
        for point in self._by_path.get(file.path, ()):
            declared = file.declared(point.names[0])
            place = declared.symbol if declared is not None else None
            for name in point.names[1:]:
                place = _member(place, name) if place is not None else None
            if declared is not None and place is not None:
                position = declared.facts.position if declared.file is file else 0
                yield Wired(-1, place, "Python", "entry point", "text", point.text, position)


def _member(place: SymbolPlace, name: str) -> SymbolPlace | None:
    """Return the member of a class; None if the class does not declare it."""
    symbols = place.file.facts.symbols
    found = next((at for at, each in enumerate(symbols) if each.parent == place.symbol and each.name == name), None)
    return SymbolPlace(place.file, found) if found is not None else None


def _module_file(files: WorkspaceFiles, roots: list[str], module: str) -> str | None:
    stem = module.replace(".", "/")
    paths = [path_in(root, f"{stem}{end}") for root in roots for end in ("/__init__.py", ".py")]
    return next((path for path in paths if path in files.sources), None)
