"""The health of an index: what is not resolved, how much history is read, and which hooks and clients are there."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from astrolabe.ingest.history.store import ReadHistory
from astrolabe.server.api.workspace import Workspace, open_workspace
from astrolabe.server.cli.app import app
from typer.testing import CliRunner

from tests.git_commands import git

FILES = {
    "src/app.ts": "import { gone } from './gone'\nexport function run(step: any) {\n  step.start()\n  return gone\n}\n",
    "tool.py": "def use(thing):\n    thing.start()\n    thing.stop()\n",
    ".mcp.json": '{"mcpServers": {"astrolabe": {"command": "astrolabe", "args": ["serve"]}}}\n',
}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    for path, text in FILES.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    return tmp_path


def test_what_is_not_resolved(project: Path) -> None:
    with open_workspace(project) as workspace:
        workspace.index()
        health = workspace.status().health
    assert [(each.file, each.line, each.specifier, each.reason) for each in health.unresolved_imports] == [
        ("src/app.ts", 1, "./gone", "absent")
    ]
    assert {(each.language, each.reason, each.count) for each in health.unresolved_calls} == {
        ("python", "receiver", 2),
        ("typescript", "receiver", 1),
    }
    assert health.history is None
    assert health.clients == ("claude-code",)


def test_history_and_hooks(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    git(project, "init", "-q", "--template=")
    git(project, "add", "-A")
    git(project, "commit", "-q", "-m", "Begin")
    monkeypatch.chdir(project)
    runner = CliRunner()
    assert runner.invoke(app, ["hooks", "install"]).exit_code == 0
    with open_workspace(project) as workspace:
        workspace.index()
        workspace.history("tool.py")
        assert workspace.status().health.history == ReadHistory(commits=1, is_complete=True, is_current=True)
    git(project, "commit", "-q", "--allow-empty", "-m", "Go on", "--no-verify")
    told = runner.invoke(app, ["status"]).stdout
    assert "History: 1 commit read, behind HEAD; hooks of Git: pre-commit, post-commit" in told
    assert "Unresolved calls in python: receiver 2" in told
    assert "  src/app.ts:1: ./gone (absent)" in told


def test_an_index_of_one_clone_serves_another(project: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    git(project, "init", "-q", "--template=")
    git(project, "add", "-A")
    git(project, "commit", "-q", "-m", "Begin")
    with open_workspace(project) as workspace:
        workspace.history("tool.py")
        edges = workspace.export_edges()
    other = tmp_path_factory.mktemp("other") / project.name
    git(project, "clone", "-q", str(project), str(other))
    shutil.copytree(project / ".astrolabe", other / ".astrolabe")
    with Workspace.locate(other) as workspace:
        assert workspace.index().work.parsed == 0
        assert workspace.export_edges() == edges
        assert workspace.status().health.history == ReadHistory(commits=1, is_complete=True, is_current=True)
        (other / "tool.py").write_text("def use(thing):\n    thing.start()\n")
        assert workspace.index().work.parsed == 1
        updated, found = workspace.export_edges(), [result.id for result in workspace.search("use a thing")]
    shutil.rmtree(other / ".astrolabe")
    with Workspace.locate(other) as new:
        assert new.index().work.parsed > 1
        assert new.export_edges() == updated
        assert [result.id for result in new.search("use a thing")] == found != []
