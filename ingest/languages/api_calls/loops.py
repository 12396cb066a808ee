"""Loops over lists that code states: the values that the arguments of a call have for each element.

`for (const { path, view } of [{ path: "/carts", view: list }]) app.get(path, view);` has one element.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Final, NamedTuple

from ...facts.model import Decl, DeclKind
from ...facts.node_scan import any_of, nodes_of
from ...facts.operations import Op
from .expressions import CALLS, Expressions

#: Maximum number of names, accesses or wrapping calls that lead from an argument to an element.
_MAX_STEPS: Final = 6
#: Maximum number of elements of a list.
_MAX_ELEMENTS: Final = 500
#: The key of a row for the only function of its element, which a call may take through a variable: `h = logged(route.Handler)`.
ONLY_FUNCTION: Final = -1
_ARRAYS: Final = any_of(Op.ARRAY)
_NAMES: Final = (Op.NAME, Op.FLOW, Op.LEXICAL)


class _Access(NamedTuple):
    """A part of an element: `route.path` in a loop over routes."""

    #: The node of the list.
    listed: int
    #: Names of members, and positions in lists.
    path: tuple[str | int, ...] = ()


class _Entry(NamedTuple):
    """An entry of an object or a dictionary; the key is a text or a node."""

    key: str | int
    value: int
    #: The type of the value that the type of a literal of Go states, as a node.
    type: int = -1


class Loops:
    """The loops of a file."""

    def __init__(self, expressions: Expressions) -> None:
        self._at = expressions

    def rows(self, call: int, others: Sequence[int] = ()) -> Sequence[Mapping[int, int | str]]:
        """Return the values of the arguments of a call for each element of the loop around it, by node; () outside of loops.

        `others` are further nodes that belong to the call. A value is another node, or a text. If arguments belong to several
        loops, there are no rows.
        """
        at = self._at
        read = {
            node: found
            for node in self._parts([*others, *at.items(at.code[call + 2])])
            if (found := self._access(node)) is not None
        }
        lists = {found.listed for found in read.values()}
        if len(lists) != 1:
            return ()
        rows: list[dict[int, int | str]] = []
        for element in self._elements(lists.pop())[:_MAX_ELEMENTS]:
            values = {node: self._part(element, found.path) for node, found in read.items()}
            row = {node: value for node, value in values.items() if value is not None}
            only = self._only_function(element)
            rows.append(row | {ONLY_FUNCTION: only} if only >= 0 else row)
        return rows

    def _only_function(self, element: int | _Entry) -> int:
        """Return the only value of a struct in a literal of Go that may be a function; -1 for other elements."""
        at = self._at
        node = element.value if isinstance(element, _Entry) else -1
        if node < 0 or not self._is_literal(node):
            return -1
        values = [at.code[each + 1] if at.code[each] == Op.PROP else each for each in self._fields(node, -1)[0]]
        found = [each for each in values if at.text(each) is None and not at.name(each).startswith("Method") and at.handler(each)]
        return found[0] if len(found) == 1 else -1

    def _parts(self, nodes: Sequence[int], steps: int = _MAX_STEPS) -> Iterator[int]:
        """Yield the arguments of a call, and the names inside lists, keywords and wrapping calls."""
        code = self._at.code
        for node in nodes if steps > 0 else ():
            if node < 0:
                continue
            if code[node] == Op.PROP:
                yield from self._parts([code[node + 1]], steps - 1)
            elif code[node] == Op.ARRAY:
                yield from self._parts(self._at.items(code[node + 1]), steps - 1)
            elif code[node] in CALLS:
                yield from self._parts(self._at.items(code[node + 2]), steps - 1)
            else:
                yield node

    def _access(self, node: int, steps: int = _MAX_STEPS) -> _Access | None:
        """Return the part of an element that an expression, or the value of a variable, reads."""
        at, code = self._at, self._at.code
        if node < 0 or steps <= 0:
            return None
        operation = code[node]
        if operation in _NAMES:
            decl = self._declared(node)
            is_variable = decl is not None and decl.kind in (DeclKind.VARIABLE, DeclKind.PARAMETER)
            return self._access(decl.b, steps - 1) if decl is not None and is_variable else None
        if operation == Op.ITERATED:
            return _Access(code[node + 1])
        if operation == Op.PARAMETER:
            listed = self._callbacks.get(code[node + 1], -1) if code[node + 3] == 0 else -1
            return _Access(listed) if listed >= 0 else None
        if operation == Op.ELEMENT and self._ranged(code[node + 1]) >= 0:
            return _Access(code[node + 1], (code[node + 3],))
        if operation == Op.INDEX:  # `routes[i]` in a loop over the places of `routes`
            place = self._access(code[node + 2], steps - 1)
            listed = self._ranged(place.listed) if place is not None and place.path == (0,) else -1
            is_same = listed >= 0 and at.binding(listed) >= 0 and at.binding(listed) == at.binding(code[node + 1])
            return place._replace(path=(1,)) if place is not None and is_same else None
        if operation in (Op.MEMBER, Op.ELEMENT):
            inner = self._access(code[node + 1], steps - 1)
            part = at.string(code[node + 2]) if operation == Op.MEMBER else code[node + 3]
            return inner._replace(path=(*inner.path, part)) if inner is not None else None
        return None

    def _declared(self, node: int) -> Decl | None:
        """Return the declaration of a name; of several ones, the only one whose value reaches the name."""
        at, code = self._at, self._at.code
        if code[node] == Op.FLOW:
            values = at.items(code[node + 2])
            if len(values) == 1 and code[values[0]] == Op.DECLARED:
                return at.facts.decls[code[values[0] + 1]]
        return at.declaration(node)

    @cached_property
    def _callbacks(self) -> Mapping[int, int]:
        """The lists whose elements are passed to functions, by function: `routes.forEach((route) => …)`."""
        at = self._at
        return {
            at.code[each + 1]: call.receiver
            for call in at.method_calls
            if call.name == "forEach"
            for each in at.items(at.code[call.node + 2])
            if at.code[each] == Op.FUNCTION
        }

    def _stated(self, node: int) -> int:
        """Return the value of a name that has only one."""
        code = self._at.code
        for _ in range(_MAX_STEPS):
            if node >= 0 and code[node] == Op.AS and code[node + 1] >= 0:
                node = code[node + 1]
                continue
            decl = self._at.declaration(node) if node >= 0 and code[node] in _NAMES else None
            if decl is None or decl.kind != DeclKind.VARIABLE or decl.b < 0:
                break
            node = decl.b
        return node

    def _elements(self, listed: int) -> Sequence[int | _Entry]:
        at, code = self._at, self._at.code
        node = self._stated(listed)
        if node < 0:
            return ()
        if code[node] == Op.ARRAY:
            return at.items(code[node + 1])
        ranged = self._ranged(node)
        if ranged >= 0:
            return self._literal_entries(self._stated(ranged))
        call = at.method_call(node)
        if call is None:
            return ()
        arguments = at.items(code[node + 2])
        if call.name == "entries" and arguments and at.name(call.receiver) == "Object":
            return self._entries(self._stated(arguments[0]))
        return self._entries(self._stated(call.receiver)) if call.name == "items" and not arguments else ()

    def _ranged(self, node: int) -> int:
        """Return the value over which a `range` loop of Go iterates; -1 for other nodes."""
        call = self._at.method_call(node) if node >= 0 else None
        return call.receiver if call is not None and call.name == "__range__" else -1

    @cached_property
    def _contents(self) -> Mapping[int, Sequence[int]]:
        """The contents of literals of Go, by the node of the literal."""
        at = self._at
        nodes = nodes_of(at.facts, _ARRAYS) if at.facts.language == "go" else ()
        return {at.code[node + 3]: at.items(at.code[node + 1]) for node in nodes if at.code[node + 3] >= 0}

    def _literal_entries(self, literal: int) -> Sequence[_Entry]:
        """Return the elements of a literal of Go with their types. The key of an element of a slice is its place."""
        at, code = self._at, self._at.code
        content = self._contents.get(literal, ())
        name, types = self._type_arguments(code[literal + 2]) if content else ("", ())
        inner = types[-1] if types else -1
        if name != "__map__":
            return [_Entry(str(place), each, inner) for place, each in enumerate(content)]
        pairs = [at.items(code[each + 1]) for each in content if code[each] == Op.ARRAY]
        return [_Entry(each[0], each[1], inner) for each in pairs if len(each) == 2]

    def _type_arguments(self, written: int, steps: int = _MAX_STEPS) -> tuple[str, Sequence[int]]:
        """Return the name and the arguments of a type of Go, such as those of `[]Route`, perhaps through a declared type."""
        at, code = self._at, self._at.code
        if written < 0 or steps <= 0:
            return "", ()
        if code[written] == Op.T_REFERENCE:
            return at.name(code[written + 1]), at.items(code[written + 2])
        decl = at.declaration(written)
        bases = at.facts.shapes[decl.a].implements if decl is not None and decl.kind == DeclKind.CLASS and decl.a >= 0 else ()
        return self._type_arguments(bases[0], steps - 1) if bases else ("", ())

    def _fields(self, node: int, written: int) -> tuple[Sequence[int], Sequence[str]]:
        """Return the values of a struct in a literal of Go, and the names of the fields of its type, if the file declares it."""
        at, code = self._at, self._at.code
        if code[node] == Op.ARRAY:
            content = at.items(code[node + 1])
        else:
            content, written = self._contents.get(node, ()), code[node + 2]
        if written < 0:
            return content, ()
        decl = at.declaration(written)
        shape = code[written + 1] if code[written] == Op.T_OBJECT else decl.a if decl is not None else -1
        return content, [member.name for member in at.facts.shapes[shape].members] if shape >= 0 else ()

    def _is_literal(self, node: int) -> bool:
        """Return whether a node is the literal of a struct in Go."""
        code = self._at.code
        return self._at.facts.language == "go" and (code[node] == Op.ARRAY or (code[node] == Op.AS and node in self._contents))

    def _field(self, node: int, written: int, name: str) -> int:
        """Return the value of a field of a struct in a literal of Go; -1 if the literal does not state it."""
        at, code = self._at, self._at.code
        content, names = self._fields(node, written)
        if any(code[each] == Op.PROP for each in content):
            found = [code[each + 1] for each in content if code[each] == Op.PROP and at.string(code[each + 2]) == name]
            return found[0] if found else -1
        return content[names.index(name)] if len(content) == len(names) and name in names else -1

    def _entries(self, node: int) -> Sequence[_Entry]:
        at, code = self._at, self._at.code
        if node >= 0 and code[node] == Op.OBJECT:
            return [_Entry(each.name, each.value) for each in at.facts.shapes[code[node + 1]].members if each.value >= 0]
        if node >= 0 and code[node] == Op.DICT:
            return [_Entry(*each) for each in zip(at.items(code[node + 1]), at.items(code[node + 2]), strict=True)]
        return ()

    def _part(self, element: int | _Entry, path: Sequence[str | int]) -> int | str | None:
        """Return the part of an element; None if the code does not state it."""
        at, code = self._at, self._at.code
        found: int | str | _Entry = element
        written = -1
        for part in path:
            if isinstance(found, _Entry):
                written = found.type
                found = found.key if part == 0 else found.value
                continue
            node = self._stated(found) if isinstance(found, int) else -1
            if node >= 0 and code[node] == Op.ARRAY and isinstance(part, int) and part < len(at.items(code[node + 1])):
                found = at.items(code[node + 1])[part]
            elif node >= 0 and code[node] == Op.OBJECT and isinstance(part, str):
                members = at.facts.shapes[code[node + 1]].members
                found = next((each.value for each in members if each.name == part), -1)
            elif node >= 0 and isinstance(part, str) and self._is_literal(node):
                found, written = self._field(node, written, part), -1
            else:
                return None
        return found if isinstance(found, str) or (isinstance(found, int) and found >= 0) else None
