"""Answers of the structural tools as tables for a terminal. Texts come from source code, so markup in them is not interpreted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table
from rich.text import Text

from ..api.requests.search_results import IndexState

if TYPE_CHECKING:
    from ...retrieval.history import HistoryAnswer
    from ...retrieval.lint import LintAnswer
    from ...retrieval.map.records import CodebaseMap, MappedFile
    from ...retrieval.text_search import LiteralAnswer
    from ...retrieval.trace import TraceAnswer

Drawn = Table | Text


def print_tables(index: IndexState, parts: Iterable[Drawn]) -> None:
    """Print tables and lines to standard output, below the notices about the index."""
    console = Console()
    for notice in index.notices:
        console.print(Text(notice, style="italic"))
    for part in parts:
        console.print(part)


def table(title: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> Table:
    """Return a table of plain texts."""
    drawn = Table(title=Text(title), title_justify="left", title_style="bold", show_edge=False, pad_edge=False)
    for column in columns:
        drawn.add_column(Text(column), overflow="fold")
    for row in rows:
        drawn.add_row(*(Text("" if value is None else f"{value:,}" if isinstance(value, int) else str(value)) for value in row))
    return drawn


def map_tables(found: CodebaseMap) -> Iterator[Drawn]:
    """Yield a map: packages, then files, then imports."""
    if found.packages:
        rows = [(package.name, package.path, package.files, ", ".join(package.depends_on)) for package in found.packages]
        yield table("Packages", ("name", "folder", "files", "uses"), rows)
    files = [(folder.path, file) for folder in found.structure for file in folder.files] + [("", file) for file in found.files]
    yield table("Files", ("folder", "file", "exports", ""), [(folder, *_file_cells(file)) for folder, file in files])
    if found.graph is not None:
        graph = found.graph
        modules = graph.modules.items()
        imports = [(path, node.depth, "\n".join(node.imports), "\n".join(node.imported_by)) for path, node in modules]
        if imports:
            yield table("Imports", ("file", "depth", "imports", "imported by"), imports)
        if graph.circular:
            circles = [(cycle.severity, " > ".join(cycle.chain)) for cycle in graph.circular]
            yield table("Circular imports", ("", "files"), circles)
        if graph.orphans:
            yield table("Files that nothing imports", ("file",), [(path,) for path in graph.orphans])
    yield from _closing(found)


def _file_cells(file: MappedFile | str) -> tuple[str, str, str]:
    if isinstance(file, str):
        return file, "", ""
    symbols = [symbol.signature or f"{symbol.kind} {symbol.name}" for symbol in (*file.exports, *file.internal)]
    separator = "\n" if any(symbol.line for symbol in file.exports) else ", "
    facts = [
        *([f"+{file.more_exports} exports"] if file.more_exports else []),
        *([f"{file.more_re_exports + len(file.re_exports)} re-exports"] if file.more_re_exports or file.re_exports else []),
        *([f"{file.lines:,} lines"] if file.lines else []),
        *([f"{file.problems} problems"] if file.problems else []),
    ]
    return file.file, separator.join(symbols), "\n".join(facts)


def _closing(found: CodebaseMap) -> Iterator[Drawn]:
    from ...retrieval.map import map_text

    # Use two lines of the text form: the first line and, if there is one, the line about omitted parts.
    lines = map_text(found).splitlines()
    yield Text(lines[0])
    yield from (Text(line) for line in lines if line.startswith("Left out: "))


def match_tables(found: LiteralAnswer) -> Iterator[Drawn]:
    """Yield the lines that a literal or hybrid search found."""
    rows = []
    for match in found.results:
        context = match.context
        parts = [context.before, context.line, context.after] if context is not None else [match.symbol]
        score = f"{match.source} {match.score:.2f}" if match.source else ""
        rows.append((f"{match.file}:{match.line}", match.symbol, "\n".join(part for part in parts if part), score))
    yield table("Lines", ("place", "in", "text", ""), rows)
    yield Text(f"{found.total_matches:,} lines in {found.total_files:,} files. {found.hint}".strip())


def history_tables(found: HistoryAnswer) -> Iterator[Drawn]:
    """Yield a history: lines, and then a table of commits."""
    import msgspec

    from ...retrieval.history import history_text

    yield Text(history_text(msgspec.structs.replace(found, commits=())))
    if found.commits:
        rows = [
            (commit.commit[:10], commit.date[:10], commit.author, commit.added, commit.deleted, commit.title)
            for commit in found.commits
        ]
        yield table("Commits", ("commit", "date", "author", "added", "deleted", "title"), rows)


def lint_tables(found: LintAnswer) -> Iterator[Drawn]:
    """Yield the findings, one table per check."""
    if found.diagnostics is not None:
        rows = [(f"{each.file}:{each.line}", each.severity, f"{each.code} {each.message}".strip()) for each in found.diagnostics]
        yield table("Diagnostics", ("place", "severity", "message"), rows)
    if found.dead_code is not None:
        dead = [(f"{each.file}:{each.line}", each.kind, each.symbol, each.reason, each.confidence) for each in found.dead_code]
        yield table("Dead code", ("place", "kind", "symbol", "reason", "confidence"), dead)
    if found.not_known:
        unsure = [(f"{each.file}:{each.line}", each.kind, each.symbol, each.reason) for each in found.not_known]
        yield table("Not known whether dead", ("place", "kind", "symbol", "reason"), unsure)
    if found.duplicates is not None:
        groups = [
            (f"{group.similarity:.0%}", "\n".join(f"{clone.file}:{clone.line} {clone.symbol}" for clone in group.members))
            for group in found.duplicates
        ]
        yield table("Duplicates", ("alike", "declarations"), groups)
    if found.circular_deps is not None:
        circles = [(each.severity, each.kind, " > ".join(each.chain)) for each in found.circular_deps]
        yield table("Circular imports", ("", "closed by", "files"), circles)
    if found.break_first:
        first = [(edge.importer, edge.imported, edge.circles) for edge in found.break_first]
        yield table("Remove first", ("in", "the import of", "breaks"), first)
    yield from (Text(note) for note in found.notes)


def trace_tables(found: TraceAnswer) -> Iterator[Drawn]:
    """Yield a trace: the definition, then one table per part."""
    for definition in [*([found.definition] if found.definition else []), *found.also_declared]:
        yield Text(f"{definition.name}: {definition.kind} ({definition.file}:{definition.line})", style="bold")
        yield Text(f"  {definition.signature}")
    if found.definition is None:
        yield Text(f"{found.symbol} ({found.at})" if found.at else found.symbol, style="bold")
    if found.references:
        uses = [(f"{use.file}:{use.line}", use.kind, use.within, use.context) for use in found.references]
        yield table("References", ("place", "role", "in", "line"), uses)
    if found.re_exports:
        yield table(
            "Re-exports", ("file", "name", "via"), [(each.file, each.name, ", ".join(each.via)) for each in found.re_exports]
        )
    if found.calls is not None:
        callers = [
            (call.depth, f"{call.kind} {call.caller}", f"{call.file}:{call.line}", call.mark) for call in found.calls.incoming
        ]
        callees = [(call.depth, f"{call.kind} {call.callee}", call.site, call.mark) for call in found.calls.outgoing]
        for title, rows in (("Callers", callers), ("Callees", callees)):
            if rows:
                yield table(title, ("hop", "symbol", "site", ""), rows)
    if found.types:
        flows = [
            (f"{flow.direction} {flow.name}", flow.type, ", ".join(to.symbol for to in flow.trace_to)) for flow in found.types
        ]
        yield table("Types", ("", "type", "declared as"), flows)
    if found.hierarchy is not None:
        related = [("above", each) for each in found.hierarchy.supertypes] + [
            ("below", each) for each in found.hierarchy.subtypes
        ]
        if related:
            entries = [(side, each.distance, f"{each.kind} {each.name}", f"{each.file}:{each.line}") for side, each in related]
            yield table("Hierarchy", ("", "distance", "type", "place"), entries)
    if found.impact is not None:
        impact = found.impact
        affected = [
            (each.distance, f"{each.kind} {each.symbol}", f"{each.file}:{each.line}", ", ".join(each.through))
            for each in (*impact.direct_dependents, *impact.transitive_dependents)
        ]
        yield table(f"Impact: {impact.summary.risk_level} risk", ("hop", "symbol", "place", "through"), affected)
    yield from (Text(f"{part}: {reason}") for part, reason in found.nothing.items())
    if found.candidates:
        named = [(each.kind, each.symbol, f"{each.file}:{each.line}") for each in found.candidates]
        title = "Candidates" if "symbol" in found.nothing else "Other symbols of this name"
        yield table(title, ("kind", "symbol", "place"), named)
    yield from (Text(note) for note in found.notes)
