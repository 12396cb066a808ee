"""CommonJS: what assignments to `module.exports` and `exports` export."""

from __future__ import annotations

from ..facts import Cast, Export, Op
from .context import Context


def commonjs_exports(cx: Context) -> list[Export]:
    """The exports of a file without `export`: `module.exports = v` is "=", `exports.x = v` is "x"."""
    found: list[Export] = []
    for expando in cx.expandos:
        path = cx.reference_key(expando.target)
        if path is None or not path.startswith(("module.exports", "exports.")) or not _is_free(cx, expando.target):
            continue
        name = path.removeprefix("module.").removeprefix("exports").removeprefix(".")
        if "." not in name:
            position = cx.code[expando.target + 4]
            found.append(Export(name or "=", -1, "", -1, _exported(cx, expando.value), False, position, expando.symbol))
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
