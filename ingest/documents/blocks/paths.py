"""Read the files of blocks: comments at the beginning of a block that name its file (`# lib/shop/cart.rb`), and the files that a
generator of sites includes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from ..plain_names import WORD
from ..sections import CodeBlock, Reference

_MAX_LINE: Final = 200
_MAX_INCLUDING: Final = 1_000
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
#: The inclusion of a file: by the snippets of Markdown for Python (`--8<-- "a.py"`, `{!a.py!}`, `{* a.py *}`), mdBook
#: (`{{#include a.rs}}`), VitePress (`<<< @/a.ts`), VuePress (`@[code](@/a.ts)`), AsciiDoc (`include::a.java[]`) and embedmd.
_INCLUDED: Final = re.compile(
    r"(?:--8<--[ \t]+[\"']?|\{[!*][ \t]*|\{\{#(?:rustdoc_)?include[ \t]+|^[ \t]*<<<[ \t]*|^[ \t]*@\[code[^\]\n]{0,80}\]\("
    r"|^include::|\[embedmd\]:#[ \t]*\()(?P<path>[@~]?[\w./-]{1,200}\.\w{1,10})"
)
_MARKS: Final = ("--8<--", "{!", "{*", "{{#", "<<<", "@[code", "include::", "embedmd")
#: Steps to outer folders, or the sign of the root, at the beginning of a path.
_OUTWARD: Final = re.compile(r"^(?:[@~]|\.{0,2})/(?:\.\./)*")


def included_files(lines: Sequence[str]) -> Iterator[Reference]:
    """Yield the paths of the files that a generator of sites includes in a document.

    It may search a path in a folder of its configuration, so the path may also count from the root without its outer folders.
    """
    text = "\n".join(lines)
    marks = [mark for mark in _MARKS if mark in text]
    for number, line in enumerate(lines, 1) if marks else ():
        if any(mark in line for mark in marks):
            for found in _INCLUDED.finditer(line[:_MAX_INCLUDING]):
                written = found["path"]
                for path in dict.fromkeys((written, _OUTWARD.sub("", written))):
                    yield Reference(WORD, path, number, found.start("path") + 1)


def named_files(blocks: Iterable[CodeBlock]) -> Iterator[Reference]:
    """Yield the paths in the first lines of blocks. Such a path may also be a file of the reader."""
    for block in blocks:
        first = block.text[:_MAX_LINE].partition("\n")[0].rstrip()
        found = _NAMED_FILE.fullmatch(first)
        if found is not None and _COMMON.search(found["path"]) is None:
            yield Reference(WORD, found["path"], block.line, found.start("path") + 1)
