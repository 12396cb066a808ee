"""Repair gaps: parse, try the edits of known gaps near the errors, and keep the edits that reduce the errors."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import cached_property
from typing import Final

from ...parse_budget import SlowSource
from .edits import Edit, GapSource
from .gaps import FLOW, PLAUSIBLE, UNAMBIGUOUS, Gap
from .markup import ampersands_in_markup
from .mask import masked
from .trees import Attempt, ErrorSite, Grammar

#: Maximum distance in bytes from an error, or from the node that contains it, at which edits are tried first.
_MAX_DISTANCE: Final = 400
#: Maximum number of further parses of one file.
_MAX_PARSES: Final = 16
#: Maximum total number of bytes of the further parses, which limits their number for large files.
_MAX_PARSED_BYTES: Final = 4_000_000
#: Minimum number of further parses, however large the file is.
_MIN_PARSES: Final = 6


def repaired(grammar: Grammar, first: Attempt, dialect: str) -> tuple[Attempt, list[Edit]]:
    """Return the best attempt to repair the known gaps of `dialect`, and its edits."""
    return _Repair(grammar, first, dialect).run()


class _Repair:
    def __init__(self, grammar: Grammar, first: Attempt, dialect: str) -> None:
        self._grammar = grammar
        self._first = first
        self._best = first
        self._source = GapSource(first.data, masked(first.data))
        self._edits: list[Edit] = []
        self._plausible_edits: dict[str, list[Edit]] = {}
        self._parses_left = max(_MIN_PARSES, min(_MAX_PARSES, _MAX_PARSED_BYTES // (len(first.data) + 1)))
        self._dialect = dialect

    def run(self) -> tuple[Attempt, list[Edit]]:
        with suppress(SlowSource):  # return the best attempt so far
            while self._best.cost and self._improves():
                pass
        return self._best, self._edits

    @cached_property
    def _unambiguous(self) -> list[Edit]:
        return [edit for gap in UNAMBIGUOUS + FLOW for edit in self._edits_of_gap(gap)]

    def _edits_of_plausible_gaps(self) -> Iterator[list[Edit]]:
        """Yield the edits of each plausible gap. Edits are searched on demand, since the first often suffices."""
        for gap in PLAUSIBLE:
            if gap.name not in self._plausible_edits:
                self._plausible_edits[gap.name] = self._edits_of_gap(gap)
            yield self._plausible_edits[gap.name]

    def _edits_of_gap(self, gap: Gap) -> list[Edit]:
        if self._dialect not in gap.dialects or gap.required_text not in self._source.mask:
            return []
        return [edit._replace(gap=gap.name) for edit in gap.find(self._source)]

    def _improves(self) -> bool:
        """Return whether an attempt reduces the errors.

        The order is: all unambiguous gaps near errors, the plausible gaps one by one, all unambiguous gaps of the file, and
        unambiguous and plausible gaps together near errors.
        """
        near = _NearErrors(self._best)
        if self._accepts(filter(near.admits, self._unambiguous)):
            return True
        if self._accepts(ampersands_in_markup(self._best.data, (site.node for site in self._best.errors))):
            return True
        if any(self._accepts(filter(near.admits, edits)) for edits in self._edits_of_plausible_gaps()):
            return True
        plausible = [edit for edits in self._edits_of_plausible_gaps() for edit in edits]
        return self._accepts(self._unambiguous) or self._accepts(filter(near.admits, self._unambiguous + plausible))

    def _accepts(self, edits: Iterable[Edit]) -> bool:
        data = self._best.data
        chosen = [edit for edit in edits if data[edit.start : edit.end] != edit.replacement]
        if not chosen or self._parses_left == 0:
            return False
        self._parses_left -= 1
        attempt = self._grammar.next_attempt(self._best, chosen)
        if attempt.cost >= self._best.cost:
            return False
        self._best = attempt
        self._edits += chosen
        return True


class _NearErrors:
    """Admits edits within the node that contains an error, or close to it."""

    def __init__(self, attempt: Attempt) -> None:
        self._starts: list[int] = []
        self._ends: list[int] = []
        for start, end in sorted(map(_range_around, attempt.errors)):
            if self._ends and start <= self._ends[-1]:
                self._ends[-1] = max(end, self._ends[-1])
            else:
                self._starts.append(start)
                self._ends.append(end)

    def admits(self, edit: Edit) -> bool:
        span = bisect_right(self._starts, edit.start) - 1
        return span >= 0 and edit.start < self._ends[span]


def _range_around(site: ErrorSite) -> tuple[int, int]:
    holder = site.node if site.parent.type in ("program", "ERROR") else site.parent
    return holder.start_byte - _MAX_DISTANCE, holder.end_byte + _MAX_DISTANCE
