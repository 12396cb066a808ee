"""Numbers for the parameters without annotation that answers depend on, and the arguments that call sites pass to them."""

from __future__ import annotations

from typing import Final

from ...facts.given import GivenLookup, TypeName
from ...languages.typescript.resolve.model.unit import Unit
from .type_names import TypeNames

#: Numbers of the parameters that an answer depends on.
Reads = frozenset[int]
NO_READS: Final[Reads] = frozenset()
#: Maximum number of parameters that are recorded for one answer. An answer with more parameters has the record `MANY_READS`.
_MAX_READS: Final = 64
#: Number in `MANY_READS`, for an answer that depends on too many parameters.
_ANY: Final = -1
MANY_READS: Final[Reads] = frozenset((_ANY,))


def joined_reads(first: Reads, second: Reads) -> Reads:
    """Return the numbers of the parameters that at least one of two answers depends on."""
    if not first or first is second:
        return second
    if not second:
        return first
    if _ANY in first or _ANY in second:
        return MANY_READS
    found = first | second
    return found if len(found) <= _MAX_READS else MANY_READS


class ReadParameters:
    """Numbers parameters, and looks up their arguments from call sites in one round."""

    def __init__(self) -> None:
        #: Converts types and functions to names; None until the engine sets it.
        self.names: TypeNames | None = None
        self._numbers: Final[dict[tuple[int, int, int], int]] = {}
        self._places: Final[list[tuple[Unit, int, int]]] = []
        #: For each parameter by number, the set that contains only this number.
        self._alone: Final[list[Reads]] = []
        self._given: GivenLookup | None = None
        self._types: dict[int, tuple[TypeName, ...]] = {}
        self._before: GivenLookup | None = None
        self._types_before: dict[int, tuple[TypeName, ...]] = {}
        #: For each parameter by number, the paths of the files of the repository that declare it and its argument types.
        self._sources: dict[int, set[str]] = {}

    def number(self, unit: Unit, function: int, place: int) -> int:
        """Return the number of a parameter."""
        key = (id(unit), function, place)
        found = self._numbers.get(key, -1)
        if found < 0:
            found = self._numbers[key] = len(self._places)
            self._places.append((unit, function, place))
            self._alone.append(frozenset((found,)))
        return found

    def reads_of(self, number: int) -> Reads:
        """Return the set of reads that contains only one parameter."""
        return self._alone[number]

    def begin_round(self, given: GivenLookup | None) -> None:
        """Use the arguments in `given` from now on."""
        self._before, self._types_before = self._given, self._types
        self._given, self._types = given, {}
        self._sources = {}

    def types(self, number: int) -> tuple[TypeName, ...]:
        """Return the types of the arguments of a parameter."""
        found = self._types.get(number)
        if found is None:
            found = self._types[number] = self._looked_up(number, self._given)
        return found

    def has_types(self, reads: Reads) -> bool:
        """Return whether call sites pass known types to any parameter that an answer depends on."""
        return any(number < 0 or self.types(number) for number in reads)

    def differ(self, reads: Reads, before: GivenLookup | None) -> bool:
        """Return whether the argument types of any parameter in `reads` differ from the round `before`."""
        if before is not self._before:
            self._before, self._types_before = before, {}
        return any(number < 0 or self.types(number) != self._former_types(number) for number in reads)

    def _former_types(self, number: int) -> tuple[TypeName, ...]:
        found = self._types_before.get(number)
        if found is None:
            found = self._types_before[number] = self._looked_up(number, self._before)
        return found

    def _looked_up(self, number: int, given: GivenLookup | None) -> tuple[TypeName, ...]:
        unit, function, place = self._places[number]
        if given is None or self.names is None or unit.external:
            return ()
        of_file = given.get(unit.path)
        of_function = of_file.get(self.names.function_name(unit, function)) if of_file else None
        return of_function.get(unit.functions[function].parameters[place].name, ()) if of_function is not None else ()

    def sources(self, number: int) -> set[str]:
        """Return the paths of the files of the repository that declare a parameter and the types of its arguments."""
        found = self._sources.get(number)
        if found is None:
            unit = self._places[number][0]
            found = self._sources[number] = set() if unit.external else {unit.path}
            for name in self.types(number):
                _add_files(name, found)
        return found


def _add_files(name: TypeName, found: set[str]) -> None:
    """Add the files of the repository that declare the parts of a type."""
    if name.path and not name.module:
        found.add(name.path)
    for part in (*name.arguments, *(name.items or ())):
        _add_files(part, found)
