"""What records cost as JSON, the form in which the structural tools count against a budget."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

import msgspec

from .tokens import tokens_of_characters

Item = TypeVar("Item")
Answer = TypeVar("Answer", bound=msgspec.Struct)


def json_length(value: Any) -> int:
    """Characters of a value as compact JSON."""
    return len(msgspec.json.encode(value).decode())


def characters(value: Any) -> int:
    """Length of a record as compact JSON, with the comma behind it."""
    return json_length(value) + 1


def fitting(items: Sequence[Item], room: int) -> tuple[list[Item], int]:
    """The items from the front whose JSON fits the room together, and the characters that they take."""
    kept: list[Item] = []
    used = 0
    for item in items:
        cost = characters(item)
        if used + cost > room:
            break
        used += cost
        kept.append(item)
    return kept, used


def measured(answer: Answer) -> Answer:
    """An answer with the field `tokens`, filled in; the count is that of the answer as it was given."""
    return msgspec.structs.replace(answer, tokens=tokens_of_characters(json_length(answer)))
