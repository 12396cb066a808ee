"""Tags such as `<stone>`, to which the repository's own `JSX.IntrinsicElements` gives a meaning."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .....facts.operations import Op, Use
from ..model.binder import Declared
from ..model.type_model import Instance, Type

if TYPE_CHECKING:
    from ..engine import Engine
    from ..model.unit import Unit


def intrinsic_tags(unit: Unit, element: int) -> list[int]:
    """Return the STRING nodes of the opening and the closing tag of an element without a component."""
    code = unit.code
    return [item for item in unit.items(code[element + 3]) if code[item] == Op.STRING and code[item + 3] == Use.JSX]


def intrinsic_elements(engine: Engine, unit: Unit) -> Type | None:
    """Return the type `JSX.IntrinsicElements` that a file sees; None if no file of the repository declares it."""
    if not engine.program.declares_global("JSX"):
        return None
    binder = engine.binder
    elements = binder.member_entity(binder.global_entity(unit, "JSX"), "IntrinsicElements")
    return Instance(elements) if isinstance(elements, Declared) else None
