"""Astrolabe's lines in hooks: they run, they never block, and every other byte stays as it is."""

from __future__ import annotations

import os
import random
import subprocess
from pathlib import Path

import pytest
from astrolabe.schema.process.git import GitFailed
from astrolabe.server.hooks.hook_files import hook_states, planned_hook_removals, planned_hooks
from astrolabe.server.hooks.hook_script import HOOKS, REFRESHING
from git_commands import git

SHEBANGS = ["#!/bin/sh", "#!/usr/bin/env bash", "#! /bin/dash -e", "#!/usr/bin/env -S sh -eu", "#!/usr/bin/zsh", ""]
FOREIGN = ["#!/usr/bin/env python3", "#!/usr/bin/node", "#!/usr/bin/fish", "#!/opt/pwsh -NoProfile", "\0\0"]
BODIES = [
    "set -eu\nnpm test",
    "# >>> astrolabe\necho one",
    "cat <<END\nexit 0\nEND\n\n\n",
    'exec git lfs "$@"',
    "if true; then\n  exit 0\nfi",
    "echo caf\u00e9 \\\n  again\t ",
    "",
]


def install(root: Path) -> list[str]:
    plans = planned_hooks(root)
    for plan in plans:
        if plan.change is not None:
            plan.change.apply()
    return [plan.reason for plan in plans if plan.reason]


def uninstall(root: Path) -> None:
    for plan in planned_hook_removals(root):
        assert plan.change is not None
        plan.change.apply()


def repository(root: Path) -> Path:
    root.mkdir(exist_ok=True)
    git(root, "init", "-q", "--template=")
    return root


def state(root: Path) -> dict[str, tuple[bytes, int]]:
    """The bytes and the mode of every file."""
    files = [path for path in root.rglob("*") if path.is_file()]
    return {str(path.relative_to(root)): (path.read_bytes(), path.stat().st_mode) for path in files}


def some_setup(root: Path, chance: random.Random) -> None:
    """Writes hooks as repositories have them."""
    repository(root)
    place = chance.choice([".git/hooks", ".git/hooks", ".githooks", "tools/git hooks", ".husky", ".husky/_"])
    if place == ".husky/_":
        git(root, "config", "core.hooksPath", place)
        place = ".husky"
    elif not place.startswith(".git/"):
        git(root, "config", "core.hooksPath", place)
    (root / place).mkdir(parents=True, exist_ok=True)
    for hook in HOOKS:
        if chance.random() < 0.6:
            first = chance.choice(SHEBANGS if chance.random() < 0.8 else FOREIGN)
            text = "\n".join([first, chance.choice(BODIES)]) + chance.choice(["", "\n", "\n\n", "  "])
            if chance.random() < 0.2:
                text = text.replace("\n", "\r\n")
            if chance.random() < 0.1:
                text = chance.choice(["", "\n", "\r\n"])
            path = root / place / hook
            path.write_bytes(text.encode())
            path.chmod(chance.choice([0o755, 0o755, 0o700, 0o644]))
    manager = chance.choice(["", "", "", "", "lefthook.yml", ".pre-commit-config.yaml"])
    if manager:
        (root / manager).write_text("# of another tool\n")


@pytest.mark.parametrize("seed", range(100))
def test_every_byte_comes_back(tmp_path: Path, seed: int) -> None:
    some_setup(tmp_path, random.Random(seed))
    before = state(tmp_path)
    install(tmp_path)
    installed = state(tmp_path)
    for name, (content, mode) in before.items():
        assert installed[name][1] == mode
        assert content == installed[name][0] or len(content) < len(installed[name][0])
    install(tmp_path)
    assert state(tmp_path) == installed
    uninstall(tmp_path)
    assert state(tmp_path) == before


@pytest.mark.parametrize(
    ("first", "end"),
    [(SHEBANGS[0], ""), (SHEBANGS[1], "\n"), (SHEBANGS[2], "exit 0\n"), (SHEBANGS[3], "exec true"), ("", "exit 0"), ("", "")],
)
def test_the_lines_run_and_the_script_too(tmp_path: Path, first: str, end: str) -> None:
    root = repository(tmp_path / "project")
    hook = root / ".git" / "hooks" / "post-commit"
    hook.parent.mkdir()
    hook.write_text("\n".join([first, "echo theirs >> theirs", end]) if first else f"echo theirs >> theirs\n{end}")
    hook.chmod(0o755)
    assert install(root) == []
    commit(root, program(tmp_path, 'echo "$@" >> ours', 0))
    assert (root / "theirs").read_text() == "theirs\n"
    wait_for(root / "ours", "post-commit")
    assert (root / "ours").read_text().splitlines()[-1] == "hooks run post-commit"


@pytest.mark.parametrize("code", [1, 139])
def test_a_broken_program_blocks_no_commit(tmp_path: Path, code: int) -> None:
    root = repository(tmp_path / "project")
    install(root)
    commit(root, program(tmp_path, "echo broken >&2", code))
    assert git(root, "log", "--format=%s") == "a commit"


