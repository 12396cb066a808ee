"""Calls that pass on the parts of a route: a wrapper passes its parameters to a framework, and other code calls the wrapper."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Final, NamedTuple

from ...facts.api import ANY_METHOD, DECORATED, UNKNOWN, Argument, PassedRoute
from ...facts.operations import Op
from .callees import Callees
from .expressions import CALLS, Expressions, Handler
from .rules import HTTP_METHODS, Placed, RouteRules
from .urls import written_url

#: Methods of texts that keep the name of an HTTP method.
_CASES: Final = ("toLowerCase", "toUpperCase", "lower", "upper", "ToLower", "ToUpper")
_PASSING: Final = (Op.AWAIT, Op.AS, Op.NON_NULL, Op.SPREAD)
#: Encloses the function and the place of a parameter in a text, which have this number of parts with the text behind them.
_MARK: Final = "\0"
_MARKED: Final = 3
#: Key of the texts in the memory of a file.
_MEMORY: Final = "paths of routes"
#: Maximum number of casts, calls and lists around a parameter.
_MAX_STEPS: Final = 6
_METHODS: Final = frozenset(HTTP_METHODS)


class _Place(NamedTuple):
    """A parameter: its function by local name and number, and its place without a receiver."""

    function: str
    number: int
    place: int


class PassedRoutes:
    """Finds the wrappers of a file, and the calls that may be calls of wrappers."""

    def __init__(self, expressions: Expressions, rules: RouteRules, methods_in: Callable[[int], list[str]]) -> None:
        self._at = expressions
        self._rules = rules
        self._methods_in = methods_in
        self.callees = Callees(expressions)

    # ------------------------------------------------------------------ calls of frameworks

    def of_framework(
        self, node: int, methods: Sequence[int] | str | None, placed: Placed, chained: Sequence[int]
    ) -> PassedRoute | None:
        """Return the call of a framework if it passes on parameters of the function around the call; None otherwise.

        `methods` is the HTTP method that the name of the called function states, or None. `chained` are the arguments of
        chained calls that state the methods.
        """
        at = self._at
        arguments = at.items(at.code[node + 2])
        positional = [each for each in arguments if at.code[each] not in (Op.PROP, Op.OBJECT)]
        stated = methods if isinstance(methods, str) else None
        method = Argument(text=stated) if stated is not None else None
        if method is None and len(positional) > 1 and self._is_method(positional[0]):
            method, positional = self._method(positional[0]), positional[1:]
        if method is None:
            option = chained[0] if chained else at.option(arguments, self._rules.method_names)
            method = self._method(option) if option >= 0 else Argument(text=ANY_METHOD)
        path_option = at.option(arguments, self._rules.path_names)
        path_node = path_option if path_option >= 0 else positional[0] if positional else -1
        rest = positional if path_option >= 0 else positional[1:]
        handler_option = at.option(arguments, self._rules.handler_names)
        both = self._method_and_path(path_node) if self._rules.has_methods_in_paths and path_node >= 0 else None
        if both is not None:
            method = both[0]
        path = both[1] if both is not None else self._text(path_node) if path_node >= 0 else None
        handler = self._handler([handler_option] if handler_option >= 0 else rest)
        if path is None or method is None:
            return None
        return self._joined(node, path, handler, method, placed)

    def _joined(self, node: int, path: _Read, handler: _Read | None, method: Argument, placed: Placed) -> PassedRoute | None:
        at = self._at
        function = path.function or (handler.function if handler is not None else "")
        if not function:
            return None
        if handler is None:
            if node not in self._returned:
                return None
            handler = _Read(Argument(parameter=DECORATED), "")
        elif handler.function and handler.function != function:
            handler = _Read(Argument(parameter=DECORATED), "")  # the parameter of a decorator inside the function
        router = Argument(text=placed.prefix, router=placed.router)
        own = f"{function}("
        if placed.router.name.startswith(own) and not placed.router.module:
            router = Argument(text=placed.prefix, parameter=int(placed.router.name[len(own) : -1]))
        return PassedRoute(
            None,
            [method, path.argument, handler.argument, router],
            function,
            self._names_of(function),
            at.owner(node),
            at.line(node),
            placed.framework,
        )

    # ------------------------------------------------------------------ calls of wrappers

    def of_repository(self, node: int, decorated: int, router_of: Callable[[int], Placed | None]) -> PassedRoute | None:
        """Return a call of a function of the repository that has the parts of a route; None for other calls."""
        at = self._at
        arguments = at.items(at.code[node + 2])
        if not arguments or (len(arguments) == 1 and decorated < 0 and node not in self._returned):
            return None
        read: list[Argument] = []
        function, has_path, has_handler, has_method = "", False, decorated >= 0 or node in self._returned, False
        parameters = 0
        for each in arguments:
            keyword = at.string(at.code[each + 2]) if at.code[each] == Op.PROP else ""
            value = at.code[each + 1] if keyword else each
            found = self._argument(value, router_of)
            if found.function:
                function = function or found.function
                parameters += 1
            argument = found.argument
            text = argument.text
            if text is not None and argument.router is None:
                has_method = has_method or text.upper() in _METHODS
                path = text.partition(" ")[2] if self._rules.has_methods_in_paths and " " in text else text
                has_path = has_path or path.startswith("/") or text == ""
            has_path = has_path or argument.parameter >= 0
            has_handler = has_handler or argument.symbol >= 0 or argument.parameter >= 0
            read.append(_with_keyword(argument, keyword))
        if not (has_path and has_handler):
            return None
        if parameters and not (has_method or self._has_name_of_route(node)) and len(arguments) - parameters < 1:
            return None
        callee = self.callees.of(node)
        if callee is None:
            return None
        names = self._names_of(function) if function else []
        owner, line = at.owner(node), at.line(node)
        return PassedRoute(callee, read, function, names, owner, line, "", decorated, node in self._returned)

    def _has_name_of_route(self, node: int) -> bool:
        name = self._at.name(self._at.code[node + 1])
        return name in self._rules.verbs or name in self._rules.generic

    def _argument(self, node: int, router_of: Callable[[int], Placed | None]) -> _Read:
        """Return what an argument is: a text, a parameter, a router or a handler."""
        at = self._at
        place = self._parameter(node)
        if place is not None:
            placed = router_of(node) if at.code[node] in (Op.NAME, Op.FLOW) else None
            if placed is not None and placed.router.name != f"{place.function}({place.place})":
                return _Read(Argument(text=placed.prefix, router=placed.router), "")  # a callback gets a router below a path
            return _Read(Argument(parameter=place.place), place.function)
        methods = self._methods_in(node) if at.code[node] not in (Op.FUNCTION, Op.ARRAY) else []
        if methods:
            return _Read(Argument(text=methods[0]), "")
        if at.code[node] in (Op.STRING, Op.BINARY, Op.OPERATOR, Op.TEMPLATE) or at.text(node) is not None:
            return self._text(node) or _Read(Argument(), "")
        if at.code[node] in (Op.NAME, Op.FLOW, Op.MEMBER):
            placed = router_of(node)
            if placed is not None and not placed.router.module:
                return _Read(Argument(text=placed.prefix, router=placed.router), "")
        return self._handler([node]) or _Read(Argument(), "")

    # ------------------------------------------------------------------ parameters

    def _parameter(self, node: int) -> _Place | None:
        """Return the parameter that an expression passes on, perhaps in capitals or in a list; None for other expressions."""
        at = self._at
        for _ in range(_MAX_STEPS):
            if node < 0:
                return None
            operation = at.code[node]
            if operation in _PASSING:
                node = at.code[node + 1]
            elif operation == Op.ARRAY and len(items := at.items(at.code[node + 1])) == 1:
                node = items[0]
            elif operation in CALLS:
                name, arguments = at.name(at.code[node + 1]), at.items(at.code[node + 2])
                if name not in _CASES:
                    return None
                node = arguments[0] if arguments else at.code[at.code[node + 1] + 1]
            else:
                decl = at.declaration(node)
                return self._places.get(decl.position) if decl is not None else None
        return None

    def _method_and_path(self, node: int) -> tuple[Argument, _Read] | None:
        """Return the parts of a path that begins with a parameter for the HTTP method: `method + " " + path`."""
        before, *marked = self._written(node)
        if before or len(marked) != 2 * _MARKED or marked[2] != " " or marked[-1] or marked[0] != marked[3]:
            return None
        return Argument(parameter=int(marked[1])), _Read(Argument(text="", parameter=int(marked[4])), marked[0])

    def _written(self, node: int) -> list[str]:
        """Return the texts of an expression, with the function and the place of each parameter between them."""
        at = self._at

        def other(inner: int, _: int) -> str:
            place = self._parameter(inner)
            if place is not None:
                return f"{_MARK}{place.function}{_MARK}{place.place}{_MARK}"
            member = at.member(inner) if at.code[inner] == Op.MEMBER else None
            return (at.text(member.value) if member is not None else None) or UNKNOWN

        return written_url(at, node, other, memory=_MEMORY).split(_MARK)

    def _text(self, node: int) -> _Read | None:
        """Return a text, or a parameter behind a text; None for other expressions."""
        before, *marked = self._written(node)
        text = before.removeprefix(UNKNOWN)
        if UNKNOWN in text or "\n" in text or "://" in text:
            return None
        if not marked:
            return _Read(Argument(text=text), "") if text or not before else None
        if len(marked) != _MARKED or marked[-1]:
            return None
        return _Read(Argument(text=text, parameter=int(marked[1])), marked[0])

    def _is_method(self, node: int) -> bool:
        """Return whether an argument states the HTTP method, by its text or by the name of a parameter."""
        place = self._parameter(node)
        if place is None:
            return bool(self._methods_in(node))
        name = (
            self._at.facts.functions[place.number].parameters[self._at.receivers_before(place.number) + place.place].name.lower()
        )
        return "method" in name or "verb" in name

    def _method(self, node: int) -> Argument | None:
        place = self._parameter(node)
        if place is not None:
            return Argument(parameter=place.place)
        methods = self._methods_in(node)
        return Argument(text=methods[0]) if methods else None

    def _handler(self, nodes: Sequence[int]) -> _Read | None:
        """Return the last handler among arguments: a parameter, perhaps in a call or called by a closure, or a function."""
        at = self._at
        for node in reversed(nodes):
            place = self._parameter(node) or self._wrapped(node)
            if place is not None:
                return _Read(Argument(parameter=place.place), place.function)
            found: Handler | None = at.handler(node)
            if found is not None:
                return _Read(Argument(handler=found.name, symbol=at.symbol_of(found, node)), "")
        return None

    def _wrapped(self, node: int) -> _Place | None:
        """Return the parameter that is an argument of a call, as in `logged(handler)`, or that a closure calls."""
        at = self._at
        operation = at.code[node]
        if operation in CALLS:
            for each in reversed(at.items(at.code[node + 2])):
                place = self._parameter(each) or (self._wrapped(each) if at.code[each] in (*CALLS, Op.FUNCTION) else None)
                if place is not None:
                    return place
        if operation == Op.FUNCTION:
            return self._called_around.get(at.owner(node))
        return None

    @cached_property
    def _called_around(self) -> Mapping[int, _Place]:
        """The only parameter that the calls of a symbol call: `handler(w, r)`, or `handler.ServeHTTP(w, r)`."""
        at = self._at
        found: dict[int, set[_Place]] = {}
        for node in at.facts.calls:
            callee = at.code[node + 1] if at.code[node] == Op.CALL else -1
            if callee >= 0 and at.code[callee] == Op.MEMBER and at.string(at.code[callee + 2]) in ("ServeHTTP", "call", "apply"):
                callee = at.code[callee + 1]
            place = self._parameter(callee) if callee >= 0 and at.code[callee] in (Op.NAME, Op.FLOW) else None
            if place is not None:
                found.setdefault(at.owner(node), set()).add(place)
        return {owner: next(iter(places)) for owner, places in found.items() if len(places) == 1}

    # ------------------------------------------------------------------ facts about the whole file

    @cached_property
    def _places(self) -> Mapping[int, _Place]:
        """The parameters of named functions by their position."""
        facts = self._at.facts
        found: dict[int, _Place] = {}
        for number, function in enumerate(facts.functions):
            name = f"@{function.position}" if function.symbol < 0 else self._at.local_name(function.symbol)
            shift = self._at.receivers_before(number)
            for place, parameter in enumerate(function.parameters):
                if parameter.decl >= 0:
                    found[facts.decls[parameter.decl].position] = _Place(name, number, place - shift)
        return found

    @cached_property
    def _names(self) -> Mapping[str, list[str]]:
        facts = self._at.facts
        return {
            self._at.local_name(function.symbol): [each.name for each in function.parameters[self._at.receivers_before(number) :]]
            for number, function in enumerate(facts.functions)
            if function.symbol >= 0
        }

    def _names_of(self, function: str) -> list[str]:
        return self._names.get(function, [])

    @cached_property
    def _returned(self) -> frozenset[int]:
        """The calls that functions return."""
        return frozenset(node for function in self._at.facts.functions for node in function.returns)


class _Read(NamedTuple):
    """An argument, and the function whose parameter it passes on; "" for none."""

    argument: Argument
    function: str


def _with_keyword(argument: Argument, keyword: str) -> Argument:
    if not keyword:
        return argument
    return Argument(argument.text, argument.parameter, argument.handler, argument.symbol, argument.router, keyword)
