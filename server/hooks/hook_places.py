"""Find the folder of a repository's hooks, and the tool that manages the hooks.

Sources: git-scm.com/docs/githooks, typicode.github.io/husky, lefthook.dev, pre-commit.com.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path

from ...schema.process.git import GitFailed
from ..environment.git_process import git_output

#: The folder of husky.
HUSKY = ".husky"
#: The folder that `core.hooksPath` names with husky 9 or later, inside the folder of husky.
HUSKY_RUNNERS = "_"

LEFTHOOK_FILES = tuple(f"{prefix}lefthook{suffix}" for prefix in ("", ".") for suffix in (".yml", ".yaml", ".toml", ".json"))
PRE_COMMIT_FILE = ".pre-commit-config.yaml"


@dataclass(frozen=True, slots=True)
class HookFolder:
    """The folder with the hooks of a repository."""

    path: Path
    #: Root of the work tree.
    top: Path
    #: Whether husky runs the hooks. Husky passes them to `sh`, so they need not be executable.
    is_husky: bool = False


def hook_folder(root: Path) -> HookFolder:
    """Return the folder whose hooks Git runs for commits below `root`.

    Raises GitFailed if there is no repository, or if the hooks are outside of the repository, where other repositories may use
    them, too.
    """
    printed = git_output(root, "rev-parse", "--show-toplevel", "--git-common-dir", "--git-path", "hooks")
    lines = os.fsdecode(printed).splitlines()
    if len(lines) != 3:
        raise GitFailed(f"{root} is in a repository without a work tree, which has no hooks for commits.")
    top, common, hooks = (root.joinpath(line).resolve() for line in lines)
    configured = root.joinpath(lines[2])
    if configured.name == HUSKY_RUNNERS and configured.parent.name == HUSKY:
        return HookFolder(hooks.parent, top, True)
    if (top / HUSKY).is_dir():
        return HookFolder((top / HUSKY).resolve(), top, True)
    if not (hooks.is_relative_to(common) or hooks.is_relative_to(top)):
        raise GitFailed(f"core.hooksPath names {hooks}, which is outside of the repository; its hooks were left alone.")
    return HookFolder(hooks, top)


def uses_lefthook(top: Path) -> bool:
    """Return whether lefthook writes the hooks of a repository."""
    return any((top / name).is_file() for name in LEFTHOOK_FILES)


def lefthook_runs(top: Path, command: str) -> bool:
    """Return whether a configuration of lefthook has a command outside of comments."""
    return any(_has_line(top / name, re.compile(rf"(?<![\w-]){re.escape(command)}(?![\w-])")) for name in LEFTHOOK_FILES)


def uses_pre_commit(top: Path) -> bool:
    """Return whether the pre-commit framework is set up in a repository."""
    return (top / PRE_COMMIT_FILE).is_file()


def pre_commit_runs(top: Path, hook: str) -> bool:
    """Return whether the configuration of the pre-commit framework has a hook with an id."""
    return _has_line(top / PRE_COMMIT_FILE, re.compile(rf"""\bid:\s*["']?{re.escape(hook)}["']?\s*(?:[,}}]|$)"""))


def _has_line(path: Path, pattern: re.Pattern[str]) -> bool:
    try:
        text = path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return False
    return any(pattern.search(line.partition("#")[0]) for line in text.splitlines())
