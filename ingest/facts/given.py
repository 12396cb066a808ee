"""Types of arguments at call sites for parameters without annotation, in records that do not depend on the engine."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

import msgspec


class TypeName(msgspec.Struct, frozen=True, array_like=True):
    """A type, identified by names that stay the same while other parts of its file change."""

    #: "instance", "class", "function", "callback", "wrapped", "overloads", "union", "module", "none" or "unknown".
    kind: str
    #: Path of the file that declares the type.
    path: str = ""
    #: Name of the module if the file is outside of the repository; "" for a file of the repository.
    module: str = ""
    #: Id of the symbol of the type; for a function without a symbol, "#" and its number in the file.
    name: str = ""
    #: Type arguments; the parts of a union or a tuple.
    arguments: tuple[TypeName, ...] = ()
    #: Types of the items in a tuple of known length.
    items: tuple[TypeName, ...] | None = None


#: Types of arguments, by function and by name of the parameter. Functions are named as in `TypeName`.
GivenToFile = dict[str, dict[str, tuple[TypeName, ...]]]
#: The same types, by path of the file that declares the functions.
Given = dict[str, GivenToFile]


class GivenLookup(Protocol):
    """Looks up the types of arguments from all files, by path of the file that declares the functions."""

    def get(self, path: str, /) -> GivenToFile | None:
        """Return the types of arguments that the functions of a file receive; None if there are none."""


#: Maximum number of different argument types of one parameter. A parameter with more types has an unknown type.
MAX_TYPES = 24
#: Replaces the types of a parameter with more than `MAX_TYPES` types.
MANY = (TypeName("unknown"),)


class GivenArguments(msgspec.Struct, frozen=True, array_like=True):
    """The types of arguments at the call sites of a file, round by round, and the other files on which they depend."""

    #: The types of arguments by round. The last round is valid for all later rounds.
    rounds: list[Given]
    #: Sorted paths of the other files of the repository from which the inferred types of the file were read.
    sources: list[str]


def trimmed(rounds: list[Given]) -> list[Given]:
    """Return the rounds without equal rounds at the end."""
    count = len(rounds)
    while count > 1 and rounds[count - 1] == rounds[count - 2]:
        count -= 1
    return [] if rounds[:count] == [{}] else rounds[:count]


#: Represents too many types of a parameter.
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
