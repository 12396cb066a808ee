"""The commands that connect a project with coding agents and with Git: `init`, `uninstall` and `hooks`."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ...schema.errors import AstrolabeError, UsageError, WorkspaceError
from ..environment.terminal import print_json, print_message, print_result
from ..environment.workspace_root import find_root, inner_repository
from .command_options import Json, Root

if TYPE_CHECKING:
    from ..clients.client_entries import EntryPlan
    from ..clients.clients import Client
    from ..environment.file_change import FileChange
    from ..hooks.hook_files import HookPlan

setup_app = typer.Typer()
hooks_app = typer.Typer(
    help="Run Astrolabe in Git hooks.",
    epilog="Example: astrolabe hooks install",
    no_args_is_help=True,
)

DryRun = Annotated[bool, typer.Option("--dry-run", help="Print the changes as a diff instead of writing them.")]


@setup_app.command(epilog="Example: astrolabe init --clients claude-code,cursor")
def init(
    clients: Annotated[
        str | None,
        typer.Option(
            "--clients",
            metavar="NAMES",
            help="Coding agents that use the MCP server, separated by commas. Default: on a terminal, those of the agents "
            "found in the project that you confirm; otherwise none.",
        ),
    ] = None,
    no_hooks: Annotated[bool, typer.Option("--no-hooks", help="Do not change the hooks of Git.")] = False,
    agents_md: Annotated[bool, typer.Option("--agents-md", help="Add a section about the tools to AGENTS.md.")] = False,
    only_print: Annotated[bool, typer.Option("--print", help="Print the entries instead of writing them.")] = False,
    dry_run: DryRun = False,
    root: Root = None,
) -> None:
    """Connect a project with coding agents and with Git.

    Only files of the project are changed, and their other content stays. `astrolabe uninstall` reverts the changes.
    """
    from ..clients.agents_section import planned_section
    from ..clients.client_entries import planned_entries, printed_entry

    folder = _project(root)
    if only_print:
        for client in _clients_named(clients):
            print_result(f"{client.title}: {client.elsewhere or client.place(folder).path}\n{printed_entry(client, folder)}")
        return
    entries = planned_entries(folder, _clients_named(clients) if clients is not None else _confirmed(folder))
    section = planned_section(folder) if agents_md else None
    hooks, failure = ([], "") if no_hooks else _planned_hooks(folder)
    _carry_out(folder, [*_changes(entries), *([section] if section else []), *_hook_changes(hooks)], dry_run)
    _print_plans(entries, [plan.reason for plan in hooks if plan.reason], failure)
    if shutil.which("astrolabe") is None:
        print_message("The command `astrolabe` is not on the PATH, where agents and hooks look for it.")


@setup_app.command(epilog="Example: astrolabe uninstall --dry-run")
def uninstall(dry_run: DryRun = False, root: Root = None) -> None:
    """Remove the additions of `astrolabe init`: entries of coding agents, the section of AGENTS.md, and lines in hooks.

    The index stays; `astrolabe clean --all` removes it.
    """
    from ...schema.process.git import GitFailed
    from ..clients.agents_section import planned_section_removal
    from ..clients.client_entries import planned_removals
    from ..hooks.hook_files import planned_hook_removals

    folder = _project(root)
    entries = planned_removals(folder)
    section = planned_section_removal(folder)
    failure = ""
    hooks: list[HookPlan] = []
    try:
        hooks = planned_hook_removals(folder)
    except GitFailed as error:
        failure = str(error)
    _carry_out(folder, [*_changes(entries), *([section] if section else []), *_hook_changes(hooks)], dry_run)
    _print_plans(entries, [], failure)


@hooks_app.command("install", epilog="Example: astrolabe hooks install --dry-run")
def hooks_install(dry_run: DryRun = False, root: Root = None) -> None:
    """Extend the hooks of Git by lines that keep the index up to date and check commits.

    Other lines of the hooks do not change. If the lines cannot be added to a hook, the reason is printed.
    """
    from ..hooks.hook_files import planned_hooks

    folder = _project(root)
    plans = planned_hooks(folder)
    _carry_out(folder, _hook_changes(plans), dry_run)
    _print_plans([], [plan.reason for plan in plans if plan.reason], "")


@hooks_app.command("uninstall", epilog="Example: astrolabe hooks uninstall")
def hooks_uninstall(dry_run: DryRun = False, root: Root = None) -> None:
    """Remove Astrolabe's lines from the hooks of Git. All other bytes stay unchanged."""
    from ..hooks.hook_files import planned_hook_removals

    folder = _project(root)
    _carry_out(folder, _hook_changes(planned_hook_removals(folder)), dry_run)


