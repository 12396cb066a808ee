"""The `astrolabe` command: results on standard output, messages on standard error.

Exit codes: 0 success, 1 a failure that the user can act on, 2 wrong usage. Each command imports its modules when it runs, so that
`astrolabe --help` does not load databases.
"""

from __future__ import annotations

import gc
import sys
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ...schema.errors import UsageError
from ..environment.terminal import accept_any_text, failures_told, print_json, print_message, print_result, readable_arguments
from .calls_command import calls_app
from .changes_command import changes_app
from .command_options import At, Budget, DataDir, Json, Root, opened_workspace
from .console_command import console_app
from .query_command import query_app
from .settings_command import settings_app
from .setup_commands import hooks_app, setup_app
from .tool_commands import print_answer, tools_app
from .workflow_command import workflow_app

if TYPE_CHECKING:
    from ..api.requests.ranking_report import ExplainedRanking
    from ..api.requests.search_results import SearchResults

app = typer.Typer(
    name="astrolabe",
    help="Code intelligence: index a repository, search it, query its graph, serve coding agents.",
    epilog="Example: astrolabe index && astrolabe search 'where are tokens validated'",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
export_app = typer.Typer(
    help="Write parts of the graph for programs.",
    epilog="Example: astrolabe export edges --json > edges.json",
    no_args_is_help=True,
)
app.add_typer(tools_app)
app.add_typer(calls_app)
app.add_typer(changes_app)
app.add_typer(query_app)
app.add_typer(console_app)
app.add_typer(setup_app)
app.add_typer(export_app, name="export")
app.add_typer(hooks_app, name="hooks")
app.add_typer(workflow_app, name="workflow")
app.add_typer(settings_app, name="settings")


#: Arguments whose next argument is the name of a folder or a file on disk.
_BEFORE_FOLDERS = ("--root", "--data-dir", "--token-file", "index")


class SearchMode(Enum):
    """How a search interprets its query."""

    SEMANTIC = "semantic"
    LITERAL = "literal"
    HYBRID = "hybrid"


def main() -> None:
    """Run the command line and exit the process."""
    accept_any_text()
    try:
        with failures_told():
            app(readable_arguments(sys.argv[1:], _BEFORE_FOLDERS), prog_name="astrolabe")
    finally:
        gc.freeze()  # otherwise the process would search millions of objects for garbage before it ends


def _print_version(wanted: bool) -> None:
    if wanted:
        from ...schema.version import __version__

        print_result(f"astrolabe {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", is_eager=True, callback=_print_version, help="Print the version and exit.")
    ] = False,
) -> None:
    del version  # `_print_version` handles the option


@app.command(epilog="Example: astrolabe index ~/projects/shop")
def index(
    path: Annotated[Path | None, typer.Argument(help="Folder of the repository; the same as --root.", metavar="PATH")] = None,
    full: Annotated[bool, typer.Option("--full", help="Build the whole index again, even if nothing changed.")] = False,
    as_json: Json = False,
    root: Root = None,
    data_dir: DataDir = None,
) -> None:
    """Build the index, or refresh it."""
    from .index_report import report_json, report_text

    if path is not None and root is not None and path.resolve() != root.resolve():
        raise UsageError(f"PATH ({path}) and --root ({root}) name different folders; give one of them.")
    with opened_workspace(path or root, data_dir) as workspace:
        report = workspace.reindex() if full else workspace.index()
        problems = workspace.problems()
        gaps = workspace.manifest_gaps() if report.outcome != "unchanged" else []
    for notice in report.notices:
        print_message(notice)
    if as_json:
        print_json(report_json(report, problems, gaps))
    else:
        print_result(report_text(report, problems, gaps))


