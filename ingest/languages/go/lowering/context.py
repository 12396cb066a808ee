"""The state of a lowering of Go: scopes, and the current symbol."""

from __future__ import annotations

import msgspec
from tree_sitter import Node

from ....facts.model import Binding, Directive, FileFacts, Meaning, PackageName
from ....facts.operations import MemberFlag, Op, Use
from ....symbols.lowering_state import LoweringState
from ....symbols.nominal_state import NominalState


class GoScope(msgspec.Struct):
    """A scope while its code is lowered: of the package, of the imports of the file, of a function or of a block."""

    #: Bindings by name.
    names: dict[str, int]
    parent: GoScope | None


class GoContext(NominalState):
    """The lowering of one Go file."""

    __slots__ = ("constraint", "directives", "extensions", "package", "package_declared", "returns", "visible")

    def __init__(self, around: LoweringState) -> None:
        """Share the symbols of the lowering state `around`."""
        super().__init__(around)
        self.package = ""
        #: The build constraint of the file, or "".
        self.constraint = ""
        self.directives: list[Directive] = []
        #: The parts of the declarations that other files can see.
        self.package_declared: list[PackageName] = []
        #: The result types of the function around the current place.
        self.returns: list[int] = []
        #: The shape with the methods that the file declares for a type without type parameters, by name of the type.
        self.extensions: dict[str, int] = {}
        self.visible: GoScope = GoScope({}, None)

    def fill(self, facts: FileFacts) -> None:
        """Store the lowered code in the facts of the file, with its package."""
        super().fill(facts)
        facts.package = self.package
        facts.constraint = self.constraint
        facts.directives = self.directives
        facts.package_declared = self.package_declared

    # ------------------------------------------------------------------ scopes

    def enter(self) -> GoScope:
        """Enter a block and return the scope around it. To leave the block, assign that scope to `visible`."""
        outer = self.visible
        # Names enter only the innermost scope, so an empty scope stays empty until its inner scopes end.
        self.visible = GoScope({}, outer if outer.names else outer.parent)
        return outer

    def find(self, name: str) -> int:
        """Return the binding of a name, -1 if the file does not declare the name."""
        scope: GoScope | None = self.visible
        while scope is not None:
            found = scope.names.get(name)
            if found is not None:
                return found
            scope = scope.parent
        return -1

    def new_binding(self, name: str) -> int:
        """Add a binding without declarations."""
        self.bindings.append(Binding(name, Meaning.VALUE | Meaning.TYPE, [], 0, []))
        return len(self.bindings) - 1

    def bind(self, name: str) -> int:
        """Return the binding of a name in the innermost scope. A new binding hides the bindings of outer scopes."""
        found = self.visible.names.get(name)
        if found is None:
            found = self.visible.names[name] = self.new_binding(name)
        return found

    # ------------------------------------------------------------------ declarations

    def declare(self, kind: int, name: str, a: int, b: int, c: int, position: int) -> int:
        """Add a declaration to the innermost scope, and return it."""
        index = self.add_declaration(kind, name, a, b, c, position)
        self.name_declaration(name, index)
        return index

    def name_declaration(self, name: str, index: int) -> None:
        """Let a name of the innermost scope mean a declaration. Code cannot use a declaration of `_`."""
        if name != "_":
            self.bindings[self.bind(name)].decls.append(index)

    # ------------------------------------------------------------------ code

    def name(self, node: Node, use: int = Use.READ) -> int:
        """Emit the use of a name."""
        text = self.name_of(node)
        return self.emit(Op.NAME, self.find(text), self.string(text.encode()), use, node.start_byte)

    def part(self, value: int, method: bytes, position: int) -> int:
        """Emit a value that a construct, such as a loop, reads from another value, such as the next item.

        The value is a call of `method`, a method for this purpose in our own declarations of the language's types.
        """
        member = self.emit(Op.MEMBER, value, self.string(method), MemberFlag.NO_USE, position)
        return self.emit(Op.CALL, member, self.list_of(()), -1, position)
