"""Read the bare names of types."""

from __future__ import annotations

import re
from typing import Final

from ...symbols.headers import MAX_NAME_LENGTH

#: Everything from the type arguments on.
_ARGUMENTS: Final = re.compile(r"[<\[({].*", re.DOTALL)
#: Lifetimes, keywords and signs before the name of a type.
_BEFORE_TYPES: Final = re.compile(r"'\w+|\b(?:dyn|mut|const|ref)\b|[&*?]")
_WORD: Final = re.compile(r"[^\W\d]\w*")


def type_name(text: str) -> str:
    """Return the bare name of a type: `&mut fmt::Formatter<'_>` is a `Formatter`."""
    words = _WORD.findall(_ARGUMENTS.sub("", _BEFORE_TYPES.sub(" ", text)))
    return words[-1] if words else " ".join(text.split())[:MAX_NAME_LENGTH]
