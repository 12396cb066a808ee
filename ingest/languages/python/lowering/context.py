"""The state of a lowering: scopes, the values of names at the current place, and the current symbol."""

from __future__ import annotations

from typing import Final

import msgspec
from tree_sitter import Node

from ....facts.constructs import SideEffect
from ....facts.model import Binding, DeclKind, FileFacts, Meaning, Reach
from ....facts.operations import Op, Use
from ....symbols.lowering_state import LoweringState
from ....symbols.nominal_state import NominalState
from .bound_names import BoundNames, bound_names, no_names
from .flow import MANY, Flow, Place, Values, with_value
from .grammar import KINDS

#: Maximum length, in characters, of a constant index whose item is tracked.
MAX_KEY: Final = 40


class ScopeKind:
    """Kinds of scopes."""

    MODULE: Final = 0
    CLASS: Final = 1
    FUNCTION: Final = 2
    COMPREHENSION: Final = 3


class PyScope(msgspec.Struct):
    """A scope while its code is lowered."""

    kind: int
    parent: PyScope | None
    #: Bindings by name.
    names: dict[str, int]
    bound: BoundNames
    #: Index of the function or shape whose scope this is; -1 for other scopes.
    owner: int = -1
    #: Name of the first parameter of a method ("" for other scopes), and whether that parameter is a class.
    receiver: str = ""
    receiver_is_class: bool = False
    #: Shape of the class around a method; -1 for other scopes.
    shape: int = -1
    #: Names of variables in a `__new__` whose value is the created instance.
    made: set[str] = set()
    returns: list[int] = []
    yields: list[int] = []


class Loop(msgspec.Struct):
    """A loop around the current place, and the places of the `break` and `continue` statements in it."""

    breaks: list[Place | None] = []
    continues: list[Place | None] = []


