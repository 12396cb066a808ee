"""Computes the types that the engine needs in languages with overloads."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...languages.typescript.resolve.model.unit import Unit
from ..types import Type
from . import choice, values

if TYPE_CHECKING:
    from ..engine import NominalEngine


def answer(engine: NominalEngine, kind: int, unit: Unit, index: int) -> Type:
    """Return the type for an index in a table of a file.

    The kind selects the table: 0 expressions, 1 declarations, 4 written types, 5 choices of methods, 6 expectations.
    """
    if kind == 0:
        return values.expression_type(engine, unit, index)
    if kind == 1:
        return values.declared_value(engine, unit, index)
    if kind == 4:
        return values.annotated_type(engine, unit, index)
    return choice.selected(engine, unit, index) if kind == 5 else values.expected_type(engine, unit, index)
