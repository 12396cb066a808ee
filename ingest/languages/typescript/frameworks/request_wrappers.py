"""Functions of a repository that send requests for their callers, the calls that may be calls of one, and texts in URLs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from .....schema.symbol_kinds import STATEMENTS
from ....facts.api import MARK, UNKNOWN, ApiFacts, ImportedName, MadeOf, WrapperCall
from ....facts.model import DeclKind, ShapeKind
from ....facts.operations import Op, ThisKind
from ...api_calls.expressions import CALLS, Expressions
from .request_urls import function_of, mark_names, marked_for, parameter_place, url_text

#: Maximum number of variables, members and calls through which a called function is followed.
_MAX_STEPS: Final = 8
#: Maximum length of a kept text.
_MAX_TEXT: Final = 300
#: Members of objects that state a part of a request.
_PARTS: Final = frozenset(("url", "uri", "path", "pathname", "endpoint", "route", "method", "baseURL", "baseUrl", "base"))
#: Names of functions that may take a path without a slash, or pass on a parameter.
_SENDING: Final = re.compile(
    r"(?:get|post|put|patch|del|delete|head|send)(?:json|data)?|(?:fetch|request|api|http|ajax)\w{0,9}|\w*(?:fetch|request|api|http|ajax)",
    re.IGNORECASE,
)
#: Texts that may be a part of a URL, and those that are a path, perhaps behind an unknown address.
_PART: Final = re.compile(rf"[^\s{MARK}]*(?:{MARK}[^{MARK}]*{MARK}[^\s{MARK}]*)*")
_WORD: Final = re.compile(r"[\w-]+")
_PATH: Final = re.compile(rf"(?:\{{\}}|{MARK}[^{MARK}]*{MARK})?/[\w{{{MARK}:]|api/")
#: Names of parameters, fields and constants with a part of a URL.
_ADDRESS: Final = re.compile(r"^this\.|url|uri|path|endpoint|route|href|resource|address", re.IGNORECASE)
_PATH_OR_ADDRESS: Final = re.compile(r"(?:/|\{\}/|https?://|api/)\S*")
#: Expressions that may be a constant text, and those whose text a field may keep.
_CONSTANT_TEXTS: Final = (Op.STRING, Op.TEMPLATE, Op.BINARY, Op.MEMBER, Op.NAME, Op.FLOW, Op.CONDITIONAL, Op.LOGICAL)
_FIELD_TEXTS: Final = (*_CONSTANT_TEXTS, Op.CALL)
_REFERENCES: Final = (Op.NAME, Op.FLOW, Op.LEXICAL)
#: Names of classes and functions whose objects may send requests.
_CLIENT: Final = re.compile(r"api|client|http|request|fetch|axios|service|rest|resource|default", re.IGNORECASE)
#: Objects to which code adds routes.
_ROUTER: Final = re.compile(r"(?:app|server|routes?|\w*[rR]outer)(?:\.|$)")
#: Functions that return an object of the class in their argument.
_INJECTING: Final = frozenset(("inject", "useService", "resolve"))


def wrapper_call(at: Expressions, node: int) -> WrapperCall | None:
    """Return a call that may be a call of a wrapper; None for calls without a part of a request."""
    callee = at.code[node + 1]
    name = at.name(callee)
    arguments = at.items(at.code[node + 2])
    if not name or not arguments:
        return None
    owner = at.owner(node)
    parts = list(_values(at, arguments))
    is_sending = _SENDING.fullmatch(name) is not None
    values = {place: marked_for(at, text, owner) for place, text in parts}
    has_path = any(
        _PATH.match(values[place]) or (is_sending and (MARK in text or _WORD.fullmatch(text))) or _names_address(at, text)
        for place, text in parts
        if not place.endswith(".method")
    )
    target = named(at, callee) if has_path else None
    if target is None or _ROUTER.match(target.name):
        return None
    line, column = at.place(node)
    return WrapperCall(target, values, function_name(at, owner), owner, line, column)


def _names_address(at: Expressions, text: str) -> bool:
    """Return whether a text has a mark with the name of a URL, or of a field of an object."""
    return any(_ADDRESS.search(name) for name in mark_names(at, text)) if MARK in text else False


def _values(at: Expressions, arguments: Sequence[int]) -> Iterator[tuple[str, str]]:
    """Yield the texts of arguments, and of members of objects, by their places."""
    for number, argument in enumerate(arguments):
        node = _literal(at, argument)
        if at.code[node] == Op.OBJECT:
            for member in at.facts.shapes[at.code[node + 1]].members:
                text = _part(at, member.value) if member.name in _PARTS and member.value >= 0 else ""
                if text:
                    yield f"{number}.{member.name}", text
            for each in at.items(at.code[node + 2]):
                place = _part(at, at.code[each + 1])
                if place.startswith(MARK):
                    yield str(number), place  # `{ ...options }` may have all members
        elif at.code[node] != Op.FUNCTION:
            text = _part(at, node)
            if (text and text != UNKNOWN) or (at.code[node] in _REFERENCES and at.declaration(node) is not None):
                yield str(number), text or UNKNOWN  # an unknown value may have all members


def _literal(at: Expressions, node: int) -> int:
    """Return the object literal that a variable keeps; other expressions are returned unchanged."""
    decl = at.declaration(node) if at.code[node] in _REFERENCES else None
    is_object = decl is not None and decl.kind == DeclKind.VARIABLE and decl.b >= 0 and at.code[decl.b] == Op.OBJECT
    return decl.b if decl is not None and is_object else node


def _part(at: Expressions, node: int) -> str:
    text = url_text(at, node)
    return text if len(text) <= _MAX_TEXT and _PART.fullmatch(text) else ""


def named(at: Expressions, node: int, steps: int = _MAX_STEPS) -> ImportedName | None:
    """Return the function, object or class that an expression names; None if the file does not show it.

    A member of the result of a function has the name of the function before it: `useApi.get`.
    """
    if node < 0 or steps <= 0:
        return None
    code, operation = at.code, at.code[node]
    if operation in (Op.AWAIT, Op.AS, Op.NON_NULL):
        return named(at, code[node + 1], steps - 1)
    if operation in CALLS:
        arguments = at.items(code[node + 2])
        if at.name(code[node + 1]) in _INJECTING and arguments:
            return named(at, arguments[0], steps - 1)
        return named(at, code[node + 1], steps - 1)
    if operation == Op.REQUIRE:
        return ImportedName("default", at.facts.imports[code[node + 1]].specifier) if code[node + 1] >= 0 else None
    if operation == Op.MEMBER:
        return _named_member(at, node, steps)
    decl = at.declaration(node)
    if decl is None:
        return None
    if decl.kind == DeclKind.IMPORT:
        return at.imported(decl)
    if decl.kind in (DeclKind.FUNCTION, DeclKind.CLASS):
        return ImportedName(function_name(at, decl.symbol)) if decl.symbol >= 0 else None
    if decl.kind not in (DeclKind.VARIABLE, DeclKind.PARAMETER):
        return None
    typed = at.named_type(decl.a) if decl.a >= 0 else None
    if typed is not None:
        return typed
    if decl.kind == DeclKind.PARAMETER or decl.b < 0:
        return None
    if code[decl.b] in (Op.FUNCTION, Op.OBJECT, Op.CLASS):
        return ImportedName(function_name(at, decl.symbol) if decl.symbol >= 0 else decl.name)
    is_made = code[decl.b] in CALLS and decl.symbol >= 0 and at.facts.symbols[decl.symbol].parent < 0
    return ImportedName(decl.name) if is_made else named(at, decl.b, steps - 1)


def _named_member(at: Expressions, node: int, steps: int) -> ImportedName | None:
    receiver, name = at.code[node + 1], at.string(at.code[node + 2])
    if receiver < 0:
        return None
    if at.code[receiver] in (Op.THIS, Op.SUPER):
        owner = at.own_class(receiver) if at.code[receiver + 1] in (ThisKind.INSTANCE, ThisKind.STATIC) else ""
        field = at.member(node)
        typed = at.named_type(field.type) if field is not None and field.type >= 0 else None
        if typed is not None:
            return typed
        if field is not None and field.value >= 0 and at.code[field.value] in CALLS:
            return named(at, field.value, steps - 1)
        return ImportedName(f"{owner}.{name}") if owner else None
    outer = named(at, receiver, steps - 1)
    return ImportedName(f"{outer.name}.{name}" if outer.name else name, outer.module) if outer is not None else None


def function_name(at: Expressions, symbol: int) -> str:
    """Return the name of a symbol behind the names of the symbols around it: `Api.get`; "" for none."""
    names: list[str] = []
    for _ in range(_MAX_STEPS):
        if symbol < 0:
            break
        fact = at.facts.symbols[symbol]
        if fact.kind not in STATEMENTS:
            names.append(fact.name)
        symbol = fact.parent
    return ".".join(reversed(names))


# ---------------------------------------------------------------------- texts


def add_texts(at: Expressions, api: ApiFacts) -> None:
    """Add the paths in exported constants, the texts of fields of classes, and the classes of objects."""
    facts = at.facts
    for each in facts.exports:
        decls = facts.bindings[each.binding].decls if each.source < 0 and each.binding >= 0 else ()
        for decl in (facts.decls[index] for index in decls):
            if decl.kind in (DeclKind.VARIABLE, DeclKind.ENUM, DeclKind.FUNCTION):
                node = decl.b if decl.kind == DeclKind.VARIABLE else -1
                api.texts.update(_constants(at, decl.name, node, decl.a if decl.kind == DeclKind.ENUM else -1))
                if decl.kind == DeclKind.FUNCTION:
                    api.texts.update(_returned(at, decl.name, decl.a))
        if each.source < 0 and each.binding < 0 and each.value >= 0:
            api.texts.update(_constants(at, "", each.value, -1))
    _add_classes(at, api)
    _add_objects(at, api)


def _constants(at: Expressions, name: str, node: int, shape: int, depth: int = 2) -> Iterator[tuple[str, str]]:
    """Yield the paths that a constant is or has as members, and those that its functions return: `ROUTES.user()`."""
    while node >= 0 and at.code[node] in (Op.AS, Op.NON_NULL):
        node = at.code[node + 1]
    if node >= 0 and at.code[node] == Op.OBJECT:
        shape = at.code[node + 1]
    if shape >= 0:
        for member in at.facts.shapes[shape].members if depth else ():
            inner = f"{name}.{member.name}" if name else member.name
            if member.function >= 0:
                yield from _returned(at, inner, member.function)
            else:
                yield from _constants(at, inner, member.value, -1, depth - 1)
        return
    if node >= 0 and at.code[node] == Op.FUNCTION:
        yield from _returned(at, name, at.code[node + 1])
    elif node >= 0 and at.code[node] in _CONSTANT_TEXTS:
        text = marked_for(at, url_text(at, node), -1)
        if len(text) <= _MAX_TEXT and text != UNKNOWN and _PATH_OR_ADDRESS.fullmatch(text.replace(MARK, "")):
            yield name, text


def _returned(at: Expressions, name: str, function: int) -> Iterator[tuple[str, str]]:
    returns = at.facts.functions[function].returns
    for _, text in _constants(at, name, returns[0], -1, 0) if len(returns) == 1 else ():
        yield f"{name}()", text


def _add_classes(at: Expressions, api: ApiFacts) -> None:
    """Add the bases of classes, the texts of their fields, and the arguments that they give to the constructors of their bases.

    A class without such texts says nothing about requests, unless its methods send some.
    """
    bases: dict[str, MadeOf] = {}
    for shape in at.facts.shapes:
        if shape.kind != ShapeKind.CLASS or not shape.name or shape.symbol < 0:
            continue
        base = at.named_type(shape.extends[0]) if shape.extends else None
        if base is not None:
            bases[shape.name] = MadeOf(base, shape.symbol)
        for member in shape.members:
            if member.function >= 0:
                api.texts.update(_returned(at, f"{shape.name}.{member.name}", member.function))
            elif member.value >= 0 and not member.static:
                _add_field(at, api, shape.name, member.name, member.value)
    for each in at.facts.expandos:
        target = each.target
        if at.code[target] == Op.MEMBER and at.code[target + 1] >= 0 and at.code[at.code[target + 1]] == Op.THIS:
            owner = at.own_class(at.code[target + 1])
            if owner:
                _add_field(at, api, owner, at.string(at.code[target + 2]), each.value)
    for node in at.facts.calls:
        callee = at.code[node + 1] if at.code[node] == Op.CALL else -1
        if callee >= 0 and at.code[callee] == Op.SUPER and (owner := at.own_class(callee)):
            _add_given(at, api, owner, node)
    functions = [*(each.function for each in api.wrappers), *(each.function for each in api.wrapper_calls)]
    senders = {function.partition(".")[0] for function in functions}
    for name in [name for name, text in api.texts.items() if text.startswith(f"{MARK}super.")]:
        if name.partition(".")[0] not in senders:
            del api.texts[name]
    stated = senders | {name.partition(".")[0] for name in api.texts}
    api.kinds.update((name, base) for name, base in bases.items() if name in stated)


def _add_field(at: Expressions, api: ApiFacts, owner: str, name: str, node: int) -> None:
    place = parameter_place(at, node)
    function = function_of(at, node)
    if place is not None:
        text = f"{MARK}super.{place.place}{MARK}"
    elif function >= 0:
        returns = at.facts.functions[function].returns
        name, text = f"{name}()", marked_for(at, _part(at, returns[0]), -1) if len(returns) == 1 else ""
    else:
        raw = _part(at, node) if at.code[node] in _FIELD_TEXTS else ""
        is_part = _PATH.match(raw) or _WORD.fullmatch(raw) or _names_address(at, raw)
        text = marked_for(at, raw, -1) if is_part else ""
    if text and text != UNKNOWN:
        api.texts.setdefault(f"{owner}.{name}", text)


def _add_given(at: Expressions, api: ApiFacts, owner: str, node: int) -> None:
    for place, text in _values(at, at.items(at.code[node + 2])):
        api.texts[f"{owner}.super.{place}"] = marked_for(at, text, -1)


def _add_objects(at: Expressions, api: ApiFacts) -> None:
    """Add the variables of the module that keep the result of a function or a new object."""
    for decl in at.facts.decls:
        if decl.kind != DeclKind.VARIABLE or decl.symbol < 0 or decl.b < 0 or at.code[decl.b] not in CALLS:
            continue
        maker = named(at, at.code[decl.b + 1]) if at.facts.symbols[decl.symbol].parent < 0 else None
        if maker is not None and maker.name != decl.name and _CLIENT.search(maker.name):
            api.kinds[decl.name] = MadeOf(maker, decl.symbol)
            _add_given(at, api, decl.name, decl.b)
