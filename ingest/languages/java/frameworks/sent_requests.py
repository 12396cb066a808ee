"""HTTP requests that Java code sends through Spring's clients, java.net.http, OkHttp, Apache's client and test clients."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple

from ....facts.api import ANY_METHOD, UNKNOWN, ApiFacts, Request
from ....facts.operations import Op
from ...api_calls.expressions import Expressions
from ...api_calls.rules import HTTP_METHODS
from .annotations import imports_of
from .chains import Chain, Chains, Step, chains_of

_CLIENT: Final = "org.springframework.web.client"
_REACTIVE: Final = "org.springframework.web.reactive.function.client"
_MOCK: Final = "org.springframework.test.web.servlet"
_TEST_CLIENT: Final = "org.springframework.test.web.reactive.server.WebTestClient"
_BOOT: Final = "org.springframework.boot"
#: The HTTP method of each method of `RestTemplate`.
_TEMPLATE_VERBS: Final = {
    "getForObject": "GET",
    "getForEntity": "GET",
    "headForHeaders": "HEAD",
    "postForLocation": "POST",
    "postForObject": "POST",
    "postForEntity": "POST",
    "patchForObject": "PATCH",
    "put": "PUT",
    "delete": "DELETE",
    "optionsForAllow": "OPTIONS",
}
_METHODS: Final = frozenset(HTTP_METHODS)
#: First calls of the chains of REST Assured, before the request.
_OPENINGS: Final = frozenset(("given", "when", "with"))


class Sent(NamedTuple):
    """A request: method, URL, and the call with the URL."""

    method: str
    url: str
    node: int


class _Client(NamedTuple):
    """An HTTP client: its framework, and a function that reads chains of calls of the client."""

    framework: str
    read: Callable[[Chains, Chain], Sent | None]
    #: Whether the client calls the application of its own repository, as test clients do.
    is_own: bool = False


def _of_template(chains: Chains, chain: Chain) -> Sent | None:
    """Read `template.getForObject("/users/{id}", User.class, id)` or `template.exchange(url, HttpMethod.PUT, …)`."""
    step = chain.steps[0]
    if not step.arguments:
        return None
    url = chains.text(step.arguments[0])
    if step.name == "exchange" and len(step.arguments) > 1:
        return Sent(_verb(chains.word(step.arguments[1])), url, step.node)
    return Sent(_TEMPLATE_VERBS[step.name], url, step.node) if step.name in _TEMPLATE_VERBS else None


def _of_fluent(chains: Chains, chain: Chain) -> Sent | None:
    """Read `client.get().uri("/users/{id}", id)` or `client.method(HttpMethod.POST).uri(…)`."""
    base = ""
    for place, step in enumerate(chain.steps):
        if step.name in ("create", "baseUrl") and step.arguments:
            base = chains.text(step.arguments[0])
        if step.name == "uri" and step.arguments and place > 0:
            before = chain.steps[place - 1]
            method = _verb(chains.word(before.arguments[0]) if before.name == "method" and before.arguments else before.name)
            path = chains.text(step.arguments[0])
            return Sent(method, path if "://" in path else f"{base}{path}", step.node)
    return None


def _of_builder(chains: Chains, chain: Chain) -> Sent | None:
    """Read `HttpRequest.newBuilder(uri).POST(body).build()` or `new Request.Builder().url(url).post(body).build()`."""
    found: Step | None = None
    url, method = UNKNOWN, "GET"
    for step in chain.steps:
        if step.name in ("newBuilder", "uri", "url") and step.arguments:
            found, url = step, chains.text(step.arguments[0])
        elif step.name == "method" and step.arguments:
            method = _verb(chains.word(step.arguments[0]))
        elif step.name.upper() in _METHODS:
            method = step.name.upper()
    return Sent(method, url, found.node) if found is not None else None


def _of_static(chains: Chains, chain: Chain) -> Sent | None:
    """Read a call named after an HTTP method: `get("/users/{id}", id)`, `HttpRequest.GET("/users")`, `given().get("/users")`."""
    for place, step in enumerate(chain.steps):
        if place > 0 and chain.steps[0].name not in _OPENINGS:
            return None
        if step.name.upper() in (*HTTP_METHODS, "REQUEST") and step.arguments:
            if step.name == "request" and len(step.arguments) > 1:
                return Sent(_verb(chains.word(step.arguments[0])), chains.text(step.arguments[1]), step.node)
            return Sent(_verb(step.name), chains.text(step.arguments[0]), step.node)
    return None


def _verb(name: str) -> str:
    return name.upper() if name.upper() in _METHODS else ANY_METHOD


_TEMPLATE: Final = _Client("Spring", _of_template)
_FLUENT: Final = _Client("Spring", _of_fluent)
#: Clients by the type at which their chains begin.
_CLIENTS: Final[Mapping[str, _Client]] = {
    f"{_CLIENT}.RestTemplate": _TEMPLATE,
    f"{_CLIENT}.RestOperations": _TEMPLATE,
    f"{_CLIENT}.RestClient": _FLUENT,
    f"{_REACTIVE}.WebClient": _FLUENT,
    f"{_BOOT}.test.web.client.TestRestTemplate": _Client("Spring", _of_template, is_own=True),
    f"{_BOOT}.resttestclient.TestRestTemplate": _Client("Spring", _of_template, is_own=True),
    _TEST_CLIENT: _Client("Spring", _of_fluent, is_own=True),
    f"{_MOCK}.request.MockMvcRequestBuilders": _Client("Spring", _of_static, is_own=True),
    f"{_MOCK}.client.RestTestClient": _Client("Spring", _of_fluent, is_own=True),
    "java.net.http.HttpRequest": _Client("java.net.http", _of_builder),
    "okhttp3.Request.Builder": _Client("OkHttp", _of_builder),
    "io.micronaut.http.HttpRequest": _Client("Micronaut", _of_static),
    "io.restassured.RestAssured": _Client("REST Assured", _of_static, is_own=True),
}
#: Requests of Apache's client, whose constructors take the URL: `new HttpGet("http://users/1")`.
_APACHE: Final = frozenset(("org.apache.http.client.methods", "org.apache.hc.client5.http.classic.methods"))
#: Modules that a file must import to use a client: packages, and types whose static methods are imported.
_MODULES: Final = frozenset((*_CLIENTS, *(name.rpartition(".")[0] for name in _CLIENTS), *_APACHE, "okhttp3"))


def find_requests(at: Expressions, api: ApiFacts) -> None:
    """Add the requests that calls of a file send."""
    if not imports_of(at).has_any(_MODULES):
        return
    chains = chains_of(at)
    found: dict[int, Request] = {}
    for node in at.facts.calls:
        chain = chains.chain(node) if at.code[node] == Op.CALL else None
        if chain is not None:
            client = next((_CLIENTS[name] for name in chain.types if name in _CLIENTS), None)
            sent = client.read(chains, chain) if client is not None else None
            # Every prefix of a call chain is also visited as a chain. The longest chain has the most information.
            if client is not None and sent is not None:
                _add(at, found, sent, client.framework, is_own=client.is_own)
        elif at.code[node] == Op.NEW:
            sent = _of_apache(at, chains, node)
            if sent is not None:
                _add(at, found, sent, "Apache HttpClient", is_own=False)
    api.requests += found.values()


def _of_apache(at: Expressions, chains: Chains, node: int) -> Sent | None:
    name = at.name(at.code[node + 1])
    arguments: Sequence[int] = at.items(at.code[node + 2])
    verb = name.removeprefix("Http").upper()
    if not name.startswith("Http") or verb not in _METHODS or not arguments:
        return None
    is_apache = any(each.rpartition(".")[0] in _APACHE for each in chains.types(node))
    return Sent(verb, chains.text(arguments[0]), node) if is_apache else None


def _add(at: Expressions, found: dict[int, Request], sent: Sent, framework: str, *, is_own: bool) -> None:
    symbol = at.owner(sent.node)
    if symbol < 0 or not sent.url.replace(UNKNOWN, "").strip("/:"):
        return
    url = sent.url
    if "://" not in url:
        if is_own:
            url = f"/{url.removeprefix(UNKNOWN).lstrip('/')}"
        elif not url.startswith(UNKNOWN):
            url = f"{UNKNOWN}{url}"  # the host is configured in the client
    line, column = at.place(sent.node)
    found[sent.node] = Request(sent.method, url, symbol, line, column, framework)