@app.command(epilog="Example: astrolabe search 'where are tokens validated' --path src/auth --limit 5")
def search(
    query: Annotated[str, typer.Argument(help="A question, words, or 'symbol = Parent > Child'.", metavar="QUERY")],
    path: Annotated[
        list[str] | None, typer.Option("--path", metavar="P", help="Search only in this file, folder or glob; may be repeated.")
    ] = None,
    language: Annotated[
        list[str] | None, typer.Option("--language", metavar="L", help="Search only in this language; may be repeated.")
    ] = None,
    kind: Annotated[
        str,
        typer.Option(
            "--kind",
            metavar="K",
            help="all, functions, classes, interfaces, types, constants, docs, or files (one result for each file).",
        ),
    ] = "all",
    min_score: Annotated[
        float | None,
        typer.Option("--min-score", metavar="S", help="Lowest score of a result, 0 to 1, in the modes semantic and hybrid."),
    ] = None,
    limit: Annotated[
        int | None,
        typer.Option(
            "--limit",
            metavar="N",
            help="Maximum number of results. Without --budget, it replaces the settings for lowest score and budget.",
        ),
    ] = None,
    budget: Budget = None,
    mode: Annotated[
        SearchMode,
        typer.Option("--mode", help="semantic: by meaning; literal: lines with this text; hybrid: both, ranked together."),
    ] = SearchMode.SEMANTIC,
    regex: Annotated[bool, typer.Option("--regex", help="The query is a pattern (literal and hybrid).")] = False,
    case_sensitive: Annotated[
        bool, typer.Option("--case-sensitive", help="Distinguish upper and lower case (literal and hybrid).")
    ] = False,
    before: Annotated[
        int | None,
        typer.Option("--before", metavar="N", help="Lines of context before a match (literal and hybrid). Default: 1."),
    ] = None,
    after: Annotated[
        int | None, typer.Option("--after", metavar="N", help="Lines of context after a match (literal and hybrid). Default: 1.")
    ] = None,
    explain: Annotated[
        bool, typer.Option("--explain", help="Instead of the answer, print why the first results have their scores.")
    ] = False,
    as_json: Json = False,
    root: Root = None,
    data_dir: DataDir = None,
    at: At = "",
) -> None:
    """Find code by a question, a name, or its text.

    The answer shows the connections between the results, and then their source, file by file.
    """
    from ...retrieval.query.search_request import SearchRequest

    if explain and (mode is not SearchMode.SEMANTIC or budget is not None):
        raise UsageError("--explain requires --mode semantic, and excludes --budget.")
    if mode is SearchMode.SEMANTIC and (regex or case_sensitive or before is not None or after is not None):
        raise UsageError("--regex, --case-sensitive, --before and --after need --mode literal or --mode hybrid.")
    request = SearchRequest(
        query,
        mode=mode.value,
        paths=path or (),
        languages=language or (),
        kind=kind,
        min_score=min_score,
        limit=limit,
        budget=budget,
        is_regex=regex,
        case_sensitive=case_sensitive,
        before=1 if before is None else before,
        after=1 if after is None else after,
    )
    found: ExplainedRanking | SearchResults
    with opened_workspace(root, data_dir, at) as workspace:
        if not request.is_semantic:
            matches = workspace.text_search(request)
            print_answer(matches, as_json, lambda tables: tables.match_tables(matches.answer))
            return
        found = workspace.explained_ranking(request) if explain else workspace.semantic_search(request)
    if as_json:
        print_json(found.to_json())
    else:
        print_result(found.text)


@app.command(epilog="Example: astrolabe status --json")
def status(as_json: Json = False, root: Root = None, data_dir: DataDir = None) -> None:
    """Show whether the index is fresh and complete.

    Lists the files that changed since the index was written, files with problems, omitted files with the reasons, what
    manifests leave unknown, counts of unresolved imports and calls, and the installed hooks and clients.
    """
    from ..hooks.hook_files import installed_hooks
    from .index_report import status_json, status_text

    with opened_workspace(root, data_dir) as workspace:
        found = workspace.status()
        hooks = installed_hooks(workspace.root)
    if as_json:
        print_json(status_json(found, hooks))
    else:
        print_result(status_text(found, hooks))


@app.command(epilog="Example: astrolabe watch --root ~/projects/shop")
def watch(root: Root = None, data_dir: DataDir = None) -> None:
    """Refresh the index while files change, until Ctrl-C.

    Requests then find a fresh index.
    """
    from ...schema.process.allocator import limit_arenas

    limit_arenas()  # before the modules below load the engines
    from .index_report import report_text
    from .watch import watch_workspace

    with opened_workspace(root, data_dir) as workspace:
        print_message(f"Watching {workspace.root}; end with Ctrl-C.")
        watch_workspace(workspace, lambda report: print_result(report_text(report, ())), print_message)