class PythonContext(NominalState):
    """The lowering of one Python file."""

    __slots__ = (
        "added_by_name",
        "annotation_of",
        "assigned_to",
        "assignment",
        "declared_at",
        "flow",
        "has_type_comments",
        "is_skipped",
        "loops",
        "names_in_expressions",
        "of_binding",
        "py_scope",
        "reads_declarations",
        "shared",
        "side_effects",
    )

    def __init__(self, around: LoweringState) -> None:
        """Share the symbols of the lowering state `around`."""
        super().__init__(around)
        self.declared_by_signature = around.declared_by_signature
        #: Values of names in the current function.
        self.flow: Flow = Flow()
        #: Whether the current place is in a branch whose condition is never true: the `else` of `if TYPE_CHECKING`.
        self.is_skipped = False
        #: The span of the current assignment, in bytes.
        self.assignment: tuple[int, int] = (0, 0)
        #: The span of the assignment to each attribute, in bytes, by the offset of the attribute's name.
        self.assigned_to: dict[int, tuple[int, int]] = {}
        #: The DECLARED node and the binding of each declaration.
        self.declared_at: list[int] = []
        self.of_binding: list[int] = []
        #: For each binding, the last annotation among its declarations.
        self.annotation_of: dict[int, int] = {}
        self.loops: list[Loop] = []
        #: Bindings that a function declares `global` or `nonlocal`, so that any call may change their values.
        self.shared: set[int] = set()
        #: Additions to attributes of named values: binding of the value, name of the attribute, and node of the addition.
        self.added_by_name: list[tuple[int, str, int]] = []
        #: Effects of loading the file, from `lower_module`.
        self.side_effects: list[SideEffect] = []
        #: Whether only declarations are read: bodies of functions are skipped if they show no types.
        self.reads_declarations = False
        #: Whether comments may contain types; `lower_module` sets it.
        self.has_type_comments = False
        #: Whether expressions may bind names; `lower_module` sets it.
        self.names_in_expressions = True
        self.py_scope: PyScope = PyScope(ScopeKind.MODULE, None, {}, no_names())

    def fill(self, facts: FileFacts) -> None:
        """Store the lowered code in the facts of the file."""
        super().fill(facts)
        facts.side_effects = self.side_effects

    # ------------------------------------------------------------------ scopes

    def bound(self, body: Node) -> BoundNames:
        """Return the names that a body binds in its own scope."""
        return bound_names(body, self.data, self.names_in_expressions)

    def enter_scope(self, kind: int, bound: BoundNames) -> PyScope:
        """Enter a scope with its names, and return it; `py_scope = scope.parent` leaves it."""
        scope = PyScope(kind, self.py_scope, {}, bound)
        self.fill_scope(scope)
        self.py_scope = scope
        return scope

    def fill_scope(self, scope: PyScope) -> None:
        """Make a binding for each name that a scope binds."""
        for name in scope.bound.local:
            if name not in scope.names:
                scope.names[name] = self.new_binding(name)

    def new_binding(self, name: str) -> int:
        """Add a binding without declarations."""
        self.bindings.append(Binding(name, Meaning.VALUE | Meaning.TYPE, [], self.scope, []))
        return len(self.bindings) - 1

    def find(self, name: str) -> tuple[int, bool]:
        """Return the binding of a name here (-1 if the file has none), and whether the flow of this scope tracks its values."""
        scope: PyScope | None = self.py_scope
        is_own = True
        while scope is not None:
            if name in scope.bound.declared_global:
                return self._module_scope().names.get(name, -1), False
            found = scope.names.get(name)
            is_class = scope.kind == ScopeKind.CLASS
            if found is not None and (not is_class or (is_own and self._is_bound_yet(name))):
                return found, is_own
            # A comprehension runs immediately, so names have their current values. A function runs later.
            is_own = is_own and scope.kind == ScopeKind.COMPREHENSION
            scope = scope.parent
        return -1, False

    def _is_bound_yet(self, name: str) -> bool:
        """Return whether the body of a class has bound a name before this place.

        Until then, the name refers to an outer scope.
        """
        return not self.flow.is_reached or self.flow.get(name) is not None

    def binding_to_write(self, name: str) -> int:
        """Return the binding to which an assignment to a name belongs; create a module binding for a new `global` name."""
        scope = self.py_scope
        while scope.kind == ScopeKind.COMPREHENSION and name not in scope.names and scope.parent is not None:
            scope = scope.parent
        if name in scope.names:
            return scope.names[name]
        if name in scope.bound.declared_global:
            module = self._module_scope()
            if name not in module.names:
                module.names[name] = self.new_binding(name)
            return module.names[name]
        outer = scope.parent
        while outer is not None:
            if outer.kind == ScopeKind.FUNCTION and name in outer.names:
                return outer.names[name]
            outer = outer.parent
        scope.names[name] = self.new_binding(name)
        return scope.names[name]

    def _module_scope(self) -> PyScope:
        scope = self.py_scope
        while scope.parent is not None:
            scope = scope.parent
        return scope

    def function_scope(self) -> PyScope:
        """Return the nearest scope that is not a comprehension."""
        scope = self.py_scope
        while scope.kind == ScopeKind.COMPREHENSION and scope.parent is not None:
            scope = scope.parent
        return scope

    # ------------------------------------------------------------------ declarations

    def declare(self, binding: int, kind: int, name: str, a: int, b: int, c: int, position: int) -> int:
        """Add a declaration to a binding, make it the current value of the name, and return it."""
        index = self.add_declaration(kind, name, a, b, c, position)
        if (self.is_skipped or not self.flow.is_reached) and kind != DeclKind.PARAMETER:
            self.decls[index].c = Reach.NEVER
        self.bindings[binding].decls.append(index)
        node = self.emit(Op.DECLARED, index, -1, -1, position)
        self.declared_at.append(node)
        self.of_binding.append(binding)
        self.flow.hold(name, (node,))
        return index

    def name(self, text: bytes, position: int, use: int = Use.READ) -> int:
        """Emit the use of a name."""
        string = self.string(text)
        name = self.strings[string]
        binding, is_own = self.find(name)
        values = self.flow.get(name) if is_own and use != Use.WRITE else None
        if values is None or binding < 0 or values == MANY or binding in self.shared:
            return self.emit(Op.NAME, binding, string, use, position)
        return self.emit(Op.FLOW, binding, self.list_of(values), string, position)

    def hold_perhaps(self, first: int) -> None:
        """Add all declarations from the index `first` to the possible values of the names in this scope. Known values stay."""
        names = self.py_scope.names
        for index in range(len(self.decls) - 1, first - 1, -1):
            name = self.decls[index].name
            if names.get(name) == self.of_binding[index]:
                self.flow.narrow(name, with_value(self.flow.get(name) or (), self.declared_at[index]))

    def held_values(self, name: str, position: int) -> Values | None:
        """Return the nodes of the values of a name here; None if they are not known."""
        values = self.flow.get(name)
        return self.listed(name, values, position) if values is not None else None

    def listed(self, name: str, values: Values, position: int) -> Values:
        """Return the nodes that a name may hold; if there are too many, one node for all declarations of the name."""
        if values != MANY:
            return values
        return (self.emit(Op.DECLARED, -1, self.find(name)[0], -1, position),)

    def end_scope(self, names: dict[str, int]) -> None:
        """Mark the declarations that are values of their names at the current place, which is the end of the scope."""
        for name, index in names.items():
            values, own = self.flow.get(name), self.bindings[index].decls
            if values is None:
                continue
            for node in values:
                decl = self.code[node + 1] if node >= 0 and self.code[node] == Op.DECLARED else -1
                if decl >= 0 and self.of_binding[decl] == index:
                    self.decls[decl].c = Reach.END
            if values == MANY:
                for decl in own:
                    self.decls[decl].c = Reach.END if self.decls[decl].c != Reach.NEVER else Reach.NEVER

    def key_of(self, node: Node) -> str:
        """Return the key of a name or of a chain of attributes and items such as `self.a["b"]`; "" for other expressions."""
        parts: list[str] = []
        inner = node
        kind = KINDS[inner.kind_id]
        while kind in ("attribute", "subscript") and len(parts) < 4:
            if kind == "attribute":
                target, attribute = attribute_parts(inner)
                part = self.name_of(attribute) if attribute is not None else ""
            else:
                target, part = inner.child_by_field_name("value"), self._item_key(inner)
            if not part or target is None:
                return ""
            parts.append(part)
            inner = target
            kind = KINDS[inner.kind_id]
        if kind != "identifier":
            return ""
        if not parts:
            return self.name_of(inner)
        parts.append(self.name_of(inner))
        return ".".join(reversed(parts))

    def _item_key(self, subscript: Node) -> str:
        """Return the key of an item whose index is a short string or an integer, "" for any other item."""
        indices = subscript.children_by_field_name("subscript")
        kind = KINDS[indices[0].kind_id] if len(indices) == 1 else ""
        if kind not in ("string", "integer") or len(text := self.name_of(indices[0])) > MAX_KEY or "." in text:
            return ""
        if kind == "integer":
            return f"[{text}]"
        return f"['{text.strip(text[0])}']" if text[0] in "'\"" else ""


def attribute_parts(node: Node) -> tuple[Node | None, Node | None]:
    """Return the object and the name of an attribute."""
    parts = node.children
    # Usually object, dot and name are the only children. Access by index is faster than a look-up by field.
    plain = len(parts) == 3
    return (
        parts[0] if plain else node.child_by_field_name("object"),
        parts[2] if plain else node.child_by_field_name("attribute"),
    )


def last_name(cx: PythonContext, node: int) -> str:
    """Return the last name of a dotted name, "" for other expressions."""
    if node < 0 or cx.code[node] not in (Op.NAME, Op.FLOW, Op.MEMBER):
        return ""
    place = node + 3 if cx.code[node] == Op.FLOW else node + 2
    return cx.strings[cx.code[place]]
