"""Imports of PHP: names in namespaces, which composer maps to folders by PSR-4."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property
from typing import Any, Final

import msgspec

from ....schema.paths import parent_of
from ...files.workspace_files import join_path
from ..path_imports import PathImports
from ..syntax_only.import_statements import Specifier, items, one_line

_USE: Final = re.compile(r"use (?:function |const )?(?P<items>.+)")
_GROUP: Final = re.compile(r"(?P<prefix>[\w\\]+)\\\{(?P<names>[^}]*)\}")


def read_specifiers(statement: str) -> Iterator[Specifier]:
    """Read the qualified names in a `use` statement. A group contains several names."""
    found = _USE.match(one_line(statement).rstrip(";"))
    if found is None:
        return
    group = _GROUP.match(found["items"])
    prefix = f"{group['prefix']}\\" if group else ""
    for path, local in items(group["names"] if group else found["items"]):
        name = path.rpartition("\\")[2]
        yield Specifier((prefix + path).lstrip("\\"), (name,), (name if local == path else local,))


class PhpImports(PathImports):
    """Resolves classes to files, by the folders to which the repository's composer files map namespaces."""

    def find(self, specifier: str, from_path: str) -> str | None:
        """Return the file of a class."""
        for prefix, folder in self._roots:
            if specifier.startswith(prefix):
                rest = specifier[len(prefix) :].replace("\\", "/").strip("/")
                if found := self.source(join_path(folder, f"{rest}.php")):
                    return found
        return None

    @cached_property
    def _roots(self) -> list[tuple[str, str]]:
        """Prefixes of namespaces with their folders, longest prefixes first."""
        found: list[tuple[str, str]] = []
        for path in self.files.configurations:
            if path.rpartition("/")[2] == "composer.json":
                found += _psr4(self.files.read(path) or b"", parent_of(path))
        return sorted(found, key=lambda root: -len(root[0]))


def _psr4(content: bytes, home: str) -> Iterator[tuple[str, str]]:
    """Yield the PSR-4 mappings of `autoload` and `autoload-dev` in a composer.json, with folders relative to the root."""
    try:
        manifest: Any = msgspec.json.decode(content)
    except msgspec.DecodeError:
        return
    for section in ("autoload", "autoload-dev"):
        loaded = manifest.get(section) if isinstance(manifest, dict) else None
        mapped = loaded.get("psr-4") if isinstance(loaded, dict) else None
        for prefix, folders in mapped.items() if isinstance(mapped, dict) else ():
            for folder in [folders] if isinstance(folders, str) else folders if isinstance(folders, list) else ():
                if isinstance(folder, str) and (path := join_path(home, folder or ".")) is not None:
                    yield prefix, path
