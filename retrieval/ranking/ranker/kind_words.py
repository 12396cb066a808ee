"""Predict which kind of declaration a description means: a type for "represents the options", a function for "checks whether".

The model is a logistic regression over the words of a query, trained on the doc comments of open-source packages.
"""

from __future__ import annotations

import math
import re
from pathlib import Path

import msgspec
import numpy as np
from numpy.typing import NDArray

#: File of the learned weights.
KINDS_PATH = Path(__file__).with_name("kind_words.json")

#: The predicted classes of kinds.
CLASSES = ("function", "method", "class", "interface", "type", "enum", "const", "property")
#: For each kind of chunk, the index of its class in `CLASSES`.
_CLASS_OF_KIND = {
    **{name: number for number, name in enumerate(CLASSES)},
    **dict.fromkeys(("constructor", "getter", "setter"), CLASSES.index("method")),
    "component": CLASSES.index("function"),
    "variable": CLASSES.index("const"),
    **dict.fromkeys(("namespace", "extension"), CLASSES.index("class")),
}
#: Feature of every description. Its weights are the bias of the model.
CONSTANT = "*"
#: Mark before the first word. The first word has weights of its own, because it often decides the kind.
FIRST = "^"
_WORD = re.compile(r"[a-z]+")
#: Maximum number of words of a description that are read.
_MAX_WORDS = 60


class KindWeights(msgspec.Struct, frozen=True):
    """The file: for each word the weight of each class, in hundredths."""

    words: dict[str, list[int]]


class KindWords:
    """Predicts how well each class of kinds matches a description."""

    def __init__(self, weights: KindWeights) -> None:
        self._weights = weights.words

    def fits(self, text: str) -> NDArray[np.float32]:
        """Return the log-probability of each class. A last entry, for kinds without a class, repeats the lowest value."""
        sums = np.zeros(len(CLASSES))
        for word in description_words(text):
            sums += self._weights.get(word, 0)
        sums /= 100
        logarithms = sums - (sums.max() + math.log(float(np.exp(sums - sums.max()).sum())))
        return np.append(logarithms, logarithms.min()).astype(np.float32)


def class_of(kind: str) -> int:
    """Return the index in `CLASSES` of the class of a chunk's kind, or the length of `CLASSES` if the kind has no class."""
    return _CLASS_OF_KIND.get(kind, len(CLASSES))


def description_words(text: str) -> list[str]:
    """Return the distinct words of a description that the model reads."""
    words = _WORD.findall(text.lower())[:_MAX_WORDS]
    return [CONSTANT, *(FIRST + word for word in words[:1]), *dict.fromkeys(words)]


def read_kind_words(path: Path = KINDS_PATH) -> KindWords:
    """Read the model from a file of the package."""
    return KindWords(msgspec.json.decode(path.read_bytes(), type=KindWeights))
