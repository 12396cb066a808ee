"""Rows of JPA without a call of an entity manager: lazy collections that code reads, and rows that code changes in a transaction.

A collection is read when code uses it first. At the end of a transaction, the persistence context writes the rows and links that
code has changed. See https://jakarta.ee/specifications/persistence/3.1/, sections 3.2.4 and 11.1.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from ....facts.model import Shape, ShapeKind
from ....facts.node_scan import any_of, nodes_of
from ....facts.operations import Op, ThisKind
from ...framework_rules.queries import FoundQuery, FoundUse, QueryFile
from ...framework_rules.wiring import SymbolPlace
from ..models.declared import AnnotatedTypes, Annotation, property_name
from ..models.entities import PACKAGES
from .annotated import method_calls, types_of

_TRANSACTIONS: Final = (
    "org.springframework.transaction.annotation.Transactional",
    "jakarta.transaction.Transactional",
    "javax.transaction.Transactional",
)
_MANY: Final = frozenset(("OneToMany", "ManyToMany"))
_CASCADES: Final = frozenset(("ALL", "PERSIST", "MERGE"))
#: Methods of collections that change their members, and other methods that read the members.
_CHANGING: Final = frozenset(("add", "addAll", "remove", "removeAll", "removeIf", "retainAll", "clear", "put", "putAll"))
_READING: Final = frozenset(
    ("stream", "size", "isEmpty", "contains", "containsAll", "forEach", "iterator", "get", "values", "entrySet", "keySet",
     "containsKey", "toArray", "parallelStream", "indexOf", "remove", "removeIf", "retainAll", "getFirst", "getLast", "first",
     "last")
)  # fmt: skip
#: Types to which Hibernate adds members without reading the members that they have.
_BAGS: Final = frozenset(("List", "Collection"))
_ASSIGNMENTS: Final = any_of(Op.ASSIGN)
_ITERATIONS: Final = any_of(Op.ITERATED)
_REFERENCES: Final = any_of(Op.REFERS)
#: Maximum number of calls from a transaction to the method of an entity that changes a row.
_MAX_DEPTH: Final = 4
_KEY: Final = "entity rows"


class _Collection(NamedTuple):
    """A field with the rows of a relation."""

    name: str
    is_bag: bool
    #: Whether the rows are read when code uses the field first, and not together with the row that has the field.
    is_lazy: bool
    #: Whether a change of the members changes rows or links.
    is_written: bool


class _Entity(NamedTuple):
    """An entity or an embeddable type, with its collections and the names of its other fields."""

    shape: Shape
    is_entity: bool
    collections: Mapping[str, _Collection]
    fields: frozenset[str]


class _Change(NamedTuple):
    """A field that a method changes: of an entity, or of the embedded value of which it is a method, which has no entity."""

    entity: SymbolPlace | None
    field: str
    of_links: bool


def entity_row_queries(file: QueryFile) -> Iterator[FoundQuery]:
    """Yield the reads of collections in a file, and the changes of rows in its transactions."""
    yield from _uses_of_collections(file)
    yield from _changes_in_transactions(file)


# ---------------------------------------------------------------------- entities


def _entities(file: QueryFile) -> Mapping[int, _Entity]:
    """Return the entities and the embeddable types of a file by their symbols."""
    known = file.memory.get(_KEY)
    if isinstance(known, dict):
        return known
    types, found = types_of(file), dict[int, _Entity]()
    if any(each.startswith(PACKAGES) for each in types.imported()):
        for shape in types.types(ShapeKind.CLASS):
            names = {each.name for each in types.annotations(shape.symbol) if _is_persistence(types, each)}
            if names & {"Entity", "Embeddable", "MappedSuperclass"}:
                collections = {each.name: each for each in _collections(types, shape)}
                fields = frozenset(each.name for each in types.properties(shape) if not each.is_getter)
                found[shape.symbol] = _Entity(shape, "Embeddable" not in names, collections, fields - collections.keys())
    file.memory[_KEY] = found
    return found


def _is_persistence(types: AnnotatedTypes, annotation: Annotation) -> bool:
    package = annotation.qualified.rpartition(".")[0]
    return package in PACKAGES or (not package and not set(PACKAGES).isdisjoint(types.packages))


def _collections(types: AnnotatedTypes, shape: Shape) -> Iterator[_Collection]:
    for each in types.properties(shape):
        annotations = {found.name: found for found in types.annotations(each.symbol)}
        relation = next((annotations[name] for name in annotations if name in _MANY), None)
        if relation is None:
            continue
        cascades = types.last_names(relation.get("cascade"))
        is_written = relation.get("mappedBy") < 0 or not cascades.isdisjoint(_CASCADES)
        written = types.type_names(each.type)[0].rpartition(".")[2]
        is_lazy = types.last_name(relation.get("fetch")) != "EAGER"
        yield _Collection(each.name, written in _BAGS, is_lazy, is_written or types.is_true(relation.get("orphanRemoval")))


# ---------------------------------------------------------------------- collections


def _uses_of_collections(file: QueryFile) -> Iterator[FoundQuery]:
    for node, callee in method_calls(file):
        name = file.name(callee)
        if name in _CHANGING or name in _READING:
            for place, collection in _collection(file, file.code[callee + 1]):
                yield from _used(file, node, place, collection, name)
    for node in nodes_of(file.facts, _ITERATIONS):
        for place, collection in _collection(file, file.code[node + 1]):
            yield from _used(file, node, place, collection, "iterator")


def _used(file: QueryFile, node: int, place: SymbolPlace, collection: _Collection, method: str) -> Iterator[FoundQuery]:
    owner = file.owner(node)
    if owner < 0 or file.facts.symbols[owner].kind == "constructor":  # the row is new
        return
    path = (collection.name,)
    if collection.is_lazy and (method in _READING or not collection.is_bag):
        yield FoundQuery(node, "select", [FoundUse(place, path, is_whole=True)], is_of_row=True)
    if method in _CHANGING and collection.is_written:
        statement = "delete" if method in ("remove", "removeAll", "removeIf", "retainAll", "clear") else "insert"
        yield FoundQuery(node, statement, [FoundUse(place, path, True, of_links=True)], is_of_row=True)


def _collection(file: QueryFile, node: int) -> Iterator[tuple[SymbolPlace, _Collection]]:
    """Yield the collection that an expression denotes: `tags`, `this.tags`, `post.tags`, `post.getTags()`."""
    code = file.code
    own = _own_field(file, node)
    if own:
        for symbol, entity in _entities(file).items():
            if own in entity.collections and _is_inside(file, node, symbol):
                yield SymbolPlace(file, symbol), entity.collections[own]
        return
    name, row = "", -1
    if node >= 0 and code[node] == Op.MEMBER and _entities(file):
        name, row = file.name(node), code[node + 1]
    elif node >= 0 and code[node] == Op.CALL and code[code[node + 1]] == Op.MEMBER and not len(file.items(code[node + 2])):
        name, row = property_name(file.name(code[node + 1]), ("get",)), code[code[node + 1] + 1]
    if not name:
        return
    for kind in file.types(row):
        place = kind.declared
        if place is None or kind.is_class:
            continue
        for _, entity in _known(place, file):
            if name in entity.collections:
                yield place, entity.collections[name]


def _own_field(file: QueryFile, node: int) -> str:
    """Return the field of the class around an expression that the expression denotes; "" for other expressions."""
    code = file.code
    if node < 0:
        return ""
    if code[node] == Op.LEXICAL:
        return file.facts.strings[code[node + 2]]
    receiver = code[node + 1] if code[node] == Op.MEMBER else -1
    is_this = receiver >= 0 and code[receiver] == Op.THIS and code[receiver + 1] == ThisKind.INSTANCE
    return file.name(node) if is_this else ""


def _is_inside(file: QueryFile, node: int, symbol: int) -> bool:
    """Return whether a node is inside a method of a class."""
    owner = file.owner(node)
    return owner >= 0 and file.facts.symbols[owner].parent == symbol


# ---------------------------------------------------------------------- transactions


def _changes_in_transactions(file: QueryFile) -> Iterator[FoundQuery]:
    """Yield the changes of rows by the calls in functions that run in a transaction of their own."""
    types = types_of(file)
    if not any(each in _TRANSACTIONS or f"{each}.Transactional" in _TRANSACTIONS for each in types.imported()):
        return
    owners = set(_transactional(file, types))
    if not owners:
        return
    calls = [(node, callee) for node, callee in method_calls(file) if file.owner(node) in owners]
    calls += [(node, node) for node in nodes_of(file.facts, _REFERENCES) if file.owner(node) in owners]
    for node, callee in calls:
        if _is_new(file, callee):
            continue
        for change in _called(file, callee, _MAX_DEPTH):
            if change.entity is not None:
                yield _written(node, change, change.entity)


def _written(node: int, change: _Change, entity: SymbolPlace) -> FoundQuery:
    if change.of_links:
        return FoundQuery(node, "update", [FoundUse(entity, (change.field,), True, of_links=True)], is_of_row=True)
    return FoundQuery(node, "update", [FoundUse(entity, (), True, ((change.field,),))], is_of_row=True)


def _transactional(file: QueryFile, types: AnnotatedTypes) -> Iterator[int]:
    """Yield the symbols of the methods that change rows in a transaction."""
    for shape in types.types(ShapeKind.CLASS):
        of_class = _transaction(types, shape.symbol)
        for member in shape.members:
            if member.symbol < 0 or member.function < 0:
                continue
            own = _transaction(types, member.symbol)
            annotation = own if own is not None else of_class
            if annotation is not None and not types.is_true(annotation.get("readOnly")):
                yield member.symbol


def _transaction(types: AnnotatedTypes, symbol: int) -> Annotation | None:
    return next((each for each in types.annotations(symbol) if each.name == "Transactional"), None)


def _is_new(file: QueryFile, callee: int) -> bool:
    """Return whether the receiver of a call is an object that the function has made, which is no row yet."""
    code = file.code
    if code[callee] != Op.MEMBER:
        return False
    return any(code[value] == Op.NEW for value in file.values(code[callee + 1]))


def _called(file: QueryFile, callee: int, depth: int) -> Iterator[_Change]:
    """Yield what a called method of an entity changes. Methods with the same name count as one."""
    if not depth:
        return
    for place, entity in _receivers(file, callee):
        name, other = file.facts.strings[file.code[callee + 2]], file.view(place.file)
        methods = [each.symbol for each in entity.shape.members if each.name == name and each.function >= 0 and each.symbol >= 0]
        for method in methods:
            yield from _of_method(other, place, entity, method, depth)
        field = property_name(name, ("set",))
        if not methods and entity.is_entity and field in entity.fields:
            yield _Change(place, field, False)


def _receivers(file: QueryFile, callee: int) -> Iterator[tuple[SymbolPlace, _Entity]]:
    """Yield the entities and embeddable types whose method a callee may be."""
    code = file.code
    if code[callee] == Op.REFERS:
        for declared in file.declarations(callee):
            method = declared.symbol
            if method is not None:
                yield from _known(SymbolPlace(method.file, method.file.facts.symbols[method.symbol].parent), file)
    elif code[callee] == Op.LEXICAL:
        for symbol, entity in _entities(file).items():
            if _is_inside(file, callee, symbol):
                yield SymbolPlace(file, symbol), entity
    elif code[callee] == Op.MEMBER:
        for kind in file.types(code[callee + 1]):
            if kind.declared is not None and not kind.is_class:
                yield from _known(kind.declared, file)


def _known(place: SymbolPlace, file: QueryFile) -> Iterator[tuple[SymbolPlace, _Entity]]:
    entity = _entities(file.view(place.file)).get(place.symbol)
    if entity is not None:
        yield place, entity


def _of_method(file: QueryFile, place: SymbolPlace, entity: _Entity, method: int, depth: int) -> Iterator[_Change]:
    """Yield what a method of an entity or of an embeddable type changes, by itself and by the methods that it calls."""
    own = place if entity.is_entity else None
    for node in _nodes(file).get(method, ()):
        code = file.code
        if code[node] == Op.ASSIGN:
            field = _own_field(file, code[node + 1])
            if field in entity.fields:
                yield _Change(own, field, False)
            continue
        callee = code[node + 1]
        receiver = code[callee + 1] if code[callee] == Op.MEMBER else -1
        field = _own_field(file, receiver)
        collection = entity.collections.get(field)
        if collection is not None:
            if file.name(callee) in _CHANGING and collection.is_written:
                yield _Change(own, field, True)
            continue
        for change in _called(file, callee, depth - 1):
            if change.entity is not None:
                yield change
            elif field in entity.fields:  # a method of an embedded value
                yield _Change(own, field, False)
            elif not field and receiver < 0:
                yield change


def _nodes(file: QueryFile) -> Mapping[int, list[int]]:
    """Return the calls and assignments of a file by the symbols around them."""
    key = f"{_KEY} by symbol"
    known = file.memory.get(key)
    if isinstance(known, dict):
        return known
    found = defaultdict[int, list[int]](list)
    for node in nodes_of(file.facts, _ASSIGNMENTS):
        found[file.owner(node)].append(node)
    for node in file.facts.calls:
        if file.code[node] == Op.CALL and file.code[node + 1] >= 0:
            found[file.owner(node)].append(node)
    file.memory[key] = dict(found)
    return found
