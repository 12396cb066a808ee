"""Find the blocks of a Vue file: the elements at its root."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from ..components.lowering import dialect_of
from ..components.markup import Braces, Close, Event, MarkupReader, Open, Raw, Span

_BARE: Final = rb"[^\s'\"()][^'\"()\n]{0,500}(?:\([^()\n]{0,500}\)[^()\n]{0,500})?"
#: An expression in a style, or a comment. An expression without quotes has at most one pair of brackets inside.
_STYLED: Final = re.compile(
    rb"/\*.*?\*/|//[^\n]*|\bv-bind\(\s*"
    rb"(?:\"(?P<double>[^\"\n]{1,500})\"|'(?P<single>[^'\n]{1,500})'|(?P<bare>" + _BARE + rb"))\s*\)",
    re.DOTALL,
)


class Blocks(NamedTuple):
    """The blocks of a file that are read."""

    #: Opening tag and content.
    scripts: list[tuple[Open, Span]]
    template: tuple[Open, list[Event]] | None
    #: The expressions in `v-bind(…)` of styles.
    styled: list[Span]
    #: Language of the scripts.
    dialect: str


def find_blocks(data: bytes) -> Blocks:
    """Return the blocks of a file. The first template counts, if it is HTML."""
    reader = MarkupReader(data, Braces.MUSTACHE, frozenset())
    scripts: list[tuple[Open, Span]] = []
    template: tuple[Open, list[Event]] | None = None
    styled: list[Span] = []
    at, end = 0, len(data)
    while at < end:
        event = next(iter(reader.events(at, end)), None)
        if event is None:
            break
        at = event.end + 2 if not isinstance(event, Open | Close | Raw) else event.end
        if not isinstance(event, Open) or event.is_closed:
            if isinstance(event, Open) and event.name == "script":
                scripts.append((event, Span(event.end, event.end)))
            continue
        if event.name == "template" and event.text("lang", data) in (None, "", "html"):
            inside, at = _template(data, event)
            template = template or (event, inside)
            continue
        content, at = reader.raw_content(event, end)
        if event.name == "script":
            scripts.append((event, content))
        elif event.name == "style":
            styled += _styled(data, content)
    langs = [lang for tag, _ in scripts if (lang := tag.text("lang", data))]
    return Blocks(scripts, template, styled, dialect_of(langs[0] if langs else None))


def _styled(data: bytes, style: Span) -> list[Span]:
    """Return the expressions in `v-bind(color)` and `v-bind('theme.color')` of a style."""
    return [
        Span(found.start(group), found.end(group))
        for found in _STYLED.finditer(data, style.start, style.end)
        for group in ("double", "single", "bare")
        if found.start(group) >= 0
    ]


def _template(data: bytes, tag: Open) -> tuple[list[Event], int]:
    """Return the content of a template, and the offset after its closing tag."""
    reader = MarkupReader(data, Braces.MUSTACHE)
    events: list[Event] = []
    depth = 1
    for event in reader.events(tag.end, len(data)):
        if isinstance(event, Open) and event.name == "template" and not event.is_closed:
            depth += 1
        elif isinstance(event, Close) and event.name == "template":
            depth -= 1
            if depth == 0:
                return events, event.end
        events.append(event)
    return events, len(data)
