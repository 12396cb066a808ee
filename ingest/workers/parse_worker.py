"""Run a parse process: `python -m astrolabe.ingest.workers.parse_worker [LANGUAGE...]`.

A message is [language, bytes, stated dialect of SQL]; its answer is `FileFacts`.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterable

import msgspec

from ...schema.process.serving import Caller, serve
from ..languages.extraction import extract_facts

#: Allocations between two runs of the garbage collector. Facts have no cycles, so a run frees hardly anything.
_OBJECTS_PER_SWEEP = 200_000


def load(languages: Iterable[str]) -> None:
    """Load all code that reads files of some languages."""
    for language in languages:
        extract_facts(b"", language)


def parse(caller: Caller) -> None:
    """Answer files until the caller ends this process."""
    request = msgspec.msgpack.Decoder(tuple[str, bytes, str])
    encoder = msgspec.msgpack.Encoder()
    gc.enable()  # a copy of the indexer begins without the collector
    gc.freeze()  # what was loaded stays, and memory that is not written stays shared with the indexer
    gc.set_threshold(_OBJECTS_PER_SWEEP)
    while True:
        language, data, sql_dialect = request.decode(caller.receive())
        caller.send(encoder.encode(extract_facts(data, language, sql_dialect)))


def _load_and_parse(caller: Caller) -> None:
    """Load the languages on the command line before the first file arrives, and answer files."""
    load(sys.argv[1:])
    parse(caller)


if __name__ == "__main__":
    serve(_load_and_parse)
