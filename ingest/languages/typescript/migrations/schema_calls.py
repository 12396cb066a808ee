"""The calls of a migration in their order, the changes that they make, and symbols for the declared tables and columns."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from typing import Final

from ....data.sql.embedded_changes import changes_of_text
from ....facts.data import EMBEDDED, UNSURE, Action, EmbeddedSchema, ObjectName, SchemaChange
from ....facts.operations import Op
from ..models.call_chains import Chain, chain_of
from ..models.declared import DeclaredNames
from .dialect_branches import DialectBranches

#: Matches the beginning of `up`, which runs a migration, of `down`, which reverts the migration, or of another function.
_DIRECTION: Final = re.compile(
    rb"(?:^[ \t]*|[{,]\s*)(?:export\s+)?(?:default\s+)?(?:(?:const|let|var|public|static)\s+)?(?:async\s+)?(?:function\s*\*?\s*)?"
    rb"(?:(?:module\.)?exports\.)?['\"]?(?P<way>up|down)['\"]?\s*(?:=(?!=)|:|\()"
    rb"|^(?:export\s+)?(?:async\s+)?function\s+(?!(?:up|down)\b)\w+",
    re.MULTILINE,
)
#: Maximum number of calls of a file that are read.
_MAX_CALLS: Final = 20_000
_MAX_SIGNATURE: Final = 300


def directions(source: bytes) -> Sequence[tuple[int, bool]]:
    """Return the offset of each function of a migration, and whether it reverts the migration; empty without a function `up`."""
    found = [(match.start(), match["way"]) for match in _DIRECTION.finditer(source)]
    return [(start, way == b"down") for start, way in found] if any(way == b"up" for _, way in found) else []


class Declared:
    """A table or a column that a migration declares: its symbol and its line."""

    def __init__(self, symbol: int, line: int) -> None:
        self.symbol = symbol
        self.line = line


class SchemaCalls:
    """The calls of one file, and the changes that they make."""

    def __init__(self, names: DeclaredNames, source: bytes, ways: Sequence[tuple[int, bool]]) -> None:
        """`ways` are pairs: the offset of a function, and whether the function reverts the migration."""
        self.names = names
        self._source = source
        self._ways = ways
        self._branches = DialectBranches(source)
        self._made: list[SchemaChange] = []
        self._first_symbol = len(names.facts.symbols)
        self.chains = self._chains()

    def finish(self) -> None:
        """Add the changes to the facts of the file."""
        if self._made:
            self.names.facts.own_data().changes += self._made

    def finish_beside_migrations(self) -> None:
        """Add the changes to the facts of the file as a schema that code defines, without a migration."""
        facts, created = self.names.facts, None
        if not any(each.action == Action.CREATE and each.kind == "table" for each in self._made):
            return
        for change in self._made:
            if change.kind == "table":
                created = change.name if change.action == Action.CREATE else None
                change.text = UNSURE if change.action == Action.DROP else ""
            elif change.table == created and change.action == Action.CREATE and change.kind in ("column", "constraint"):
                change.of_creation = True
            else:
                created = None
        for symbol in facts.symbols[self._first_symbol :]:
            symbol.modifiers.append(EMBEDDED)
        facts.own_data().embedded = EmbeddedSchema(self._made)

    # ------------------------------------------------------------------ calls

    def _chains(self) -> list[Chain]:
        """Return the complete chains of calls, in the order of the source and without repetition.

        Of the branches for several dialects, those for one dialect count.
        """
        longest: dict[int, Chain] = {}
        for node in self.names.facts.calls[:_MAX_CALLS]:
            chain = chain_of(self.names, node)
            if chain is not None:
                known = longest.get(chain.callee)
                if known is None or len(known.rest) < len(chain.rest):
                    longest[chain.callee] = chain
        chosen = [chain for chain in longest.values() if self._branches.is_chosen(self.offset(chain.callee))]
        return sorted(chosen, key=lambda chain: self.offset(chain.callee))

    def offset(self, node: int) -> int:
        """Return the offset of a node."""
        return self.names.code[node + 4]

    def receiver(self, chain: Chain) -> int:
        """Return the declaration of the first name in a chain, such as `table` in `table.string("a")`; -1 if there is none."""
        code = self.names.code
        node = chain.callee
        while node >= 0 and code[node] == Op.MEMBER:
            node = code[node + 1]
        if node < 0 or code[node] != Op.NAME or code[node + 1] < 0:
            return -1
        decls = self.names.facts.bindings[code[node + 1]].decls
        return decls[0] if len(decls) == 1 else -1

    def parameter(self, node: int) -> int:
        """Return the declaration of the first parameter of a function; -1 for other values and for a function without
        parameters.
        """
        node = self.names.value(node)
        if node < 0 or self.names.code[node] != Op.FUNCTION:
            return -1
        parameters = self.names.facts.functions[self.names.code[node + 1]].parameters
        return parameters[0].decl if parameters else -1

    def _is_down(self, node: int) -> bool:
        place = bisect_right(self._ways, (self.offset(node), True)) - 1
        return place >= 0 and self._ways[place][1]

    # ------------------------------------------------------------------ changes

    def declare(self, kind: str, name: str, node: int, parent: int) -> Declared:
        """Add a symbol for a table or a column that a call declares, in the symbol `parent`."""
        symbols = self.names.facts.symbols
        line = self.names.line(node)
        if parent < 0:
            parent = next((place for place, each in enumerate(symbols) if each.start_line <= line <= each.end_line), -1)
        return Declared(self.names.add_symbol(kind, name, node, parent, self._source, _MAX_SIGNATURE), line)

    def own(self, node: int) -> Declared:
        """Return the symbol around a call, for a change to a table or column that other code declares."""
        owner = self.names.owner(node)
        line = self.names.line(node)
        if owner < 0:
            symbols = self.names.facts.symbols
            owner = next((place for place, each in enumerate(symbols) if each.start_line <= line <= each.end_line), 0)
        return Declared(owner, line)

    def add(self, action: str, kind: str, name: str, at: Declared, node: int, *, schema: str = "") -> SchemaChange:
        """Add a change and return it, so that the caller can set its other fields."""
        made = SchemaChange(action, kind, ObjectName(name, schema), at.symbol, at.line, is_down=self._is_down(node))
        self._made.append(made)
        return made

    def column(self, table: ObjectName, name: str, kind: str, at: Declared, node: int) -> SchemaChange:
        """Add a column to a table."""
        made = self.add(Action.CREATE, "column", name, at, node)
        made.table, made.type, made.nullable = table, kind, True
        return made

    def key(self, table: ObjectName, kind: str, columns: Sequence[str], name: str, at: Declared, node: int) -> SchemaChange:
        """Add a primary key, a unique key, a foreign key or an index to a table."""
        if kind in ("index", "unique index"):
            made = self.add(Action.CREATE, "index", name, at, node)
            made.is_unique = kind == "unique index"
        else:
            made = self.add(Action.CREATE, "constraint", name, at, node)
            made.type = kind
        made.table, made.columns = table, list(columns)
        return made

    def drop(self, kind: str, name: str, table: ObjectName | None, node: int) -> SchemaChange:
        """Drop a table, a column, a constraint or an index."""
        made = self.add(Action.DROP, kind, name, self.own(node), node)
        made.table = table
        return made

    def rename(self, kind: str, old: str, new: str, table: ObjectName | None, node: int) -> None:
        """Rename a table or a column."""
        if old and new:
            made = self.add(Action.RENAME, kind, old, self.own(node), node)
            made.table, made.new_name = table, ObjectName(new)

    def run(self, text: str, node: int) -> None:
        """Add the changes that a text of SQL makes."""
        at, is_down = self.own(node), self._is_down(node)
        #: Symbols of the tables and views that the text creates.
        created: dict[tuple[str, str], int] = {}
        for made in changes_of_text(text, at.symbol, at.line) if text else ():
            made.is_down = is_down
            if made.action == Action.CREATE and made.kind in ("table", "view") and not is_down:
                made.symbol = created[made.name.key] = self.declare(made.kind, made.name.name, node, at.symbol).symbol
            elif made.table is not None:
                made.symbol = created.get(made.table.key, made.symbol)
                if made.action == Action.CREATE and made.kind == "column" and not is_down:
                    made.symbol = self.declare("column", made.name.name, node, made.symbol).symbol
            self._made.append(made)
