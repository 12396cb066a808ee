"""Directives: comments by which the Go command, the linker or C code run functions."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from typing import Final

from ....facts.model import FileFacts
from ...framework_rules.wiring import ImpliedImport, SymbolPlace, Wired, WiredFile

#: Programs of the repository that `go generate` runs: a folder or a file with a relative path.
_GENERATE: Final = re.compile(r"go:generate +go +run +(?:-\S+ +)*(\.{0,2}[\w./-]+)")
#: A directive that makes a function callable from outside of Go code: the kind of directive, and the function.
_CALLED: Final = re.compile(r"(go:linkname|export|go:wasmexport) +(\w+)")
#: A directive that gives a function the body of another package's function: `go:linkname reset example.com/shop/till.reset`.
_LINKED: Final = re.compile(r"go:linkname +(\w+) +([\w./~-]+)\.(\w+) *$")
_ROLES: Final = {"go:linkname": "linked name", "export": "exported name", "go:wasmexport": "exported name"}
_MAIN: Final = "main"


def directed_imports(facts: FileFacts) -> list[ImpliedImport]:
    """Return the programs that `go generate` runs for a file, and the packages whose functions directives link to the file."""
    found: dict[ImpliedImport, None] = {}
    for each in facts.directives:
        specifier, linked = _generator(each.text), _LINKED.match(each.text)
        if specifier:
            found[ImpliedImport(specifier, _MAIN)] = None
        elif linked is not None:
            found[ImpliedImport(linked[2], linked[3])] = None
    return list(found)


def directed(file: WiredFile) -> Iterator[Wired]:
    """Yield the functions that directives of a file run, or make callable for the linker or C code."""
    for directive in file.facts.directives:
        text, position = directive.text, directive.position
        specifier = _generator(text)
        called = _CALLED.match(text)
        if specifier:
            yield from _generated(file, specifier, text, position)
        elif called is not None:
            for index, symbol in enumerate(file.facts.symbols):
                if symbol.parent < 0 and symbol.kind == "function" and symbol.name == called[2]:
                    yield Wired(-1, SymbolPlace(file, index), "Go", _ROLES[called[1]], "directive", text, position)
                    yield from _linked(file, index, text, position)


def _linked(file: WiredFile, symbol: int, text: str, position: int) -> Iterator[Wired]:
    """Yield the function of another package that a directive links to a function of a file."""
    found = _LINKED.match(text)
    package = file.module(found[2]) if found is not None else None
    declared = package.declared(found[3]) if found is not None and package is not None else None
    place = declared.symbol if declared is not None else None
    if place is not None:
        yield Wired(symbol, place, "Go", _ROLES["go:linkname"], "directive", text, position)


def _generator(text: str) -> str:
    """Return the relative path of the program that a directive runs, "" for other programs."""
    found = _GENERATE.match(text)
    if found is None:
        return ""
    path = found[1]
    if path.endswith(".go"):
        return posixpath.join(".", path) if not path.startswith("..") else path
    return path if path.startswith(("./", "../")) or path == "." else ""


def _generated(file: WiredFile, specifier: str, text: str, position: int) -> Iterator[Wired]:
    program = file.module(specifier)
    main = program.declared(_MAIN) if program is not None else None
    place = main.symbol if main is not None else None
    if place is not None:
        yield Wired(-1, place, "Go", "generator", "directive", text, position)
