"""What looking up members and signatures finds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from .program import Unit
from .type_model import Env, Type


@dataclass(slots=True)
class Property:
    """A member found on a type: its declaration, when it has one in facts, and its type on demand."""

    name: str
    unit: Unit | None
    #: Symbol of the declaration; -1 for members that are no symbols.
    symbol: int
    read: Callable[[], Type]
    #: Package and path of a member that lives outside.
    outside: tuple[str, tuple[str, ...]] | None = None
    #: The type once it was read; the engine alone writes it.
    known: Type | None = None

    def type(self) -> Type:
        """The member's type."""
        return self.known if self.known is not None else self.read()

    def reading(self, read: Callable[[], Type]) -> Property:
        """The same member with a type of its own, whatever is known of this one's."""
        return replace(self, read=read, known=None)


@dataclass(slots=True)
class Signature:
    """One way to call or construct a value."""

    unit: Unit
    #: Index of the function; -1 for a class without a constructor.
    function: int
    env: Env
    #: What `new` gives; None for plain calls.
    instance: Type | None = None
    #: Type parameters of the class that `new` infers.
    class_parameters: tuple[int, ...] = ()
