"""The state of a lowering that all nominal languages share."""

from __future__ import annotations

from typing import Final

from tree_sitter import Node

from ..facts.model import Decl
from .byte_ranges import decoded
from .lowering_state import LoweringState

#: Kinds of symbols for statements without a name.
_NAMELESS: Final = frozenset(("expression", "import", "comment"))


class NominalState(LoweringState):
    """The lowering of one file whose symbols are already known. Each language adds its scopes."""

    __slots__ = ("symbol_places",)

    def __init__(self, around: LoweringState) -> None:
        """Share the symbols of `around`."""
        super().__init__(around.source, around.data, around.language, around.is_repaired, around.joins_overloads)
        self.symbols = around.symbols
        self.symbol_places = {
            state.name_position: index for index, state in enumerate(self.symbols) if state.kind not in _NAMELESS
        }

    def name_of(self, node: Node) -> str:
        """Return the text of a node that is a name. `Node.text` is slower, and crashes on a full stack."""
        return decoded(self.data, node.start_byte, node.end_byte)

    def add_declaration(self, kind: int, name: str, a: int, b: int, c: int, position: int) -> int:
        """Add a declaration without a scope, such as a method, and return it."""
        self.decls.append(Decl(kind, name, self.symbol_places.get(position, -1), a, b, c, position))
        return len(self.decls) - 1
