"""The lexical index: fielded BM25 over split identifiers, in numpy arrays that are mapped from one file.

The weight of a term in a document is computed for the index (`postings.py`), and the rarity of a term for each query. So rows can
be replaced without changes to the other rows.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from ...schema.errors import IndexCorrupt
from ...schema.records import Chunk
from .postings import build_postings

FORMAT_VERSION = 2
_MAGIC = b"astrolabe-lexical\n"
_ALIGNMENT = 16


class _Header(msgspec.Struct, frozen=True):
    """The header of the file: counts that determine the offsets of the arrays."""

    format_version: int
    documents: int
    row_limit: int
    terms: int
    term_bytes: int
    postings: int


class Matches(NamedTuple):
    """How well each document matches some terms; arrays of shape (row_limit,)."""

    #: Sum of rarity times prominence (0 to 1) over all terms.
    scores: NDArray[np.float32]
    #: Sum of the rarities of the terms that occur in the document.
    rarities: NDArray[np.float32]
    #: Number of terms that occur in the document.
    counts: NDArray[np.float32]


def _with_inserted(words: list[str], places: Sequence[int], new: Sequence[str]) -> list[str]:
    """Return the list of words with new words inserted.

    Each new word comes before the word at the index in `places`, which is in ascending order.
    """
    found: list[str] = []
    begin = 0
    for place, word in zip(places, new, strict=True):
        found += words[begin:place]
        found.append(word)
        begin = place
    return found + words[begin:]


def _without(words: list[str], places: Sequence[int]) -> list[str]:
    """Return the list without the words at the indices `places`, which are in ascending order."""
    found: list[str] = []
    begin = 0
    for place in places:
        found += words[begin:place]
        begin = place + 1
    return found + words[begin:]


class LexicalIndex:
    """Maps terms to the chunks that contain them, with the prominence of each term.

    The row number in the chunk table identifies a document. The numbers of replaced rows are not used again.
    """

    def __init__(
        self,
        documents: int,
        row_limit: int,
        terms: list[str],
        offsets: NDArray[np.int64],
        rows: NDArray[np.uint32],
        prominence: NDArray[np.uint8],
    ) -> None:
        """Create an index from its arrays. All row numbers are below `row_limit`, and `documents` is the number of rows in use.

        `offsets` has shape (len(terms) + 1,) and cuts `rows` and `prominence`, both of shape (postings,), by term.
        """
        self.documents = documents
        self.row_limit = row_limit
        self._terms = terms
        self._offsets = offsets
        self._rows = rows
        self._prominence = prominence
        self._places = {term: place for place, term in enumerate(terms)}
        self._rarities: dict[str, float] = {}

    @classmethod
    def build(cls, chunks: Sequence[Chunk]) -> LexicalIndex:
        """Index the chunks; row numbers follow their order."""
        return cls(len(chunks), len(chunks), *build_postings(chunks))

    def updated(self, removed: NDArray[np.uint32], chunks: Sequence[Chunk]) -> LexicalIndex:
        """Return an index without the removed rows, and with new chunks in the rows from `row_limit` on."""
        terms, offsets, rows, prominence = build_postings(chunks)
        is_removed = np.zeros(self.row_limit, np.bool_)
        is_removed[removed] = True
        gone = np.flatnonzero(is_removed[self._rows])
        counts = np.diff(self._offsets)
        np.subtract.at(counts, np.searchsorted(self._offsets, gone, side="right") - 1, 1)
        new_counts = np.diff(offsets)
        known = np.array([self._places.get(term, -1) for term in terms], np.intp)
        # New rows come after all old rows, so new postings come after the last old posting of their term.
        unknown = np.flatnonzero(known < 0)
        before = np.array([bisect_left(self._terms, terms[place]) for place in unknown.tolist()], np.intp)
        behind = self._offsets[known + 1]
        behind[unknown] = self._offsets[before]
        counts[known[known >= 0]] += new_counts[known >= 0]
        counts = np.insert(counts, before, new_counts[unknown])
        spelled = _with_inserted(self._terms, before.tolist(), [terms[place] for place in unknown.tolist()])
        lost = np.flatnonzero(counts == 0)
        if len(lost):
            counts = np.delete(counts, lost)
            spelled = _without(spelled, lost.tolist())
        at = np.repeat(behind, new_counts)
        at -= np.searchsorted(gone, at)
        all_rows = np.insert(np.delete(self._rows, gone), at, rows + np.uint32(self.row_limit))
        all_prominence = np.insert(np.delete(self._prominence, gone), at, prominence)
        documents = self.documents - len(removed) + len(chunks)
        ends = np.concatenate([np.zeros(1, np.int64), np.cumsum(counts)])
        return LexicalIndex(documents, self.row_limit + len(chunks), spelled, ends, all_rows, all_prominence)

    @property
    def terms(self) -> list[str]:
        """All terms, sorted. Callers must not change the list."""
        return self._terms

    def rarity(self, term: str) -> float:
        """Return the inverse document frequency of a term in nats. An unknown term has the frequency of a term in one
        document.
        """
        known = self._rarities.get(term)
        if known is None:
            count = max(self.document_count(term), 1)
            known = math.log1p((self.documents - count + 0.5) / (count + 0.5))
            if term in self._places:  # the number of unknown terms is unlimited, so they are not cached
                self._rarities[term] = known
        return known

    def document_count(self, term: str) -> int:
        """Return the number of documents that contain the term."""
        place = self._places.get(term)
        return 0 if place is None else int(self._offsets[place + 1] - self._offsets[place])

    def matches(self, terms: Iterable[str]) -> Matches:
        """Return how well each document matches the terms."""
        found = Matches(*(np.zeros(self.row_limit, np.float32) for _ in Matches._fields))
        for term in dict.fromkeys(terms):
            rows, prominence = self.posting(term)
            rarity = np.float32(self.rarity(term))
            found.scores[rows] += rarity / np.float32(255.0) * prominence
            found.rarities[rows] += rarity
            found.counts[rows] += 1
        return found

    def posting(self, term: str) -> tuple[NDArray[np.uint32], NDArray[np.uint8]]:
        """Return the rows that contain a term, in ascending order, and the term's prominence in each row (1 to 255)."""
        place = self._places.get(term)
        if place is None:
            return self._rows[:0], self._prominence[:0]
        start, end = int(self._offsets[place]), int(self._offsets[place + 1])
        return self._rows[start:end], self._prominence[start:end]

    def write(self, path: Path) -> None:
        """Write the index to a file."""
        spelled = "\n".join(self._terms).encode("utf-8", "surrogatepass")
        header = _Header(FORMAT_VERSION, self.documents, self.row_limit, len(self._terms), len(spelled), len(self._rows))
        with path.open("wb") as file:
            file.write(_MAGIC)
            for block in (msgspec.json.encode(header) + b"\n", spelled, self._offsets, self._rows, self._prominence):
                file.write(block)  # type: ignore[arg-type]  # arrays are buffers
                file.write(b"\0" * (-file.tell() % _ALIGNMENT))

    @classmethod
    def open(cls, path: Path) -> LexicalIndex:
        """Map an index from its file. Raises IndexCorrupt if the file is missing, truncated or of another format."""
        try:
            return cls._map(path)
        except (OSError, ValueError, msgspec.MsgspecError) as error:
            raise IndexCorrupt(f"The lexical index {path} cannot be read ({error}).") from error

    @classmethod
    def _map(cls, path: Path) -> LexicalIndex:
        # A plain array avoids a call into Python for each slice of a memmap object.
        data = np.asarray(np.memmap(path, dtype=np.uint8, mode="r"))
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
        return cls(header.documents, header.row_limit, terms, blocks[2].view(np.int64), blocks[3].view(np.uint32), blocks[4])
