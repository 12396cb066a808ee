"""Initial parameters: pretrained vectors reduced to the model's dimensions, weights by rarity, and words of similar meaning."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]

#: Cosine from which two words are similar in meaning.
_SAME_MEANING = 0.5
_NEIGHBOURS = 4
#: Root mean square length of a random vector.
_RANDOM_LENGTH = 0.3


def reduced(vectors: Floats, dimensions: int) -> Floats:
    """Return the principal components of the centered vectors, scaled to a mean length of 1."""
    centred = vectors - vectors.mean(0)
    _, directions = np.linalg.eigh(centred.T @ centred)
    projected = centred @ directions[:, ::-1][:, :dimensions]
    return np.asarray(projected / np.linalg.norm(projected, axis=1).mean(), np.float32)


def initial_vectors(
    words: Sequence[str], buckets: int, tokens: Sequence[str], vectors: Floats, dimensions: int, seed: int
) -> Floats:
    """Return rows for words and n-gram buckets: the pretrained vector of a word if there is one, else a small random vector."""
    chance = np.random.default_rng(seed)
    rows = chance.standard_normal((len(words) + buckets, dimensions)).astype(np.float32) * np.float32(
        _RANDOM_LENGTH / dimensions**0.5
    )
    place = {token: index for index, token in enumerate(tokens)}
    known = [index for index, word in enumerate(words) if word in place]
    rows[known] = reduced(vectors, dimensions)[[place[words[index]] for index in known]]
    return rows


def initial_weights(frequencies: NDArray[np.int64], documents: int) -> Floats:
    """Return the logarithm of each word's weight, which decreases with the share of documents that contain the word.

    The last value is for unknown words.
    """
    shares = np.append(np.maximum(frequencies, 1), 1) / documents
    return np.asarray(0.7 * np.log(0.01 / (0.01 + shares)), np.float32)


def neighbours_in_meaning(words: Sequence[str], tokens: Sequence[str], vectors: Floats) -> NDArray[np.int64]:
    """Return up to four nearest words for each word, of shape (words, 4), padded with -1 if fewer words are similar enough."""
    place = {token: index for index, token in enumerate(tokens)}
    known = np.array([index for index, word in enumerate(words) if word in place])
    centred = vectors[[place[words[index]] for index in known]] - vectors.mean(0)
    centred /= np.linalg.norm(centred, axis=1, keepdims=True)
    found = np.full((len(words), _NEIGHBOURS), -1, np.int64)
    for start in range(0, len(known), 2000):
        scores = centred[start : start + 2000] @ centred.T
        scores[np.arange(len(scores)), start + np.arange(len(scores))] = -1
        nearest = np.argpartition(-scores, _NEIGHBOURS, axis=1)[:, :_NEIGHBOURS]
        near = np.take_along_axis(scores, nearest, axis=1) > _SAME_MEANING
        found[known[start : start + 2000]] = np.where(near, known[nearest], -1)
    return found
