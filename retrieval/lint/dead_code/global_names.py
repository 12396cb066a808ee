"""Find files that use scripts, by the names of the scripts' declarations. These declarations are global."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping

from ...text_search.indexed_text import IndexedTexts

#: A word in UTF-8; all characters beyond ASCII count as letters.
_WORD = re.compile(rb"[A-Za-z_$\x80-\xff][\w$\x80-\xff]*")


def global_uses(texts: IndexedTexts, declared: Mapping[str, Collection[str]], live: Collection[str]) -> Iterator[tuple[str, str]]:
    """Yield the scripts that are not live, but declare a name that occurs in a live file, each with the reason.

    `declared` maps scripts to the names that they declare for all files.
    """
    by_name: dict[bytes, list[str]] = {}
    for path, names in declared.items():
        if path not in live:
            for name in names:
                by_name.setdefault(name.encode(), []).append(path)
    if not by_name:
        return
    for user in texts:
        if user in live:
            for word in by_name.keys() & set(_WORD.findall(texts[user].text)):
                reason = f"{user} has the name {word.decode()}, which it declares for all files"
                yield from ((path, reason) for path in by_name[word])
