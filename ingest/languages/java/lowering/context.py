"""The state of a lowering of Java: scopes, and the symbol and type that code belongs to."""

from __future__ import annotations

from typing import Final

import msgspec
from tree_sitter import Node

from ....facts.model import Binding, Decl, FileFacts, Meaning, Op, Use
from ....symbols.byte_ranges import decoded
from ....symbols.lowering_state import LoweringState

#: Kinds of symbols that stand for statements and not for a name.
_NAMELESS: Final = frozenset(("expression", "import", "comment"))


class JavaScope(msgspec.Struct):
    """A scope while its code is lowered: variables and types have names of their own."""

    #: Bindings of variables by name, and those of types.
    names: dict[str, int]
    types: dict[str, int]
    parent: JavaScope | None


class JavaContext(LoweringState):
    """The lowering of one Java file."""

    __slots__ = ("digest", "package", "returns", "shape", "symbol_places", "visible")

    def __init__(self, around: LoweringState) -> None:
        """Share the symbols of `around`."""
        super().__init__(around.source, around.data, around.language, around.mended, around.joins_overloads)
        self.symbols = around.symbols
        self.symbol_places = {
            state.name_position: index for index, state in enumerate(self.symbols) if state.kind not in _NAMELESS
        }
        self.package = ""
        self.digest = b""
        #: What the function around the current place returns, or None where it returns nothing.
        self.returns: list[int] | None = None
        #: The innermost type around the current place, -1 outside of types.
        self.shape = -1
        self.visible: JavaScope = JavaScope({}, {}, None)

    def fill(self, facts: FileFacts) -> None:
        """Put what was lowered into the facts of the file, with its package."""
        super().fill(facts)
        facts.package = self.package or "(default)"
        facts.package_names = facts.package_types = self.digest

    def name_of(self, node: Node) -> str:
        """Return the text of a node, which is a name."""
        return decoded(self.data, node.start_byte, node.end_byte)

    # ------------------------------------------------------------------ scopes

    def enter(self) -> JavaScope:
        """Enter a scope and return the one around it; `visible = …` leaves it."""
        outer = self.visible
        self.visible = JavaScope({}, {}, outer)
        return outer

    def find(self, name: str) -> int:
        """Return the binding of the variable that a name means here, -1 for one that no scope inside of types declares."""
        scope: JavaScope | None = self.visible
        while scope is not None:
            found = scope.names.get(name)
            if found is not None:
                return found
            scope = scope.parent
        return -1

    def find_type(self, name: str) -> int:
        """Return the binding of the type that a name means here, -1 for one that the file does not declare."""
        scope: JavaScope | None = self.visible
        while scope is not None:
            found = scope.types.get(name)
            if found is not None:
                return found
            scope = scope.parent
        return -1

    def add_declaration(self, kind: int, name: str, a: int, b: int, c: int, position: int) -> int:
        """Add a declaration that no scope knows, such as that of a method, and return it."""
        self.decls.append(Decl(kind, name, self.symbol_places.get(position, -1), a, b, c, position))
        return len(self.decls) - 1

    def declare(self, kind: int, name: str, a: int, b: int, c: int, position: int) -> int:
        """Declare a variable in the innermost scope, in place of one of that name, and return the declaration."""
        index = self.add_declaration(kind, name, a, b, c, position)
        self.bindings.append(Binding(name, Meaning.VALUE, [index], 0, []))
        self.visible.names[name] = len(self.bindings) - 1
        return index

    def declare_type(self, kind: int, name: str, a: int, position: int) -> int:
        """Declare a type or a type parameter in the innermost scope, and return the declaration."""
        index = self.add_declaration(kind, name, a, -1, -1, position)
        self.bindings.append(Binding(name, Meaning.TYPE, [index], 0, []))
        self.visible.types[name] = len(self.bindings) - 1
        return index

    # ------------------------------------------------------------------ code

    def name(self, node: Node, use: int = Use.READ) -> int:
        """Emit the use of a variable, or of a name that members of the types around or other files declare."""
        text = self.name_of(node)
        binding = self.find(text)
        if binding >= 0:
            return self.emit(Op.NAME, binding, self.string(text.encode()), use, node.start_byte)
        return self.emit(Op.LEXICAL, self.shape, self.string(text.encode()), use, node.start_byte)

    def type_name(self, node: Node) -> int:
        """Emit the use of a type by its simple name."""
        text = self.name_of(node)
        binding = self.find_type(text)
        if binding >= 0:
            return self.emit(Op.NAME, binding, self.string(text.encode()), Use.TYPE, node.start_byte)
        return self.emit(Op.LEXICAL, self.shape, self.string(text.encode()), Use.TYPE, node.start_byte)
