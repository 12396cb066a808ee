"""The long forms of the checks, with figures. In the repository's root: `python -m tests.incremental_report COMMAND`.

random PROJECTS STEPS SEED      random edits of the small project
edits REPOSITORY STEPS SEED     random edits of a copy of a repository, one to three a step; checked after each
declarations REPOSITORY STEPS SEED  the same with edits of declarations in Java and Go
switches REPOSITORY STEPS SEED  the same with edits of up to half the files a step, as when branches are switched
history REPOSITORY COMMITS [N]  commits of a Git repository, the oldest first; checked every Nth, else every tenth
kill TIMES SEED                 runs that are killed, in every phase of writing
"""

from __future__ import annotations

import hashlib
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from astrolabe.retrieval.query.search_request import SearchRequest
from astrolabe.schema.errors import NothingToIndex
from astrolabe.schema.settings import Settings
from astrolabe.server.indexing.indexer import Indexer, IndexReport
from astrolabe.server.stores.readers import ReaderPool, Readers

from incremental_report.declaration_edits import BY_SUFFIX
from incremental_report.dump import Dump, differences, dump_index
from incremental_report.edits import KINDS, REAL_KINDS, Edit, apply, write_project
from incremental_report.kills import compact, kills

SETTINGS = Settings()
#: What new indexes of the last states of folders hold. Tests that change a project in many ways come back to the same state.
_NEW: dict[bytes, Dump] = {}
_MAX_NEW = 16
QUESTION = "how is a value computed"
#: Edits of a step that are told one by one.
_MAX_SHOWN = 3
#: Edits of declarations in a step, and of a file until it is put back.
_EDITS_OF_A_STEP = 3


def check(root: Path, kept: Path, fresh: Path) -> list[str]:
    """What the index at `kept` holds differently from a new one."""
    state = _state(root)
    if state not in _NEW:
        Indexer(root, fresh, SETTINGS).rebuild()
        _NEW[state] = dump_index(fresh)
        shutil.rmtree(fresh)
        if len(_NEW) > _MAX_NEW:
            del _NEW[next(iter(_NEW))]
    return differences(dump_index(kept), _NEW[state])


def _state(root: Path) -> bytes:
    """A digest of everything that a new index depends on: the files, their modes, and settings from the environment."""
    digest = hashlib.sha256(repr((root.name, sorted(each for each in os.environ.items() if "ASTROLABE" in each[0]))).encode())
    for folder, names, files in os.walk(root):
        names[:] = sorted(name for name in names if name != ".astrolabe")
        for path in (Path(folder, name) for name in sorted(files) + names):
            mode = path.lstat().st_mode
            digest.update(repr((path.relative_to(root).as_posix(), mode)).encode("utf-8", "surrogateescape"))
            if path.is_symlink():
                digest.update(os.fsencode(path.readlink()))
            elif path.is_file():
                digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.digest()


class AskedIndexer:
    """An indexer whose index is asked after each run: what a process keeps for the next run is kept, and has to be right."""

    def __init__(self, root: Path, kept: Path) -> None:
        self._kept = kept
        self._pool = ReaderPool(kept, SETTINGS)
        self._indexer = Indexer(root, kept, SETTINGS, self._pool)

    def refresh(self) -> IndexReport:
        """Brings the index up to date, and asks it."""
        report = self._indexer.refresh()
        with self._pool.lend(report.generation) as readers:
            alone = Readers(report.generation, self._kept, SETTINGS)
            told, wanted = (some.engine.search(SearchRequest(QUESTION)).texts for some in (readers, alone))
            assert told == wanted, f"{told}\n\ninstead of\n\n{wanted}"
            alone.graph.close()  # they share the generation
        return report

    def compact(self) -> None:
        """Writes the graph anew without its log, as a server does behind its answers."""
        compact(self._indexer)

    def close(self) -> None:
        """Gives up the files of the index."""
        self._pool.close()


def _outcome(report: IndexReport) -> str:
    if report.notices:
        print(report.notices, flush=True)
        return "damaged"
    return f"built anew: {report.rebuilt_because}" if report.rebuilt_because else report.outcome


def random_edits(projects: int, steps: int, seed: int) -> None:
    """Random edits, one to three a step."""
    outcomes: Counter[str] = Counter()
    for number in range(projects):
        chosen = random.Random(f"{seed} {number}")
        with tempfile.TemporaryDirectory() as folder:
            root, kept = Path(folder) / "project", Path(folder) / "kept"
            write_project(root)
            indexer = AskedIndexer(root, kept)
            indexer.refresh()
            for step in range(steps):
                if step % 3 == 2:
                    indexer.compact()
                edits = [
                    Edit(chosen.choice(KINDS), chosen.randrange(1000), chosen.randrange(1000))
                    for _ in range(chosen.randint(1, 3))
                ]
                for edit in edits:
                    apply(root, edit)
                try:
                    report = indexer.refresh()
                except NothingToIndex:
                    break
                outcomes[_outcome(report)] += 1
                for difference in check(root, kept, Path(folder) / "fresh"):
                    outcomes["different"] += 1
                    print(f"project {number} step {step} {edits}: {difference}", flush=True)
            indexer.close()
    print(dict(outcomes))


