"""A disk without room: one sentence says so, and what was indexed before still answers. Files limited in size stand in for it."""

from __future__ import annotations

import resource
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from astrolabe.schema.errors import DiskFull, StoreError
from astrolabe.server.environment.disk_space import check_room, naming_full_disk

Run = Callable[..., Any]

#: Bytes that no file may exceed: the graph fails while it is loaded, when it is made whole, or at its first page.
LIMITS = (9_000_000, 4_000_000, 2_000)


def _limited(limit: int, root: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return _run(limit, "-m", "astrolabe", *arguments, "--root", str(root))


def _run(limit: int, *arguments: str) -> subprocess.CompletedProcess[str]:
    def limit_files() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    command = [sys.executable, "-P", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=600, preexec_fn=limit_files)


@pytest.mark.parametrize("limit", LIMITS)
def test_a_first_index_that_does_not_fit_is_told_and_leaves_nothing_half(run: Run, shop: Path, limit: int) -> None:
    failed = _limited(limit, shop, "index")
    assert (failed.returncode, failed.stdout) == (1, "")
    assert "has no room for a new index" in failed.stderr
    assert "Traceback" not in failed.stderr
    assert not (shop / ".astrolabe" / "CURRENT").exists()
    assert run("index", "--json").json["generation"] == 1


def test_the_last_generation_answers_and_says_why(run: Run, indexed: Path) -> None:
    (indexed / "src" / "refund.ts").write_text("export function refundOrder() { return 1 }\n")
    told = _limited(LIMITS[1], indexed, "search", "symbol = handleLogin")
    assert told.returncode == 0
    assert "has no room for a new index" in told.stdout
    assert "this answer is from generation 1; 1 changed file is not in it yet." in told.stdout
    assert "Handles the login form" in told.stdout
    assert run("search", "symbol = refundOrder", "--json").json["index"] == {"generation": 2, "fresh": True}


def test_a_full_disk_is_recognised_in_the_causes_of_an_error(tmp_path: Path) -> None:
    with pytest.raises(DiskFull, match="free some space"), naming_full_disk(tmp_path):
        raise StoreError("It cannot be written.") from OSError(28, "No space left on device")
    with pytest.raises(StoreError, match="Another reason"), naming_full_disk(tmp_path):
        raise StoreError("Another reason.")


def test_a_writer_that_died_at_the_limit_of_its_file_is_one_too(tmp_path: Path) -> None:
    asked = (
        "import sys; from pathlib import Path; from astrolabe.server.environment.disk_space import cut_short;"
        "print(cut_short(Path(sys.argv[1])))"
    )
    (tmp_path / "graph").write_bytes(bytes(3_999_744))
    assert "File too large" in _run(4_000_000, "-c", asked, str(tmp_path)).stdout
    assert _run(9_000_000, "-c", asked, str(tmp_path)).stdout == "None\n"


def test_room_is_asked_for_beforehand(tmp_path: Path) -> None:
    check_room(tmp_path / "not yet there", 1)
    with pytest.raises(DiskFull):
        check_room(tmp_path, 1 << 60)
