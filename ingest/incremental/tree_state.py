"""A state of a repository that need not be on disk, such as a commit: its files, and the exports of these files."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from hashlib import sha256
from pathlib import Path

from ...schema.languages import language_of
from ...schema.paths import folders_above, parent_of, path_in
from ...schema.records import Symbol
from ..facts.cache import FactKey, FactReader
from ..facts.cells import int_array
from ..facts.model import DeclKind, FileFacts
from ..files.api_descriptions import content_describes_api, may_describe_api
from ..files.command_files import command_language, content_runs_sql
from ..files.configuration_digest import is_configuration_name
from ..files.dbt_files import PROJECT, content_describes_models, may_be_seed, may_describe_models
from ..files.path_roles import DATA_EXTENSION
from ..files.recognized_content import content_is_changelog, content_is_mapper, may_be_changelog, may_be_mapper
from ..files.sql_dialects import SqlDialects
from ..files.workspace_files import WorkspaceFiles
from ..languages.extraction import extract_facts
from ..languages.import_resolution import ImportResolver
from ..languages.import_targets import Resolution, SourceTarget
from ..languages.registry import is_nominal
from ..workers.file_symbols import file_symbols
from .nominal_imports import NominalImports

#: Languages in which each file is a module that exports names.
MODULES = frozenset(("typescript", "tsx", "javascript", "jsx", "python"))
#: Languages in which a file without exports exports nothing. A file of JavaScript may export names in ways that are not seen.
_TYPED = frozenset(("typescript", "tsx"))
#: Name of the export of a module whose whole value is exported, with unknown members.
_VALUE = "="
_ALL = "*"

#: Reads a file of the state by its path; returns None for a missing file.
ReadFile = Callable[[str], bytes | None]


class TreeFiles(WorkspaceFiles):
    """The files of a state. Nothing is read from disk."""

    def __init__(self, root: str, paths: Iterable[str], read: ReadFile) -> None:
        known = list(paths)
        configurations = [path for path in known if is_configuration_name(path.rpartition("/")[2])]
        super().__init__(Path(root), known, configurations, [path for path in known if path.endswith(DATA_EXTENSION)])
        self._read = read

    def is_file(self, path: str) -> bool:
        """Return whether the state has a file."""
        return path in self.sources

    def is_folder(self, path: str) -> bool:
        """Return whether the state has a file at any depth in a folder."""
        return path in self.source_folders

    def real_path(self, path: str) -> str:
        """Return the path itself: symbolic links are not followed here."""
        return path

    def read(self, path: str) -> bytes | None:
        """Return the content of a file; None if the state has none."""
        return self._read(path) if path in self.sources else None


class TreeState:
    """The files of a state as facts. The facts of a file are read when they are needed."""

    def __init__(
        self,
        root: str,
        paths: Iterable[str],
        read: ReadFile,
        like: TreeState | None = None,
        dialects: SqlDialects | None = None,
        stored: FactReader | None = None,
    ) -> None:
        """`root` is the absolute path that configurations may name, and `paths` are relative to `root`.

        `like` is a similar state. Contents that both states share are not parsed again. `dialects` are the dialects of SQL that
        the settings state for files, and `stored` has facts of files that were indexed.
        """
        self.stored = stored
        self.files = TreeFiles(root, paths, read)
        self._resolver = ImportResolver(self.files)
        self._dialects = dialects or SqlDialects(())
        self._parsed: dict[tuple[str, str, bytes], FileFacts] = like._parsed if like is not None else {}
        self._facts: dict[str, FileFacts | None] = {}
        self._symbols: dict[str, Sequence[Symbol]] = {}

    def language(self, path: str) -> str | None:
        """Return the language of a file by its name, or else by its content; None if the language is not supported."""
        known = language_of(path)
        if known is not None:
            return known
        if may_be_seed(path):
            return "csv" if self._is_in_project(path) and self.files.read(path) else None
        may_be_of_dbt = may_describe_models(path) and self._is_in_project(path)
        commands = command_language(path)
        is_named = may_describe_api(path) or may_be_mapper(path) or may_be_changelog(path)
        may_be_source = may_be_of_dbt or commands is not None or is_named
        data = self.files.read(path) if may_be_source else None
        if data is None:
            return None
        if may_describe_api(path) and content_describes_api(path, data):
            return "openapi"
        if may_be_of_dbt and content_describes_models(path, data):
            return "dbt"
        if may_be_mapper(path) and content_is_mapper(data):
            return "mybatis"
        if may_be_changelog(path) and content_is_changelog(data):
            return "liquibase"
        return commands if content_runs_sql(data) else None

    def _is_in_project(self, path: str) -> bool:
        """Return whether a dbt project is in one of the folders around a file."""
        return any(self.files.is_file(path_in(folder, PROJECT)) for folder in folders_above(parent_of(path)))

    def facts(self, path: str) -> FileFacts | None:
        """Return the facts of a file; None if the state has no such file, or if its language is not supported."""
        if path not in self._facts:
            language = self.language(path)
            data = self.files.read(path) if language is not None else None
            self._facts[path] = self._read(path, data, language) if language is not None and data is not None else None
        return self._facts[path]

    def symbols(self, path: str) -> Sequence[Symbol]:
        """Return the symbols of a file in the order of its facts; none if the state has no such file."""
        if path not in self._symbols:
            facts = self.facts(path)
            self._symbols[path] = file_symbols(path, facts.symbols) if facts is not None else ()
        return self._symbols[path]

    def resolve(self, specifier: str, path: str) -> Resolution:
        """Return the target of a specifier in a file."""
        return self._resolver.resolve(specifier, path)

    def target(self, specifier: str, path: str) -> str | None:
        """Return the file of the repository to which a specifier resolves; None if there is no such file."""
        found = self.resolve(specifier, path)
        return found.path if isinstance(found, SourceTarget) else None

    def names(self, path: str) -> frozenset[str] | None:
        """Return the names that a file exports, including re-exports; None if they cannot be listed."""
        found: set[str] = set()
        pending, seen = [path], {path}
        while pending:
            current = pending.pop()
            facts = self.facts(current)
            own = _own_names(facts) if facts is not None else None
            if facts is None or own is None:
                return None
            found |= own if current == path else own - {"default"}
            for specifier in _passed_on(facts):
                target = self.target(specifier, current)
                if target is None:
                    return None
                if target not in seen:
                    seen.add(target)
                    pending.append(target)
        return frozenset(found)

    def passes_all_of(self, earlier: TreeState, path: str) -> bool:
        """Return whether a file still has all names and re-exported modules of its earlier state, without reading the modules."""
        old, new = earlier.facts(path), self.facts(path)
        if old is None or new is None:
            return old is None
        had, has = _own_names(old), _own_names(new)
        if had is None or has is None:
            return True
        return had <= has and {*_passed_on(old)} <= {*_passed_on(new)}

    def gives(self, specifier: str, path: str, name: str) -> bool:
        """Return whether an imported name may exist, in the module to which the specifier resolves or as a submodule."""
        target = self.target(specifier, path)
        names = self.names(target) if target is not None else None
        if names is None or name in names or (name.startswith("__") and name.endswith("__")):
            return True
        facts = self.facts(path)
        inner = f"{specifier}{name}" if specifier.endswith(".") else f"{specifier}.{name}"
        return facts is not None and is_nominal(facts) and self.target(inner, path) is not None

    def sql_dialect(self, path: str) -> str:
        """Return the dialect of SQL that the settings state for a file; "" if they state none."""
        return self._dialects.of(path)

    def _read(self, path: str, data: bytes, language: str) -> FileFacts:
        dialect = self.sql_dialect(path)
        key = (language, dialect, data)
        if key not in self._parsed:
            known = self.stored.get(FactKey.of(sha256(data).hexdigest(), language, dialect)) if self.stored is not None else None
            self._parsed[key] = known or extract_facts(data, language, dialect, with_strings=False)
        return self._parsed[key]


def line_of(facts: FileFacts, position: int) -> int:
    """Return the line of an offset, from 1."""
    return bisect_right(int_array(facts.line_starts), position)


def imported_names(facts: FileFacts) -> frozenset[str]:
    """Return the names of a module of a nominal language that only imports declare."""
    if 0 not in facts.scopes:
        return frozenset()
    return frozenset(
        name
        for name, binding in facts.scopes[0].names.items()
        if all(facts.decls[decl].kind == DeclKind.IMPORT for decl in facts.bindings[binding].decls)
    )


def _own_names(facts: FileFacts) -> set[str] | None:
    """Return the names that a file itself exports; None if the file may export unknown names."""
    if facts.language not in MODULES or not facts.lines:
        return None
    if is_nominal(facts):
        names = set(facts.scopes[0].names) - {_ALL} if 0 in facts.scopes else set[str]()
        return None if "__getattr__" in names else names
    is_silent = not facts.exports and (facts.language not in _TYPED or bool(facts.problems))
    if is_silent or any(entry.name == _VALUE for entry in facts.exports):
        return None
    if any(scope.ambient for scope in facts.scopes.values()):
        return None
    return {entry.name for entry in facts.exports if entry.name != _ALL}


def _passed_on(facts: FileFacts) -> list[str]:
    """Return the specifiers of the modules whose names a file re-exports."""
    if is_nominal(facts):
        imports = NominalImports(facts)
        return [imports.specifiers[star] for star in sorted(imports.stars)]
    return [facts.imports[entry.source].specifier for entry in facts.exports if entry.name == _ALL and entry.source >= 0]
