"""The results of looking up members and signatures."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from .type_model import Env, Type
from .unit import Unit


@dataclass(slots=True)
class Property:
    """A member of a type: its declaration, if the facts contain one, and its type, which is computed on demand."""

    name: str
    unit: Unit | None
    #: Symbol of the declaration; -1 for members without a symbol.
    symbol: int
    read: Callable[[], Type]
    #: Package and path of an external member.
    outside: tuple[str, tuple[str, ...]] | None = None
    #: The type after its first use; only the engine sets it.
    known: Type | None = None

    def type(self) -> Type:
        """Return the member's type."""
        return self.known if self.known is not None else self.read()

    def with_type(self, read: Callable[[], Type]) -> Property:
        """Return the same member with another way to read its type."""
        return replace(self, read=read, known=None)


@dataclass(slots=True)
class Signature:
    """One way to call or construct a value."""

    unit: Unit
    #: Index of the function; -1 for a class without a constructor.
    function: int
    env: Env
    #: Type of the object that `new` creates; None for plain calls.
    instance: Type | None = None
    #: Type parameters of the class that `new` infers.
    class_parameters: tuple[int, ...] = ()
    #: Whether `env` has all type arguments, so that calls infer none.
    is_instantiated: bool = False
