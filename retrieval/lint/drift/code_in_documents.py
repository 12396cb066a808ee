"""Find the code in documents: spans in backticks, and the lines of blocks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from ...text_search.indexed_text import IndexedTexts
from .restructured_code import code_in_restructured_text

MARKDOWN: Final = (".md", ".markdown", ".mdx")
RESTRUCTURED: Final = (".rst", ".rest")
_FENCE: Final = re.compile(r"[ \t]*(?:[-*+>]|\d+[.)])?[ \t]*(?P<mark>`{3,}|~{3,})[ \t]*(?P<language>[\w+#-]*)")
_SPAN: Final = re.compile(r"(?<!`)(?P<mark>`{1,2})(?!`)(?P<code>[^`\n]{1,200}?)(?P=mark)(?!`)")
#: Words in the path of a document about past events, such as a changelog. Nobody corrects its text later.
_PAST: Final = (
    r"change\w*|(?:version|release|revision)?[-_]?history|releases?|release[-_]?notes?|news|whats[-_]?new\w*|blog|posts?"
    r"|archive\w*"
)
#: Words in the path of a document about the past or the future.
_PAST_OR_FUTURE: Final = (
    rf"{_PAST}|migrat\w*|upgrad\w*|updating|todo|roadmap|feature[-_]?requests?|plans?|adrs?|decisions?|rfcs?|proposals?|design\w*|breaking\w*"
    r"|deprecat\w*"
)
#: Words in the path of a document about other versions or other programs.
_OTHER_PROGRAMS: Final = (
    r"versioned[-_]docs|version[-_]v?\d[\w.]*|v\d+|\d+\.[x\d]+|old|legacy|vendor\w*|third[-_]party|fixtures?|tests?|specs?|__tests__|node_modules"
    r"|i18n|translations?|locales?"
)
_KEPT_AS_WRITTEN: Final = re.compile(rf"(?:^|[/_.-])(?:{_PAST}|{_OTHER_PROGRAMS})(?:[/_.-]|$)", re.IGNORECASE)
PAST_OR_FUTURE_PATH: Final = re.compile(rf"(?:^|[/_.-])(?:{_PAST_OR_FUTURE})(?:[/_.-]|$)", re.IGNORECASE)
_OF_OTHER_CODE: Final = re.compile(rf"(?:^|[/_.-])(?:{_PAST_OR_FUTURE}|{_OTHER_PROGRAMS})(?:[/_.-]|$)", re.IGNORECASE)
#: Words that mark a line about the past or the future.
_TIME_WORDS: Final = re.compile(
    r"deprecat|remov|renam|replac|former|previous|legacy|no longer|\bnot\b|\bnever\b|instead|used to|was |were |\bold"
    r"|before|since |until |upcoming|planned|future|todo|dropp|obsolete|earlier|migrat|upgrad|breaking|\bv?\d+\.\d+",
    re.IGNORECASE,
)
#: Words that mark a line about a change. Such a line may be older than the removal of a name that it advises against.
_CHANGE_WORDS: Final = re.compile(
    r"deprecat|remov|renam|replac|former|legacy|no longer|instead|used to|dropp|obsolete|migrat|upgrad|breaking|\bold\b",
    re.IGNORECASE,
)
#: The end of a sentence.
_END: Final = re.compile(r"[.!?:][)*_\"]*[ \t]+(?=[A-Z`*_\[(])")
_HEADING: Final = re.compile(r" {0,3}#{1,6}[ \t]+(?P<title>.*)")


class CodeInDocument(NamedTuple):
    """A code span, or a line of a code block."""

    path: str
    line: int
    column: int
    text: str
    #: Language of the block, as written after its fence; None for a span.
    language: str | None
    #: Whether the line or its heading is about the past or the future.
    is_past_or_future: bool
    #: Whether the heading is about the past or the future, or the line tells of a change: it renames, removes or replaces.
    is_about_change: bool


def is_about_other_code(path: str) -> bool:
    """Return whether a document is about past or future code or about other programs, according to its path."""
    return _OF_OTHER_CODE.search(path) is not None


def is_kept_as_written(path: str) -> bool:
    """Return whether the links of a document are not corrected, because it is about past events, or belongs to another version or
    program.
    """
    return _KEPT_AS_WRITTEN.search(path) is not None


def code_in_documents(texts: IndexedTexts) -> list[CodeInDocument]:
    """Return the code in all documents about the present in Markdown and reStructuredText. It is cached with the texts."""
    return texts.once(_read)


def _read(texts: IndexedTexts) -> list[CodeInDocument]:
    found: list[CodeInDocument] = []
    for path in texts:
        if path.lower().endswith((*MARKDOWN, *RESTRUCTURED)) and not is_about_other_code(path):
            text = texts[path].text.decode("utf-8", "replace")
            found += _of_text(path, text) if path.lower().endswith(MARKDOWN) else _of_restructured_text(path, text)
    return found


def _of_restructured_text(path: str, text: str) -> Iterator[CodeInDocument]:
    title, context = "", ""
    is_past_section = is_past = is_change = False
    for each in code_in_restructured_text(text):
        if each.title is not title:
            title, is_past_section = each.title, _TIME_WORDS.search(each.title) is not None
        if each.context is not context:  # all literals of a paragraph share one context
            context, is_past = each.context, _TIME_WORDS.search(each.context) is not None
            is_change = _CHANGE_WORDS.search(context) is not None
        is_about_change = is_past_section or is_change
        yield CodeInDocument(path, each.line, each.column, each.text, each.language, is_past or is_past_section, is_about_change)


def _of_text(path: str, text: str) -> Iterator[CodeInDocument]:
    fence, language = "", ""
    is_heading_past_or_future = False
    for number, line in enumerate(text.split("\n"), 1):
        found = _FENCE.match(line)
        if fence:
            if found is not None and found["mark"].startswith(fence) and not found["language"]:
                fence = ""
            elif line.strip():
                is_past_or_future = is_heading_past_or_future or _TIME_WORDS.search(line) is not None
                is_about_change = is_heading_past_or_future or _CHANGE_WORDS.search(line) is not None
                yield CodeInDocument(path, number, 1, line.strip()[:400], language, is_past_or_future, is_about_change)
            continue
        if found is not None:
            fence, language = found["mark"], found["language"].lower()
            continue
        heading = _HEADING.match(line)
        if heading is not None:
            is_heading_past_or_future = _TIME_WORDS.search(heading["title"]) is not None
        if "`" in line:
            for span in _SPAN.finditer(line):
                sentences = _sentences_around(line, span)
                is_past_or_future = is_heading_past_or_future or _TIME_WORDS.search(sentences) is not None
                is_about_change = is_heading_past_or_future or _CHANGE_WORDS.search(sentences) is not None
                column, code = span.start("code") + 1, span["code"].strip()
                yield CodeInDocument(path, number, column, code, None, is_past_or_future, is_about_change)


def _sentences_around(line: str, span: re.Match[str]) -> str:
    """Return the sentence of a span and its neighbors, because one line may hold a long paragraph."""
    ends = [found.end() for found in _END.finditer(line)]
    before = [end for end in ends if end <= span.start()]
    after = [end for end in ends if end >= span.end()]
    return line[before[-2] if len(before) > 1 else 0 : after[1] if len(after) > 1 else len(line)]
