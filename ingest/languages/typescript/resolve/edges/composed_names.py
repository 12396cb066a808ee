"""Names of members that code composes at run time: ``this[`on${event}`]()``, `handlers["on" + event]`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ......schema.composed_names import COMPUTED, fits_composed_name
from .....facts.model import DeclKind
from .....facts.operations import Op, Result
from ..model.type_model import non_nullish, parts_of
from ..model.unit import Unit

if TYPE_CHECKING:
    from ..engine import Engine

_JOINING = frozenset((Result.ADDITION, Result.STRING))
#: Maximum number of nested concatenations and of variables that a key leads through.
_MAX_DEPTH = 8


def possible_names(engine: Engine, unit: Unit, node: int) -> Sequence[str]:
    """Return the names of the members that an access with a composed key may mean; none for other keys.

    If a class below the receiver's class may have the member, or if the type of the receiver is unknown, the only name is the
    composed name, such as `on…`.
    """
    composed = composed_name(unit, unit.code[node + 2])
    if not composed.replace(COMPUTED, ""):
        return ()
    receiver = non_nullish(engine.type_of(unit, unit.code[node + 1]))
    names = engine.member_names(receiver)
    if names is None or any(part.opaque for part in parts_of(receiver)):
        return (composed,)
    if unit.code[unit.unwrapped(unit.code[node + 1])] == Op.THIS:
        return (composed,)
    return sorted(name for name in names if fits_composed_name(name, composed))


def composed_name(unit: Unit, node: int, depth: int = 0) -> str:
    """Return the name that an expression composes, with "…" in place of each computed part."""
    code = unit.code
    node = unit.unwrapped(node)
    if node < 0 or depth > _MAX_DEPTH:
        return COMPUTED
    if code[node] == Op.STRING:
        return unit.strings[code[node + 2]]
    if code[node] == Op.TEMPLATE and code[node + 2] >= 0:
        return unit.strings[code[node + 2]].replace("{}", COMPUTED)
    if code[node] == Op.BINARY and code[node + 3] in _JOINING:
        return composed_name(unit, code[node + 1], depth + 1) + composed_name(unit, code[node + 2], depth + 1)
    if code[node] == Op.NAME and code[node + 1] >= 0 and (declared := unit.bindings[code[node + 1]].decls):
        decl = unit.decls[declared[0]]
        is_named = len(declared) == 1 and decl.kind == DeclKind.VARIABLE and decl.b >= 0
        return composed_name(unit, decl.b, depth + 1) if is_named else COMPUTED
    return COMPUTED
