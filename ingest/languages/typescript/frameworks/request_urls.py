"""Reads the URLs of requests in JavaScript, with marks for the parts that callers, fields or constants of other files state.

A mark is `MARK`, a place and `MARK`. `ingest/contracts/wrapped_requests.py` explains the places.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from ....facts.api import MARK, UNKNOWN
from ....facts.model import DeclKind, Function
from ....facts.operations import Op, ThisKind
from ...api_calls.expressions import Expressions
from ...api_calls.urls import written_url

#: Key of the texts in the memory of a file.
_MEMORY: Final = "URLs of requests"
#: Maximum number of members and defaults around a parameter.
_MAX_STEPS: Final = 6
#: A path that the argument of a function of another file states: `endpoint("api/users")`.
_PATH: Final = re.compile(r"/?[\w{}.-]+(?:/[\w{}.:-]*)+(?:\?\S*)?|/[\w{}.-]+")
#: Methods of texts whose result still has the parts of a path.
_UNCHANGED: Final = frozenset(("replace", "replaceAll", "toString", "trim"))
#: A mark of a parameter, with the number of its function.
_PARAMETER: Final = re.compile(rf"{MARK}([0-9]{{1,9}}):([^{MARK}]*){MARK}")


class Place(NamedTuple):
    """A parameter or a member of it: the number of the function, and a place such as "0" or "1.method"."""

    function: int
    place: str


def url_text(at: Expressions, node: int) -> str:
    """Return the text of an expression, with marks, and `{}` for each part that is known only at run time.

    Nothing is known of the expressions of a file whose own texts have marks.
    """

    def other(inner: int, left: int) -> str:
        return _other_text(at, inner, left)

    if "has marks" not in at.memory:
        at.memory["has marks"] = any(MARK in text for text in at.facts.strings)
    return UNKNOWN if at.memory["has marks"] else written_url(at, node, other, memory=_MEMORY)


def _other_text(at: Expressions, node: int, left: int) -> str:
    code, operation = at.code, at.code[node]

    def read(inner: int) -> str:
        return written_url(at, inner, lambda other, steps: _other_text(at, other, steps), left - 1, _MEMORY)

    if operation == Op.NEW and at.name(code[node + 1]) == "URL":
        arguments = at.items(code[node + 2])
        return read(arguments[0]) if arguments else UNKNOWN
    if operation == Op.CALL:
        given = [read(each) for each in at.items(code[node + 2])]
        callee = code[node + 1]
        if callee >= 0 and code[callee] == Op.MEMBER and at.string(code[callee + 2]) in _UNCHANGED:
            return read(code[callee + 1])
        function = function_of(at, callee)
        if function >= 0:
            returns = at.facts.functions[function].returns
            return _with_arguments(read(returns[0]), function, given) if len(returns) == 1 else UNKNOWN
        if callee >= 0 and code[callee] == Op.MEMBER and _is_this(at, code[callee + 1]):
            return f"{MARK}this.{at.string(code[callee + 2])}(){MARK}"
        path = given[0] if given and _PATH.fullmatch(given[0]) else ""
        if path:
            return f"{UNKNOWN}/{path.lstrip('/')}"  # a function of another file that completes the URL
        imported = _imported(at, callee)
        return f"{MARK}={imported}(){MARK}" if imported else UNKNOWN
    if operation in (Op.CONDITIONAL, Op.LOGICAL):
        start = 2 if operation == Op.CONDITIONAL else 1
        one, another = (read(code[node + place]) for place in (start, start + 1))
        return _common_end(one, another)
    place = parameter_place(at, node)
    if place is not None:
        return f"{MARK}{place.function}:{place.place}{MARK}"
    if operation == Op.MEMBER:
        return _of_member(at, node, left)
    imported = _imported(at, node)
    return f"{MARK}={imported}{MARK}" if imported else UNKNOWN


def _of_member(at: Expressions, node: int, left: int) -> str:
    """Return the text of a member of an object of the file, of a field of a class, or of a constant of another file."""
    value = member_value(at, node)
    text = ""
    if value >= 0:
        text = written_url(at, value, lambda other, steps: _other_text(at, other, steps), left - 1, _MEMORY)
    if _is_this(at, at.code[node + 1]):
        is_stated = text and text != UNKNOWN and not _PARAMETER.search(text)
        return text if is_stated else f"{MARK}this.{at.string(at.code[node + 2])}{MARK}"
    if text:
        return text
    imported = _imported(at, node)
    return f"{MARK}={imported}{MARK}" if imported else UNKNOWN


def _is_this(at: Expressions, node: int) -> bool:
    return node >= 0 and at.code[node] == Op.THIS and at.code[node + 1] == ThisKind.INSTANCE


def member_value(at: Expressions, node: int, steps: int = _MAX_STEPS) -> int:
    """Return the node of the value of `this.base`, `ROUTES.users` or `Path.USERS`, if the file shows it; else -1."""
    field = at.member(node)
    if field is not None:
        return field.value
    shape = _shape_of(at, at.code[node + 1], steps - 1)
    name = at.string(at.code[node + 2])
    found = [member for member in at.facts.shapes[shape].members if member.name == name] if shape >= 0 else []
    return found[0].value if len(found) == 1 else -1


def _shape_of(at: Expressions, node: int, steps: int = _MAX_STEPS) -> int:
    """Return the shape of the object that a constant or an enum of the file is; -1 for other values."""
    for left in range(steps, 0, -1):
        if node < 0:
            return -1
        operation = at.code[node]
        if operation in (Op.AS, Op.NON_NULL):
            node = at.code[node + 1]
            continue
        if operation == Op.OBJECT:
            return at.code[node + 1]
        if operation == Op.MEMBER:
            node = member_value(at, node, left)
            continue
        decl = at.declaration(node)
        if decl is None or decl.kind not in (DeclKind.VARIABLE, DeclKind.ENUM):
            return -1
        if decl.kind == DeclKind.ENUM:
            return decl.a
        node = decl.b
    return -1


def parameter_place(at: Expressions, node: int) -> Place | None:
    """Return the place of a parameter or of a member of it; None for other expressions."""
    members: list[str] = []
    for _ in range(_MAX_STEPS):
        if node < 0:
            return None
        code, operation = at.code, at.code[node]
        if operation == Op.PARAMETER:
            return Place(code[node + 1], ".".join((str(code[node + 3]), *reversed(members))))
        if operation == Op.MEMBER:
            members.append(at.string(code[node + 2]))
            node = code[node + 1]
        elif operation in (Op.DEFAULTED, Op.REST_PROPERTIES, Op.AS, Op.NON_NULL, Op.SPREAD, Op.LOGICAL):
            node = code[node + 1]
        else:
            decl = at.declaration(node)
            if decl is None or decl.kind not in (DeclKind.PARAMETER, DeclKind.VARIABLE):
                return None
            node = decl.b
    return None


def function_of(at: Expressions, callee: int) -> int:
    """Return the function of the file that a name or a member names; -1 for others."""
    node = callee
    for _ in range(_MAX_STEPS):
        if node < 0:
            return -1
        if at.code[node] == Op.FUNCTION:
            return at.code[node + 1]
        if at.code[node] == Op.MEMBER:
            shape = _shape_of(at, at.code[node + 1])
            name = at.string(at.code[node + 2])
            methods = [each for each in at.facts.shapes[shape].members if each.name == name] if shape >= 0 else []
            if len(methods) == 1 and methods[0].function >= 0:
                return methods[0].function
            node = methods[0].value if len(methods) == 1 else -1
            continue
        decl = at.declaration(node)
        if decl is None or decl.kind not in (DeclKind.FUNCTION, DeclKind.VARIABLE):
            return -1
        if decl.kind == DeclKind.FUNCTION:
            return decl.a
        node = decl.b
    return -1


def _with_arguments(text: str, function: int, arguments: list[str]) -> str:
    """Return the text that a function returns, with the arguments of a call in place of its parameters."""

    def given(found: re.Match[str]) -> str:
        if int(found[1]) != function:
            return found[0]
        place = found[2]
        return arguments[int(place)] if place.isdecimal() and int(place) < len(arguments) else UNKNOWN

    return _PARAMETER.sub(given, text)


def _imported(at: Expressions, node: int) -> str:
    """Return the constant of another file that a name or a member names, as its module, `|` and its name; "" for others."""
    members: list[str] = []
    for _ in range(_MAX_STEPS):
        if node < 0:
            return ""
        if at.code[node] == Op.MEMBER:
            members.append(at.string(at.code[node + 2]))
            node = at.code[node + 1]
            continue
        decl = at.declaration(node)
        if decl is None:
            return ""
        if decl.kind == DeclKind.IMPORT:
            imported = at.imported(decl)
            return f"{imported.module}|{'.'.join(filter(None, (imported.name, *reversed(members))))}" if imported.module else ""
        if decl.kind != DeclKind.VARIABLE or decl.b < 0:
            return ""
        if at.code[decl.b] == Op.REQUIRE and at.code[decl.b + 1] >= 0:
            module = at.facts.imports[at.code[decl.b + 1]].specifier
            return f"{module}|{'.'.join(('default', *reversed(members)))}"
        if at.code[decl.b] != Op.MEMBER:
            return ""
        node = decl.b
    return ""


def _common_end(one: str, other: str) -> str:
    """Return the path with which both texts end, behind an unknown address: `{}/api` for `{}/api` and `http://localhost/api`."""
    if one == other:
        return one
    parts: list[str] = []
    for left, right in zip(reversed(one.split("/")[1:]), reversed(other.split("/")[1:]), strict=False):
        if left != right:
            break
        parts.insert(0, left)
    return "/".join((UNKNOWN, *parts)) if parts else UNKNOWN


def mark_names(at: Expressions, text: str) -> Iterator[str]:
    """Yield the names that the marks of a text stand for: of parameters or members, `this.base`, and constants of other files."""
    for found in _PARAMETER.finditer(text):
        first, _, members = found[2].partition(".")
        parameters = at.facts.functions[int(found[1])].parameters
        yield members or (parameters[int(first)].name if int(first) < len(parameters) else "")
    for place in text.split(MARK)[1::2]:
        if place.startswith(("=", "this.")):
            yield place.rpartition("|")[2]


def marked_for(at: Expressions, text: str, owner: int) -> str:
    """Return a text with the places of the parameters of the function that a symbol is.

    Parameters of a function around it are those of the call that makes the object: `super.0`.
    """

    def place(found: re.Match[str]) -> str:
        function: Function = at.facts.functions[int(found[1])]
        if function.symbol >= 0 and function.symbol == owner:
            return f"{MARK}{found[2]}{MARK}"
        return f"{MARK}super.{found[2]}{MARK}" if function.symbol in _around(at, owner) else UNKNOWN

    return _PARAMETER.sub(place, text) if MARK in text else text


def _around(at: Expressions, symbol: int) -> Iterator[int]:
    for _ in range(_MAX_STEPS):
        symbol = at.facts.symbols[symbol].parent if symbol >= 0 else -1
        if symbol < 0:
            return
        yield symbol
