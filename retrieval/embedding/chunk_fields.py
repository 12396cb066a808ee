"""The texts of a chunk that the static embedding reads, each with its own weight in the model."""

from __future__ import annotations

from functools import lru_cache

from ...schema.records import Chunk

#: Order of the fields; the model's weights follow it.
FIELDS = ("name", "scope", "path", "head", "body", "doc")

#: Characters read of each field. What follows says little new, and a huge chunk must not cost more than a large one.
LIMITS = (200, 200, 200, 400, 2400, 600)

#: Components of the path that are read, from the last.
_PATH_COMPONENTS = 4


def chunk_fields(chunk: Chunk) -> list[str]:
    """The texts of FIELDS, cut to LIMITS.

    The doc comment is a field of its own, so it is left out of the body where the body begins with it.
    """
    name, scope, path, head, body, doc = LIMITS
    source = chunk.embedding_text
    start = _code_start(source)
    return [
        chunk.name[:name],
        _enclosing(chunk)[:scope],
        path_words(chunk.relative_path)[-path:],
        chunk.signature[:head],
        source[start : start + body],
        (chunk.jsdoc or "")[:doc],
    ]


@lru_cache(maxsize=1)
def path_words(relative_path: str) -> str:
    """The last components of a path, without the extension. Chunks come file by file: the last answer is kept."""
    folder, _, file_name = relative_path.rpartition("/")
    return "/".join([*folder.split("/")[1 - _PATH_COMPONENTS :], file_name.partition(".")[0] or file_name])


def _enclosing(chunk: Chunk) -> str:
    """What stands between file and name in a breadcrumb: "src/a.ts > Service > save" gives "Service"."""
    outer = chunk.breadcrumb.rpartition(" > ")[0]
    first, _, rest = outer.partition(" > ")
    return rest if chunk.relative_path.endswith(first) else outer


def _code_start(source: str) -> int:
    if not source.startswith("/**"):
        return 0
    end = source.find("*/")
    return end + 2 if end >= 0 else 0
