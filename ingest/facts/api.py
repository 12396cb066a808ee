"""Facts about APIs: the operations that a contract declares, and the routes and services with which code implements them.

They describe one file. Names of other files are as the file imports them, and `ingest/contracts/implementations.py` joins them.
"""

from __future__ import annotations

from typing import Final

import msgspec

#: Method of a route that takes all methods of HTTP.
ANY_METHOD: Final = "*"


class Protocol:
    """How an operation is called."""

    HTTP: Final = "http"
    RPC: Final = "rpc"
    GRAPHQL: Final = "graphql"
    TOPIC: Final = "topic"


class ImportedName(msgspec.Struct, array_like=True, frozen=True, gc=False):
    """A name of this file, or of the module that it imports; members are joined by dots."""

    name: str
    #: Specifier of the import; "" for a name of this file.
    module: str = ""


class Operation(msgspec.Struct, array_like=True, gc=False):
    """An operation that a contract declares."""

    symbol: int
    protocol: str
    #: The whole name: `GET /users/{id}`, `shop.v1.Cart.Add`, `Query.users`, the address of a channel.
    name: str
    #: The id that the contract gives it, else "".
    id: str = ""


class Router(msgspec.Struct, array_like=True, gc=False):
    """Something that routes are added to, such as an application or a blueprint."""

    name: str
    prefix: str = ""
    #: Whether it is a whole application, which nothing mounts by default.
    is_root: bool = False


class Route(msgspec.Struct, array_like=True, gc=False):
    """A route: a method and a path that lead to a handler."""

    #: In capitals, or `ANY_METHOD`.
    method: str
    path: str
    router: ImportedName
    #: The handler if another file declares it, or if the name is a member that is looked up.
    handler: ImportedName | None
    #: The symbol of the handler; if `handler` names the handler, the symbol that registers it.
    symbol: int
    line: int
    framework: str


class Mount(msgspec.Struct, array_like=True, gc=False):
    """A router is mounted below a path of another router."""

    outer: ImportedName
    inner: ImportedName
    prefix: str = ""


class Service(msgspec.Struct, array_like=True, gc=False):
    """A function or a class that takes an operation, or all operations of a service, by their names."""

    protocol: str
    #: Name of the service or type; "" for a topic.
    service: str
    #: Name of the operation; "" if the methods of a class have the names of the operations.
    operation: str
    #: The function or the class, else the symbol that registers the class that `handler` names.
    symbol: int
    handler: ImportedName | None
    line: int
    framework: str
    #: base, registration, decorator, annotation or resolver.
    evidence: str
    #: Module of the generated code, which distinguishes services of one name.
    module: str = ""


class ApiFacts(msgspec.Struct, array_like=True):
    """Everything that a file says about APIs."""

    operations: list[Operation] = []
    #: Paths that the servers of a description put before its own.
    bases: list[str] = []
    #: Names of the packages that code is generated into.
    packages: list[str] = []
    routers: list[Router] = []
    routes: list[Route] = []
    mounts: list[Mount] = []
    services: list[Service] = []
    #: Names of routers and of functions that add routes, by the names under which the file exports them.
    exports: dict[str, str] = {}
    #: Exported functions that are named after methods of HTTP: the place of the file may make them routes.
    methods: dict[str, int] = {}
