"""All edges of a repository, for all languages."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from ...schema.graph_content import GraphContent, joined
from ..facts.data import ModelQuery
from ..facts.faults import FAULTS, fault_in
from ..facts.given import Given, GivenLookup
from ..languages.typescript.queries import TypeScriptQueries
from ..languages.typescript.resolve.edges.edges import Edges, externals_of
from ..languages.typescript.resolve.engine import Engine
from ..languages.typescript.resolve.model.unit import Unit
from ..nominal.edges.edges import NominalEdges
from .document_edges import DocumentEdges
from .nominal_files import NominalFiles

_T = TypeVar("_T")


class RepositoryEdges:
    """Computes the edges of the files of a repository, for some files at a time and for each file once.

    TypeScript's engine resolves its own files, and computes the edges of imports for all languages. The engine for nominal
    languages resolves the files of these languages.
    """

    def __init__(
        self,
        engine: Engine,
        typescript: Edges,
        nominal: NominalFiles,
        documents: DocumentEdges | None = None,
        *,
        has_tables: bool = False,
    ) -> None:
        """Without `documents`, documents have no edges.

        `has_tables` is true if a file declares tables. Only then are the uses of tables by calls read.
        """
        self._has_tables = has_tables
        self._documents = documents
        self._engine = engine
        self._typescript = typescript
        self._nominal = nominal
        self._calls = TypeScriptQueries(engine, typescript.symbol_id)
        #: Ids of the externals of nominal languages that were already returned.
        self._known: set[str] = set()
        #: Uses of tables by calls of object mappers in each file, by path, once its calls are resolved.
        self._queries: dict[str, list[ModelQuery]] = {}
        #: Faults outside of the engines, each with its file.
        self._faults: list[str] = []

    @property
    def units(self) -> list[Unit]:
        """All files of the program, as TypeScript's engine sees them."""
        return self._engine.program.units

    @property
    def faults(self) -> list[str]:
        """Queries that failed because of a fault in Astrolabe, each with its file."""
        return [*self._engine.faults, *self._nominal.faults, *self._faults]

    def size_of(self, unit: Unit) -> int:
        """Return the length of a file's syntax table. The length predicts how long the resolution of the file takes."""
        return next((len(whole.code) for _, whole in self._nominal_among((unit,))), len(unit.code))

    def infers(self, units: Sequence[Unit]) -> bool:
        """Return whether types of parameters in some files may be inferred from call sites."""
        return any(edges.arguments.is_used for edges, _ in self._nominal_among(units))

    def given_by(self, units: Sequence[Unit], received: GivenLookup | None) -> dict[str, Given]:
        """Return the arguments that the call sites of some files pass to parameters, by path of the file.

        `received` are the arguments of all files in the round before, None in the first round.
        """
        return {
            whole.path: edges.arguments.given_by(whole, received)
            for edges, whole in self._nominal_among(units)
            if edges.arguments.is_used
        }

    def receive(self, given: GivenLookup) -> None:
        """Set the types of parameters without annotation to the types of the arguments in the last round."""
        self._nominal.receive(given)

    def sources_of(self, units: Sequence[Unit]) -> dict[str, list[str]]:
        """Return, by path of a file, the paths of the other files from which its inferred types were read."""
        return {
            whole.path: edges.arguments.sources_of(whole.path)
            for edges, whole in self._nominal_among(units)
            if edges.arguments.is_used
        }

    def queries_of(self, units: Sequence[Unit]) -> dict[str, list[ModelQuery]]:
        """Return the uses of tables by calls of object mappers in some files, by path. The calls of these files must be resolved
        first.
        """
        return {unit.path: self._queries[unit.path] for unit in units if unit.path in self._queries}

    def of_names(self, units: Sequence[Unit]) -> GraphContent:
        """Return the edges that need few types: imports, exports, heritage and overrides, and all edges of documents."""
        found = [self._typescript.of_names(units)]
        found += [self._answer(whole, edges.of_names, GraphContent()) for edges, whole in self._nominal_among(units)]
        documents = self._documents
        if documents is not None:
            found += [self._answer(unit, lambda each: documents.of(each.path), GraphContent()) for unit in units]
        return self._with_externals(found)

    def of_annotations(self, units: Sequence[Unit]) -> GraphContent:
        """Return the type flow of TypeScript's annotations, which is stored together with the type flow of inferred types.

        In nominal languages, annotations are expressions of any kind. They are resolved with the constructs, so that the copies
        of this process share the work.
        """
        return self._typescript.of_annotations(units)

    def of_calls(self, units: Sequence[Unit], progress: Callable[[int], None]) -> GraphContent:
        """Return the edges of calls and references in some files; `progress` gets the number of finished files."""
        others = self._others(units)
        none: list[ModelQuery] = []
        found = [self._typescript.of_calls(others, progress)]
        for unit in others if self._has_tables else ():
            if queries := self._answer(unit, self._calls.of, none):
                self._queries[unit.path] = queries
        for done, (edges, whole) in enumerate(self._nominal_among(units), len(others) + 1):
            found.append(self._answer(whole, edges.of_calls, GraphContent()))
            if self._has_tables and (queries := self._answer(whole, edges.queries_of, none)):
                self._queries[whole.path] = queries
            progress(done)
        return self._with_externals(found)

    def of_constructs(self, units: Sequence[Unit]) -> GraphContent:
        """Return type checks, callbacks, functions that take functions, and inferred type flow.

        The calls of the files must be resolved first, so that these queries do not change the order in which types are computed.
        """
        found = [self._typescript.of_constructs(self._others(units))]
        for edges, whole in self._nominal_among(units):
            found += [self._answer(whole, each, GraphContent()) for each in (edges.of_annotations, edges.of_constructs)]
        return joined(found)

    def release(self) -> None:
        """Free all memory of the engines. Afterwards no edges can be computed."""
        self._typescript.release()
        self._nominal.release()

    def _answer(self, unit: Unit, query: Callable[[Unit], _T], nothing: _T) -> _T:
        """Return what a query finds in a file; `nothing` if it fails, which is noted as a fault."""
        try:
            return query(unit)
        except FAULTS as fault:
            self._faults.append(fault_in(unit.path, fault))
            return nothing

    def _nominal_among(self, units: Sequence[Unit]) -> Iterator[tuple[NominalEdges, Unit]]:
        """Yield the files of nominal languages with their code, and the object that computes their edges."""
        for unit in units:
            edges = self._nominal.edges_of(unit.facts.language)
            whole = self._nominal.unit_at(unit.path) if edges is not None else None
            if edges is not None and whole is not None:
                yield edges, whole

    def _others(self, units: Sequence[Unit]) -> list[Unit]:
        return [unit for unit in units if self._nominal.edges_of(unit.facts.language) is None]

    def _with_externals(self, found: list[GraphContent]) -> GraphContent:
        """Join the results of both engines; externals of the second engine are included only if they were not returned before."""
        if len(found) == 1:
            return found[0]
        second = joined(found[1:])
        new = [each for each in externals_of(second) if each.id not in self._known]
        self._known.update(each.id for each in new)
        return joined([found[0], second, GraphContent(externals=new)])
