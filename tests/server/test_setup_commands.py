"""`astrolabe init` and `astrolabe uninstall` as a person runs them."""

from __future__ import annotations

from pathlib import Path

import pytest
from astrolabe.schema.errors import AstrolabeError, UsageError
from astrolabe.schema.process.git import GitFailed, failure_text
from astrolabe.server.cli.app import app
from git_commands import git
from typer.testing import CliRunner


@pytest.fixture
def project(tmp_path: Path) -> Path:
    git(tmp_path, "init", "-q", "--template=")
    (tmp_path / "AGENTS.md").write_text("# Rules\n\nNo tabs.")
    (tmp_path / ".zed").mkdir()
    (tmp_path / ".zed" / "settings.json").write_text('// mine\n{\n\t"tab_size": 2,\n}\n')
    return tmp_path


def contents(root: Path) -> dict[str, bytes]:
    places = [path for path in root.rglob("*") if path.is_file() and "objects" not in path.parts]
    return {str(path.relative_to(root)): path.read_bytes() for path in places}


def run(root: Path, *arguments: str) -> str:
    done = CliRunner().invoke(app, [*arguments, "--root", str(root)])
    if done.exception is not None:
        raise done.exception
    return done.output


def test_everything_is_taken_back(project: Path) -> None:
    before = contents(project)
    said = run(project, "init", "--clients", "zed,claude-code", "--agents-md")
    assert "Changed .zed/settings.json.\nCreated .mcp.json.\nChanged AGENTS.md.\nCreated .git/hooks/pre-commit.\n" in said
    assert "codebase_trace" in (project / "AGENTS.md").read_text()
    installed = contents(project)
    assert "Nothing to change." in run(project, "init", "--clients", "zed,claude-code", "--agents-md")
    assert contents(project) == installed
    run(project, "uninstall")
    assert contents(project) == before


@pytest.mark.parametrize("option", ["--dry-run", "--print"])
def test_nothing_is_written(project: Path, option: str) -> None:
    before = contents(project)
    said = run(project, "init", "--clients", "zed,codex", "--agents-md", option)
    assert '"context_servers"' in said
    assert "[mcp_servers.astrolabe]" in said
    assert contents(project) == before


def test_without_a_terminal_only_named_clients_are_entered(project: Path) -> None:
    before = contents(project)
    assert "`astrolabe init --clients zed`" in run(project, "init", "--no-hooks")
    assert contents(project) == before


def test_a_client_that_does_not_exist(project: Path) -> None:
    with pytest.raises(UsageError, match="claude is unknown; name some of claude-code"):
        run(project, "init", "--clients", "claude")


def test_a_broken_file_does_not_keep_others_from_being_written(project: Path) -> None:
    (project / ".mcp.json").write_text("{broken")
    with pytest.raises(AstrolabeError, match="Not entered for Claude Code"):
        run(project, "init", "--clients", "claude-code,zed", "--no-hooks")
    assert "astrolabe" in (project / ".zed/settings.json").read_text()
    assert (project / ".mcp.json").read_text() == "{broken"


def test_a_folder_without_git_has_no_hooks(tmp_path: Path) -> None:
    assert "No hooks were installed." in run(tmp_path, "init", "--clients", "cursor")
    assert (tmp_path / ".cursor/mcp.json").exists()


def test_the_status_of_hooks(project: Path) -> None:
    assert "post-merge: not installed" in run(project, "hooks", "status")
    assert "Created .git/hooks/post-merge." in run(project, "hooks", "install")
    assert '"installed": true' in run(project, "hooks", "status", "--json")
    assert "Removed .git/hooks/post-merge." in run(project, "hooks", "uninstall")


def test_a_repository_inside_of_the_workspace_is_not_taken_for_it(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (project / ".astrolabe").mkdir()
    git(project, "init", "-q", "--template=", "vendor")
    (project / "vendor" / "src").mkdir()
    monkeypatch.chdir(project / "vendor" / "src")
    before = contents(project)
    for arguments in (["hooks", "install"], ["hooks", "status"], ["init"]):
        done = CliRunner().invoke(app, arguments)
        assert f"Name the one that is meant: `--root {project / 'vendor'}` or `--root {project}`" in str(done.exception)
    assert contents(project) == before
    monkeypatch.chdir(project)
    assert "post-merge: not installed" in CliRunner().invoke(app, ["hooks", "status"]).output


@pytest.mark.parametrize("options", [[], ["--bare"]])
def test_hooks_need_a_repository_with_a_work_tree(tmp_path: Path, options: list[str]) -> None:
    if options:
        git(tmp_path, "init", "-q", *options)
    reason = "This repository is bare: it has no work tree." if options else "There is no Git repository here"
    with pytest.raises(GitFailed, match=reason):
        run(tmp_path, "hooks", "status")


def test_the_command_that_admits_a_folder_of_another_user_quotes_it() -> None:
    told = failure_text("log", "detected dubious ownership in repository at '/srv/tea shop'\nTo add an exception …")
    assert "`git config --global --add safe.directory '/srv/tea shop'` allows it." in told
