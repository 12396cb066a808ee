"""The state of a lowering of Java: scopes, the current symbol and the current type."""

from __future__ import annotations

import msgspec
from tree_sitter import Node

from ....facts.model import Binding, FileFacts, Meaning, PackageName
from ....facts.operations import Op, Use
from ....symbols.lowering_state import LoweringState
from ....symbols.nominal_state import NominalState


class JavaScope(msgspec.Struct):
    """A scope while its code is lowered. Variables and types have separate namespaces."""

    #: Bindings of variables and of types, by name.
    names: dict[str, int]
    types: dict[str, int]
    parent: JavaScope | None


class JavaContext(NominalState):
    """The lowering of one Java file."""

    __slots__ = ("digest", "imported", "local_types", "lombok", "package", "package_declared", "returns", "shape", "visible")

    def __init__(self, around: LoweringState) -> None:
        """Share the symbols of the lowering state `around`."""
        super().__init__(around)
        self.package = ""
        #: Digest of the parts on which all files may depend.
        self.digest = b""
        #: The declarations that only matter to files with their names.
        self.package_declared: list[PackageName] = []
        #: Names that the file imports; "*" for imports of whole packages.
        self.imported: set[str] = set()
        #: The imported names that belong to Lombok; "*" for imports of whole packages.
        self.lombok: set[str] = set()
        #: Bindings of the types that statements declare.
        self.local_types: set[int] = set()
        #: Result type of the function around the current place, or None for a function without a result.
        self.returns: list[int] | None = None
        #: The innermost type around the current place, -1 outside of types.
        self.shape = -1
        self.visible: JavaScope = JavaScope({}, {}, None)

    def fill(self, facts: FileFacts) -> None:
        """Store the lowered code in the facts of the file, with its package."""
        super().fill(facts)
        facts.package = self.package or "(default)"
        facts.package_digest = self.digest
        facts.package_declared = self.package_declared

    # ------------------------------------------------------------------ scopes

    def enter(self) -> JavaScope:
        """Enter a scope and return the outer scope. To leave the scope, assign the outer scope to `visible`."""
        outer = self.visible
        # Names enter only the innermost scope, so an empty scope stays empty until its inner scopes end.
        self.visible = JavaScope({}, {}, outer if outer.names or outer.types else outer.parent)
        return outer

    def find(self, name: str) -> int:
        """Return the binding of the local variable with a name, -1 if no enclosing scope declares the name."""
        scope: JavaScope | None = self.visible
        while scope is not None:
            found = scope.names.get(name)
            if found is not None:
                return found
            scope = scope.parent
        return -1

    def find_type(self, name: str) -> int:
        """Return the binding of the type with a name, -1 if the file does not declare the type."""
        scope: JavaScope | None = self.visible
        while scope is not None:
            found = scope.types.get(name)
            if found is not None:
                return found
            scope = scope.parent
        return -1

    def declare(self, kind: int, name: str, a: int, b: int, c: int, position: int) -> int:
        """Declare a variable in the innermost scope, where it replaces a variable with the same name.

        Return the index of the declaration.
        """
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
        """Emit the use of a local variable, of a member of an enclosing type, or of a name from another file."""
        text = self.name_of(node)
        binding = self.find(text)
        if binding >= 0:
            return self.emit(Op.NAME, binding, self.string(text.encode()), use, node.start_byte)
        binding = self.find_type(text) if self.local_types else -1
        if binding in self.local_types:
            return self.emit(Op.NAME, binding, self.string(text.encode()), use, node.start_byte)
        return self.emit(Op.LEXICAL, self.shape, self.string(text.encode()), use, node.start_byte)

    def type_name(self, node: Node) -> int:
        """Emit the use of a type by its simple name."""
        text = self.name_of(node)
        binding = self.find_type(text)
        if binding >= 0:
            return self.emit(Op.NAME, binding, self.string(text.encode()), Use.TYPE, node.start_byte)
        return self.emit(Op.LEXICAL, self.shape, self.string(text.encode()), Use.TYPE, node.start_byte)
