"""Resolve specifiers by the import maps of Deno and by the members of its workspaces.

An import map consists of `imports` and `scopes` in a deno.json, or in the file that its `importMap` names.

The order is defined in the import map specification: an exact key first, then the longest key that ends with a slash. Scopes, the
longest first, precede the map itself.
"""

from __future__ import annotations

import re
from collections import defaultdict

import msgspec

from ......schema.paths import folders_above, parent_of
from .....files.jsonc import object_value, parse_object, text_value
from .....files.tool_configurations import DENO_NAMES, tool_of
from .....files.workspace_files import WorkspaceFiles, join_path
from ..packages.node_packages import split_package_name
from ..packages.package_exports import CONDITIONS, matching_targets

_RELATIVE = ("./", "../", "/")
#: `jsr:@scope/name@^1/sub`: name and subpath.
_REGISTRY = re.compile(r"jsr:/?(@[^/@]+/[^/@]+)(?:@[^/]*)?(?:/(.*))?")


class ImportMap(msgspec.Struct, frozen=True):
    """One import map. The addresses are relative to the folder of the map."""

    folder: str
    imports: dict[str, str]
    #: Maps for importing files by prefix of their path, the longest prefix first.
    scopes: tuple[tuple[str, dict[str, str]], ...]

    def address(self, specifier: str, from_folder: str) -> str | None:
        """Return the target of a specifier in the map, or None: a path of the workspace after a slash, or another specifier."""
        place = f"{from_folder}/"
        for entries in (*(entries for prefix, entries in self.scopes if place.startswith(prefix)), self.imports):
            found = _matched(entries, specifier)
            if found is not None:
                if not found.startswith(_RELATIVE):
                    return found
                path = join_path(self.folder, found.lstrip("/") if found.startswith("/") else found)
                return None if path is None else f"/{path}"
        return None


class DenoConfigurations:
    """The configurations of Deno in a workspace."""

    def __init__(self, files: WorkspaceFiles) -> None:
        self._files = files
        self._paths: dict[str, list[str]] = defaultdict(list)
        for path in sorted(files.configurations):
            if tool_of(path) == "deno":
                self._paths[parent_of(path)].append(path)
        self._maps: dict[str, tuple[ImportMap, ...]] = {}
        self._data: dict[str, dict[str, object]] = {}
        self._named: dict[str, tuple[str, object]] | None = None

    @property
    def exist(self) -> bool:
        """True if the workspace has a configuration of Deno."""
        return bool(self._paths)

    def address(self, specifier: str, folder: str) -> str | None:
        """Return the target of a specifier in the import maps around a folder, as `ImportMap.address` does.

        The nearest map with the specifier decides: members of a workspace inherit the map of its root.
        """
        for each in self._maps_above(folder):
            found = each.address(specifier, folder)
            if found is not None:
                return found
        return None

    def member_paths(self, specifier: str) -> list[str]:
        """Return the possible paths for a specifier in a member of the workspace, best first: `@scope/name/sub`."""
        registry = _REGISTRY.fullmatch(specifier)
        name, subpath = (registry[1], registry[2] or "") if registry is not None else split_package_name(specifier)
        member = self._members().get(name)
        if member is None:
            return []
        folder, exports = member
        targets = matching_targets(exports, f"./{subpath}" if subpath else ".", CONDITIONS)
        joined = (join_path(folder, target) for target in targets or ([] if subpath else ["mod.ts"]))
        return [path for path in joined if path is not None]

    def _maps_above(self, folder: str) -> tuple[ImportMap, ...]:
        found = self._maps.get(folder)
        if found is None:
            found = self._maps[folder] = tuple(
                each for around in folders_above(folder) for path in self._paths.get(around, ()) if (each := self._map(path))
            )
        return found

    def _map(self, path: str) -> ImportMap | None:
        data = self._read(path)
        named = text_value(data, "importMap")
        if named is not None and "imports" not in data:
            target = join_path(parent_of(path), named)
            path, data = (target, self._read(target)) if target is not None else (path, data)
        folder = parent_of(path)
        scopes = object_value(data, "scopes")
        placed = []
        for prefix, entries in scopes.items():
            place = join_path(folder, prefix) if prefix.startswith(_RELATIVE) else None
            if place is not None and isinstance(entries, dict):
                placed.append((f"{place}/" if place else "", _texts(entries)))
        placed.sort(key=lambda item: -len(item[0]))
        imports = _texts(object_value(data, "imports"))
        return ImportMap(folder, imports, tuple(placed)) if imports or placed else None

    def _members(self) -> dict[str, tuple[str, object]]:
        """Return folder and `exports` of every configuration with a name."""
        if self._named is None:
            self._named = {}
            for folder, paths in sorted(self._paths.items(), key=lambda item: (item[0].count("/"), item[0])):
                for path in paths:
                    data = self._read(path) if path.rpartition("/")[2] in DENO_NAMES else {}
                    name = text_value(data, "name")
                    if name is not None:
                        self._named.setdefault(name, (folder, data.get("exports")))
        return self._named

    def _read(self, path: str) -> dict[str, object]:
        if path not in self._data:
            content = self._files.read(path)
            self._data[path] = parse_object(content)[0] if content is not None else {}
        return self._data[path]


def _matched(entries: dict[str, str], specifier: str) -> str | None:
    exact = entries.get(specifier)
    if exact is not None:
        return exact
    prefixes = [key for key in entries if key.endswith("/") and specifier.startswith(key)]
    if not prefixes:
        return None
    longest = max(prefixes, key=len)
    return entries[longest] + specifier[len(longest) :]


def _texts(entries: dict[str, object]) -> dict[str, str]:
    return {key: value for key, value in entries.items() if isinstance(value, str)}
