"""Requests that calls of Go send: `http.Get(base + "/users")`, `http.NewRequest("POST", url, body)`, requests of tests."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from ....facts.api import ANY_METHOD, UNKNOWN, ApiFacts, Request
from ....facts.model import DeclKind
from ....facts.operations import Op
from ...api_calls.expressions import Expressions
from ...api_calls.rules import HTTP_METHODS
from ...api_calls.urls import MAX_STEPS, written_url

#: Origins of the functions that send a request, with the HTTP method in their name.
_NAMED: Final = re.compile(r"net/http:(?:(?:DefaultClient|Client(?:\(\))?)\.)?(?P<verb>Get|Head|Post|PostForm)")
#: Functions that make a request from a method and a URL.
_MADE: Final = re.compile(r"net/http(?:/httptest)?:NewRequest(?P<context>WithContext)?")
_NAMES: Final = frozenset(("Get", "Head", "Post", "PostForm", "NewRequest", "NewRequestWithContext"))
#: What records the response to a request of a test.
_RECORDER: Final = re.compile(r"net/http/httptest:(?:NewRecorder|ResponseRecorder)\(\)")
#: The arguments of the method of a handler. Middleware of negroni also gets the next handler.
_SERVED: Final = 2
#: Key in the memory of a file.
_MEMORY: Final = "requests that are given directly"
#: The address of a server that a test starts.
_TESTED: Final = re.compile(r"net/http/httptest:(?:New(?:Unstarted|TLS)?Server\(\)|Server(?:\(\))?)\.URL")
#: Verbs of `fmt.Sprintf`: `%s`, `%04d`, `%[1]v`.
_VERB: Final = re.compile(r"%(?:\[\d+\])?[-+# 0]*\d*(?:\.\d+)?[a-zA-Z]")


def find_requests(at: Expressions, api: ApiFacts) -> None:
    """Add the requests that calls of a file send."""
    for node in at.facts.calls:
        callee = at.code[node + 1]
        if at.code[node] != Op.CALL or callee < 0 or at.name(callee) not in _NAMES:
            continue
        arguments = list(at.items(at.code[node + 2]))
        origin = at.origin(callee)
        named, made = _NAMED.fullmatch(origin), _MADE.fullmatch(origin)
        if named is not None:
            method = named["verb"].removesuffix("Form").upper()
        elif made is not None:
            arguments = arguments[1 if made["context"] else 0 :]
            method = _method(at, arguments.pop(0)) if arguments else ANY_METHOD
        else:
            continue
        url = _url(at, arguments[0]) if arguments else UNKNOWN
        symbol = at.owner(node)
        if symbol >= 0 and url.strip("{}") and not (made and _is_given_directly(at, node)):
            line, column = at.place(node)
            framework = origin.partition(":")[0].rpartition("/")[2] if "httptest" in origin else "net/http"
            api.requests.append(Request(method, url, symbol, line, column, framework))


def _is_given_directly(at: Expressions, node: int) -> bool:
    """Return whether a test gives a request to a handler or a middleware, and not to the router with its routes.

    Examples: `users.List(recorder, request)`, `authenticate(http.HandlerFunc(list)).ServeHTTP(recorder, request)`.
    """
    known = at.memory.get(_MEMORY)
    if not isinstance(known, frozenset):
        known = at.memory[_MEMORY] = frozenset(_given_directly(at))
    return node in known


def _given_directly(at: Expressions) -> Iterator[int]:
    """Yield the values that calls with a recorder of responses give to handlers and middleware."""
    for call in at.method_calls:
        arguments = at.items(at.code[call.node + 2])
        if not any(_RECORDER.fullmatch(at.origin(each)) for each in arguments):
            continue
        if call.name == "ServeHTTP":
            is_direct = len(arguments) > _SERVED or _is_of_function(at, call.receiver)
        else:
            is_helper = at.own_class(call.receiver) or at.origin(call.receiver).endswith(":")
            is_direct = not is_helper
        for each in arguments if is_direct else ():
            yield from _values(at, each)


def _values(at: Expressions, node: int) -> Iterator[int]:
    """Yield an argument, or the values that the function assigns to its variable: `request, err := http.NewRequest(…)`."""
    binding = at.binding(node)
    decls = at.facts.bindings[binding].decls if binding >= 0 else ()
    for value in [at.facts.decls[each].b for each in decls if at.facts.decls[each].kind == DeclKind.VARIABLE] or [node]:
        if value >= 0:
            yield at.code[value + 1] if at.code[value] == Op.ELEMENT else value


def _is_of_function(at: Expressions, node: int, steps: int = MAX_STEPS) -> bool:
    """Return whether a handler is a function, or a middleware around one: `authenticate(http.HandlerFunc(list))`."""
    if node < 0 or steps <= 0:
        return False
    if at.code[node] == Op.CALL:
        arguments = at.items(at.code[node + 2])
        return at.origin(node) == "net/http:HandlerFunc()" or any(_is_of_function(at, each, steps - 1) for each in arguments)
    decl = at.declaration(node)
    return decl is not None and decl.kind == DeclKind.VARIABLE and _is_of_function(at, decl.b, steps - 1)


def _method(at: Expressions, node: int) -> str:
    """Return the method of HTTP that an argument names, such as `http.MethodPost`."""
    text = at.text(node)
    if text is None:
        name = at.name(node)
        text = name.removeprefix("Method") if name.startswith("Method") else ANY_METHOD
    return (text.upper() or "GET") if text.upper() in (*HTTP_METHODS, "") else ANY_METHOD


def _url(at: Expressions, node: int, steps: int = MAX_STEPS) -> str:
    """Return the text of an expression, with `{}` for each part that is known only at run time."""

    def of_call(other: int, left: int) -> str:
        if at.code[other] == Op.CALL:
            arguments = at.items(at.code[other + 2])
            if arguments and at.origin(at.code[other + 1]) == "fmt:Sprintf":
                return _filled(at, _url(at, arguments[0], left - 1), arguments[1:], left)
            return UNKNOWN
        return "http://localhost" if _TESTED.fullmatch(at.origin(other)) else UNKNOWN

    return written_url(at, node, of_call, steps)


def _filled(at: Expressions, template: str, values: Sequence[int], steps: int) -> str:
    """Return a template of `fmt.Sprintf` with its values."""
    waiting = iter(values)
    return _VERB.sub(lambda _: _url(at, next(waiting, -1), steps - 1), template)
