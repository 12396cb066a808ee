"""The facts of a changelog: a symbol for each change, and the migration with the changes and the included files in order."""

from __future__ import annotations

from typing import Final

from ....schema.records import Problem
from ...contracts.declarations import ContractSyntaxError
from ...facts.data import DataFacts, IncludedFile, Migration, MigrationParameter, MigrationStep, Query
from ...facts.model import FileFacts, SymbolFact
from ...facts.uncovered_lines import MAX_NAME, facts_of_symbols, line_of, line_offsets, renumbered, symbols_of_gaps
from ...files.source_text import SourceText
from .change_nodes import ChangeNode, read_changelog
from .changes import ALTERATION, CHANGE_TYPES, STATEMENT, ReadChange, read_change

#: Name of the tool in the facts of migrations.
FRAMEWORK: Final = "liquibase"
_MAX_SIGNATURE: Final = 400
#: Kinds of changes that declare no object. Their names are those of the change and of the altered object.
_PLAIN: Final = frozenset((ALTERATION, STATEMENT))
_SQL_FILE: Final = "sqlFile"
_COMMENTS: Final = ("<!--", "#")


def changelog_facts(source: SourceText, language: str) -> FileFacts:
    """Return the facts of a changelog. An unreadable part is a problem with its line."""
    return _FileReading(source, language).facts()


