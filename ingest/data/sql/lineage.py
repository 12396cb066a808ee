"""Find the output columns of a query, and the table columns from which they are computed.

Common table expressions are followed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from ...facts.data import ObjectName

#: Maximum number of output columns of a query.
_MAX_OUTPUTS: Final = 2_000
#: Maximum depth of nested queries that are followed.
_MAX_DEPTH: Final = 40
#: Maximum number of columns from which a column is computed.
_MAX_ORIGINS: Final = 60


class Output(NamedTuple):
    """An output column of a query, all columns of a table, or unknown columns."""

    #: "" for all columns of a table, and for an expression without a name.
    name: str
    #: Offset of the name; -1 if there is no name.
    start: int
    #: The expression of the output.
    expression: Any
    #: The query that contains the expression.
    query: Any
    #: The table whose columns are all selected.
    table: ObjectName | None = None
    #: Lower-case names of the columns that are excluded from `*`.
    without: frozenset[str] = frozenset()


#: An output for unknown columns.
UNKNOWN: Final = Output("", -1, None, None)


class Origin(NamedTuple):
    """A column of a table from which another column is computed."""

    table: ObjectName
    column: str


class Lineage:
    """The columns of one statement."""

    def __init__(self, tree: Any, expressions: Any) -> None:
        """`expressions` is the module of sqlglot with the classes of nodes."""
        self._tree = tree
        self._exp = expressions
        self._ctes: dict[str, Any] = {cte.alias.lower(): cte.this for cte in tree.find_all(expressions.CTE) if cte.alias}
        self._outputs: dict[int, list[Output]] = {}
        self._origins: dict[int, frozenset[Origin]] = {}
        self._sources: dict[int, Mapping[str, Any]] = {}
        self._open: set[int] = set()

    def outputs(self) -> list[Output]:
        """Return the output columns of the statement, in order."""
        return self._of_query(self._tree, 0)

    def origins(self, output: Output) -> frozenset[Origin]:
        """Return the table columns from which an output is computed, as far as they are certain."""
        return self._of_expression(output.expression, output.query, 0)

    # ------------------------------------------------------------------ outputs

    def _of_query(self, node: Any, depth: int) -> list[Output]:
        key = id(node)
        if key in self._open or depth > _MAX_DEPTH:
            return [UNKNOWN]
        if key not in self._outputs:
            self._open.add(key)
            self._outputs[key] = self._read_query(node, depth)
            self._open.discard(key)
        return self._outputs[key]

    def _read_query(self, node: Any, depth: int) -> list[Output]:
        exp = self._exp
        if isinstance(node, (exp.Subquery, exp.SetOperation)):
            return self._of_query(node.this, depth + 1)
        if not isinstance(node, exp.Select):
            return [UNKNOWN]
        found: list[Output] = []
        for each in node.expressions:
            found += self._of_projection(each, node, depth)
            if len(found) > _MAX_OUTPUTS:
                return [UNKNOWN]
        return found

    def _of_projection(self, node: Any, query: Any, depth: int) -> list[Output]:
        exp = self._exp
        if isinstance(node, exp.Alias):
            identifier = node.args.get("alias")
            return [Output(node.alias, _start(identifier), node.this, query)]
        if isinstance(node, exp.Star):
            return self._of_star(node, self._sources_of(query).values(), depth)
        if isinstance(node, exp.Column):
            if not isinstance(node.this, exp.Star):
                return [Output(node.name, _start(node.this), node, query)]
            source = self._sources_of(query).get(node.table.lower())
            return self._of_star(node.this, [source], depth) if source is not None else [UNKNOWN]
        return [Output("", -1, node, query)]

    def _of_star(self, star: Any, sources: Any, depth: int) -> list[Output]:
        hidden = star.args.get("except_") or star.args.get("except") or ()
        without = frozenset(each.name.lower() for each in hidden)
        if star.args.get("rename"):
            return [UNKNOWN]
        return [output for source in sources for output in self._of_source(source, without, depth)]

    def _of_source(self, source: Any, without: frozenset[str], depth: int) -> list[Output]:
        exp = self._exp
        if isinstance(source, exp.Table) and isinstance(source.this, exp.Identifier):
            inner = self._cte(source)
            if inner is None:
                return [Output("", -1, None, None, ObjectName(source.name, source.db), without)]
        elif isinstance(source, exp.Subquery):
            inner = source.this
        else:
            return [UNKNOWN]
        given = self._of_query(inner, depth + 1)
        return [
            each._replace(without=each.without | without) if each.table is not None else each
            for each in given
            if each.name.lower() not in without or each.table is not None
        ]

    def _cte(self, table: Any) -> Any:
        """Return the common table expression with a name; None for a table."""
        return self._ctes.get(table.name.lower()) if not table.db else None

    def _sources_of(self, query: Any) -> Mapping[str, Any]:
        """Return the tables and subqueries that a query reads, by alias."""
        known = self._sources.get(id(query))
        if known is None:
            from_ = query.args.get("from_") or query.args.get("from")
            nodes = [from_.this] if from_ is not None else []
            nodes += [join.this for join in query.args.get("joins") or ()]
            nodes += list(query.args.get("laterals") or ())
            for node in [*nodes]:
                nodes += [join.this for join in (node.args.get("joins") or ())]
            known = self._sources[id(query)] = {(node.alias_or_name or f"#{id(node)}").lower(): node for node in nodes}
        return known

    # ------------------------------------------------------------------ origins

    def _of_expression(self, node: Any, query: Any, depth: int) -> frozenset[Origin]:
        if node is None or query is None or depth > _MAX_DEPTH:
            return frozenset()
        key = id(node)
        if key not in self._origins:
            self._origins[key] = frozenset()  # a name that depends on itself adds no origin
            found: set[Origin] = set()
            for column in self._columns(node):
                found |= self._of_column(column, query, depth)
                if len(found) > _MAX_ORIGINS:
                    break
            self._origins[key] = frozenset(found)
        return self._origins[key]

    def _columns(self, node: Any) -> Iterator[Any]:
        """Yield the columns in an expression, without the columns of nested queries."""
        exp = self._exp
        stack = [node]
        while stack:
            current = stack.pop()
            if isinstance(current, exp.Column):
                yield current
            elif not isinstance(current, (exp.Select, exp.SetOperation)):
                stack.extend(current.iter_expressions())

    def _of_column(self, column: Any, query: Any, depth: int) -> frozenset[Origin]:
        sources, qualifier, name = self._sources_of(query), column.table.lower(), column.name
        if qualifier:
            source = sources.get(qualifier)
        else:
            source = next(iter(sources.values())) if len(sources) == 1 else self._having(sources, name, depth)
        if source is None or not name or isinstance(column.this, self._exp.Star):
            return frozenset()
        return self._of_source_column(source, name, depth)

    def _having(self, sources: Mapping[str, Any], name: str, depth: int) -> Any:
        """Return the only source with the named column, if the columns of all sources are known."""
        having = []
        for source in sources.values():
            given = self._of_source(source, frozenset(), depth + 1)
            if any(not each.name for each in given):
                return None
            if any(each.name.lower() == name.lower() for each in given):
                having.append(source)
        return having[0] if len(having) == 1 else None

    def _of_source_column(self, source: Any, name: str, depth: int) -> frozenset[Origin]:
        exp = self._exp
        if isinstance(source, exp.Table) and isinstance(source.this, exp.Identifier) and self._cte(source) is None:
            return frozenset((Origin(ObjectName(source.name, source.db), name),))
        given = self._of_source(source, frozenset(), depth + 1)
        tables = [each.table for each in given if each.table is not None and name.lower() not in each.without]
        named = [each for each in given if each.table is None and each.name.lower() == name.lower()]
        if named:
            return self._of_expression(named[0].expression, named[0].query, depth + 1)
        is_sure = len(tables) == 1 and UNKNOWN not in given
        return frozenset((Origin(tables[0], name),)) if is_sure else frozenset()


def _start(identifier: Any) -> int:
    """Return the offset of a name in the parsed text; -1 if it is unknown."""
    if identifier is None:
        return -1
    place = identifier.meta.get("start")
    return place if isinstance(place, int) else -1
