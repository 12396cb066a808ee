"""The internal command of Git hooks: `astrolabe hooks run HOOK`. Each commit waits for this command, so it loads neither the
library of the command line nor the other commands.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections.abc import Sequence
from pathlib import Path

from ..environment.configuration import load_settings
from ..environment.terminal import accept_any_text, failures_told, print_message
from ..environment.workspace_root import find_root
from .hook_script import CHECKING, FORBIDDEN, HOOKS


def run_hook(arguments: Sequence[str]) -> None:
    """Run the task of a hook, and exit with 0, 1, 2 or FORBIDDEN. `arguments` are the arguments after `astrolabe hooks run`."""
    accept_any_text()
    parser = ArgumentParser(prog="astrolabe hooks run", description="Do what a hook of Git is for.", allow_abbrev=False)
    parser.add_argument("hook", choices=HOOKS, metavar="HOOK", help="Name of the hook.")
    parser.add_argument("--root", type=Path, metavar="PATH", help="Root of the workspace.")
    wanted = parser.parse_args(arguments)
    with failures_told():
        folder = find_root(wanted.root)
        if wanted.hook == CHECKING:
            sys.exit(0 if _is_commit_sound(folder) else FORBIDDEN)
        from .background_refresh import refresh_index

        refresh_index(folder, wanted.hook)


def _is_commit_sound(root: Path) -> bool:
    """Print the findings of the check, and return whether the commit is allowed. Only `pre_commit = "block"` forbids commits."""
    settings = load_settings(root)
    if settings.pre_commit == "off":
        return True
    from .commit_check import check_staged, report

    top = Path.cwd().resolve()  # Git runs its hooks in the root of the work tree
    checked = check_staged(top, root.relative_to(top).as_posix() if root.is_relative_to(top) else ".", settings)
    text = report(checked)
    if not text:
        return True
    print_message(text)
    if settings.pre_commit == "block" and checked.findings:
        print_message(
            '  The commit was not made, because `pre_commit` is "block"; `git commit --no-verify` makes it all the same.'
        )
        return False
    return True
