"""Find the exports in assignments to `module.exports` and `exports`."""

from __future__ import annotations

from .....facts.model import DeclKind, Export
from .....facts.nodes import assigned_last
from .....facts.operations import Cast, MemberFlag, Op
from ..context import Context
from .object_calls import object_call_exports


def commonjs_exports(cx: Context) -> list[Export]:
    """Return the exports of a file without `export`.

    `module.exports = v` exports "=", and `exports.x = v` exports "x". So does `api.x = v` after `var api = exports`.
    """
    found: list[Export] = []
    holders = _exported_variables(cx) if cx.expandos else {}
    aliases = _aliases(cx) if cx.expandos else frozenset()
    for expando in cx.expandos:
        name = _exported_name(cx, expando.target, aliases)
        if name is not None and "." not in name:
            position = cx.code[expando.target + 4]
            binding = holders.get(expando.value, -1) if expando.symbol < 0 else -1
            value = _exported(cx, expando.value) if binding < 0 else -1
            if name and binding >= 0 and cx.code[expando.target] == Op.MEMBER:
                # The member declares the exported name.
                cx.code[expando.target + 3] |= MemberFlag.NO_USE
            found.append(Export(name or "=", -1, "", binding, value, False, position, expando.symbol))
    return [*found, *object_call_exports(cx)]


def _exported_name(cx: Context, target: int, aliases: frozenset[int]) -> str | None:
    """Return the name that an assignment exports: "" for the whole module, None if the assignment exports nothing."""
    path = cx.reference_key(target)
    if path is None:
        return None
    leftmost = _leftmost(cx, target)
    if leftmost >= 0:
        return path.partition(".")[2] or None if leftmost in aliases else None
    if path != "module.exports" and not path.startswith(("module.exports.", "exports.")):
        return None
    return path.removeprefix("module.").removeprefix("exports").removeprefix(".")


def _aliases(cx: Context) -> frozenset[int]:
    """Return the bindings of root variables that stand for `exports` or `module.exports`."""
    found: list[int] = []
    for index in cx.scopes[0].names.values():
        for declared in cx.bindings[index].decls:
            decl = cx.decls[declared]
            if decl.kind == DeclKind.VARIABLE and decl.b >= 0 and _stands_for_exports(cx, decl.b):
                found.append(index)
    return frozenset(found)


def _stands_for_exports(cx: Context, value: int) -> bool:
    """Return whether a variable with an initial value is `module.exports`: `= exports`, `= module.exports = {}`."""
    while cx.code[value] == Op.ASSIGN:
        if _is_exports(cx, cx.code[value + 1]):
            return True
        value = cx.code[value + 2]
    return _is_exports(cx, value)


def _is_exports(cx: Context, value: int) -> bool:
    """Return whether a value is `exports` or `module.exports`, and the file does not declare that name."""
    return cx.reference_key(value) in ("exports", "module.exports") and _leftmost(cx, value) < 0


def _exported_variables(cx: Context) -> dict[int, int]:
    """Map each value to its binding for `var app = exports = module.exports = value`, which exports the variable.

    So does `var users = exports.users = []`.
    """
    found: dict[int, int] = {}
    for index, binding in enumerate(cx.bindings):
        for declared in binding.decls:
            decl = cx.decls[declared]
            value = assigned_last(cx.code, decl.b) if decl.kind == DeclKind.VARIABLE and decl.b >= 0 else decl.b
            if value != decl.b:
                found[value] = index
    return found


def _exported(cx: Context, value: int) -> int:
    """Return the exported name with a cast to the type in a comment before the statement, else the value itself."""
    if value >= 0 and cx.code[value] == Op.AS and cx.code[value + 3] == Cast.DECLARED:
        inner = cx.code[value + 1]
        return inner if cx.code[inner] in (Op.NAME, Op.MEMBER) else value
    return value


def _leftmost(cx: Context, node: int) -> int:
    """Return the binding of the leftmost name of a reference; -1 for `this`, and for a name that the file does not declare."""
    while cx.code[node] not in (Op.NAME, Op.THIS):
        node = cx.code[node + 1]
    return cx.code[node + 1] if cx.code[node] == Op.NAME else -1
