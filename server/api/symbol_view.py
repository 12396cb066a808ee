"""A symbol of a workspace as Python sees it: the answer of the lookup, and every analysis of the symbol as a method."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

from .search_results import IndexState, ResultList

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
    from .search_results import SearchResults
    from .workspace import Workspace

Answer = TypeVar("Answer")


class SymbolView(ResultList):
    """What a symbol path names. Each request is answered from the fresh index, like every other.

    As search results it is the lookup's answer, with connections and source, which is made when it is first looked at.
    An analysis that finds nothing says in `nothing` which kind of nothing that is.
    """

    def __init__(self, workspace: Workspace, path: str) -> None:
        self._workspace = workspace
        self._path = path
        #: Ids of its declarations, once an analysis has found them.
        self._ids: tuple[str, ...] = ()

    def callers(self, depth: int = 1) -> CallHierarchy:
        """What calls it, and what calls that, for `depth` hops; -1 follows all. Who constructs a class calls it."""
        from ...retrieval.analyses.call_hierarchy import callers

        return self._ask(lambda graph, subject: callers(graph, subject, depth))

    def callees(self, depth: int = 1) -> CallHierarchy:
        """What it calls, and what that calls, for `depth` hops; -1 follows all."""
        from ...retrieval.analyses.call_hierarchy import callees

        return self._ask(lambda graph, subject: callees(graph, subject, depth))

    def references(self) -> References:
        """Where it is used: by file, with line, column and role."""
        from ...retrieval.analyses.references import references

        return self._ask(references)

    def type_hierarchy(self) -> TypeHierarchy:
        """What a class or interface extends and implements, what extends and implements it, and its type parameters."""
        from ...retrieval.analyses.type_hierarchy import type_hierarchy

        return self._ask(type_hierarchy)

    def supertypes(self, depth: int = -1) -> RelatedTypes:
        """All that a class or interface extends and implements, nearest first."""
        from ...retrieval.analyses.type_hierarchy import supertypes

        return self._ask(lambda graph, subject: supertypes(graph, subject, depth))

    def subtypes(self, depth: int = -1) -> RelatedTypes:
        """All that extends and implements a class or interface, nearest first."""
        from ...retrieval.analyses.type_hierarchy import subtypes

        return self._ask(lambda graph, subject: subtypes(graph, subject, depth))

    def members(self) -> Members:
        """Its members in source order, with kinds, types and modifiers."""
        from ...retrieval.analyses.members import members

        return self._ask(members)

    def signature(self) -> SignatureInfo:
        """Its signature and modifiers, for each of its declarations."""
        from ...retrieval.analyses.signature import signature_of

        return self._ask(lambda graph, subject: signature_of(subject))

    def exports(self) -> SymbolExports:
        """Under which names which files offer it."""
        from ...retrieval.analyses.exports import exports

        return self._ask(exports)

    def type_guards(self) -> TypeGuards:
        """Where its code checks types, and what its own result tells of them if it is a type guard."""
        from ...retrieval.analyses.type_guards import type_guards

        return self._ask(type_guards)

    def type_flows(self) -> TypeFlows:
        """Which types go into a function through its parameters, and which come out."""
        from ...retrieval.analyses.type_flows import type_flows

        return self._ask(type_flows)

    def advanced_type(self, depth: int = 1) -> AdvancedType:
        """What a type alias is made of. `depth` 1 tells its parts, each further level theirs; -1 all."""
        from ...retrieval.analyses.advanced_types import advanced_type

        return self._ask(lambda graph, subject: advanced_type(graph, subject, depth))

    def enum_members(self) -> EnumMembers:
        """The members of an enum with their values."""
        from ...retrieval.analyses.enum_members import enum_members

        return self._ask(enum_members)

    def callbacks(self) -> Callbacks:
        """Where it is handed on as a callback, which functions it takes, and whether it gives one back."""
        from ...retrieval.analyses.callbacks import callbacks

        return self._ask(callbacks)

    def guard_callbacks(self) -> GuardCallbacks:
        """Where a type guard is handed on and what it narrows there, or which parameters take type guards."""
        from ...retrieval.analyses.callbacks import guard_callbacks

        return self._ask(guard_callbacks)

    def aliases(self) -> Aliases:
        """Its other names: renamed imports and exports, defaults, whole-module imports, with the chain of names to each."""
        from ...retrieval.analyses.aliases import aliases

        return self._ask(aliases)

    def impact(self, depth: int = 3) -> Impact:
        """What a change of it may affect over `depth` hops (-1: all), by symbol, file and module, and how risky the change is."""
        from ...retrieval.analyses.impact import impact

        return self._ask(lambda graph, subject: impact(graph, subject, depth))

    def subject(self) -> Subject:
        """The symbol itself: its declarations, or why there is none."""
        return self._ask(lambda graph, subject: subject)

    @property
    def answer(self) -> SearchAnswer:
        """The lookup's answer."""
        return self._lookup.answer

    @property
    def index(self) -> IndexState:
        """The index that the lookup's answer came from."""
        return self._lookup.index

    def __repr__(self) -> str:
        return f"<symbol {self._path!r} of {self._workspace!r}>"

    @cached_property
    def _lookup(self) -> SearchResults:
        return self._workspace.search(f"symbol = {self._path}")

    def _ask(self, analysis: Callable[[GraphDatabase, Subject], Answer]) -> Answer:
        """Runs an analysis on the symbol, as it is in the index by now."""
        return self._workspace.analyse(lambda readers: analysis(readers.graph, self._find(readers)))

    def _find(self, readers: Readers) -> Subject:
        """The ids of a symbol outlive edits, so that it is looked up by its path once."""
        from ...retrieval.analyses.finding import find_subject, subject_of_ids

        known = subject_of_ids(readers.graph, self._path, self._ids) if self._ids else None
        if known is None:
            known = find_subject(readers.graph, self._path, readers.generation.manifest.excluded)
            self._ids = tuple(known.ids)
        return known
