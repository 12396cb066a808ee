"""The process that runs statements of users.

The engine crashes on some valid queries, and then only this process ends. The process opens a graph file read-only, and answers
one statement after another. Values are pickled, because MessagePack has no types for dates, decimals and 128-bit integers.
"""

from __future__ import annotations

import pickle
import sys
from pathlib import Path

from ...schema.errors import AstrolabeError, QueryFailed
from ...schema.process.serving import Caller, serve

#: Maximum size of an answer in bytes. Larger results must be queried in pages.
MAX_BYTES = 64 << 20
#: Maximum memory in bytes, in addition to the address space that the engine reserves for an open database.
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
    """Limit the memory if the platform can, so that a query fails before the machine runs out of memory."""
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
