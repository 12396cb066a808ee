"""A parse process: `python -m astrolabe.ingest.workers.parse_worker [LANGUAGE...]`. A message is [language, bytes], its answer
`FileFacts`.
"""

from __future__ import annotations

import gc
import sys

import msgspec

from ...schema.process.serving import Caller, serve
from ..languages.extraction import extract_facts

#: Files between two sweeps of the garbage collector, which is off meanwhile: facts hold hardly any cycles.
_FILES_PER_SWEEP = 200


def parse(caller: Caller) -> None:
    """Answer files until the caller ends this process. Languages of the command line are loaded while nobody has a file yet."""
    request = msgspec.msgpack.Decoder(tuple[str, bytes])
    encoder = msgspec.msgpack.Encoder()
    gc.disable()
    for language in sys.argv[1:]:
        extract_facts(b"", language)
    served = 0
    while True:
        language, data = request.decode(caller.receive())
        caller.send(encoder.encode(extract_facts(data, language)))
        served += 1
        if served % _FILES_PER_SWEEP == 0:
            gc.collect()


if __name__ == "__main__":
    serve(parse)
