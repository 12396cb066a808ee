"""Find the declarations and calls of a file that frameworks use, by the table of conventions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ....facts.model import DeclKind
from ....facts.operations import Op
from ...framework_rules.wired_arguments import NAMES, call_text, given
from ...framework_rules.wiring import Declared, SymbolPlace, Wired, WiredFile
from .conventions import Framework

#: Maximum depth of the nested lists and calls of an argument that are searched for functions.
_MAX_DEPTH: Final = 4


class DeclaredUses:
    """Finds the declarations that frameworks use, file by file."""

    def __init__(self, frameworks: tuple[Framework, ...]) -> None:
        self._frameworks = frameworks
        self._by_package: dict[str, list[Framework]] = {}
        for framework in frameworks:
            for package in framework.packages:
                self._by_package.setdefault(package, []).append(framework)

    def of(self, file: WiredFile) -> Iterator[Wired]:
        """Yield the uses of a file's declarations by frameworks."""
        for place, entry in enumerate(file.facts.decls):
            target = Declared(file, place).symbol
            if target is not None and entry.kind in (DeclKind.FUNCTION, DeclKind.CLASS) and entry.b >= 0:
                for node in file.items(entry.b):
                    yield from self._decorated(file, node, target)
        for shape in range(len(file.facts.shapes)):
            yield from self._derived(file, shape)
        for node in file.facts.calls:
            yield from self._called(file, node)
        yield from self._placed(file)

    def _frameworks_of(self, origin: str) -> Iterator[tuple[Framework, str]]:
        package, _, name = origin.partition(":")
        for framework in self._by_package.get(package, ()):
            yield framework, name

    def _decorated(self, file: WiredFile, node: int, target: SymbolPlace) -> Iterator[Wired]:
        code = file.code
        callee = code[node + 1] if code[node] == Op.CALL else node
        for framework, name in self._frameworks_of(file.origin(callee)):
            for role, pattern in framework.decorators.items():
                if pattern.fullmatch(name) or (callee != node and pattern.fullmatch(f"{name}()")):
                    yield Wired(-1, target, framework.name, role, "decorator", call_text(file, node), code[node + 4])
                    return

    def _derived(self, file: WiredFile, index: int) -> Iterator[Wired]:
        shape = file.facts.shapes[index]
        if shape.symbol < 0 or not shape.extends:
            return
        methods = {member.name: member for member in shape.members if member.symbol >= 0}
        for origin in file.base_origins(index):
            for framework, name in self._frameworks_of(origin):
                for base in framework.bases:
                    if not base.names.fullmatch(name):
                        continue
                    target = SymbolPlace(file, shape.symbol)
                    if base.role:
                        yield Wired(-1, target, framework.name, base.role, "base", name, shape.position)
                    for member in methods.values() if base.methods is not None else ():
                        if base.methods is not None and base.methods.fullmatch(member.name):
                            place = SymbolPlace(file, member.symbol)
                            role = base.role or "hook"
                            yield Wired(-1, place, framework.name, role, "base", f"{name}.{member.name}", member.position)

    def _called(self, file: WiredFile, node: int) -> Iterator[Wired]:
        code = file.code
        callee, arguments = code[node + 1], file.items(code[node + 2])
        if callee < 0 or not arguments or code[callee] not in NAMES:
            return
        for framework, name in self._frameworks_of(file.origin(callee)):
            for call in framework.calls:
                if call.names.fullmatch(name):
                    for argument in arguments:
                        for value, place in given(file, argument, _MAX_DEPTH):
                            is_class = place.file.facts.symbols[place.symbol].kind == "class"
                            if not (is_class and call.takes_functions):
                                text, at = call_text(file, node), code[value + 4]
                                yield Wired(file.owner(node), place, framework.name, call.role, "call", text, at)
                    return

    def _placed(self, file: WiredFile) -> Iterator[Wired]:
        packages = {entry.specifier.partition(".")[0] for entry in file.facts.imports}
        for framework in self._frameworks:
            if packages.isdisjoint(framework.packages):
                continue
            for place in framework.places:
                if not place.path.fullmatch(file.path) or 0 not in file.facts.scopes:
                    continue
                for name, binding in file.facts.scopes[0].names.items():
                    if not place.names.fullmatch(name):
                        continue
                    for decl in file.facts.bindings[binding].decls:
                        entry = file.facts.decls[decl]
                        if entry.symbol >= 0:
                            target = SymbolPlace(file, entry.symbol)
                            yield Wired(-1, target, framework.name, place.role, "name", name, entry.position)
