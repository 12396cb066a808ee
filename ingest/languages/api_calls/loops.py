"""Loops over lists that code states: the values that the arguments of a call have for each element.

`for (const { path, view } of [{ path: "/carts", view: list }]) app.get(path, view);` has one element.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Final, NamedTuple

from ...facts.model import Decl, DeclKind
from ...facts.operations import Op
from .expressions import CALLS, Expressions

#: Maximum number of names, accesses or wrapping calls that lead from an argument to an element.
_MAX_STEPS: Final = 6
#: Maximum number of elements of a list.
_MAX_ELEMENTS: Final = 500
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
            rows.append({node: value for node, value in values.items() if value is not None})
        return rows

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
        call = at.method_call(node)
        if call is None:
            return ()
        arguments = at.items(code[node + 2])
        if call.name == "entries" and arguments and at.name(call.receiver) == "Object":
            return self._entries(self._stated(arguments[0]))
        return self._entries(self._stated(call.receiver)) if call.name == "items" and not arguments else ()

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
        for part in path:
            if isinstance(found, _Entry):
                found = found.key if part == 0 else found.value
                continue
            node = self._stated(found) if isinstance(found, int) else -1
            if node >= 0 and code[node] == Op.ARRAY and isinstance(part, int) and part < len(at.items(code[node + 1])):
                found = at.items(code[node + 1])[part]
            elif node >= 0 and code[node] == Op.OBJECT and isinstance(part, str):
                members = at.facts.shapes[code[node + 1]].members
                found = next((each.value for each in members if each.name == part), -1)
            else:
                return None
        return found if isinstance(found, str) or (isinstance(found, int) and found >= 0) else None
