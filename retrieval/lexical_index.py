"""The lexical index: fielded BM25 over split identifiers, in numpy arrays that are mapped from one file.

A full-text index that scores each field by itself finds clearly less than BM25F, which adds up the weighted occurrences of
a word over all fields before it saturates them (Robertson, Zaragoza, Taylor: "Simple BM25 extension to multiple weighted
fields", 2004). Two choices make an entry a pure function of its chunk, so that a part of the index can be replaced without
touching the rest: field lengths are compared with fixed typical lengths instead of the corpus mean, and the rarity of a
term is computed when it is asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from ..schema.errors import IndexCorrupt
from ..schema.records import Chunk
from .words import find_words, split_word

FORMAT_VERSION = 1
_MAGIC = b"astrolabe-lexical\n"
_ALIGNMENT = 16


class Field(NamedTuple):
    """One field of a chunk: its weight, how strongly its length discounts it, and its typical length in terms."""

    weight: float
    length_discount: float
    typical_length: float
    text: Callable[[Chunk], str]


def _scope(chunk: Chunk) -> str:
    return " ".join(chunk.breadcrumb.split(" > ")[1:-1])


def _path_without_extension(chunk: Chunk) -> str:
    return chunk.relative_path.rpartition(".")[0]


#: Weights and discounts as found best on doc-comment search over open packages.
FIELDS: tuple[Field, ...] = (
    Field(8.0, 0.5, 3.0, lambda chunk: chunk.name),
    Field(3.0, 0.5, 1.5, _scope),
    Field(3.0, 0.5, 5.0, _path_without_extension),
    Field(1.0, 0.6, 15.0, lambda chunk: chunk.signature),
    Field(2.0, 0.6, 15.0, lambda chunk: chunk.jsdoc or ""),
    Field(1.0, 0.9, 60.0, lambda chunk: chunk.embedding_text),
)
#: Occurrences at which a term has half its full effect.
SATURATION = 4.0


class _Header(msgspec.Struct, frozen=True):
    """What stands at the head of the file: counts, from which the places of the arrays follow."""

    format_version: int
    documents: int
    terms: int
    term_bytes: int
    postings: int


class LexicalIndex:
    """Which chunks hold which terms, and how prominently. Documents are numbered as the rows of the chunk table, from 0."""

    def __init__(
        self,
        documents: int,
        terms: list[str],
        offsets: NDArray[np.int64],
        rows: NDArray[np.uint32],
        prominence: NDArray[np.uint8],
    ) -> None:
        """`offsets` has shape (len(terms) + 1,) and cuts `rows` and `prominence`, both of shape (postings,), by term."""
        self.documents = documents
        self._terms = terms
        self._offsets = offsets
        self._rows = rows
        self._prominence = prominence
        self._places = {term: place for place, term in enumerate(terms)}

    @classmethod
    def build(cls, chunks: Sequence[Chunk]) -> LexicalIndex:
        """Index the chunks; row numbers follow their order."""
        words = _WordNumbers()
        counted = [_count_words([field.text(chunk) for chunk in chunks], words) for field in FIELDS]
        terms, expansion = _expand_words(words)
        keys, weights = _weigh(counted, expansion, len(chunks))
        return cls(len(chunks), *_postings(keys, weights, terms, len(chunks)))

    def rarity(self, term: str) -> float:
        """The inverse document frequency of a term, in nats; that of a term held once for one that no document holds."""
        count = self.document_count(term)
        return float(np.log1p((self.documents - max(count, 1) + 0.5) / (max(count, 1) + 0.5)))

    def document_count(self, term: str) -> int:
        """Number of documents that hold the term."""
        place = self._places.get(term)
        return 0 if place is None else int(self._offsets[place + 1] - self._offsets[place])

    def scores(self, terms: Iterable[str]) -> NDArray[np.float32]:
        """Scores of all documents, shape (documents,): the sum over the terms of rarity times prominence (0 to 1)."""
        totals = np.zeros(self.documents, dtype=np.float32)
        for term in dict.fromkeys(terms):
            rows, prominence = self._posting(term)
            totals[rows] += np.float32(self.rarity(term) / 255.0) * prominence
        return totals

    def _posting(self, term: str) -> tuple[NDArray[np.uint32], NDArray[np.uint8]]:
        place = self._places.get(term)
        if place is None:
            return self._rows[:0], self._prominence[:0]
        start, end = int(self._offsets[place]), int(self._offsets[place + 1])
        return self._rows[start:end], self._prominence[start:end]

    def write(self, path: Path) -> None:
        """Write the index to a file."""
        spelled = "\n".join(self._terms).encode("utf-8", "surrogatepass")
        header = _Header(FORMAT_VERSION, self.documents, len(self._terms), len(spelled), len(self._rows))
        with path.open("wb") as file:
            file.write(_MAGIC)
            for block in (msgspec.json.encode(header) + b"\n", spelled, self._offsets, self._rows, self._prominence):
                file.write(block)  # type: ignore[arg-type]  # arrays are buffers
                file.write(b"\0" * (-file.tell() % _ALIGNMENT))

    @classmethod
    def open(cls, path: Path) -> LexicalIndex:
        """Map an index from its file. Raises IndexCorrupt when the file is missing, cut short or of another format."""
        try:
            return cls._map(path)
        except (OSError, ValueError, msgspec.MsgspecError) as error:
            raise IndexCorrupt(f"The lexical index {path} cannot be read ({error}); index again with --full.") from error

    @classmethod
    def _map(cls, path: Path) -> LexicalIndex:
        data = np.memmap(path, dtype=np.uint8, mode="r")
        head = bytes(data[:512])
        if not head.startswith(_MAGIC):
            raise ValueError("it has another format")
        line_end = head.index(b"\n", len(_MAGIC))
        header = msgspec.json.decode(head[len(_MAGIC) : line_end], type=_Header)
        if header.format_version != FORMAT_VERSION:
            raise ValueError(f"format {header.format_version}, not {FORMAT_VERSION}")
        start = line_end + 1
        blocks = []
        for size in (0, header.term_bytes, (header.terms + 1) * 8, header.postings * 4, header.postings):
            start += -start % _ALIGNMENT
            if start + size > len(data):
                raise ValueError("it is cut short")
            blocks.append(data[start : start + size])
            start += size
        spelled = bytes(blocks[1]).decode("utf-8", "surrogatepass")
        terms = spelled.split("\n") if header.terms else []
        return cls(header.documents, terms, blocks[2].view(np.int64), blocks[3].view(np.uint32), blocks[4])


class _WordNumbers(dict[str, int]):
    """Numbers words in the order in which they first come."""

    def __missing__(self, word: str) -> int:
        number = self[word] = len(self)
        return number


class _Counted(NamedTuple):
    """Distinct words of each document of one field: three parallel arrays of shape (pairs,)."""

    documents: NDArray[np.int64]
    words: NDArray[np.int64]
    counts: NDArray[np.int64]


class _Expansion(NamedTuple):
    """The terms of each word: `terms[offsets[w]:offsets[w + 1]]` belong to word w."""

    offsets: NDArray[np.int64]
    terms: NDArray[np.int64]


#: Packs a document and a word into one sortable number.
_SHIFT = np.int64(32)
_LOW = np.int64((1 << 32) - 1)


def _count_words(texts: Sequence[str], words: _WordNumbers) -> _Counted:
    number = words.__getitem__
    flat: list[int] = []
    lengths = np.empty(len(texts), dtype=np.int64)
    for place, text in enumerate(texts):
        found = find_words(text)
        lengths[place] = len(found)
        flat.extend(map(number, found))
    documents = np.repeat(np.arange(len(texts), dtype=np.int64), lengths)
    pairs, counts = np.unique((documents << _SHIFT) | np.array(flat, dtype=np.int64), return_counts=True)
    return _Counted(pairs >> _SHIFT, pairs & _LOW, counts)


def _expand_words(words: _WordNumbers) -> tuple[list[str], _Expansion]:
    """All terms, sorted, and the numbers of the terms of each word."""
    splits = [split_word(word) for word in words]
    terms = sorted({term for split in splits for term in split})
    place = {term: number for number, term in enumerate(terms)}
    offsets = np.zeros(len(splits) + 1, dtype=np.int64)
    np.cumsum([len(split) for split in splits], out=offsets[1:])
    return terms, _Expansion(offsets, np.array([place[term] for split in splits for term in split], dtype=np.int64))


def _weigh(counted: Sequence[_Counted], expansion: _Expansion, documents: int) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """(term, document) keys and the weighted occurrences behind each, over all fields; keys may repeat."""
    keys, weights = [], []
    spans = np.diff(expansion.offsets)
    for field, pairs in zip(FIELDS, counted, strict=True):
        repeats = spans[pairs.words]
        first = np.cumsum(repeats) - repeats
        within = np.arange(int(repeats.sum()), dtype=np.int64) - np.repeat(first, repeats)
        terms = expansion.terms[np.repeat(expansion.offsets[pairs.words], repeats) + within]
        rows = np.repeat(pairs.documents, repeats)
        occurrences = np.repeat(pairs.counts, repeats).astype(np.float64)
        lengths = np.bincount(rows, weights=occurrences, minlength=documents)
        discount = 1.0 - field.length_discount + field.length_discount * lengths / field.typical_length
        keys.append((terms << _SHIFT) | rows)
        weights.append(field.weight * occurrences / discount[rows])
    return np.concatenate(keys), np.concatenate(weights)


def _postings(
    keys: NDArray[np.int64], weights: NDArray[np.float64], terms: list[str], documents: int
) -> tuple[list[str], NDArray[np.int64], NDArray[np.uint32], NDArray[np.uint8]]:
    order = np.argsort(keys, kind="stable")
    keys = keys[order]
    starts = np.flatnonzero(np.diff(keys, prepend=np.int64(-1)))
    totals = np.add.reduceat(weights[order], starts) if len(starts) else weights
    keys = keys[starts]
    offsets = np.searchsorted(keys >> _SHIFT, np.arange(len(terms) + 1))
    prominence = np.rint(255.0 * totals / (totals + SATURATION)).clip(1, 255)
    return terms, offsets.astype(np.int64), (keys & _LOW).astype(np.uint32), prominence.astype(np.uint8)
