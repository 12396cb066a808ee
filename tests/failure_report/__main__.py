"""The long forms, with figures. In the repository's root: `python -m tests.failure_report COMMAND`.

damage [WORD...]     every file of an index (whose path holds a word) with every kind of damage
pairs NUMBER SEED    pairs of files, damaged in any way
churn RUNS SEED      indexing runs while the files change, come and go
sharing SECONDS N    N readers in processes of their own, while another one writes
disk STEPS           indexing runs that may write files up to a limit only, which rises by steps
"""

from __future__ import annotations

import resource
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from astrolabe.schema.settings import Settings
from astrolabe.server.indexing.indexer import Indexer
from incremental_report.edits import write_project

from failure_report.churn import churn
from failure_report.damage import damages, paired_cases, single_cases
from failure_report.sharing import sharing


def _indexed(folder: Path) -> tuple[Path, Path]:
    """A small project, and its index with a log of changes and a file that was touched."""
    root, data_dir = folder / "project", folder / "index"
    write_project(root)
    indexer = Indexer(root, data_dir, Settings())
    indexer.refresh()
    (root / "src/app.ts").write_text((root / "src/app.ts").read_text() + "export const more = run([])\n")
    indexer.refresh()
    return root, data_dir


def disk(folder: Path, steps: int) -> Counter[str]:
    """Runs under a limit on the size of files; after each, a run without one completes."""
    root, data_dir = _indexed(folder)
    largest = max(path.stat().st_size for path in data_dir.rglob("*"))
    outcomes: Counter[str] = Counter()
    for step in range(steps):
        limit = largest * 2 * step // steps + 100
        shutil.rmtree(data_dir)

        def limit_files(limit: int = limit) -> None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

        command = [sys.executable, "-P", "-m", "astrolabe", "index", "--root", str(root), "--data-dir", str(data_dir)]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=600, preexec_fn=limit_files)
        told = "told" if "has no room for a new index" in done.stderr else f"NOT TOLD {done.stderr.strip()!r}"
        outcome = "fits" if done.returncode == 0 else told
        again = subprocess.run(command, capture_output=True, check=False)
        outcomes[outcome if again.returncode == 0 else "NOT COMPLETED"] += 1
        print(f"{limit:,} bytes: {outcome}", flush=True)
    return outcomes


def main() -> None:
    """Runs the check that the command line names."""
    command, *arguments = sys.argv[1:] or [""]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if command == "damage":
            root, data_dir = _indexed(folder)
            cases = [case for case in single_cases(data_dir) if not arguments or any(word in case[0][0] for word in arguments)]
            print(dict(damages(root, data_dir, cases)))
        elif command == "pairs" and len(arguments) == 2:
            root, data_dir = _indexed(folder)
            print(dict(damages(root, data_dir, paired_cases(data_dir, *map(int, arguments)))))
        elif command == "churn" and len(arguments) == 2:
            print(dict(churn(folder, *map(int, arguments))))
        elif command == "sharing" and len(arguments) == 2:
            print(dict(sharing(folder, *map(int, arguments))))
        elif command == "disk" and len(arguments) == 1:
            print(dict(disk(folder, int(arguments[0]))))
        else:
            sys.exit(__doc__)


if __name__ == "__main__":
    main()
