"""Several processes on one repository, all of which read, write and merge logs: an answer comes from one generation, and none
waits long."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

from astrolabe.graphdb.generations.generations import GenerationStore
from astrolabe.server.api.workspace import Workspace

#: Asks again and again what three files hold, as a server does: the graph, the source and the counts of one answer must agree.
_READER = """
import json, sys, time
from pathlib import Path
from astrolabe.schema.errors import AstrolabeError
from astrolabe.server.indexing import compaction
from astrolabe.server.api.workspace import Workspace
compaction.MIN_LOG = compaction.MIN_FILES = 1
compaction.QUIET = compaction.PAUSE = 0.01
seconds, wrong, behind, numbers = [], [], 0, set()
with Workspace.locate(Path(sys.argv[1])) as workspace:
    workspace.keep_compact(workspace.warm_up)
    workspace.search("symbol = turn")
    print("ready", flush=True)
    sys.stdin.readline()
    end = time.monotonic() + float(sys.argv[2])
    while time.monotonic() < end:
        began = time.monotonic()
        try:
            answer = workspace.search("symbol = turn")
        except AstrolabeError as error:
            wrong.append(f"{type(error).__name__}: {error}")
            continue
        seconds.append(time.monotonic() - began)
        behind += not answer.index.fresh
        numbers.add(answer.index.generation)
        shown = {text for text in ("one", "two", "three") if f"{text}.ts" in answer.text}
        signs = {line.split("=")[1].strip() for line in answer.text.splitlines() if line.startswith("export const turn =")}
        if len(shown) != 3 or not signs:
            wrong.append(answer.text)
print(json.dumps([len(seconds), max(seconds, default=0), behind, len(numbers), wrong[:3]]))
"""


def sharing(folder: Path, seconds: float, readers: int) -> Counter[str]:
    """Readers in processes of their own, while this one edits, updates and builds anew."""
    names = ("one", "two", "three")
    for name in names:
        (folder / f"{name}.ts").write_text("export const turn = 0\n")
    outcomes: Counter[str] = Counter()
    with Workspace.locate(folder, folder / ".astrolabe") as workspace:
        workspace.index()
        command = [sys.executable, "-P", "-c", _READER, str(folder), str(seconds)]
        running = [subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) for _ in range(readers)]
        pipes = [(reader.stdin, reader.stdout) for reader in running if reader.stdin and reader.stdout]
        assert [output.readline() for _, output in pipes] == ["ready\n"] * readers
        for begin, _ in pipes:
            begin.write("go\n")
            begin.flush()
        turn = 0
        while any(reader.poll() is None for reader in running):
            turn += 1
            for name in names:
                (folder / "draft").write_text(f"export const turn = {turn}\n")
                (folder / "draft").replace(folder / f"{name}.ts")
            outcomes["full" if turn % 5 == 0 else "updates"] += _write(workspace, anew=turn % 5 == 0)
            time.sleep(1.5 if turn % 4 == 0 else 0.05)
            live = GenerationStore(workspace.data_dir).current()
            outcomes["merged logs"] += turn % 4 == 0 and live is not None and live.manifest.log_bytes == 0
        for reader in running:
            asked, longest, behind, generations, wrong = json.loads(reader.communicate()[0])
            outcomes.update({"answers": asked, "behind": behind, "WRONG": len(wrong)})
            print(
                f"{asked} answers of {generations} generations, the longest in {longest:.2f} s, {behind} behind {wrong}",
                flush=True,
            )
    return outcomes


def _write(workspace: Workspace, *, anew: bool) -> int:
    from astrolabe.schema.errors import IndexLocked

    try:
        report = workspace.reindex() if anew else workspace.index()
    except IndexLocked:
        return 0
    return report.outcome == "built"
