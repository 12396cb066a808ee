"""Find the documents that other documents include: their links hold on the page that includes them."""

from __future__ import annotations

import posixpath
import re
from typing import Final

from ....schema.languages import is_document_path
from ....schema.paths import parent_of
from ...text_search.indexed_text import IndexedTexts

#: The inclusion of a file by mdBook, the snippets of Markdown for Python, templates, MyST, VitePress and reStructuredText.
_INCLUSION: Final = re.compile(
    rb"(?:\{\{#(?:rustdoc_)?include[ \t]+|--8<--[ \t]+[\"']|\{%-?[ \t]*include(?:-markdown|_relative)?[ \t]+[\"']?"
    rb"|\{include\}[ \t]+|<!--[ \t]*@include:[ \t]*|\.\. include::[ \t]+|\{![ \t]*)(?P<path>[^\s\"'{}<>:!]+)"
)

#: Steps to outer folders at the beginning of a path.
_OUTWARD: Final = re.compile(r"^(?:\.{0,2}/)+")


def included_documents(texts: IndexedTexts) -> frozenset[str]:
    """Return the paths of the documents that another document includes.

    Generators of sites search a file beside the document, or in folders of their configuration; there, the end of a path counts.
    """
    by_name: dict[str, list[str]] = {}
    for path in texts:
        if is_document_path(path):
            by_name.setdefault(posixpath.basename(path), []).append(path)
    found: set[str] = set()
    for path in (path for paths in by_name.values() for path in paths):
        for inclusion in _INCLUSION.finditer(texts[path].text):
            written = inclusion["path"].decode("utf-8", "replace")
            beside = posixpath.normpath(posixpath.join(parent_of(path), written))
            if beside in texts:
                found.add(beside)
            else:
                end = "/" + _OUTWARD.sub("", written)
                found.update(each for each in by_name.get(posixpath.basename(written), ()) if f"/{each}".endswith(end))
    return frozenset(found)
