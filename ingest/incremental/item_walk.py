"""Write a declaration or shape as text without positions: the parts that other files may read, and the referenced names."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import blake2b
from typing import Final, Protocol

import msgspec

from ..facts.cells import int_array
from ..facts.model import DeclKind, Expando, Export, FileFacts, Function, ShapeKind
from ..facts.operations import ContextKind, Op, ThisKind
from .closure import Node
from .operands import BINDING, CONTEXTS, DECL, FUNCTION, IMPORT, INT, LIST, NODE, NONE, OPERANDS, PAIRS, SHAPE, STRING, STRINGS
from .taken_names import WHOLE, ModuleImports, Taken

_THIS: Final = frozenset((Op.THIS, Op.SUPER, Op.T_THIS))
_QUALIFIED: Final = frozenset((Op.MEMBER, Op.T_QUALIFIED))
_NAMES: Final = frozenset((Op.NAME, Op.T_NAME))

#: Declarations whose operands a and b are nodes.
_VALUED: Final = frozenset((DeclKind.VARIABLE, DeclKind.PARAMETER, DeclKind.TYPE_PARAMETER))
_SHAPED: Final = frozenset((DeclKind.CLASS, DeclKind.INTERFACE, DeclKind.ENUM))
#: Kinds of operands that the walk enters as they are.
_PUSHED: Final = frozenset((NODE, LIST, FUNCTION, SHAPE, DECL, BINDING))
#: The operands of each operation, the last first: the place in the cells of the node, and the kind.
_PLACES: Final = {
    op: tuple((place, kinds[place - 1]) for place in (3, 2, 1) if kinds[place - 1] != NONE) for op, kinds in OPERANDS.items()
}


class ImportLabels(Protocol):
    """Labels for the parts of a file that are imported."""

    def whole(self, binding: int) -> tuple[Taken, ...]:
        """Return the import whose whole module a binding represents."""

    def member(self, node: int) -> tuple[object, tuple[Taken, ...]] | None:
        """Return a text that identifies a member of a module, and the imported names behind it; None for any other node."""

    def free(self, node: int) -> tuple[Taken, ...]:
        """Return the imports that may provide a name which the file does not declare."""

    def declared(self, decl: int) -> tuple[object, tuple[Taken, ...]]:
        """Return a text that identifies the declaration of an import, and the imported names."""


class FileTables:
    """The facts of a file, with look-ups for walks over the facts."""

    def __init__(self, facts: FileFacts, symbols: list[str]) -> None:
        """`symbols` are the ids of the file's symbols."""
        self.facts = facts
        self.code = int_array(facts.code)
        self.lists = int_array(facts.lists)
        self.names_of = [
            f"{identity} {' '.join(fact.modifiers)}{_declared_around(facts, fact.parent)}"
            for identity, fact in zip(symbols, facts.symbols, strict=True)
        ]
        self.imports: ImportLabels = ModuleImports(facts)
        self.binding_of = {index: binding for binding, entry in enumerate(facts.bindings) for index in entry.decls}
        self.function_nodes = {self.code[n + 1]: n for n in facts.contexts if self.code[n] == Op.FUNCTION}
        self.annotated_values_matter = facts.language in ("javascript", "jsx")
        #: Whether declarations of functions and classes list their decorators and their reachability.
        self.lists_decorators = False


def _declared_around(facts: FileFacts, symbol: int) -> str:
    """Return " declared" inside an ambient declaration, which exports everything, else ""."""
    return " declared" if any("declare" in each.modifiers for each in facts.symbols_around(symbol)) else ""


