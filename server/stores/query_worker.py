"""The process that runs statements from outside. The engine crashes on some plain queries; what dies then is this process.

It reads a graph file read-only, takes one statement after the other and answers each. Values travel pickled, so that they keep
their types: dates, decimals and whole numbers of 128 bits have no place in MessagePack.
"""

from __future__ import annotations

import pickle
import sys
from pathlib import Path

from ...schema.errors import AstrolabeError, QueryFailed
from ...schema.process.serving import Caller, serve

#: Bytes of an answer. Whoever needs more asks in parts.
MAX_BYTES = 64 << 20
#: Bytes of memory beyond the address space that the engine reserves for an open database.
MAX_MEMORY = 3 << 30


def answer_statements(caller: Caller) -> None:
    """Answer statements until the caller ends this process."""
    _limit_memory()
    from ...graphdb.database import GraphDatabase

    graph = None
    while True:
        statement, parameters, timeout, max_rows = pickle.loads(caller.receive())
        try:
            graph = graph or GraphDatabase.open(Path(sys.argv[1]))
            answer = pickle.dumps(graph.query(statement, parameters, timeout=timeout, max_rows=max_rows))
            if len(answer) > MAX_BYTES:
                raise QueryFailed(f"The rows take more than {MAX_BYTES >> 20} MB. Return less, or page with SKIP and LIMIT.")
        except AstrolabeError as error:
            caller.fail(error)
        else:
            caller.send(answer)


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
    serve(answer_statements)
