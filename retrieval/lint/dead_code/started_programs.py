"""Files that need no import: programs that people start, and modules that a loader of scripts finds by name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sized

from ...text_search.indexed_text import IndexedTexts

_STARTED = re.compile(
    rb"\A#!|\brequire\.main\s{0,9}===\s{0,9}module\b|\bimport\.meta\.main\b|\bprocess\.(?:argv|exit|stdin|stdout)\b|\bDeno\.args\b"
    rb"""|(?:\bfrom|\brequire\()\s{0,9}['"](?:node:)?(?:fs|fs/promises|child_process|fs-extra|execa|zx|shelljs)['"]"""
)
_STARTED_REASON = "it exports nothing and runs by itself, so that people may start it"
_SCRIPT_LOADER = re.compile(rb"\bdefine\.amd\b|^define\(\s{0,9}(?:['\"\[]|function)|\bgoog\.provide\(", re.MULTILINE)
_SCRIPT_REASON = "it is a module for a loader of scripts, which finds it by name"


def started_programs(texts: IndexedTexts, paths: Iterable[str], exports: Mapping[str, Sized]) -> Iterator[tuple[str, str]]:
    """Yield those of some files that need no import, each with the reason; `exports` maps paths to exported names."""
    for path in paths:
        text = texts[path].text if path in texts else b""
        if _SCRIPT_LOADER.search(text):
            yield path, _SCRIPT_REASON
        elif not exports.get(path) and _STARTED.search(text):
            yield path, _STARTED_REASON
