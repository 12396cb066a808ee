"""The notebooks that come with the repository, executed in a kernel as a data scientist runs them."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import astrolabe
import nbformat
import pytest
from nbclient import NotebookClient

from tests.git_commands import git

NOTEBOOKS = Path(__file__).resolve().parents[3] / "notebooks"
#: The folder that holds the package which the test runs: the kernel imports the same.
PACKAGES = Path(astrolabe.__file__).parents[1]

FILES = {
    "pyproject.toml": '[project]\nname = "ledger"\nversion = "1.0"\n',
    "ledger/__init__.py": '"""Accounts and their entries."""\n',
    "ledger/errors.py": 'class Overdrawn(Exception):\n    """An account has too little money."""\n',
    "ledger/account.py": """\
from ledger.errors import Overdrawn


class Account:
    \"\"\"An account with a balance in cents.\"\"\"

    def __init__(self, balance: int) -> None:
        self.balance = balance

    def withdraw(self, amount: int) -> None:
        \"\"\"Take money. Errors of an empty account are handled by the caller.\"\"\"
        if amount > self.balance:
            raise Overdrawn(amount)
        self.balance -= amount


def transfer(source: Account, target: Account, amount: int) -> None:
    source.withdraw(amount)
    target.balance += amount
""",
    "ledger/main.py": """\
from ledger.account import Account, transfer
from ledger.errors import Overdrawn


def main() -> None:
    try:
        transfer(Account(5), Account(0), 3)
    except Overdrawn as error:
        print(error)
""",
    "tests/test_account.py": """\
from ledger.account import Account, transfer


def test_transfer() -> None:
    target = Account(0)
    transfer(Account(5), target, 3)
    assert target.balance == 3
""",
}


@pytest.fixture
def ledger(tmp_path: Path) -> Path:
    """A repository with two commits, and a change of the work tree that breaks a caller."""
    for name, text in FILES.items():
        file = tmp_path / "ledger" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    root = tmp_path / "ledger"
    git(root, "init", "-q")
    git(root, "add", ".")
    git(root, "commit", "-qm", "Keep accounts")
    account = root / "ledger" / "account.py"
    account.write_text(account.read_text().replace("An account with a balance", "A bank account with a balance"))
    git(root, "commit", "-qam", "Say which account")
    account.write_text(account.read_text().replace("self.balance -= amount", "self.balance -= amount + 1"))
    errors = root / "ledger" / "errors.py"
    errors.write_text(errors.read_text().replace("Overdrawn", "Empty"))
    return root


def executed(name: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Run a notebook in a folder. Returns the data of the last output of each code cell, by the first line of its source."""
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(PACKAGES), os.environ.get("PYTHONPATH", "")]))
    notebook = nbformat.read(NOTEBOOKS / name, as_version=4)
    NotebookClient(notebook, timeout=60, kernel_name="python3", resources={"metadata": {"path": str(folder)}}).execute()
    shown: dict[str, Any] = {}
    for cell in notebook.cells:
        if cell.cell_type == "code" and cell.outputs:
            last = cell.outputs[-1]
            shown[cell.source.splitlines()[0]] = last.get("data", {}).get("text/html") or last.get("text", "")
    return shown


def test_exploring_a_repository(ledger: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shown = executed("explore_a_repository.ipynb", ledger, monkeypatch)
    assert "<td>5</td>" in shown["files = ws.files().to_pandas()"]
    assert "errors.py" in shown['ws.search("where are errors handled", limit=5)']
    assert "how is the configuration read" in shown["%astrolabe how is the configuration read"]
    assert "<svg" in shown["near = ws.symbols(id__in=[top.id, *(row.id for row in uses.limit(30))])"]
    assert "<td>Account.withdraw</td>" in shown["%%cypher -o callers"]
    assert "ledger/errors.py" in shown["%%astrolabe query"]


def test_change_impact_and_history(ledger: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shown = executed("change_impact_and_history.ipynb", ledger, monkeypatch)
    assert "the risk is" in shown["change = ws.changes()"]
    assert "Empty" in shown["found = change.to_json()"]
    assert "ledger/main.py" in shown['pd.DataFrame(found.get("broken", []), columns=["at", "reason"])']
    assert "main" in shown['pd.DataFrame(found.get("affected", []), columns=["symbol", "distance", "through", "at"])']
    assert "tests/test_account.py" in shown['pd.DataFrame(found.get("tests", []), columns=["file", "distance", "reason"])']
    assert "<td>2</td>" in shown["commits = ws.commits().to_pandas()"]
    assert "ledger/account.py" in shown["history = ws.history().to_json()"]


@pytest.mark.parametrize("path", sorted(NOTEBOOKS.glob("*.ipynb")), ids=lambda path: path.name)
def test_notebooks_are_valid_and_hold_no_outputs(path: Path) -> None:
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    assert all(not cell.get("outputs") and cell.get("execution_count") is None for cell in notebook.cells)
