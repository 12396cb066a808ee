"""Indexing runs that are killed, in every phase of writing: the index holds what it held before, or what the run was to make."""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from astrolabe.graphdb.generations.generations import GenerationStore
from astrolabe.schema.settings import Settings
from astrolabe.server.indexing.compaction import Compaction
from astrolabe.server.indexing.indexer import Indexer
from astrolabe.server.indexing.writer_lock import writer_lock

from .dump import Dump, dump_index
from .edits import write_project

_SETTINGS = Settings()

#: A file of the project that `src/app.ts` does not reach.
OTHER = "packages/kit/index.ts"

#: What the killed run is to do: a change of the graph, a change of another file, for which the edges of the files in the log come
#: from `edges.bin`, a new one that takes over what did not change, a change for which all
#: specifiers are resolved again, a graph from all files without anything taken over, a first index, a graph of the same content
#: without a log.
RUNS = ("change", "change elsewhere", "renewal", "configuration", "full", "first", "compaction")
#: Those that take over what did not change, also when a run before them was killed.
_TAKING_OVER = frozenset(("change", "change elsewhere", "renewal", "configuration"))


#: The program of a run that no command begins.
_COMPACTION = """
import sys
from pathlib import Path
from astrolabe.schema.settings import Settings
from astrolabe.server.indexing.indexer import Indexer
from incremental_report.kills import compact
compact(Indexer(Path(sys.argv[1]), Path(sys.argv[2]), Settings()))
"""


def compact(indexer: Indexer) -> None:
    """Writes the graph of the live generation anew, without its log."""
    with writer_lock(indexer.data_dir):
        base = indexer.live()
        assert base is not None
        compaction = Compaction(indexer, base)
    try:
        compaction.write()
        with writer_lock(indexer.data_dir):
            compaction.publish()
    finally:
        compaction.end()


def _any_file(pattern: str) -> Callable[[Path, int], bool]:
    return lambda kept, number: any(any(kept.glob(pattern.format(folder))) for folder in (number, "apart-*"))


#: What is waited for before the kill, of a generation that is being made; "" waits for a random part of the time a run takes.
PHASES: dict[str, Callable[[Path, int], bool]] = {
    "": lambda kept, number: True,
    "begun": _any_file("generations/{}"),
    "facts": _any_file("facts/facts.draft"),
    "graph": _any_file("generations/{}/graph.kuzu"),
    "graph is made whole": _any_file("generations/{}/graph.kuzu.shadow"),
    "log": _any_file("generations/{}/graph.kuzu.wal"),
    "ranking": _any_file("generations/{}/graph.ranking"),
    "words": _any_file("vectors/lexical-next.bin"),
    "texts": _any_file("vectors/texts-next.bin"),
    "links": _any_file("generations/{}/links.bin"),
    "edges": _any_file("generations/{}/edges.bin"),
    "manifest": _any_file("generations/{}/manifest.json"),
    "draft of CURRENT": _any_file("CURRENT.*"),
    "published": lambda kept, number: (GenerationStore(kept).current_number() or 0) >= number,
    "cleared up": _any_file("generations/*.discarded"),
}


class _State(NamedTuple):
    """Which of the two texts of a file, of the two texts of another file, and of the two configurations is there."""

    text: int
    configuration: int
    other: int = 0


