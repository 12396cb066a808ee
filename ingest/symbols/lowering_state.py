"""The state of a lowering that every language needs: the growing tables of a file's facts, and the current symbol."""

from __future__ import annotations

from collections.abc import Sequence

from tree_sitter import Node

from ..facts.cells import int_cells
from ..facts.model import Binding, Decl, DeclKind, Expando, Export, FileFacts, Function, Import, Scope, Shape
from ..facts.operations import TAKES_CONTEXT
from .byte_ranges import between, decoded
from .states import ScopeState, SymbolState


class LoweringState:
    """The tables of a file under construction, and the current position.

    Each file has its own state, which is used once. A language may add its own tables.
    """

    #: Slots are declared for speed: an instance dictionary with more than thirty attributes is slow.
    __slots__ = (
        "_string_ids",
        "bindings",
        "calls",
        "code",
        "contexts",
        "data",
        "declared_by_signature",
        "decls",
        "exits",
        "expandos",
        "exports",
        "functions",
        "imports",
        "is_repaired",
        "joins_overloads",
        "language",
        "lists",
        "owners",
        "pending",
        "scope",
        "scopes",
        "shapes",
        "source",
        "strings",
        "symbol",
        "symbols",
    )

    def __init__(self, source: bytes, data: bytes, language: str, is_repaired: bool, joins_overloads: bool) -> None:
        self.source = source
        #: The bytes that were parsed: `source` with its repairs.
        self.data = data
        #: True if the tree may come from repaired source, in which gaps were filled or broken code was overwritten.
        self.is_repaired = is_repaired
        self.language = language
        #: Whether the symbol tree joins adjacent signatures of one name into one symbol, as for overloads in
        #: TypeScript.
        self.joins_overloads = joins_overloads
        #: Whether a joined symbol is declared at its first signature, as in Python's type checkers, and not at its
        #: implementation.
        self.declared_by_signature = False
        self.code: list[int] = []
        self.lists: list[int] = []
        self.strings: list[str] = []
        self._string_ids: dict[bytes, int] = {}
        self.owners: list[int] = [0, -1]
        self.symbols: list[SymbolState] = []
        self.decls: list[Decl] = []
        self.bindings: list[Binding] = []
        self.scopes: list[ScopeState] = [ScopeState(-1, 0)]
        self.shapes: list[Shape] = []
        self.functions: list[Function] = []
        self.imports: list[Import] = []
        self.exports: list[Export] = []
        self.expandos: list[Expando] = []
        self.calls: list[int] = []
        self.exits: list[int] = []
        self.contexts: dict[int, tuple[int, int, int]] = {}
        #: Names to bind when every declaration is known: node, scope, `Meaning`.
        self.pending: list[tuple[int, int, int]] = []
        self.scope = 0
        self.symbol = -1

    # ------------------------------------------------------------------ emission

    def emit(self, op: int, a: int, b: int, c: int, position: int) -> int:
        """Append a node and return its offset."""
        code = self.code
        offset = len(code)
        code += (op, a, b, c, position)
        return offset

    def list_of(self, items: Sequence[int]) -> int:
        """Append an operand list and return its index."""
        lists = self.lists
        index = len(lists)
        lists.append(len(items))
        lists += items
        return index

    def items(self, index: int) -> list[int]:
        """Return the operand list at an index; empty for -1."""
        return self.lists[index + 1 : index + 1 + self.lists[index]] if index >= 0 else []

    def string(self, text: bytes) -> int:
        """Return the index of a string in the file's table."""
        index = self._string_ids.get(text)
        if index is None:
            index = self._string_ids[text] = len(self.strings)
            self.strings.append(text.decode("utf-8", "replace"))
        return index

    def bytes_of(self, node: Node) -> bytes:
        """Return the bytes that a node was parsed from."""
        return between(self.data, node.start_byte, node.end_byte)

    def text(self, node: Node) -> str:
        """Return the source of a node."""
        return decoded(self.source, node.start_byte, node.end_byte)

    def expect(self, node: int, kind: int, a: int, b: int = -1) -> None:
        """Record the context of an expression whose type may depend on it."""
        if node >= 0 and self.code[node] in TAKES_CONTEXT:
            self.contexts[node] = (kind, a, b)

    # ------------------------------------------------------------------ scopes and symbols

    def open_scope(self, hoists: bool = False) -> int:
        """Enter a new scope and return the previous one, which `self.scope = …` restores."""
        outer = self.scope
        self.scope = len(self.scopes)
        self.scopes.append(ScopeState(outer, self.scope if hoists else self.scopes[outer].hoist))
        return outer

    def open_symbol(self, state: SymbolState) -> int:
        """Enter a symbol, to which the following nodes belong. `close_symbol` leaves it."""
        state.parent = self.symbol
        self.symbol = len(self.symbols)
        self.symbols.append(state)
        self.owners += (len(self.code), self.symbol)
        return self.symbol

    def close_symbol(self) -> None:
        """Leave the current symbol."""
        self.symbol = self.symbols[self.symbol].parent
        self.owners += (len(self.code), self.symbol)

    def own(self, symbol: int) -> int:
        """Make a symbol the owner of the following code, and return the previous owner."""
        before = self.symbol
        if symbol != before:
            self.symbol = symbol
            self.owners += (len(self.code), symbol)
        return before

    def owner_of(self, node: int) -> int:
        """Return the symbol that a node belongs to, or -1."""
        owners = self.owners
        low, high = 0, len(owners) // 2
        while high - low > 1:
            middle = (low + high) // 2
            if owners[2 * middle] <= node:
                low = middle
            else:
                high = middle
        return owners[2 * low + 1]

    def leaf_symbol(self, state: SymbolState) -> int:
        """Add a symbol without children and return its index."""
        state.parent = self.symbol
        self.symbols.append(state)
        return len(self.symbols) - 1

    def fill(self, facts: FileFacts) -> None:
        """Store the lowered code in the facts of the file, without symbols, chunks, imports and exports."""
        facts.code = int_cells(self.code)
        facts.lists = int_cells(self.lists)
        facts.strings = self.strings
        facts.owners = int_cells(self.owners)
        facts.decls = self.decls
        facts.bindings = self.bindings
        facts.scopes = self._scope_facts()
        facts.shapes = self.shapes
        facts.functions = self.functions
        facts.expandos = self.expandos
        facts.calls = self.calls
        facts.contexts = self.contexts
        facts.exits = self.exits

    def _scope_facts(self) -> dict[int, Scope]:
        """Return the scopes in which resolution looks for names, of the module, namespaces and ambient modules."""
        wanted = {0, *(decl.a for decl in self.decls if decl.kind == DeclKind.NAMESPACE)}
        return {
            index: Scope(state.names, state.exported, state.ambient, state.exports)
            for index, state in enumerate(self.scopes)
            if index in wanted or state.ambient
        }

    def kind_of(self, state: SymbolState) -> str:
        """Return the kind of a symbol in the facts. In some languages the kind is known only after the whole file is read."""
        return state.kind
