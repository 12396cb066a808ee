"""Services of `java.util.ServiceLoader`: the code that loads a service, and the types that modules provide for it.

Files in `META-INF/services` are not read here, because the edges of a file only depend on files of its language.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ....facts.model import DeclKind
from ....facts.operations import Op
from ...wiring import Wired, WiredFile

_FRAMEWORK: Final = "ServiceLoader"
_MODULE: Final = "module-info.java"
_LOADING: Final = ("load", "loadInstalled")


def services(file: WiredFile) -> Iterator[Wired]:
    """Yield the services that a file loads or provides."""
    if file.path.rpartition("/")[2] == _MODULE:
        yield from _of_module(file)
    elif any(decl.kind == DeclKind.IMPORT and decl.name in (_FRAMEWORK, "*") for decl in file.facts.decls):
        yield from _loaded(file)


def _of_module(file: WiredFile) -> Iterator[Wired]:
    """Yield the types that the directives `uses` and `provides ... with` of a module name."""
    code = file.code
    for node in range(0, len(code), 5):
        if code[node] != Op.ARRAY:
            continue
        service, *providers = file.items(code[node + 1])
        name = file.name(service)
        text = f"provides {name}" if providers else f"uses {name}"
        for each in providers or [service]:
            for declared in file.declarations(each):
                place = declared.symbol
                if place is not None:
                    role = "component" if providers else "dependency"
                    yield Wired(-1, place, _FRAMEWORK, role, "directive", text, code[each + 4])


def _loaded(file: WiredFile) -> Iterator[Wired]:
    """Yield the services that calls of `ServiceLoader.load(Service.class)` load."""
    code = file.code
    for node in range(0, len(code), 5):
        callee = code[node + 1]
        if code[node] != Op.CALL or callee < 0 or code[callee] != Op.MEMBER or file.name(callee) not in _LOADING:
            continue
        arguments = file.items(code[node + 2])
        if file.name(code[callee + 1]) != _FRAMEWORK or not arguments or file.name(arguments[0]) != "class":
            continue
        written = code[arguments[0] + 1]
        owner = file.owner(node)
        for declared in file.declarations(written):
            place = declared.symbol
            if place is not None and owner >= 0:
                text = f"{_FRAMEWORK}.{file.name(callee)}({file.name(written)})"
                yield Wired(owner, place, _FRAMEWORK, "dependency", "call", text, code[node + 4])