class ItemWalk:
    """Walks trees without recursion. The text omits positions, and numbers that change with edits of other code."""

    def __init__(self, tables: FileTables) -> None:
        self._of = tables
        self._out: list[object] = []
        self._stack: list[tuple[int, int]] = []
        self._nodes: dict[int, int] = {}
        self._functions: dict[int, int] = {}
        self._decls: dict[int, int] = {}
        self._items: dict[int, int] = {}
        self._taken: set[Taken] = set()

    def take(self, taken: Iterable[Taken]) -> None:
        """Record names that the item takes from imports."""
        self._taken.update(taken)

    def done(self) -> Node:
        digest = blake2b(msgspec.msgpack.encode(self._out), digest_size=16).digest()
        return Node(digest, tuple(self._items), frozenset(self._taken))

    def put(self, *tokens: object) -> None:
        self._out += tokens

    def push(self, kind: int, value: int) -> None:
        self._stack.append((kind, value))

    def run(self) -> None:
        stack = self._stack
        while stack:
            kind, value = stack.pop()
            if value < 0:
                self._out.append(-1)
            elif kind == NODE:
                self._node(value)
            elif kind == FUNCTION:
                self._function(value)
            elif kind == SHAPE:
                self._refer(-1 - value)
            elif kind == BINDING:
                self._refer(value)
            elif kind == DECL:
                self._decl(value)
            elif kind == LIST:
                self._list(value)

    # ------------------------------------------------------------------ roots

    def export(self, entry: Export) -> None:
        facts = self._of.facts
        self.put("export", entry.name, entry.imported, entry.type_only)
        self.put(self._of.names_of[entry.symbol] if entry.symbol >= 0 else "")
        if entry.source >= 0:
            self._take(entry.source, entry.imported or WHOLE)
            self.put(facts.imports[entry.source].specifier)
        if entry.binding >= 0:
            self.push(BINDING, entry.binding)
        if entry.value >= 0:
            self.push(NODE, entry.value)
        self.run()

    def expando(self, entry: Expando) -> None:
        self.put("adds", self._symbol(entry.symbol))
        self.push(NODE, entry.target)
        self.push(NODE, entry.value)
        self.run()

    def scope(self, ambient: str, names: dict[str, int], exported: list[str]) -> None:
        self.put("scope", ambient, sorted(exported))
        for name in sorted(names):
            self.put(name)
            self.push(BINDING, names[name])
            self.run()

    def binding(self, index: int) -> None:
        entry = self._of.facts.bindings[index]
        self.put("binding", entry.name, entry.meaning, len(entry.decls))
        for decl in entry.decls:
            self.push(DECL, decl)
            self.run()
        for node in entry.assigned:
            self.push(NODE, node)
            self.run()

    def shape(self, index: int) -> None:
        facts = self._of.facts
        shape = facts.shapes[index]
        self.put("shape", shape.kind, shape.name, self._symbol(shape.symbol), len(shape.extends), len(shape.implements))
        for decl in shape.type_parameters:
            self.push(DECL, decl)
            self.run()
        for node in (*shape.extends, *shape.implements):
            self.push(NODE, node)
            self.run()
        if (binding := self._of.binding_of.get(shape.decl)) is not None:
            self.push(BINDING, binding)
        for member in shape.members:
            self.put(member.name, member.kind, member.static, member.optional, self._symbol(member.symbol))
            self.push(FUNCTION, member.function)
            self.push(NODE, member.type)
            self.push(NODE, member.value)
            if shape.kind != ShapeKind.OBJECT_LITERAL:
                self.push(DECL, member.extra)
            if member.name.startswith("["):  # the value of what a computed key names is the name of the member
                self.push(BINDING, facts.scopes[0].names.get(member.name.strip("[]").partition(".")[0], -1))
            self.run()
        for name, nodes in shape.added.items():
            self.put("adds", name, len(nodes))
            for node in nodes:
                self.push(NODE, node)
                self.run()

    # ------------------------------------------------------------------ parts

    def _symbol(self, symbol: int) -> str:
        return self._of.names_of[symbol] if symbol >= 0 else ""

    def _take(self, source: int, name: str) -> None:
        self._taken.add((source, name))

    def _refer(self, key: int) -> None:
        if key >= 0:
            self._taken.update(self._of.imports.whole(key))
        self._out.append(("item", self._items.setdefault(key, len(self._items))))

    def _list(self, index: int) -> None:
        lists = self._of.lists
        count = lists[index]
        self._out.append(("list", count))
        self._stack += [(NODE, node) for node in reversed(lists[index + 1 : index + 1 + count])]

    def _node(self, node: int) -> None:
        if node in self._nodes:
            self._out.append(("node", self._nodes[node]))
            return
        self._nodes[node] = len(self._nodes)
        of = self._of
        code = of.code
        op = code[node]
        self._out.append(op)
        context = of.facts.contexts.get(node)
        if context is not None:
            self._context(context)
        if op in _THIS:
            self._this(code[node + 1], code[node + 2])
            return
        if op in _QUALIFIED and (found := of.imports.member(node)) is not None:
            token, taken = found
            self._taken.update(taken)
            self._out += ("of", token)
            return
        if op in _NAMES and code[node + 1] < 0:
            self._taken.update(of.imports.free(node))
        out, stack = self._out, self._stack
        for place, kind in _PLACES[op]:
            value = code[node + place]
            if kind in _PUSHED:
                stack.append((kind, value))
            elif kind == STRING:
                out.append(of.facts.strings[value] if value >= 0 else None)
            elif kind == INT:
                out.append(value)
            else:
                self._operand(kind, value)

    def _operand(self, kind: int, value: int) -> None:
        facts = self._of.facts
        if kind == IMPORT:
            self._take(value, WHOLE)
            self._out.append(facts.imports[value].specifier)
        elif kind == PAIRS and value >= 0:
            lists = self._of.lists
            pairs = lists[value + 1 : value + 1 + lists[value]]
            self._out.append(("pairs", pairs[1::2].tolist()))
            self._stack += [(NODE, condition) for condition in pairs[0::2]]
        elif kind == STRINGS and value >= 0:
            lists = self._of.lists
            self._out.append([facts.strings[item] for item in lists[value + 1 : value + 1 + lists[value]]])
        else:
            self._stack.append((kind, value))

    def _this(self, kind: int, owner: int) -> None:
        self._out.append(kind)
        if owner >= 0 and kind in (ThisKind.INSTANCE, ThisKind.STATIC, ThisKind.OBJECT):
            self._stack.append((SHAPE, owner))
        elif owner >= 0 and kind == ThisKind.FUNCTION:
            self._stack.append((FUNCTION, owner))

    def _context(self, context: tuple[int, int, int]) -> None:
        kind, first, second = context
        self._out.append(("context", kind))
        if kind in (ContextKind.PROPERTY, ContextKind.ATTRIBUTE):
            self._out.append(self._of.facts.strings[second] if second >= 0 else None)
        elif kind in (ContextKind.ARGUMENT, ContextKind.ELEMENT, ContextKind.SUPER):
            self._out.append(second)
        self._stack.append((CONTEXTS[kind], first))

    def _function(self, index: int) -> None:
        if index in self._functions:
            self._out.append(("function", self._functions[index]))
            return
        self._functions[index] = len(self._functions)
        function = self._of.facts.functions[index]
        self.put("function", self._symbol(function.symbol), *_flags(function), len(function.parameters), function.written)
        stack = self._stack
        for parameter in function.parameters:
            self.put(parameter.name, parameter.optional, parameter.rest)
            stack += ((NODE, parameter.type), (NODE, parameter.default), (DECL, parameter.decl))
        stack += [(DECL, decl) for decl in function.type_parameters]
        stack += ((NODE, function.return_type), (NODE, function.this_type))
        if function.return_type < 0:
            self.put(function.falls_through, len(function.returns), len(function.yields))
            stack += [(NODE, node) for node in (*function.returns, *function.yields)]
        if (node := self._of.function_nodes.get(index)) is not None:
            stack.append((NODE, node))

    def _decl(self, index: int) -> None:
        if index in self._decls:
            self._out.append(("decl", self._decls[index]))
            return
        self._decls[index] = len(self._decls)
        of = self._of
        decl = of.facts.decls[index]
        self.put("decl", decl.kind, decl.name, self._symbol(decl.symbol))
        stack = self._stack
        if (binding := of.binding_of.get(index)) is not None:
            stack.append((BINDING, binding))
        if decl.kind in _VALUED:
            stack.append((NODE, decl.a))
            if decl.a < 0 or decl.kind == DeclKind.TYPE_PARAMETER or of.annotated_values_matter:
                stack.append((NODE, decl.b))
            if decl.kind == DeclKind.VARIABLE:
                # Code may add members to a variable with a function or class, even if the variable has an annotation.
                self.put(decl.c, of.code[decl.b] if decl.b >= 0 else -1)
            elif decl.kind == DeclKind.PARAMETER:
                stack.append((FUNCTION, decl.c))
        elif decl.kind == DeclKind.FUNCTION:
            stack.append((FUNCTION, decl.a))
            if of.lists_decorators:
                self.put(decl.c)
                stack.append((LIST, decl.b))
        elif decl.kind in _SHAPED:
            stack.append((SHAPE, decl.a))
            if of.lists_decorators:
                self.put(decl.c)
                stack.append((LIST, decl.b))
        elif decl.kind == DeclKind.ALIAS:
            stack.append((NODE, decl.a))
            lists = of.lists
            parameters = lists[decl.b + 1 : decl.b + 1 + lists[decl.b]] if decl.b >= 0 else ()
            stack += [(DECL, parameter) for parameter in parameters]
        elif decl.kind == DeclKind.NAMESPACE:
            scope = of.facts.scopes.get(decl.a)
            if scope is not None:
                names = sorted(scope.names)
                self.put("scope", scope.ambient, sorted(scope.exported), names)
                stack += [(BINDING, scope.names[name]) for name in names]
        elif decl.kind == DeclKind.IMPORT:
            token, taken = of.imports.declared(index)
            self.put(token, decl.c)
            self._taken.update(taken)
        elif decl.kind == DeclKind.IMPORT_ALIAS:
            stack.append((NODE, decl.a))
            if decl.b == 1:
                for entry in of.facts.exports:
                    self.export(entry)
        elif decl.kind == DeclKind.ENUM_MEMBER:
            self.put(decl.b)
            stack.append((SHAPE, decl.a))


def _flags(function: Function) -> tuple[bool, ...]:
    return function.is_async, function.is_generator, function.is_arrow, function.has_body
