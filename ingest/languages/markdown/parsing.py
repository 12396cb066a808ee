"""Markdown as GitHub reads it: headings, lists, tables, code, links and front matter. The parser is `markdown-it-py`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from html import unescape
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import unquote

from ...documents.anchors import Anchors, slug
from ...documents.described_objects import RESTRUCTURED, DescribedObjects, described_in, identified_in
from ...documents.published_api import LINKED, published_name
from ...documents.sections import CodeBlock, Document, Heading, Item, Reference, Table
from .containers import unwrapped

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

_FRONT_MATTER: Final = re.compile(r"\A---[ \t]*\r?\n(?P<fields>(?:.*\n)*?)---[ \t]*(?:\r?\n|\Z)")
_FIELD: Final = re.compile(r"(?P<name>\w[\w -]*?)[ \t]*:[ \t]*(?P<value>.*)")
_ATTRIBUTE: Final = re.compile(
    r"\b(?P<name>href|src|id|name)[ \t]*=[ \t]*(?:\"(?P<double>[^\"]*)\"|'(?P<single>[^']*)'|(?P<bare>[^\s\"'`=<>]+))", re.I
)
#: A heading that is written in HTML, and tags in its title.
_HTML_HEADING: Final = re.compile(
    r"<h(?P<level>[1-6])\b[^<>]{0,300}>(?P<title>.{0,300}?)</h(?P=level)>", re.IGNORECASE | re.DOTALL
)
_TAG: Final = re.compile(r"<[^<>]*>")
_CHECKBOX: Final = re.compile(r"\[(?P<mark>[ xX])\][ \t]+")
#: An anchor that the author writes for a heading: `## Title {#title}`. Some generators of sites write `{: .big #title}`,
#: `%{#title}%`, `{/* #title */}` or `:id=title`.
_GIVEN_ANCHOR: Final = re.compile(r"(?:\{(?P<attributes>[^{}]*)\}%?|(?<=\s):id=(?P<docsify>[\w-]+))\s*$")
_IDENTIFIER: Final = re.compile(r"(?:^:?|/\*|\s)[ \t]*#(?P<id>[\w:.-]+)")
#: An anchor that the author writes for a paragraph, an item or a word: `**locale**{ #locale }`.
_ATTRIBUTES: Final = re.compile(r"\{:?[ \t]*#(?P<id>[\w:.-]+)[^{}\n]*\}")
#: A label of MyST in front of a section or a paragraph: `(install)=`.
_LABEL: Final = re.compile(r"\((?P<label>[\w:.-]+)\)=[ \t]*(?:\n|$)")
_FOOTNOTE: Final = re.compile(r"\[\^[^\]\s]+\]")
#: A directive of MyST after the sign of a block: `{autoclass} shop.Cart`.
_DIRECTIVE: Final = re.compile(r"(?P<indent>[ \t]*)\{(?P<name>[\w:+.-]{1,60})\}[ \t]*(?P<argument>.*)")
#: The name of a role of MyST in front of a span of code, and the target in the span.
_ROLE: Final = re.compile(r"\{[\w:+-]+\}$")
_IN_ANGLES: Final = re.compile(r"<(?P<target>[^<>]+)>$")
#: Maximum number of further lines in which a span of code is searched. The markup around the span may have several lines.
_MAX_LINES_ON: Final = 3


@cache
def markdown_parser() -> MarkdownIt:
    """Return the parser of all documents."""
    from .parser import document_parser

    return document_parser()


def parse(text: str) -> Document:
    """Return the content of a document. Never raises because of the text."""
    document = Document()
    front = _FRONT_MATTER.match(text) if text.startswith("---") else None
    if front is not None:
        for line in front["fields"].split("\n"):
            named = _FIELD.fullmatch(line.rstrip("\r"))
            if named is not None:
                document.fields[named["name"].lower()] = named["value"].strip("'\" \t")
        text = "\n" * front[0].count("\n") + text[front.end() :]
    _Reading(document, text).run()
    return document


class _Reading:
    """Reads the tokens of one document."""

    def __init__(self, document: Document, text: str) -> None:
        self._document = document
        self._text, self._inner_lines = unwrapped(text)
        self._lines = text.split("\n")
        self._anchors = Anchors()
        self._objects = DescribedObjects()
        #: The open lists, outermost first: the number of the next item of each list, or 0.
        self._lists: list[int] = []
        self._items: list[Item] = []
        self._table: Table | None = None
        self._row: list[str] | None = None

    def run(self) -> None:
        tokens = markdown_parser().parse(self._text)
        for place, token in enumerate(tokens):
            kind = token.type
            if kind == "inline":
                self._inline(token, tokens[place - 1])
            elif kind in ("fence", "code_block"):
                self._code(token)
            elif kind == "html_block":
                self._html(token.content, _first(token))
            elif kind.startswith(("bullet_list", "ordered_list")):
                self._list(token)
            elif kind == "list_item_open":
                line, end = _range(token)
                while end > line and not self._line(end).strip():
                    end -= 1
                number = self._lists[-1]
                self._lists[-1] += 1 if number else 0
                self._items.append(Item(line, end, "", None, len(self._lists) - 1, number))
                self._document.items.append(self._items[-1])
            elif kind == "list_item_close":
                self._items.pop()
            elif kind == "table_open":
                self._table = Table(_first(token), [])
                self._document.tables.append(self._table)
            elif kind == "tr_open":
                self._row = []
            elif kind == "tr_close":
                self._end_row()

    def _line(self, number: int) -> str:
        return self._lines[number - 1] if number <= len(self._lines) else ""

    def _list(self, token: Token) -> None:
        if token.nesting > 0:
            start = token.attrs.get("start", 1)
            self._lists.append(max(int(start), 1) if token.type == "ordered_list_open" else 0)
        else:
            self._lists.pop()

    def _end_row(self) -> None:
        if self._table is not None and self._row is not None:
            if self._table.header or self._table.rows:
                self._table.rows.append(self._row)
            else:
                self._table.header = self._row
        self._row = None

    def _code(self, token: Token) -> None:
        words = token.info.replace("{", " ").replace(",", " ").split() if token.type == "fence" else []
        line = _first(token) + (1 if token.type == "fence" else 0)
        language = words[0].strip(".}") if words else ""
        self._document.code.append(CodeBlock(line, language, token.content))
        if language == RESTRUCTURED:
            self._document.references += described_in(token.content, line, self._objects)
        elif (directive := _DIRECTIVE.match(token.info)) is not None:
            # A directive of MyST in its own form: `{autofunction} shop.open`.
            described = self._objects.reference(directive, line - 1)
            self._document.references += [described] if described is not None else []

    def _html(self, markup: str, line: int) -> None:
        for heading in _HTML_HEADING.finditer(markup):
            title = unescape(_TAG.sub("", heading["title"])).strip()
            if anchor := slug(title):  # a heading may contain only a picture
                self._document.anchors.setdefault(anchor, line + markup.count("\n", 0, heading.start()))
        for found in _ATTRIBUTE.finditer(markup):
            value = unescape(next((each for each in (found["double"], found["single"], found["bare"]) if each is not None), ""))
            at = line + markup.count("\n", 0, found.start()) if "\n" in markup else line
            name = found["name"].lower()
            if name in ("id", "name"):
                self._document.anchors.setdefault(value, at)
            elif value and found["bare"] is None:  # an attribute without quotes may be text
                self._document.references.append(Reference("image" if name == "src" else "link", value, at, 1))

    def _inline(self, token: Token, opener: Token) -> None:
        children = token.children or []
        if opener.type == "heading_open":
            self._heading(token, opener, children)
        elif self._row is not None:
            self._row.append(_plain(children))
        elif self._items and not self._items[-1].text:
            self._item(self._items[-1], children)
        if token.content.startswith(":::"):
            self._document.references += identified_in(token.content, _first(token))
        if token.content.startswith("("):
            label = _LABEL.match(token.content)
            if label is not None:
                self._document.anchors.setdefault(label["label"], _first(token))
        if "{" in token.content and opener.type != "heading_open":
            for line, text in enumerate(token.content.split("\n"), _first(token)):
                for given in _ATTRIBUTES.finditer(text):
                    self._document.anchors.setdefault(given["id"], line)
        if children and (len(children) > 1 or children[0].type != "text"):
            self._references(children, *_range(token))

    def _item(self, item: Item, children: Sequence[Token]) -> None:
        text = _plain(children)
        box = _CHECKBOX.match(text)
        if box is not None:
            item.is_done = box["mark"] != " "
            text = text[box.end() :]
        item.text = text
        item.lead = _lead(children)

    def _heading(self, token: Token, opener: Token, children: Sequence[Token]) -> None:
        title = _FOOTNOTE.sub("", _plain(children, "\n")) if "[^" in token.content else _plain(children, "\n")
        line = _first(opener)
        if line in self._inner_lines:
            return  # only some generators of sites show this
        anchor = self._anchors.of(title)
        self._document.anchors[anchor] = line
        given = _GIVEN_ANCHOR.search(title)
        if given is not None:
            identifier = _IDENTIFIER.search(given["attributes"] or "")
            anchor_given = given["docsify"] or (identifier["id"] if identifier is not None else "")
            if anchor_given:
                self._document.anchors.setdefault(anchor_given, line)
        if opener.level == 0:
            self._document.headings.append(Heading(line, line, int(opener.tag[1:]), " ".join(title.split()), anchor))

    def _references(self, children: Sequence[Token], line: int, last: int) -> None:
        """Add the references of a text from one line to another one.

        The text of a span of code may be found too far below, but never behind the last line.
        """
        column = 0
        before = linked = ""
        for child in children:
            kind = child.type
            if kind in ("softbreak", "hardbreak"):
                line = min(line + 1, last)
                column = 0
            elif kind == "code_inline":
                line, column = self._find(child.content, line, column, last)
                named = _named_by_role(before, child.content)
                at = column + child.content.find(named) + 1
                self._document.references.append(Reference("code", named, line, at))
                if published_name(linked) is not None:
                    self._document.references.append(Reference(LINKED, linked, line, at))
                column += len(child.content)
            elif kind == "link_open" and child.info != "auto":
                target = linked = _attribute(child, "href")
                if target:
                    self._document.references.append(Reference("link", target, line, column + 1))
            elif kind == "link_close":
                linked = ""
            elif kind == "image":
                self._document.references.append(Reference("image", _attribute(child, "src"), line, column + 1))
            elif kind == "html_inline":
                self._html(child.content, line)
            before = child.content if kind == "text" else ""

    def _find(self, text: str, line: int, column: int, last: int) -> tuple[int, int]:
        """Return line and offset in the line of a span of code; for a span that is not found, the likely position."""
        start = column
        for number in range(line, min(line + _MAX_LINES_ON, last + 1)):
            at = self._line(number).find(text, start)
            if at >= 0:
                return number, at
            start = 0
        return line, column


def _named_by_role(before: str, text: str) -> str:
    """Return the target of a role of MyST: `shop.Cart.total` of ``{meth}`total <shop.Cart.total>` ``. Other code is returned."""
    if _ROLE.search(before) is None:
        return text
    found = _IN_ANGLES.search(text)
    return (found["target"] if found is not None else text).lstrip("~!.") or text


def _lead(children: Sequence[Token]) -> str:
    """Return the text of the bold words, the link or the code that begins a line; "" for other text."""
    place = 0
    while place < len(children) and children[place].type == "text" and _CHECKBOX.sub("", children[place].content).strip() == "":
        place += 1
    if place == len(children):
        return ""
    kind = children[place].type
    if kind == "code_inline":
        return children[place].content
    if kind not in ("strong_open", "link_open"):
        return ""
    closing = kind.replace("open", "close")
    end = next((at for at in range(place, len(children)) if children[at].type == closing), place)
    return _plain(children[place:end])


def _attribute(token: Token, name: str) -> str:
    value: Any = token.attrs.get(name, "")
    return unquote(str(value))


def _first(token: Token) -> int:
    return token.map[0] + 1 if token.map is not None else 1


def _range(token: Token) -> tuple[int, int]:
    return (token.map[0] + 1, max(token.map[1], token.map[0] + 1)) if token.map is not None else (1, 1)


def _plain(children: Sequence[Token], line_break: str = " ") -> str:
    """Return the text of inline markup, with the alternative texts of images and without HTML."""
    parts = []
    for child in children:
        if child.type in ("text", "code_inline", "text_special"):
            parts.append(child.content)
        elif child.type in ("softbreak", "hardbreak"):
            parts.append(line_break)
        elif child.type == "image":
            parts.append(child.content if not child.children else _plain(child.children, line_break))
    return "".join(parts)
