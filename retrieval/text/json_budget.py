"""Measure records as compact JSON, which the budget of the structural tools limits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

import msgspec

from .tokens import tokens_of_characters

Item = TypeVar("Item")
Answer = TypeVar("Answer", bound=msgspec.Struct)


def json_length(value: Any) -> int:
    """Return the number of characters of a value as compact JSON."""
    return len(msgspec.json.encode(value).decode())


def characters(value: Any) -> int:
    """Return the number of characters of a record as compact JSON, including the comma after it."""
    return json_length(value) + 1


def fitting(items: Sequence[Item], room: int) -> tuple[list[Item], int]:
    """Return the longest prefix of the items whose JSON fits in `room` characters, and its number of characters."""
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
    """Return the answer with the field `tokens` set to the size of the answer before the field was set."""
    return msgspec.structs.replace(answer, tokens=tokens_of_characters(json_length(answer)))
