"""The files of one state of a repository, with the look-ups that the linking of contracts and code needs."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Final, Protocol

from ...schema.graph_content import GraphContent, joined
from ...schema.languages import imported_folder
from ...schema.paths import parent_of, path_in
from ...schema.records import Symbol
from ...schema.symbol_kinds import STATEMENTS
from ..contracts.field_requests import field_edges
from ..contracts.folder_packages import FolderPackages
from ..contracts.implementations import implementation_edges
from ..contracts.requests import request_edges
from ..facts.api import ApiFacts
from .module_names import DEFAULT
from .named_declarations import out_of_group

#: Values of `FileLinks.api`. Code that sends requests may also serve requests.
CONTRACT: Final = "contract"
CLIENT: Final = "client"
CODE: Final = "code"
#: Roles of files in which edges of APIs begin.
BEGINNINGS: Final = frozenset((CONTRACT, CLIENT))

#: Kinds of symbols whose signature may state a text: `ORDERS = "order.created"`.
_CONSTANTS: Final = frozenset(("const", "variable", "property", "enumMember"))
#: Endings of the files that a server of JavaScript loads.
_SCRIPTS: Final = (".js", ".ts", ".mjs", ".cjs", ".mts", ".cts")
_TEXT: Final = re.compile(r"=[ \t]*([\"'`])([^\"'`\\]{1,200})\1(?: as const)?;?$")


def api_role(api: ApiFacts | None) -> str:
    """Return the role of a file in APIs: whether it declares operations, sends requests, or only implements operations."""
    if api is None:
        return ""
    if api.operations or api.references or api.parts:
        return CONTRACT
    return CLIENT if api.requests or api.wrapper_calls or api.kinds or api.fields else CODE


def constant_text(symbol: Symbol) -> str:
    """Return the text that a constant has by its signature; "" for other symbols."""
    found = _TEXT.search(symbol.signature) if symbol.kind in _CONSTANTS else None
    return found[2] if found is not None else ""


class LinkedFile(Protocol):
    """The facts of a file that are known without reading the file."""

    @property
    def api(self) -> str:
        """The facts of the file about APIs."""

    @property
    def declared(self) -> str:
        """The names that the file declares, one per line."""

    @property
    def forwarded(self) -> str:
        """The names that the file exports from other modules or under another name: see `module_names.forwarded`."""

    def target(self, specifier: str) -> str | None:
        """Return the file to which a specifier resolves."""


def api_edges(
    links: Mapping[str, LinkedFile],
    api_of: Callable[[str], ApiFacts | None],
    symbols_of: Callable[[str], Sequence[Symbol]],
) -> dict[str, GraphContent]:
    """Return the edges of contracts and requests over one state of a repository, by the path of the contract or the client."""
    paths = [path for path, entry in links.items() if entry.api]
    if not any(links[path].api in BEGINNINGS for path in paths):
        return {}
    facts = {path: api for path in sorted(paths) if (api := api_of(path)) is not None}
    sources = ApiSources(links, symbols_of)
    found = implementation_edges(facts, sources)
    for by_path in (request_edges(facts, sources), field_edges(facts, sources)):
        for path, requests in by_path.items():
            found[path] = joined([found[path], requests]) if path in found else requests
    return found


class ApiSources:
    """The files of a repository with the targets of their imports and names."""

    def __init__(self, links: Mapping[str, LinkedFile], symbols_of: Callable[[str], Sequence[Symbol]]) -> None:
        self._links = links
        self._symbols_of = symbols_of
        #: For each requested file, its declarations by qualified name; None if several have the name.
        self._names: dict[str, dict[str, Symbol | None]] = {}
        #: For each requested file, the names that it forwards, with their modules and the names there.
        self._forwarded: dict[str, dict[str, list[tuple[str, str]]]] = {}
        #: Results of `_declaring`, by the first file of the package.
        self._packages_by_name: dict[str, dict[str, list[str]]] = {}

    def modules(self, specifier: str, path: str) -> list[str]:
        """Return the file to which a specifier in a file resolves, in a list; [] if it is unresolved."""
        entry = self._links.get(path)
        target = entry.target(specifier) if entry is not None else None
        if target is not None:
            return [target]
        return self._by_dotted_name(specifier)

    def _by_dotted_name(self, module: str) -> list[str]:
        """Return the file of a dotted module name, such as `app.urls`, if only one file has the name."""
        if not module.replace(".", "_").isidentifier() or module.startswith("."):
            return []
        last = module.rpartition(".")[2]
        wanted = module.replace(".", "/")
        found = [
            path
            for path in self._python.get(last, ())
            if path.removesuffix(".py").removesuffix("/__init__") == wanted
            or path.removesuffix(".py").removesuffix("/__init__").endswith(f"/{wanted}")
        ]
        return found if len(found) == 1 else []

    @cached_property
    def _python(self) -> dict[str, list[str]]:
        """The Python files by the last part of their module's name."""
        found: dict[str, list[str]] = {}
        for path in self._links:
            if path.endswith(".py"):
                stem = path.removesuffix(".py").removesuffix("/__init__").rpartition("/")[2]
                found.setdefault(stem, []).append(path)
        return found

    def scripts(self, module: str) -> list[str]:
        """Return the files of JavaScript and TypeScript whose paths end with a path without an ending: `v2/orders`."""
        wanted = module.strip("./")
        found = self._scripts.get(wanted.rpartition("/")[2], ()) if wanted else ()
        return [path for path in found if f"/{path.rpartition('.')[0]}".endswith(f"/{wanted}")]

    @cached_property
    def _scripts(self) -> dict[str, list[str]]:
        """The files of JavaScript and TypeScript by their names without ending."""
        found: dict[str, list[str]] = {}
        for path in sorted(self._links):
            if path.endswith(_SCRIPTS):
                found.setdefault(path.rpartition("/")[2].rpartition(".")[0], []).append(path)
        return found

    def symbol_id(self, path: str, symbol: int) -> str:
        """Return the id of a symbol."""
        return self._symbols_of(path)[symbol].id

    def line(self, path: str, symbol: int) -> int:
        """Return the line of a symbol."""
        return self._symbols_of(path)[symbol].declaration_line

    def name(self, path: str, symbol: int) -> str:
        """Return the qualified name of a symbol."""
        return self._symbols_of(path)[symbol].qualified_name

    def find(self, path: str, name: str) -> str | None:
        """Return the id of the only declaration with a qualified name in a file, or else in the other files of its package."""
        found = self._symbol(path, name)
        return found.id if found is not None else None

    def kind(self, path: str, name: str) -> str:
        """Return the kind of the only declaration with a qualified name in a file, or else in the other files of its package."""
        found = self._symbol(path, name)
        return found.kind if found is not None else ""

    def forwards(self, path: str, name: str) -> list[tuple[str, str]]:
        """Return the modules from which a file exports a name, "" for the file itself, with the names there."""
        known = self._forwarded.get(path)
        if known is None:
            known = self._forwarded[path] = {}
            entry = self._links.get(path)
            for line in entry.forwarded.split("\n") if entry is not None and entry.forwarded else ():
                exported, module, local = line.split("\t")
                known.setdefault(exported, []).append((module, local))
        found = known.get(name or DEFAULT, [])
        return found or [(module, name) for module, _ in known.get("*", ()) if name and name != DEFAULT]

    def text(self, path: str, name: str) -> str:
        """Return the text of the only constant with a qualified name in a file, or else in the other files of its package."""
        found = self._symbol(path, name)
        return constant_text(found) if found is not None else ""

    def _symbol(self, path: str, name: str) -> Symbol | None:
        if path not in self._links:
            return None
        found = self._named(path).get(name)
        if found is None and path.endswith(".java"):
            beside = path_in(parent_of(path), f"{name.partition('.')[0]}.java")
            return self._named(beside).get(name) if beside in self._links else None
        if found is not None:
            return found
        if path.endswith("/__init__.py"):
            return self._re_exported(path, name)
        for other in self._declaring(self._packages.around(path)).get(name.rpartition(".")[2], ()):
            found = self._named(other).get(name)
            if found is not None:
                return found
        return None

    def _re_exported(self, path: str, name: str) -> Symbol | None:
        """Return the declaration with a name in a package of Python, if only one module of the package has it."""
        declaring = self._declaring(self._modules_of_packages[parent_of(path)]).get(name.partition(".")[0], ())
        symbols = [symbol for each in declaring if (symbol := self._named(each).get(name)) is not None]
        return symbols[0] if len(symbols) == 1 else None

    @cached_property
    def _modules_of_packages(self) -> dict[str, list[str]]:
        """The files of Python by folder."""
        found: dict[str, list[str]] = {}
        for path in self._links:
            if path.endswith(".py"):
                found.setdefault(parent_of(path), []).append(path)
        return found

    def _declaring(self, files: Sequence[str]) -> Mapping[str, list[str]]:
        """Return the files of a package by the names that they declare."""
        if not files:
            return {}
        known = self._packages_by_name.get(files[0])
        if known is None:
            known = self._packages_by_name[files[0]] = {}
            for each in files:
                for name in self._links[each].declared.split("\n"):
                    known.setdefault(name, []).append(each)
        return known

    @cached_property
    def _packages(self) -> FolderPackages:
        return FolderPackages(path for path in sorted(self._links) if imported_folder(path) is not None)

    def _named(self, path: str) -> dict[str, Symbol | None]:
        known = self._names.get(path)
        if known is None:
            known = self._names[path] = {}
            for symbol in self._symbols_of(path):
                if symbol.kind not in STATEMENTS:
                    name = out_of_group(symbol).qualified_name
                    known[name] = None if name in known else symbol
        return known
