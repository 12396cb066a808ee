"""The command for the effects of a change, for people, programs and continuous integration."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from ...schema.errors import UsageError
from ..environment.terminal import print_json, print_message, print_result
from ..environment.workspace_root import inner_repository
from .command_options import Budget, DataDir, Json, Root, opened_workspace

if TYPE_CHECKING:
    from ...retrieval.changes import ChangesAnswer

#: Exit code for a change with at least the risk of `--fail-on`. Codes 1 and 2 mean that the comparison failed.
RISKY = 3
#: Values of `--fail-on`.
_LIMITS = ("broken", "low", "medium", "high", "critical")

changes_app = typer.Typer()


@changes_app.command("changes", epilog="Example: astrolabe changes --base origin/main --fail-on high")
def changes_command(
    range_: Annotated[
        str,
        typer.Argument(
            metavar="RANGE", help="A..B, A...B, or one commit, which is compared with its first parent. Default: the work tree."
        ),
    ] = "",
    staged: Annotated[bool, typer.Option("--staged", help="Compare the staged content with the last commit.")] = False,
    base: Annotated[
        str, typer.Option("--base", metavar="REF", help="Compare the work tree with the commit where its branch left REF.")
    ] = "",
    depth: Annotated[int, typer.Option("--depth", metavar="N", help="Number of hops to dependants, 1 to 10.")] = 3,
    fail_on: Annotated[
        str,
        typer.Option(
            "--fail-on",
            metavar="LEVEL",
            help="Exit with code 3 at this level: broken (the change breaks code), or a risk of at least low, medium, high or "
            "critical.",
        ),
    ] = "",
    as_markdown: Annotated[bool, typer.Option("--markdown", help="Print Markdown, for the comment of a pull request.")] = False,
    budget: Budget = None,
    as_json: Json = False,
    root: Root = None,
    data_dir: DataDir = None,
) -> None:
    """Show the effects of a change: changed symbols, broken places, dependants, tests to run, and the risk.

    Without a range, the last commit is compared with the work tree.
    """
    if fail_on and fail_on not in _LIMITS:
        raise UsageError(f'--fail-on accepts {", ".join(_LIMITS)}, not "{fail_on}".')
    if as_json and as_markdown:
        raise UsageError("--json and --markdown exclude each other. Give one of them.")
    with opened_workspace(root, data_dir) as workspace:
        if root is None and (inner := inner_repository(workspace.root)) is not None:
            print_message(f"{inner} is a Git repository inside of the workspace: `--root {inner}` compares its states.")
        found = workspace.changes(range_, staged=staged, base=base, depth=depth, budget=budget)
    if as_json:
        print_json(found.to_json())
    elif as_markdown:
        from ...retrieval.changes import changes_markdown

        for notice in found.index.notices:
            print_message(notice)
        print_result(changes_markdown(found.answer).rstrip("\n"))
    else:
        print_result(found.text)
    if fail_on and _fails(found.answer, fail_on):
        raise typer.Exit(RISKY)


def _fails(answer: ChangesAnswer, limit: str) -> bool:
    """Return whether the risk of a change is at least the limit."""
    from ...retrieval.changes.records import RISKS

    if limit == "broken":
        return bool(answer.broken) or bool(answer.left_out.get("broken"))
    return RISKS.index(answer.risk.level) >= RISKS.index(limit)
