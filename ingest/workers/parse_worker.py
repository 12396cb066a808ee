"""Run a parse process: `python -m astrolabe.ingest.workers.parse_worker [LANGUAGE...]`.

A message is [language, bytes, stated dialect of SQL]; its answer is `FileFacts`.
"""

from __future__ import annotations

import gc
import sys

import msgspec

from ...schema.process.serving import Caller, serve
from ..languages.extraction import extract_facts

#: Allocations between two runs of the garbage collector. Facts have no cycles, so a run frees hardly anything.
_OBJECTS_PER_SWEEP = 200_000


def parse(caller: Caller) -> None:
    """Answer files until the caller ends this process.

    Languages on the command line are loaded before the first file arrives.
    """
    request = msgspec.msgpack.Decoder(tuple[str, bytes, str])
    encoder = msgspec.msgpack.Encoder()
    gc.set_threshold(_OBJECTS_PER_SWEEP)
    for language in sys.argv[1:]:
        extract_facts(b"", language)
    while True:
        language, data, sql_dialect = request.decode(caller.receive())
        caller.send(encoder.encode(extract_facts(data, language, sql_dialect)))


if __name__ == "__main__":
    serve(parse)
