"""Routes that functions of Spring declare: `route(GET("/users"), handler::list)`, `route().GET("/users", handler::list)`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from ....facts.api import ANY_METHOD, UNKNOWN, ImportedName
from ....facts.operations import Op
from ...api_calls.rules import HTTP_METHODS
from ...framework_rules.wiring import FileNodes
from .annotations import imports_of
from .chains import MAX_CALLS, chains_of

_PACKAGES: Final = ("org.springframework.web.reactive.function.server", "org.springframework.web.servlet.function")
_TYPES: Final = frozenset(f"{package}.{name}" for package in _PACKAGES for name in ("RouterFunctions", "RouterFunction"))
_STATIC: Final = ("RouterFunctions", "RequestPredicates")
_MODULES: Final = frozenset((*_PACKAGES, *(f"{package}.{name}" for package in _PACKAGES for name in _STATIC)))
#: Calls that add a route for a predicate.
_ADDING: Final = frozenset(("route", "andRoute"))
#: Calls that add routes below a path or a predicate.
_NESTING: Final = frozenset(("nest", "andNest", "path"))
#: Method that combines two predicates. The result is true if both predicates are true.
_BOTH: Final = "and"
#: Maximum depth of nested routes and predicates.
_MAX_DEPTH: Final = 8


class FunctionalRoute(NamedTuple):
    """A route: the method of HTTP, the path, and the nodes of the call and of the handler."""

    verb: str
    path: str
    node: int
    handler: int


def functional_routes(file: FileNodes) -> Iterator[FunctionalRoute]:
    """Yield the routes of a file."""
    if not imports_of(file).has_any(_MODULES):
        return
    reading = _Reading(file)
    for node in file.facts.calls:
        yield from reading.routes(node)


class _Reading:
    """Reads the routes of one file."""

    def __init__(self, file: FileNodes) -> None:
        self._file = file
        self._chains = chains_of(file)
        #: The path from the calls around an argument, by the node of the argument; for a parameter of a function, by the offset
        #: of the parameter.
        self._around: dict[int, str] = {}
        self._parameters: dict[int, str] = {}
        for node in reversed(file.facts.calls):  # calls follow their arguments
            self._nest(node)

    def routes(self, node: int) -> Iterator[FunctionalRoute]:
        """Yield the routes that one call adds."""
        file, code = self._file, self._file.code
        if code[node] != Op.CALL or code[node + 1] < 0:
            return
        name, arguments = file.name(code[node + 1]), file.items(code[node + 2])
        if len(arguments) < 2 or not (name in _ADDING or name in HTTP_METHODS):
            return
        outer = self._outer(node)
        if outer is None:
            return
        first = arguments[0]
        found = self._predicates(first, _MAX_DEPTH) if name in _ADDING else [(name, self._chains.text(first))]
        for verb, path in found:
            if path != UNKNOWN:
                yield FunctionalRoute(verb, _joined(outer, path), node, arguments[-1])

    def _outer(self, node: int) -> str | None:
        """Return the path from the calls around a call; None if the call is not known to declare routes."""
        path = self._path_around(node)
        return "" if path is None and self._is_router(node) else path

    def _is_router(self, node: int) -> bool:
        """Return whether a chain begins with a function of `RouterFunctions`."""
        chain = self._chains.chain(node)
        if chain is None or not chain.steps or _TYPES.isdisjoint(chain.types):
            return False
        return chain.steps[0].name in (*_ADDING, "nest")

    def _path_around(self, node: int) -> str | None:
        """Return the path from the calls around a call, perhaps through a parameter of the enclosing function."""
        code = self._file.code
        if node in self._around:
            return self._around[node]
        for _ in range(MAX_CALLS):
            callee = code[node + 1] if code[node] == Op.CALL else -1
            if callee < 0 or code[callee] != Op.MEMBER:
                break
            node = code[callee + 1]
            if node in self._around:
                return self._around[node]
        if node >= 0 and code[node] == Op.NAME and code[node + 1] >= 0:
            decls = self._file.facts.bindings[code[node + 1]].decls
            return self._parameters.get(self._file.facts.decls[decls[0]].position) if decls else None
        return None

    def _nest(self, node: int) -> None:
        """Record the path of a call for its arguments: `nest(path("/api"), route(…))`, `.path("/api", b -> b.GET(…))`."""
        file, code = self._file, self._file.code
        name = file.name(code[node + 1]) if code[node] == Op.CALL and code[node + 1] >= 0 else ""
        arguments = file.items(code[node + 2]) if name in _NESTING else ()
        if len(arguments) < 2:
            return
        outer = self._outer(node)
        if outer is None:
            return
        first = arguments[0]
        paths = [self._chains.text(first)] if name == "path" else [path for _, path in self._predicates(first, _MAX_DEPTH)]
        inner = _joined(outer, paths[0] if paths else "")
        for each in arguments[1:]:
            self._around[each] = inner
            if code[each] == Op.FUNCTION:
                parameters = file.facts.functions[code[each + 1]].parameters
                if parameters and parameters[0].decl >= 0:
                    self._parameters[file.facts.decls[parameters[0].decl].position] = inner

    def _predicates(self, node: int, depth: int) -> Iterator[tuple[str, str]]:
        """Yield the method and path of a predicate: `GET("/users").and(accept(JSON))`, `path("/users")`, `method(POST)`."""
        chain = self._chains.chain(node) if depth > 0 and node >= 0 and self._file.code[node] == Op.CALL else None
        if chain is None or not chain.steps:
            return
        first = chain.steps[0]
        verb, path = ANY_METHOD, ""
        if first.name in HTTP_METHODS or first.name in ("path", "pathPrefix"):
            verb = first.name if first.name in HTTP_METHODS else ANY_METHOD
            path = self._chains.text(first.arguments[0]) if first.arguments else UNKNOWN
        elif first.name == "method" and first.arguments:
            verb = self._chains.word(first.arguments[0])
        for step in chain.steps[1:]:
            if step.name == _BOTH and step.arguments:
                for inner_verb, inner_path in self._predicates(step.arguments[0], depth - 1):
                    verb = inner_verb if verb == ANY_METHOD else verb
                    path = path or inner_path
        if path or verb != ANY_METHOD:
            yield verb, path


def _joined(*paths: str) -> str:
    return "/" + "/".join(part for each in paths for part in each.split("/") if part)


def handler_name(file: FileNodes, node: int) -> ImportedName | None:
    """Return the name of the method that handles a route, as in `handler::list`; None for a lambda."""
    code = file.code
    if node < 0 or code[node] != Op.REFERS or code[node + 1] < 0:
        return None
    name, owner = file.facts.strings[code[node + 2]], code[node + 1]
    if code[owner] == Op.THIS:
        return ImportedName(f"{file.facts.shapes[code[owner + 2]].name}.{name}")
    chains = chains_of(file)
    kind = chains.type_name(owner)
    modules = imports_of(file).modules_of(kind)
    return ImportedName(f"{kind}.{name}", f"{modules[0]}.{kind}" if modules else "") if kind else None