@hooks_app.command("status", epilog="Example: astrolabe hooks status")
def hooks_status(as_json: Json = False, root: Root = None) -> None:
    """Show which hooks of Git run Astrolabe, and why other hooks do not."""
    from ..hooks.hook_files import hook_states

    states = hook_states(_project(root))
    if as_json:
        rows = [{"hook": state.hook, "file": str(state.path), "installed": state.is_installed} for state in states]
        print_json([{**row, "reason": state.reason} for row, state in zip(rows, states, strict=True)])
        return
    for state in states:
        print_result(f"{state.hook}: {'installed' if state.is_installed else state.reason or 'not installed'} ({state.path})")


def _project(root: Path | None) -> Path:
    """Return the root of the workspace. Raises UsageError if another repository around the current folder may be meant."""
    folder = find_root(root)
    if root is None and (inner := inner_repository(folder)) is not None:
        raise UsageError(
            f"{inner} is a Git repository inside of the workspace {folder}. Name the one that is meant: `--root {inner}` or "
            f"`--root {folder}`."
        )
    return folder


# ---------------------------------------------------------------------- clients


def _clients_named(names: str | None) -> list[Client]:
    """Return the clients with these names, or all clients if there are no names. Raises UsageError."""
    from ..clients.clients import BY_NAME

    if names is None:
        return list(BY_NAME.values())
    wanted = [name.strip().lower() for name in names.split(",") if name.strip()]
    unknown = [name for name in wanted if name not in BY_NAME]
    if unknown:
        raise UsageError(f"--clients: {unknown[0]} is unknown; name some of {', '.join(BY_NAME)}.")
    return [BY_NAME[name] for name in dict.fromkeys(wanted)]


def _confirmed(root: Path) -> list[Client]:
    """Return the clients that the user confirms at the terminal; none without a terminal."""
    from ..clients.client_entries import has_entry
    from ..clients.clients import CLIENTS

    found = [client for client in CLIENTS if client.is_used_in(root) and not has_entry(root, client)]
    if not found:
        return []
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        names = ",".join(client.name for client in found)
        print_message(f"Coding agents are entered only if you name them, as in `astrolabe init --clients {names}`.")
        return []
    import questionary

    choices = [questionary.Choice(client.title, client, checked=True) for client in found]
    chosen = questionary.checkbox("Which coding agents shall use Astrolabe in this project?", choices).ask()
    if chosen is None:
        raise WorkspaceError("Nothing was changed, because the question was not answered.")
    return [client for client in found if client in chosen]


# ---------------------------------------------------------------------- changes


def _planned_hooks(root: Path) -> tuple[list[HookPlan], str]:
    """Return the plans for hooks, or the reason why there are none."""
    from ...schema.process.git import GitFailed
    from ..hooks.hook_files import planned_hooks

    try:
        return planned_hooks(root), ""
    except GitFailed as error:
        return [], f"No hooks were installed. {error}"


def _changes(plans: Sequence[EntryPlan]) -> list[FileChange]:
    return [plan.change for plan in plans if plan.change is not None]


def _hook_changes(plans: Sequence[HookPlan]) -> list[FileChange]:
    return [plan.change for plan in plans if plan.change is not None]


def _carry_out(root: Path, changes: Sequence[FileChange], dry_run: bool) -> None:
    if not changes:
        print_result("Nothing to change.")
    for change in changes:
        if dry_run:
            print_result(change.diff(root))
        else:
            change.apply()
            print_result(f"{change.verb.capitalize()}d {_shown(root, change.path)}.")


def _shown(root: Path, path: Path) -> str:
    return path.relative_to(root).as_posix() if path.is_relative_to(root) else str(path)


def _print_plans(entries: Sequence[EntryPlan], reasons: Sequence[str], failure: str) -> None:
    """Print the reasons for files that were not changed. Raises AstrolabeError if a change failed."""
    for reason in (*(f"{plan.client.title}: {plan.reason}" for plan in entries if plan.reason), *reasons):
        print_message(reason)
    if failure:
        print_message(failure)
    failed = [plan.client.title for plan in entries if plan.has_failed]
    if failed:
        raise AstrolabeError(f"Not entered for {', '.join(failed)}: repair the files that are named above, and try again.")
