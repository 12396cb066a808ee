"""Files of an index that are missing or damaged: the next command says so where it matters, and gives the right answer."""

from __future__ import annotations

import json
import random
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterable
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

#: What a program finds out about a workspace in a process of its own: an engine that crashes on a damaged file must not hide it.
_QUESTIONS = """
import json, sys
from pathlib import Path
from astrolabe.schema.errors import AstrolabeError
from astrolabe.server.api.workspace import Workspace

def ask(notices):
    with Workspace.locate(Path(sys.argv[1]), Path(sys.argv[2]), notify=notices.append) as workspace:
        try:
            found = workspace.search("the area of a square", limit=5)
            named = workspace.search("symbol = Square > area")
            edges = workspace.export_edges()
            lines = workspace.find("return", limit=500)
            notices += [*found.index.notices, *named.index.notices, *lines.index.notices]
            nodes = workspace.cypher("MATCH (n:Symbol) RETURN n.id, n.importance, n.signature, n.doc ORDER BY n.id").rows
            texts = [text.text for text in named.answer.texts]
            fresh = workspace.status().fresh
            return [[r.id for r in found.results], texts, repr(edges), repr(lines.answer.results), repr(nodes), fresh]
        except AstrolabeError as error:
            notices.append(f"{type(error).__name__}: {error}")

for turn in range(int(sys.argv[3])):
    notices = []
    print(json.dumps([ask(notices), notices]), flush=True)
"""


class Told(NamedTuple):
    """What came of the questions."""

    answer: object
    notices: list[str]
    #: How the process ended badly, or "".
    crash: str


def ask(root: Path, data_dir: Path, times: int = 1) -> list[Told]:
    """Asks several questions of an index, as a program that was started for them; the last answer tells of a crash."""
    command = [sys.executable, "-P", "-c", _QUESTIONS, str(root), str(data_dir), str(times)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=600)
    told = [Told(*json.loads(line), "") for line in done.stdout.splitlines()]
    if len(told) < times:
        told.append(Told(None, [], f"exit {done.returncode}: {(done.stderr.strip().splitlines() or ['no word'])[-1]}"))
    return told


def _zeros(data: bytes, chosen: random.Random) -> bytes:
    return bytes(len(data))


def _noise(data: bytes, chosen: random.Random) -> bytes:
    return chosen.randbytes(len(data))


def _flipped(data: bytes, chosen: random.Random) -> bytes:
    if not data:
        return b"\1"
    place = chosen.randrange(len(data))
    return data[:place] + bytes([data[place] ^ 0x55]) + data[place + 1 :]


def _page(data: bytes, chosen: random.Random) -> bytes:
    """A page of zeros, as a crash of the machine leaves them."""
    place = chosen.randrange(0, max(1, len(data)), 4096)
    return data[:place] + bytes(len(data[place : place + 4096])) + data[place + 4096 :]


#: What becomes of the bytes of a file; None: it is gone.
DAMAGES: dict[str, Callable[[bytes, random.Random], bytes] | None] = {
    "gone": None,
    "empty": lambda data, chosen: b"",
    "half": lambda data, chosen: data[: len(data) // 2],
    "zeros": _zeros,
    "noise": _noise,
    "a byte": _flipped,
    "a page": _page,
    "longer": lambda data, chosen: data + b"more",
}


def files_of(data_dir: Path) -> list[str]:
    """The files of an index, relative."""
    return sorted(path.relative_to(data_dir).as_posix() for path in data_dir.rglob("*") if path.is_file())


def damage(data_dir: Path, name: str, kind: str, seed: str) -> None:
    """Damages a file of an index."""
    path, change = data_dir / name, DAMAGES[kind]
    if change is None:
        path.unlink()
    else:
        path.write_bytes(change(path.read_bytes(), random.Random(seed)))


def damages(root: Path, data_dir: Path, cases: Iterable[tuple[tuple[str, ...], tuple[str, ...]]]) -> Counter[str]:
    """For each case, (files, kinds of damage), the outcome: "right", "right, and told", or what went wrong."""
    [expected], outcomes = ask(root, data_dir), Counter[str]()
    assert (expected.notices, expected.crash) == ([], ""), expected
    hurt = data_dir.with_name(f"{data_dir.name}-hurt")
    for names, kinds in cases:
        shutil.copytree(data_dir, hurt)
        for name, kind in zip(names, kinds, strict=True):
            damage(hurt, name, kind, f"{name} {kind}")
        first, *rest = ask(root, hurt, times=2)
        shutil.rmtree(hurt)
        outcome = _outcome(expected, first, *rest)
        outcomes[outcome.split(":")[0]] += 1
        print(f"{', '.join(map(' '.join, zip(kinds, names, strict=True)))}: {outcome} {first.notices}", flush=True)
    return outcomes


def _outcome(expected: Told, first: Told, then: Told | None = None) -> str:
    if then is None or then.crash:
        return f"CRASH: {first.crash or (then and then.crash)}"
    if then.answer != expected.answer or then.notices:
        return f"NOT MENDED: {then.notices}"
    if first.answer != expected.answer:
        return "WRONG"
    return "right, and told" if first.notices else "right"


def single_cases(data_dir: Path) -> list[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Every file with every damage."""
    return [((name,), (kind,)) for name in files_of(data_dir) for kind in DAMAGES]


def paired_cases(data_dir: Path, number: int, seed: int) -> list[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Pairs of files with some damage each."""
    chosen = random.Random(seed)
    pairs = list(combinations(files_of(data_dir), 2))
    return [
        (pair, (chosen.choice(list(DAMAGES)), chosen.choice(list(DAMAGES))))
        for pair in chosen.sample(pairs, min(number, len(pairs)))
    ]
