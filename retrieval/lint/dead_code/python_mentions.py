"""Find words by which the code of a repository may look up Python declarations: all words with their counts, words in strings,
and parts of computed names. `getattr(self, "visit_" + kind)` may look up each name that begins with `visit_`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from ....schema.languages import language_of
from ....schema.unread_files import UnreadFile
from ...text_search.indexed_text import IndexedTexts

#: A word in UTF-8; all characters beyond ASCII count as letters.
_WORD = re.compile(rb"[A-Za-z_\x80-\xff][\w\x80-\xff]*")
#: A string on one line, which may be empty or have escapes, so that a quote that ends a string begins no other one.
_STRING = re.compile(rb"""(['"])((?:(?!\1)[^\\\n]|\\.){0,300})\1""")
#: Longer strings are prose.
_MAX_NAMES = 120
#: A string that consists of names, dotted names or lists of names.
_NAMES = re.compile(rb"[\w\x80-\xff.:=,\[\] /-]+")
#: The literal beginning of a computed name, as in `"visit_" + kind`.
_BEGIN = re.compile(rb"""['"]((?:[^\W\d]|\.)\w*_)(?:\{|%s|['"]\s{0,4}(?:\+|%))""")
#: The literal end of a computed name.
_END = re.compile(rb"""(?:\}|%s|\+\s{0,4}['"])(_\w+)['"]""")
#: The literal beginning or end of a computed name, of any form, that a function looks up: `getattr(self, "on" + kind.title())`.
_BEGIN_LOOKED_UP = re.compile(rb"""\bgetattr\([^,\n]{1,80},\s{0,40}[fF]?['"](\w+)(?:\{|%[srd]|['"]\s{0,4}(?:\+|\.format\())""")
_END_LOOKED_UP = re.compile(
    rb"""\bgetattr\([^,\n]{1,80},\s{0,40}(?:[fF]?['"](?:%s|\{[^{}\n]{0,80}\})|[\w.()]{1,80}\s{0,4}\+\s{0,4}['"])(\w+)['"]"""
)
#: Code that looks up all names of its module or class.
_LISTS = re.compile(
    rb"\bglobals\(\)|\bvars\(|\blocals\(\)\[|\bsys\.modules\[__name__\]|\bgetmembers\(|\bdir\(|\b__subclasses__\(|\b__dict__\b"
)


class PythonMentions(NamedTuple):
    """The names in the texts of a repository."""

    #: Number of occurrences of each word.
    counts: Counter[bytes]
    #: Words in short strings that look like names.
    in_strings: frozenset[bytes]
    begins: tuple[bytes, ...]
    ends: tuple[bytes, ...]
    #: Paths of files that look up all names that they declare.
    listing: frozenset[str]


def python_mentions(texts: IndexedTexts) -> PythonMentions:
    """Return the names in the indexed texts. All callers share them."""
    return texts.once(_read)


def _read(texts: IndexedTexts) -> PythonMentions:
    block = texts.block
    strings = (match[2] for match in _STRING.finditer(block))
    words = {word for text in strings if len(text) <= _MAX_NAMES and _NAMES.fullmatch(text) for word in _WORD.findall(text)}
    begins = {match[1].lstrip(b".") for pattern in (_BEGIN, _BEGIN_LOOKED_UP) for match in pattern.finditer(block)}
    ends = {match[1] for pattern in (_END, _END_LOOKED_UP) for match in pattern.finditer(block)}
    listing = {texts.paths[texts.number_at(match.start())] for match in _LISTS.finditer(block)}
    return PythonMentions(
        Counter(_WORD.findall(block)),
        frozenset(words),
        tuple(sorted(begin for begin in begins if len(begin) > 1)),
        tuple(sorted(end for end in ends if len(end) > 2)),
        frozenset(listing),
    )


def unread_words(files: Iterable[UnreadFile]) -> frozenset[str]:
    """Return the names in files whose names are not resolved: templates, pages, settings."""
    unread = (file for file in files if language_of(file.path) != "python")
    return frozenset(word for file in unread for word in (*file.words, *file.members))
