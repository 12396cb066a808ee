"""Parsing with gaps mended: parse, look where the errors are, try the edits of known gaps there, keep what lowers the errors."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Final

from .edits import Edit, GapSource
from .gaps import FLOW, PLAUSIBLE, UNAMBIGUOUS, Gap
from .markup import ampersands_in_markup
from .mask import masked
from .trees import Attempt, ErrorSite, Grammar

#: Edits farther than this from an error and outside the node that holds it are not tried at first.
_NEAR: Final = 400
#: Parses that one file may cost beyond the first; a large file gets fewer.
_MAX_PARSES: Final = 16
_MOST_BYTES: Final = 4_000_000
_MIN_PARSES: Final = 6


def repaired(grammar: Grammar, first: Attempt, dialect: str) -> tuple[Attempt, list[Edit]]:
    """The best attempt that the known gaps of `dialect` lead to, and the edits it holds."""
    return _Repair(grammar, first, dialect).run()


class _Repair:
    def __init__(self, grammar: Grammar, first: Attempt, dialect: str) -> None:
        self._grammar = grammar
        self._first = first
        self._best = first
        self._source = GapSource(first.data, masked(first.data))
        self._edits: list[Edit] = []
        self._plausible_edits: dict[str, list[Edit]] = {}
        self._parses_left = max(_MIN_PARSES, min(_MAX_PARSES, _MOST_BYTES // (len(first.data) + 1)))
        self._dialect = dialect

    def run(self) -> tuple[Attempt, list[Edit]]:
        while self._best.cost and self._improves():
            pass
        return self._best, self._edits

    @cached_property
    def _unambiguous(self) -> list[Edit]:
        return [edit for gap in UNAMBIGUOUS + FLOW for edit in self._found(gap)]

    def _plausible(self) -> Iterator[list[Edit]]:
        """The edits of one plausible gap after the other. They are looked for as they are asked for: the first often does."""
        for gap in PLAUSIBLE:
            if gap.name not in self._plausible_edits:
                self._plausible_edits[gap.name] = self._found(gap)
            yield self._plausible_edits[gap.name]

    def _found(self, gap: Gap) -> list[Edit]:
        if self._dialect not in gap.dialects or gap.sign not in self._source.mask:
            return []
        return [edit._replace(gap=gap.name) for edit in gap.find(self._source)]

    def _improves(self) -> bool:
        """Whether an attempt lowers the errors.

        Tried are all unambiguous gaps near errors, then one plausible gap after the other, then all unambiguous ones of the file,
        then both.
        """
        near = _Near(self._best)
        if self._accepts(filter(near.admits, self._unambiguous)):
            return True
        if self._accepts(ampersands_in_markup(self._best.data, (site.node for site in self._best.errors))):
            return True
        if any(self._accepts(filter(near.admits, edits)) for edits in self._plausible()):
            return True
        plausible = [edit for edits in self._plausible() for edit in edits]
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


class _Near:
    """Admits edits within the node that holds an error, or close to the error."""

    def __init__(self, attempt: Attempt) -> None:
        self._starts: list[int] = []
        self._ends: list[int] = []
        for start, end in sorted(map(_surroundings, attempt.errors)):
            if self._ends and start <= self._ends[-1]:
                self._ends[-1] = max(end, self._ends[-1])
            else:
                self._starts.append(start)
                self._ends.append(end)

    def admits(self, edit: Edit) -> bool:
        """Whether the edit begins near an error."""
        span = bisect_right(self._starts, edit.start) - 1
        return span >= 0 and edit.start < self._ends[span]


def _surroundings(site: ErrorSite) -> tuple[int, int]:
    holder = site.node if site.parent.type in ("program", "ERROR") else site.parent
    return holder.start_byte - _NEAR, holder.end_byte + _NEAR
