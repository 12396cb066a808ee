"""Read an Astro file to its facts."""

from __future__ import annotations

import re
from itertools import chain
from typing import Final, NamedTuple

from ...facts.model import FileFacts
from ...files.source_text import SourceText
from ..base import SyntaxTree
from ..components.embedded import EmbeddedMarkup, code_end
from ..components.lowering import ComponentLowering
from ..components.markup import Braces, Event, MarkupReader, Open, Raw, Span
from ..components.placed_text import parse_only
from ..deep_stack import call_deeply
from .astro_global import read_global

_FENCE: Final = re.compile(rb"\s*---[ \t]*\r?\n")
_CLOSING_FENCE: Final = re.compile(rb"^---", re.MULTILINE)
_DIALECT: Final = "typescript"
#: Components that Astro provides without an import.
_BUILT_IN: Final = frozenset(("Fragment",))


class _Parts(NamedTuple):
    front_matter: list[Span]
    #: Contents of the scripts that run in the browser: each script is a module, and inline scripts together are the last group.
    scripts: list[list[Span]]
    events: list[Event]


def read_file(source: SourceText) -> FileFacts:
    """Return the facts of an Astro file. Raises `RecursionError` if its code nests too deeply."""
    parts = _parts(source.data)

    def lowered() -> FileFacts:
        component = ComponentLowering(source, _DIALECT, parts.front_matter, [])
        component.lower_apart(parts.scripts)
        markup = EmbeddedMarkup(component, parts.events, _BUILT_IN)
        markup.lower()
        read_global(component, markup)
        component.export_component()
        return component.facts(markup.texts)

    return call_deeply(lowered)


def parse_scripts(data: bytes) -> SyntaxTree:
    """Return the syntax tree of the front matter and the scripts of a file."""
    parts = _parts(data)
    return parse_only(data, [*parts.front_matter, *sorted(chain.from_iterable(parts.scripts))], _DIALECT)


def _parts(data: bytes) -> _Parts:
    fence = _FENCE.match(data)
    front: list[Span] = []
    at = 0
    if fence is not None:
        closing = _CLOSING_FENCE.search(data, fence.end())
        front = [Span(fence.end(), closing.start() if closing is not None else len(data))]
        at = closing.end() if closing is not None else len(data)
    events = list(MarkupReader(data, Braces.CODE, code_end=code_end).events(at, len(data)))
    scripts = [event for event in events if isinstance(event, Raw) and event.tag.name == "script"]
    modules = [[event.content] for event in scripts if not _is_inline(event.tag)]
    return _Parts(front, [*modules, [event.content for event in scripts if _is_inline(event.tag)]], events)


def _is_inline(tag: Open) -> bool:
    """Return whether a script reaches the browser as it is written. The names of such a script are global."""
    return any(tag.attribute(name) is not None for name in ("is:inline", "define:vars"))
