"""Find the tables and columns that a statement reads and modifies, in the syntax tree of sqlglot.

sqlglot is imported with the first statement, because most files have none.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from ...facts.data import PLACEHOLDER, ObjectName, TableUse
from .lineage import Lineage

if TYPE_CHECKING:
    from types import ModuleType

#: Maximum number of characters of a statement that is parsed. Longer statements contain data.
MAX_LENGTH: Final = 60_000
#: Beginning of a statement that inserts or replaces rows, in MySQL and SQLite.
#: Parameters of PgTyped: `:name!`, `$name`, `$$names`, `$user(name, email!)`.
_PARAMETER: Final = re.compile(r"(?<![\w:$@])(?:\$\$?[A-Za-z_]\w*+(?!\$)(?:\([\w\s!,]*+\))?!?(?!=)|:[A-Za-z_]\w*+!(?!=))")
_REPLACING: Final = re.compile(r"^\s*REPLACE\s+(?:INTO\b)?(?!\()", re.IGNORECASE)
#: Maximum depth of nested parentheses.
_MAX_DEPTH: Final = 60
#: Dialects that are tried, in this order, if the dialect is unknown.
DIALECTS: Final = ("postgres", "mysql", "sqlite", "tsql")


#: Dialects that are tried, in this order, if no other dialect can parse a statement of a file of SQL.
RARE_DIALECTS: Final = ("oracle", "snowflake", "bigquery", "duckdb")


def dialects_from(first: str, others: tuple[str, ...] = DIALECTS) -> tuple[str, ...]:
    """Return the dialects to try, given the known dialect `first`; "" if no dialect is known."""
    return tuple(dict.fromkeys((first, *others))) if first else others


class ParsedQuery(NamedTuple):
    """The uses in a statement, and the dialect in which it parsed."""

    statement: str
    uses: list[TableUse]
    dialect: str


@cache
def _sqlglot() -> ModuleType:
    import sqlglot

    # sqlglot warns about unknown statements, which does not concern the user.
    logging.getLogger("sqlglot").setLevel(logging.ERROR)
    return sqlglot


def parse_query(text: str, dialects: Sequence[str] = DIALECTS) -> ParsedQuery | None:
    """Return the uses in a statement; None if no dialect parses the text, or if the text is not a statement that uses tables."""
    if len(text) > MAX_LENGTH or _depth(text) > _MAX_DEPTH:
        return None
    plain = _PARAMETER.sub(":__value", text)
    for each in (text, plain) if plain != text else (text,):
        for dialect in dialects:
            tree = _tree(each, dialect)
            if tree is not None:
                return _Uses(tree).found(dialect)
    return None


class ReadQuery(NamedTuple):
    """A query, the tables that it uses, and the lineage of its columns."""

    parsed: ParsedQuery
    lineage: Lineage


def read_query(text: str, dialects: Sequence[str]) -> ReadQuery | None:
    """Return the uses and the columns of a query; None if no dialect parses the text, or if the text is not a query."""
    if len(text) > MAX_LENGTH or _depth(text) > _MAX_DEPTH:
        return None
    for dialect in dialects:
        tree = _tree(text, dialect)
        if tree is not None:
            parsed = _Uses(tree).found(dialect)
            return ReadQuery(parsed, Lineage(tree, _sqlglot().exp)) if parsed is not None else None
    return None


def _tree(text: str, dialect: str) -> Any:
    sqlglot = _sqlglot()
    text = _REPLACING.sub("INSERT INTO ", text, count=1)
    try:
        trees = [tree for tree in sqlglot.parse(text, read=dialect) if tree is not None]
    except (sqlglot.errors.SqlglotError, RecursionError, ValueError, AttributeError, TypeError, IndexError, KeyError):
        return None  # after any exception, the text is not a statement of this dialect
    is_known = len(trees) == 1 and not isinstance(trees[0], sqlglot.exp.Command)  # a statement that the dialect does not have
    return trees[0] if is_known else None


def _depth(text: str) -> int:
    depth = deepest = 0
    for sign in text:
        if sign == "(":
            depth += 1
            deepest = max(deepest, depth)
        elif sign == ")":
            depth -= 1
    return deepest


class _Uses:
    """Collects the uses of one tree."""

    def __init__(self, tree: Any) -> None:
        self._tree = tree
        self._exp = _sqlglot().exp
        self._ctes = {cte.alias.lower() for cte in tree.find_all(self._exp.CTE) if cte.alias}
        #: Tables whose columns a common table expression selects, by the name of the expression: `WITH a AS (SELECT * FROM b)`.
        self._passed: dict[str, ObjectName] = {}
        for cte in tree.find_all(self._exp.CTE):
            self._pass(cte)
        #: Names that may not be columns of tables: aliases of results and of tables.
        named = tree.find_all(self._exp.Alias, self._exp.Table, self._exp.Subquery)
        self._aliases = {each.alias_or_name.lower() for each in named}
        self._found: dict[tuple[tuple[str, str], bool, bool], TableUse] = {}
        #: Sources of each query by alias: a table, or None if the alias is not a table.
        self._sources: dict[int, dict[str, ObjectName | None]] = {}

    def found(self, dialect: str) -> ParsedQuery | None:
        exp, tree = self._exp, self._tree
        names = {
            exp.Select: "select",
            exp.SetOperation: "select",
            exp.Subquery: "select",
            exp.Insert: "insert",
            exp.Update: "update",
            exp.Delete: "delete",
            exp.Merge: "merge",
            exp.Pivot: "select",  # a statement of DuckDB: `PIVOT sales ON region USING sum(amount)`
            exp.TruncateTable: "truncate",
        }
        statement = next((name for kind, name in names.items() if isinstance(tree, kind)), "")
        if not statement or (statement == "update" and not tree.expressions):
            return None
        targets: dict[int, ObjectName] = {}
        for change in tree.find_all(exp.Insert, exp.Update, exp.Delete, exp.Merge, exp.TruncateTable):
            for table in self._targets(change):
                name = self._name(table)
                if name is not None:
                    targets[id(table)] = name
                    self._use_of(name, modifies=True)
            self._changed_columns(change)
        listed = {id(each) for change in tree.find_all(exp.Delete) for each in change.args.get("tables") or ()}
        for table in tree.find_all(exp.Table):
            name = self._name(table)
            if name is not None and id(table) not in targets and id(table) not in listed:
                self._use_of(name)
        for column in tree.find_all(exp.Column):
            self._column(column)
        for star in tree.find_all(exp.Star):
            self._star(star)
        return ParsedQuery(statement, list(self._found.values()), dialect)

    def _pass(self, cte: Any) -> None:
        """If a common table expression selects all columns of one table and no others, record this table."""
        exp, query = self._exp, cte.this
        if not isinstance(query, exp.Select) or query.args.get("joins") or query.args.get("laterals"):
            return
        from_ = query.args.get("from_") or query.args.get("from")
        is_whole = len(query.expressions) == 1 and isinstance(query.expressions[0], exp.Star)
        if from_ is None or not is_whole or not isinstance(from_.this, exp.Table) or from_.this.args.get("joins"):
            return
        table = self._source(from_.this)
        if table is not None and cte.alias:
            self._passed[cte.alias.lower()] = table

    def _source(self, source: Any) -> ObjectName | None:
        """Return the table whose columns a source of a query has; None for a source with other columns."""
        if isinstance(source, self._exp.Table) and not source.db and source.name.lower() in self._passed:
            return self._passed[source.name.lower()]
        return self._name(source)

    def _targets(self, change: Any) -> Iterator[Any]:
        exp, target = self._exp, change.this
        if isinstance(change, exp.TruncateTable):
            yield from change.expressions
        elif isinstance(change, exp.Delete) and change.args.get("tables"):  # DELETE b FROM boats b JOIN …
            names = {each.name.lower() for each in change.args["tables"]}
            sources = target.find_all(exp.Table) if isinstance(target, exp.Expression) else change.args["tables"]
            yield from (each for each in sources if each.alias_or_name.lower() in names)
        elif isinstance(target, exp.Schema):
            yield target.this
        elif isinstance(target, exp.Table):
            yield target

    def _changed_columns(self, change: Any) -> None:
        exp, target = self._exp, change.this
        if isinstance(change, exp.Insert):
            named = isinstance(target, exp.Schema)
            name, conflict = self._name(target.this if named else target), change.args.get("conflict")
            if name is not None:
                use = self._use_of(name, modifies=True)
                _add(use.columns, (column.name for column in target.expressions) if named else ())
                _add(use.columns, self._assigned(conflict) if conflict is not None else ())
        elif isinstance(change, exp.Update) and isinstance(target, exp.Table):
            name = self._name(target)
            if name is not None:
                use = self._use_of(name, modifies=True)
                _add(use.columns, self._assigned(change))

    def _assigned(self, change: Any) -> Iterator[str]:
        """Yield the columns on the left side of the assignments of an UPDATE, or of an INSERT that updates rows."""
        for each in change.expressions:
            if isinstance(each, self._exp.EQ) and isinstance(each.this, self._exp.Column):
                yield each.this.name

    def _name(self, table: Any) -> ObjectName | None:
        """Return the name of a table; None for the name of a query in the statement, and for a function."""
        if not isinstance(table, self._exp.Table) or not isinstance(table.this, self._exp.Identifier):
            return None
        name, schema = table.name, table.db if table.db != PLACEHOLDER else ""
        if not name or (not schema and name.lower() in self._ctes):
            return None
        return ObjectName(name, schema)

    def _use_of(self, name: ObjectName, *, modifies: bool = False, of_condition: bool = False) -> TableUse:
        return self._found.setdefault((name.key, modifies, of_condition), TableUse(name, modifies, [], [], of_condition))

    # ------------------------------------------------------------------ columns

    def _scope(self, node: Any) -> dict[str, ObjectName | None]:
        known = self._sources.get(id(node))
        if known is None:
            known = self._sources[id(node)] = dict(self._read_sources(node))
        return known

    def _read_sources(self, node: Any) -> Iterator[tuple[str, ObjectName | None]]:
        exp = self._exp
        sources: list[Any] = []
        from_ = node.args.get("from_") or node.args.get("from")
        if from_ is not None:
            sources.append(from_.this)
        for join in node.args.get("joins") or ():
            sources.append(join.this)
        if isinstance(node, exp.Pivot) and node.this is not None:
            sources.append(node.this)
        elif isinstance(node, exp.Insert):
            sources.append(node.this.this if isinstance(node.this, exp.Schema) else node.this)
        elif isinstance(node, (exp.Update, exp.Delete, exp.Merge)):
            sources.append(node.this)
            using = node.args.get("using")
            sources += using if isinstance(using, list) else [using] if using is not None else []
        for source in [*sources]:
            sources += [join.this for join in (source.args.get("joins") or ())] if isinstance(source, exp.Table) else []
        for lateral in node.args.get("laterals") or ():
            sources.append(lateral)
        for source in sources:
            alias = (getattr(source, "alias_or_name", "") or "").lower()
            yield alias or f"#{id(source)}", self._source(source)

    def _scopes(self, node: Any) -> Iterator[tuple[Any, dict[str, ObjectName | None]]]:
        """Yield the queries around a node with their sources, the innermost first."""
        exp = self._exp
        around = node.parent
        while around is not None:
            if isinstance(around, (exp.Select, exp.Pivot, exp.Insert, exp.Update, exp.Delete, exp.Merge)):
                yield around, self._scope(around)
            around = around.parent

    def _column(self, column: Any) -> None:
        name, qualifier = column.name, column.table.lower()
        if not name or isinstance(column.this, self._exp.Star) or self._is_assigned(column):
            return
        for query, sources in self._scopes(column):
            if qualifier:
                if qualifier in sources:
                    if (table := sources[qualifier]) is not None:
                        _add(self._read_use(query, table).columns, (name,))
                    return
                continue
            tables = [table for table in sources.values() if table is not None]
            may_be_other = name.lower() in self._aliases or column.this.args.get("quoted")
            if len(sources) == 1 and tables and not may_be_other and not self._is_inner(query):
                _add(self._read_use(query, tables[0]).columns, (name,))
            elif sources:
                for table in tables:
                    _add(self._read_use(query, table).unqualified, (name,))
            if sources:
                return

    def _is_assigned(self, column: Any) -> bool:
        """Return whether a column is on the left side of an assignment of UPDATE, or of an INSERT that updates rows."""
        exp, parent = self._exp, column.parent
        is_left = isinstance(parent, exp.EQ) and column.arg_key == "this"
        return is_left and isinstance(parent.parent, (exp.Update, exp.OnConflict)) and parent.arg_key == "expressions"

    def _is_inner(self, query: Any) -> bool:
        """Return whether a query is nested in a query with sources, and so may name their columns without a qualifier."""
        return next((True for _, sources in self._scopes(query) if sources), False)

    def _read_use(self, query: Any, table: ObjectName) -> TableUse:
        exp = self._exp
        is_target = False
        if isinstance(query, (exp.Insert, exp.Update, exp.Delete, exp.Merge)):
            is_target = any((name := self._name(target)) is not None and name.key == table.key for target in self._targets(query))
        return self._use_of(table, of_condition=is_target)

    def _star(self, star: Any) -> None:
        exp = self._exp
        parent = star.parent
        if isinstance(parent, exp.Column):
            for _, sources in self._scopes(parent):
                if (table := sources.get(parent.table.lower())) is not None:
                    self._use_of(table)
                    return
        elif isinstance(parent, exp.Select):
            for table in self._scope(parent).values():
                if table is not None:
                    self._use_of(table)


def _add(names: list[str], new: Any) -> None:
    for name in new:
        if name and name not in names:
            names.append(name)
