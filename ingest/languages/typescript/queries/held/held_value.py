"""What an expression holds: a model, a row, a query or a connection, and the reader of such values."""

from __future__ import annotations

from typing import Final, NamedTuple, Protocol

from .....facts.operations import Op
from ...resolve.model.binder import Entity
from ...resolve.model.unit import Unit
from ..mappers.rules import Mapper
from .assigned_members import AssignedMembers
from .target import Target

#: Maximum number of steps from an expression to a model.
MAX_STEPS: Final = 24
#: Maximum number of base classes of a class.
MAX_BASES: Final = 20
#: Operations that are calls.
CALLS: Final = frozenset((Op.CALL, Op.NEW))


class Held(NamedTuple):
    """A model, a row, a query or a connection that an expression holds; `kind` is one of `Result`."""

    kind: str
    target: Target | None = None
    mapper: Mapper | None = None


class Values(Protocol):
    """Reads what the expressions of a program hold. The parts of the reader ask it for the values of other expressions."""

    def held(self, unit: Unit, node: int, steps: int = MAX_STEPS) -> Held | None:
        """Return the model, row, query or connection that an expression holds, or None."""

    def of_entity(self, entity: Entity, steps: int) -> Held | None:
        """Return the model, row, query or connection that a name stands for, or None."""

    def of_type(self, unit: Unit, node: int) -> Held | None:
        """Return the model, the row or the value of a library that an expression holds, by its type."""

    def assigned(self, unit: Unit) -> AssignedMembers:
        """Return the assignments to members in a file."""

    def cut_off(self) -> None:
        """Tell the reader that the limit of steps ended a search, so that its answer depends on where it began."""
