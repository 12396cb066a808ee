"""Find the images that documents in Markdown and reStructuredText show."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from ...text_search.indexed_text import IndexedTexts
from .code_in_documents import MARKDOWN, RESTRUCTURED

_IN_MARKDOWN: Final = re.compile(
    rb"(?<!`)!\[[^\]\n]{0,300}\]\([ \t]*<?(?P<target>[^)\s>]{1,300})"
    rb"|<img\b[^>\n]{0,300}?\bsrc=[\"'](?P<source>[^\"'\n]{1,300})[\"']"
)
_IN_RESTRUCTURED: Final = re.compile(
    rb"^[ \t]*\.\. (?:\|[^|\n]{1,100}\| )?(?:image|figure)::[ \t]+(?P<target>\S{1,300})", re.MULTILINE
)
#: A block of code between fences.
FENCED: Final = re.compile(rb"^[ \t]*(?P<fence>```|~~~)[^\n]*\n(?:(?![ \t]*(?P=fence))[^\n]*\n)*[ \t]*(?P=fence)", re.MULTILINE)


class Image(NamedTuple):
    """An image in a document, with its path or address as written."""

    path: str
    line: int
    column: int
    target: str


def images_in_documents(texts: IndexedTexts) -> Iterator[Image]:
    """Yield the images in documents, outside of blocks of code."""
    for path in texts:
        name = path.lower()
        if name.endswith(MARKDOWN):
            text, pattern = FENCED.sub(_line_feeds, texts[path].text), _IN_MARKDOWN
        elif name.endswith(RESTRUCTURED):
            text, pattern = texts[path].text, _IN_RESTRUCTURED
        else:
            continue
        line, begin = 1, 0
        for found in pattern.finditer(text):
            at = found.start(found.lastgroup or 0)
            line += text.count(b"\n", begin, at)
            begin = at
            column = len(text[text.rfind(b"\n", 0, at) + 1 : at].decode("utf-8", "replace")) + 1
            yield Image(path, line, column, found[found.lastgroup or 0].decode("utf-8", "replace"))


def _line_feeds(block: re.Match[bytes]) -> bytes:
    return b"\n" * block[0].count(b"\n")