@app.command(epilog="Example: astrolabe clean --all")
def clean(
    everything: Annotated[bool, typer.Option("--all", help="Remove the whole index.")] = False,
    as_json: Json = False,
    root: Root = None,
    data_dir: DataDir = None,
) -> None:
    """Remove old states of the index, or the whole index.

    Indexing keeps some old states, so that switching back to another branch is fast. This command removes these states, too.
    """
    with opened_workspace(root, data_dir) as workspace:
        freed = workspace.remove_index() if everything else workspace.clean()
    if as_json:
        print_json({"freed": freed})
    else:
        print_result(f"Freed {freed:,} bytes.")


@app.command(epilog="Example: astrolabe cypher \"MATCH (a:Symbol)-[:CALLS]->(b:Symbol {name: 'save'}) RETURN a.breadcrumb\"")
def cypher(
    query: Annotated[str | None, typer.Argument(help="A read-only query.", metavar="QUERY")] = None,
    as_json: Json = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="Print CSV for programs.")] = False,
    root: Root = None,
    data_dir: DataDir = None,
    at: At = "",
) -> None:
    """Query the graph in Cypher.

    Without a query, the command reads queries from standard input; on a terminal, it prompts for queries.
    """
    from .cypher_console import Console, ResultForm

    if as_json and as_csv:
        raise UsageError("--json and --csv exclude each other; give one of them.")
    form = ResultForm.JSON if as_json else ResultForm.CSV if as_csv else ResultForm.TABLE
    with opened_workspace(root, data_dir, at) as workspace:
        console = Console(workspace, form)
        if query is not None:
            console.answer(query)
        elif sys.stdin.isatty():
            console.converse()
        else:
            console.answer_all(sys.stdin.read())


@export_app.command("edges", epilog="Example: astrolabe export edges --json > edges.json")
def export_edges(as_json: Json = False, root: Root = None, data_dir: DataDir = None) -> None:
    """Print every call, import, inheritance and reference of the repository."""
    from .edge_export import edges_json, edges_text

    with opened_workspace(root, data_dir) as workspace:
        edges = workspace.export_edges()
    if as_json:
        print_json(edges_json(edges))
    else:
        print_result(edges_text(edges))


@app.command(epilog="Example: astrolabe serve --root ~/projects/shop")
def serve(
    http: Annotated[
        str | None,
        typer.Option("--http", metavar="HOST:PORT", help="Serve streamable HTTP at this loopback address instead of stdio."),
    ] = None,
    tools: Annotated[
        str | None,
        typer.Option("--tools", metavar="SETS", help="Tools to offer: names of sets and of tools, separated by commas."),
    ] = None,
    max_sessions: Annotated[
        int | None,
        typer.Option("--max-sessions", metavar="N", min=1, help="Maximum number of open sessions over HTTP. Default: 100."),
    ] = None,
    token_file: Annotated[
        Path | None,
        typer.Option("--token-file", metavar="FILE", help="Demand the token in this file over HTTP; a missing file is made."),
    ] = None,
    root: Root = None,
    data_dir: DataDir = None,
) -> None:
    """Serve coding agents over MCP.

    The Model Context Protocol runs over standard input and output, or over streamable HTTP on this machine.
    """
    from ...schema.process.allocator import limit_arenas

    limit_arenas()  # before the modules below load the engines
    from ..api.workspace import Workspace
    from ..mcp.http_address import HttpAddress
    from ..mcp.long_lived import end_process
    from ..mcp.standard_streams import serve_stdio
    from ..mcp.tool_sets import chosen_tools

    address = HttpAddress.parse(http) if http is not None else None
    if address is None:
        for option, value in (("--token-file", token_file), ("--max-sessions", max_sessions)):
            if value is not None:
                raise UsageError(f"{option} needs --http: over standard input and output, the server has one client.")
    offered = chosen_tools(tools)
    with Workspace.locate(root, data_dir) as workspace:
        if address is None:
            serve_stdio(workspace, offered)
        else:
            from ..mcp.http_serving import DEFAULT_MAX_SESSIONS, serve_http

            serve_http(workspace, offered, address, max_sessions or DEFAULT_MAX_SESSIONS, token_file)
    end_process()
