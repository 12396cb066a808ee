"""The commands of `workflow`: workflows that documents describe, and templates."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from ...schema.errors import UsageError
from ..environment.terminal import print_json, print_message, print_result
from .command_options import At, Budget, DataDir, Json, Root, opened_workspace

if TYPE_CHECKING:
    from ..api.graph_tools.records import GraphAnswer
    from ..api.requests.tool_answer import ToolAnswer

workflow_app = typer.Typer(
    no_args_is_help=True, help="Follow workflows: those that documents describe, and templates over the graph."
)


@workflow_app.command("show", epilog="Example: astrolabe workflow show CONTRIBUTING.md 'Release process'")
def show_command(
    doc: Annotated[str, typer.Argument(help="Path or name of a document. Default: all documents.", metavar="DOC")] = "",
    section: Annotated[str, typer.Argument(help="Heading of the workflow.", metavar="SECTION")] = "",
    budget: Budget = None,
    cursor: Annotated[str, typer.Option("--cursor", help="Cursor from a shortened answer, to print further entries.")] = "",
    as_json: Json = False,
    root: Root = None,
    data_dir: DataDir = None,
    at: At = "",
) -> None:
    """Show the steps of a workflow in a document, with actors, conditions and the named code.

    If several workflows match, they are listed.
    """
    with opened_workspace(root, data_dir, at) as workspace:
        _print(workspace.graph.get_workflow(doc, section, budget=budget, cursor=cursor), as_json=as_json)


@workflow_app.command("list", epilog="Example: astrolabe workflow list")
def list_command(as_json: Json = False, root: Root = None, data_dir: DataDir = None) -> None:
    """List the workflow templates with their parameters, including the templates in the folder `astrolabe.workflows`."""
    with opened_workspace(root, data_dir) as workspace:
        templates, problems = workspace.graph.workflow_templates()
        for problem in problems:
            print_message(f"{problem.sentence}.")
        if as_json:
            print_json([template.to_json() for template in templates])
            return
        for template in templates:
            lines = [f"{template.name}: {template.description}"]
            lines += [
                f"  {each.name}{'' if each.required else ' (optional)'}: {each.description}" for each in template.parameters
            ]
            print_result("\n".join(lines))


@workflow_app.command("run", epilog="Example: astrolabe workflow run update-module -p module=src/cart -p change='round prices'")
def run_command(
    template: Annotated[str, typer.Argument(help="Name of a template, as in `astrolabe workflow list`.", metavar="TEMPLATE")],
    given: Annotated[
        list[str] | None,
        typer.Option("--parameter", "-p", metavar="NAME=VALUE", help="A parameter; `NAME=-` reads it from standard input."),
    ] = None,
    write: Annotated[
        bool, typer.Option("--write", help="Write the files that `create-module` plans. No file is overwritten.")
    ] = False,
    budget: Budget = None,
    cursor: Annotated[str, typer.Option("--cursor", help="Cursor from a shortened answer, to print further entries.")] = "",
    as_json: Json = False,
    root: Root = None,
    data_dir: DataDir = None,
) -> None:
    """Run a workflow template: a fixed sequence of questions to the graph."""
    values = _values(given or [])
    if write and template != "create-module":
        raise UsageError("Only `create-module` has files to write: leave --write out.")
    with opened_workspace(root, data_dir) as workspace:
        if write:
            for path in workspace.graph.create_module(values):
                print_message(f"Wrote {path}.")
        else:
            _print(workspace.graph.execute_workflow_template(template, values, budget=budget, cursor=cursor), as_json=as_json)


def _values(given: list[str]) -> dict[str, str]:
    """Return parameters by name. Raises UsageError for a parameter that is not NAME=VALUE, and for a repeated parameter."""
    values: dict[str, str] = {}
    for each in given:
        name, is_given, value = each.partition("=")
        if not is_given or not name.strip():
            raise UsageError(f'A parameter is written as NAME=VALUE, not "{each[:80]}".')
        if name.strip() in values:
            raise UsageError(f"The parameter `{name.strip()}` is given twice.")
        values[name.strip()] = sys.stdin.read() if value == "-" else value
    return values


def _print(answer: ToolAnswer[GraphAnswer], *, as_json: bool) -> None:
    if as_json:
        print_json(answer.to_json())
    else:
        print_result(answer.text)
