"""Records with the graph data of results.

`result_reader.py` fills these records, and the connection graph is a pure function of them.
"""

from __future__ import annotations

from dataclasses import dataclass

from ...schema.symbol_kinds import CALLABLE_KINDS


@dataclass(frozen=True, slots=True)
class GraphSymbol:
    """A symbol with the label that answers use."""

    id: str
    #: Names of the enclosing symbols, outermost first, and of the symbol, joined by ".".
    label: str
    path: str
    kind: str


@dataclass(frozen=True, slots=True)
class Use:
    """A call or another reference from a result to a symbol."""

    target: GraphSymbol
    #: The innermost result that is or contains the target; None if the target is outside of the results.
    result_id: str | None
    is_call: bool
    #: Line of the first use.
    line: int
    column: int = 0


@dataclass(frozen=True, slots=True)
class ExternalUse:
    """A call of an external, with the name that the source uses: `jwt.verify`."""

    label: str
    #: Line of the first call.
    line: int
    column: int = 0


@dataclass(frozen=True, slots=True)
class TypeName:
    """A type in a signature or a heritage clause."""

    name: str
    #: Path of the type's file, or name of its package. For a parameter of a primitive type, the written type. "" if unknown.
    origin: str
    #: Id of the type's declaration; "" outside the repository.
    id: str = ""


@dataclass(frozen=True, slots=True)
class CallNode:
    """A symbol in a call tree with its callees; in a tree of callers, with its callers."""

    symbol: GraphSymbol
    children: tuple[CallNode, ...] = ()
    #: Whether the branch ends here because it already contains the symbol.
    is_cycle: bool = False
    #: Whether the symbol has further calls that are not in the tree.
    is_limited: bool = False


@dataclass(frozen=True, slots=True)
class UnresolvedSites:
    """Unresolved call sites of a name. Each may call the symbol with that name."""

    name: str
    sites: int
    #: Number of symbols that contain the call sites.
    callers: int


@dataclass(frozen=True, slots=True)
class ResultStructure:
    """Graph data of one result."""

    symbol: GraphSymbol
    #: In a notebook, the cell and line of the symbol; path and line if another result has the same label and path; else "".
    place: str = ""
    modifiers: tuple[str, ...] = ()
    exported: bool = False
    #: Number of files that refer to the result, including its own file.
    reference_files: int = 0
    signature: str = ""
    extends: tuple[TypeName, ...] = ()
    implements: tuple[TypeName, ...] = ()
    #: Uses of other symbols, one for each target.
    uses: tuple[Use, ...] = ()
    external_uses: tuple[ExternalUse, ...] = ()
    callers: tuple[GraphSymbol, ...] = ()
    #: Callees over several hops; empty for a single hop.
    call_tree: tuple[CallNode, ...] = ()
    caller_tree: tuple[CallNode, ...] = ()
    types_in: tuple[TypeName, ...] = ()
    types_out: tuple[TypeName, ...] = ()
    #: Members as the text lists them: `getSecret()`, `expiry`.
    members: tuple[str, ...] = ()
    #: Type and value of a constant: `number (value: 3600)`.
    value: str = ""
    #: State of a table or a column after all migrations; "" for other symbols.
    state: str = ""
    unresolved: UnresolvedSites | None = None

    @property
    def is_callable(self) -> bool:
        """Whether the result can be called."""
        return self.symbol.kind in CALLABLE_KINDS
