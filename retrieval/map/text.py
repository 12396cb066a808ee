"""Write a map as text for agents and people. The text is shorter than the JSON form."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...schema.languages import is_resolved_path
from .records import CodebaseMap, LeftOut, MappedFile, MappedSymbol, ModuleGraph


def map_text(found: CodebaseMap) -> str:
    """Return the text of a map: summary, packages, folders with their files, imports, and counts of omitted entries."""
    return "\n".join([*_head(found), *_packages(found), *_structure(found), *_graph(found.graph), *(_left_out(found.left_out))])


def _head(found: CodebaseMap) -> Iterator[str]:
    summary = found.summary
    parts = [
        _counted(summary.total_files, "file"),
        _counted(summary.total_dirs, "folder"),
        _counted(summary.total_exports, "export"),
    ]
    if summary.exports_by_kind:
        kinds = ", ".join(f"{count:,} {kind}" for kind, count in summary.exports_by_kind.items())
        parts[-1] += f" ({kinds})"
    if summary.total_lines is not None:
        parts += [_counted(summary.total_lines, "line"), _counted(summary.total_problems or 0, "problem")]
    yield f"{found.project_root}: {', '.join(parts)}"


def _packages(found: CodebaseMap) -> Iterator[str]:
    if found.packages:
        yield "\nPackages:"
    for package in found.packages:
        # The path of the root is ".".
        used = ("the root" if path == "." else path for path in package.depends_on)
        uses = f", uses {', '.join(used)}" if package.depends_on else ""
        yield f"  {package.name} ({package.path}): {_counted(package.files, 'file')}{uses}"


def _structure(found: CodebaseMap) -> Iterator[str]:
    for folder in found.structure:
        yield f"\n{folder.path}"
        if all(isinstance(file, str) for file in folder.files):
            yield f"  {' '.join(str(file) for file in folder.files)}"
        else:
            yield from _files(folder.files)
    if found.files:
        yield ""
        yield from _files(found.files)


def _files(files: Sequence[MappedFile | str]) -> Iterator[str]:
    for file in files:
        if isinstance(file, str):
            yield f"  {file}"
            continue
        detailed = any(symbol.line for symbol in (*file.exports, *file.internal))
        names = "" if detailed else ", ".join(map(_named, file.exports))
        yield f"  {file.file}{_facts(file)}{': ' if names else ''}{names}{_more(file.more_exports) if not detailed else ''}"
        if file.imports:
            yield f"    imports {', '.join(file.imports)}"
        if detailed:
            yield from _symbols(file.exports, "")
            yield from ([f"    {_more(file.more_exports).lstrip(', ')} exports"] if file.more_exports else [])
            yield from _symbols(file.internal, "(internal) ")
        for re_export in file.re_exports:
            yield f"    {re_export.name} from {re_export.declared_in}"


def _named(symbol: MappedSymbol) -> str:
    return f"{'default ' if symbol.is_default and symbol.name != 'default' else ''}{symbol.kind} {symbol.name}"


def _symbols(symbols: Sequence[MappedSymbol], mark: str) -> Iterator[str]:
    for symbol in symbols:
        default = "default: " if symbol.is_default else ""
        yield f"    {symbol.line}: {mark}{default}{symbol.signature or f'{symbol.kind} {symbol.name}'}"
        if symbol.jsdoc:
            yield f"      {symbol.jsdoc}"


def _facts(file: MappedFile) -> str:
    facts = [
        *([_counted(file.lines, "line")] if file.lines else []),
        *([_counted(file.problems, "problem")] if file.problems else []),
        *([_counted(file.more_re_exports, "re-export")] if file.more_re_exports else []),
        *(["test"] if file.test else []),
    ]
    return f" ({', '.join(facts)})" if facts else ""


def _graph(graph: ModuleGraph | None) -> Iterator[str]:
    if graph is None:
        return
    stats = graph.stats
    edges, circles = _counted(stats.total_edges, "edge"), _counted(stats.circular_count, "circle")
    orphans = f", {_counted(stats.orphan_count, 'file')} that nothing imports"
    # Files in other languages are never listed as orphans, because not all imports are known.
    is_known = stats.orphan_count or any(map(is_resolved_path, graph.modules))
    yield f"\nImports: {edges} among {_counted(stats.total_modules, 'file')}, {circles}{orphans if is_known else ''}"
    for path, module in graph.modules.items():
        imports = f" imports {', '.join(module.imports)}{_more(module.more_imports)}" if module.imports else ""
        importers = f" < {', '.join(module.imported_by)}{_more(module.more_imported_by)}" if module.imported_by else ""
        yield f"  {path} [{module.depth}]{imports}{importers}"
    for cycle in graph.circular:
        is_of_types = cycle.kind == "type" and is_resolved_path(cycle.chain[0])
        harmless = "types only" if is_of_types else "lazy" if cycle.kind == "lazy" else "not while loading"
        note = f" ({harmless})" if cycle.severity == "info" else ""
        yield f"  circle{note}: {' > '.join(cycle.chain)}"
    for path in graph.orphans:
        yield f"  not imported: {path}"


def _left_out(left: LeftOut | None) -> Iterator[str]:
    if left is None:
        return
    counts = {
        "file": left.files,
        "export": left.exports,
        "package": left.packages,
        "graph module": left.graph_modules,
        "circle": left.circular,
        "orphan": left.orphans,
    }
    yield f"\nLeft out: {', '.join(_counted(count, what) for what, count in counts.items() if count)}. {left.hint}"
    if left.folders:
        yield f"  files in {', '.join(f'{folder.path} ({folder.files:,})' for folder in left.folders)}"


def _counted(count: int, what: str) -> str:
    return f"{count:,} {what}" if count == 1 else f"{count:,} {what}s"


def _more(count: int) -> str:
    return f", +{count:,}" if count else ""
