"""The names that code gives to values: a type may be unknown, but `ctx.db` is hardly anything but a connection."""

from __future__ import annotations

from .....facts.operations import Op
from ...resolve.call_targets import unwrapped
from ...resolve.model.unit import Unit


def written_name(unit: Unit, node: int) -> str:
    """Return the name of a variable or of the last member in an expression: `db` for `ctx.db`; "" for other expressions."""
    code = unit.code
    node = unwrapped(unit, node)
    return unit.strings[code[node + 2]] if code[node] in (Op.NAME, Op.MEMBER) else ""


def name_of_holder(unit: Unit, node: int) -> str:
    """Return the name of the value that a member belongs to, or of the function that returns the value.

    It is `db` for `ctx.db.user`, and `getPrisma` for `getPrisma().user`; "" for other expressions.
    """
    code = unit.code
    if code[node] != Op.MEMBER:
        return ""
    holder = unwrapped(unit, code[node + 1])
    return written_name(unit, code[holder + 1] if code[holder] == Op.CALL else holder)
