"""The commands of the structural tools: tables on a terminal, text in a pipe, and JSON for programs."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import msgspec
import typer

from ..environment.terminal import print_json, print_result
from .command_options import At, Budget, DataDir, Json, Root, opened_workspace

if TYPE_CHECKING:
    from ..api.requests.tool_answer import ToolAnswer
    from .answer_tables import Drawn

Record = TypeVar("Record", bound=msgspec.Struct)

tools_app = typer.Typer()


@tools_app.command("map", epilog="Example: astrolabe map src/auth --depth 2")
def map_command(
    path: Annotated[str, typer.Argument(help="File, folder or glob. Default: everything.", metavar="PATH")] = "",
    depth: Annotated[
        int, typer.Option("--depth", metavar="N", help="0 files, 1 exported names, 2 with signatures, 3 with doc comments.")
    ] = 1,
    filter_: Annotated[str, typer.Option("--filter", metavar="GLOB", help="Only files that also match this glob.")] = "",
    kind: Annotated[
        str, typer.Option("--kind", metavar="K", help="all, functions, classes, interfaces, types, constants or enums.")
    ] = "all",
    imports: Annotated[bool, typer.Option("--imports", help="Show the imports of each file.")] = False,
    graph: Annotated[bool, typer.Option("--graph", help="Show the graph of imports between the files.")] = False,
    circular: Annotated[bool, typer.Option("--circular", help="Show circular imports.")] = False,
    orphans: Annotated[bool, typer.Option("--orphans", help="Show files that nothing imports.")] = False,
    stats: Annotated[bool, typer.Option("--stats", help="Show counts of lines and problems.")] = False,
    flat: Annotated[bool, typer.Option("--flat", help="Show a list of files instead of folders.")] = False,
    budget: Budget = None,
    as_json: Json = False,
    root: Root = None,
    data_dir: DataDir = None,
    at: At = "",
) -> None:
    """Show packages, folders, files and exports.

    The most important files come first. Entries that do not fit the budget are counted.
    """
    with opened_workspace(root, data_dir, at) as workspace:
        found = workspace.map(
            path,
            depth=depth,
            filter=filter_,
            kind=kind,
            include_imports=imports,
            include_graph=graph,
            detect_circular=circular,
            find_orphans=orphans,
            include_stats=stats,
            format="flat" if flat else "tree",
            budget=budget,
        )
    print_answer(found, as_json, lambda tables: tables.map_tables(found.answer))


@tools_app.command("trace", epilog="Example: astrolabe trace 'TokenService > validateToken' --include calls --include impact")
def trace_command(
    symbol: Annotated[str, typer.Argument(help="Name, 'Parent > Child' or 'file > Name'.", metavar="SYMBOL")] = "",
    file: Annotated[str, typer.Option("--file", metavar="F", help="File of the symbol, or of the line.")] = "",
    line: Annotated[int | None, typer.Option("--line", metavar="N", help="Line of the file, from 1.")] = None,
    column: Annotated[
        int | None, typer.Option("--column", metavar="N", help="Column of the line, from 0, in characters (code points).")
    ] = None,
    utf16: Annotated[bool, typer.Option("--utf16", help="Count the column in UTF-16 units, as editors do.")] = False,
    include: Annotated[
        list[str] | None,
        typer.Option(
            "--include",
            metavar="P",
            help="definitions, references, reexports, calls, types, hierarchy, statements, impact; may be repeated. "
            "Default: all.",
        ),
    ] = None,
    depth: Annotated[int, typer.Option("--depth", metavar="N", help="Number of hops for calls and impact, 1 to 10.")] = 3,
    max_references: Annotated[int, typer.Option("--max-references", metavar="N", help="Maximum number of references.")] = 500,
    budget: Budget = None,
    as_json: Json = False,
    root: Root = None,
    data_dir: DataDir = None,
    at: At = "",
) -> None:
    """Show the users, callers, callees and types of a symbol, and the impact of a change."""
    with opened_workspace(root, data_dir, at) as workspace:
        found = workspace.trace(
            symbol,
            file=file,
            line=line,
            column=column,
            column_unit="utf-16" if utf16 else "characters",
            include=include or ("all",),
            depth=depth,
            max_references=max_references,
            budget=budget,
        )
    print_answer(found, as_json, lambda tables: tables.trace_tables(found.answer))


@tools_app.command("lint", epilog="Example: astrolabe lint --check dead-code --check circular-deps")
def lint_command(
    check: Annotated[
        list[str] | None,
        typer.Option(
            "--check", metavar="C", help="errors, warnings, hints, dead-code, duplicates, circular-deps; may be repeated."
        ),
    ] = None,
    scope: Annotated[str, typer.Option("--scope", metavar="P", help="File, folder or glob.")] = "",
    with_tests: Annotated[
        bool, typer.Option("--with-tests", help="Check tests for dead code, duplicates and circular imports, too.")
    ] = False,
    limit: Annotated[int, typer.Option("--limit", metavar="N", help="Maximum number of results for each check.")] = 50,
    threshold: Annotated[
        float, typer.Option("--threshold", metavar="S", help="Lowest similarity of duplicates, 0.5 to 1.")
    ] = 0.75,
    duplicate_kinds: Annotated[
        str,
        typer.Option(
            "--duplicate-kinds", metavar="K", help="functions, methods, classes, fragments (repeated code of any kind) or all."
        ),
    ] = "functions",
    dead_kind: Annotated[
        list[str] | None,
        typer.Option(
            "--dead-kind", metavar="K", help="exports, functions, methods, variables, types, classes, files; may be repeated."
        ),
    ] = None,
    with_generated: Annotated[
        bool, typer.Option("--with-generated", help="Report what is in generated files and copies of packages, too.")
    ] = False,
    severity: Annotated[
        list[str] | None, typer.Option("--severity", metavar="S", help="error, warning, info or hint; may be repeated.")
    ] = None,
    budget: Budget = None,
    as_json: Json = False,
    root: Root = None,
    data_dir: DataDir = None,
) -> None:
    """Report broken syntax, compiler errors, dead code, duplicates and circular imports."""
    with opened_workspace(root, data_dir) as workspace:
        found = workspace.lint(
            checks=check or ("all",),
            scope=scope,
            exclude_tests=not with_tests,
            limit=limit,
            duplicate_threshold=threshold,
            duplicate_kinds=duplicate_kinds,
            dead_code_kinds=dead_kind or ("all",),
            severity_filter=severity or ("all",),
            include_generated=with_generated,
            budget=budget,
        )
    print_answer(found, as_json, lambda tables: tables.lint_tables(found.answer))


@tools_app.command("history", epilog="Example: astrolabe history src/auth/token.ts --limit 5")
def history_command(
    subject: Annotated[str, typer.Argument(help="File, folder or symbol. Default: the whole workspace.", metavar="SUBJECT")] = "",
    limit: Annotated[int, typer.Option("--limit", metavar="N", help="Maximum number of listed commits.")] = 20,
    all_commits: Annotated[
        bool, typer.Option("--all", help="Read all commits; otherwise, the setting history_depth limits their number.")
    ] = False,
    budget: Budget = None,
    as_json: Json = False,
    root: Root = None,
    data_dir: DataDir = None,
) -> None:
    """Show the history of a file, a folder or a symbol: commits, authors, owners, churn, and co-changes.

    Renames are followed. The first call reads the commits, and later calls read only new commits.
    """
    with opened_workspace(root, data_dir) as workspace:
        found = workspace.history(subject, limit=limit, all_commits=all_commits, budget=budget)
    print_answer(found, as_json, lambda tables: tables.history_tables(found.answer))


def print_answer(found: ToolAnswer[Record], as_json: bool, draw: Callable[[Any], Iterable[Drawn]]) -> None:
    """Print an answer. On a terminal, `draw` receives the module of tables and returns the tables."""
    if as_json:
        print_json(found.to_json())
    elif sys.stdout.isatty():
        from . import answer_tables

        answer_tables.print_tables(found.index, draw(answer_tables))
    else:
        print_result(found.text)
