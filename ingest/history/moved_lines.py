"""Find from where a commit moved lines that it added: lines with mostly the same texts that it removed elsewhere."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from .patches import FileDifference, Hunk

#: Minimum share of the lines with words that must have been removed elsewhere, in percent, and the length of their texts.
_MIN_SHARE = 60
_MIN_LENGTH = 20
#: Texts that were removed more often say nothing about the origin of a line.
_MAX_PLACES = 50
#: A line that says something: not only brackets.
_WORD = re.compile(rb"\w{3}")


class Origin(NamedTuple):
    """Lines before a commit moved them, from 1, both included."""

    path: str
    first: int
    last: int


class RemovedLines:
    """The lines that a commit removed, by text."""

    def __init__(self, differences: Sequence[FileDifference]) -> None:
        self._texts: list[bytes] = []
        #: The numbers of the lines before the commit.
        self._numbers: list[int] = []
        self._paths: list[str] = []
        #: Where the lines of each path begin.
        self._starts: list[int] = []
        for each in differences:
            if each.removed:
                self._paths.append(each.old_path)
                self._starts.append(len(self._texts))
                self._texts += each.removed
                self._numbers += _removed_numbers(each.hunks)
        self._places: dict[bytes, list[int]] = {}
        for place, text in enumerate(self._texts):
            self._places.setdefault(text, []).append(place)

    def origin(self, lines: Sequence[bytes]) -> Origin | None:
        """Return where lines come from, or None if they are new. `lines` have no white space at both ends.

        A single line has no origin, because the same import or assignment stands in many files.
        """
        words = [(offset, text) for offset, text in enumerate(lines) if _WORD.search(text)]
        if len(words) < 2:
            return None
        votes: Counter[int] = Counter()
        for offset, text in words:
            places = self._places.get(text, ())
            if len(places) <= _MAX_PLACES:
                votes.update(place - offset for place in places)
        if not votes:
            return None
        start = max(votes, key=lambda each: (votes[each], -each))
        matched = list(self._matched(words, start, slack=len(lines) // 4 + 2))
        length = sum(len(self._texts[place]) for place in matched)
        if len(matched) * 100 < len(words) * _MIN_SHARE or length < _MIN_LENGTH:
            return None
        file = bisect_right(self._starts, matched[0]) - 1
        first = max(min(start, matched[0]), self._starts[file])
        last = self._end(matched[-1], lines[words[-1][0] + 1 :])
        return Origin(self._paths[file], self._numbers[first], self._numbers[last])

    def _matched(self, words: Sequence[tuple[int, bytes]], start: int, slack: int) -> Iterator[int]:
        """Yield the places of the lines that were moved, in order, near the places that follow from `start`."""
        file = bisect_right(self._starts, next(self._near(words, start))) - 1
        place = self._starts[file] - 1
        end = self._starts[file + 1] if file + 1 < len(self._starts) else len(self._texts)
        for offset, text in words:
            places = self._places.get(text, [])
            following = bisect_right(places, max(place, start + offset - slack - 1))
            if following < len(places) and places[following] < min(end, start + offset + slack + 1):
                place = places[following]
                yield place

    def _near(self, words: Sequence[tuple[int, bytes]], start: int) -> Iterator[int]:
        """Yield the places that lines have if nothing was changed when they were moved."""
        texts = self._texts
        return (start + offset for offset, text in words if 0 <= start + offset < len(texts) and texts[start + offset] == text)

    def _end(self, place: int, closing: Sequence[bytes]) -> int:
        """Return the last of the lines that follow a place and are the same as `closing`, such as brackets."""
        for text in closing:
            if place + 1 < len(self._texts) and self._texts[place + 1] == text and place + 1 not in self._starts:
                place += 1
        return place


def added_lines(difference: FileDifference, first: int, last: int) -> list[bytes]:
    """Return the texts of lines that a commit added; lines that it did not add are left out."""
    found: list[bytes] = []
    place = 0
    for hunk in difference.hunks:
        begin, end = max(first, hunk.new), min(last, hunk.new + hunk.new_count - 1)
        if begin <= end:
            found += difference.added[place + begin - hunk.new : place + end - hunk.new + 1]
        place += hunk.new_count
    return found


def _removed_numbers(hunks: Sequence[Hunk]) -> Iterator[int]:
    for hunk in hunks:
        yield from range(hunk.old, hunk.old + hunk.old_count)
