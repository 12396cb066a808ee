"""The command `calls`: the calls of agents."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
import typer

from ...schema.errors import UsageError
from ..environment.terminal import print_json, print_result
from .command_options import DataDir, Json, Root

if TYPE_CHECKING:
    from ..mcp.call_log import LoggedCall

calls_app = typer.Typer()


@calls_app.command("calls", epilog="Example: astrolabe calls --limit 50")
def calls_command(
    limit: Annotated[int, typer.Option("--limit", metavar="N", help="Maximum number of calls.")] = 20,
    as_json: Json = False,
    root: Root = None,
    data_dir: DataDir = None,
) -> None:
    """Show the last tool calls of coding agents, with arguments, time, and number of tokens in the answer.

    The calls are stored only on this machine, in the data folder. The setting `call_log` can disable the log.
    """
    from ..environment.data_folder import data_folder
    from ..environment.workspace_root import find_root
    from ..mcp.call_log import logged_calls

    if limit < 1:
        raise UsageError(f"--limit is a number from 1, not {limit}.")
    calls = logged_calls(data_folder(find_root(root), data_dir))[:limit]
    if as_json:
        print_json(msgspec.to_builtins(calls))
    elif calls:
        print_result(_table(calls))
    else:
        print_result("No agent has called a tool yet. `astrolabe init` connects your coding agent.")


def _table(calls: list[LoggedCall]) -> str:
    from ..api.requests.query_rows import QueryRows

    rows: list[tuple[Any, ...]] = [
        (
            call.at[:19].replace("T", " "),
            call.tool,
            f"{call.milliseconds:,}",
            call.error or f"{call.tokens:,}",
            "(too long)" if call.arguments is None else json.dumps(call.arguments, ensure_ascii=False),
        )
        for call in calls
    ]
    return QueryRows(("time (UTC)", "tool", "ms", "tokens or error", "arguments"), rows, (), len(rows)).text