class _FileReading:
    def __init__(self, source: SourceText, language: str) -> None:
        self._source = source
        self._language = language
        self._text = source.data.decode("utf-8", "replace")
        self._starts = line_offsets(self._text, len(source.line_starts))
        self._symbols: list[SymbolFact] = []
        self._problems = list(source.problems)
        self._steps: list[MigrationStep] = []
        self._queries: list[Query] = []
        #: Last line of the symbols so far.
        self._covered = 0
        #: The last symbol without a parent; -1 before the first.
        self._last_root = -1

    def facts(self) -> FileFacts:
        data = None
        try:
            root = read_changelog(self._text, self._starts)
        except ContractSyntaxError as error:
            root = None
            self._problems.append(Problem(error.line, error.reason))
        if root is not None:
            self._changelog(root)
            parameters = [
                MigrationParameter(each.get("name"), each.get("value"), databases_in(each.get("dbms")))
                for each in root.named("property")
                if each.get("name") and each.get("value")
            ]
            migration = Migration(FRAMEWORK, "", [], self._steps, parameters=parameters)
            data = DataFacts(queries=self._queries, dialect=self._source.sql_dialect, migration=migration)
        self._symbols += symbols_of_gaps(self._text, self._starts, self._symbols, _COMMENTS)
        self._sort()
        lines = self._source.line_starts
        return facts_of_symbols(self._language, lines, self._text, self._starts, self._symbols, self._problems, data=data)

    def _changelog(self, root: ChangeNode) -> None:
        for each in root.children:
            if each.name == "changeSet":
                self._change_set(each)
            elif each.name in ("include", "includeAll"):
                self._include(each, each.get("file", "path"), is_folder=each.name == "includeAll")

    def _include(self, node: ChangeNode, path: str, databases: list[str] | None = None, *, is_folder: bool = False) -> None:
        if path and "${" not in path:
            is_relative = node.is_set("relativeToChangelogFile")
            included = IncludedFile(path.removeprefix("classpath:").replace("\\", "/"), is_relative, is_folder)
            self._steps.append(MigrationStep(databases=databases or [], included=included))

    def _change_set(self, node: ChangeNode) -> None:
        guards = node.named("preConditions")
        databases = databases_in(node.get("dbms")) or _required(guards)
        first = node.line
        for each in node.children:
            if each.name == "rollback":
                for inner in [*each.children, *_text_of(each)]:
                    self._change(inner, first, databases, is_down=True, is_guarded=False)
            elif each.name == _SQL_FILE:
                self._include(each, each.get("path"), databases_in(each.get("dbms")) or databases)
                continue
            elif each.name in CHANGE_TYPES:
                self._change(each, first, databases, is_down=False, is_guarded=bool(guards))
            else:
                continue
            first = 0
        if node.get("rollback"):
            undone = ChangeNode("sql", node.end_line, node.end_line, text=node.get("rollback"))
            self._change(undone, first, databases, is_down=True, is_guarded=False)
        if self._last_root >= 0 and self._symbols[self._last_root].end_line >= node.line:
            root = self._symbols[self._last_root]
            root.end_line = self._covered = max(root.end_line, node.end_line)

    def _change(self, node: ChangeNode, first: int, databases: list[str], *, is_down: bool, is_guarded: bool) -> None:
        """Add a change. Its symbol begins on the line `first`, that of the change set, or where the change begins if it is 0."""
        if node.name not in CHANGE_TYPES:
            return
        made = read_change(node, is_guarded=is_guarded)
        if first == 0 and not is_down and self._repeats(made):
            self._symbols[self._last_root].end_line = self._covered = max(self._covered, node.end_line)
            return
        places = self._declare(made, first or node.line, is_down=is_down)
        for change in made.changes:
            change.symbol, change.is_down = places[change.symbol], is_down
        for query in made.queries:
            query.symbol = places[query.symbol]
        self._queries += made.queries
        if made.changes:
            self._steps.append(MigrationStep(made.changes, databases=databases_in(node.get("dbms")) or databases))

    def _repeats(self, made: ReadChange) -> bool:
        """Return whether a change inserts rows into the same columns as the change before it."""
        last = self._queries[-1] if self._queries and self._last_root == self._queries[-1].symbol else None
        if last is None or made.changes or len(made.queries) != 1:
            return False
        query = made.queries[0]
        return query.statement == last.statement == "insert" and query.uses == last.uses

    # ------------------------------------------------------------------ symbols

    def _declare(self, made: ReadChange, first: int, *, is_down: bool) -> list[int]:
        """Add the symbols of a change and of its objects, and return their numbers. A change that shares a line with another one
        is nested in it."""
        node = made.node
        parent = -1
        if first <= self._covered and self._last_root >= 0:
            if node.line > self._covered:
                first = node.line
            else:
                parent = self._last_root
                root = self._symbols[parent]
                root.end_line = self._covered = max(root.end_line, node.end_line)
        signature = self._signature(node.line)
        name = made.name if made.kind not in _PLAIN else f"{node.name} {made.name}".strip()[:MAX_NAME]
        places = [self._symbol(name, made.kind, parent, min(first, node.line), node, signature)]
        if parent < 0:
            self._last_root, self._covered = places[0], node.end_line
        if is_down:
            self._symbols[places[0]].modifiers.append("down")
        for each in made.declared:
            place = ChangeNode(each.kind, each.line, each.end_line)
            places.append(self._symbol(each.name, each.kind, places[each.parent], each.line, place, self._signature(each.line)))
        return places

    def _symbol(self, name: str, kind: str, parent: int, first: int, node: ChangeNode, signature: str) -> int:
        depth = 0 if parent < 0 else self._symbols[parent].depth + 1
        is_declared = kind not in _PLAIN
        end = max(first, node.end_line)
        self._symbols.append(
            SymbolFact(name, kind, parent, depth, first, end, node.line, node.line, signature, "", [], is_declared, parent < 0)
        )
        return len(self._symbols) - 1

    def _signature(self, line: int) -> str:
        return " ".join(line_of(self._text, self._starts, line)[: 2 * _MAX_SIGNATURE].split())[:_MAX_SIGNATURE]

    def _sort(self) -> None:
        """Sort the symbols by their place in the source, and renumber them."""
        roots: list[int] = []
        for place, symbol in enumerate(self._symbols):
            roots.append(roots[symbol.parent] if symbol.parent >= 0 else place)
        order = sorted(range(len(roots)), key=lambda place: (self._symbols[roots[place]].start_line, place))
        self._symbols, numbers = renumbered(self._symbols, order)
        for step in self._steps:
            for change in step.changes:
                change.symbol = numbers[change.symbol]
        for query in self._queries:
            query.symbol = numbers[query.symbol]


def _text_of(rollback: ChangeNode) -> list[ChangeNode]:
    """Return the statements that stand directly in a rollback, as an element."""
    text = rollback.get("sql") or rollback.text
    return [ChangeNode("sql", rollback.line, rollback.end_line, text=text)] if text.strip() else []


def databases_in(text: str) -> list[str]:
    """Return the names of databases in a list with commas. A name behind `!` excludes a database."""
    return [each.strip().lower() for each in text.split(",") if each.strip() and each.strip().lower() != "all"]


def _required(guards: list[ChangeNode]) -> list[str]:
    """Return the databases that the conditions of a change set require or exclude."""
    found: list[str] = []
    for guard in guards:
        for each in guard.children:
            inner = [name for one in each.named("dbms") for name in databases_in(one.get("type"))]
            if each.name == "dbms":
                found += databases_in(each.get("type"))
            elif each.name == "not" and len(each.children) == 1:
                found += [f"!{name}" for name in inner]
            elif each.name == "or" and len(each.children) == len(each.named("dbms")):
                found += inner
    return found
