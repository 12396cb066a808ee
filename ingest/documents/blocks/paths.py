"""Read the comments at the beginning of blocks that name the file of a block: `# lib/shop/cart.rb`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from ..plain_names import WORD
from ..sections import CodeBlock, Reference

_MAX_LINE: Final = 200
_NAMED_FILE: Final = re.compile(
    r"[ \t]*(?:#|//|--|;|<!--|/\*)[ \t]*(?:file(?:name)?:[ \t]*)?(?P<path>[\w@.+-]+(?:/[\w@.+-]+)+\.\w+)[ \t]*(?:-->|\*/)?",
    re.IGNORECASE,
)
#: Names of files that nearly each project has, so that the file may be one of the reader.
_COMMON: Final = re.compile(
    r"(?:^|/)(?:main|lib|mod|index|app|application|server|client|config|settings|setup|test|routes|urls|models|views|utils"
    r"|package|user|users|page|layout|__init__)\.\w+$",
    re.IGNORECASE,
)


def named_files(blocks: Iterable[CodeBlock]) -> Iterator[Reference]:
    """Yield the paths in the first lines of blocks. Such a path may also be a file of the reader."""
    for block in blocks:
        first = block.text[:_MAX_LINE].partition("\n")[0].rstrip()
        found = _NAMED_FILE.fullmatch(first)
        if found is not None and _COMMON.search(found["path"]) is None:
            yield Reference(WORD, found["path"], block.line, found.start("path") + 1)
