"""Read a dbt template: its model, snapshots and macros, the relations that the model reads, and the columns of the model."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from typing import Final

from ....schema.records import Problem
from ...facts.data import DataFacts, Fragment, ObjectName, Query, TableUse
from ...facts.dbt import DbtFacts, DbtModel, DbtOutput
from ...facts.model import FileFacts, SymbolFact
from ...facts.uncovered_lines import facts_of_symbols, line_offsets, renumbered_by_roots, symbols_of_gaps
from ...files.source_text import SourceText
from ..sql.dialects import dialect_of
from ..sql.lineage import Lineage, Origin
from ..sql.queries import ReadQuery, dialects_from, read_query
from .jinja import THIS, VALUE, NamedRelation, Template, read_template

#: SQL dialects of dbt's warehouses, in the order in which the reader tries them.
_DIALECTS: Final = ("snowflake", "bigquery", "duckdb", "postgres", "tsql")
#: The dialect whose syntax no other warehouse has.
_BIGQUERY: Final = "bigquery"
_MAX_SIGNATURE: Final = 2_000
#: Prefix of the name of a fragment that is a macro.
_MACRO: Final = "dbt:"
_SNAPSHOT_END: Final = re.compile(r"\{%[-+]?\s*endsnapshot\s*[-+]?%\}")
#: A word that a query contains. A text without such a word has no SQL beside its Jinja expressions.
_QUERY: Final = re.compile(r"\b(?:select|with)\b", re.IGNORECASE)


def template_facts(source: SourceText) -> FileFacts:
    """Return the facts of a dbt file: SQL with Jinja."""
    return _TemplateReading(source).facts()


class _TemplateReading:
    def __init__(self, source: SourceText) -> None:
        self._source = source
        self._dialects = dialects_from(source.sql_dialect, _DIALECTS)
        self._text = source.data.decode("utf-8", "replace")
        self._starts = line_offsets(self._text, len(source.line_starts))
        self._template = read_template(self._text)
        self._simple: Template | None = None
        self._symbols: list[SymbolFact] = []
        self._dbt = DbtFacts()
        self._data = DataFacts(dbt=self._dbt)
        self._problems = list(source.problems)

    def facts(self) -> FileFacts:
        template = self._template
        for name, start, end in template.macros:
            self._macro(name, self._symbol(name, "procedure", start, end), start, end)
        snapshots = template.snapshots
        for place, (name, start) in enumerate(snapshots):
            following = snapshots[place + 1][1] if place + 1 < len(snapshots) else len(self._text)
            closed = _SNAPSHOT_END.search(self._text, start, following)
            end = closed.end() if closed is not None else following
            self._model(name, self._symbol(name, "table", start, end), start, end)
        if not template.macros and not snapshots and _QUERY.search(template.text) is not None:
            self._model("", self._symbol("", "view", 0, len(self._text)), 0, len(self._text))
        self._fill_gaps()
        lines = self._source.line_starts
        return facts_of_symbols("sql", lines, self._text, self._starts, self._symbols, self._problems, data=self._data)

    # ------------------------------------------------------------------ symbols

    def _symbol(self, name: str, kind: str, start: int, end: int) -> int:
        first, last = self._line(start), self._line(max(start, end - 1))
        previous = self._symbols[-1] if self._symbols else None
        if previous is not None and previous.depth == 0 and previous.end_line >= first:
            first = previous.end_line + 1  # both symbols share a line, which belongs to the first symbol
            last = max(first, last)
        signature = " ".join(self._text[start : start + 200].split())[:120] if name else ""
        comment = _comment(self._text) if not name else ""
        self._symbols.append(SymbolFact(name, kind, -1, 0, first, last, first, first, signature, comment, [], True, True))
        return len(self._symbols) - 1

    def _fill_gaps(self) -> None:
        gaps = symbols_of_gaps(self._text, self._starts, self._symbols, ("--", "/*", "{#"))
        if not gaps:
            return
        self._symbols += gaps
        self._symbols, numbers = renumbered_by_roots(self._symbols)
        for query in self._data.queries:
            query.symbol = numbers[query.symbol]
        for model in self._dbt.models:
            model.symbol = numbers[model.symbol]
            for output in model.outputs:
                output.symbol = numbers[output.symbol]

    # ------------------------------------------------------------------ queries

    def _macro(self, name: str, symbol: int, start: int, end: int) -> None:
        """Record the relations that a macro names, as a part of the models that call it."""
        tables = [ObjectName(each.name, each.source) for each in self._relations(start, end)]
        called = self._called(start, end, name)
        if tables or called:
            self._data.fragments.append(Fragment(f"{_MACRO}{name}", tables, [], called))
        if tables:
            uses = {table.key: TableUse(table, False) for table in tables}
            self._data.queries.append(Query(symbol, self._line(start), "select", list(uses.values()), "sql", ""))

    def _relations(self, start: int, end: int) -> list[NamedRelation]:
        found = self._template.relations
        first, behind = (bisect_left(found, place, key=lambda each: each.offset) for place in (start, end))
        return found[first:behind]

    def _called(self, start: int, end: int, own: str = "") -> list[str]:
        """Return the fragments of the macros that a part of the template calls."""
        found = self._template.calls
        first, behind = (bisect_left(found, place, key=lambda each: each[1]) for place in (start, end))
        return [f"{_MACRO}{name}" for name in dict.fromkeys(name for name, _ in found[first:behind]) if name != own]

    def _model(self, name: str, symbol: int, start: int, end: int) -> None:
        line = self._line(start)
        model = DbtModel(name, symbol, line, self._template.options.get("materialized", ""))
        self._dbt.models.append(model)
        read = self._read(start, end)
        dialect = self._data.dialect = self._dialect(start, end)
        uses: dict[tuple[str, str], TableUse] = {}
        if read is not None:
            for use in read.parsed.uses:
                if _is_known(use.name):
                    use.columns = [each for each in use.columns if VALUE not in each]
                    uses[use.name.key] = use
            self._outputs(model, read.lineage, start)
        at = line
        for relation in self._relations(start, end):
            named = ObjectName(relation.name, relation.source)
            if named.key not in uses:
                uses[named.key] = TableUse(named, False)
                at = self._line(relation.offset)
        called = self._called(start, end)
        if uses or called:
            line = at if read is None else line
            self._data.queries.append(Query(symbol, line, "select", list(uses.values()), "sql", dialect, fragments=called))
        if read is None:
            self._problems.append(Problem(model.line, "the query of this model is known by the relations that it names alone"))

    def _dialect(self, start: int, end: int) -> str:
        """Return the dialect of a query: the stated one, or BigQuery if the query has its names in grave accents; "" otherwise.

        That a query parses in a dialect shows nothing, because most queries parse in all dialects of warehouses.
        """
        return self._source.sql_dialect or (_BIGQUERY if dialect_of(self._template.text[start:end]) == _BIGQUERY else "")

    def _read(self, start: int, end: int) -> ReadQuery | None:
        """Parse a query. A query that does not parse is read again without the contents of conditional blocks."""
        found = read_query(self._template.text[start:end], self._dialects)
        if found is None and "{%" in self._text:
            self._simple = self._simple or read_template(self._text, with_conditions=False)
            found = read_query(self._simple.text[start:end], self._dialects)
        return found

    def _outputs(self, model: DbtModel, lineage: Lineage, start: int) -> None:
        seen: set[str] = set()
        for output in lineage.outputs():
            if not output.name or VALUE in output.name:
                given = DbtOutput("", model.symbol, model.line)
                if output.table is not None and _is_known(output.table):
                    given.relation, given.source = output.table.name, output.table.schema
                    given.without = sorted(output.without)
                if given not in model.outputs:
                    model.outputs.append(given)
                continue
            if output.name.lower() in seen:
                continue
            seen.add(output.name.lower())
            symbol, line = model.symbol, model.line
            if output.start >= 0:
                line = self._line(start + output.start)
                symbol = self._column(model.symbol, output.name, line)
                self._origins(symbol, line, [each for each in lineage.origins(output) if _is_known(each.table)])
            model.outputs.append(DbtOutput(output.name, symbol, line))

    def _origins(self, symbol: int, line: int, origins: list[Origin]) -> None:
        """Record a query for the symbol of an output column. The query reads the columns from which the output is computed."""
        uses: dict[tuple[str, str], TableUse] = {}
        for table, column in sorted(origins, key=lambda each: (each.table.key, each.column)):
            if VALUE not in column:
                uses.setdefault(table.key, TableUse(table, False, of_condition=True, columns=[])).columns.append(column)
        if uses:
            self._data.queries.append(Query(symbol, line, "select", list(uses.values()), "sql", self._data.dialect))

    def _column(self, parent: int, name: str, line: int) -> int:
        text = self._text[self._starts[line - 1] : self._starts[line] if line < len(self._starts) else len(self._text)]
        signature = " ".join(text.split()).rstrip(",")[:_MAX_SIGNATURE]
        depth = self._symbols[parent].depth + 1
        self._symbols.append(SymbolFact(name, "column", parent, depth, line, line, line, line, signature, "", [], True, False))
        return len(self._symbols) - 1

    def _line(self, offset: int) -> int:
        return bisect_right(self._starts, max(offset, 0))


def _is_known(name: ObjectName) -> bool:
    """Return whether the name of a table is neither a placeholder nor the name of the model."""
    return VALUE not in name.name and VALUE not in name.schema and name.name != THIS


def _comment(text: str) -> str:
    found: list[str] = []
    for line in text.splitlines():
        stripped = line.strip()
        if not stripped.startswith("--"):
            if stripped:
                break
            continue
        found.append(stripped.lstrip("- "))
    return "\n".join(found)[:_MAX_SIGNATURE]
