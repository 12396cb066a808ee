"""Requests that calls of JavaScript send: `fetch("/users")`, axios and its like, Angular's client, generated clients, supertest.

A client that another file declares is known only when the files are joined: see `Request.client`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

import msgspec

from ....facts.api import ANY_METHOD, MARK, UNKNOWN, ApiFacts, ImportedName, Request, RequestWrapper, joined_url
from ....facts.model import DeclKind
from ....facts.operations import Op
from ...api_calls.expressions import Expressions
from ...api_calls.rules import HTTP_METHODS
from .request_urls import marked_for, parameter_place, url_text
from .request_wrappers import add_texts, function_name, wrapper_call

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
#: Names of objects of clients that other code states: `this.http`, `$axios`, `api`.
_NAMED: Final = re.compile(
    r"[_$#]*(?:\w*[aA]xios|\w*[hH]ttp(?:Client|Service)?|api(?:Client)?|\w+Api|requests?|client|fetcher|rest|ajax)"
)
#: Marks in a text but those of constants of other files.
_GIVEN: Final = re.compile(rf"{MARK}[^={MARK}][^{MARK}]*{MARK}")
_CONSTANT: Final = re.compile(rf"{MARK}=[^{MARK}]*{MARK}")


class _Sent(NamedTuple):
    """A request without its place. Its texts have marks: see `RequestWrapper`."""

    method: str
    url: str
    framework: str
    #: The name of a client of another file, if there is one.
    client: ImportedName | None = None
    #: The method if callers may state one and do not.
    default_method: str = ANY_METHOD
    evidence: str = "call"


def find_requests(at: Expressions, api: ApiFacts) -> None:
    """Add the requests that calls of a file send, and the clients that it exports."""
    for node in at.facts.calls:
        if at.code[node] != Op.CALL or at.code[node + 1] < 0:
            continue
        sent = _sent(at, node)
        if at.owner(node) < 0:
            continue
        if sent is not None:
            _add_request(at, api, node, sent)
        if (sent is None or sent.client is not None) and (call := wrapper_call(at, node)) is not None:
            api.wrapper_calls.append(call)
    add_texts(at, api)
    api.clients = dict(_exported_clients(at))


def _add_request(at: Expressions, api: ApiFacts, node: int, sent: _Sent) -> None:
    """Add a request, and the function around it if callers state a part of the request."""
    is_of_page = sent.framework != _OWN
    if sent.client is None and (function := function_name(at, at.owner(node))):
        method, url = (marked_for(at, text, at.owner(node)) for text in (sent.method, sent.url))
        if _GIVEN.search(url) or MARK in method:
            api.wrappers.append(RequestWrapper(function, method, sent.default_method, url, sent.framework, is_of_page))
    method = sent.default_method if MARK in sent.method else sent.method
    url = _GIVEN.sub(UNKNOWN, marked_for(at, sent.url, at.owner(node)))
    known = _CONSTANT.sub(UNKNOWN, url)
    if _URL.fullmatch(known) and (known.strip("{}/") or known != url):
        line, column = at.place(node)
        request = Request(method, url, at.owner(node), line, column, sent.framework, sent.evidence)
        api.requests.append(msgspec.structs.replace(request, is_of_page=is_of_page, client=sent.client))


def _sent(at: Expressions, node: int) -> _Sent | None:
    """Return the request of a call; None if the call sends none."""
    callee, arguments = at.code[node + 1], list(at.items(at.code[node + 2]))
    name = at.name(callee)
    if not arguments or not name:
        return None
    if at.code[callee] == Op.INDEX:
        known = _CLIENTS.fullmatch(at.origin(at.code[callee + 1]))
        method = url_text(at, at.code[callee + 2])
        url = joined_url(_base(at, at.code[callee + 1]), url_text(at, arguments[0]))
        return _Sent(method if MARK in method else ANY_METHOD, url, known["framework"]) if known is not None else None
    if (name in _FETCH and _is_global(at, callee)) or (at.code[callee] != Op.MEMBER and _FETCHING.fullmatch(at.origin(callee))):
        return _Sent(_method(at, arguments[1:], "GET"), url_text(at, arguments[0]), "fetch", default_method="GET")
    verb = _VERBS.get(name.lower())
    if at.code[callee] == Op.MEMBER and (verb is not None or name == "request"):
        found = _of_member(at, callee, verb, arguments)
        if found is not None:
            return found
    is_made = at.code[callee] != Op.MEMBER and _MADE.fullmatch(at.origin(callee)) is not None
    if is_made and at.code[arguments[0]] != Op.OBJECT:
        framework = at.origin(callee).partition(":")[0]
        place = parameter_place(at, arguments[0]) if len(arguments) == 1 else None
        if place is not None:  # `axios(config)`
            url, method = (f"{MARK}{place.function}:{place.place}.{part}{MARK}" for part in ("url", "method"))
            return _Sent(method, joined_url(_base(at, callee), url), framework, default_method="GET")
        return _Sent(_method(at, arguments[1:], "GET"), url_text(at, arguments[0]), framework, default_method="GET")
    return _of_object(at, node, callee, verb, arguments)


def _of_member(at: Expressions, callee: int, verb: str | None, arguments: list[int]) -> _Sent | None:
    """Read `axios.get("/users")` and `http.post(url, body)`, where `http` may be declared by another file."""
    receiver = at.code[callee + 1]
    origin = _client_origin(at, receiver)
    known = _CLIENTS.fullmatch(origin)
    if known is not None and verb is not None and at.code[arguments[0]] != Op.OBJECT:
        return _Sent(verb, joined_url(_base(at, receiver), url_text(at, arguments[0])), known["framework"])
    if verb is not None and at.name(receiver) in _JQUERY and at.binding(receiver) < 0:
        return _Sent(verb, url_text(at, arguments[0]), "jQuery")
    if verb is None or any(at.code[each] == Op.FUNCTION for each in arguments):
        return None
    decl = at.declaration(receiver)
    url = url_text(at, arguments[0])
    is_path = url.startswith(("/", MARK)) or (url.startswith(UNKNOWN) and "/" in url)
    if decl is None or decl.kind != DeclKind.IMPORT:
        is_client = is_path and _NAMED.fullmatch(at.name(receiver)) is not None and _is_given(at, receiver)
        return _Sent(verb, url, "client", evidence="name") if is_client else None
    client = at.imported(decl)
    return _Sent(verb, url, "", ImportedName(client.name or "default", client.module)) if is_path else None


def _client_origin(at: Expressions, receiver: int) -> str:
    """Return the origin of a receiver, also of one that Angular injects: `inject(HttpClient)`."""
    origin = at.origin(receiver)
    if origin != "@angular/core:inject()":
        return origin
    field = at.member(receiver) if at.code[receiver] == Op.MEMBER else None
    decl = at.declaration(receiver)
    node = field.value if field is not None else decl.b if decl is not None else -1
    arguments = at.items(at.code[node + 2]) if node >= 0 and at.code[node] == Op.CALL else ()
    return f"{at.origin(arguments[0])}()" if arguments else ""


def _is_given(at: Expressions, receiver: int) -> bool:
    """Return whether other code states an object: a member, a parameter or the result of a hook."""
    if at.code[receiver] == Op.MEMBER:
        return True
    decl = at.declaration(receiver)
    if decl is None or decl.kind not in (DeclKind.PARAMETER, DeclKind.VARIABLE):
        return False
    is_hook = decl.b >= 0 and at.code[decl.b] == Op.CALL and at.name(at.code[decl.b + 1]).startswith("use")
    return decl.kind == DeclKind.PARAMETER or is_hook or (decl.b >= 0 and at.code[decl.b] == Op.MEMBER)


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
        url = url_text(at, options["url"])
        base = next((url_text(at, options[key]) for key in options if key in _BASES), _base(at, callee))
        framework = at.origin(callee).partition(":")[0] or "client"
        return _Sent(method or "GET", joined_url(base, url), framework, default_method="GET")
    return None


def _keys(at: Expressions, node: int) -> Collection[str]:
    """Return the keys in an object, also those of methods: `handler(request) {}`."""
    return [member.name for member in at.facts.shapes[at.code[node + 1]].members] if at.code[node] == Op.OBJECT else ()


def _options(at: Expressions, node: int) -> Mapping[str, int]:
    """Return the values in an object by their keys; an empty result for another expression."""
    if node < 0 or at.code[node] != Op.OBJECT:
        return {}
    return {member.name: member.value for member in at.facts.shapes[at.code[node + 1]].members if member.value >= 0}


def _method(at: Expressions, arguments: Sequence[int], default: str, steps: int = 3) -> str:
    """Return the method in options: the default without one, and any method if it is not known. It may be a mark."""
    for argument in arguments:
        options = _options(at, argument)
        node = options.get("method", options.get("type", -1))
        if node >= 0:
            text = url_text(at, node)
            return text if text.startswith(MARK) and text.count(MARK) == 2 else _known_method((at.text(node) or "").upper())
        if at.code[argument] == Op.OBJECT:
            found = _method(at, [at.code[each + 1] for each in at.items(at.code[argument + 2])], "", steps - 1) if steps else ""
            if found:
                return found
            continue
        place = parameter_place(at, argument)
        if place is not None:
            return f"{MARK}{place.function}:{place.place}.method{MARK}"
        decl = at.declaration(argument)
        if decl is not None and decl.kind == DeclKind.VARIABLE and decl.b >= 0 and at.code[decl.b] == Op.OBJECT and steps:
            return _method(at, [decl.b], default, steps - 1)
    return default


def _known_method(text: str) -> str:
    return text if text in HTTP_METHODS else ANY_METHOD


def _is_global(at: Expressions, callee: int) -> bool:
    receiver = at.code[callee + 1] if at.code[callee] == Op.MEMBER else -1
    if receiver >= 0:
        return at.name(receiver) in _GLOBAL_OBJECTS and at.binding(receiver) < 0
    return at.code[callee] == Op.NAME and at.binding(callee) < 0


def _base(at: Expressions, client: int) -> str:
    """Return the URL below which a client sends requests: the option `baseURL` of the call that makes the client."""
    field = at.member(client)
    value = field.value if field is not None else client
    decl = at.declaration(value) if value >= 0 else None
    made = decl.b if decl is not None and decl.kind == DeclKind.VARIABLE else value
    if made < 0 or at.code[made] != Op.CALL:
        return ""
    node = at.option(at.items(at.code[made + 2]), _BASES)
    return url_text(at, node) if node >= 0 else ""


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
