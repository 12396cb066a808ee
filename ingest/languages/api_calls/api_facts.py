"""Collects the facts of a file about APIs: routers, routes, mounts and services."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from ...facts.api import ApiFacts
from ...facts.model import FileFacts
from .expressions import Expressions
from .routes import RouteReading
from .rules import HTTP_METHODS, RouteRules

#: Finds facts that are not in the tables of calls, such as routes in classes.
FindMore = Callable[[Expressions, ApiFacts], None]
#: Common names of the parameters of a handler.
_REQUEST_AND_RESPONSE: Final = (("req", "res"), ("request", "response"), ("_req", "res"), ("_", "res"))
_METHODS: Final = frozenset(HTTP_METHODS)


def add_api_facts(facts: FileFacts, rules: RouteRules | None, *find_more: FindMore) -> None:
    """Add the routers, routes, mounts and services that a file declares, and the requests that it sends."""
    if not facts.code:
        return
    expressions = Expressions(facts)
    api = RouteReading(expressions, rules).read() if rules is not None else ApiFacts()
    for find in find_more:
        find(expressions, api)
    serving = (api.routes, api.mounts, api.routers, api.passed, api.services, api.methods)
    sending = (api.requests, api.clients, api.wrappers, api.wrapper_calls, api.texts, api.kinds)
    if any(serving) or any(sending):
        facts.api = api


def exported_methods(expressions: Expressions) -> dict[str, int]:
    """Return the exported functions of a file that are named like methods of HTTP."""
    facts = expressions.facts
    found: dict[str, int] = {}
    for each in facts.exports:
        if each.name not in _METHODS or each.source >= 0:
            continue
        binding = each.binding if each.binding >= 0 else facts.scopes[0].names.get(each.imported, -1)  # `export { show as GET }`
        for index in facts.bindings[binding].decls if binding >= 0 else ():
            if facts.decls[index].symbol >= 0:
                found[each.name] = facts.decls[index].symbol
    return found


def default_handler(expressions: Expressions) -> int:
    """Return the symbol of the default export if it is a function of a request and a response; -1 otherwise."""
    facts = expressions.facts
    for each in facts.exports:
        if each.name != "default" or each.source >= 0:
            continue
        decls = facts.bindings[each.binding].decls if each.binding >= 0 else ()
        symbols = {facts.decls[index].symbol for index in decls}
        if each.value >= 0 and (handler := expressions.handler(each.value)) is not None:
            symbols.add(handler.symbol)
        for function in facts.functions:
            if function.symbol >= 0 and function.symbol in symbols:
                names = tuple(parameter.name for parameter in function.parameters)
                return function.symbol if names in _REQUEST_AND_RESPONSE else -1
    return -1
