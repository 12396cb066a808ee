"""The address that the console opens in the browser."""

from __future__ import annotations

import re
import subprocess
import sys
import time
from pathlib import Path

import pytest


@pytest.mark.skipif(sys.platform == "win32", reason="the stand-in for a browser is a shell script")
def test_the_command_line_of_the_browser_has_no_token(shop: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Other users of the machine can read it."""
    browser, opened = tmp_path / "browser", tmp_path / "opened"
    browser.write_text(f'#!/bin/sh\necho "$1" > "{opened}.part"\nmv "{opened}.part" "{opened}"\n')
    browser.chmod(0o755)
    monkeypatch.setenv("BROWSER", f"{browser} %s")
    command = [sys.executable, "-P", "-m", "astrolabe", "console", "--port", "0", "--root", str(shop)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as console:
        assert console.stdout is not None
        printed = next(line for line in console.stdout if "#token=" in line)
        deadline = time.monotonic() + 60
        while not opened.exists() and time.monotonic() < deadline:
            time.sleep(0.05)
        console.terminate()
    address = re.search(r"http://\S+/#token=(\S+)", printed)
    assert address is not None
    assert re.fullmatch(r"http://127\.0\.0\.1:\d+/#ticket=[\w-]+\n", opened.read_text())
    assert address[1] not in opened.read_text()
