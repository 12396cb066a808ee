"""A parse process: `python -m astrolabe.ingest.workers.parse_worker [LANGUAGE...]`. Sources from stdin, facts to stdout.

Both directions carry frames (`schema/process/frames.py`). A request is [language, bytes]; the answer is `FileFacts`.
A process of its own, rather than `multiprocessing`, runs no line of the host program again and inherits none of its threads.
"""

from __future__ import annotations

import gc
import os
import sys
import threading
from queue import SimpleQueue

import msgspec

from ...schema.process.frames import read_frame, write_frame
from ..languages.extraction import extract_facts

#: Files between two sweeps of the garbage collector, which is off meanwhile: facts hold hardly any cycles.
_FILES_PER_SWEEP = 200


def main() -> None:
    """Serve requests until stdin ends. The languages that the command line names are loaded while nobody has a file yet."""
    request = msgspec.msgpack.Decoder(tuple[str, bytes])
    encoder = msgspec.msgpack.Encoder()
    target = sys.stdout.buffer
    requests: SimpleQueue[bytes | None] = SimpleQueue()
    threading.Thread(target=_take_requests, args=(requests,), daemon=True).start()
    gc.disable()
    for language in sys.argv[1:]:
        extract_facts(b"", language)
    served = 0
    while (frame := requests.get()) is not None:
        language, data = request.decode(frame)
        write_frame(target, encoder.encode(extract_facts(data, language)))
        served += 1
        if served % _FILES_PER_SWEEP == 0:
            gc.collect()


def _take_requests(requests: SimpleQueue[bytes | None]) -> None:
    """Reads what is sent at once, so that the sender of the next file does not wait for the answer to the last."""
    while True:
        frame = read_frame(sys.stdin.buffer)
        requests.put(frame)
        if frame is None:
            return


if __name__ == "__main__":
    try:
        main()
    except BrokenPipeError:
        os._exit(1)  # The indexer went away. A usual exit would complain once more about the pipe.
