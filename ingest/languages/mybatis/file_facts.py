"""The facts of a mapper: a symbol for each statement and each map of results, and the tables that the statements use."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import Final

from ....schema.records import Problem
from ...data.sql.dialects import dialect_of
from ...data.sql.queries import DIALECTS, ParsedQuery, dialects_from, parse_query
from ...data.xml_elements import Element, read_elements
from ...facts.data import PLACEHOLDER, DataFacts, Fragment, Query, ResultColumn, TableUse
from ...facts.model import FileFacts, SymbolFact
from ...facts.uncovered_lines import facts_of_symbols, line_offsets, renumbered_by_roots, symbols_of_gaps
from ...files.source_text import SourceText
from .dynamic_sql import DynamicSql

#: Maximum number of characters of a signature.
_MAX_SIGNATURE: Final = 400
#: Maximum number of elements of maps that one statement reads.
_MAX_ELEMENTS: Final = 5_000
#: Maximum number of nested maps.
_MAX_NESTED: Final = 10
#: Maximum number of problems of a file.
_MAX_PROBLEMS: Final = 20
_STATEMENTS: Final = frozenset(("select", "insert", "update", "delete"))
#: Elements of a map that name a column.
_COLUMNS: Final = frozenset(("id", "result", "idArg", "arg", "association", "collection", "discriminator"))
#: A query of all columns.
_STAR: Final = re.compile(r"(?:\bSELECT\s+(?:DISTINCT\s+)?|,\s*)(?:\w+\.)?\*", re.IGNORECASE)
#: Statements in which a fragment may stand: a list of columns, tables with or without conditions, conditions, and the end of a
#: condition.
_AROUND: Final = (
    "SELECT {} FROM __value",
    "SELECT 1 FROM {}",
    "SELECT 1 FROM __value {}",
    "SELECT 1 FROM __value WHERE {}",
    "SELECT 1 FROM __value WHERE 1 = 1 {}",
    "{}",
)
_QUALIFIER: Final = re.compile(r"\b[A-Za-z_]\w*+\.(?=[\w`\"\[])")
_LIBRARY: Final = "mybatis"
_COMMENTS: Final = ("<!--",)


def mapper_facts(source: SourceText, language: str) -> FileFacts:
    """Return the facts of a mapper. An unreadable part is a problem with its line."""
    return _FileReading(source, language).facts()


class _FileReading:
    def __init__(self, source: SourceText, language: str) -> None:
        self._source = source
        self._language = language
        self._text = source.data.decode("utf-8", "replace")
        self._starts = line_offsets(self._text, len(source.line_starts))
        dialect = source.sql_dialect or dialect_of(self._text)
        self._data = DataFacts(dialect=dialect)
        self._dialects = dialects_from(dialect, DIALECTS)
        self._symbols: list[SymbolFact] = []
        self._problems = list(source.problems)
        #: The maps of results by their ids, and the columns of each with their symbols.
        self._namespace = ""
        self._maps: dict[str, Element] = {}
        self._columns: dict[int, int] = {}
        #: Number of elements of maps that the current statement may still read. Maps may refer to each other many times.
        self._elements_left = 0

    def facts(self) -> FileFacts:
        mapper = next((each for each in read_elements(self._text).elements() if each.name == "mapper"), None)
        if mapper is not None:
            self._mapper(mapper)
        self._symbols += symbols_of_gaps(self._text, self._starts, self._symbols, _COMMENTS)
        self._sort()
        lines = self._source.line_starts
        return facts_of_symbols(
            self._language, lines, self._text, self._starts, self._symbols, self._problems[:_MAX_PROBLEMS], data=self._data
        )

    def _mapper(self, mapper: Element) -> None:
        namespace, inside = mapper.get("namespace"), mapper.elements()
        self._namespace = namespace
        fragments = {each.get("id"): each for each in inside if each.name == "sql"}
        self._maps = {each.get("id"): each for each in inside if each.name == "resultMap"}
        statements: list[tuple[Element, int]] = []
        for each in [mapper, *inside]:
            if not each.is_closed:
                self._problems.append(Problem(self._line(each.start), f"the element {each.name} is not closed"))
        for each in inside:
            if each.name == "resultMap":
                self._map(each, self._root(each, "type"))
            elif each.name in _STATEMENTS:
                statements.append((each, self._root(each, "query")))
            elif each.name == "sql":
                self._root(each, "expression")
        dynamic = DynamicSql(fragments, namespace)
        for each in fragments.values():
            self._fragment(dynamic, each, f"{namespace}.{each.get('id')}")
        for each in self._maps.values():
            self._elements_left = _MAX_ELEMENTS
            columns = [column.name for column in self._results(each, "", 0)]
            self._data.fragments.append(Fragment(f"{namespace}.{each.get('id')}", [], list(dict.fromkeys(columns))))
        for statement, symbol in statements:
            named = f"{namespace}.{statement.get('id')}"
            self._statement(dynamic, statement, symbol, named)
            for key in statement.elements():
                if key.name == "selectKey":
                    self._statement(dynamic, key, symbol, named)

    # ------------------------------------------------------------------ symbols

    def _root(self, element: Element, kind: str) -> int:
        first, last = self._line(element.start), self._line(element.end - 1)
        previous = next((each for each in reversed(self._symbols) if each.depth == 0), None)
        if previous is not None and previous.end_line >= first:
            first = previous.end_line + 1  # both elements share a line, which belongs to the first element
        name = element.get("id") or element.name
        signature = self._signature(element)
        self._symbols.append(
            SymbolFact(name, kind, -1, 0, first, max(first, last), first, first, signature, "", [], kind == "query", True)
        )
        return len(self._symbols) - 1

    def _map(self, element: Element, symbol: int) -> None:
        for each in element.elements():
            if each.name == "constructor":
                self._map(each, symbol)
            if each.name not in _COLUMNS:
                continue
            line = self._line(each.start)
            if each.get("column") and each.name not in ("association", "collection"):
                name = each.get("property") or each.get("name") or each.get("column")
                self._columns[each.start] = len(self._symbols)
                self._symbols.append(
                    SymbolFact(name, "property", symbol, 1, line, line, line, line, self._signature(each), "", [], False, False)
                )
            self._map(each, symbol)

    def _signature(self, element: Element) -> str:
        end = self._text.find(">", element.start, element.start + _MAX_SIGNATURE)
        return " ".join(self._text[element.start : end + 1 if end >= 0 else element.start + _MAX_SIGNATURE].split())

    def _sort(self) -> None:
        self._symbols, numbers = renumbered_by_roots(self._symbols)
        for query in self._data.queries:
            query.symbol = numbers[query.symbol]
            for column in query.results:
                column.symbol = numbers[column.symbol]

    # ------------------------------------------------------------------ statements

    def _statement(self, dynamic: DynamicSql, statement: Element, symbol: int, name: str) -> None:
        has_star = False
        parsed: list[ParsedQuery] = []
        for texts in (dynamic.texts, dynamic.simpler_texts):
            for text in () if parsed else texts(statement):
                found = parse_query(text, self._dialects)
                if found is not None:
                    parsed.append(found)
                    has_star = has_star or _STAR.search(text) is not None
        uses = _joined(parsed)
        fragments = dynamic.foreign_fragments(statement)
        if not fragments:
            uses = [use for use in uses if use.name.name != PLACEHOLDER]
        if not uses and not fragments:
            return
        line, is_dynamic = self._line(statement.start), dynamic.is_dynamic(statement)
        # Without a table of its own, the statement gets its kind from its element.
        own = parsed[0].statement if parsed else "select" if statement.name == "selectKey" else statement.name
        made = Query(symbol, line, own, uses, "name", parsed[0].dialect if parsed else "", is_dynamic, name, fragments=fragments)
        chosen = self._map_named(statement.get("resultMap"))
        if chosen is None and "." in statement.get("resultMap") and has_star:
            fragments.append(statement.get("resultMap"))
        if chosen is not None:
            self._elements_left = _MAX_ELEMENTS
            made.results, made.mapper = list(self._results(chosen, "", 0)), _LIBRARY
            for use in uses if has_star else ():
                use.unqualified += [] if use.modifies else [each.name for each in made.results]
        self._data.queries.append(made)

    def _fragment(self, dynamic: DynamicSql, element: Element, name: str) -> None:
        """Add a part of statements, which other files may include. A part that fits into no statement has no columns."""
        text = next(dynamic.texts(element))
        uses = self._uses_in(text)
        tables = {use.name: None for use in uses if use.name.name != PLACEHOLDER and not use.modifies}
        # The tables of some qualifiers are in the including statement.
        uses += self._uses_in(_QUALIFIER.sub("", text)) if _QUALIFIER.search(text) else []
        columns = {column: None for use in uses for column in (*use.columns, *use.unqualified) if column != PLACEHOLDER}
        self._data.fragments.append(Fragment(name, list(tables), list(columns), dynamic.foreign_fragments(element)))

    def _uses_in(self, text: str) -> list[TableUse]:
        for around in _AROUND:
            parsed = parse_query(around.replace("{}", text), self._dialects)
            if parsed is not None:
                return parsed.uses
        return []

    def _results(self, chosen: Element, prefix: str, nested: int) -> Iterator[ResultColumn]:
        """Yield the columns of a map, of extended maps, and of inner maps."""
        if nested > _MAX_NESTED:
            return
        for other in (chosen.get("extends"), chosen.get("resultMap")):
            found = self._map_named(other)
            if found is not None and found is not chosen:
                yield from self._results(found, prefix, nested + 1)
        for each in chosen.elements():
            self._elements_left -= 1
            if self._elements_left < 0:
                return
            if each.start in self._columns:
                yield ResultColumn(f"{prefix}{each.get('column')}", self._columns[each.start])
            # The rows of another statement (`select`) have other columns.
            if (each.name in _COLUMNS or each.name == "constructor") and not each.get("select"):
                yield from self._results(each, f"{prefix}{each.get('columnPrefix')}", nested + 1)

    def _map_named(self, name: str) -> Element | None:
        """Return the map of results of this file with a name, which may be qualified; None for a map of another file."""
        return self._maps.get(name.removeprefix(f"{self._namespace}."))

    def _line(self, offset: int) -> int:
        return bisect_right(self._starts, max(offset, 0))


def _joined(parsed: list[ParsedQuery]) -> list[TableUse]:
    """Return the uses in all texts of a statement, without repetition of tables with the same kind of use."""
    found: dict[tuple[tuple[str, str], bool, bool], TableUse] = {}
    for query in parsed:
        for use in query.uses:
            known = found.setdefault((use.name.key, use.modifies, use.of_condition), use)
            known.columns = list(dict.fromkeys([*known.columns, *use.columns]))
            known.unqualified = list(dict.fromkeys([*known.unqualified, *use.unqualified]))
    return list(found.values())
