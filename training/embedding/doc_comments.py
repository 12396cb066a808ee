"""Read a doc comment: its text, its first sentence, and whether that sentence describes the code."""

from __future__ import annotations

import re

DOC_COMMENT = re.compile(r"/\*\*(?!/).*?\*/", re.DOTALL)

_LINE_PREFIX = re.compile(r"^[ \t]*\*+ ?", re.MULTILINE)
_LEADING_TAG = re.compile(r"^@(description|summary|desc|remarks|classdesc|internal|public)\b[ \t]*")
_BLOCK_TAG = re.compile(r"^\s*@\w+", re.MULTILINE)
_UNUSED_TAGS = re.compile(r"^\s*@(example|see|since|license|copyright|author|version|category|group)", re.MULTILINE)
_INLINE_TAG = re.compile(r"\{@\w+\s+([^}|]*?)(?:\s*\|\s*([^}]*))?\}")
_MARKDOWN_LINK = re.compile(r"\[([^\]]+)\](?:\([^)]*\)|\[[^\]]*\])")
_MARKUP = re.compile(r"<[^>\n]{1,60}>")
_PARAGRAPH_END = re.compile(r"\n\s*\n|\n\s*[-*] |\n\s*#")
_SENTENCE = re.compile(r"(.+?(?<!e\.g)(?<!i\.e)(?<!etc)(?<!vs)[.!?])(?:\s+[A-Z\"'(@]|\s*$)")
_NOT_A_DESCRIPTION = re.compile(
    r"copyright|licen[sc]e|eslint|@ts-|rights reserved|istanbul|prettier-ignore|https?:|todo|fixme|ignore next|deprecated|"
    r"auto-?generated",
    re.IGNORECASE,
)
_MAX_SENTENCE, _MAX_REST = 400, 600


def comment_text(comment: str) -> str:
    """Return the text inside `/** */`, without the stars at the beginning of lines."""
    return _LINE_PREFIX.sub("", comment.removeprefix("/**").removesuffix("*/")).strip()


def _plain(markup: str) -> str:
    text = _INLINE_TAG.sub(lambda tag: tag[2] or tag[1], markup)
    text = _MARKUP.sub(" ", _MARKDOWN_LINK.sub(r"\1", text)).replace("`", "").replace("**", "")
    return " ".join(text.split())


def first_sentence(text: str) -> str:
    """Return the first sentence of a comment's description without markup; "" if there is no description."""
    description = _BLOCK_TAG.split(_LEADING_TAG.sub("", text))[0].split("```")[0]
    paragraph = _plain(_PARAGRAPH_END.split(description)[0])
    found = _SENTENCE.match(paragraph)
    return (found[1] if found else paragraph).strip(" .:;-")


def rest_of_comment(text: str) -> str:
    """Return the text after the first paragraph: further description, parameters, result."""
    described = _UNUSED_TAGS.split(text)[0]
    return _plain(described[len(_PARAGRAPH_END.split(described)[0]) :])[:_MAX_REST]


def describes_code(sentence: str) -> bool:
    """Return whether a sentence can serve as a query for the code: three or more English words, and no boilerplate."""
    if len(sentence) > _MAX_SENTENCE or _NOT_A_DESCRIPTION.search(sentence):
        return False
    plain = sum(letter.isascii() and (letter.isalnum() or letter.isspace()) for letter in sentence)
    return len(re.findall(r"[A-Za-z][\w'$.]*", sentence)) >= 3 and plain > 0.8 * len(sentence)
