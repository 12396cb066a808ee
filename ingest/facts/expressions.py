"""Reads constant expressions from the lowered facts of a file: strings, numbers, lists, and the values of local constants."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from functools import cached_property
from typing import Final

from .cells import int_array
from .model import Decl, DeclKind, FileFacts
from .operations import NAME_OPS, Op

#: Maximum number of names and casts between a use and its value.
_MAX_STEPS: Final = 20


class FileNodes:
    """The nodes of a file, and their positions in the source."""

    def __init__(self, facts: FileFacts) -> None:
        self.facts = facts
        self.code = int_array(facts.code)
        self._lists = int_array(facts.lists)

    @cached_property
    def owners(self) -> tuple[Sequence[int], Sequence[int]]:
        """The nodes at which the owner changes, and the new owners."""
        owners = int_array(self.facts.owners)
        return owners[::2], owners[1::2]

    @cached_property
    def line_starts(self) -> Sequence[int]:
        """The byte offset of each line."""
        return int_array(self.facts.line_starts)

    def owner(self, node: int) -> int:
        """Return the symbol that owns a node; -1 for none."""
        starts, symbols = self.owners
        return symbols[bisect_right(starts, node) - 1]

    def line(self, node: int) -> int:
        """Return the line of a node."""
        return bisect_right(self.line_starts, self.code[node + 4])

    def place(self, node: int) -> tuple[int, int]:
        """Return the line and the column of a node; the column counts bytes."""
        line = self.line(node)
        return line, self.code[node + 4] - self.line_starts[line - 1] + 1

    def items(self, at: int) -> Sequence[int]:
        """Return the operands in a list; an empty result for -1."""
        return self._lists[at + 1 : at + 1 + self._lists[at]].tolist() if at >= 0 else ()

    def string(self, index: int) -> str:
        """Return a string of the file's table; "" for -1."""
        return self.facts.strings[index] if index >= 0 else ""


class Expressions(FileNodes):
    """The expressions of a file by their nodes; the node -1 has no value."""

    def declaration(self, node: int) -> Decl | None:
        """Return the only declaration of a name, given the node of the name; None for other nodes and names."""
        if node < 0 or self.code[node] not in NAME_OPS or self.code[node + 1] < 0:
            return None
        decls = self.facts.bindings[self.code[node + 1]].decls
        return self.facts.decls[decls[0]] if len(decls) == 1 else None

    def value(self, node: int) -> int:
        """Return the node of an expression's value, without casts and with the values of variables that are assigned once."""
        code = self.code
        for _ in range(_MAX_STEPS):
            if node < 0:
                return -1
            if code[node] in (Op.AS, Op.NON_NULL):
                node = code[node + 1]
                continue
            decl = self.declaration(node)
            if decl is None or decl.kind != DeclKind.VARIABLE or decl.b < 0:
                return node
            if self.facts.bindings[code[node + 1]].assigned:
                return node
            node = decl.b
        return -1

    def text(self, node: int) -> str:
        """Return the text of a string; "" for any other expression."""
        node = self.value(node)
        return self.string(self.code[node + 2]) if node >= 0 and self.code[node] == Op.STRING else ""

    def is_text(self, node: int) -> bool:
        """Return whether an expression is a string, perhaps an empty one."""
        node = self.value(node)
        return node >= 0 and self.code[node] == Op.STRING

    def number(self, node: int) -> str:
        """Return a number as it is written; "" for any other expression."""
        node = self.value(node)
        return self.string(self.code[node + 2]) if node >= 0 and self.code[node] == Op.NUMBER else ""

    def is_true(self, node: int) -> bool:
        """Return whether an expression is the constant true."""
        node = self.value(node)
        return node >= 0 and self.code[node] == Op.BOOLEAN and self.code[node + 1] == 1

    def is_false(self, node: int) -> bool:
        """Return whether an expression is the constant false."""
        node = self.value(node)
        return node >= 0 and self.code[node] == Op.BOOLEAN and self.code[node + 1] == 0

    def is_list(self, node: int) -> bool:
        """Return whether an expression is a list."""
        node = self.value(node)
        return node >= 0 and self.code[node] == Op.ARRAY

    def elements(self, node: int) -> Sequence[int]:
        """Return the elements of a list; an empty result for other expressions."""
        node = self.value(node)
        return self.items(self.code[node + 1]) if node >= 0 and self.code[node] == Op.ARRAY else ()

    def texts(self, node: int) -> list[str]:
        """Return the strings in a list."""
        return [text for each in self.elements(node) if (text := self.text(each))]
