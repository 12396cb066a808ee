"""A parse process: `python -m astrolabe.ingest.parse_worker`. Reads sources from stdin, writes facts to stdout.

Both directions carry frames: a length of four bytes, then MessagePack. A request is [language, bytes]; the answer is `FileFacts`.
A process of its own, rather than `multiprocessing`, runs no line of the host program again and inherits none of its threads.
"""

from __future__ import annotations

import gc
import struct
import sys
from typing import IO

import msgspec

from .extraction import deep_recursion, extract_facts

LENGTH = struct.Struct("<I")

#: Files between two sweeps of the garbage collector, which is off meanwhile: facts hold hardly any cycles.
_FILES_PER_SWEEP = 200


def read_frame(stream: IO[bytes]) -> bytes | None:
    """The next frame; None at the end of the stream, also when it ends inside a frame."""
    head = stream.read(LENGTH.size)
    if len(head) < LENGTH.size:
        return None
    (length,) = LENGTH.unpack(head)
    data = stream.read(length)
    return data if len(data) == length else None


def write_frame(stream: IO[bytes], data: bytes) -> None:
    """Send a frame."""
    stream.write(LENGTH.pack(len(data)))
    stream.write(data)
    stream.flush()


def main() -> None:
    """Serve requests until stdin ends."""
    request = msgspec.msgpack.Decoder(tuple[str, bytes])
    encoder = msgspec.msgpack.Encoder()
    source, target = sys.stdin.buffer, sys.stdout.buffer
    gc.disable()
    served = 0
    with deep_recursion():
        while (frame := read_frame(source)) is not None:
            language, data = request.decode(frame)
            write_frame(target, encoder.encode(extract_facts(data, language)))
            served += 1
            if served % _FILES_PER_SWEEP == 0:
                gc.collect()


if __name__ == "__main__":
    main()
