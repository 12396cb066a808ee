"""Read an MDX file to its facts."""

from __future__ import annotations

import re
from typing import Final

from ...documents.blocks.code import code_references
from ...documents.command_lines import shell_references
from ...documents.plain_names import plain_references
from ...facts.document_facts import MentionFact
from ...facts.model import FileFacts
from ...files.source_text import SourceText
from ..base import SyntaxTree
from ..components.embedded import EmbeddedMarkup, code_end
from ..components.expression_scan import is_balanced
from ..components.lowering import ComponentLowering
from ..components.markup import Braces, MarkupReader, Span
from ..components.placed_text import only, parse_only
from ..deep_stack import call_deeply
from ..markdown.parsing import parse as parse_document
from ..typescript.libraries.component_properties import mdx_tag

_DIALECT: Final = "jsx"
_FRONT_MATTER: Final = re.compile(rb"---[ \t]*\r?\n")
_BLANK_LINE: Final = re.compile(rb"\n[ \t]*\r?(?=\n)")
_CLOSING_FENCE: Final = re.compile(rb"^---[ \t]*\r?$", re.MULTILINE)
_LINE: Final = re.compile(rb"[^\n]*\n?")
_MODULE: Final = re.compile(rb"(?:import|export)\b(?!\s*[:(])")
_FENCE: Final = re.compile(rb"[ \t]{0,3}(`{3,}|~{3,})")
_TICKS: Final = re.compile(rb"`+")
#: The brace of an expression in markup: of the value of an attribute, or at the start of a line.
_OPENED: Final = re.compile(rb"(?:=[ \t]*|^[ \t]*)\{", re.MULTILINE)
#: A line that only opens a tag, and a line that begins with the end of one.
_OPENED_TAG: Final = re.compile(r"<[A-Za-z][\w.]*(?:[ \t][^<>]*)?(?<!/)>[ \t]*$")
_CLOSED_TAG: Final = re.compile(r"</[A-Za-z][\w.]*>")
#: Maximum length of a statement whose brackets are matched, in bytes.
_MAX_STATEMENT: Final = 100_000
#: Maximum number of blank lines in such a statement.
_MAX_BLANK_LINES: Final = 40


def read_file(source: SourceText) -> FileFacts:
    """Return the facts of an MDX file. Raises `RecursionError` if its code nests too deeply."""
    statements, prose = _parts(source.data)

    def lowered() -> FileFacts:
        component = ComponentLowering(source, _DIALECT, statements, [])
        component.unbound_tag = mdx_tag
        component.property(component.shape, "$props", type_=component.type_of_shape(component.props))
        text = only(source.data, prose)
        events = MarkupReader(text, Braces.CODE, code_end=code_end).events(0, len(text))
        markup = EmbeddedMarkup(component, events)
        markup.lower()
        component.export_component()
        return component.facts(markup.texts)

    facts = call_deeply(lowered)
    _add_mentions(facts, source.data, statements)
    return facts


def _add_mentions(facts: FileFacts, data: bytes, statements: list[Span]) -> None:
    """Add the names in the prose, as in Markdown.

    In Markdown, names belong to sections. In MDX, they belong to the symbol of the component.
    """
    component = next((place for place, symbol in enumerate(facts.symbols) if symbol.kind == "component"), -1)
    if component < 0:
        return
    prose = bytearray(data)
    for span in statements:
        prose[span.start : span.end] = re.sub(rb"[^\n]", b" ", bytes(prose[span.start : span.end]))
    lines, removed = _without_indentation(prose.decode("utf-8", "replace").split("\n"))
    document = parse_document("\n".join(lines))
    references = [*document.references, *code_references(document.code), *shell_references(document.code)]
    references += plain_references(document, lines)
    facts.mentions = [
        MentionFact(
            component, each.form, each.text, each.line, each.column + removed.get(each.line, 0), list(each.names), each.extension
        )
        for each in references
        if each.text.strip() or each.names
    ]
    facts.anchors = dict.fromkeys(document.anchors, component)


