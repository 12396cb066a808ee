"""Listeners: functions and classes that take the messages of topics, queues and other channels."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from ...facts.api import ImportedName, Protocol, Service
from .expressions import Expressions, Handler

#: The name of a topic. Patterns of several topics and placeholders for settings contain other signs.
TOPIC: Final = re.compile(r"[\w./:-]+")


def listeners(
    at: Expressions, node: int, topics: Iterable[int], handler: Handler | None, framework: str, evidence: str
) -> Iterator[Service]:
    """Yield the listener of each topic. `node` is the call or the decorator, and `topics` are the nodes of the names of topics.

    A name may be a constant of another file. Without a handler, the function around the call takes the messages.
    """
    symbol = at.owner(node) if handler is None else at.symbol_of(handler, node)
    if symbol < 0:
        return
    for each in topics:
        text, constant = at.text(each), None
        if text is None:
            constant = imported_constant(at, each)
        if constant is not None or (text and TOPIC.fullmatch(text) is not None):
            name = handler.name if handler is not None else None
            yield Service(Protocol.TOPIC, "", text or "", symbol, name, at.line(node), framework, evidence, "", constant)


def imported_constant(at: Expressions, node: int) -> ImportedName | None:
    """Return the name of another file to which an expression refers; None for other expressions."""
    found = at.handler(node)
    return found.name if found is not None else None
