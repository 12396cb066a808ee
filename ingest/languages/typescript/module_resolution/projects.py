"""Find the tsconfig that governs a file, in repositories with many of them."""

from __future__ import annotations

from collections import deque

import msgspec

from .....schema.paths import folders_above, parent_of
from ....files.configuration_digest import is_compiler_configuration
from ....files.workspace_files import WorkspaceFiles
from .packages.star_patterns import StarPatterns
from .tsconfig import TsConfig, TsConfigReader

_NAMES = ("tsconfig.json", "jsconfig.json")


class ResolutionOptions(msgspec.Struct, frozen=True):
    """The compiler options that decide how a file's imports resolve."""

    paths: dict[str, list[str]]
    #: The keys of `paths`.
    path_patterns: StarPatterns
    base_url: str | None
    root_dirs: tuple[str, ...]
    module_suffixes: tuple[str, ...]
    conditions: tuple[str, ...]


NO_OPTIONS = ResolutionOptions({}, StarPatterns(()), None, (), (), ())


class Projects:
    """Finds the configuration of each file: the nearest one, or the project among its references that contains the
    file."""

    def __init__(self, files: WorkspaceFiles, reader: TsConfigReader) -> None:
        self._files = files
        self._reader = reader
        self._paths_in: dict[str, list[str]] = {}
        for path in sorted(files.configurations):
            if is_compiler_configuration(path.rpartition("/")[2]):
                self._paths_in.setdefault(parent_of(path), []).append(path)
        self._above: dict[str, list[TsConfig]] = {}
        self._references: dict[str, list[TsConfig]] = {}
        self._options: dict[tuple[str | None, str | None], ResolutionOptions] = {}
        self._by_folder: dict[str, ResolutionOptions] = {}

    def governing(self, path: str) -> TsConfig | None:
        """Return the configuration of the project of a file as an editor finds it, or None if there is none above the
        file."""
        found = self._configs_above(parent_of(path))
        return self._project_of(found[0], path) if found else None

    def options_for(self, path: str) -> ResolutionOptions:
        """Return the resolution options for a file.

        If the governing configuration maps no names, the nearest configuration above it that maps names is added. Bundlers, test
        runners and editors read this configuration, and its patterns match only specifiers for it.
        """
        folder = parent_of(path)
        options = self._by_folder.get(folder)
        if options is None:
            options = self._choose(path)
            if not any(config.references for config in self._configs_above(folder)):
                self._by_folder[folder] = options
        return options

    def in_folder(self, folder: str) -> list[TsConfig]:
        """Return every tsconfig*.json and jsconfig*.json in a folder."""
        return [self._reader.read(path) for path in self._paths_in.get(folder, ())]

    def all(self) -> list[TsConfig]:
        """Return every configuration of the workspace, by path."""
        return [self._reader.read(path) for path in sorted(path for paths in self._paths_in.values() for path in paths)]

    def _choose(self, path: str) -> ResolutionOptions:
        above = self._configs_above(parent_of(path))
        if not above:
            return NO_OPTIONS
        governing = self._project_of(above[0], path)
        mapping = governing
        for config in above:
            if any(each.maps_names for each in (config, *self._referenced(config))):
                mapping = self._project_of(config, path)
                if mapping.maps_names:
                    break
        key = (governing.path, mapping.path)
        if key not in self._options:
            self._options[key] = ResolutionOptions(
                mapping.paths or {},
                StarPatterns(mapping.paths or ()),
                mapping.base_url,
                governing.root_dirs,
                governing.module_suffixes,
                tuple(dict.fromkeys(governing.conditions + mapping.conditions)),
            )
        return self._options[key]

    def _configs_above(self, folder: str) -> list[TsConfig]:
        """Return tsconfig.json, then jsconfig.json, of the folder and of each folder around it."""
        found = self._above.get(folder)
        if found is None:
            paths = (f"{each}/{name}" if each else name for each in folders_above(folder) for name in _NAMES)
            found = self._above[folder] = [self._reader.read(path) for path in paths if path in self._files.configurations]
        return found

    def _project_of(self, config: TsConfig, path: str) -> TsConfig:
        if not config.references or (not config.is_solution and config.covers(path)):
            return config
        referenced = self._referenced(config)
        for project in referenced:
            if project.covers(path):
                return project
        if config.maps_names:
            return config
        # A file outside every project, such as a tool's configuration, uses the aliases of a project in the same
        # folder.
        return next((project for project in referenced if project.folder == config.folder and project.maps_names), config)

    def _referenced(self, config: TsConfig) -> list[TsConfig]:
        """Return the projects that a configuration references, directly or indirectly, nearest first."""
        found = self._references.get(config.path)
        if found is None:
            found = self._references[config.path] = []
            seen = {config.path}
            pending = deque([config])
            while pending:
                for path in pending.popleft().references:
                    if path not in seen and self._files.is_file(path):
                        seen.add(path)
                        found.append(self._reader.read(path))
                        pending.append(found[-1])
        return found
