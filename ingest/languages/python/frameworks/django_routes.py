"""Routes of Django: lists of URL patterns, and the routers and viewsets of Django REST framework.

A list of patterns and a router are routers of the facts. The actions of a viewset are a router, too, which is mounted where code
registers the class, and which contains the router of a base class.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from ....facts.api import ANY_METHOD, ApiFacts, ImportedName, Mount, Route, Router
from ....facts.model import Decl, DeclKind, Shape, ShapeKind
from ....facts.operations import Op
from ...api_calls.expressions import Expressions
from ...api_calls.rules import HTTP_METHODS

_DJANGO: Final = "Django"
REST: Final = "Django REST framework"
_PATHS: Final = frozenset(("path", "re_path", "url"))
#: Name of the list that holds the routes in a module of urls.
_PATTERNS: Final = "urlpatterns"
#: Suffix of the name of the router that represents the actions of a viewset.
_ACTIONS: Final = "actions"
#: A group in a regular expression for a path, as in Django's `re_path`.
_NAMED_GROUP: Final = re.compile(r"\(\?P<(\w+)>[^()]*\)")
_GROUP: Final = re.compile(r"\([^()?][^()]*\)")
#: For each standard action of a viewset: the HTTP method, whether the path ends with a key, and the end of the route's name.
_STANDARD: Final = {
    "list": ("GET", False, "list"),
    "create": ("POST", False, "list"),
    "retrieve": ("GET", True, "detail"),
    "update": ("PUT", True, "detail"),
    "partial_update": ("PATCH", True, "detail"),
    "destroy": ("DELETE", True, "detail"),
}
#: The standard actions that classes of the framework implement.
_INHERITED: Final = {
    "ModelViewSet": tuple(_STANDARD),
    "ReadOnlyModelViewSet": ("list", "retrieve"),
    "ListModelMixin": ("list",),
    "CreateModelMixin": ("create",),
    "RetrieveModelMixin": ("retrieve",),
    "UpdateModelMixin": ("update", "partial_update"),
    "DestroyModelMixin": ("destroy",),
}
_KEY: Final = "{pk}"
_ROUTERS: Final = ("rest_framework", "rest_framework_nested", "rest_framework_extensions")
#: Functions around lists of patterns.
_WRAPPERS: Final = frozenset(("i18n_patterns", "format_suffix_patterns", "decorator_include"))
_MAX_DEPTH: Final = 12


def find_django_routes(at: Expressions, api: ApiFacts) -> None:
    """Add the patterns of a module of urls, the viewsets that its routers register, and the actions of viewsets."""
    modules = {each.specifier.partition(".")[0] for each in at.facts.imports}
    is_rest = not modules.isdisjoint(_ROUTERS)
    if is_rest or "django" in modules:
        _Patterns(at, api).read()
    declared: dict[int, Decl] | None = None
    for shape in at.facts.shapes:
        if shape.kind == ShapeKind.CLASS and shape.symbol >= 0 and (is_rest or shape.name.endswith("ViewSet")):
            if declared is None:
                declared = {each.symbol: each for each in at.facts.decls if each.symbol >= 0}
            _Viewset(at, shape, declared).add_to(api)


class _Patterns:
    """Reads the lists of patterns and the routers of a file."""

    def __init__(self, at: Expressions, api: ApiFacts) -> None:
        self._at = at
        self._api = api
        self._read: set[int] = set()
        self._routers: set[str] = set()
        #: The variables that hold lists of patterns, as far as they were read.
        self._lists: set[str] = set()

    def read(self) -> None:
        at = self._at
        decls = [each for each in at.facts.decls if each.kind == DeclKind.VARIABLE and each.b >= 0]
        for decl in decls:
            if not self._nested_router(decl) and self._is_list(decl.b, _MAX_DEPTH):
                self._lists.add(decl.name)
                self._list(decl.name, "", decl.b, _MAX_DEPTH)
        for node in sorted(at.facts.calls, key=at.place):
            callee = at.code[node + 1]
            if callee < 0:
                continue
            name = at.name(callee)
            if name in _PATHS:
                self._pattern(_PATTERNS, "", node, _MAX_DEPTH)
            elif name == "register" and at.code[callee] == Op.MEMBER:
                self._registered(node, at.code[callee + 1])
            elif name == "extend" and at.code[callee] == Op.MEMBER:
                self._extended(node, at.code[callee + 1])

    def _is_list(self, node: int, depth: int) -> bool:
        """Return whether an expression contains patterns, perhaps after an addition."""
        at = self._at
        if node < 0 or depth <= 0:
            return False
        if at.code[node] == Op.ARRAY:
            items = at.items(at.code[node + 1])
            return any(self._is_path(each) or at.code[each] == Op.SPREAD for each in items)
        if at.code[node] == Op.BINARY or at.is_addition(node):
            return any(self._is_list(at.code[node + place], depth - 1) for place in (1, 2))
        if at.code[node] == Op.CALL:
            return at.name(at.code[node + 1]) in _WRAPPERS
        named = self._named_list(node)
        return self._router_of_urls(node) is not None or (named is not None and not named.module and named.name in self._lists)

    def _is_path(self, node: int) -> bool:
        at = self._at
        return (
            at.code[node] == Op.CALL
            and at.code[node + 1] >= 0
            and at.name(at.code[node + 1]) in _PATHS
            and at.origin(at.code[node + 1]).startswith("django.")
        )

    def _is_router(self, node: int, viewset: str) -> bool:
        """Return whether an expression is a router, perhaps of another file or class, which only the registered class tells."""
        at = self._at
        origin, decl = at.origin(node), at.declaration(node)
        if origin.startswith(_ROUTERS) and origin.endswith("Router()"):
            return True
        if decl is None or not viewset.endswith("ViewSet"):
            return False
        made = decl.b if decl.kind == DeclKind.VARIABLE else -1
        return decl.kind == DeclKind.IMPORT or (
            made >= 0 and at.code[made] == Op.CALL and at.name(at.code[made + 1]).endswith("Router")
        )

    def _list(self, router: str, prefix: str, node: int, depth: int) -> None:
        """Add the patterns of a list to a router."""
        at = self._at
        if depth <= 0 or node < 0:
            return
        operation = at.code[node]
        if operation == Op.ARRAY:
            for each in at.items(at.code[node + 1]):
                self._list(router, prefix, each, depth - 1)
        elif operation == Op.SPREAD:
            self._list(router, prefix, at.code[node + 1], depth - 1)
        elif operation == Op.BINARY or at.is_addition(node):
            for place in (1, 2):
                self._list(router, prefix, at.code[node + place], depth - 1)
        elif self._is_path(node):
            self._pattern(router, prefix, node, depth)
        elif operation == Op.CALL and at.name(at.code[node + 1]) in _WRAPPERS:
            for each in at.items(at.code[node + 2]):
                self._list(router, prefix, each, depth - 1)
        else:
            inner = self._router_of_urls(node) or self._named_list(node)
            if inner is not None and inner != ImportedName(router):
                self._mount(router, inner, prefix)

    def _router_of_urls(self, node: int) -> ImportedName | None:
        """Return the router whose patterns `router.urls` gives."""
        at = self._at
        if at.code[node] != Op.MEMBER or at.code[node + 1] < 0 or at.string(at.code[node + 2]) != "urls":
            return None
        return self._named(at.code[node + 1])

    def _named(self, node: int) -> ImportedName | None:
        decl = self._at.declaration(node)
        if decl is None:
            return None
        return self._at.imported(decl) if decl.kind == DeclKind.IMPORT else ImportedName(decl.name)

    def _named_list(self, node: int) -> ImportedName | None:
        """Return the list of patterns that a name denotes; it may have several declarations, because of `+=`."""
        at = self._at
        binding = at.binding(node)
        decls = at.facts.bindings[binding].decls if binding >= 0 else ()
        if decls and all(at.facts.decls[each].kind == DeclKind.VARIABLE for each in decls):
            return ImportedName(at.facts.decls[decls[0]].name)
        return self._named(node)

    def _pattern(self, router: str, prefix: str, node: int, depth: int) -> None:
        at = self._at
        if node in self._read or depth <= 0 or not at.origin(at.code[node + 1]).startswith("django."):
            return
        self._read.add(node)
        arguments = at.items(at.code[node + 2])
        text = at.text(at.argument(arguments, ("route", "regex"), 0))
        target = at.argument(arguments, ("view",), 1)
        if text is None or target < 0:
            return
        own = text if at.name(at.code[node + 1]) == "path" else _of_expression(text)
        if own is None:
            return
        self._add_router(router)
        if at.code[target] == Op.CALL and at.name(at.code[target + 1]) == "include":
            self._include(router, f"{prefix}{own}", target, depth)
            return
        if self._router_of_urls(target) is not None:
            self._list(router, f"{prefix}{own}", target, depth)  # `path("admin/", site.urls)`
            return
        handler = at.handler(target)
        symbol = at.symbol_of(handler, node) if handler is not None else -1
        if handler is not None and symbol >= 0:
            stated = at.text(at.option(arguments, ("name",))) or ""
            place = ImportedName(router)
            path = f"{prefix}{own}"
            self._api.routes.append(Route(ANY_METHOD, path, place, handler.name, symbol, at.line(node), _DJANGO, stated))

    def _include(self, router: str, prefix: str, node: int, depth: int) -> None:
        """Mount what `include(…)` names: a module, a list, a router, or a tuple of one of these and a namespace."""
        at = self._at
        arguments = at.items(at.code[node + 2])
        if not arguments:
            return
        inner, stated = arguments[0], at.option(arguments, ("namespace",))
        if at.code[inner] == Op.ARRAY:
            items = at.items(at.code[inner + 1])
            if len(items) == 2 and at.text(items[1]) is not None:
                inner, stated = items[0], stated if stated >= 0 else items[1]
            elif items and at.text(items[0]):
                inner = items[0]
        elif stated < 0 and len(arguments) > 1 and at.code[arguments[1]] != Op.PROP:
            stated = arguments[1]
        namespace = at.text(stated) or ""
        module = at.text(inner)
        if module:
            self._mount(router, ImportedName(_PATTERNS, module), prefix, namespace)
        elif at.code[inner] == Op.ARRAY or at.code[inner] == Op.CALL:
            name = router
            if namespace:  # patterns with a namespace are a router of their own
                name = f"{_PATTERNS}@{at.line(node)}"
                self._add_router(name)
                self._mount(router, ImportedName(name), prefix, namespace)
                prefix = ""
            self._list(name, prefix, inner, depth - 1)
        elif (found := self._router_of_urls(inner)) is not None:
            self._mount(router, found, prefix, namespace)
        elif at.code[inner] == Op.MEMBER:  # `include(shop.orders.urls)` after `import shop.orders.urls`
            package, _, rest = at.origin(inner).partition(":")
            if package and rest:
                self._mount(router, ImportedName(_PATTERNS, f"{package}.{rest}"), prefix, namespace)
        elif (found := self._named_list(inner)) is not None:
            self._mount(router, found, prefix, namespace)
            if found.module:
                module_list = f"{found.name}.{_PATTERNS}" if found.name else _PATTERNS
                self._mount(router, ImportedName(module_list, found.module), prefix, namespace)

    def _mount(self, router: str, inner: ImportedName, prefix: str, namespace: str = "") -> None:
        self._add_router(router)
        self._api.mounts.append(Mount(ImportedName(router), inner, prefix, namespace=namespace))

    def _add_router(self, name: str) -> None:
        if name not in self._routers:
            self._routers.add(name)
            namespace = self._app_name if name == _PATTERNS else ""
            self._api.routers.append(Router(name, namespace=namespace))

    @property
    def _app_name(self) -> str:
        """The namespace of a module of urls."""
        for decl in self._at.facts.decls:
            if decl.name == "app_name" and decl.kind == DeclKind.VARIABLE and decl.b >= 0:
                return self._at.text(decl.b) or ""
        return ""

    # ------------------------------------------------------ routers of Django REST framework

    def _nested_router(self, decl: Decl) -> bool:
        """Mount a router of drf-nested-routers below a resource: `NestedSimpleRouter(router, "orders", lookup="order")`."""
        at = self._at
        if at.code[decl.b] != Op.CALL or not at.origin(decl.b).startswith("rest_framework_nested"):
            return False
        arguments = at.items(at.code[decl.b + 2])
        text = at.text(arguments[1]) if len(arguments) > 1 else None
        outer = self._named(arguments[0]) if text else None
        if outer is not None:
            self._add_router(decl.name)
            self._api.mounts.append(Mount(outer, ImportedName(decl.name), f"{text}/{_KEY}"))
        return True

    def _registered(self, node: int, router: int) -> None:
        at = self._at
        arguments = at.items(at.code[node + 2])
        text = at.text(at.argument(arguments, ("prefix",), 0))
        viewset = at.argument(arguments, ("viewset",), 1)
        handler = at.handler(viewset)
        outer = self._named(router)
        if handler is None or outer is None or text is None:
            return
        cls, path = at.name_of(handler), _of_expression(text)
        if path is None or not self._is_router(router, cls.name):
            return
        if not outer.module:
            self._add_router(outer.name)
        basename = at.text(at.argument(arguments, ("basename", "base_name"), 2)) or ""
        self._api.mounts.append(Mount(outer, ImportedName(f"{cls.name}.{_ACTIONS}", cls.module), path, basename=basename))

    def _extended(self, node: int, registry: int) -> None:
        """Mount the other router of `router.registry.extend(other.registry)`."""
        at = self._at
        arguments = at.items(at.code[node + 2])
        both = [registry, *arguments]
        names = [
            self._named(at.code[each + 1])
            for each in both
            if at.code[each] == Op.MEMBER and at.code[each + 1] >= 0 and at.string(at.code[each + 2]) == "registry"
        ]
        if len(names) == 2 and names[0] is not None and names[1] is not None:
            if not names[0].module:
                self._add_router(names[0].name)
            self._api.mounts.append(Mount(names[0], names[1]))


class _Viewset:
    """Reads the actions of a viewset, or of a mixin for viewsets."""

    def __init__(self, at: Expressions, shape: Shape, declared: Mapping[int, Decl]) -> None:
        """`declared` are the declarations of the file by symbol."""
        self._at = at
        self._shape = shape
        self._declared = declared
        #: The base classes without type arguments: `ModelViewSet[Tag]`.
        self._bases = [at.code[each + 1] if at.code[each] == Op.INDEX else each for each in shape.extends]
        #: The methods of the class by name, as symbols.
        self._methods = {each.name: each.symbol for each in shape.members if each.symbol >= 0 and each.function >= 0}
        self._name = f"{shape.name}.{_ACTIONS}"

    def add_to(self, api: ApiFacts) -> None:
        origins = [self._at.origin(each) for each in self._bases]
        of_library = [origin.rpartition(":")[2].rpartition(".")[2] for origin in origins if origin.startswith(_ROUTERS)]
        inherited = {action for name in of_library for action in _INHERITED.get(name, ())}
        extra = list(self._extra_actions())
        is_viewset = self._shape.name.endswith("ViewSet") or any(name.endswith("ViewSet") for name in of_library)
        if not (inherited or extra or is_viewset):
            return
        routes = [*self._standard(inherited, has_own=is_viewset), *extra]
        mounts = [Mount(ImportedName(self._name), inner) for inner in self._own_bases()]
        if routes or mounts:
            api.routers.append(Router(self._name, is_part=True, basename=self._model()))
            api.routes += routes
            api.mounts += mounts

    def _own_bases(self) -> Iterator[ImportedName]:
        """Yield the routers of the base classes that are not part of the framework."""
        at = self._at
        for base in self._bases:
            if at.origin(base).startswith(_ROUTERS):
                continue
            handler = at.handler(base)
            if handler is not None:
                cls = at.name_of(handler)
                yield ImportedName(f"{cls.name}.{_ACTIONS}", cls.module)

    def _standard(self, inherited: set[str], *, has_own: bool) -> Iterator[Route]:
        for action, (verb, has_key, name) in _STANDARD.items():
            symbol = self._methods.get(action, -1) if has_own or action in inherited else -1
            if symbol < 0 and action in inherited:
                symbol = self._shape.symbol
            if symbol >= 0:
                yield self._route(verb, _KEY if has_key else "", symbol, name)

    def _extra_actions(self) -> Iterator[Route]:
        """Yield the methods with the decorator `action`, and those that `mapping` adds for another HTTP method."""
        at = self._at
        paths: dict[str, tuple[str, str]] = {}
        for symbol in self._methods.values():
            decl = self._declared.get(symbol)
            if decl is None or decl.kind != DeclKind.FUNCTION or decl.b < 0:
                continue
            for node in at.items(decl.b):
                if at.code[node] == Op.CALL and at.name(at.code[node + 1]) == "action":
                    arguments = at.items(at.code[node + 2])
                    paths[decl.name] = self._path_of_action(decl.name, arguments)
                    path, name = paths[decl.name]
                    listed = at.option(arguments, ("methods",))
                    if listed < 0 and arguments and at.code[arguments[0]] == Op.ARRAY:
                        listed = arguments[0]
                    verbs = [each.upper() for each in at.texts(listed)] if listed >= 0 else ["GET"]
                    yield from (self._route(verb, path, symbol, name) for verb in verbs if verb in HTTP_METHODS)
                elif (added := self._mapped(node)) is not None and added[0] in paths:
                    path, name = paths[added[0]]
                    yield self._route(added[1], path, symbol, name)

    def _path_of_action(self, method: str, arguments: Sequence[int]) -> tuple[str, str]:
        """Return the path of an action below its viewset, and the end of the route's name."""
        at = self._at
        path = _of_expression(at.text(at.option(arguments, ("url_path",))) or "")
        name = at.text(at.option(arguments, ("url_name",))) or ""
        detail = at.option(arguments, ("detail",))
        has_key = detail >= 0 and at.code[detail] == Op.BOOLEAN and at.code[detail + 1] == 1
        own = path or method
        return (f"{_KEY}/{own}" if has_key else own), name or method.replace("_", "-")

    def _mapped(self, node: int) -> tuple[str, str] | None:
        """Return the action and the HTTP method of a decorator such as `@notes.mapping.delete`."""
        at = self._at
        if at.code[node] != Op.MEMBER or at.code[node + 1] < 0:
            return None
        outer = at.code[node + 1]
        verb = at.string(at.code[node + 2]).upper()
        if at.code[outer] != Op.MEMBER or at.string(at.code[outer + 2]) != "mapping" or verb not in HTTP_METHODS:
            return None
        return at.name(at.code[outer + 1]), verb

    def _model(self) -> str:
        """Return the name of the model of the query set in lower case, which begins the names of routes; "" if it is unknown."""
        at = self._at
        for member in self._shape.members:
            if member.name == "queryset" and member.function < 0 and member.symbol >= 0:
                decl = self._declared.get(member.symbol)
                node = decl.b if decl is not None and decl.kind == DeclKind.VARIABLE else -1
                for _ in range(_MAX_DEPTH):
                    if node >= 0 and at.code[node] in (Op.CALL, Op.MEMBER):
                        inner = at.code[node + 1]
                        if at.code[node] == Op.MEMBER and at.string(at.code[node + 2]) in ("objects", "_default_manager"):
                            return at.name(inner).lower()
                        node = inner
        return ""

    def _route(self, verb: str, path: str, symbol: int, name: str) -> Route:
        return Route(verb, path, ImportedName(self._name), None, symbol, self._at.facts.symbols[symbol].name_line, REST, name)


def _of_expression(pattern: str) -> str | None:
    """Return the path that a regular expression matches; None if it contains other syntax than simple groups."""
    path = (
        _GROUP.sub("<group>", _NAMED_GROUP.sub(r"<\1>", pattern))
        .removeprefix("^")
        .removesuffix("$")
        .replace("\\.", ".")
        .replace("\\-", "-")
        .removesuffix("/?")
    )
    return None if any(sign in path for sign in "()[]|\\+*^?") else path