def _without_indentation(lines: list[str]) -> tuple[list[str], dict[int, int]]:
    """Return lines without the indentation of the content of tags, and the number of removed characters by line.

    In MDX, indented text is no code.
    """
    found: list[str] = []
    removed: dict[int, int] = {}
    #: The indentation of the content of each open tag; -1 before the first line of the content.
    around: list[int] = []
    for number, line in enumerate(lines, 1):
        indent = len(line) - len(line.lstrip(" \t"))
        is_blank = indent == len(line)
        if around and around[-1] < 0 and not is_blank:
            around[-1] = indent
        if around and _CLOSED_TAG.match(line, indent) is not None:
            around.pop()
        cut = min(indent, max(around[-1], 0)) if around and not is_blank else 0
        found.append(line[cut:])
        if cut:
            removed[number] = cut
        if _OPENED_TAG.match(line, indent) is not None:
            around.append(-1)
    return found, removed


def parse_scripts(data: bytes) -> SyntaxTree:
    """Return the syntax tree of the statements of a file."""
    return parse_only(data, _parts(data)[0], _DIALECT)


def _parts(data: bytes) -> tuple[list[Span], list[Span]]:
    """Return the ranges of statements, and the ranges of prose outside of code."""
    statements: list[Span] = []
    prose: list[Span] = []
    at = _after_front_matter(data)
    begins = is_closed = True
    while at < len(data):
        line = _LINE.match(data, at)
        assert line is not None
        if begins and _MODULE.match(data, at) is not None:
            end = _statement_end(data, at)
            statements.append(Span(at, end))
            at = end
            continue
        fence = _FENCE.match(data, at)
        if fence is not None:
            at = _after_fence(data, line.end(), fence[1])
            begins = True
            continue
        begins = not line[0].strip()
        pieces = _without_code(data, at, line.end())
        close = _expressions_end(data, at, line.end(), pieces) if is_closed else -1
        is_closed = close >= 0  # braces that nothing closes are searched once
        if close > line.end():
            last = _LINE.match(data, close)
            pieces = [Span(at, last.end() if last is not None else len(data))]
        prose += pieces
        at = pieces[-1].end if pieces[-1].end > line.end() else line.end()
    return statements, prose


def _expressions_end(data: bytes, start: int, end: int, pieces: list[Span]) -> int:
    """Return where the last expression ends that begins in a line; -1 if one does not end, and 0 without expressions."""
    close = place = 0
    while (opened := _OPENED.search(data, max(start, close), end)) is not None:
        close = opened.end()
        while place < len(pieces) and pieces[place].end <= opened.start():
            place += 1
        if place < len(pieces) and pieces[place].start <= opened.start():
            close = code_end(data, opened.end(), min(len(data), opened.end() + _MAX_STATEMENT))
            if not 0 <= close < end:
                break
    return close


def _after_front_matter(data: bytes) -> int:
    opened = _FRONT_MATTER.match(data)
    closed = _CLOSING_FENCE.search(data, opened.end()) if opened is not None else None
    return closed.end() if closed is not None else 0


def _statement_end(data: bytes, start: int) -> int:
    """Return the end of a block of statements: the first blank line without an open bracket."""
    at = first = start
    for _ in range(_MAX_BLANK_LINES):
        blank = _BLANK_LINE.search(data, at)
        at = blank.start() + 1 if blank is not None else len(data)
        first = at if first == start else first
        if is_balanced(data, start, at):
            return at
        if at == len(data) or at - start > _MAX_STATEMENT:
            break
    return first


def _after_fence(data: bytes, at: int, fence: bytes) -> int:
    closing = re.compile(rb"^[ \t]{0,3}" + re.escape(fence) + rb"[`~]*[ \t]*\r?$", re.MULTILINE).search(data, at)
    return closing.end() if closing is not None else len(data)


def _without_code(data: bytes, start: int, end: int) -> list[Span]:
    """Return a line without the code in backticks."""
    spans: list[Span] = []
    pending = start
    ticks = list(_TICKS.finditer(data, start, end))
    lengths: dict[int, list[int]] = {}
    for place, each in enumerate(ticks):
        lengths.setdefault(len(each[0]), []).append(place)
    place = 0
    while place < len(ticks):
        same = lengths[len(ticks[place][0])]
        later = (
            next((other for other in same if other > place), None)
            if len(same) < 50
            else (place + 1 if place + 1 < len(ticks) else None)
        )
        if later is None:
            place += 1
            continue
        spans.append(Span(pending, ticks[place].start()))
        pending = ticks[later].end()
        place = later + 1
    spans.append(Span(pending, end))
    return spans
