"""Routes and mounts in the calls and decorators of a file, by the rules of the frameworks of its language."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Final

from ...facts.api import ANY_METHOD, ApiFacts, ImportedName, Mount, Route, Router
from ...facts.model import Decl, DeclKind
from ...facts.operations import Op
from .callees import made_classes
from .expressions import CALLS, PYTHON, Expressions, Handler, MethodCall
from .loops import ONLY_FUNCTION, Loops
from .passed_routes import PassedRoutes
from .rules import HTTP_METHODS, Placed, RouterKind, RouteRules

#: Maximum number of steps through variables and calls in which a router is followed.
_MAX_STEPS: Final = 12
_METHODS: Final = frozenset(HTTP_METHODS)


class RouteReading:
    """Finds the routers, routes and mounts of a file."""

    def __init__(self, expressions: Expressions, rules: RouteRules) -> None:
        self.api = ApiFacts()
        self._at = expressions
        self._rules = rules
        self._routers: dict[str, Router] = {}
        self._kinds: dict[str, RouterKind | None] = {}
        self._passed_routes = PassedRoutes(expressions, rules, self._methods_in)
        self._loops = Loops(expressions)

    def read(self) -> ApiFacts:
        """Return the found facts; empty for nearly all files."""
        for node in self._at.facts.calls:
            self._of_call(node)
        self._add_unused()
        self.api.routers = list(self._routers.values())
        if self.api.routes or self.api.mounts or self.api.routers or self.api.passed:
            self.api.exports = dict(self._exports())
            self.api.made = made_classes(self._at, self.api)
        return self.api

    def _add_unused(self) -> None:
        """Add the routers to which only other files add routes: `api = Blueprint("api", __name__)` in a package."""
        at = self._at
        for decl in at.facts.decls:
            if decl.kind != DeclKind.VARIABLE or decl.symbol < 0 or decl.b < 0 or at.code[decl.b] not in CALLS:
                continue
            is_new = at.facts.symbols[decl.symbol].parent < 0 and decl.name not in self._routers
            if is_new and self._kind(at.origin(decl.b)) is not None:
                self._of_decl(decl, _MAX_STEPS)

    # ------------------------------------------------------------------ calls

    def _of_call(self, node: int) -> None:
        at, rules = self._at, self._rules
        callee = at.code[node + 1]
        if at.code[node] not in CALLS or callee < 0:
            return
        call = at.method_call(node)
        if call is None:
            if at.code[callee] == Op.INDEX:
                self._add_by_index(node, callee)
            else:
                self._passed(node)
                self._add_passed(node)
            return
        name = call.name
        is_known = name in rules.verbs or name in rules.generic
        if is_known or name in rules.mounts:
            placed = self.router(call.receiver)
            if placed is not None:
                if placed.router.module:
                    self._add_passed(node)  # the imported value may have a wrapper of this name
                is_added = is_known and (self._add_each(call, placed) or self._add_wrapper(node, rules.verbs.get(name), placed))
                if not is_added and name in rules.mounts:
                    for _ in self._elements_around(node):
                        self._add_mounts(node, placed)
                return
            if is_known and rules.parameters and self._add_to_parameter(call):
                return
        if name in rules.derived:
            self._add_derived(call)
        elif name not in rules.same:
            self._passed(node)
            self._add_passed(node)

    def _add_to_parameter(self, call: MethodCall) -> bool:
        """Add the routes that a call adds to a parameter without a type. They exist only where other code passes a router."""
        decl = self._at.declaration(call.receiver)
        place = self._parameters.get(decl.position) if decl is not None and decl.a < 0 else None
        if place is None or not self._add_each(call, Placed(ImportedName(place))):
            return False
        self._routers.setdefault(place, Router(place, is_part=True))
        return True

    def _add_derived(self, call: MethodCall) -> None:
        """Mount the routes of a named function that gets a derived router: `r.Route("/users", addUsers)`."""
        at = self._at
        named = [each for each in at.items(at.code[call.node + 2]) if at.code[each] in (Op.NAME, Op.FLOW, Op.LEXICAL, Op.MEMBER)]
        handlers = [found for each in named if at.text(each) is None and (found := at.handler(each)) is not None]
        placed = self._derived_router(call, _MAX_STEPS) if handlers else None
        if placed is None:
            self._add_passed(call.node)
            return
        for each in handlers:
            name = at.name_of(each)
            self.api.mounts.append(Mount(placed.router, ImportedName(f"{name.name}(0)", name.module), placed.prefix))

    def _add_wrapper(self, node: int, method: str | None, placed: Placed) -> bool:
        """Add a call that passes on parameters of the function around the call. Return whether it does."""
        found = self._passed_routes.of_framework(node, method, placed, self._chained_arguments.get(node, ()))
        if found is not None:
            self.api.passed.append(found)
        return found is not None

    def _add_by_index(self, node: int, callee: int) -> None:
        """Add a call of a method that a parameter names: `app[method](path, handler)`."""
        placed = self.router(self._at.code[callee + 1])
        if placed is not None:
            is_added = False
            for _ in self._elements_around(node, self._at.code[callee + 2]):
                verb = (self._at.text(self._at.code[callee + 2]) or "").lower()
                is_added |= verb in self._rules.verbs and self._add_routes(node, verb, placed)
            if is_added:
                return
            found = self._passed_routes.of_framework(node, None, placed, (self._at.code[callee + 2],))
            if found is not None:
                self.api.passed.append(found)

    def _add_passed(self, node: int) -> None:
        """Add a call that adds a route if a function of the repository registers its arguments."""
        found = self._passed_routes.of_repository(node, self._decorated.get(node, -1), self.router)
        if found is not None:
            self.api.passed.append(found)

    def _add_each(self, call: MethodCall, placed: Placed) -> bool:
        """Add the routes of a call, which may be in a loop over a list of routes. Return whether the call is a route."""
        is_added = False
        chained = [*self._chained_arguments.get(call.node, ()), *self._arguments_before(call)]
        for _ in self._elements_around(call.node, *chained):
            own = self.router(call.receiver) if self._at.standing else None
            is_added |= self._add_routes(call.node, call.name, own or placed)
        return is_added

    def _arguments_before(self, call: MethodCall) -> Iterator[int]:
        """Yield the arguments of the calls in the receiver of a call: `router.Methods(method).Path(path)`."""
        at, inner = self._at, call.receiver
        for _ in range(_MAX_STEPS):
            before = at.method_call(inner) if inner >= 0 else None
            if before is None:
                return
            yield from at.items(at.code[before.node + 2])
            inner = before.receiver

    def _elements_around(self, node: int, *others: int) -> Iterator[None]:
        """Read a call once for each element of the loop around it, with the values of the element; once outside of loops."""
        rows = self._loops.rows(node, others)
        try:
            for row in rows or ({},):
                self._at.standing = row
                yield
        finally:
            self._at.standing = {}

    def _add_routes(self, node: int, name: str, placed: Placed) -> bool:
        """Add the routes of a call. Return whether the call is a route."""
        at, rules = self._at, self._rules
        arguments = at.items(at.code[node + 2])
        positional = [each for each in arguments if at.code[each] not in (Op.PROP, Op.SPREAD)]
        methods = [rules.verbs[name]] if name in rules.verbs else self._chained_methods(node)
        texts = at.texts(positional[0]) if positional else []
        rest = positional[1:]
        named = self._methods_in(positional[0]) if name in rules.generic and rest else []
        if named:
            methods, texts, rest = named, at.texts(rest[0]), rest[1:]
        elif name in rules.handler_first and rest:
            texts, rest = [text for each in rest for text in at.texts(each)], positional[:1]
        elif not texts and self._at.option(arguments, rules.path_names) >= 0:
            texts = at.texts(self._at.option(arguments, rules.path_names))
        constant = self._constant(node, positional) if not texts and rest else None
        if constant is not None:
            texts = [""]
        elif not texts and positional and placed.prefix and not self._decorated.get(node):
            texts, rest = [""], positional  # `router.route("/users").get(list)`
        if not texts:
            return False
        is_prefix = constant is None and texts == [""] and self._is_prefix(node)
        if not methods:
            option = self._at.option(arguments, rules.method_names)
            methods = [each.upper() for each in at.texts(option)] if option >= 0 else [ANY_METHOD]
        is_first = name in rules.handler_first and rest
        rest = rest[::-1] if placed.framework in rules.middleware_last else rest
        handler = at.handler(rest[0]) if is_first else self._handler(node, arguments, rest)
        if handler is None or not self._looks_like_routes(texts):
            return False
        for text in texts:
            path, own = text, methods
            if rules.has_methods_in_paths and constant is None:
                first, _, behind = text.partition(" ")
                if behind and first in _METHODS:
                    path, own = behind.strip(), [first]
                if not path.startswith("/") and placed.framework == "net/http":
                    path = f"/{path.partition('/')[2]}"  # the pattern begins with a host: `shop.com/users`
            for method in own:
                is_open = is_prefix or (placed.framework == "net/http" and path.endswith("/") and path != "/")
                verb = method if method != "ALL" else ANY_METHOD
                self._add(verb, f"{placed.prefix}/{path}", placed, handler, node, is_open, constant)
        return True

    def _constant(self, node: int, arguments: Sequence[int]) -> ImportedName | None:
        """Return the name of another file to which the path of a call refers: `router.GET(ListURL, list)`.

        Behind a call, the arguments are handlers: `router.route("/users").get(checked, list)`.
        """
        at = self._at
        call = at.method_call(node)
        is_chain = call is not None and call.receiver >= 0 and at.code[call.receiver] in CALLS
        is_name = at.code[arguments[0]] in (Op.NAME, Op.FLOW, Op.LEXICAL, Op.MEMBER)
        named = at.handler(arguments[0]) if is_name and not is_chain else None
        return named.name if named is not None else None

    def _is_prefix(self, node: int) -> bool:
        """Return whether the last path in the receiver of a call is one whose route serves all paths below it."""
        call = self._at.method_call(node)
        for _ in range(_MAX_STEPS):
            call = self._at.method_call(call.receiver) if call is not None and call.receiver >= 0 else None
            if call is None or call.name in self._rules.derived:
                break
        return call is not None and call.name in self._rules.prefixes

    def _looks_like_routes(self, texts: Sequence[str]) -> bool:
        return all("://" not in text and "\n" not in text for text in texts)

    def _add(
        self,
        method: str,
        path: str,
        placed: Placed,
        handler: Handler,
        node: int,
        is_prefix: bool,
        constant: ImportedName | None,
    ) -> None:
        at = self._at
        symbol = at.symbol_of(handler, node)
        if symbol < 0:
            return
        line = at.line(node)
        named, maker = handler.name, handler.maker
        route = Route(method, path, placed.router, named, symbol, line, placed.framework, "", is_prefix, constant, maker)
        self.api.routes.append(route)

    def _handler(self, node: int, arguments: Sequence[int], rest: Sequence[int]) -> Handler | None:
        decorated = self._decorated.get(node)
        if decorated is not None:
            return Handler(decorated, None)
        named = self._at.option(arguments, self._rules.handler_names)
        if named >= 0:
            return self._at.handler(named)
        for each in reversed(rest):
            found = self._at.handler(each)
            if found is not None:
                return found
        only = self._at.standing.get(ONLY_FUNCTION)
        return self._at.handler(only) if isinstance(only, int) and rest else None

    # ------------------------------------------------------------------ mounts

    def _add_mounts(self, node: int, placed: Placed) -> None:
        at = self._at
        arguments = at.items(at.code[node + 2])
        option = self._at.option(arguments, self._rules.prefix_names)
        stated = at.text(option) if option >= 0 else ""
        prefix = stated or ""
        for each in arguments:
            if at.code[each] in (Op.PROP, Op.OBJECT, Op.SPREAD):
                continue
            text = at.text(each)
            if text is not None:
                prefix = text
                continue
            inner = self.mounted(each)
            if inner is not None and inner.router != placed.router:
                self.api.mounts.append(Mount(placed.router, inner.router, f"{placed.prefix}/{prefix}", stated is None))

    def mounted(self, node: int) -> Placed | None:
        """Return the router of an argument. The argument is a router, a function that adds routes, or a module."""
        at = self._at
        stated = at.standing.get(node, node)
        node = stated if isinstance(stated, int) else node
        if at.code[node] == Op.REQUIRE:
            entry = at.code[node + 1]
            return Placed(ImportedName("", at.facts.imports[entry].specifier)) if entry >= 0 else None
        call = at.method_call(node)
        if call is not None and call.name in ("routes", "middleware"):
            return self.router(call.receiver)
        found = self.router(node)
        if found is not None:
            return found
        handler = at.handler(node) if at.code[node] in (Op.NAME, Op.FLOW, Op.MEMBER) else None
        return Placed(at.name_of(handler)) if handler is not None else None

    def _passed(self, node: int) -> None:
        """Mount the routes that a function adds to a router argument: `add_routes(app)`."""
        at = self._at
        for place, each in enumerate(at.items(at.code[node + 2])):
            if at.code[each] not in (Op.NAME, Op.FLOW, Op.NARROW, Op.MEMBER):
                continue
            placed = self._declared_router(each)
            name = self._called(node) if placed is not None else None
            if placed is not None and name is not None:
                inner = ImportedName(f"{name.name}({place})", name.module)
                self.api.mounts.append(Mount(placed.router, inner, placed.prefix))

    def _called(self, node: int) -> ImportedName | None:
        """Return the function that a call names. A module may be the function: `require("./users")(app)`."""
        at = self._at
        found = self._passed_routes.callees.of(node)
        if found is not None:
            return found
        callee = at.code[node + 1]
        decl = at.declaration(callee)
        if decl is not None and decl.kind == DeclKind.IMPORT:
            return at.imported(decl)
        if decl is not None and decl.kind == DeclKind.VARIABLE and decl.b >= 0:
            callee = decl.b
        entry = at.code[callee + 1] if at.code[callee] == Op.REQUIRE else -1
        return ImportedName("", at.facts.imports[entry].specifier) if entry >= 0 else None

    def _declared_router(self, node: int) -> Placed | None:
        """Return the router that a name refers to; None unless this file declares the router."""
        placed = self.router(node)
        if placed is None or placed.router.module:
            return None
        return placed

    # ------------------------------------------------------------------ routers

    def router(self, node: int, steps: int = _MAX_STEPS) -> Placed | None:
        """Return the router that an expression refers to; None for other values."""
        at = self._at
        if node < 0 or steps <= 0:
            return None
        operation = at.code[node]
        if operation in (Op.AS, Op.AWAIT, Op.NON_NULL, Op.NARROW):
            return self.router(at.code[node + 1], steps - 1)
        if operation in CALLS:
            return self._of_made(node, f"@{node}", steps)
        if operation == Op.MEMBER:
            field = at.member(node)
            name = at.string(at.code[node + 2])
            if field is not None:
                return self._of_value(field.value, field.type, f"{field.owner}.{name}", steps)
            outer = at.declaration(at.code[node + 1])
            if outer is not None and outer.kind == DeclKind.IMPORT:
                imported = at.imported(outer)
                joined = f"{imported.name}.{name}" if imported.name else name
                return Placed(ImportedName(joined, imported.module))
            return self.router(at.code[node + 1], steps - 1) if name in self._rules.same else None
        decl = at.declaration(node)
        if decl is None:
            return None
        if decl.kind == DeclKind.IMPORT:
            kind = self._kind(at.origin(node))
            return self._declare(decl.name, kind, "", is_root=kind.is_root) if kind is not None else Placed(at.imported(decl))
        return self._of_decl(decl, steps)

    def _of_decl(self, decl: Decl, steps: int) -> Placed | None:
        place = self._parameters.get(decl.position)
        if place is None and decl.kind == DeclKind.VARIABLE:
            name = decl.name if decl.symbol >= 0 else f"{decl.name}@{decl.position}"
            return self._of_value(decl.b, decl.a, name, steps)
        if place is None:
            return None
        derived = self._callbacks.get(decl.position)
        if derived is not None:
            return self._derived_router(derived, steps)
        kind = self._kind_of_type(decl.a)
        if kind is not None:
            return self._declare(place, kind, "", is_root=False)
        if decl.a < 0 and decl.name in self._rules.parameters:
            self._routers.setdefault(place, Router(place))
            return Placed(ImportedName(place))
        return None

    def _of_value(self, value: int, written: int, name: str, steps: int) -> Placed | None:
        at = self._at
        if value >= 0 and at.code[value] in (Op.AWAIT, Op.AS, Op.NON_NULL):
            written = at.code[value + 2] if written < 0 and at.code[value] == Op.AS else written
            value = at.code[value + 1]
        if value >= 0 and at.code[value] in CALLS:
            made = self._of_made(value, name, steps)
            if made is not None:
                return made
        kind = self._kind_of_type(written)
        if kind is not None:
            return self._declare(name, kind, "", is_root=False)
        if value >= 0 and at.code[value] in (Op.NAME, Op.FLOW, Op.MEMBER):
            return self.router(value, steps - 1)
        return None

    def _of_made(self, node: int, name: str, steps: int) -> Placed | None:
        at, rules = self._at, self._rules
        call = at.method_call(node)
        if call is not None and any(call.name in names for names in (rules.derived, rules.same, rules.verbs, rules.generic)):
            found = self._derived_router(call, steps)
            if found is not None:
                return found
        kind = self._kind(at.origin(node))
        if kind is None:
            return None
        arguments = at.items(at.code[node + 2])
        option = self._at.option(arguments, kind.prefixes) if kind.prefixes else -1
        prefix = (at.text(option) or "") if option >= 0 else ""
        if option < 0 and kind.default_prefix:
            first = at.text(arguments[0]) if arguments else None
            prefix = kind.default_prefix.replace("{}", first or "")
        if kind.takes_router and name not in self._routers and arguments:
            outer = self.router(arguments[0], steps - 1)
            if outer is not None:
                self.api.mounts.append(Mount(outer.router, ImportedName(name), outer.prefix))
        return self._declare(name, kind, prefix, is_root=kind.is_root)

    def _derived_router(self, call: MethodCall, steps: int) -> Placed | None:
        """Return the router that a call derives from its receiver, usually for the paths below a path."""
        at = self._at
        outer = self.router(call.receiver, steps - 1)
        if outer is None or call.name not in self._rules.derived:
            return outer
        arguments = at.items(at.code[call.node + 2])
        option = self._at.option(arguments, self._rules.prefix_names)
        text = at.text(option) if option >= 0 else at.text(arguments[0]) if arguments else None
        return outer._replace(prefix=f"{outer.prefix}/{text}") if text else outer

    def _declare(self, name: str, kind: RouterKind, prefix: str, *, is_root: bool) -> Placed:
        self._routers.setdefault(name, Router(name, prefix, is_root))
        return Placed(ImportedName(name), "", kind.framework)

    def _kind(self, origin: str) -> RouterKind | None:
        if not origin:
            return None
        if origin not in self._kinds:
            self._kinds[origin] = next((each for each in self._rules.routers if each.origin.fullmatch(origin)), None)
        return self._kinds[origin]

    def _kind_of_type(self, written: int) -> RouterKind | None:
        origin = self._at.origin(written) if written >= 0 else ""
        return self._kind(f"{origin}()") if origin else None

    # ------------------------------------------------------------------ facts about the whole file

    @cached_property
    def _parameters(self) -> Mapping[int, str]:
        """The names of parameters as routers, by function and position of the parameter.

        The first parameter of `addRoutes` is the router `addRoutes(0)`.
        """
        facts = self._at.facts
        found: dict[int, str] = {}
        for number, function in enumerate(facts.functions):
            name = self._at.local_name(function.symbol) if function.symbol >= 0 else f"@{function.position}"
            shift = self._at.receivers_before(number)
            for place, parameter in enumerate(function.parameters):
                if parameter.decl >= 0:
                    found[facts.decls[parameter.decl].position] = f"{name}({place - shift})"
        return found

    @cached_property
    def _callbacks(self) -> Mapping[int, MethodCall]:
        """Calls that pass a router to a function, by position of its first parameter: `r.Route("/users", func(r) …)`."""
        at, found = self._at, dict[int, MethodCall]()
        for call in at.method_calls:
            if call.name not in self._rules.derived:
                continue
            for each in at.items(at.code[call.node + 2]):
                if at.code[each] == Op.FUNCTION:
                    parameters = at.facts.functions[at.code[each + 1]].parameters
                    if parameters and parameters[0].decl >= 0:
                        found[at.facts.decls[parameters[0].decl].position] = call
        return found

    @cached_property
    def _decorated(self) -> Mapping[int, int]:
        """The symbols that calls decorate."""
        facts = self._at.facts
        if facts.language not in PYTHON:
            return {}
        return {
            node: decl.symbol
            for decl in facts.decls
            if decl.kind in (DeclKind.FUNCTION, DeclKind.CLASS) and decl.symbol >= 0
            for node in self._at.items(decl.b)
        }

    def _chained_methods(self, node: int) -> list[str]:
        """Return the HTTP methods that chained calls set for the route of a call."""
        return [name.upper() for each in self._chained_arguments.get(node, ()) for name in self._method_names(each)]

    @cached_property
    def _chained_arguments(self) -> Mapping[int, Sequence[int]]:
        """Map calls that add a route to the arguments of chained calls that set the HTTP methods."""
        at, rules, found = self._at, self._rules, dict[int, Sequence[int]]()
        for call in at.method_calls if rules.method_calls else ():
            inner = call.receiver
            for _ in range(_MAX_STEPS):
                before = at.method_call(inner) if inner >= 0 else None
                if before is None:
                    break
                if call.name in rules.method_calls:
                    found[inner] = at.items(at.code[call.node + 2])
                elif before.name in rules.method_calls:
                    found.setdefault(call.node, at.items(at.code[before.node + 2]))
                inner = before.receiver
        return found

    def _methods_in(self, node: int) -> list[str]:
        """Return the HTTP methods that an argument names: `"GET"`, `http.MethodGet`, `[]string{"GET", "HEAD"}`."""
        found = [name.upper() for each in self._at.elements(node) for name in self._method_names(each)]
        return found if _METHODS.issuperset(found) else []

    def _method_names(self, node: int) -> Iterator[str]:
        text = self._at.text(node)
        if text is not None:
            yield text
        elif (name := self._at.name(node)).startswith("Method") or name in _METHODS:  # `http.MethodGet`, `echo.GET`
            yield name.removeprefix("Method")

    def _exports(self) -> Iterator[tuple[str, str]]:
        """Yield the exported name and the local name of each exported value."""
        at = self._at
        for each in at.facts.exports:
            if each.source >= 0:
                continue
            if each.binding >= 0:
                yield each.name, at.facts.bindings[each.binding].name
            elif each.value >= 0:
                placed = self.router(each.value)
                if placed is not None and not placed.router.module:
                    yield each.name, placed.router.name
                elif at.code[each.value] == Op.FUNCTION:
                    function = at.facts.functions[at.code[each.value + 1]]
                    symbol = function.symbol
                    yield each.name, at.facts.symbols[symbol].name if symbol >= 0 else f"@{function.position}"
                elif at.name(each.value):
                    yield each.name, at.name(each.value)
