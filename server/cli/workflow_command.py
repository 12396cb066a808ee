"""The commands of `workflow`: workflows that documents describe."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from ..environment.terminal import print_json, print_result
from .command_options import At, Budget, DataDir, Json, Root, opened_workspace

if TYPE_CHECKING:
    from ..api.graph_tools.records import GraphAnswer
    from ..api.tool_answer import ToolAnswer

workflow_app = typer.Typer(no_args_is_help=True, help="Follow workflows that documents describe.")


@workflow_app.command("show", epilog="Example: astrolabe workflow show CONTRIBUTING.md 'Release process'")
def show_command(
    doc: Annotated[str, typer.Argument(help="Path or name of a document; all if it is left out.", metavar="DOC")] = "",
    section: Annotated[str, typer.Argument(help="Heading of the workflow.", metavar="SECTION")] = "",
    budget: Budget = None,
    cursor: Annotated[str, typer.Option("--cursor", help="From an answer that left something out.")] = "",
    as_json: Json = False,
    root: Root = None,
    data_dir: DataDir = None,
    at: At = "",
) -> None:
    """Show the steps of a workflow that a document describes, with actors, conditions and the code that they name.

    If several workflows match, they are listed.
    """
    with opened_workspace(root, data_dir, at) as workspace:
        _print(workspace.graph.get_workflow(doc, section, budget=budget, cursor=cursor), as_json=as_json)


def _print(answer: ToolAnswer[GraphAnswer], *, as_json: bool) -> None:
    if as_json:
        print_json(answer.to_json())
    else:
        print_result(answer.text)
