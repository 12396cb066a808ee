"""Prints whether compiled extraction equals extraction in Python: `python -m tests.compiled_report FOLDER... [--mutations N]`.

Every TypeScript and JavaScript file below the folders is read by a process that has the installed package, which must be
compiled, and by one that has this repository's sources; then N sources made by breaking such files (`--seed S` for others). The
two processes hash texts differently, so an order that depends on that shows as well. The exit code is 1 when facts differ, when
a process ends, or when extraction fails; `--keep FOLDER` keeps the sources over which that happened.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from random import Random
from unittest.mock import patch

import msgspec
from astrolabe.ingest.languages.extraction import FAULT
from astrolabe.ingest.languages.typescript.lowering.source_file import program
from astrolabe.schema.languages import language_of
from astrolabe.schema.process.worker import start_worker

from ..parser_report.reading import source_files
from .mutations import mutated

ROOT = Path(__file__).resolve().parents[2]
#: Bytes of a file that is worth breaking: it is read twice for each of its mutations.
_MAX_SIZE = 8_000
Source = tuple[str, str, bytes]


class Reader:
    """A parse process."""

    def __init__(self, path: str | None, seed: str) -> None:
        self._environment = {"PYTHONHASHSEED": seed, **({"PYTHONPATH": path} if path is not None else {})}
        self._encoder = msgspec.msgpack.Encoder()
        self._start()

    def _start(self) -> None:
        with patch.dict(os.environ, self._environment):
            self._worker = start_worker("astrolabe.ingest.workers.parse_worker")

    def ask(self, source: Source) -> None:
        """Hand it a source."""
        self._worker.send(self._encoder.encode((*source[1:], "")))  # no setting states a dialect of SQL

    def answer(self) -> bytes | None:
        """The facts of the source that it was asked about first; None when it died."""
        try:
            return self._worker.receive()
        except EOFError:
            self.stop()
            self._start()
            return None

    def stop(self) -> None:
        """End the process."""
        self._worker.end()


def broken_sources(files: list[Path], count: int, seed: int) -> Iterator[Source]:
    """Mutations of files that are small enough."""
    random = Random(seed)
    small = [file for file in files if 0 < file.stat().st_size <= _MAX_SIZE]
    for number in range(count if small else 0):
        file = random.choice(small)
        yield f"{file} (mutation {number} of seed {seed})", _language(file), mutated(random, file.read_bytes())


def _language(file: Path) -> str:
    return language_of(file.name) or "typescript"


def differences(sources: Iterator[Source], compiled: Reader, pure: Reader) -> Iterator[tuple[Source, str]]:
    """Sources over which the two do not agree, or either failed."""
    for source in sources:
        compiled.ask(source)
        pure.ask(source)
        one, other = compiled.answer(), pure.answer()
        if one is None or other is None:
            yield source, f"the {'compiled' if one is None else 'pure'} process ended"
        elif one != other:
            yield source, "facts differ"
        elif FAULT.encode() in one:
            yield source, FAULT


def main() -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--mutations", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path)
    options = parser.parse_args()
    if str(program.__file__).endswith(".py"):
        print("the installed package is not compiled: there is nothing to compare", file=sys.stderr)
        return 2
    files = [file for folder in options.folders for file in source_files(folder)]
    whole = ((str(file), _language(file), file.read_bytes()) for file in files)
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "astrolabe").symlink_to(ROOT)
        compiled, pure = Reader(None, "1"), Reader(folder, "2")
        found = list(differences(whole, compiled, pure))
        found += differences(broken_sources(files, options.mutations, options.seed), compiled, pure)
        compiled.stop()
        pure.stop()
    for number, (source, told) in enumerate(found):
        print(f"{source[0]}: {told}")
        if options.keep:
            options.keep.mkdir(parents=True, exist_ok=True)
            (options.keep / f"{number}.{source[1]}").write_bytes(source[2])
    print(f"{len(files):,} files, {options.mutations:,} mutations: {len(found)} differences")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
