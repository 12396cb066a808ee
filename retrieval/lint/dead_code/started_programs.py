"""Programs that people start: files that export nothing and do something with their process or with files."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sized

from ...text_search.indexed_text import IndexedTexts

_STARTED = re.compile(
    rb"\A#!|\brequire\.main\s{0,9}===\s{0,9}module\b|\bimport\.meta\.main\b|\bprocess\.(?:argv|exit|stdin|stdout)\b|\bDeno\.args\b"
    rb"""|(?:\bfrom|\brequire\()\s{0,9}['"](?:node:)?(?:fs|fs/promises|child_process|fs-extra|execa|zx|shelljs)['"]"""
)
_REASON = "it exports nothing and runs by itself, so that people may start it"


def started_programs(texts: IndexedTexts, paths: Iterable[str], exports: Mapping[str, Sized]) -> Iterator[tuple[str, str]]:
    """Yield those of some files that people may start, each with the reason; `exports` maps paths to exported names."""
    for path in paths:
        if path in texts and not exports.get(path) and _STARTED.search(texts[path].text):
            yield path, _REASON
