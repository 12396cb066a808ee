"""The record of completions in notebooks and in the console."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

import msgspec

CompletionKind = Literal["label", "edge", "property", "function", "keyword", "variable", "parameter", "operation", "value"]


class Completion(msgspec.Struct, frozen=True):
    """A text that may be inserted at the cursor."""

    text: str
    kind: CompletionKind
    #: Meaning of the text; "" if the text is self-explanatory.
    detail: str = ""


class Completions(msgspec.Struct, frozen=True):
    """The completions of the word before the cursor."""

    #: Offset of the word. A completion replaces the text from this offset to the cursor.
    start: int
    items: tuple[Completion, ...]


def matching(word: str, start: int, candidates: Iterable[Completion]) -> Completions:
    """Return the candidates that begin with a word, then the candidates that contain it, ignoring case and without duplicates."""
    wanted = word.lower()
    unique = {candidate.text: candidate for candidate in reversed(list(candidates))}
    known = [unique[text] for text in reversed(unique)]
    first = [item for item in known if item.text.lower().startswith(wanted)]
    within = [item for item in known if wanted in item.text.lower() and not item.text.lower().startswith(wanted)]
    return Completions(start, tuple(first + within))
