"""Arguments of commands that are not UTF-8."""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path

import pytest
from astrolabe.server.cli.app import main
from astrolabe.server.environment.terminal import readable_arguments

STRANGE = os.fsdecode(b"caf\xe9.py")


def test_folders_keep_their_bytes() -> None:
    given = ["history", STRANGE, "--root", STRANGE, f"--root={STRANGE}"]
    assert readable_arguments(given, ("--root",)) == ["history", "caf\\xe9.py", "--root", STRANGE, f"--root={STRANGE}"]


@pytest.mark.parametrize("command", ["history", "trace", "map"])
def test_a_name_that_is_not_utf_8_is_not_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], command: str
) -> None:
    (tmp_path / "cart.py").write_text("def total():\n    return 1\n")
    monkeypatch.setattr(sys, "argv", ["astrolabe", command, STRANGE, "--root", str(tmp_path)])
    with contextlib.suppress(SystemExit):
        main()
    assert "caf\\xe9.py" in "".join(capsys.readouterr())
