"""Is a message found where it is made, and a name by a part of it:

    python tests/benchmarks/message_quality.py --data DATA NAME=FOLDER...

Messages are the literals of errors, warnings and panics in the sources of FOLDER, besides tests and examples, of three words or
more, that stand there once; what is filled in at run time is put as `foo`. Each is asked for as somebody would who saw it. DATA
keeps the indexes.

Names are those of functions, classes and the like that at most two declarations have, of three words or more. Each is asked
for without its last word ("words": `use store with equality`), cut off after four fifths ("cut": `useStoreWithEqu`), without its
first word and in lower case ("end": `storewithequalityfn`), and with its first two words run together ("joined").

Prints the share of messages whose first result, or one of the first five or ten, holds the line that makes it; and the share with
one among the results that pass the relevance gate. Then the same for names, by how they are asked for.
"""

from __future__ import annotations

import argparse
import random
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from astrolabe.retrieval.text.words import humps
from astrolabe.schema.settings import Settings
from astrolabe.server.api.workspace import Workspace

#: Messages of each repository, and the results that are looked at.
MAX_MESSAGES, FIRST = 25, 10
ENDINGS = frozenset([".ts", ".tsx", ".js", ".mjs", ".vue", ".py", ".java", ".kt", ".go", ".rs", ".cs", ".php"])
_NO_SOURCE = re.compile(r"test|spec|example|docs?/|node_modules|/\.|bench|playground|fixtures|website|template", re.IGNORECASE)
_MESSAGE = re.compile(
    r"""(?:throw\s+new\s+\w+|raise\s+\w+|\w*Error|\w*Exception|errors\.New|Errorf|panic!|bail!|warn\w*|error|expect)\(\s*
        f?(?P<quote>["'`])(?P<text>(?:(?!(?P=quote))[^\\\n]){12,160})(?P=quote)""",
    re.VERBOSE,
)
_FILLED_IN = re.compile(r"\$\{[^}]*\}|\{[^}]*\}|%[-\w.]*[sdvqr]|\$\w+")


class Message(NamedTuple):
    """A message as it is seen, and the line that makes it."""

    text: str
    file: str
    line: int


def messages(root: Path) -> list[Message]:
    """By chance, always the same ones."""
    found: dict[str, list[Message]] = {}
    for file in sorted(path for path in root.rglob("*") if path.suffix in ENDINGS and path.is_file()):
        relative = file.relative_to(root).as_posix()
        if not _NO_SOURCE.search(relative):
            for message in _of_file(relative, file.read_text("utf-8", "replace")):
                found.setdefault(message.text, []).append(message)
    once = [places[0] for _, places in sorted(found.items()) if len(places) == 1]
    random.Random(5).shuffle(once)
    return once[:MAX_MESSAGES]


def _of_file(relative: str, source: str) -> Iterator[Message]:
    for match in _MESSAGE.finditer(source):
        text = match["text"].strip()
        if " " in text and len(re.findall(r"[A-Za-z]{2,}", _FILLED_IN.sub(" ", text))) >= 3:
            yield Message(_FILLED_IN.sub("foo", text), relative, source.count("\n", 0, match.start("text")) + 1)


def asked(workspace: Workspace, message: Message) -> list[float]:
    """Whether it is found first, among five, among ten, and at all behind the gate."""
    results = workspace.search(message.text, limit=FIRST).results
    held = [one.file == message.file and one.start_line <= message.line <= one.end_line for one in results]
    passing = workspace.search(message.text).results
    gated = any(one.file == message.file and one.start_line <= message.line <= one.end_line for one in passing)
    return [any(held[:1]), any(held[:5]), any(held), gated]


def names(workspace: Workspace) -> list[str]:
    """By chance, always the same ones."""
    rows = workspace.cypher(
        "MATCH (f:File), (s:Symbol) WHERE f.relativePath = s.relativePath AND NOT f.isTest AND s.kind IN $kinds "
        "RETURN s.name, count(*)",
        {"kinds": ["function", "method", "class", "interface", "type", "component"]},
    )
    found = sorted(name for name, count in rows.rows if count <= 2 and re.fullmatch(r"\w{12,40}", name) and len(humps(name)) > 2)
    random.Random(4).shuffle(found)
    return found[:MAX_MESSAGES]


def parts(name: str) -> Iterator[tuple[str, str]]:
    """What somebody remembers of a name, by kind."""
    words = humps(name)
    yield "words", " ".join(words[:-1])
    yield "cut", name[: len(name) * 4 // 5]
    yield "end", "".join(words[1:])
    if len(words) > 3:
        yield "joined", f"{words[0]}{words[1]} {' '.join(words[2:-1])}"


def named(workspace: Workspace, part: str, name: str) -> list[float]:
    """As `asked`, for a name."""
    held = [one.name == name for one in workspace.search(part, limit=FIRST).results]
    gated = any(one.name == name for one in workspace.search(part).results)
    return [any(held[:1]), any(held[:5]), any(held), gated]


def row(name: str, found: Sequence[Sequence[float]]) -> str:
    return f"| {name} | {len(found)} | {' | '.join(f'{share:.3f}' for share in np.mean(found, axis=0))} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("repositories", nargs="+", metavar="NAME=FOLDER")
    options = parser.parse_args()
    print("| repository | messages | first | of five | of ten | behind the gate |\n|---|---:|---:|---:|---:|---:|")
    found: list[list[float]] = []
    by_part: dict[str, list[list[float]]] = {}
    for name, folder in (argument.split("=", 1) for argument in options.repositories):
        root = Path(folder).resolve()
        with Workspace(root, options.data / name, Settings()) as workspace:
            workspace.index()
            found += (own := [asked(workspace, message) for message in messages(root)])
            for each in names(workspace):
                for kind, part in parts(each):
                    by_part.setdefault(kind, []).append(named(workspace, part, each))
        if own:
            print(row(name, own), flush=True)
    print(row("all", found))
    print("\n| part of a name | questions | first | of five | of ten | behind the gate |\n|---|---:|---:|---:|---:|---:|")
    print("\n".join(row(kind, own) for kind, own in by_part.items()))


if __name__ == "__main__":
    main()
