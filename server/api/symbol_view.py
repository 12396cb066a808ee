"""A symbol of a workspace in the Python API: the answer of its lookup, and a method for each analysis."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

from .requests.search_results import IndexState, ResultList

if TYPE_CHECKING:
    from ...graphdb.database import GraphDatabase
    from ...retrieval.analyses.advanced_types import AdvancedType
    from ...retrieval.analyses.aliases import Aliases
    from ...retrieval.analyses.call_hierarchy import CallHierarchy
    from ...retrieval.analyses.callbacks import Callbacks, GuardCallbacks
    from ...retrieval.analyses.enum_members import EnumMembers
    from ...retrieval.analyses.exports import SymbolExports
    from ...retrieval.analyses.impact import Impact
    from ...retrieval.analyses.members import Members
    from ...retrieval.analyses.references import References
    from ...retrieval.analyses.signature import SignatureInfo
    from ...retrieval.analyses.subject import Subject
    from ...retrieval.analyses.type_flows import TypeFlows
    from ...retrieval.analyses.type_guards import TypeGuards
    from ...retrieval.analyses.type_hierarchy import RelatedTypes, TypeHierarchy
    from ...retrieval.answers.answer import SearchAnswer
    from ..stores.readers import Readers
    from .requests.search_results import SearchResults
    from .scopes.kinds import SymbolScope
    from .workspace import Workspace

Answer = TypeVar("Answer")


class SymbolView(ResultList):
    """The symbol that a symbol path names. Each call uses an up-to-date index.

    This object is also the result list of the lookup, with connections and source, which is computed on first use. An empty
    analysis gives the reason in `nothing`.
    """

    def __init__(self, workspace: Workspace, path: str) -> None:
        self._workspace = workspace
        self._path = path
        #: Ids of the declarations, which the first analysis sets.
        self._ids: tuple[str, ...] = ()

    @property
    def scope(self) -> SymbolScope:
        """The declarations of this name as a scope, for steps and filters."""
        return self._workspace.repo().symbol(self._path)

    def callers(self, depth: int = 1) -> CallHierarchy:
        """Return the callers of the symbol, up to `depth` hops; -1 means no limit. Constructing a class counts as a call."""
        from ...retrieval.analyses.call_hierarchy import callers

        return self._ask(lambda graph, subject: callers(graph, subject, depth))

    def callees(self, depth: int = 1) -> CallHierarchy:
        """Return the callees of the symbol, up to `depth` hops; -1 means no limit."""
        from ...retrieval.analyses.call_hierarchy import callees

        return self._ask(lambda graph, subject: callees(graph, subject, depth))

    def references(self) -> References:
        """Return the uses of the symbol by file, with line, column and role."""
        from ...retrieval.analyses.references import references

        return self._ask(references)

    def type_hierarchy(self) -> TypeHierarchy:
        """Return base types and derived types of a class or interface, and its type parameters."""
        from ...retrieval.analyses.type_hierarchy import type_hierarchy

        return self._ask(type_hierarchy)

    def supertypes(self, depth: int = -1) -> RelatedTypes:
        """Return the types that a class or interface extends and implements, nearest first; `depth` -1 means no limit."""
        from ...retrieval.analyses.type_hierarchy import supertypes

        return self._ask(lambda graph, subject: supertypes(graph, subject, depth))

    def subtypes(self, depth: int = -1) -> RelatedTypes:
        """Return the types that extend and implement a class or interface, nearest first; `depth` -1 means no limit."""
        from ...retrieval.analyses.type_hierarchy import subtypes

        return self._ask(lambda graph, subject: subtypes(graph, subject, depth))

    def members(self) -> Members:
        """Return the members in source order, with kinds, types and modifiers."""
        from ...retrieval.analyses.members import members

        return self._ask(members)

    def signature(self) -> SignatureInfo:
        """Return the signature and the modifiers of each declaration."""
        from ...retrieval.analyses.signature import signature_of

        return self._ask(lambda graph, subject: signature_of(subject))

    def exports(self) -> SymbolExports:
        """Return the files that export the symbol, with the exported names."""
        from ...retrieval.analyses.exports import exports

        return self._ask(exports)

    def type_guards(self) -> TypeGuards:
        """Return the type checks in the code of the symbol and, for a type guard, its predicate."""
        from ...retrieval.analyses.type_guards import type_guards

        return self._ask(type_guards)

    def type_flows(self) -> TypeFlows:
        """Return the types of a function's parameters and of its result."""
        from ...retrieval.analyses.type_flows import type_flows

        return self._ask(type_flows)

    def advanced_type(self, depth: int = 1) -> AdvancedType:
        """Return the parts of a type alias. With `depth` 1, these are the direct parts; -1 means no limit."""
        from ...retrieval.analyses.advanced_types import advanced_type

        return self._ask(lambda graph, subject: advanced_type(graph, subject, depth))

    def enum_members(self) -> EnumMembers:
        """Return the members of an enum with their values."""
        from ...retrieval.analyses.enum_members import enum_members

        return self._ask(enum_members)

    def callbacks(self) -> Callbacks:
        """Return the sites where the function is passed as a callback, the functions that it receives, and whether it returns a
        function.
        """
        from ...retrieval.analyses.callbacks import callbacks

        return self._ask(callbacks)

    def guard_callbacks(self) -> GuardCallbacks:
        """Return the calls that receive a type guard, with the narrowed types, or the parameters that are type guards."""
        from ...retrieval.analyses.callbacks import guard_callbacks

        return self._ask(guard_callbacks)

    def aliases(self) -> Aliases:
        """Return the other names of the symbol (renamed imports and exports, defaults, namespace imports) with their chains."""
        from ...retrieval.analyses.aliases import aliases

        return self._ask(aliases)

    def impact(self, depth: int = 3) -> Impact:
        """Return the symbols, files and modules that a change may affect within `depth` hops (-1: no limit), and the risk."""
        from ...retrieval.analyses.impact import impact

        return self._ask(lambda graph, subject: impact(graph, subject, depth))

    def subject(self) -> Subject:
        """Return the declarations of the symbol, or the reason why there are none."""
        return self._ask(lambda graph, subject: subject)

    @property
    def answer(self) -> SearchAnswer:
        """The answer of the lookup."""
        return self._lookup.answer

    @property
    def index(self) -> IndexState:
        """The state of the index."""
        return self._lookup.index

    def __repr__(self) -> str:
        return f"<symbol {self._path!r} of {self._workspace!r}>"

    @cached_property
    def _lookup(self) -> SearchResults:
        return self._workspace.search(f"symbol = {self._path}")

    def _ask(self, analysis: Callable[[GraphDatabase, Subject], Answer]) -> Answer:
        """Run an analysis of the symbol in the current index."""
        return self._workspace.analyse(lambda readers: analysis(readers.graph, self._find(readers)))

    def _find(self, readers: Readers) -> Subject:
        """Find the symbol by its path in the first call, and by its id in later calls, because ids survive edits."""
        from ...retrieval.analyses.finding import find_subject, subject_of_ids

        known = subject_of_ids(readers.graph, self._path, self._ids) if self._ids else None
        if known is None:
            known = find_subject(readers.graph, self._path, readers.generation.manifest.excluded)
            self._ids = tuple(known.ids)
        return known
