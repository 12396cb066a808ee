"""How long a folder of migrations takes: `python tests/benchmarks/migration_speed.py --count 2000 --rounds 5`.

A program makes the migrations, as a quarter as many tables with keys, columns, views, indexes and rows. The first line is the
time of a new index. The table has the median milliseconds from a saved change of one migration to the traced table, in a process
that works like a server: "first" when no file changed for a while, so that the process that updates the index begins anew, and
"later" when it still runs.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from astrolabe.server.api.workspace import Workspace
from astrolabe.server.indexing.refresh_process import LINGER
from astrolabe.server.mcp.long_lived import live_long
from process_memory import processor_seconds
from update_speed import Cost, row

#: Migrations of each table: its creation, a column, a view, and an index with rows.
STEPS = 4


def migrations(count: int) -> Iterator[tuple[str, str]]:
    """Yield names and texts of migrations."""
    for number in range(count):
        table, step = divmod(number, STEPS)
        yield f"{number + 1:05d}_step.sql", _STEPS[step](table)


def _create(table: int) -> str:
    owner = f"REFERENCES t{table - 1} (id) ON DELETE CASCADE" if table else "NOT NULL"
    return f"""-- Items of kind {table}.
CREATE TABLE t{table} (
    id bigserial PRIMARY KEY,
    owner_id bigint {owner},
    name varchar({table % 200 + 20}) NOT NULL,
    amount numeric(12, 2) DEFAULT 0,
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT t{table}_name_key UNIQUE (name)
);
"""


def _column(table: int) -> str:
    return f"ALTER TABLE t{table} ADD COLUMN state text NOT NULL DEFAULT 'new';\nALTER TABLE t{table} ADD COLUMN note text;\n"


def _view(table: int) -> str:
    return f"CREATE VIEW v{table} AS SELECT id, name, amount, state FROM t{table} WHERE state <> 'gone';\n"


def _index(table: int) -> str:
    return (
        f"CREATE INDEX t{table}_owner_idx ON t{table} (owner_id, created_at);\n"
        f"INSERT INTO t{table} (name, amount) VALUES ('first', 1), ('second', 2);\n"
    )


_STEPS = (_create, _column, _view, _index)


def _comment(folder: Path, files: Sequence[Path], turn: int) -> None:
    """Add a comment to a migration."""
    _prepend(files[turn * 37 % len(files)], f"-- Checked {turn}.\n")


def _change_last(folder: Path, files: Sequence[Path], turn: int) -> None:
    """Add a column in the last migration."""
    _append(files[-1], f"ALTER TABLE t0 ADD COLUMN late{turn} int;\n")


def _change_middle(folder: Path, files: Sequence[Path], turn: int) -> None:
    """Add a column in a migration amid the others."""
    _append(files[len(files) // 2 // STEPS * STEPS + 1], f"ALTER TABLE t0 ADD COLUMN amid{turn} int;\n")


def _add(folder: Path, files: Sequence[Path], turn: int) -> None:
    """Add a migration."""
    (folder / f"{90000 + turn}_more.sql").write_text(f"ALTER TABLE t0 ADD COLUMN more{turn} int;\n")


def _prepend(file: Path, text: str) -> None:
    file.write_text(text + file.read_text())


def _append(file: Path, text: str) -> None:
    file.write_text(file.read_text() + text)


CHANGES: dict[str, Callable[[Path, Sequence[Path], int], None]] = {
    "a comment": _comment,
    "a column in the last": _change_last,
    "a column in the middle": _change_middle,
    "a migration more": _add,
}


def main(arguments: Sequence[str]) -> None:
    """Print a Markdown table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--count", type=int, default=2000, metavar="N")
    parser.add_argument("--rounds", type=int, default=5, metavar="N")
    parser.add_argument("--only", choices=CHANGES, action="append", help="a kind of change; may be repeated")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as temporary:
        root = Path(temporary)
        folder = root / "db" / "migrations"
        folder.mkdir(parents=True)
        for name, text in migrations(options.count):
            (folder / name).write_text(text)
        files = sorted(folder.iterdir())
        with Workspace.locate(root) as workspace:
            started = time.perf_counter()
            workspace.index()
            print(f"{len(files):,} migrations: {time.perf_counter() - started:.1f} s\n")
        print("| change | ms | processor ms | files resolved | outcome | stages, ms |\n|---|---:|---:|---:|---|---|", flush=True)
        turn = 0
        for name in options.only or CHANGES:
            change = CHANGES[name]
            costs: dict[str, list[Cost]] = {"first": [], "later": []}
            with Workspace.locate(root) as workspace:
                live_long(workspace)
                workspace.warm_up()
                workspace.trace("t0")
                for _ in range(options.rounds):
                    for when in costs:
                        turn += 1
                        change(folder, files, turn)
                        costs[when].append(_measured(workspace))
                    time.sleep(LINGER + 2)
            for when, part in costs.items():
                print(row(f"{name}, {when}", part), flush=True)


def _measured(workspace: Workspace) -> Cost:
    """Measure the next trace, which updates the index."""
    processor, started = processor_seconds(os.getpid()), time.perf_counter()
    workspace.trace("t0")
    total, processor = time.perf_counter() - started, processor_seconds(os.getpid()) - processor
    report = workspace.report
    assert report is not None
    stages = {"scan": report.seconds - sum(report.stages.values()), **report.stages, "answer": total - report.seconds}
    return Cost(stages, total, processor, report.work.resolved, report.rebuilt_because or report.outcome)


if __name__ == "__main__":
    main(sys.argv[1:])
