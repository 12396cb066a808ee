"""Joins the operations of contracts with the code that implements them, by `IMPLEMENTED_BY` edges.

Two rules prevent wrong edges. An operation has at most one handler, so an ambiguous route has no edge. If the path above a router
is unknown, a route matches a description only below the prefix that most routes of the router share.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from posixpath import normpath
from typing import Final, NamedTuple

import msgspec

from ...schema.edges import ImplementationEdge
from ...schema.graph_content import GraphContent
from ...schema.paths import common_folders, parent_of, path_in
from ..facts.api import ANY_METHOD, ApiFacts, ImportedName, Operation, Protocol, Service, method_text
from ..files.path_roles import is_test_path
from .handlers import Handlers
from .route_paths import REST, has_literal, segments_of
from .routing import PlacedRoute, RouterKey, Routing, Sources, nearest, text_of

Segments = tuple[str, ...]
#: Minimum number of operations that must have the same prefix, if the code does not state the prefix.
_MIN_AGREEING: Final = 2
#: Maximum length of a chain of references to a channel.
_MAX_REFERENCES: Final = 8
#: Maximum number of equally near classes that implement the service of an RPC.
_MAX_SERVICES: Final = 20


class _Found(NamedTuple):
    """The implementation of an operation."""

    to_id: str
    framework: str
    evidence: str
    text: str
    file: str
    line: int
    #: Whether the function belongs to a class that implements the service of an RPC.
    is_of_service: bool = False


def implementation_edges(facts: Mapping[str, ApiFacts], sources: Sources) -> dict[str, GraphContent]:
    """Return the edges by the path of the contract with the operation. `facts` contains only files with facts about APIs."""
    contracts = {path: api for path, api in facts.items() if api.operations or api.references}
    names_handlers = any(each.module or "." in each.id for api in contracts.values() for each in api.operations)
    if not contracts or not (names_handlers or any(has_code(api) for api in facts.values())):
        return {}
    return _Linking(contracts, facts, sources).made()


class _Linking:
    def __init__(self, contracts: Mapping[str, ApiFacts], facts: Mapping[str, ApiFacts], sources: Sources) -> None:
        self._contracts = contracts
        #: The operations of each contract, each with its file.
        self._operations = {path: list(described_operations(path, facts)) for path in contracts}
        self._code = {path: facts[path] for path in sorted(facts) if has_code(facts[path]) and not is_test_path(path)}
        self._sources = sources
        self._handlers = Handlers(sources)
        self._made: dict[str, dict[str, list[_Found]]] = defaultdict(lambda: defaultdict(list))

    def made(self) -> dict[str, GraphContent]:
        self._routes()
        self._generated_interfaces()
        self._named_operations()
        self._services()
        self._gateways()
        found: dict[str, GraphContent] = {}
        for path, by_operation in self._made.items():
            edges = [edge for from_id, each in by_operation.items() for edge in self._edges(path, from_id, each)]
            if edges:
                found[path] = GraphContent(implementations=edges)
        return found

    def _add(self, contract: str, operation: Operation, found: _Found) -> None:
        self._made[contract][self._sources.symbol_id(contract, operation.symbol)].append(found)

    def _edges(self, contract: str, from_id: str, found: list[_Found]) -> Iterator[ImplementationEdge]:
        """Yield the edge of an operation to the only candidate, or to the candidate in the nearest file.

        Several classes may implement the service of an RPC, for instance in several programs. If other candidates are equally
        near, yield nothing.
        """
        distinct = {each.to_id: each for each in reversed(found)}
        if len(distinct) > 1:
            distinct = {each.to_id: each for each in nearest(distinct.values(), contract, lambda each: each.file)}
        is_shared = all(each.is_of_service for each in distinct.values()) and len(distinct) <= _MAX_SERVICES
        for each in distinct.values() if len(distinct) == 1 or is_shared else ():
            yield ImplementationEdge(from_id, each.to_id, each.framework, each.evidence, each.text, each.file, each.line)

    # ------------------------------------------------------------------ HTTP

    def _routes(self) -> None:
        described = {
            path: [each for each in operations if each[1].protocol == Protocol.HTTP]
            for path, operations in self._operations.items()
        }
        if not any(described.values()):
            return
        groups: dict[RouterKey, list[tuple[PlacedRoute, Segments]]] = defaultdict(list)
        for placed in Routing(self._code, self._sources).placed():
            groups[placed.root].append((placed, segments_of(placed.full_path)))
        for path, operations in described.items():
            description = _Description(operations, self._contracts[path].bases)
            for routes in groups.values():
                self._group(description, routes)

    def _group(self, description: _Description, routes: list[tuple[PlacedRoute, Segments]]) -> None:
        """Join the routes below one router with a description."""
        prefix, is_said = self._prefix(description, routes)
        if prefix is None:
            return
        exact: set[int] = set()
        found: dict[int, list[PlacedRoute]] = defaultdict(list)
        for only_any in (False, True):
            for placed, segments in routes:
                if (placed.route.method == ANY_METHOD) != only_any:
                    continue
                for number in description.matching(placed.route.method, prefix, segments):
                    if not (only_any and number in exact):
                        found[number].append(placed)
            exact = set(found)
        for number, several in found.items():
            path, operation = description.operations[number]
            method = operation.name.partition(" ")[0].lower()
            ids = {id: placed for placed in several if (id := self._handlers.handler(placed, method)) is not None}
            if len(ids) != 1:
                continue  # two routes match one operation, so only the running program decides
            [(to_id, placed)] = ids.items()
            route = placed.route
            evidence = self._evidence(placed, to_id, is_said)
            text = f"{method_text(route.method)} {placed.full_path}"
            self._add(path, operation, _Found(to_id, route.framework, evidence, text, placed.file, route.line))

    def _evidence(self, placed: PlacedRoute, to_id: str, is_said: bool) -> str:
        if placed.route.handler is not None and to_id == self._sources.symbol_id(placed.file, placed.route.symbol):
            return "registration"
        return "route" if is_said else "prefix"

    def _prefix(self, description: _Description, routes: list[tuple[PlacedRoute, Segments]]) -> tuple[_Prefix | None, bool]:
        """Return the prefix that makes the paths of routes and of a description equal, and whether the code states it.

        Either the paths are equal, or all paths of one side need a prefix that the code does not state. The prefix that matches
        the most operations is chosen. If two prefixes match the same number, the prefix is unknown.
        """
        same = _Prefix((), ())
        matched = Counter[_Prefix]()
        for prefix, numbers in description.prefixes(routes).items():
            matched[prefix] = len(numbers)
        is_whole = any(placed.is_root for placed, _ in routes)
        if matched[same] and (is_whole or matched[same] == max(matched.values())):
            return same, True
        ranked = matched.most_common(2)
        if not ranked or (len(ranked) > 1 and ranked[0][1] == ranked[1][1]) or ranked[0][1] < _MIN_AGREEING:
            return None, False
        return ranked[0][0], False

    def _generated_interfaces(self) -> None:
        """Join operations with the methods of interfaces generated from a description.

        A method has the name of the operation's id.
        """
        by_id: dict[str, list[tuple[str, Operation]]] = defaultdict(list)
        for operations in self._operations.values():
            for path, operation in operations:
                if operation.protocol == Protocol.HTTP and operation.id:
                    by_id[operation.id].append((path, operation))
        for file, code in self._code.items():
            for service in code.services:
                for path, operation in by_id.get(service.operation, ()) if service.protocol == Protocol.HTTP else ():
                    to_id = self._sources.symbol_id(file, service.symbol)
                    text = f"{service.service}.{service.operation}"
                    self._add(path, operation, _Found(to_id, service.framework, service.evidence, text, file, service.line))

    def _named_operations(self) -> None:
        """Join operations with the functions that their ids name, in the module that the id or another key of the description
        names: `shop.orders.list` in Connexion, `v2/orders` in express-openapi-validator.
        """
        for operations in self._operations.values():
            for path, operation in operations:
                if operation.protocol != Protocol.HTTP or not operation.id:
                    continue
                module, name = (operation.module, operation.id) if operation.module else _split(operation.id)
                named = self._in_python(module, name, path) or (operation.module and self._in_scripts(module, name, path))
                if named:
                    self._made[path][self._sources.symbol_id(path, operation.symbol)] = [named]

    def _in_python(self, module: str, name: str, path: str) -> _Found | None:
        if not module.replace(".", "").replace("_", "a").isalnum():
            return None
        for target in _files_of_module(module, path):
            found = self._sources.find(target, name)
            if found is not None:
                return _Found(found, "Connexion", "operationId", f"{module}.{name}", target, 0)
        return None

    def _in_scripts(self, module: str, name: str, path: str) -> _Found | None:
        """Return the function of the nearest script of a name that has the function; None if several are equally near."""
        named = [
            (target, self._sources.find(target, name)) for target in self._sources.scripts(module) if not is_test_path(target)
        ]
        found = [(target, id) for target, id in named if id is not None]
        near = nearest(found, path, lambda each: each[0])
        if len(near) != 1:
            return None
        [(target, id)] = near
        return _Found(id, "OpenAPI", "operationId", f"{module} {name}", target, 0)

    # ------------------------------------------------------------------ services

    def _services(self) -> None:
        declared: dict[tuple[str, str, str], list[tuple[str, Operation]]] = defaultdict(list)
        for operations in self._operations.values():
            for path, operation in operations:
                if operation.protocol != Protocol.HTTP:
                    owner, own = _parts(operation)
                    declared[operation.protocol, owner, _key(operation.protocol, own)].append((path, operation))
        by_service: dict[tuple[str, str], list[str]] = defaultdict(list)
        for protocol, owner, name in declared:
            by_service[protocol, owner].append(name)
        for file, api in self._code.items():
            for service in (self._named(file, each) for each in api.services if each.protocol != Protocol.HTTP):
                for name in self._names(service, by_service):
                    for key in self._owners(service, name, declared):
                        self._service(file, service, declared[key])

    def _gateways(self) -> None:
        """Join operations that a generator has made of methods of services with the implementations of these methods.

        The generator of gRPC-Gateway names them `Carts_ListCarts`. Other generators choose the names, but the protobuf file
        states the requests of each method.
        """
        methods: dict[str, list[tuple[str, Operation]]] = defaultdict(list)
        bound: dict[tuple[str, Segments], list[tuple[str, Operation]]] = defaultdict(list)
        for operations in self._operations.values():
            for path, operation in operations:
                if operation.protocol == Protocol.RPC:
                    methods["_".join(_parts(operation))].append((path, operation))
                    for binding in operation.bindings:
                        bound[_request_key(binding)].append((path, operation))
        for contract, operations in self._operations.items() if methods else ():
            for path, operation in operations:
                if operation.protocol == Protocol.HTTP and not self._found(path, operation):
                    method, segments = _request_key(operation.name)
                    starts = [(), *map(segments_of, self._contracts[contract].bases)]
                    named = methods.get(operation.id) or next(
                        (bound[key] for start in starts if (key := (method, (*start, *segments))) in bound), []
                    )
                    if len(named) == 1:
                        self._made[path][self._sources.symbol_id(path, operation.symbol)] += self._found(*named[0])

    def _found(self, path: str, operation: Operation) -> list[_Found]:
        return self._made[path][self._sources.symbol_id(path, operation.symbol)]

    def _named(self, file: str, service: Service) -> Service:
        """Return a service with the name of its operation, which may be a constant of another file."""
        if service.constant is None:
            return service
        return msgspec.structs.replace(service, operation=text_of(service.constant, file, self._sources))

    def _names(self, service: Service, by_service: Mapping[tuple[str, str], list[str]]) -> list[str]:
        if service.operation:
            return [_key(service.protocol, service.operation)]
        return [name for owner in _spellings(service.service) for name in by_service.get((service.protocol, owner), ())]

    def _owners(
        self, service: Service, name: str, declared: Mapping[tuple[str, str, str], object]
    ) -> Iterator[tuple[str, str, str]]:
        for owner in _spellings(service.service):
            if (service.protocol, owner, name) in declared:
                yield service.protocol, owner, name
                return

    def _service(self, file: str, service: Service, candidates: list[tuple[str, Operation]]) -> None:
        """Join one function with the operation that it implements. Several contracts may declare the operation."""
        chosen = self._contract_of(file, service, candidates)
        for path, operation in chosen:
            to_id = self._implementation(file, service, operation)
            if to_id is not None:
                text = ".".join(part for part in (service.service, _parts(operation)[1]) if part)
                is_of_service = service.protocol == Protocol.RPC
                found = _Found(to_id, service.framework, service.evidence, text, file, service.line, is_of_service)
                self._add(path, operation, found)

    def _contract_of(self, file: str, service: Service, candidates: list[tuple[str, Operation]]) -> list[tuple[str, Operation]]:
        """Return the operations that a service may implement. The module decides between RPC operations with different names, or
        the folder if the code names no module, as in Java.

        Programs with contracts of their own may use one name for different topics, so the nearest contracts decide.
        """
        candidates = [each for each in candidates if not is_test_path(each[0])] or candidates
        if service.protocol == Protocol.TOPIC:
            return nearest(candidates, file, lambda each: each[0])
        names = {operation.name for _, operation in candidates}
        if service.protocol != Protocol.RPC or len(names) == 1:
            return candidates
        identified = [each for each in candidates if service.module and self._is_generated(each[0], service.module)]
        if not service.module:
            identified = [each for each in nearest(candidates, file, lambda each: each[0]) if common_folders(file, each[0])]
        return identified if len({operation.name for _, operation in identified}) == 1 else []

    def _is_generated(self, contract: str, module: str) -> bool:
        """Return whether a module contains code generated from a contract, judged by the packages or the path of the contract."""
        for package in self._contracts[contract].packages:
            if package and (module == package or module.endswith(f"/{package}") or module.startswith(f"{package}/")):
                return True
        stem = contract.removesuffix(".proto").replace("/", ".")
        named = module.removesuffix("_pb2_grpc").lstrip(".")
        return bool(named) and (stem == named or stem.endswith(f".{named}"))

    def _implementation(self, file: str, service: Service, operation: Operation) -> str | None:
        name = _parts(operation)[1]
        if service.operation:
            if service.handler is not None:
                return self._handlers.declared(file, service.handler)
            return self._sources.symbol_id(file, service.symbol)
        owner = service.handler if service.handler is not None else ImportedName(self._sources.name(file, service.symbol))
        for spelled in dict.fromkeys((name, name[:1].lower() + name[1:], name[:1].upper() + name[1:])):
            found = self._handlers.declared(file, ImportedName(f"{owner.name}.{spelled}", owner.module))
            if found is not None:
                return found
        return None


def has_code(api: ApiFacts) -> bool:
    """Return whether a file may implement operations. Code may also declare them, as schemas of GraphQL in strings."""
    is_contract = api.operations or api.references or api.parts
    return not is_contract or bool(api.services or api.routes or api.mounts or api.routers or api.passed or api.methods)


def described_operations(path: str, facts: Mapping[str, ApiFacts]) -> Iterator[tuple[str, Operation]]:
    """Yield the operations of a contract, including operations in other files of the workspace, each with its file."""
    for operation in facts[path].operations:
        if operation.protocol == Protocol.TOPIC and operation.module:
            if address := _address(path, operation.module, facts):
                yield path, msgspec.structs.replace(operation, name=address, module="")
        else:
            yield path, operation
    by_place: dict[str, dict[str, list[Operation]]] = {}
    for reference in facts[path].references:
        target, _, place = reference.target.partition("#")
        file = normpath(path_in(parent_of(path), target))
        if file not in by_place:
            by_place[file] = _parts_by_place(facts[file].parts if file in facts else ())
        for part in by_place[file].get(place.removeprefix("/").replace("~1", "/").replace("~0", "~"), ()):
            method = part.name.partition(" ")[0]
            yield file, msgspec.structs.replace(part, name=f"{method} {reference.path}")


def _address(path: str, reference: str, facts: Mapping[str, ApiFacts]) -> str:
    """Return the address of the channel to which a file refers, perhaps by other channels and operations; "" for none."""
    for _ in range(_MAX_REFERENCES):
        target, _, place = reference.partition("#")
        path = normpath(path_in(parent_of(path), target)) if target else path
        api = facts.get(path)
        name = place.rpartition("/")[2].replace("~1", "/").replace("~0", "~")
        declared = [each for each in (*api.operations, *api.parts) if each.protocol == Protocol.TOPIC] if api is not None else []
        found = next((each for each in declared if each.id == name or not name), None)
        if found is None or not found.module:
            return found.name if found is not None else ""
        reference = found.module
    return ""


def _parts_by_place(parts: Iterable[Operation]) -> dict[str, list[Operation]]:
    """Return the operations of a file with paths of a contract, by their place in the file."""
    found: dict[str, list[Operation]] = defaultdict(list)
    for part in parts:
        found[part.name.partition(" ")[2]].append(part)
    return found


def _split(id: str) -> tuple[str, str]:
    """Return the module and the function that the id of an operation names; the module is empty for a plain id."""
    module, _, name = id.rpartition(".")
    return module, name


def _files_of_module(module: str, contract: str) -> Iterator[str]:
    """Yield the possible files of a Python module, relative to the folders around a contract, the nearest folder first."""
    file = module.replace(".", "/")
    folders = contract.split("/")[:-1]
    for depth in range(len(folders), -1, -1):
        for inner in ("", "src/"):
            around = "".join(f"{folder}/" for folder in folders[:depth])
            yield f"{around}{inner}{file}.py"
            yield f"{around}{inner}{file}/__init__.py"


class _Prefix(NamedTuple):
    """Two prefixes, one for each side, that make the path of a route and the path of an operation equal."""

    of_route: Segments
    of_operation: Segments


class _Description:
    """The operations of a description, each with its file, by their methods and paths."""

    def __init__(self, operations: list[tuple[str, Operation]], bases: list[str]) -> None:
        self.operations = operations
        self._by_path: dict[tuple[str, Segments], list[int]] = defaultdict(list)
        #: Operations by their method and the end of their path, each with the path before the end.
        self._by_end: dict[tuple[str, Segments], set[tuple[Segments, int]]] = defaultdict(set)
        self._starts = ((), *dict.fromkeys(segments for base in bases if (segments := segments_of(base))))
        for number, (_, operation) in enumerate(operations):
            method, _, path = operation.name.partition(" ")
            own = segments_of(path)
            for start in self._starts:
                whole = (*start, *own)
                self._by_path[method, whole].append(number)
                for cut in range(1, len(whole)):
                    if has_literal(whole[cut:]):
                        self._by_end[method, whole[cut:]].add((whole[:cut], number))
                        self._by_end[ANY_METHOD, whole[cut:]].add((whole[:cut], number))
                self._by_path[ANY_METHOD, whole].append(number)

    def matching(self, method: str, prefix: _Prefix, segments: Segments) -> list[int]:
        """Return the numbers of the operations that a route serves below a prefix."""
        if segments[: len(prefix.of_operation)] != prefix.of_operation:
            return []
        whole = (*prefix.of_route, *segments[len(prefix.of_operation) :])
        return list(dict.fromkeys(self._by_path.get((method, whole), ())))

    def prefixes(self, routes: list[tuple[PlacedRoute, Segments]]) -> dict[_Prefix, set[int]]:
        """Return the operations that routes serve, by the prefix that makes the paths equal."""
        found: dict[_Prefix, set[int]] = defaultdict(set)
        for placed, segments in routes:
            if REST in segments:
                continue
            method = placed.route.method
            for number in self._by_path.get((method, segments), ()):
                found[_Prefix((), ())].add(number)
            if has_literal(segments):
                for before, number in self._by_end.get((method, segments), ()):
                    found[_Prefix(before, ())].add(number)
            for cut in range(1, len(segments)):
                if has_literal(segments[cut:]):
                    for number in self._by_path.get((method, segments[cut:]), ()):
                        found[_Prefix((), segments[:cut])].add(number)
        return found


def _parts(operation: Operation) -> tuple[str, str]:
    """Return two names: the simple name of an operation's service or type, and the operation's own name."""
    if operation.protocol == Protocol.TOPIC:
        return "", operation.name
    owner, _, name = operation.name.rpartition(".")
    return owner.rpartition(".")[2], name


def _request_key(text: str) -> tuple[str, Segments]:
    """Return the method and the normalized path of a request: `GET /carts/{id}`."""
    method, _, path = text.partition(" ")
    return method, segments_of(path)


def _key(protocol: str, name: str) -> str:
    """Return the normalized name of an operation: equal for the spellings of the name in all languages."""
    return name if protocol == Protocol.TOPIC else name.replace("_", "").lower()


def _spellings(service: str) -> tuple[str, ...]:
    """Return the possible names of a service in its contract; code generators add an ending to the name."""
    return tuple(dict.fromkeys((service, service.removesuffix("Service"), service.removesuffix("Definition"))))
