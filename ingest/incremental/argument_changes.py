"""Find the arguments from call sites after some files changed, and the files whose inferred types change with them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Set
from typing import Final

from ..facts.given import Given, GivenArguments, GivenLookup, GivenToFile, merged, trimmed
from ..nominal.call_sites.call_site_types import ROUNDS

#: Returns the arguments from the call sites of a file, given the arguments of the round before, or None in the first round.
GivenBy = Callable[[str, GivenLookup | None], Given]


class GivenTable:
    """The arguments that all files pass to parameters in one round, by path of the file that declares the parameters."""

    def __init__(
        self,
        rounds: Mapping[str, list[Given]],
        callers: Mapping[str, Collection[str]],
        number: int,
        former: GivenTable | None = None,
    ) -> None:
        """`rounds` is by path of the calling file, and `callers` maps each file to the files that call its functions.

        `former` is the table of the previous round. Its merged arguments are reused if their parts are the same.
        """
        self._rounds: Final = rounds
        self._callers: Final = callers
        self._number: Final = number
        self._former: Final = former
        self._parts: Final[dict[str, list[GivenToFile]]] = {}
        self._found: Final[dict[str, GivenToFile]] = {}

    def get(self, path: str, /) -> GivenToFile | None:
        """Return the types of arguments that the functions of a file receive; None if the functions receive no arguments."""
        if path not in self._found:
            number, rounds = self._number, self._rounds
            given = [_at(rounds.get(caller, []), number) for caller in sorted(self._callers.get(path, ()))]
            parts = self._parts[path] = [each[path] for each in given if path in each]
            known = self._former.merged_from(path, parts) if self._former is not None else None
            self._found[path] = merged({path: part} for part in parts).get(path, {}) if known is None else known
        return self._found[path] or None

    def merged_from(self, path: str, parts: list[GivenToFile]) -> GivenToFile | None:
        """Return the arguments that the functions of a file receive, if they were merged from the same parts; else None."""
        known = self._parts.get(path)
        if known is None or len(known) != len(parts) or any(one is not other for one, other in zip(known, parts, strict=True)):
            return None
        return self._found[path]


def _at(rounds: list[Given], number: int) -> Given:
    """Return the round `number`. The last stored round is valid for all later rounds."""
    return rounds[min(number, len(rounds) - 1)] if rounds else {}


def _calling_files(rounds: Mapping[str, list[Given]]) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for caller, all_given in rounds.items():
        for given in all_given:
            for path in given:
                found.setdefault(path, set()).add(caller)
    return found


class ArgumentChanges:
    """The call sites of a repository in their former and in their current state."""

    def __init__(self, before: Mapping[str, GivenArguments], paths: Set[str]) -> None:
        """`before` maps paths to arguments, and `paths` are the current files of the repository."""
        self._before: Final = before
        self._old: Final = {path: arguments.rounds for path, arguments in before.items()}
        self._new: Final = {path: rounds for path, rounds in self._old.items() if path in paths}
        self._paths: Final = paths
        #: The files whose call sites were read again.
        self.dirty: Final[set[str]] = set()

    def readers_of(self, paths: Collection[str]) -> set[str]:
        """Return the files whose inferred types depend on any of the given files."""
        sources = set(paths)
        if not sources:
            return set()
        return {
            path
            for path, arguments in self._before.items()
            if path in self._paths and (path in sources or not sources.isdisjoint(arguments.sources))
        }

    def run(self, changed: Collection[str], given_by: GivenBy) -> GivenTable:
        """Read the call sites of changed files, and of the files whose inferred types change with them. Return the last round."""
        self.dirty.update(changed)
        callers = _calling_files(self._old)
        if not changed and self._paths >= self._old.keys():
            return GivenTable(self._new, callers, ROUNDS - 1)
        longest = max((len(rounds) for rounds in self._old.values()), default=0)
        fresh: dict[str, list[Given]] = {}
        table: GivenTable | None = None
        for number in range(ROUNDS):
            for path in sorted(self.dirty):
                known = fresh.setdefault(path, [_at(self._old.get(path, []), each) for each in range(number)])
                known.append(given_by(path, table))
            self._new.update(fresh)
            for target, paths in _calling_files(fresh).items():
                callers.setdefault(target, set()).update(paths)
            before, table = GivenTable(self._old, callers, number), GivenTable(self._new, callers, number, table)
            targets: set[str] = set()
            for path in {*self.dirty, *(self._old.keys() - self._paths)}:
                old, new = _at(self._old.get(path, []), number), _at(self._new.get(path, []), number)
                targets.update(target for target in {*old, *new} if old.get(target) != new.get(target))
            different = {target for target in targets if before.get(target) != table.get(target)}
            more = self.readers_of(different) - self.dirty
            self.dirty.update(more)
            is_settled = all(len(rounds) < 2 or rounds[-1] == rounds[-2] for rounds in fresh.values())
            if not more and is_settled and number >= max(longest, 1):
                break
        self._new.update({path: trimmed(rounds) for path, rounds in fresh.items()})
        return GivenTable(self._new, callers, ROUNDS - 1, table)

    def arguments(self, path: str, sources: Collection[str]) -> GivenArguments:
        """Return the current arguments at the call sites of a file, and the other files on which its inferred types depend."""
        known = self._before.get(path)
        kept = known.sources if known is not None else []
        return GivenArguments(self._new.get(path, []), sorted({*kept, *sources}))
