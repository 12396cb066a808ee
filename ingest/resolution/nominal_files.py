"""The files of a repository that the engine for nominal languages resolves."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from ...schema.languages import language_of
from ...schema.paths import parent_of
from ..facts.cache import FactReader
from ..facts.given import GivenLookup
from ..facts.model import FileFacts, without_code
from ..files.workspace_files import WorkspaceFiles
from ..languages.base import Language
from ..languages.framework_rules.wiring import WiringRules
from ..languages.installed_files import InstalledFiles
from ..languages.registry import is_nominal
from ..languages.registry import language as language_named
from ..languages.typescript.resolve.model.unit import SymbolIds, Unit
from ..nominal.edges.edges import NominalEdges
from ..nominal.engine import NominalEngine
from ..nominal.program import NominalProgram, Resolve


def outline_of(facts: FileFacts) -> FileFacts:
    """Return the facts of a file as the TypeScript engine needs them: without code if the language is nominal."""
    return without_code(facts) if facts.code and is_nominal(facts) else facts


class InstalledPackages(NamedTuple):
    """Finds and reads files of installed packages."""

    files: WorkspaceFiles
    installed: InstalledFiles


class NominalFiles:
    """Files with their code, and the edges of each language. Each file is read when it is first needed."""

    def __init__(
        self,
        places: Mapping[str, int],
        facts_at: Callable[[str], FileFacts],
        resolve: Resolve,
        symbol_id: SymbolIds,
        cache: FactReader | None,
        packages: InstalledPackages | None = None,
    ) -> None:
        """`places` numbers all files of the repository by their path, and `facts_at` returns the facts of each.

        Without `packages`, installed packages stay unknown.
        """
        self._packages = packages
        self._cache = cache
        self._places = places
        self._facts_at = facts_at
        self._resolve = resolve
        self._symbol_id = symbol_id
        self._units: dict[str, Unit] = {}
        #: Paths of the files in each folder, computed on first use.
        self._folders: dict[str, list[str]] | None = None
        #: The engine and the edges of each language, by the name of the language.
        self._engines: dict[str, NominalEngine] = {}
        self._edges: dict[str, NominalEdges] = {}
        #: Arguments from call sites, once they are known.
        self._given: GivenLookup | None = None

    def unit_at(self, path: str) -> Unit | None:
        """Return a file with its code, or None if the repository has no such file."""
        if path not in self._units:
            if path not in self._places:
                return None
            self._units[path] = Unit(self._places[path], path, self._facts_at(path))
        return self._units[path]

    def _beside(self, path: str) -> Sequence[str]:
        """Return the paths of the files in the folder of a file."""
        if self._folders is None:
            self._folders = {}
            for each in self._places:
                self._folders.setdefault(parent_of(each), []).append(each)
        return self._folders.get(parent_of(path), ())

    def _paths_of(self, language: str) -> list[str]:
        return [path for path in self._places if language_of(path) == language]

    def edges_of(self, language: str) -> NominalEdges | None:
        """Return the object that computes the edges of a language; None for a language without the nominal engine."""
        if language not in self._edges:
            named = language_named(language)
            if named.nominal is None:
                return None
            packages = named.nominal.packages(*self._packages) if self._packages is not None else None
            program = NominalProgram(
                self.unit_at,
                self._resolve,
                named.nominal,
                self._cache,
                self._wiring(named),
                self._beside,
                lambda: self._paths_of(language),
                packages,
                named.queries,
                named.nominal.generated_names(self._packages[0]) if self._packages is not None else None,
            )
            engine = NominalEngine(program)
            self._engines[language] = engine
            self._edges[language] = NominalEdges(engine, self._symbol_id)
            if self._given is not None:
                self._edges[language].arguments.receive(self._given)
        return self._edges[language]

    def _wiring(self, language: Language) -> WiringRules | None:
        """Return the rules of the frameworks of a language, with what the manifests of the workspace say."""
        if language.wiring is None or self._packages is None:
            return language.wiring
        return language.wiring.of_workspace(self._packages.files)

    def engine_of(self, language: str) -> NominalEngine | None:
        """Return the nominal engine of a language, or None if the language has another engine or none."""
        self.edges_of(language)
        return self._engines.get(language)

    def prepare(self, units: Sequence[Unit]) -> None:
        """Read the files of the runtime and of installed packages that some files import, once for all copies of this process.

        After this call, the cache of facts on disk is not read again. Raises `StoreError`.
        """
        imports: dict[str, list[tuple[str, str]]] = {}
        for unit in units:
            if self.edges_of(unit.facts.language) is not None:
                found = imports.setdefault(unit.facts.language, [])
                found += [(entry.specifier, unit.path) for entry in unit.facts.imports if not entry.is_inner]
        for language, named in imports.items():
            program = self._engines[language].program
            program.read_packages(named)
            program.read_runtime(sorted({specifier for specifier, _ in named}))

    def receive(self, given: GivenLookup) -> None:
        """Set the types of parameters without annotation to the types of the arguments at call sites."""
        self._given = given
        for edges in self._edges.values():
            edges.arguments.receive(given)

    @property
    def faults(self) -> list[str]:
        """Type queries that failed, each with its file."""
        return [fault for engine in self._engines.values() for fault in engine.faults]

    def release(self) -> None:
        """Free the memory of the engines. Afterwards no edges can be computed."""
        for engine in self._engines.values():
            engine.release()
        self._edges.clear()
        self._engines.clear()
        self._units.clear()
