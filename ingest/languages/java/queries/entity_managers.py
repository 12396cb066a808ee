"""Entity managers of JPA and sessions of Hibernate: rows that code stores, finds and removes, and statements in JPQL."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from ....facts.operations import NAME_OPS, Op
from ...framework_rules.queries import FoundQuery, FoundUse, QueryFile
from ...framework_rules.wiring import SymbolPlace
from ..models.entities import PACKAGES
from ..models.queried import NAME
from .annotated import method_calls, shape_around, types_of, variable_of, written_types
from .jpql import read_jpql

_PACKAGE: Final = re.compile(
    r"(?:jakarta|javax)\.persistence(?:\.\w+)*:.*|org\.hibernate(?:\.\w+)*:.*|.*springframework.*EntityManager.*"
)
#: Types whose package may be imported with `*`, so that they have no origin.
_TYPES: Final = frozenset(("EntityManager", "Session", "StatelessSession"))
_PACKAGES: Final = frozenset((*PACKAGES, "org.hibernate"))
#: Methods whose first argument is an entity, with the kind of the statement.
_OF_INSTANCES: Final = {
    **dict.fromkeys(("persist", "save"), "insert"),
    **dict.fromkeys(("merge", "saveOrUpdate"), "merge"),
    "update": "update",
    **dict.fromkeys(("remove", "delete"), "delete"),
    "refresh": "select",
}
#: Methods whose first argument is the class of an entity.
_OF_CLASSES: Final = frozenset(("find", "get", "load", "getReference"))
#: Methods of these whose result is the entity with the relations that are loaded with it.
_WHOLE: Final = _OF_CLASSES - {"getReference", "load"}
#: Methods whose first argument is a statement in JPQL.
_STATEMENTS: Final = frozenset(("createQuery", "createSelectionQuery", "createMutationQuery"))
#: Method that repositories of several libraries inherit. It returns an entity manager.
_INHERITED: Final = "getEntityManager"
_CLASS: Final = "java.lang.Class"
#: Methods that run a query which an annotation of an entity contains, by its name.
_NAMED: Final = frozenset(("createNamedQuery", "getNamedQuery", "createNamedSelectionQuery"))
#: Methods of the builders of criteria whose argument is the class of an entity, and the types of their receivers.
_CRITERIA: Final = frozenset(("from", "createCriteria"))
_BUILDERS: Final = ("jakarta.persistence.criteria", "javax.persistence.criteria", "org.hibernate")
_CHANGING: Final = {"CriteriaUpdate": "update", "CriteriaDelete": "delete"}


def manager_queries(file: QueryFile) -> Iterator[FoundQuery]:
    """Yield the database statements that calls of entity managers run."""
    for node, callee in method_calls(file):
        arguments = file.items(file.code[node + 2])
        name = file.name(callee) if arguments else ""
        if name in _STATEMENTS:
            found = read_jpql(types_of(file).joined_text(arguments[0]))
            if found is not None:
                yield FoundQuery(node, found.statement, found.uses)
        elif name in _NAMED:
            yield from _named(file, node, arguments)
        elif name in _CRITERIA and len(arguments) == 1:
            yield from _of_criteria(file, node, callee, arguments[0])
        elif name in _OF_INSTANCES or name in _OF_CLASSES:
            if not _is_manager(file, callee):
                continue
            statement = _OF_INSTANCES.get(name, "select")
            for kind in file.types(arguments[0]):
                for entity in kind.argument(_CLASS) if name in _OF_CLASSES else (kind,):
                    if entity.declared is not None:
                        is_whole = name in _WHOLE or name == "refresh" or statement in ("insert", "merge", "delete")
                        uses = [FoundUse(entity.declared, (), statement != "select", is_whole=is_whole)]
                        if name == "merge":  # the row is read before it is changed
                            uses.append(FoundUse(entity.declared, is_whole=True))
                        yield FoundQuery(node, statement, uses, file.is_inferred)


def _classes(file: QueryFile, node: int) -> Iterator[SymbolPlace]:
    """Yield the class of the repository in `Order.class`."""
    for kind in file.types(node):
        yield from (each.declared for each in kind.argument(_CLASS) if each.declared is not None)


def _named(file: QueryFile, node: int, arguments: Sequence[int]) -> Iterator[FoundQuery]:
    """Yield the statement of a named query. The entity that the result has, or that the name begins with, declares the query."""
    name = types_of(file).text(arguments[0])
    entities = list(_classes(file, arguments[1])) if len(arguments) > 1 else []
    for entity in entities:
        types = types_of(entity.file)
        every = types.annotations(entity.symbol)
        listed = [query for each in every if each.name == "NamedQueries" for query in types.listed(each.get("value"))]
        for query in (*every, *listed):
            found = read_jpql(types.joined_text(query.get("query"))) if query.name == "NamedQuery" and name else None
            if found is not None and types.text(query.get("name")) == name:
                yield FoundQuery(node, found.statement, found.uses)
                return
    models: list[SymbolPlace | str] = [*entities]
    if not entities and "." in name:
        models.append(f"{NAME}{name.partition('.')[0]}")
    yield from (FoundQuery(node, "select", [FoundUse(model)], not entities) for model in models)


def _of_criteria(file: QueryFile, node: int, callee: int, argument: int) -> Iterator[FoundQuery]:
    """Yield the statement that criteria build: `query.from(Order.class)`."""
    if not any(each.startswith(_BUILDERS) for each in types_of(file).imported()):
        return
    receiver = file.code[callee + 1]
    statement = _CHANGING.get(_variable_type(file, receiver).rpartition(".")[2], "select")
    for entity in _classes(file, argument):
        yield FoundQuery(node, statement, [FoundUse(entity, (), statement != "select")], file.is_inferred)


def _variable_type(file: QueryFile, node: int) -> str:
    """Return the written type of a local variable or a parameter; "" for other expressions."""
    decl = variable_of(file, node)
    return types_of(file).type_names(decl.a)[0] if decl is not None else ""


def _is_manager(file: QueryFile, callee: int) -> bool:
    """Return whether the receiver of a call is an entity manager or a session."""
    origin, receiver = file.origin(callee), file.code[callee + 1]
    if not origin and file.code[receiver] == Op.CALL and file.name(file.code[receiver + 1]) == _INHERITED:
        return True
    if not origin and file.code[receiver] in (*NAME_OPS, Op.LEXICAL) and _inherits(file, receiver):
        return True
    if origin or _PACKAGES.isdisjoint(types_of(file).packages):
        return _PACKAGE.fullmatch(origin) is not None
    return written_types(file).get(file.name(file.code[callee + 1]), "") in _TYPES


def _inherits(file: QueryFile, node: int) -> bool:
    """Return whether a name is an attribute with the type of an entity manager in a class above the class around the name."""
    shape = shape_around(file, node)
    for other, number in file.ancestors(shape) if shape >= 0 else ():
        for member in other.facts.shapes[number].members:
            if member.name == file.name(node) and member.type >= 0:
                written = types_of(other).type_names(member.type)[0]
                return written.rpartition(".")[2] in _TYPES and _PACKAGE.fullmatch(f"{written}:") is not None
    return False
