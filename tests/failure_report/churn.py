"""Files that change, come and go while they are read: what was missed shows to the next scan."""

from __future__ import annotations

import random
import shutil
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from astrolabe.schema.errors import NothingToIndex
from astrolabe.schema.settings import Settings
from astrolabe.server.indexing.indexer import Indexer
from incremental_report.dump import differences, dump_index
from incremental_report.edits import KINDS, Edit, apply, write_project


@contextmanager
def _edited(root: Path, seed: int) -> Iterator[Counter[str]]:
    """Edits a project without pause, in a thread of its own; counts the edits."""
    stop, made = threading.Event(), Counter[str]()
    chosen = random.Random(seed)

    def edit() -> None:
        while not stop.wait(chosen.uniform(0, 0.03)):
            apply(root, Edit(chosen.choice(KINDS), chosen.randrange(1000), chosen.randrange(1000)))
            made["edits"] += 1
            if chosen.random() < 0.02:
                write_project(root)

    editor = threading.Thread(target=edit)
    editor.start()
    try:
        yield made
    finally:
        stop.set()
        editor.join()


def churn(folder: Path, runs: int, seed: int) -> Counter[str]:
    """Indexes a project again and again while it is edited; then, in quiet, once more: equal to a new index, or how not."""
    root, kept = folder / "project", folder / "kept"
    write_project(root)
    indexer = Indexer(root, kept, Settings())
    outcomes: Counter[str] = Counter()
    with _edited(root, seed) as made:
        for _ in range(runs):
            try:
                outcomes[indexer.refresh().outcome] += 1
            except NothingToIndex:
                outcomes["nothing there"] += 1
    outcomes.update(made)
    write_project(root)
    time.sleep(0.1)
    indexer.refresh()
    Indexer(root, folder / "fresh", Settings()).refresh()
    different = differences(dump_index(kept), dump_index(folder / "fresh"))
    shutil.rmtree(folder / "fresh")
    outcomes["DIFFERENT" if different else "equal"] += 1
    for line in different:
        print(line, flush=True)
    return outcomes