def repository_edits(repository: Path, steps: int, seed: int, share: float) -> None:
    """Random edits of real code, at most for a share of the files a step, and up to three in any case."""
    chosen = random.Random(seed)
    outcomes: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        root, kept = Path(folder) / "tree", Path(folder) / "kept"
        shutil.copytree(repository, root, ignore=shutil.ignore_patterns(".astrolabe", ".git"))
        indexer = AskedIndexer(root, kept)
        most = max(3, int(share * len(indexer.refresh().generation.manifest.stamps)))
        for step in range(steps):
            if step % 3 == 2:
                indexer.compact()
            edits = [
                Edit(chosen.choice(REAL_KINDS), chosen.randrange(1 << 20), chosen.randrange(1 << 20))
                for _ in range(chosen.randint(1, most))
            ]
            for edit in edits:
                apply(root, edit)
            report = indexer.refresh()
            outcomes[_outcome(report)] += 1
            differing = check(root, kept, Path(folder) / "fresh")
            outcomes["different" if differing else "equal"] += 1
            shown = edits if len(edits) <= _MAX_SHOWN else f"{len(edits)} edits"
            print(f"step {step} {shown}: {_outcome(report)}, {report.work}", flush=True)
            for difference in differing:
                print(f"step {step}: {difference}", flush=True)
        indexer.close()
    print(repository.name, dict(outcomes), flush=True)


def declaration_edits(repository: Path, steps: int, seed: int) -> None:
    """Random edits of declarations, three a step. A file with three edits is put back before the next one."""
    chosen = random.Random(seed)
    outcomes: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        root, kept = Path(folder) / "tree", Path(folder) / "kept"
        shutil.copytree(repository, root, ignore=shutil.ignore_patterns(".astrolabe", ".git"))
        sources = sorted(path for path in root.rglob("*") if path.suffix in BY_SUFFIX)
        originals = {path: path.read_text() for path in sources}
        made: Counter[Path] = Counter()
        indexer = AskedIndexer(root, kept)
        indexer.refresh()
        for step in range(steps):
            edits = []
            while len(edits) < _EDITS_OF_A_STEP:
                path = chosen.choice(sources)
                kind = chosen.choice(sorted(BY_SUFFIX[path.suffix]))
                before = originals[path] if made[path] >= _EDITS_OF_A_STEP else path.read_text()
                after = BY_SUFFIX[path.suffix][kind](before, chosen.randrange(1 << 20))
                if after != before:
                    path.write_text(after)
                    made[path] = 1 + made[path] % _EDITS_OF_A_STEP
                    edits.append((kind, path.name))
                    outcomes["edits"] += 1
            report = indexer.refresh()
            outcomes[_outcome(report)] += 1
            differing = check(root, kept, Path(folder) / "fresh")
            outcomes["different" if differing else "equal"] += 1
            print(f"step {step} {edits}: {_outcome(report)}, {report.work}", flush=True)
            for difference in differing:
                print(f"step {step}: {difference}", flush=True)
        indexer.close()
    print(repository.name, dict(outcomes), flush=True)


def history(repository: Path, commits: int, stride: int) -> None:
    """A walk over the history of a repository, of which a bare copy is enough."""
    listed = subprocess.run(
        ["git", "-C", str(repository), "rev-list", "--first-parent", f"--max-count={commits}", "HEAD"],
        check=True,
        capture_output=True,
        text=True,
    )
    outcomes: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        root, kept = Path(folder) / "tree", Path(folder) / "kept"
        root.mkdir()
        for number, commit in enumerate(reversed(listed.stdout.split())):
            git = ["git", f"--git-dir={repository}", f"--work-tree={root}"]
            subprocess.run(
                [*git, "checkout", "--force", "--quiet", commit, "--", "."], check=True, env={"GIT_INDEX_FILE": f"{folder}/index"}
            )
            subprocess.run([*git, "clean", "-qfdx"], check=True, env={"GIT_INDEX_FILE": f"{folder}/index"})
            report = Indexer(root, kept, SETTINGS).refresh()
            outcomes[_outcome(report)] += 1
            if number % stride == stride - 1:
                outcomes["checked"] += 1
                for difference in check(root, kept, Path(folder) / "fresh"):
                    outcomes["different"] += 1
                    print(f"commit {number} {commit}: {difference}", flush=True)
            print(number, commit, report.outcome, f"{report.seconds:.2f} s", report.work, flush=True)
    print(dict(outcomes))


def main() -> None:
    """Runs the check that the command line names."""
    command, *arguments = sys.argv[1:] or [""]
    if command == "random" and len(arguments) == 3:
        random_edits(*map(int, arguments))
    elif command == "edits" and len(arguments) == 3:
        repository_edits(Path(arguments[0]).absolute(), int(arguments[1]), int(arguments[2]), 0.0)
    elif command == "switches" and len(arguments) == 3:
        repository_edits(Path(arguments[0]).absolute(), int(arguments[1]), int(arguments[2]), 0.5)
    elif command == "declarations" and len(arguments) == 3:
        declaration_edits(Path(arguments[0]).absolute(), int(arguments[1]), int(arguments[2]))
    elif command == "kill" and len(arguments) == 2:
        print(dict(kills(*map(int, arguments))))
    elif command == "history" and len(arguments) in (2, 3):
        history(Path(arguments[0]).absolute(), int(arguments[1]), int(arguments[2]) if len(arguments) == 3 else 10)
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
