"""Split a chunk into the fields of the static embedding. The fields have different weights in the model."""

from __future__ import annotations

from functools import lru_cache

from ...schema.records import Chunk

#: The fields in the order of the model's weights.
FIELDS = ("name", "scope", "path", "head", "body", "doc")

#: Maximum number of characters that are read of each field. Further text adds little information.
LIMITS = (200, 200, 200, 400, 2400, 600)

#: Maximum number of components at the end of the path that are read.
_PATH_COMPONENTS = 4


def chunk_fields(chunk: Chunk) -> list[str]:
    """Return the texts of FIELDS, cut to LIMITS.

    The doc comment is a separate field, so the body is read without it.
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
    """Return the last components of a path without the extension. The last result is cached, because chunks come file by file."""
    folder, _, file_name = relative_path.rpartition("/")
    return "/".join([*folder.split("/")[1 - _PATH_COMPONENTS :], file_name.partition(".")[0] or file_name])


def _enclosing(chunk: Chunk) -> str:
    """Return the part of a breadcrumb between file and name: "Service" for "src/a.ts > Service > save"."""
    outer = chunk.breadcrumb.rpartition(" > ")[0]
    first, _, rest = outer.partition(" > ")
    return rest if chunk.relative_path.endswith(first) else outer


def _code_start(source: str) -> int:
    if not source.startswith("/**"):
        return 0
    end = source.find("*/")
    return end + 2 if end >= 0 else 0
