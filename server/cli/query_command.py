"""The command `query`, which runs a chain."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import msgspec
import typer

from ...schema.errors import UsageError
from ..environment.terminal import print_json, print_message, print_result
from .command_options import At, DataDir, Json, Root, opened_workspace

if TYPE_CHECKING:
    from ..api.scopes.chain_evaluation import Outcome
    from ..api.scopes.rows import Row
    from ..api.scopes.terminals import Rows

query_app = typer.Typer()
#: Maximum number of rows of a table for people without --limit.
SHOWN_ROWS = 100


@query_app.command("query", epilog="Example: astrolabe query \"files(language='go').symbols(kind='method').callers(depth=2)\"")
def query_command(
    chain: Annotated[str, typer.Argument(help="Scopes, filters and steps, joined by dots.", metavar="CHAIN")],
    as_json: Json = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="Print CSV for programs.")] = False,
    as_markdown: Annotated[bool, typer.Option("--markdown", help="Print a list in Markdown.")] = False,
    as_mermaid: Annotated[bool, typer.Option("--mermaid", help="Print a diagram in Mermaid.")] = False,
    explain: Annotated[bool, typer.Option("--explain", help="Print the Cypher statement of the chain.")] = False,
    limit: Annotated[
        int | None, typer.Option("--limit", metavar="N", help="Maximum number of rows. Default: 100 in a table, else all.")
    ] = None,
    root: Root = None,
    data_dir: DataDir = None,
    at: At = "",
) -> None:
    """Query the graph by a chain of filters and steps along edges.

    A chain begins with a scope, such as modules, files, symbols, tables, docs, packages or commits, and joins calls with dots.
    `|`, `&` and `-` are set operations. The chain is translated into one Cypher statement.
    """
    forms = [as_json, as_csv, as_markdown, as_mermaid, explain]
    if sum(forms) > 1:
        raise UsageError("--json, --csv, --markdown, --mermaid and --explain exclude each other; give one of them.")
    if limit is not None and limit < 1:
        raise UsageError(f"--limit is a number from 1, not {limit}.")
    with opened_workspace(root, data_dir, at) as workspace:
        from ..api.scopes.terminals import Rows

        outcome = workspace.query(chain)
        if not isinstance(outcome, Rows):
            _print_value(chain, outcome, forms)
            if (outcome is None or outcome == []) and not as_json:
                from ..api.scopes.chain_evaluation import absence_at_end

                print_result(absence_at_end(workspace, chain, outcome))
        elif explain:
            print_result(outcome.explain())
        elif as_json:
            print_json((outcome if limit is None else outcome.limit(limit)).to_json())
        elif as_csv or as_markdown or as_mermaid:
            _print_form(outcome if limit is None else outcome.limit(limit), as_csv, as_mermaid)
        else:
            _print_table(outcome, limit or SHOWN_ROWS)


def _print_table(rows: Rows[Any], limit: int) -> None:
    from ..api.scopes.forms import text_of

    shown = rows.limit(limit + 1).to_list()
    if not shown:
        print_result(rows.absence())
        return
    more = f"\nThe first {limit:,} of {rows.count():,} rows; --limit shows more." if len(shown) > limit else ""
    print_result(f"{text_of(shown[:limit])}{more}")


def _print_form(rows: Rows[Any], as_csv: bool, as_mermaid: bool) -> None:
    from ..api.scopes.forms import table_of
    from ..api.scopes.scope import Scope

    if as_csv:
        found = rows.to_list()
        print_result(table_of(found, rows.row_type).csv)
        if not found:
            print_message(rows.absence())
    elif not as_mermaid:
        print_result(rows.to_markdown())
    elif isinstance(rows, Scope):
        print_result(rows.to_mermaid())
    else:
        raise UsageError("Commits have no edges to draw; --markdown lists them.")


def _print_value(chain: str, value: Outcome, forms: list[bool]) -> None:
    """Print the result of an operation at the end of a chain: a number, a text, one row, or groups of rows.

    If there is no row or group, nothing is printed, except as JSON.
    """
    from ..api.scopes.connections import Groups
    from ..api.scopes.forms import ScopeGraph
    from ..api.scopes.rows import label_of

    as_json, *others = forms
    if any(others):
        raise UsageError("The last call of the chain does not give rows: leave the option for the form out, or use --json.")
    if isinstance(value, dict):
        print_json(value)
    elif as_json or isinstance(value, ScopeGraph):
        nothing = value.nothing() if isinstance(value, Groups) else None
        reason = {"nothing": msgspec.to_builtins(nothing)} if nothing is not None else {}
        print_json({"query": chain, "value": msgspec.to_builtins(value), **reason})
    elif value is None or value == []:
        return
    elif isinstance(value, list):
        groups = (group if isinstance(group, tuple) else (group,) for group in value)
        print_result("\n".join(" > ".join(map(label_of, group)) for group in groups))
    elif isinstance(value, str | bool | int):
        print_result(f"{value:,}" if type(value) is int else str(value).lower() if isinstance(value, bool) else str(value))
    else:
        print_result(label_of(_row(value)))


def _row(value: object) -> Row:
    from ..api.scopes.rows import CommitRow, FileRow, ModuleRow, PackageRow, RepositoryRow, SymbolRow

    if isinstance(value, CommitRow | FileRow | ModuleRow | PackageRow | RepositoryRow | SymbolRow):
        return value
    raise TypeError(f"not a row: {value!r}")
