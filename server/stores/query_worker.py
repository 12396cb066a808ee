"""The process that runs statements from outside. The engine crashes on some plain queries; what dies then is this process.

It reads a graph file read-only, takes one statement after the other and answers each. The indexer's process is its only
client, so that values travel pickled and keep their types.
"""

from __future__ import annotations

import pickle
import sys
from pathlib import Path
from typing import BinaryIO

from ...schema.errors import AstrolabeError, QueryFailed
from ...schema.process.frames import read_frame, write_frame

#: Bytes of an answer. Whoever needs more asks in parts.
MAX_BYTES = 64 << 20
#: Bytes of memory beyond the address space that the engine reserves for an open database.
MAX_MEMORY = 3 << 30


def main() -> None:
    """Answers the statements on standard input until it ends."""
    answers = sys.stdout.buffer
    # Whatever a library prints must not mix with the answers.
    sys.stdout = sys.stderr
    _limit_memory()
    from ...graphdb.database import GraphDatabase

    with GraphDatabase.open(Path(sys.argv[1])) as graph:
        while (frame := read_frame(sys.stdin.buffer)) is not None:
            statement, parameters, timeout, max_rows = pickle.loads(frame)
            try:
                _send(answers, graph.query(statement, parameters, timeout=timeout, max_rows=max_rows))
            except AstrolabeError as error:
                _send(answers, error)


def _send(answers: BinaryIO, answer: object) -> None:
    data = pickle.dumps(answer)
    if len(data) > MAX_BYTES:
        data = pickle.dumps(
            QueryFailed(f"The rows take more than {MAX_BYTES >> 20} MB. Return less, or page with SKIP and LIMIT.")
        )
    write_frame(answers, data)


def _limit_memory() -> None:
    """Where the platform can: a query that wants more gets an error, and the machine keeps its memory."""
    try:
        import resource
    except ImportError:
        return
    from ...graphdb.engine import ADDRESS_SPACE

    limit = ADDRESS_SPACE + MAX_MEMORY
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    if hard == resource.RLIM_INFINITY or hard > limit:
        resource.setrlimit(resource.RLIMIT_AS, (limit, hard))


if __name__ == "__main__":
    main()
