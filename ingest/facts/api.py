"""Facts about APIs: the operations that a contract declares, and the routes and services that implement them.

The facts describe one file. Imported names are not resolved here; `ingest/contracts/implementations.py` resolves them.
"""

from __future__ import annotations

from typing import Final

import msgspec

#: Method of a route that serves all HTTP methods.
ANY_METHOD: Final = "*"
#: The key of a default export that handles an event of Nitro or Nuxt. The path of its file states the HTTP method.
EVENT_HANDLER: Final = "event"
#: Place of the function that a call decorates, among the places of parameters.
DECORATED: Final = -2
#: Frameworks of requests of test clients that only the name of a parameter or of an attribute tells.
FIXTURE: Final = "pytest"
TEST_CLASS: Final = "unittest"
#: Placeholder in a URL for text that is known only at run time.
UNKNOWN: Final = "{}"

#: Encloses the place of a part of a text that callers state: see `RequestWrapper`.
MARK: Final = "\0"


def method_text(method: str) -> str:
    """Return an HTTP method as people write it: "ANY" for `ANY_METHOD`."""
    return "ANY" if method == ANY_METHOD else method


class Protocol:
    """The protocols by which operations are called."""

    HTTP: Final = "http"
    RPC: Final = "rpc"
    GRAPHQL: Final = "graphql"
    TOPIC: Final = "topic"


def joined_url(base: str, url: str) -> str:
    """Return a URL below the base of a client. A URL with an address of its own is returned unchanged."""
    return f"{base.rstrip('/')}/{url.lstrip('/')}" if base and "://" not in url else url


class ImportedName(msgspec.Struct, array_like=True, frozen=True, gc=False):
    """A name of this file or of an imported module. Dots precede members."""

    name: str
    #: Specifier of the import; "" for a name of this file.
    module: str = ""


class Operation(msgspec.Struct, array_like=True, gc=False):
    """An operation that a contract declares."""

    symbol: int
    protocol: str
    #: The qualified name: `GET /users/{id}`, `shop.v1.Cart.Add`, `Query.users`, the address of a channel.
    name: str
    #: The id of the operation in the contract, or the name of the type of a GraphQL field, else "".
    id: str = ""
    #: The module in which the description says that the handler is, else "": `shop.orders` in Python, `v2/orders` in JavaScript.
    module: str = ""
    #: The requests of HTTP that a gateway passes to an RPC: `GET /v1/carts/{id}`.
    bindings: list[str] = []


class PathsOfFile(msgspec.Struct, array_like=True, frozen=True, gc=False):
    """A path of a description whose operations are in another file."""

    path: str
    #: The file relative to the description, and the place inside the file: `paths/pets.yaml#/pets`.
    target: str


class Router(msgspec.Struct, array_like=True, gc=False):
    """An object to which code adds routes, such as an application or a blueprint."""

    name: str
    prefix: str = ""
    #: Whether the router is a whole application, which need not be mounted.
    is_root: bool = False
    #: Whether the routes exist only where the router is mounted, such as the actions of a viewset.
    is_part: bool = False
    #: The namespace of the names of routes: `app_name` of Django.
    namespace: str = ""
    #: The beginning of the names of routes, unless a mount states another one: `order` in `order-list`.
    basename: str = ""


class Route(msgspec.Struct, array_like=True, gc=False):
    """A route: a method and a path with their handler."""

    #: The HTTP method in capitals, or `ANY_METHOD`.
    method: str
    path: str
    router: ImportedName
    #: The name of the handler if another file declares it, or if the name is a member.
    handler: ImportedName | None
    #: The symbol of the handler, or the symbol that registers it if `handler` is its name.
    symbol: int
    line: int
    framework: str
    #: The name by which code finds the URL of the route: `path("orders/", list, name="orders")`.
    name: str = ""
    #: Whether the route also serves all paths below its path: `r.PathPrefix("/files").Handler(files)`.
    is_prefix: bool = False
    #: The constant of another file with the end of the path, which `path` lacks.
    constant: ImportedName | None = None
    #: The function that makes the handler, if `handler` is a constant among its arguments: `login(expiry)`.
    maker: ImportedName | None = None


class Mount(msgspec.Struct, array_like=True, gc=False):
    """The mounting of a router below a path of another router."""

    outer: ImportedName
    inner: ImportedName
    prefix: str = ""
    #: Whether the code computes a part of the prefix, which `prefix` lacks.
    is_computed: bool = False
    #: The namespace of the names of the routes, in place of the namespace of the router.
    namespace: str = ""
    #: The beginning of the names of the routes, in place of `Router.basename`.
    basename: str = ""


class Argument(msgspec.Struct, array_like=True, frozen=True, gc=False):
    """An argument of a call that may add a route: a text, a handler, a router, or a parameter of the function around the call."""

    #: The text, or the text before the parameter: `/api` in `"/api" + path`.
    text: str | None = None
    #: Place of the parameter of the function around the call, `DECORATED` for the decorated function, -1 for other arguments.
    parameter: int = -1
    #: The handler, in the form of `Route.handler` and `Route.symbol`.
    handler: ImportedName | None = None
    symbol: int = -1
    #: The router; `text` is the path below it.
    router: ImportedName | None = None
    #: The keyword, "" for positional arguments.
    keyword: str = ""


class PassedRoute(msgspec.Struct, array_like=True, gc=False):
    """A call that adds a route whose parts are parameters of the function around the call, or a call that may lead to one.

    Such a function is a wrapper of the registration: each of its calls adds a route.
    """

    #: The called function of the repository; None if the call belongs to a framework.
    callee: ImportedName | None
    #: For a framework the method, the path, the handler and the router.
    arguments: list[Argument]
    #: The function around the call, "" for none, and the names of its parameters.
    function: str
    parameters: list[str]
    #: The symbol that owns the call.
    symbol: int
    line: int
    framework: str = ""
    #: The symbol that the call decorates, else -1. `is_returned` is true if the function returns the call.
    decorated: int = -1
    is_returned: bool = False