class _Victim:
    """A small project whose four states and their indexes are known."""

    def __init__(self, folder: Path) -> None:
        self.root, self.kept = folder / "project", folder / "kept"
        write_project(self.root)
        app, config = self.root / "src/app.ts", self.root / "tsconfig.json"
        self._texts = [app.read_text(), app.read_text() + "export const more = run([])\n"]
        other = self.root / OTHER
        self._others = [other.read_text(), other.read_text() + "export const elsewhere = 1\n"]
        self._configurations = [config.read_text(), config.read_text().replace("src/lib/*", "src/*")]
        self._fresh = folder / "fresh"
        self._dumps: dict[_State, Dump] = {}
        self.become(_State(0, 0))
        self.complete()

    def wanted(self) -> Dump:
        """What a new index of the project as it is holds."""
        if self.state not in self._dumps:
            Indexer(self.root, self._fresh, _SETTINGS).refresh()
            self._dumps[self.state] = dump_index(self._fresh)
            shutil.rmtree(self._fresh)
        return self._dumps[self.state]

    def become(self, state: _State) -> None:
        self.state = state
        (self.root / "src/app.ts").write_text(self._texts[state.text])
        (self.root / "tsconfig.json").write_text(self._configurations[state.configuration])
        (self.root / OTHER).write_text(self._others[state.other])

    def prepare(self, run: str) -> None:
        """Edits the project for a run."""
        state = self.state
        changed = state._replace(text=1 - state.text)
        if run == "compaction":
            self.become(changed)
            self.complete()
            return
        if run == "first":
            shutil.rmtree(self.kept)
        if run == "renewal":
            for ranking in self.kept.glob("generations/*/graph.ranking"):
                ranking.unlink()
        if run == "configuration":
            changed = state._replace(configuration=1 - state.configuration)
        elif run == "change elsewhere":
            changed = state._replace(other=1 - state.other)
        self.become(changed)

    def command(self, run: str) -> list[str]:
        if run == "compaction":
            return [sys.executable, "-c", _COMPACTION, str(self.root), str(self.kept)]
        command = [sys.executable, "-P", "-m", "astrolabe", "index", "--root", str(self.root), "--data-dir", str(self.kept)]
        return [*command, "--full"] if run == "full" else command

    def found(self) -> Dump | None:
        """What the index holds; None when there is none."""
        return dump_index(self.kept) if GenerationStore(self.kept).current_number() else None

    def complete(self) -> str:
        """A run that nobody kills; why it built everything anew, or ""."""
        return Indexer(self.root, self.kept, _SETTINGS).refresh().rebuilt_because


def _kill(victim: _Victim, run: str, phase: str, chosen: random.Random, seconds: float) -> bool:
    """Starts a run and kills it with all its processes in a phase; whether it was still running."""
    number = (GenerationStore(victim.kept).current_number() or 0) + 1
    # Store processes have sessions of their own: they are found by their parent.
    process = subprocess.Popen(
        victim.command(run),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
    )
    if phase:
        while not PHASES[phase](victim.kept, number) and process.poll() is None:
            time.sleep(0.0005)
        time.sleep(chosen.choice((0.0, chosen.uniform(0, 0.02), chosen.uniform(0, 0.3))))
    else:
        time.sleep(chosen.uniform(0.05, 1.1) * seconds)
    running = process.poll() is None
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    return running


def kills(times: int, seed: int, *, runs: Sequence[str] = RUNS, phases: Sequence[str] = tuple(PHASES)) -> Counter[str]:
    """Kills indexing runs, each in a phase of its own; counts what was found after each, and after the run that follows."""
    chosen = random.Random(seed)
    outcomes: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        victim = _Victim(Path(folder))
        victim.prepare("change")
        began = time.monotonic()
        subprocess.run(victim.command("change"), check=True, stdout=subprocess.DEVNULL)
        seconds = time.monotonic() - began
        for turn in range(times):
            run, phase = runs[turn % len(runs)], phases[turn // len(runs) % len(phases)]
            before = victim.wanted() if run != "first" else None
            victim.prepare(run)
            running = _kill(victim, run, phase, chosen, seconds)
            after, found = victim.wanted(), victim.found()
            outcome = "after" if found == after else "before" if found == before else "BETWEEN"
            outcomes[outcome] += 1
            outcomes["killed while running"] += running
            rebuilt_because = victim.complete()
            if run in _TAKING_OVER and rebuilt_because:
                outcomes["BUILT ANEW"] += 1
                print(f"{turn} {run}: all was built anew: {rebuilt_because}", flush=True)
            completed = "completed" if victim.found() == after else "NOT COMPLETED"
            outcomes[completed] += 1
            print(f"{turn} {run}, {phase or 'any time'}: {'killed' if running else 'done'}, {outcome}, {completed}", flush=True)
        victim.prepare("change")
        victim.complete()  # whoever writes clears up
        outcomes["generations left"] = len(list((victim.kept / "generations").iterdir()))
    return outcomes
