"""Read the options that decide where modules are found from tsconfig.json and jsconfig.json, with extended configurations.

The TSConfig reference describes the rules. An option of the extending file replaces the same option of the extended file, and
later entries of an `extends` list replace earlier ones. `references` are not inherited. A path is relative to the file that
contains it, or to the extending file if it begins with `${configDir}`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

import msgspec

from .....schema.paths import parent_of
from .....schema.records import Problem
from ....files.ignore_rules import glob_to_regex, without_classes
from ....files.jsonc import object_value, parse_object, text_list
from ....files.workspace_files import WorkspaceFiles, join_path

_CONFIG_DIR = "${configDir}"
_MAX_CHAIN_LENGTH = 64
_PROJECT_KEYS = ("files", "include", "exclude")
#: If the last segment has no dot, star or question mark, it is a folder and matches all files in the folder.
_NAMES_FOLDER = re.compile(r"(?:^|/)[^/.*?]+$")

#: A value, and the folder of the file that contains it.
_Placed = tuple[object, str]


#: Values of `module` and `moduleResolution` that make TypeScript read packages as Node does.
_NODE_RULES = frozenset(("node16", "node18", "node20", "nodenext"))


class TsConfig(msgspec.Struct, frozen=True):
    """One configuration with its inheritance applied. Paths and globs are relative to the workspace root."""

    path: str
    folder: str
    #: None if not set; "" is the workspace root.
    base_url: str | None
    #: Pattern -> targets, each with at most one star; None if not set.
    paths: dict[str, list[str]] | None
    root_dirs: tuple[str, ...]
    module_suffixes: tuple[str, ...]
    #: Additional conditions in `exports` that apply: `customConditions`, and "node" under Node's rules.
    conditions: tuple[str, ...]
    root_dir: str | None
    out_dir: str | None
    #: Folders that the compiler writes to: `outDir` and `declarationDir`.
    output_folders: tuple[str, ...]
    composite: bool
    #: True if every file that is not a declaration file is a module.
    forces_modules: bool
    #: True if JavaScript files are part of the project.
    allows_javascript: bool
    #: Configurations in `references`.
    references: tuple[str, ...]
    #: Configurations inside the workspace that this configuration extends, directly or indirectly.
    extends: tuple[str, ...]
    #: Files of the project; None if `files` is not set.
    files: tuple[str, ...] | None
    #: Globs of the project; None if `include` is not set.
    include: tuple[str, ...] | None
    exclude: tuple[str, ...]

    @property
    def maps_names(self) -> bool:
        """True if `paths` or `baseUrl` may map a bare specifier to a file of the repository."""
        return self.paths is not None or self.base_url is not None

    @property
    def is_solution(self) -> bool:
        """True for a configuration without files of its own that only references other projects."""
        return bool(self.references) and self.files == () and not self.include

    def covers(self, path: str) -> bool:
        """Return whether a file belongs to the project by `files`, `include` and `exclude`, for any extension of the file."""
        if self.files is not None and path in self.files:
            return True
        if self.include is None:
            included = self.files is None and (not self.folder or path.startswith(self.folder + "/"))
        else:
            included = _include_pattern(self.include).fullmatch(path) is not None
        return included and _exclude_pattern(self.exclude + self.output_folders).fullmatch(path) is None


@lru_cache(maxsize=4096)
def _include_pattern(globs: tuple[str, ...]) -> re.Pattern[str]:
    expressions = (_below(glob) if _NAMES_FOLDER.search(glob) or not glob else _glob_expression(glob) for glob in globs)
    return re.compile("|".join(expressions) or "(?!)")


@lru_cache(maxsize=4096)
def _exclude_pattern(globs: tuple[str, ...]) -> re.Pattern[str]:
    """Return the pattern of excluded paths. An excluded folder excludes everything below it."""
    return re.compile("|".join(map(_below, globs)) or "(?!)")


def _below(glob: str) -> str:
    """Return an expression for the path itself and everything below it; "" is the workspace root."""
    return f"{_glob_expression(glob)}(?:/.*)?" if glob else ".*"


def _glob_expression(glob: str) -> str:
    return glob_to_regex(without_classes(glob)) or "(?!)"


class TsConfigReader:
    """Reads each configuration once."""

    def __init__(self, files: WorkspaceFiles, find_package_config: Callable[[str, str], str | None]) -> None:
        """`find_package_config(name, folder)` finds the file for an `extends` that is not a path."""
        self._files = files
        self._find_package_config = find_package_config
        self._by_path: dict[str, TsConfig] = {}
        self._raw: dict[str, dict[str, object]] = {}
        self._inherited: dict[str, tuple[dict[str, _Placed], list[str]]] = {}
        self.problems: dict[str, Problem] = {}

    def read(self, path: str) -> TsConfig:
        """Return the configuration at a path. A broken file counts as empty, and is recorded in `problems`."""
        if path not in self._by_path:
            values, extended = self._merged(path, ())
            self._by_path[path] = self._build(path, values, extended)
        return self._by_path[path]

    def _parse(self, path: str) -> dict[str, object]:
        if path not in self._raw:
            content = self._files.read(path)
            self._raw[path], problem = ({}, Problem(1, "cannot be read")) if content is None else parse_object(content)
            if problem is not None:
                self.problems[path] = problem
        return self._raw[path]

    def _merged(self, path: str, chain: tuple[str, ...]) -> tuple[dict[str, _Placed], list[str]]:
        """Return the merged options and project keys, and the extended files. A file overrides the files that it extends."""
        if path not in self._inherited:
            raw = self._parse(path)
            folder = parent_of(path)
            values: dict[str, _Placed] = {}
            extended: list[str] = []
            for base in self._extended_by(raw.get("extends"), path, chain):
                base_values, further = self._merged(base, (*chain, path))
                values |= base_values
                extended += [base, *further]
            values |= {key: (value, folder) for key, value in object_value(raw, "compilerOptions").items()}
            values |= {key: (raw[key], folder) for key in _PROJECT_KEYS if key in raw}
            self._inherited[path] = values, list(dict.fromkeys(extended))
        return self._inherited[path]

    def _extended_by(self, extends: object, path: str, chain: tuple[str, ...]) -> list[str]:
        """Return the files that an `extends` names.

        A missing file or a cycle becomes a problem of the extending file.
        """
        found: list[str] = []
        for name in [extends] if isinstance(extends, str) else text_list(extends):
            base = self._locate(name, parent_of(path))
            if base is None:
                self.problems.setdefault(path, Problem(1, f'extends "{name}", which is not there'))
            elif base in (*chain, path):
                self.problems.setdefault(path, Problem(1, f'extends "{name}", which extends this file'))
            elif len(chain) == _MAX_CHAIN_LENGTH:
                self.problems.setdefault(path, Problem(1, f"more than {_MAX_CHAIN_LENGTH} files extend one another"))
            else:
                found.append(base)
        return found

    def _locate(self, name: str, folder: str) -> str | None:
        """Return the file that an `extends` names: a path, with or without `.json`, or a file of a package."""
        if not name.startswith((".", "/")):
            return self._find_package_config(name, folder)
        path = join_path(folder, name) if name.startswith(".") else _inside_root(name, self._files.root)
        if path is None:
            return None
        candidates = (path,) if path.endswith(".json") else (path, f"{path}.json", f"{path}/tsconfig.json")
        return next((each for each in candidates if self._files.is_file(each)), None)

    def _build(self, path: str, values: dict[str, _Placed], extended: list[str]) -> TsConfig:
        folder = parent_of(path)
        placed = _PlacedPaths(values, folder, self._files.root)
        outputs = (placed.path("outDir"), placed.path("declarationDir"))
        return TsConfig(
            path=path,
            folder=folder,
            base_url=placed.path("baseUrl"),
            paths=placed.substitutions(),
            root_dirs=tuple(placed.paths("rootDirs") or ()),
            module_suffixes=tuple(placed.texts("moduleSuffixes")),
            conditions=(*placed.texts("customConditions"), *_conditions_of_node(values)),
            root_dir=placed.path("rootDir"),
            out_dir=outputs[0],
            output_folders=tuple(dict.fromkeys(output for output in outputs if output)),
            composite=values.get("composite", (False, ""))[0] is True,
            forces_modules=str(values.get("moduleDetection", ("", ""))[0]).lower() == "force",
            allows_javascript=any(values.get(key, (False, ""))[0] is True for key in ("allowJs", "checkJs"))
            or path.rpartition("/")[2].startswith("jsconfig"),
            references=tuple(self._references(path, folder)),
            extends=tuple(extended),
            files=placed.paths("files"),
            include=placed.paths("include"),
            exclude=placed.paths("exclude") or (),
        )

    def _references(self, path: str, folder: str) -> list[str]:
        found: list[str] = []
        references = self._parse(path).get("references")
        for reference in references if isinstance(references, list) else ():
            written = reference.get("path") if isinstance(reference, dict) else None
            target = join_path(folder, written) if isinstance(written, str) else None
            if target is not None:
                found.append(target if target.endswith(".json") else f"{target}/tsconfig.json".removeprefix("/"))
        return found


def _inside_root(absolute: str, root: str) -> str | None:
    return absolute.removeprefix(root + "/") if absolute.startswith(root + "/") else None


class _PlacedPaths:
    """Reads option values, whose paths are relative to the file that contains them."""

    def __init__(self, values: dict[str, _Placed], config_folder: str, root: str) -> None:
        self._values = values
        self._config_folder = config_folder
        self._root = root

    def texts(self, key: str) -> list[str]:
        return text_list(self._values.get(key, (None, ""))[0])

    def path(self, key: str) -> str | None:
        value, folder = self._values.get(key, (None, ""))
        return self._join(folder, value) if isinstance(value, str) else None

    def paths(self, key: str) -> tuple[str, ...] | None:
        """Return the paths of an option, or None if it is not set. Paths outside the workspace are dropped."""
        if key not in self._values:
            return None
        folder = self._values[key][1]
        joined = (self._join(folder, text) for text in self.texts(key))
        return tuple(path for path in joined if path is not None)

    def substitutions(self) -> dict[str, list[str]] | None:
        """Return `paths`. The targets are relative to `baseUrl` if that is set, else to the file that contains `paths`."""
        value, written_in = self._values.get("paths", (None, ""))
        if not isinstance(value, dict):
            return None
        base = self.path("baseUrl") if "baseUrl" in self._values else written_in
        found: dict[str, list[str]] = {}
        for pattern, targets in value.items():
            joined = [self._join(base, target) for target in text_list(targets)] if base is not None else []
            found[pattern] = [target for target in joined if target is not None]
        return found

    def _join(self, folder: str, path: str) -> str | None:
        if path.startswith(_CONFIG_DIR):
            return join_path(self._config_folder, "." + path.removeprefix(_CONFIG_DIR))
        return _inside_root(path, self._root) if path.startswith("/") else join_path(folder, path)


def _conditions_of_node(values: dict[str, _Placed]) -> tuple[str, ...]:
    """Return the conditions of Node's rules.

    If `moduleResolution` is not set, the compiler derives it from `module`.
    """
    written, _ = values.get("moduleResolution") or values.get("module") or ("", "")
    return ("node",) if str(written).lower() in _NODE_RULES else ()
