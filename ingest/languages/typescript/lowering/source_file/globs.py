"""Record the globs by which a file loads other files: `import.meta.glob("./stores/*.ts")`, `require.context("./modules", …)`."""

from __future__ import annotations

import re
from typing import Final

from .....facts.operations import Op
from ...module_resolution.globs import GLOB
from ..context import Context
from ..imports import add_import

#: The form of an import that stands for all files of a glob.
FORM: Final = "glob"
#: The extensions at the end of a regular expression: `/\.js$/`, `/\.(vue|js)$/`.
_ENDING: Final = re.compile(r"\\\.(?:\((?:\?:)?([\w|]+)\)|(\w+))\$?/[a-z]*$")
#: A regular expression as it is written, without the classes that contain a slash.
_WRITTEN: Final = re.compile(rb"/(?:[^/\\\n]|\\.){1,300}/[a-z]*")
_PATHS: Final = ("./", "../", "/", "@", "~", "#")


def note_globs(cx: Context) -> None:
    """Add an import for each call that loads files by a literal glob. Call this before names are bound."""
    if b".glob" not in cx.source and b".context" not in cx.source:
        return
    code = cx.code
    outer = cx.symbol
    for node in cx.calls:
        callee, given = code[node + 1], cx.items(code[node + 2])
        if code[node] != Op.CALL or code[callee] != Op.MEMBER or not given:
            continue
        holder, method = code[callee + 1], cx.strings[code[callee + 2]]
        if method in ("glob", "globEager") and code[holder] == Op.META:
            written = _texts(cx, given[0])
            is_deferred = method == "glob" and not _is_eager(cx, given)
        elif method == "context" and code[holder] == Op.NAME and cx.strings[code[holder + 2]] == "require":
            written = _context(cx, given)
            is_deferred = False
        else:
            continue
        if written and all(each.removeprefix("!").startswith(_PATHS) for each in written):
            cx.own(cx.owner_of(node))
            index = add_import(cx, GLOB + "|".join(written), FORM, ["*"], code[given[0] + 4])
            cx.imports[index].deferred |= is_deferred
    cx.own(outer)


def _texts(cx: Context, node: int) -> list[str]:
    """Return the strings of a string or of an array of strings."""
    code = cx.code
    if code[node] == Op.STRING:
        return [cx.strings[code[node + 2]]]
    return [text for each in cx.items(code[node + 1]) for text in _texts(cx, each)] if code[node] == Op.ARRAY else []


def _is_eager(cx: Context, given: list[int]) -> bool:
    if len(given) < 2 or cx.code[given[1]] != Op.OBJECT:
        return False
    values = [member.value for member in cx.shapes[cx.code[given[1] + 1]].members if member.name == "eager"]
    return len(values) == 1 and values[0] >= 0 and cx.code[values[0]] == Op.BOOLEAN and cx.code[values[0] + 1] == 1


def _context(cx: Context, given: list[int]) -> list[str]:
    """Return the globs of a call of `require.context`, whose arguments are a folder, whether its folders count, and a pattern."""
    code = cx.code
    if code[given[0]] != Op.STRING:
        return []
    is_deep = len(given) < 2 or code[given[1]] != Op.BOOLEAN or code[given[1] + 1] == 1
    endings = ["js", "ts"]
    if len(given) > 2:
        written = _WRITTEN.match(cx.source, code[given[2] + 4]) if code[given[2]] == Op.REGEX else None
        found = _ENDING.search(written[0].decode("utf-8", "replace")) if written is not None else None
        if found is None:
            return []
        endings = (found[1] or found[2]).split("|")
    folder = cx.strings[code[given[0] + 2]].rstrip("/")
    return [f"{folder}/{'**/' if is_deep else ''}*.{ending}" for ending in endings]
