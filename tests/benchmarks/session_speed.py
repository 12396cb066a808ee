"""What changes cost in a long session: `python tests/benchmarks/session_speed.py FOLDER --changes 60 --pause 5`.

One file after the other of a copy of FOLDER gets a line above, and a question is asked, in one process that keeps its index as a
server does. The table has the median milliseconds from the save to the answer, ten changes a row, and what then lay in the log
beside the graph. `--leave-log` shows the same without its merging behind the answers.
"""

from __future__ import annotations

import argparse
import random
import shutil
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median

from astrolabe.schema.manifest import Manifest
from astrolabe.server.api.workspace import Workspace
from astrolabe.server.environment.gc_freeze import settle
from update_speed import CHANGES, QUESTION, warm

#: Changes of a row.
TEN = 10
#: Smaller files say little of what a change costs.
MIN_SIZE = 800


def manifest_of(workspace: Workspace) -> Manifest:
    """The manifest of the generation that answered last."""
    assert workspace.report is not None
    return workspace.report.generation.manifest


def main(arguments: Sequence[str]) -> None:
    """Prints a Markdown table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--changes", type=int, default=60, metavar="N")
    parser.add_argument("--pause", type=float, default=5.0, metavar="SECONDS", help="before each change")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--leave-log", action="store_true")
    options = parser.parse_args(arguments)
    chosen = random.Random(options.seed)
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "tree"
        shutil.copytree(options.folder, root, ignore=shutil.ignore_patterns(".astrolabe", ".git"))
        with Workspace.locate(root) as workspace:
            workspace.on_built = settle
            if not options.leave_log:
                workspace.keep_compact(workspace.warm_up)
            workspace.search(QUESTION)
            workspace.warm_up()
            stamps = manifest_of(workspace).stamps
            files = [stamp.relative_path for stamp in stamps if stamp.size >= MIN_SIZE]
            print("| changes | ms | log, kB | files in it |\n|---|---:|---:|---:|", flush=True)
            seconds: list[float] = []
            for number in range(1, options.changes + 1):
                time.sleep(options.pause)
                cost = warm(workspace, root / chosen.choice(files), CHANGES["a line above"], number)
                seconds.append(cost.total)
                if number % TEN == 0:
                    manifest = manifest_of(workspace)
                    took, log = 1000 * median(seconds[-TEN:]), manifest.log_bytes / 1000
                    files_in_it = len(manifest.logged.resolved)
                    print(f"| {number - TEN + 1} to {number} | {took:.0f} | {log:,.0f} | {files_in_it} |", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
