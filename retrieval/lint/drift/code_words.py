"""The set of all words in code, for checks whether code contains a name."""

from __future__ import annotations

import re
from typing import Final

from ....schema.languages import is_document_path
from ...text_search.indexed_text import IndexedTexts

_WORD: Final = re.compile(rb"[A-Za-z_$][\w$]*")


def words_of_code(texts: IndexedTexts) -> frozenset[str]:
    """Return the words of the files that are not documents."""
    found: set[bytes] = set()
    for path, text in texts.items():
        if not is_document_path(path):
            found.update(_WORD.findall(text.text))
    return frozenset(word.decode("ascii") for word in found)
