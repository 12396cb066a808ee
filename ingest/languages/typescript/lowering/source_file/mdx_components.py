"""Record the components that a program provides to its MDX files by name.

They are the members of an object that `useMDXComponents` returns, that has the type `MDXComponents`, or that code passes to the
content as `components={…}`. `{ Card }` declares the global name `<mdx:Card>`. No identifier has such a name, so only tags in MDX
find it. An object of another file is declared as a whole, under the name `<mdx:*>`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from .....facts.model import Binding, Decl, DeclKind, Meaning
from .....facts.operations import Op
from .....symbols.states import ScopeState
from ...libraries.component_properties import ANY_MDX_TAG, mdx_tag
from ..context import Context
from .vue_registrations import lazy_import

_PROVIDER: Final = "useMDXComponents"
_TYPE: Final = "MDXComponents"
_ATTRIBUTE: Final = "components"
_WRAPPERS: Final = frozenset((Op.AS, Op.NON_NULL))


def note_mdx_components(cx: Context) -> None:
    """Add the components that a file provides to MDX to its globals. Call this before names are bound."""
    if _ATTRIBUTE.encode() not in cx.source and _TYPE.encode() not in cx.source:
        return
    names: dict[str, int] = {}
    seen: set[int] = set()
    for value in _objects(cx):
        _provide(cx, names, value, seen)
    if names:
        cx.scopes.append(ScopeState(0, len(cx.scopes), names=names, ambient="global"))


def _objects(cx: Context) -> Iterator[int]:
    """Yield the values with components for MDX."""
    code, strings = cx.code, cx.strings
    for decl in cx.decls:
        if decl.kind == DeclKind.VARIABLE and decl.b >= 0:
            if (decl.a >= 0 and _is_type(cx, decl.a)) or (code[decl.b] == Op.AS and _is_type(cx, code[decl.b + 2])):
                yield decl.b
            elif decl.name == _PROVIDER and code[decl.b] == Op.FUNCTION:
                yield from cx.functions[code[decl.b + 1]].returns
        elif decl.kind == DeclKind.FUNCTION and decl.name == _PROVIDER:
            yield from cx.functions[decl.a].returns
    is_renderer = b"mdx" in cx.source.lower()
    for node in cx.calls:
        if code[node] == Op.JSX and code[node + 1] >= 0 and (is_renderer or _is_content(cx, code[node + 1])):
            for attribute in cx.items(code[node + 2]):
                if code[attribute] == Op.PROP and strings[code[attribute + 2]] == _ATTRIBUTE and code[attribute + 1] >= 0:
                    yield code[attribute + 1]


def _is_content(cx: Context, tag: int) -> bool:
    """Return whether a tag is `<Content>`, as Astro calls the content of an entry."""
    return cx.code[tag] == Op.NAME and cx.strings[cx.code[tag + 2]] == "Content"


def _is_type(cx: Context, type_: int) -> bool:
    """Return whether a type is `MDXComponents`."""
    name = cx.code[type_ + 1] if cx.code[type_] == Op.T_REFERENCE else type_
    return cx.code[name] == Op.T_NAME and cx.strings[cx.code[name + 2]] == _TYPE


def _provide(cx: Context, names: dict[str, int], value: int, seen: set[int]) -> None:
    """Declare the components of an object, and of the objects that it spreads, unless it was seen."""
    code, strings = cx.code, cx.strings
    while value >= 0 and code[value] in _WRAPPERS:
        value = code[value + 1]
    if value < 0 or value in seen:
        return
    seen.add(value)
    if code[value] == Op.OBJECT:
        for spread in cx.items(code[value + 2]):
            _provide(cx, names, code[spread + 1], seen)
        for member in cx.shapes[code[value + 1]].members:
            if not member.name[:1].isupper() or member.value < 0:
                continue
            imported = _loaded(cx, member.value)
            if imported >= 0:
                decl = Decl(DeclKind.IMPORT, mdx_tag(member.name), -1, imported, cx.string(b"default"), 0, code[member.value + 4])
                _bind(cx, names, decl)
            elif code[member.value] in (Op.NAME, Op.MEMBER):
                _declare(cx, names, mdx_tag(member.name), member.value)
            elif member.symbol >= 0:  # a function in place
                _declare(cx, names, mdx_tag(member.name), member.value, member.symbol)
    elif code[value] == Op.NAME:
        binding = cx.scopes[0].names.get(strings[code[value + 2]], -1)
        decls = [cx.decls[each] for each in cx.bindings[binding].decls] if binding >= 0 else []
        if len(decls) == 1 and decls[0].kind == DeclKind.VARIABLE and decls[0].b >= 0 and code[decls[0].b] != Op.NAME:
            _provide(cx, names, decls[0].b, seen)
        elif len(decls) == 1 and decls[0].kind == DeclKind.IMPORT:
            _declare(cx, names, ANY_MDX_TAG, value)


def _declare(cx: Context, names: dict[str, int], tag: str, value: int, symbol: int = -1) -> None:
    """Declare a global name for a name, or for a value with a symbol. A name with several values has a declaration for each."""
    position = cx.code[value + 4]
    if symbol >= 0:
        _bind(cx, names, Decl(DeclKind.VARIABLE, tag, symbol, -1, value, -1, position))
    else:
        _bind(cx, names, Decl(DeclKind.IMPORT_ALIAS, tag, -1, value, -1, -1, position))


def _bind(cx: Context, names: dict[str, int], decl: Decl) -> None:
    """Add a declaration to the global name that it declares."""
    cx.decls.append(decl)
    if decl.name in names:
        cx.bindings[names[decl.name]].decls.append(len(cx.decls) - 1)
    else:
        names[decl.name] = len(cx.bindings)
        cx.bindings.append(Binding(decl.name, Meaning.VALUE, [len(cx.decls) - 1], len(cx.scopes), []))


def _loaded(cx: Context, value: int) -> int:
    """Return the import in a call that loads a component when it is shown: `dynamic(() => import("./Chart"))`; -1 for others."""
    arguments = cx.items(cx.code[value + 2]) if cx.code[value] == Op.CALL else []
    return lazy_import(cx, arguments[0]) if arguments else -1
