"""The state of a lowering: scopes, what each name holds at the current place, and the symbol that code belongs to."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import msgspec
from tree_sitter import Node

from ....facts.model import Binding, Decl, DeclKind, Meaning, Op, Reach, Use
from ....symbols.lowering_state import LoweringState
from .bound_names import BoundNames

#: What may be in a name or in a chain such as `self.x` at a place: nodes of `Op.FLOW`. None where code cannot be reached.
Held = dict[str, tuple[int, ...]]
#: Maximum number of values that are told apart for one name; more are asked for as the whole binding.
_MAX_VALUES: Final = 24


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
    #: Function or shape, -1 for others.
    owner: int = -1
    #: Name of the first parameter of a method, "" for others; and whether it is a class.
    receiver: str = ""
    receiver_is_class: bool = False
    #: Shape of the class around a method, -1 for others.
    shape: int = -1
    returns: list[int] = []
    yields: list[int] = []


class Loop(msgspec.Struct):
    """A loop around the current place: what names hold where it is left or begins again."""

    breaks: list[Held] = []
    continues: list[Held] = []


class PythonContext(LoweringState):
    """The lowering of one Python file."""

    __slots__ = ("_chains", "held", "is_skipped", "loops", "py_scope", "symbol_places")

    def __init__(self, around: LoweringState) -> None:
        """Share the symbols of `around`."""
        super().__init__(around.source, around.data, around.language, around.mended, around.joins_overloads)
        self.symbols = around.symbols
        self.symbol_places = {state.name_position: index for index, state in enumerate(self.symbols)}
        self.held: Held | None = {}
        #: Whether the current place is in a branch whose condition never holds: `else` behind `if TYPE_CHECKING`.
        self.is_skipped = False
        #: Chains that were held anywhere, by each name or chain that they begin with.
        self._chains: dict[str, set[str]] = {}
        self.loops: list[Loop] = []
        self.py_scope: PyScope = PyScope(ScopeKind.MODULE, None, {}, BoundNames({}, set(), set()))

    # ------------------------------------------------------------------ scopes

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
        """Return the binding that a name means here (-1 for none in the file), and whether this scope's flow knows it."""
        scope: PyScope | None = self.py_scope
        is_own = True
        while scope is not None:
            if name in scope.bound.declared_global:
                return self._module_scope().names.get(name, -1), False
            found = scope.names.get(name)
            if found is not None and (scope.kind != ScopeKind.CLASS or (is_own and self._is_bound_yet(name))):
                return found, is_own
            # A comprehension runs where it stands, so it sees what names hold there; a function runs later.
            is_own = is_own and scope.kind == ScopeKind.COMPREHENSION
            scope = scope.parent
        return -1, False

    def _is_bound_yet(self, name: str) -> bool:
        """Return whether the body of a class has bound a name before this place; until then, the name is one of outside."""
        return self.held is None or name in self.held

    def binding_to_write(self, name: str) -> int:
        """Return the binding that an assignment to a name means, and make one where `global` names a new one."""
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
        """Return the nearest scope that is no comprehension."""
        scope = self.py_scope
        while scope.kind == ScopeKind.COMPREHENSION and scope.parent is not None:
            scope = scope.parent
        return scope

    # ------------------------------------------------------------------ declarations

    def declare(self, binding: int, kind: int, name: str, a: int, b: int, c: int, position: int) -> int:
        """Add a declaration to a binding, make it what the name holds from here on, and return it."""
        symbol = self.symbol_places.get(position, -1)
        self.decls.append(Decl(kind, name, symbol, a, b, c, position))
        index = len(self.decls) - 1
        if (self.is_skipped or self.held is None) and kind != DeclKind.PARAMETER:
            self.decls[index].c = Reach.NEVER
        self.bindings[binding].decls.append(index)
        self.hold(name, (self.emit(Op.DECLARED, index, -1, -1, position),))
        return index

    def hold(self, key: str, values: tuple[int, ...]) -> None:
        """Say what a name or chain holds from here on. What was known about chains below it is forgotten."""
        if self.held is not None:
            for chain in self._chains.get(key, ()):
                self.held.pop(chain, None)
            self.narrow(key, values)

    def narrow(self, key: str, values: tuple[int, ...]) -> None:
        """Say what is known now of what a name or chain holds. It is the same value, so chains below it stay known."""
        if self.held is None:
            return
        self.held[key] = values
        above = key.rpartition(".")[0]
        while above:
            self._chains.setdefault(above, set()).add(key)
            above = above.rpartition(".")[0]

    def name(self, text: bytes, position: int, use: int = Use.READ) -> int:
        """Emit the use of a name."""
        name = text.decode("utf-8", "replace")
        binding, is_own = self.find(name)
        string = self.string(text)
        values = self.held.get(name) if is_own and self.held is not None and use != Use.WRITE else None
        if values is None or binding < 0 or len(values) > _MAX_VALUES:
            return self.emit(Op.NAME, binding, string, use, position)
        return self.emit(Op.FLOW, binding, self.list_of(values), string, position)

    # ------------------------------------------------------------------ flow

    def is_reached(self) -> bool:
        """Return whether the current place can be reached."""
        return self.held is not None

    def branch(self) -> Held | None:
        """Return a copy of what names hold here."""
        return dict(self.held) if self.held is not None else None

    def join(self, branches: Iterable[Held | None]) -> None:
        """Continue where several branches meet."""
        reached = [held for held in branches if held is not None]
        if len(reached) < 2:
            self.held = reached[0] if reached else None
            return
        joined: Held = {}
        for key in dict.fromkeys(key for held in reached for key in held):
            present = [held[key] for held in reached if key in held]
            # A name that some branches do not bind holds what the others give; of a chain nothing is known then.
            if "." not in key or len(present) == len(reached):
                joined[key] = tuple(dict.fromkeys(value for values in present for value in values))
        self.held = joined

    def end_scope(self, names: Iterable[int]) -> None:
        """Note which declarations of some bindings are still what their names hold here, where their scope ends."""
        ends = {index for index in names for index in self.bindings[index].decls}
        for values in (self.held or {}).values():
            for node in values:
                if self.code[node] == Op.DECLARED and self.code[node + 1] in ends:
                    self.decls[self.code[node + 1]].c = Reach.END

    def own(self, symbol: int) -> int:
        """Give the following code to a symbol, and return the one before."""
        before = self.symbol
        if symbol != before:
            self.symbol = symbol
            self.owners += (len(self.code), symbol)
        return before

    def key_of(self, node: Node) -> str:
        """Return the key of a name or of a chain of attributes such as `self.a.b`; "" for other expressions."""
        parts: list[str] = []
        inner = node
        while inner.type == "attribute" and len(parts) < 4:
            attribute, target = inner.child_by_field_name("attribute"), inner.child_by_field_name("object")
            if attribute is None or target is None:
                return ""
            parts.append(self.bytes_of(attribute).decode("utf-8", "replace"))
            inner = target
        if inner.type != "identifier":
            return ""
        parts.append(self.bytes_of(inner).decode("utf-8", "replace"))
        return ".".join(reversed(parts))
