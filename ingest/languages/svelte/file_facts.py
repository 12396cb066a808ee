"""Read a Svelte file and return its facts."""

from __future__ import annotations

import re

from ...facts.model import FileFacts
from ...files.source_text import SourceText
from ..base import SyntaxTree
from ..components.expression_scan import expression_end
from ..components.lowering import ComponentLowering, dialect_of
from ..components.markup import Braces, Event, MarkupReader, Open, Raw, Span
from ..components.placed_text import parse_only
from ..deep_stack import call_deeply
from .dispatched_events import read_dispatched_events
from .scripts import read_scripts, read_stores
from .special_names import read_special_values
from .template import Template

#: The end of a block, such as `/if}`. Its slash begins no regular expression, even if another slash is on the line.
_BLOCK_END = re.compile(rb"\s{0,100}/[a-z]{1,20}\s{0,100}\}")


def _code_end(data: bytes, start: int, end: int) -> int:
    """Return the offset of the `}` that closes the code from `start` on, or -1 if there is none before `end`."""
    block = _BLOCK_END.match(data, start, end)
    return block.end() - 1 if block is not None else expression_end(data, start, end)


def read_file(source: SourceText) -> FileFacts:
    """Return the facts of a Svelte file. Raises `RecursionError` if its code nests too deeply."""
    data = source.data
    events = list(MarkupReader(data, Braces.CODE, code_end=_code_end).events(0, len(data)))
    scripts, dialect = _scripts(data, events)

    def lowered() -> FileFacts:
        outer = [content for tag, content in scripts if _is_module(tag, data)]
        generics = [at.value for tag, _ in scripts if (at := tag.attribute("generics")) is not None and at.value is not None]
        component = ComponentLowering(source, dialect, [content for _, content in scripts], outer, generics)
        instance = [content for tag, content in scripts if not _is_module(tag, data)]
        read_scripts(component, instance)
        template = Template(component, events)
        template.lower()
        read_dispatched_events(component)
        read_stores(component)
        read_special_values(component)
        component.export_component()
        return component.facts(template.texts)

    return call_deeply(lowered)


def parse_scripts(data: bytes) -> SyntaxTree:
    """Return the syntax tree of the scripts of a file."""
    scripts, dialect = _scripts(data, list(MarkupReader(data, Braces.CODE, code_end=_code_end).events(0, len(data))))
    return parse_only(data, [content for _, content in scripts], dialect)


def _scripts(data: bytes, events: list[Event]) -> tuple[list[tuple[Open, Span]], str]:
    """Return the scripts at the root with their tags, and their language."""
    found: list[tuple[Open, Span]] = []
    depth = 0
    for event in events:
        if isinstance(event, Raw) and event.tag.name == "script" and depth == 0:
            found.append((event.tag, event.content))
        elif isinstance(event, Open) and event.name == "svelte:head" and not event.is_closed:
            depth += 1
        elif not isinstance(event, Open | Raw) and getattr(event, "name", "") == "svelte:head":
            depth = max(depth - 1, 0)
    langs = [lang for tag, _ in found if (lang := tag.text("lang", data))]
    return found, dialect_of(langs[0] if langs else None)


def _is_module(tag: Open, data: bytes) -> bool:
    return tag.attribute("module") is not None or tag.text("context", data) == "module"
