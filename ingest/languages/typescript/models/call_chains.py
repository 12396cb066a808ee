"""Chains of calls on one value: `text("name").notNull().default("")`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from ....facts.operations import Op
from .declared import DeclaredNames

#: Maximum number of calls of a chain.
_MAX_CALLS: Final = 200


class Link(NamedTuple):
    """A called method of a chain."""

    name: str
    arguments: Sequence[int]

    def argument(self, place: int) -> int:
        """Return the argument at a position; -1 if there is none."""
        return self.arguments[place] if place < len(self.arguments) else -1


class Chain(NamedTuple):
    """A chain: module and name of the first callee, and the called methods."""

    module: str
    name: str
    #: The node of the first called function.
    callee: int
    first: Link
    rest: Sequence[Link]

    @property
    def called(self) -> str:
        """The last part of the name: `pgTable`, or `table` for `schema.table`."""
        return self.name.rpartition(".")[2]

    def link(self, name: str) -> Link | None:
        """Return the last call of a method, or None."""
        return next((each for each in reversed(self.rest) if each.name == name), None)


def chain_of(names: DeclaredNames, node: int) -> Chain | None:
    """Return a chain of calls that begins with a call of a given name; None for other expressions."""
    code = names.code
    rest: list[Link] = []
    node = names.value(node)
    while node >= 0 and code[node] == Op.CALL and len(rest) < _MAX_CALLS:
        callee = names.value(code[node + 1]) if code[code[node + 1]] != Op.NAME else code[node + 1]
        arguments = names.items(code[node + 2])
        inner = code[callee + 1] if code[callee] == Op.MEMBER else -1
        inner = names.bare(inner)
        if inner >= 0 and code[inner] == Op.CALL:
            rest.append(Link(names.string(code[callee + 2]), arguments))
            node = inner
            continue
        module, name = names.origin(callee)
        name = name or names.member_of_this(callee)
        return Chain(module, name, callee, Link(name, arguments), rest[::-1]) if name else None
    return None