class Service(msgspec.Struct, array_like=True, gc=False):
    """A function or a class that implements one operation, or all operations of a service, by name."""

    protocol: str
    #: Name of the service or type; "" for a topic.
    service: str
    #: Name of the operation; "" for a class whose methods have the names of the operations.
    operation: str
    #: The symbol of the function or the class, or the symbol that registers the class if `handler` is its name.
    symbol: int
    handler: ImportedName | None
    line: int
    framework: str
    #: Evidence of the implementation: base, registration, decorator, annotation or resolver.
    evidence: str
    #: Module of the generated code. The module distinguishes services with the same name.
    module: str = ""
    #: The constant of another file with the name of the operation, if the file itself does not state the name.
    constant: ImportedName | None = None


class Request(msgspec.Struct, array_like=True, frozen=True, gc=False):
    """A request of HTTP that code sends."""

    #: The HTTP method in capitals, or `ANY_METHOD` if it is not known.
    method: str
    #: `/users/{}`, `http://users/{}` or `{}/users`, with `{}` in place of text that is known only at run time. A path without a
    #: host belongs to the repository.
    url: str
    #: The symbol that sends the request.
    symbol: int
    line: int
    column: int
    framework: str
    #: Origin of the request: call or annotation.
    evidence: str = "call"
    #: Whether a path without a host belongs to the server of the page that runs the code. That server may be another program
    #: of the repository.
    is_of_page: bool = False
    #: Whether a test sends the request to the program that it tests.
    is_test: bool = False
    #: The client that sends the request, if another file may declare it. It is a request only if that file does.
    client: ImportedName | None = None
    #: The name of the route from which the code makes the URL, as Django's `reverse` does; "" if it writes the URL.
    route: str = ""


class RequestWrapper(msgspec.Struct, array_like=True, gc=False):
    """A function that sends a request of which callers state a part.

    The texts have `MARK`, a place and `MARK` for each such part: "0" is the first argument, "1.method" a member of the second,
    and "this.base" a field of the object whose method the function is. `ingest/contracts/wrapped_requests.py` lists the places.
    """

    #: The function by its local name, such as `Api.get`.
    function: str
    #: The HTTP method in capitals, or a place between two marks, with the method if the place is empty.
    method: str
    default_method: str
    url: str
    framework: str
    #: Whether a page sends the request: see `Request.is_of_page`.
    is_of_page: bool = True


class WrapperCall(msgspec.Struct, array_like=True, gc=False):
    """A call of a function of the repository that may be a `RequestWrapper`."""

    callee: ImportedName
    #: Texts of arguments by their places: {"0": "/users", "1.method": "POST"}, perhaps with marks of the function around it.
    values: dict[str, str]
    #: The function around the call by its local name; "" for none.
    function: str
    #: The symbol that owns the call.
    symbol: int
    line: int
    column: int
    #: The class whose object receives the call; "" if the call has no such receiver.
    owner: str = ""


class MadeOf(msgspec.Struct, array_like=True, frozen=True, gc=False):
    """The first base of a class, or the class or function that makes the object in a variable."""

    base: ImportedName
    #: The symbol of the class or the variable.
    symbol: int


class FieldUse(msgspec.Struct, array_like=True, frozen=True, gc=False):
    """A field of a GraphQL schema that a request of a client selects."""

    #: The type at which the path begins: `Query`, `Mutation`, `Subscription`, or the type of a fragment.
    root: str
    #: The fields from that type to the field, with dots between them: `boats.crew.name`.
    path: str
    #: The symbol of the request, or of the code around the text of the request.
    symbol: int
    line: int


class ApiFacts(msgspec.Struct, array_like=True):
    """All facts about APIs in a file."""

    operations: list[Operation] = []
    #: Base paths of the servers in a description.
    bases: list[str] = []
    #: Names of the packages of generated code.
    packages: list[str] = []
    #: Paths of a description whose operations are in other files.
    references: list[PathsOfFile] = []
    #: Operations to whose paths a description in another file refers: `GET`, or `GET /pets` for the place `#/pets` in the file.
    parts: list[Operation] = []
    routers: list[Router] = []
    routes: list[Route] = []
    mounts: list[Mount] = []
    passed: list[PassedRoute] = []
    #: Classes by the functions that return an object of the class, and by the variables that keep one.
    made: dict[str, str] = {}
    services: list[Service] = []
    requests: list[Request] = []
    #: The URLs below which exported clients of HTTP send requests, by the names under which the file exports the clients.
    clients: dict[str, str] = {}
    #: Names of routers and of functions that add routes, by the names under which the file exports them.
    exports: dict[str, str] = {}
    #: Exported functions that may be routes because of the path of the file, by HTTP method. They have the name of the method.
    #: The key `ANY_METHOD` has a default export with a request and a response as parameters. The key `EVENT_HANDLER` has a
    #: default export that a function of Nitro or Nuxt makes.
    methods: dict[str, int] = {}
    wrappers: list[RequestWrapper] = []
    wrapper_calls: list[WrapperCall] = []
    #: Texts of constants that requests and calls of wrappers may name, and of fields of classes: `ROUTES.users`, `UserApi.base`.
    texts: dict[str, str] = {}
    #: Classes with their base, and variables with what makes their objects, by name. `texts` has what each states of requests.
    kinds: dict[str, MadeOf] = {}
    #: Fields of GraphQL schemas that requests select.
    fields: list[FieldUse] = []
