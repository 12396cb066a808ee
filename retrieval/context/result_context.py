"""Data of a result besides its source: the records from which the connection graph is written.

They are plain data: `enrichment.py` fills them from the graph, and the text is a pure function of them.
"""

from __future__ import annotations

from dataclasses import dataclass

from ...schema.symbol_kinds import CALLABLE_KINDS


@dataclass(frozen=True, slots=True)
class GraphSymbol:
    """A symbol as an answer names it."""

    id: str
    #: Names from the file's root down, joined by ".".
    label: str
    path: str
    kind: str


@dataclass(frozen=True, slots=True)
class Use:
    """A call or other reference that goes out from a result."""

    target: GraphSymbol
    #: The innermost result that is, or contains, the target; None if it is outside of the results.
    result_id: str | None
    is_call: bool
    #: Of its first site.
    line: int
    column: int = 0


@dataclass(frozen=True, slots=True)
class ExternalUse:
    """A call of something outside the repository, as the source names it: `jwt.verify`."""

    label: str
    #: Of its first site.
    line: int
    column: int = 0


@dataclass(frozen=True, slots=True)
class TypeName:
    """A type in a signature or a heritage clause."""

    name: str
    #: Path of its file, name of its package, or for a parameter of a plain type that type as it is written; "" if unknown.
    origin: str
    #: Id of its declaration; "" outside the repository.
    id: str = ""


@dataclass(frozen=True, slots=True)
class CallNode:
    """A symbol in a call tree, and its callees (or, in a tree of callers, its callers)."""

    symbol: GraphSymbol
    children: tuple[CallNode, ...] = ()
    #: Whether it also occurs above itself in this branch, so that the branch ends here.
    is_cycle: bool = False
    #: It has further calls beyond the depth that was asked for.
    is_limited: bool = False


@dataclass(frozen=True, slots=True)
class UnresolvedSites:
    """Call sites of a name whose declaration is not known; any of them may call the symbol with that name."""

    name: str
    sites: int
    #: Symbols that hold the sites.
    callers: int


@dataclass(frozen=True, slots=True)
class ResultStructure:
    """One result and its place in the graph."""

    symbol: GraphSymbol
    #: Path and line, where another result has the same label and path; else "".
    place: str = ""
    modifiers: tuple[str, ...] = ()
    exported: bool = False
    #: Files that refer to it, its own included.
    reference_files: int = 0
    signature: str = ""
    extends: tuple[TypeName, ...] = ()
    implements: tuple[TypeName, ...] = ()
    #: In source order, each target once.
    uses: tuple[Use, ...] = ()
    external_uses: tuple[ExternalUse, ...] = ()
    callers: tuple[GraphSymbol, ...] = ()
    #: Empty unless more than one hop was asked for.
    call_tree: tuple[CallNode, ...] = ()
    caller_tree: tuple[CallNode, ...] = ()
    types_in: tuple[TypeName, ...] = ()
    types_out: tuple[TypeName, ...] = ()
    #: As they are listed: `getSecret()`, `expiry`.
    members: tuple[str, ...] = ()
    #: Of a constant: `number (value: 3600)`.
    value: str = ""
    unresolved: UnresolvedSites | None = None

    @property
    def is_callable(self) -> bool:
        """Whether it runs code when it is called."""
        return self.symbol.kind in CALLABLE_KINDS
