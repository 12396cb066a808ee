"""Services of `java.util.ServiceLoader`: the code that loads a service, and the types that modules and files in `META-INF`
provide for it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ....facts.model import DeclKind
from ....facts.node_scan import any_of, nodes_of
from ....facts.operations import Op
from ...framework_rules.wiring import SymbolPlace, Wired, WiredFile
from ...jvm.service_files import SERVICE, service_of

_FRAMEWORK: Final = "ServiceLoader"
_MODULE: Final = "module-info.java"
#: Kinds of the symbols of types.
_TYPES: Final = frozenset(("class", "interface", "enum"))
_LISTS: Final = any_of(Op.ARRAY)
_LOADING: Final = ("load", "loadInstalled")


def services(file: WiredFile) -> Iterator[Wired]:
    """Yield the services that a file loads or provides."""
    service = service_of(file.path)
    if service:
        yield from _named(file, service)
    elif file.path.rpartition("/")[2] == _MODULE:
        yield from _of_module(file)
    elif any(decl.kind == DeclKind.IMPORT and decl.name in (_FRAMEWORK, "*") for decl in file.facts.decls):
        yield from _loaded(file)


def _named(file: WiredFile, service: str) -> Iterator[Wired]:
    """Yield the service of a file in `META-INF`, and the types that the file names."""
    framework = "Spring" if service.startswith("org.springframework.") else _FRAMEWORK
    name = service.rpartition(".")[2]
    for entry in file.facts.imports:
        is_service = entry.specifier == SERVICE
        place = _type_named(file, service if is_service else entry.specifier, entry.specifier)
        if place is not None:
            role, text = ("dependency", f"uses {name}") if is_service else ("component", f"provides {name}")
            yield Wired(-1, place, framework, role, "directive", text, entry.position)


def _type_named(file: WiredFile, qualified: str, specifier: str) -> SymbolPlace | None:
    """Return the type with a qualified name in the file to which a specifier resolves; None if there is none."""
    target = file.module(specifier)
    if target is None:
        return None
    package = target.facts.package
    parts = (qualified.removeprefix(f"{package}.") if package else qualified).split(".")
    found = -1
    for part in parts:
        inner = (
            index
            for index, symbol in enumerate(target.facts.symbols)
            if symbol.parent == found and symbol.name == part and symbol.kind in _TYPES
        )
        found = next(inner, -2)
    return SymbolPlace(target, found) if found >= 0 else None


def _of_module(file: WiredFile) -> Iterator[Wired]:
    """Yield the types in the directives `uses` and `provides ... with` of a module."""
    code = file.code
    for node in nodes_of(file.facts, _LISTS):
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
    for node in file.facts.calls:
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
