"""The pages of a symbol and of a file: source, connections and history."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from ....schema.errors import UsageError
from ...api.scopes.data_scopes import ColumnScope, TableScope
from ...api.scopes.kinds import FileScope, SymbolScope
from ...api.scopes.rows import FileRow, SymbolRow
from ...api.scopes.scope import Scope
from ...api.workspace import Workspace
from ...display.highlighting import code_lines
from .endpoint import Endpoint

#: Steps from a symbol, by the names of their sections.
SYMBOL_STEPS: Mapping[str, Callable[[SymbolScope], Scope[SymbolRow]]] = {
    "callers": SymbolScope.callers,
    "callees": SymbolScope.callees,
    "referenced_by": SymbolScope.referenced_by,
    "references": SymbolScope.references,
    "members": SymbolScope.members,
    "parents": SymbolScope.parents,
    "base_types": SymbolScope.base_types,
    "subtypes": SymbolScope.subtypes,
    "overrides": SymbolScope.overrides,
    "overridden_by": SymbolScope.overridden_by,
    "types": SymbolScope.types,
    "tests": SymbolScope.tests,
    "tables": SymbolScope.tables,
    "columns": SymbolScope.columns,
    "sections": SymbolScope.sections,
}
#: Steps from a table or a column, except that a column has no step `columns`.
DATA_STEPS: Mapping[str, Callable[[TableScope | ColumnScope], Scope[SymbolRow] | Scope[FileRow]]] = {
    "read_by": lambda data: data.read_by(),
    "modified_by": lambda data: data.modified_by(),
    "references": lambda data: data.references(),
    "maps_to": lambda data: data.maps_to(),
    "mapped_by": lambda data: data.mapped_by(),
    "changed_in": lambda data: data.changed_in(),
    "sections": lambda data: data.sections(),
}
#: Steps from a file to files.
FILE_STEPS: Mapping[str, Callable[[FileScope], FileScope]] = {"imports": FileScope.imports, "importers": FileScope.importers}
#: Maximum number of listed entries of a section.
MAX_ENTRIES = 50
#: Budget of the dependants of a symbol in tokens.
IMPACT_BUDGET = 12_000
#: Maximum number of lines of source in one answer.
MAX_LINES = 2_000


class SymbolQuestion(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A symbol by its id, or by its name: `Name`, `Parent > Child` or `file > Name`."""

    id: str = ""
    name: str = ""

    def scope(self, workspace: Workspace) -> SymbolScope:
        """Return the declarations. Raises UsageError if nothing is named."""
        if self.id:
            return workspace.symbols(id=self.id)
        return workspace.repo().symbol(self.name)


class Section(msgspec.Struct, frozen=True):
    """Symbols or files one step from the subject: the first entries, and the number of all entries."""

    count: int
    rows: list[SymbolRow] | list[FileRow]


class SymbolPage(msgspec.Struct, frozen=True):
    """A symbol with its neighbors. `candidates` are the other declarations with its name."""

    symbol: SymbolRow
    candidates: list[SymbolRow]
    sections: dict[str, Section]


class FilePage(msgspec.Struct, frozen=True):
    """A file with its declarations, imports and importers."""

    file: FileRow
    symbols: Section
    sections: dict[str, Section]


class FileQuestion(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A file by its path, relative to the root."""

    path: str


class ImpactQuestion(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A symbol as `file > Name`, and the number of hops to its dependants."""

    symbol: str
    depth: int = 3


class SourceQuestion(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A range of lines of an indexed file, from 1. Without `end`, the range extends to the end of the file."""

    path: str
    start: int = 1
    end: int | None = None


class Source(msgspec.Struct, frozen=True):
    """Lines of a file in the indexed state. Each line is a list of pieces: the name of a color, or "", and the text."""

    path: str
    start: int
    #: Number of lines of the whole file.
    total: int
    lines: list[list[tuple[str, str]]]


class HistoryQuestion(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A file, a folder or a symbol; "" for the whole repository."""

    subject: str = ""


def _symbol(workspace: Workspace, question: SymbolQuestion) -> SymbolPage:
    rows = sorted(question.scope(workspace).to_list(), key=lambda row: -row.importance)
    if not rows:
        raise UsageError(f"No symbol {question.name or question.id!r} is in the index. It may have been renamed or removed.")
    scope = workspace.symbols(id=rows[0].id)
    sections = {name: _section(step(scope)) for name, step in SYMBOL_STEPS.items()}
    if data := data_of(workspace, rows[0].id):
        sections |= {name: _section(step(data)) for name, step in DATA_STEPS.items()}
        if isinstance(data, TableScope):
            sections |= {"columns": _section(data.columns())}
    return SymbolPage(rows[0], rows[1:MAX_ENTRIES], {name: section for name, section in sections.items() if section.count})


def _file(workspace: Workspace, question: FileQuestion) -> FilePage:
    scope = workspace.repo().file(question.path)
    row = scope.first()
    if row is None:
        raise UsageError(f"No file {question.path!r} is in the index.")
    sections = {name: _section(step(scope)) for name, step in FILE_STEPS.items()}
    return FilePage(row, _section(scope.symbols(depth__lte=1), 500), sections)


def data_of(workspace: Workspace, symbol_id: str) -> TableScope | ColumnScope | None:
    """Return a symbol as a table or a column, or None if it is neither."""
    found: tuple[TableScope | ColumnScope, ...] = (workspace.tables(id=symbol_id), workspace.repo().columns(id=symbol_id))
    return next((data for data in found if data.exists()), None)


def _section(scope: Scope[SymbolRow] | Scope[FileRow], limit: int = MAX_ENTRIES) -> Section:
    rows: list[Any] = scope.limit(limit + 1).to_list()
    return Section(len(rows) if len(rows) <= limit else scope.count(), rows[:limit])


def _source(workspace: Workspace, question: SourceQuestion) -> Source:
    """Return lines from the index, never from the disk: the index contains no other files of the machine."""
    text = workspace.analyse(lambda readers: readers.engine.texts.get(question.path))
    if text is None:
        raise UsageError(f"No file {question.path!r} is in the index.")
    # A carriage return alone is no line break in the graph, but it is one for the lexer.
    source = text.text.decode("utf-8", "replace").replace("\r\n", "\n").replace("\r", " ")
    lines = source.removesuffix("\n").split("\n")
    first = max(question.start, 1) - 1
    last = min(len(lines) if question.end is None else question.end, first + MAX_LINES, len(lines))
    return Source(question.path, first + 1, len(lines), code_lines(lines, question.path, first, last))


def _history(workspace: Workspace, question: HistoryQuestion) -> dict[str, Any]:
    return workspace.history(question.subject).to_json()


def _impact(workspace: Workspace, question: ImpactQuestion) -> dict[str, Any]:
    return workspace.graph.get_impact_analysis(question.symbol, depth=question.depth, budget=IMPACT_BUDGET).to_json()


ENDPOINTS = (
    Endpoint("symbol", SymbolQuestion, _symbol),
    Endpoint("file", FileQuestion, _file),
    Endpoint("source", SourceQuestion, _source),
    Endpoint("impact", ImpactQuestion, _impact),
    Endpoint("history", HistoryQuestion, _history),
)
