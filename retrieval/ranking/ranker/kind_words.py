"""Which kind of declaration a description is about, by its words: "represents the options" a type, "checks whether" a function.

A logistic regression over the words of a question, learnt from the doc comments of open packages (`training/kinds.py`).
"""

from __future__ import annotations

import math
import re
from pathlib import Path

import msgspec
import numpy as np
from numpy.typing import NDArray

#: The learnt weights.
KINDS_PATH = Path(__file__).with_name("kind_words.json")

#: Kinds that are told apart, and those of chunks that count as one of them.
CLASSES = ("function", "method", "class", "interface", "type", "enum", "const", "property")
_CLASS_OF_KIND = {
    **{name: number for number, name in enumerate(CLASSES)},
    **dict.fromkeys(("constructor", "getter", "setter"), CLASSES.index("method")),
    "component": CLASSES.index("function"),
    "variable": CLASSES.index("const"),
    **dict.fromkeys(("namespace", "extension"), CLASSES.index("class")),
}
#: Added once, so that what is common is expected of a question without any known word.
CONSTANT = "*"
#: Marks the first word, which often says it alone.
FIRST = "^"
_WORD = re.compile(r"[a-z]+")
_LONGEST = 60


class KindWeights(msgspec.Struct, frozen=True):
    """What the file holds: for each word the weight of each class, in hundredths."""

    words: dict[str, list[int]]


class KindWords:
    """Tells how well kinds fit a description."""

    def __init__(self, weights: KindWeights) -> None:
        self._weights = weights.words

    def fits(self, text: str) -> NDArray[np.float32]:
        """Logarithm of the probability of each class, given the words, and at the end one of what is none of them."""
        sums = np.zeros(len(CLASSES))
        for word in description_words(text):
            sums += self._weights.get(word, 0)
        sums /= 100
        logarithms = sums - (sums.max() + math.log(float(np.exp(sums - sums.max()).sum())))
        return np.append(logarithms, logarithms.min()).astype(np.float32)


def class_of(kind: str) -> int:
    """Number of the class of a chunk's kind; one more than the last for what declares nothing."""
    return _CLASS_OF_KIND.get(kind, len(CLASSES))


def description_words(text: str) -> list[str]:
    """The words that are looked at, each once."""
    words = _WORD.findall(text.lower())[:_LONGEST]
    return [CONSTANT, *(FIRST + word for word in words[:1]), *dict.fromkeys(words)]


def read_kind_words(path: Path = KINDS_PATH) -> KindWords:
    """Those of a file that is part of the package."""
    return KindWords(msgspec.json.decode(path.read_bytes(), type=KindWeights))
