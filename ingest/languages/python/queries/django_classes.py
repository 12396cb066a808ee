"""Classes of Django and related packages that name a model, and the statements that their inherited code runs on its table.

See https://docs.djangoproject.com/en/stable/ref/class-based-views/ and https://www.django-rest-framework.org/api-guide/viewsets/.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from ....facts.model import DeclKind, ShapeKind
from ....facts.operations import Op
from ...framework_rules.queries import FoundQuery, FoundUse, QueryFile
from ...framework_rules.wiring import SymbolPlace
from ..models.django_entities import LINKS, OWN, RELATED, SHOWN, UNIQUE, WRITTEN, WRITTEN_LINKS, WRITTEN_RELATED, WRITTEN_UNIQUE
from .written_calls import WrittenCall, text_of, texts_in, written_call

#: Statements of classes, by the origins of their base classes.
_STATEMENTS: Final = (
    (re.compile(r"(?:django|rest_framework|extra_views):\w*(?:Update|Delete|Detail|List|Destroy|Retrieve|Archive|Date|Object)"
                r"\w*(?:View|Mixin)"), ("select",)),
    (re.compile(r"django_filters:(?:\w*FilterView|\w*FilterSet)"), ("select",)),
    (re.compile(r"(?:django|rest_framework|extra_views):\w*Create\w*(?:View|Mixin)"), ("insert",)),
    (re.compile(r"(?:django|rest_framework|extra_views):\w*Update\w*(?:View|Mixin)"), ("update",)),
    (re.compile(r"(?:django|rest_framework|extra_views):\w*(?:Delet|Destroy)\w*(?:View|Mixin)"), ("delete",)),
    (re.compile(r"django_tables2:\w*Table\w*"), ("select",)),
    (re.compile(r"rest_framework:\w*ModelViewSet"), ("select",)),
    (re.compile(r"rest_framework:ModelViewSet"), ("insert", "update", "delete")),
    (re.compile(r"(?:\w*django\w*|import_export):\w*(?:Admin|Inline)"), ("select", "insert", "update", "delete")),
    (re.compile(r"(?:django|wagtail):\w*ModelForm"), ("merge",)),
    (re.compile(r"import_export:\w*ModelResource"), ("select", "merge")),
    (re.compile(r"tastypie:\w*ModelResource"), ("select", "insert", "update", "delete")),
    (re.compile(r"factory:\w*ModelFactory"), ("insert",)),
)  # fmt: skip
#: Classes that also read the rows of related models.
_OF_RELATIONS: Final = re.compile(r"(?:django|wagtail):\w*ModelForm|import_export:\w*ModelResource")
_SERIALIZER: Final = re.compile(r"(?:rest_framework|drf_writable_nested|rest_framework_\w+):\w*ModelSerializer")
#: Serializers that also write the rows of nested serializers, and read the rows that these have already.
_NESTED: Final = re.compile(r"drf_writable_nested:\w*(?:Serializer|Mixin)")
#: Fields of serializers that show only the key of a related row. The row itself holds this key.
_OF_KEYS: Final = frozenset(("PrimaryKeyRelatedField", "HiddenField"))
#: Attribute of a view with the methods of HTTP that it serves, and the methods that make each statement.
_SERVED: Final = "http_method_names"
_METHODS: Final = {"insert": ("post",), "update": ("put", "patch"), "delete": ("delete",)}
#: Attributes that name the model, in a class or in its inner class `Meta`.
_NAMES: Final = ("model", "queryset")


def class_queries(file: QueryFile, calls: Sequence[WrittenCall]) -> Iterator[FoundQuery]:
    """Yield the statements that the inherited code of the classes of a file runs on the model that each class names."""
    named = {**_registered(file, calls), **_named(file)}
    methods = _served(file) if named else {}
    listed = _listed(file) if named else {}
    for place, shape in enumerate(file.facts.shapes) if named else ():
        node = named.get(shape.symbol, -1) if shape.kind == ShapeKind.CLASS and shape.extends else -1
        if node < 0:
            continue
        origins = file.base_origins(place)
        statements = dict.fromkeys(
            each for pattern, found in _STATEMENTS if any(pattern.fullmatch(origin) for origin in origins) for each in found
        )
        served = methods.get(shape.symbol)
        uses = [(each, OWN) for each in statements if served is None or each not in _METHODS or served & {*_METHODS[each]}]
        if any(_OF_RELATIONS.fullmatch(origin) for origin in origins):
            uses += (("select", RELATED), ("merge", LINKS), ("select", UNIQUE))
        if any(_SERIALIZER.fullmatch(origin) for origin in origins):
            uses += (("merge", WRITTEN), ("select", WRITTEN_RELATED), ("merge", WRITTEN_LINKS), ("select", SHOWN))
            if any(_NESTED.fullmatch(origin) for origin in origins):
                uses.append(("select", WRITTEN))
            unique = FoundUse(SymbolPlace(file, shape.symbol), (WRITTEN_UNIQUE,))
            yield FoundQuery(node, "select", [unique], symbol=shape.symbol)
            yield from _shown(file, shape.symbol)
            if names := listed.get(shape.symbol):
                # The rows come from a query of other code, so only the columns are used.
                own = FoundUse(SymbolPlace(file, shape.symbol), (OWN,), fields=names, of_condition=True)
                yield FoundQuery(node, "select", [own], symbol=shape.symbol)
        for statement, name in uses:
            use = FoundUse(
                SymbolPlace(file, shape.symbol), (name,), statement != "select", of_links=name in (LINKS, WRITTEN_LINKS)
            )
            yield FoundQuery(node, statement, [use], symbol=shape.symbol)


def _served(file: QueryFile) -> dict[int, set[str]]:
    """Return the methods of HTTP that views serve, by the symbol of the view, where a class lists them."""
    facts = file.facts
    return {
        facts.symbols[decl.symbol].parent: {text.lower() for text in texts_in(file, decl.b)}
        for decl in facts.decls
        if decl.kind == DeclKind.VARIABLE and decl.name == _SERVED and decl.symbol >= 0 and decl.b >= 0
    }


def _listed(file: QueryFile) -> dict[int, tuple[tuple[str, ...], ...]]:
    """Return the fields that classes list in `Meta.fields`, each as a path, by the symbol of the class."""
    facts, found = file.facts, dict[int, tuple[tuple[str, ...], ...]]()
    for decl in facts.decls:
        if decl.kind == DeclKind.VARIABLE and decl.name == "fields" and decl.symbol >= 0 and decl.b >= 0:
            meta = facts.symbols[decl.symbol].parent
            if meta >= 0 and facts.symbols[meta].name == "Meta":
                found[facts.symbols[meta].parent] = tuple((name,) for name in texts_in(file, decl.b))
    return found


def _shown(file: QueryFile, cls: int) -> Iterator[FoundQuery]:
    """Yield the statements that read related rows for the fields of a serializer: nested serializers, `source="author.name"`."""
    for decl in file.facts.decls:
        call = written_call(file, decl.b) if decl.kind == DeclKind.VARIABLE and decl.symbol >= 0 else None
        if call is None or file.facts.symbols[decl.symbol].parent != cls or _is_true(file, call, "write_only"):
            continue
        if call.name in _OF_KEYS and not _is_true(file, call, "many"):
            continue
        names = (text_of(file, call.named.get("source", -1)) or decl.name).split(".")
        for count in range(1, len(names) + 1):
            use = FoundUse(SymbolPlace(file, cls), (OWN, *names[:count]), is_whole=True)
            yield FoundQuery(call.node, "select", [use], symbol=cls)


def _is_true(file: QueryFile, call: WrittenCall, name: str) -> bool:
    node = call.named.get(name, -1)
    return node >= 0 and file.code[node] == Op.BOOLEAN and bool(file.code[node + 1])


def _named(file: QueryFile) -> dict[int, int]:
    """Return the expressions that name the model of a class in its body or in a decorator, by the symbol of the class."""
    facts, found = file.facts, dict[int, int]()
    for decl in facts.decls:
        if decl.kind == DeclKind.CLASS and decl.symbol >= 0:
            for decorator in file.items(decl.b):
                call = written_call(file, decorator)
                if call is not None and call.name == "register" and call.positional:
                    found[decl.symbol] = call.node
        elif decl.kind == DeclKind.VARIABLE and decl.name in _NAMES and decl.symbol >= 0 and decl.b >= 0:
            parent = facts.symbols[decl.symbol].parent
            if parent >= 0 and facts.symbols[parent].name == "Meta":
                parent = facts.symbols[parent].parent
            found[parent] = decl.b
    return found


def _registered(file: QueryFile, calls: Sequence[WrittenCall]) -> dict[int, int]:
    """Return the calls that register classes of administration for a model, by the symbol of the class."""
    nodes = {file.name(call.positional[1]): call.node for call in calls if call.name == "register" and len(call.positional) > 1}
    return {each.symbol: nodes[each.name] for each in file.facts.shapes if each.name in nodes and each.symbol >= 0}
