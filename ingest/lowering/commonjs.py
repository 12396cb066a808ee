"""CommonJS: what assignments to `module.exports` and `exports` export."""

from __future__ import annotations

from ..facts import Cast, DeclKind, Export, Op, assigned_last
from .context import Context


def commonjs_exports(cx: Context) -> list[Export]:
    """The exports of a file without `export`: `module.exports = v` is "=", `exports.x = v` is "x"."""
    found: list[Export] = []
    holders = _holders(cx) if cx.expandos else {}
    for expando in cx.expandos:
        path = cx.reference_key(expando.target)
        if path is None or not path.startswith(("module.exports", "exports.")) or not _is_free(cx, expando.target):
            continue
        name = path.removeprefix("module.").removeprefix("exports").removeprefix(".")
        if "." not in name:
            position = cx.code[expando.target + 4]
            binding = holders.get(expando.value, -1) if not name else -1
            value = _exported(cx, expando.value) if binding < 0 else -1
            found.append(Export(name or "=", -1, "", binding, value, False, position, expando.symbol))
    return found


def _holders(cx: Context) -> dict[int, int]:
    """Value -> binding for `var app = exports = module.exports = value`: what is exported is the variable."""
    found: dict[int, int] = {}
    for index, binding in enumerate(cx.bindings):
        for declared in binding.decls:
            decl = cx.decls[declared]
            value = assigned_last(cx.code, decl.b) if decl.kind == DeclKind.VARIABLE and decl.b >= 0 else decl.b
            if value != decl.b:
                found[value] = index
    return found


def _exported(cx: Context, value: int) -> int:
    """A name that is exported stays what it names, whatever type a comment before the statement speaks of."""
    if value >= 0 and cx.code[value] == Op.AS and cx.code[value + 3] == Cast.DECLARED:
        inner = cx.code[value + 1]
        return inner if cx.code[inner] in (Op.NAME, Op.MEMBER) else value
    return value


def _is_free(cx: Context, node: int) -> bool:
    """True when the leftmost name is not declared in the file."""
    while cx.code[node] != Op.NAME:
        node = cx.code[node + 1]
    return cx.code[node + 1] < 0