def test_a_missing_program_blocks_no_commit(tmp_path: Path) -> None:
    root = repository(tmp_path / "project")
    install(root)
    assert commit(root, "/usr/bin:/bin") == ""


def test_scripts_of_other_programs_are_left_alone(tmp_path: Path) -> None:
    root = repository(tmp_path)
    hooks = root / ".git" / "hooks"
    hooks.mkdir()
    (hooks / "post-merge").write_text("#!/usr/bin/env python3\nprint(1)\n")
    (hooks / "post-merge").chmod(0o755)
    (hooks / "post-commit").write_text("#!/bin/sh\n")
    assert install(root) == [
        "post-commit was left alone: it may not be executed, so Git does not run it.",
        "post-merge was left alone: it is a script for python3, not for a shell.",
    ]


def test_hooks_of_all_repositories_are_left_alone(tmp_path: Path) -> None:
    root = repository(tmp_path / "project")
    git(root, "config", "core.hooksPath", str(tmp_path / "global"))
    with pytest.raises(GitFailed, match="outside of the repository"):
        planned_hooks(root)


def test_hooks_know_the_folder_of_a_workspace(tmp_path: Path) -> None:
    root = repository(tmp_path)
    inner = root / "packages" / "web app"
    inner.mkdir(parents=True)
    install(inner)
    assert "hooks run post-commit --root 'packages/web app' <" in (root / ".git/hooks/post-commit").read_text()


def test_a_linked_worktree_has_the_hooks_of_its_repository(tmp_path: Path) -> None:
    root = repository(tmp_path / "project")
    git(root, "commit", "-q", "--allow-empty", "-m", "first")
    git(root, "worktree", "add", "-q", str(tmp_path / "other"))
    install(tmp_path / "other")
    assert all(hook.is_installed for hook in hook_states(root))


def test_lefthook_keeps_its_hooks(tmp_path: Path) -> None:
    root = repository(tmp_path)
    (root / "lefthook.yml").write_text("pre-commit: {}\n")
    reasons = install(root)
    assert len(reasons) == len(HOOKS)
    assert reasons[-1].endswith("add the command `astrolabe hooks run post-rewrite` to its configuration.")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("lefthook.yml", "pre-commit:\n  commands:\n    astrolabe:\n      run: astrolabe hooks run pre-commit\n"),
        (".pre-commit-config.yaml", "repos:\n- repo: local\n  hooks:\n  - id: astrolabe\n"),
    ],
)
def test_a_hook_that_another_tool_runs_is_installed(tmp_path: Path, name: str, text: str) -> None:
    root = repository(tmp_path)
    commented = "".join(f"# {line}\n" for line in text.splitlines())
    hook = root / ".git" / "hooks" / "pre-commit"
    for content, script, expected in ((commented, "#!/bin/sh\n", []), (text, "", []), (text, "#!/bin/sh\n", ["pre-commit"])):
        (root / name).write_text(content)
        hook.parent.mkdir(exist_ok=True)
        hook.write_text(script) if script else hook.unlink(missing_ok=True)
        assert [state.hook for state in hook_states(root) if state.is_installed] == expected
    tool = "lefthook" if name.startswith("lefthook") else "the pre-commit framework"
    assert install(root)[0] == f"pre-commit was left alone: {tool} is configured to run it."
    assert hook.read_text() == "#!/bin/sh\n"


def test_refreshing_hooks_print_nothing_and_return_at_once(tmp_path: Path) -> None:
    root = repository(tmp_path / "project")
    install(root)
    path = program(tmp_path, "echo noise; echo noise >&2; sleep 40", 1)
    for hook in REFRESHING:
        done = subprocess.run([root / ".git/hooks" / hook], cwd=root, env={"PATH": path}, capture_output=True, timeout=30)
        assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def program(folder: Path, line: str, code: int) -> str:
    """Returns a PATH on which `astrolabe` is a script with one line and an exit code."""
    script = folder / "bin" / "astrolabe"
    script.parent.mkdir()
    script.write_text(f"#!/bin/sh\n{line}\nexit {code}\n")
    script.chmod(0o755)
    return f"{script.parent}:/usr/bin:/bin"


def commit(root: Path, path: str) -> str:
    """Commits with a PATH, and returns what the hooks print."""
    settings = ["-c", "user.name=Test", "-c", "user.email=test@example.org", "-c", "commit.gpgsign=false"]
    command = ["git", *settings, "commit", "-q", "--allow-empty", "-m", "a commit"]
    environment = {**os.environ, "PATH": path}
    return subprocess.run(command, cwd=root, env=environment, check=True, capture_output=True, text=True).stderr


def wait_for(path: Path, text: str) -> None:
    loop = 'while ! grep -qs "$2" "$1"; do sleep 0.02; done'
    subprocess.run(["sh", "-c", loop, "sh", str(path), text], check=True, timeout=60)
