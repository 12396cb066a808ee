"""Types of parameters without annotation, inferred from arguments at call sites."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ...facts.given import Given, GivenLookup, merged
from ...languages.typescript.resolve.model.unit import SymbolIds, Unit
from ..engine import NominalEngine
from .call_site_types import ROUNDS, FileArguments
from .type_names import TypeNames


class ArgumentTypes:
    """Reads the call sites of one language, and makes the engine answer with the argument types that were found there."""

    def __init__(self, engine: NominalEngine, symbol_id: SymbolIds) -> None:
        self._engine: Final = engine
        self._names: Final = TypeNames(engine, symbol_id)
        engine.parameters.names = self._names
        self._files: Final[dict[str, FileArguments]] = {}
        #: Whether `receive` has set the arguments from the call sites of all files.
        self._has_received = False
        #: Until then, the only file whose call sites are used.
        self._alone: Unit | None = None

    @property
    def is_used(self) -> bool:
        """Whether parameters of the language may have no declared type, so that their types are inferred from call sites."""
        return not self._engine.program.rules.is_static

    def given_by(self, unit: Unit, received: GivenLookup | None) -> Given:
        """Return the arguments that the call sites of a file pass to parameters without annotation.

        `received` are the arguments of all files in the round before, None in the first round.
        """
        if unit.path not in self._files:
            self._files[unit.path] = FileArguments(self._engine, self._names, unit)
        return self._files[unit.path].first if received is None else self._files[unit.path].given(received)

    def receive(self, given: GivenLookup) -> None:
        """Set the types of parameters without annotation to the argument types of the last round."""
        self._has_received = True
        self._engine.begin_round(given)

    def infer(self, units: Sequence[Unit]) -> None:
        given: Given | None = None
        for _ in range(ROUNDS):
            before, given = given, merged([self.given_by(unit, given) for unit in units])
            if given == before:
                break
        self.receive(given or {})

    def begin(self, unit: Unit) -> int:
        """Use inferred types for questions about a file from now on. Return the previous level, for `NominalEngine.enter_level`.

        Until `receive` sets the arguments from all files, only the call sites of this file count.
        """
        if not self._has_received and self._alone is not unit:
            self.infer([unit])
            self._has_received, self._alone = False, unit
        self._engine.begin_inference(unit)
        self._engine.refuel()
        return self._engine.enter_level(1)

    def sources_of(self, path: str) -> list[str]:
        """Return the paths of the other files that the inferred types of a file were read from, in sorted order."""
        return sorted(self._engine.sources.get(path, set()) - {path})
