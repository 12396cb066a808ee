"""Arguments at call sites for parameters without annotation, in records that are independent of the engine that found them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

import msgspec


class TypeName(msgspec.Struct, frozen=True, array_like=True):
    """A type, identified by names that stay the same while other parts of its file change."""

    #: "instance", "class", "function", "callback", "wrapped", "overloads", "union", "module", "none" or "unknown".
    kind: str
    #: Path of the file that declares it.
    path: str = ""
    #: Name of the module for a file outside of the repository, "" for a file of the repository.
    module: str = ""
    #: Id of its symbol; for a function without a symbol, "#" and its number in the file.
    name: str = ""
    #: Type arguments; for a union or a tuple, its parts.
    arguments: tuple[TypeName, ...] = ()
    #: Types of the items of a tuple of known length.
    items: tuple[TypeName, ...] | None = None


#: By function and name of the parameter, the types of its arguments. A function is named as in `TypeName`.
GivenToFile = dict[str, dict[str, tuple[TypeName, ...]]]
#: The same by path of the file that declares the functions.
Given = dict[str, GivenToFile]


class GivenLookup(Protocol):
    """The arguments in all files, by path of the file that declares the functions."""

    def get(self, path: str, /) -> GivenToFile | None:
        """Return the arguments that the functions of a file receive, if any."""


#: Maximum number of different types of the arguments of one parameter. A parameter with more types has an unknown type.
MAX_TYPES = 24
#: Represents more types than are listed.
MANY = (TypeName("unknown"),)


class GivenArguments(msgspec.Struct, frozen=True, array_like=True):
    """The arguments from the call sites of a file, round by round, and the other files on which they depend."""

    #: Arguments in the order of the rounds; the last round is valid for all later ones.
    rounds: list[Given]
    #: Sorted paths of the other files of the repository from which the inferred types of the file were read.
    sources: list[str]


def trimmed(rounds: list[Given]) -> list[Given]:
    """Return rounds without the last rounds that equal their predecessor."""
    count = len(rounds)
    while count > 1 and rounds[count - 1] == rounds[count - 2]:
        count -= 1
    return [] if rounds[:count] == [{}] else rounds[:count]


#: Represents more types than are recorded for a parameter.
_TOO_MANY = tuple([TypeName("unknown", name=str(number)) for number in range(MAX_TYPES + 1)])


def merged(parts: Iterable[Given]) -> Given:
    """Return the merged arguments of several files. The order of the files determines the order of types."""
    found: dict[str, dict[str, dict[str, dict[TypeName, None]]]] = {}
    for part in parts:
        for path, functions in part.items():
            of_path = found.setdefault(path, {})
            for function, parameters in functions.items():
                of_function = of_path.setdefault(function, {})
                for parameter, types in parameters.items():
                    known = of_function.setdefault(parameter, {})
                    known.update(dict.fromkeys(types if types != MANY else _TOO_MANY))
    return {
        path: {
            function: {parameter: tuple(types) if len(types) <= MAX_TYPES else MANY for parameter, types in parameters.items()}
            for function, parameters in functions.items()
        }
        for path, functions in found.items()
    }
