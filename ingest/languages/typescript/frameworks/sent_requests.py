"""Requests that calls of JavaScript send: `fetch("/users")`, axios and its like, Angular's client, generated clients, supertest.

A client that another file declares is known only when the files are joined: see `Request.client`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from typing import Final, NamedTuple

from ....facts.api import ANY_METHOD, UNKNOWN, ApiFacts, ImportedName, Request, joined_url
from ....facts.model import DeclKind
from ....facts.operations import Op
from ...api_calls.expressions import Expressions
from ...api_calls.rules import HTTP_METHODS
from ...api_calls.urls import written_url

#: Methods of clients by their names in lower case.
_VERBS: Final = {name.lower(): name for name in HTTP_METHODS} | {"del": "DELETE", "getjson": "GET"}
#: Functions of the runtime, of Nuxt and of packages that take a URL and an object with the method.
_FETCH: Final = frozenset(("fetch", "$fetch", "useFetch", "useLazyFetch"))
_GLOBAL_OBJECTS: Final = frozenset(("window", "globalThis", "self"))
_FETCHING: Final = re.compile(
    r"(?:(?:node|cross|isomorphic|whatwg|unfetch|isomorphic-unfetch)(?:-fetch)?|undici|expo/fetch|@tauri-apps/plugin-http):(?:fetch)?"
    r"|ofetch:(?:ofetch|\$fetch)|ky:|got:|redaxios:"
)
#: Origins of clients whose methods have the names of HTTP methods.
_CLIENTS: Final = re.compile(
    r"(?P<framework>axios|redaxios|ky|got|superagent|needle|@angular/common/http|supertest|wretch)"
    r":(?:create\(\)|extend\(\)|Axios\(\)|AxiosInstance\(\)|HttpClient\(\)|agent\(\)|\(\))?"
)
#: Origins of calls that make a client, and of the clients of packages.
_MADE: Final = re.compile(r"(?:axios|redaxios|ky|got):(?:create\(\)|extend\(\)|AxiosInstance\(\))?")
_JQUERY: Final = frozenset(("$", "jQuery"))
#: Options with the base of URLs.
_BASES: Final = frozenset(("baseURL", "prefixUrl", "baseUrl"))
_URL: Final = re.compile(r"(?:\{\}|https?://|/)\S*")
#: Keys of objects that declare a route instead of a request.
_DECLARING: Final = frozenset(("handler", "preHandler", "component", "response"))
#: Functions that may send the request that an object describes, unlike `expect(sent).toEqual({ url, method })` or
#: `log.info({ url, method })`.
_SENDING: Final = re.compile(
    r"[_$]*(?:(?:use|send|make|do|call|http|api)_?)?(?:request|ajax|axios|fetch(?:er)?|http|api|client|service|instance|inject|send)",
    re.IGNORECASE,
)
_OWN: Final = "supertest"


class _Sent(NamedTuple):
    """A request without its place. `client` is the name of a client of another file, if there is one."""

    method: str
    url: str
    framework: str
    client: ImportedName | None = None


def find_requests(at: Expressions, api: ApiFacts) -> None:
    """Add the requests that calls of a file send, and the clients that it exports."""
    for node in at.facts.calls:
        if at.code[node] != Op.CALL or at.code[node + 1] < 0:
            continue
        sent = _sent(at, node)
        symbol = at.owner(node)
        if sent is None or symbol < 0 or not _URL.fullmatch(sent.url) or not sent.url.strip("{}/"):
            continue
        line, column = at.place(node)
        is_of_page = sent.framework != _OWN
        request = Request(sent.method, sent.url, symbol, line, column, sent.framework, is_of_page=is_of_page, client=sent.client)
        api.requests.append(request)
    api.clients = dict(_exported_clients(at))


def _sent(at: Expressions, node: int) -> _Sent | None:
    """Return the request of a call; None if the call sends none."""
    callee, arguments = at.code[node + 1], list(at.items(at.code[node + 2]))
    name = at.name(callee)
    if not arguments or not name:
        return None
    if (name in _FETCH and _is_global(at, callee)) or (at.code[callee] != Op.MEMBER and _FETCHING.fullmatch(at.origin(callee))):
        return _Sent(_method(at, arguments[1:], "GET"), _url(at, arguments[0]), "fetch")
    verb = _VERBS.get(name.lower())
    if at.code[callee] == Op.MEMBER and (verb is not None or name == "request"):
        found = _of_member(at, callee, verb, arguments)
        if found is not None:
            return found
    if at.code[callee] != Op.MEMBER and _MADE.fullmatch(at.origin(callee)) and at.code[arguments[0]] != Op.OBJECT:
        return _Sent(_method(at, arguments[1:], "GET"), _url(at, arguments[0]), at.origin(callee).partition(":")[0])
    return _of_object(at, node, callee, verb, arguments)


def _of_member(at: Expressions, callee: int, verb: str | None, arguments: list[int]) -> _Sent | None:
    """Read `axios.get("/users")` and `http.post(url, body)`, where `http` may be declared by another file."""
    receiver = at.code[callee + 1]
    origin = at.origin(receiver)
    known = _CLIENTS.fullmatch(origin)
    if known is not None and verb is not None and at.code[arguments[0]] != Op.OBJECT:
        return _Sent(verb, joined_url(_base(at, receiver), _url(at, arguments[0])), known["framework"])
    if verb is not None and at.name(receiver) in _JQUERY and at.binding(receiver) < 0:
        return _Sent(verb, _url(at, arguments[0]), "jQuery")
    decl = at.declaration(receiver)
    if verb is None or decl is None or decl.kind != DeclKind.IMPORT or any(at.code[each] == Op.FUNCTION for each in arguments):
        return None
    client = at.imported(decl)
    url = _url(at, arguments[0])
    is_path = url.startswith("/") or (url.startswith(UNKNOWN) and "/" in url)
    return _Sent(verb, url, "", ImportedName(client.name or "default", client.module)) if is_path else None


def _of_object(at: Expressions, node: int, callee: int, verb: str | None, arguments: list[int]) -> _Sent | None:
    """Read a call with an object that has a URL and a method: `axios({ url, method })`, `request({ url: "/users", method })`,
    `client.get({ url: "/users" })`.
    """
    is_made = _MADE.fullmatch(at.origin(callee)) is not None
    if not is_made and verb is None and not _SENDING.fullmatch(at.name(callee)):
        return None
    if verb is not None and any(at.code[each] == Op.FUNCTION for each in arguments):
        return None  # `server.get({ url: "/users" }, (request, response) => …)` declares a route
    for argument in arguments:
        options = _options(at, argument)
        if "url" not in options or not _DECLARING.isdisjoint(_keys(at, argument)):
            continue
        method = _method(at, [argument], verb or "")
        if not method and not is_made:
            continue
        url = _url(at, options["url"])
        base = next((_url(at, options[key]) for key in options if key in _BASES), _base(at, callee))
        return _Sent(method or "GET", joined_url(base, url), at.origin(callee).partition(":")[0] or "client")
    return None


def _keys(at: Expressions, node: int) -> Collection[str]:
    """Return the keys in an object, also those of methods: `handler(request) {}`."""
    return [member.name for member in at.facts.shapes[at.code[node + 1]].members] if at.code[node] == Op.OBJECT else ()


def _options(at: Expressions, node: int) -> Mapping[str, int]:
    """Return the values in an object by their keys; an empty result for another expression."""
    if node < 0 or at.code[node] != Op.OBJECT:
        return {}
    return {member.name: member.value for member in at.facts.shapes[at.code[node + 1]].members if member.value >= 0}


def _method(at: Expressions, arguments: list[int], default: str) -> str:
    """Return the method in an object of options; the default without one, and any method if it is not a constant."""
    for argument in arguments:
        options = _options(at, argument)
        node = options.get("method", options.get("type", -1))
        if node >= 0:
            text = (at.text(node) or "").upper()
            return text if text in HTTP_METHODS else ANY_METHOD
    return default


def _is_global(at: Expressions, callee: int) -> bool:
    receiver = at.code[callee + 1] if at.code[callee] == Op.MEMBER else -1
    if receiver >= 0:
        return at.name(receiver) in _GLOBAL_OBJECTS and at.binding(receiver) < 0
    return at.code[callee] == Op.NAME and at.binding(callee) < 0


def _url(at: Expressions, node: int) -> str:
    """Return the text of an expression, with `{}` for each part that is known only at run time."""

    def of_other(other: int, left: int) -> str:
        code, operation = at.code, at.code[other]
        if operation == Op.NEW and at.name(code[other + 1]) == "URL":
            arguments = at.items(code[other + 2])
            return written_url(at, arguments[0], of_other, left - 1) if arguments else UNKNOWN
        if operation == Op.CALL:
            returned = _returned(at, code[other + 1])
            return written_url(at, returned, of_other, left - 1)
        if operation in (Op.CONDITIONAL, Op.LOGICAL):
            start = 2 if operation == Op.CONDITIONAL else 1
            one, another = (written_url(at, code[other + place], of_other, left - 1) for place in (start, start + 1))
            return _common_end(one, another)
        return UNKNOWN

    return written_url(at, node, of_other)


def _returned(at: Expressions, callee: int) -> int:
    """Return the only value that a function of the file returns; -1 for other functions."""
    decl = at.declaration(callee)
    if decl is None or decl.kind not in (DeclKind.FUNCTION, DeclKind.VARIABLE):
        return -1
    node = decl.b if decl.kind == DeclKind.VARIABLE else -1
    of_value = at.code[node + 1] if node >= 0 and at.code[node] == Op.FUNCTION else -1
    function = of_value if decl.kind == DeclKind.VARIABLE else decl.a
    returns = at.facts.functions[function].returns if function >= 0 else ()
    return returns[0] if len(returns) == 1 else -1


def _common_end(one: str, other: str) -> str:
    """Return the path with which both texts end, behind an unknown address: `{}/api` for `{}/api` and `http://localhost/api`."""
    if one == other:
        return one
    parts: list[str] = []
    for left, right in zip(reversed(one.split("/")[1:]), reversed(other.split("/")[1:]), strict=False):
        if left != right:
            break
        parts.insert(0, left)
    return "/".join((UNKNOWN, *parts)) if parts else UNKNOWN


def _base(at: Expressions, client: int) -> str:
    """Return the URL below which a client sends requests: the option `baseURL` of the call that makes the client."""
    field = at.member(client)
    value = field.value if field is not None else client
    decl = at.declaration(value) if value >= 0 else None
    made = decl.b if decl is not None and decl.kind == DeclKind.VARIABLE else value
    if made < 0 or at.code[made] != Op.CALL:
        return ""
    node = at.option(at.items(at.code[made + 2]), _BASES)
    return _url(at, node) if node >= 0 else ""


def _exported_clients(at: Expressions) -> Iterator[tuple[str, str]]:
    """Yield the names and the bases of exported clients: `export const http = axios.create({ baseURL: "/api" })`."""
    facts = at.facts
    for each in facts.exports:
        if each.source >= 0:
            continue
        decls = facts.bindings[each.binding].decls if each.binding >= 0 else ()
        variables = [facts.decls[index] for index in decls if facts.decls[index].kind == DeclKind.VARIABLE]
        nodes = [decl.b for decl in variables if decl.b >= 0] or ([each.value] if each.value >= 0 else [])
        if len(nodes) == 1 and at.code[nodes[0]] == Op.CALL and _MADE.fullmatch(at.origin(nodes[0])):
            yield each.name, _base(at, nodes[0])
