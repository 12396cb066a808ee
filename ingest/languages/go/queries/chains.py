"""Chains of calls of a library, through the variables that keep a part of a chain."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Final, NamedTuple

from ....facts.data import TABLE_NAME
from ....facts.model import DeclKind
from ....facts.node_scan import CELLS, any_of, nodes_of
from ....facts.operations import Op, Use
from ...framework_rules.queries import QueryFile
from ...framework_rules.wiring import SymbolPlace
from ..models.naming import plural, snake_case

_SLICES: Final = ("builtins.__slice__", "builtins.__array__")
_NAMES: Final = any_of(Op.NAME)
_ARRAYS: Final = any_of(Op.ARRAY)
#: A name of a column, perhaps after the name of its table, and a text in a part of a statement.
_COLUMN: Final = re.compile(r"(?:[`\"]?([A-Za-z_]\w*)[`\"]?\.)?[`\"]?([A-Za-z_]\w*)")
_TEXT: Final = re.compile(r"'(?:[^']|'')*'")
_MAX_CHAIN: Final = 60
#: Matches the origin of no function: the functions of a library that generates code are in the repository.
_NO_PACKAGE: Final = re.compile(r"(?!)")
#: Maximum number of values of a variable that are followed.
MAX_VALUES: Final = 20


class Link(NamedTuple):
    """A call of a chain."""

    node: int
    name: str
    receiver: int
    arguments: Sequence[int]


class ChainReading:
    """The chains of a library in a file. `package` matches the origins of the library's functions, if it has any itself."""

    #: Whether the methods of a chain change the value on which code calls them, and the methods that begin a chain.
    changes_value = False
    beginnings: frozenset[str] = frozenset()

    def __init__(self, file: QueryFile, package: re.Pattern[str] = _NO_PACKAGE) -> None:
        self._file = file
        self._package = package

    def link(self, node: int) -> Link | None:
        """Return a call of a method; None for other expressions."""
        code = self._file.code
        callee = code[node + 1] if node >= 0 and code[node] == Op.CALL else -1
        if callee < 0 or code[callee] != Op.MEMBER:
            return None
        return Link(node, self._file.name(callee), code[callee + 1], self._file.items(code[node + 2]))

    def is_own(self, node: int) -> bool:
        """Return whether a call is one of a method of the library."""
        return self._package.fullmatch(self._file.origin(self._file.code[node + 1])) is not None

    def chain(self, last: Link) -> list[Link]:
        """Return the calls of a chain from its end to its beginning. Variables in the chain are followed."""
        return self.chain_and_helpers(last)[0]

    def chain_and_helpers(self, last: Link) -> tuple[list[Link], list[int]]:
        """Return the calls of a chain, and the callees in the chain that are not of the library: `withPosts(db).Find(&users)`."""
        found, waiting, seen = [last], [last.receiver], set[int]()
        helpers: list[int] = []
        while waiting and len(found) < _MAX_CHAIN and len(seen) < _MAX_CHAIN:
            node = waiting.pop()
            if node < 0 or node in seen:
                continue
            seen.add(node)
            link = self.link(node)
            if link is not None:
                found.append(link)
                waiting.append(link.receiver)
                # A function of the repository may take a chain as argument and return the chain with more conditions.
                # A chain in an argument of the library is a statement of its own.
                if not self.is_own(node):
                    helpers.append(self._file.code[node + 1])
                    waiting += [each for each in link.arguments if self.link(each) is not None]
            elif self._file.code[node] == Op.CALL:
                helpers.append(self._file.code[node + 1])
            else:
                waiting += self._values(node)[:MAX_VALUES]
        return found, helpers

    def _values(self, node: int) -> Sequence[int]:
        """Return the values of a node; for a variable, also the calls that code assigns later: `query = query.Where("a")`.

        A call with several results has its first one as value: `rows, err := db.Query("…")`.
        """
        code = self._file.code
        found: Sequence[int] = [
            code[each + 1] if code[each] == Op.ELEMENT and code[each + 3] == 0 else each for each in self._file.values(node)
        ]
        if code[node] == Op.NAME and code[node + 1] >= 0:
            found = [*found, *self._assigned.get(code[node + 1], ())]
            found += self._called.get(code[node + 1], ()) if self.changes_value else ()
        return found

    def parts(self, node: int) -> Sequence[int]:
        """Return the expressions of which an expression consists: arguments, items, operands, and the values of a name."""
        code = self._file.code
        if code[node] == Op.CALL:
            return [code[node + 1], *self._file.items(code[node + 2])]
        if code[node] == Op.ARRAY:
            return self._file.items(code[node + 1])
        if node in self._literal_items:
            return self._literal_items[node]
        if code[node] in (Op.MEMBER, Op.AS, Op.SPREAD):
            return [code[node + 1]]
        return self._values(node)[:MAX_VALUES]

    @cached_property
    def _literal_items(self) -> dict[int, Sequence[int]]:
        """The items of the literals whose content the facts have, by literal."""
        code, found = self._file.code, dict[int, Sequence[int]]()
        for node in nodes_of(self._file.facts, _ARRAYS):
            if code[node + 3] >= 0:
                found[code[node + 3]] = self._file.items(code[node + 1])
        return found

    @cached_property
    def _called(self) -> dict[int, list[int]]:
        """The calls of methods of each variable, other than those that begin a chain: `query.Where("a")`."""
        code, found = self._file.code, dict[int, list[int]]()
        for node in self._file.facts.calls:
            link = self.link(node)
            receiver = link.receiver if link is not None and link.name not in self.beginnings else -1
            if receiver >= 0 and code[receiver] == Op.NAME and self._is_variable(code[receiver + 1]):
                found.setdefault(code[receiver + 1], []).append(node)
        return found

    def _is_variable(self, binding: int) -> bool:
        facts = self._file.facts
        kinds = {facts.decls[each].kind for each in facts.bindings[binding].decls} if binding >= 0 else set()
        return bool(kinds) and kinds <= {DeclKind.VARIABLE, DeclKind.PARAMETER}

    @cached_property
    def _assigned(self) -> dict[int, list[int]]:
        """The calls that code assigns to each variable. The node of the assigned name comes directly after that of its value."""
        code, found = self._file.code, dict[int, list[int]]()
        for node in nodes_of(self._file.facts, _NAMES):
            is_after_call = code[node + 3] == Use.WRITE and node >= CELLS and code[node - CELLS] == Op.CALL
            if is_after_call and code[node + 1] >= 0:
                found.setdefault(code[node + 1], []).append(node - CELLS)
        return found

    def rows(self, node: int) -> Iterator[SymbolPlace]:
        """Yield the structs of the row or the rows in a value."""
        for kind in self._file.types(node):
            if kind.declared is not None:
                yield kind.declared
            for library in _SLICES:
                if library in kind.libraries:
                    yield from (each.declared for each in kind.argument(library) if each.declared is not None)

    def text(self, node: int) -> str:
        """Return a constant text; "" for other expressions."""
        code = self._file.code
        return self._file.facts.strings[code[node + 2]].strip('"`') if node >= 0 and code[node] == Op.STRING else ""

    def columns(self, node: int) -> list[tuple[str, str]]:
        """Return the names in a constant part of a statement, each with the table before it. Not all are columns."""
        return _COLUMN.findall(_TEXT.sub("", self.text(node)))


def default_table(model: SymbolPlace) -> str:
    """Return the name in place of a model for the table that mappers read for a struct without a name for its table."""
    return f"{TABLE_NAME}{plural(snake_case(model.file.facts.symbols[model.symbol].name))}"
