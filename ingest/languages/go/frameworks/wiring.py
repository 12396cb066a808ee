"""The rules of all frameworks of Go, in the form that the engine uses."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from ....facts.model import FileFacts
from ....facts.node_scan import any_of, nodes_of
from ....facts.operations import Op
from ....files.workspace_files import WorkspaceFiles
from ...framework_rules.wired_arguments import NAMES, call_text, given
from ...framework_rules.wiring import Declared, ImpliedImport, SymbolPlace, Wired, WiredFile
from .commands import CLI, COBRA, TESTING
from .conventions import Framework
from .directives import directed, directed_imports
from .requests import CHI, ECHO, FIBER, GIN, HTTPROUTER, MUX, NET_HTTP

_TABLE: Final = (NET_HTTP, GIN, CHI, ECHO, FIBER, MUX, HTTPROUTER, COBRA, CLI, TESTING)
_BY_PACKAGE: Final = {package: framework for framework in _TABLE for package in framework.packages}
_FIELDS: Final = any_of(Op.PROP)
#: The version at the end of an import path: `/v5` and `.v2`.
_VERSION: Final = re.compile(r"[/.]v\d+$")
#: Functions that `go test` runs, by the rules of https://pkg.go.dev/cmd/go#hdr-Testing_functions.
_TEST: Final = re.compile(r"(?:Test|Benchmark|Fuzz|Example)(?![a-z]).*")
#: Maximum depth of the nested lists and calls of an argument that are searched for functions.
_MAX_DEPTH: Final = 4


class GoWiring:
    """The rules of Go's frameworks for the engine."""

    def of_workspace(self, files: WorkspaceFiles) -> GoWiring:
        """Return these rules, because manifests have no effect."""
        return self

    def implied_imports(self, facts: FileFacts) -> list[ImpliedImport]:
        """Return the dependencies of a file that only its directives show."""
        return directed_imports(facts)

    def injected(self, file: WiredFile, function: int, name: str) -> Declared | None:
        """Return None: no framework of Go injects values into parameters by name."""
        return None

    def wired(self, file: WiredFile) -> Iterator[Wired]:
        """Yield the declarations and names of a file that the Go command or frameworks use."""
        yield from _run_by_name(file)
        yield from directed(file)
        known = {_package(entry.specifier) for entry in file.facts.imports} & _BY_PACKAGE.keys()
        if known:
            yield from _called(file)
        if any(_BY_PACKAGE[package].fields for package in known):
            yield from _functions_in_literals(file)


def _package(path: str) -> str:
    return _VERSION.sub("", path)


def _framework_of(origin: str) -> tuple[Framework, str] | None:
    """Return the framework of an origin, and the origin without its package."""
    package, _, name = origin.partition(":")
    framework = _BY_PACKAGE.get(_package(package))
    return (framework, name) if framework is not None else None


def _run_by_name(file: WiredFile) -> Iterator[Wired]:
    is_test = file.path.endswith("_test.go")
    is_program = file.facts.package == "main"
    for index, symbol in enumerate(file.facts.symbols):
        if symbol.kind != "function" or symbol.parent >= 0:
            continue
        if symbol.name == "init" or (symbol.name == "main" and is_program):
            yield _by_name(file, index, "Go", "entry point")
        elif is_test and _TEST.fullmatch(symbol.name):
            yield _by_name(file, index, "testing", "test")


def _by_name(file: WiredFile, symbol: int, framework: str, role: str) -> Wired:
    position = next((entry.position for entry in file.facts.decls if entry.symbol == symbol), -1)
    if position < 0:  # code cannot refer to `init`, so it is not a declaration
        position = file.facts.line_starts[file.facts.symbols[symbol].name_line - 1]
    return Wired(-1, SymbolPlace(file, symbol), framework, role, "name", file.facts.symbols[symbol].name, position)


def _called(file: WiredFile) -> Iterator[Wired]:
    """Yield the functions that calls pass to frameworks."""
    code = file.code
    for node in file.facts.calls:
        callee, arguments = code[node + 1], file.items(code[node + 2])
        found = _framework_of(file.origin(callee)) if callee >= 0 and arguments and code[callee] in NAMES else None
        role = _role(found[0].calls, found[1]) if found is not None else ""
        if found is None or not role:
            continue
        for argument in arguments:
            for value, place in given(file, argument, _MAX_DEPTH):
                if _is_function(place):
                    text = call_text(file, node)
                    yield Wired(file.owner(node), place, found[0].name, role, "call", text, code[value + 4])


def _functions_in_literals(file: WiredFile) -> Iterator[Wired]:
    """Yield the functions in fields of literals, if the types of the literals belong to a framework."""
    code = file.code
    for node in nodes_of(file.facts, _FIELDS):
        literal = code[node + 3]
        if literal < 0 or code[literal] != Op.AS:  # a nested literal without its own type
            continue
        written = code[literal + 2]
        found = _framework_of(file.origin(written)) if written >= 0 else None
        if found is None:
            continue
        text = f"{found[1]}.{file.facts.strings[code[node + 2]]}"
        role = _role(found[0].fields, text)
        for value, place in given(file, code[node + 1], _MAX_DEPTH) if role else ():
            if _is_function(place):
                yield Wired(file.owner(node), place, found[0].name, role, "call", text, code[value + 4])


def _role(patterns: Mapping[str, re.Pattern[str]], name: str) -> str:
    return next((role for role, pattern in patterns.items() if pattern.fullmatch(name)), "")


def _is_function(place: SymbolPlace) -> bool:
    return place.file.facts.symbols[place.symbol].kind in ("function", "method")
