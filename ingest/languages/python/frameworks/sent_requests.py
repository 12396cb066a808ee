"""Requests that calls of Python send: requests, httpx, aiohttp, urllib, and the test clients of FastAPI, Flask and Django."""

from __future__ import annotations

import re
from typing import Final

from ....facts.api import ANY_METHOD, FIXTURE, TEST_CLASS, UNKNOWN, ApiFacts, Request, joined_url
from ....facts.model import DeclKind
from ....facts.operations import Op
from ...api_calls.expressions import Expressions, MethodCall
from ...api_calls.rules import HTTP_METHODS
from ...api_calls.urls import MAX_STEPS, written_url

_VERBS: Final = {name.lower(): name for name in HTTP_METHODS}
#: Origins of modules and clients whose methods have the names of HTTP methods.
_CLIENTS: Final = re.compile(
    r"(?P<framework>requests|httpx|aiohttp):(?:Session\(\)|session\(\)|Client\(\)|AsyncClient\(\)|ClientSession\(\))?"
)
_TEST_CLIENTS: Final = re.compile(
    r"(?:(?P<framework>fastapi|starlette)(?:\.testclient:|:testclient\.)TestClient\(\)"
    r"|(?P<flask>flask|quart):(?:Flask|Quart)\(\)\.test_client\(\)"
    r"|(?P<django>django|rest_framework)\.test:(?:Client|AsyncClient|APIClient)\(\))"
)
#: Names of fixtures with a test client, which pytest passes to parameters without a type.
_FIXTURES: Final = re.compile(r"(?:\w+_)?client")
#: Names of base classes of tests.
_TEST_BASE: Final = re.compile(r"Test|Mixin")
_TEST_CLASSES: Final = re.compile(r"(?:django|rest_framework)\.test:\w*(?:TestCase|LiveServerTestCase)")

#: Functions of Django that return the URL of a route by its name, and their modules.
_REVERSING: Final = frozenset(("reverse", "reverse_lazy"))
_MODULES: Final = ("django.", "rest_framework.")
#: Beginning of a URL that the name of a route gives.
_REVERSED: Final = "reverse:"
_NAMED: Final = re.compile(rf"{_REVERSED}([\w:.-]+)")


def find_requests(at: Expressions, api: ApiFacts) -> None:
    """Add the requests that calls of a file send."""
    for call in at.method_calls:
        arguments = list(at.items(at.code[call.node + 2]))
        verb = _VERBS.get(call.name)
        if call.name == "request" and arguments:
            method = (at.text(arguments[0]) or "").upper()
            verb, arguments = method if method in HTTP_METHODS else ANY_METHOD, arguments[1:]
        if verb is None:
            continue
        framework, is_test = _client(at, call)
        node = at.argument(arguments, ("url",), 0) if framework else -1
        symbol = at.owner(call.node)
        if node < 0 or symbol < 0:
            continue
        url = joined_url(_base(at, call.receiver), _url(at, node))
        line, column = at.place(call.node)
        if (named := _NAMED.match(url)) is not None:
            shown = f"reverse({named[1]})"
            api.requests.append(Request(verb, shown, symbol, line, column, framework, is_test=is_test, route=named[1]))
        elif url.startswith(("/", UNKNOWN, "http://", "https://")) and url.strip("{}/"):
            api.requests.append(Request(verb, url, symbol, line, column, framework, is_test=is_test))


def _client(at: Expressions, call: MethodCall) -> tuple[str, bool]:
    """Return the framework of the client that a call uses, and whether it is a test client; ("", False) for other values."""
    origin = at.origin(call.receiver)
    if (known := _CLIENTS.fullmatch(origin)) is not None:
        return known["framework"], False
    if (tested := _TEST_CLIENTS.fullmatch(origin)) is not None:
        return ("FastAPI" if tested["framework"] else "Django" if tested["django"] else "Flask"), True
    decl = at.declaration(call.receiver)
    if decl is not None and decl.kind == DeclKind.PARAMETER and decl.a < 0 and _FIXTURES.fullmatch(decl.name):
        return FIXTURE, True
    of_class = _client_of_class(at, call.receiver)
    return (of_class, True) if of_class else ("", False)


def _client_of_class(at: Expressions, node: int) -> str:
    """Return the framework of `self.client` in a class of tests; "" for other expressions.

    The base class may be one of the repository, which derives from a class of Django. Then its name is all that a file shows, so
    that the request counts only in a test, like one of a fixture of pytest.
    """
    code = at.code
    if code[node] != Op.MEMBER or code[node + 1] < 0 or at.string(code[node + 2]) != "client":
        return ""
    owner = at.class_of(code[node + 1])
    bases = [base for shape in at.facts.shapes if shape.name == owner for base in shape.extends] if owner else []
    if any(_TEST_CLASSES.fullmatch(at.origin(base)) is not None for base in bases):
        return "Django"
    return TEST_CLASS if any(_TEST_BASE.search(at.name(base)) is not None for base in bases) else ""


def _base(at: Expressions, client: int) -> str:
    """Return the argument `base_url` of the call that makes a client."""
    decl = at.declaration(client)
    made = decl.b if decl is not None and decl.kind == DeclKind.VARIABLE else client
    if made >= 0 and at.code[made] == Op.ENTERED:
        made = at.code[made + 1]
    if made < 0 or at.code[made] != Op.CALL:
        return ""
    node = at.option(at.items(at.code[made + 2]), ("base_url",))
    return _url(at, node) if node >= 0 else ""


def _url(at: Expressions, node: int, steps: int = MAX_STEPS) -> str:
    return written_url(at, node, lambda other, left: _other_url(at, other, left), steps)


def _other_url(at: Expressions, node: int, steps: int) -> str:
    """Return the URL that the name of a route gives, as `reverse:NAME`, or that an attribute of the class holds."""
    code = at.code
    if code[node] == Op.CALL and code[node + 1] >= 0 and at.name(code[node + 1]) in _REVERSING:
        given = at.argument(at.items(code[node + 2]), ("viewname",), 0)
        name = at.text(given) if at.origin(code[node + 1]).startswith(_MODULES) else None
        return f"{_REVERSED}{name}" if name else UNKNOWN
    held = at.member(node)
    return _url(at, held.value, steps - 1) if held is not None else UNKNOWN
