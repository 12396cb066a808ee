"""The models that classes and calls give to generic classes and to parameters without types.

The methods of `class Store<T> extends Repository<T>` use the tables of all models `X` with a class that extends `Store<X>`. The
file of the generic class names a slot in place of the model, and the files of the other classes say which models fill the slot.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Final

import msgspec

from ...facts.data import ARGUMENT, SLOT, ModelQuery, ModelUse

#: Maximum number of slots on the way from a slot to a model.
MAX_SLOTS: Final = 6

#: A model or another slot, and the relations from there.
_Argument = tuple[str, tuple[str, ...]]


class GivenModels:
    """The models that fill the slots of all files."""

    def __init__(self, queries: Mapping[str, Sequence[ModelQuery]]) -> None:
        self._queries = queries

    @cached_property
    def _given(self) -> dict[str, dict[_Argument, None]]:
        """The models and slots that fill each slot. Most projects have no slots, and never ask."""
        found: dict[str, dict[_Argument, None]] = {}
        for path in sorted(self._queries):
            for slot, argument in arguments_of(self._queries[path]):
                found.setdefault(slot, {})[argument] = None
        return found

    def filled(self, queries: Sequence[ModelQuery]) -> list[ModelQuery]:
        """Return the statements of a file with models in place of slots."""
        found: list[ModelQuery] = []
        for query in queries:
            if query.evidence == ARGUMENT:
                continue
            if not any(use.model.startswith(SLOT) for use in query.uses):
                found.append(query)
                continue
            uses = tuple(dict.fromkeys(each for use in query.uses for each in self._uses(use)))
            if uses:
                found.append(msgspec.structs.replace(query, uses=uses, evidence="inferred"))
        return found

    def _uses(self, use: ModelUse) -> Iterable[ModelUse]:
        if not use.model.startswith(SLOT):
            return (use,)
        return [msgspec.structs.replace(use, model=model, path=(*path, *use.path)) for model, path in self._models(use.model)]

    def _models(self, slot: str) -> Iterable[_Argument]:
        """Return the models that fill a slot, perhaps through other slots."""
        found: dict[_Argument, None] = {}
        waiting: list[_Argument] = [(slot, ())]
        for _ in range(MAX_SLOTS):
            following: list[_Argument] = []
            for name, path in waiting:
                for model, more in self._given.get(name, ()):
                    argument = (model, (*more, *path))
                    if not model.startswith(SLOT):
                        found[argument] = None
                    else:
                        following.append(argument)
            waiting = following
        return found


def arguments_of(queries: Sequence[ModelQuery]) -> Iterable[tuple[str, _Argument]]:
    """Yield the slots that a file fills, each with a model or another slot."""
    for query in queries:
        if query.evidence == ARGUMENT:
            yield from ((query.symbol, (use.model.removeprefix(ARGUMENT), use.path)) for use in query.uses)


def slots_of(queries: Sequence[ModelQuery]) -> set[str]:
    """Return the slots that the statements of a file use, and those whose models it puts into other slots."""
    names = {use.model.removeprefix(ARGUMENT) for query in queries for use in query.uses}
    return {name for name in names if name.startswith(SLOT)}
