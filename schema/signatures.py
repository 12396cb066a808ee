"""The parts of a signature: parameters, type parameters and the type of the result, each as it is written."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple


@dataclass(frozen=True, slots=True)
class TypeParameter:
    """A type parameter such as `T extends Constraint = Default`; a missing constraint or default is None."""

    name: str
    constraint: str | None = None
    default: str | None = None
    #: Modifiers such as `in`, `out`, `const`.
    modifiers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SignatureParameter:
    """A parameter. The name may be a pattern; a missing type or default is None."""

    name: str
    type: str | None
    optional: bool = False
    rest: bool = False
    default: str | None = None


class SignatureParts(NamedTuple):
    """The parameters and the result of a callable."""

    parameters: tuple[SignatureParameter, ...]
    #: The written result type, or None.
    return_type: str | None
    #: Type parameters of the callable, not of its class.
    type_parameters: tuple[TypeParameter, ...] = ()
