"""Repositories of Spring Data: https://docs.spring.io/spring-data/jpa/reference/repositories/query-methods-details.html."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from ....facts.data import JOINED
from ....facts.model import MemberKind, Shape, ShapeKind
from ...framework_rules.queries import FoundQuery, FoundUse, QueryFile
from ...framework_rules.wiring import SymbolPlace, WiredFile
from ..models.declared import AnnotatedTypes
from ..models.queried import NAME
from .annotated import method_calls, types_of
from .jpql import read_jpql

#: Interfaces of Spring Data whose first type argument is the entity.
_REPOSITORY: Final = re.compile(
    r"(?:Repository|\w*CrudRepository|\w*SortingRepository|JpaRepository\w*|RevisionRepository|R2dbcRepository|RepositoryDefinition)"
)
#: The parts of a method's name: a verb, the subject, and the conditions after `By`.
_NAME: Final = re.compile(
    r"(?P<verb>find|read|get|query|search|stream|exists|count|delete|remove)(?P<subject>(?:(?!By[A-Z]).)*)(?:By(?P<conditions>[A-Z].*))?"
)
_CHANGES: Final = frozenset(("delete", "remove"))
_ORDER: Final = re.compile(r"(?:(?P<conditions>.*?))?OrderBy(?P<order>[A-Z].*)")
_BETWEEN: Final = re.compile(r"(?:And|Or)(?=[A-Z])")
_DIRECTION: Final = re.compile(r"(?:Asc|Desc)(?=[A-Z]|$)")
#: Words after a property in a condition.
_OPERATOR: Final = re.compile(
    r"(?:AllIgnoreCase|AllIgnoringCase|IgnoreCase|IgnoringCase|Is|Equals|Not|IsNotNull|NotNull|IsNull|Null|LessThanEqual|LessThan"
    r"|GreaterThanEqual|GreaterThan|Before|After|Between|NotLike|Like|StartingWith|StartsWith|EndingWith|EndsWith|NotContaining"
    r"|Containing|Contains|NotIn|In|IsTrue|True|IsFalse|False|IsEmpty|IsNotEmpty|NotEmpty|Empty|Regex|Exists|Near|Within)$"
)
#: Methods that every repository inherits, with the kind of the statement.
_INHERITED: Final = {
    **dict.fromkeys(("save", "saveAll", "saveAndFlush", "saveAllAndFlush"), "merge"),
    **dict.fromkeys(
        ("delete", "deleteAll", "deleteById", "deleteAllById", "deleteInBatch", "deleteAllInBatch", "deleteAllByIdInBatch"),
        "delete",
    ),
    **dict.fromkeys(
        ("findById", "findAll", "findAllById", "findOne", "findBy", "existsById", "exists", "count", "getById", "getOne",
         "getReferenceById"),
        "select",
    ),
}  # fmt: skip
#: Inherited methods whose result is the entity with the relations that are loaded with it.
_WHOLE: Final = frozenset(("findById", "findAll", "findAllById", "findOne", "findBy", "getById", "getOne"))
#: Inherited methods that delete rows one by one, with related rows. They first read a row that is not in the persistence context.
_BY_ROW: Final = frozenset(("delete", "deleteById", "deleteAll", "deleteAllById"))
#: Verbs in the names of methods whose result is no entity.
_COUNTING: Final = frozenset(("exists", "count"))
_MAX_OPERATORS: Final = 4


def repository_queries(file: QueryFile) -> Iterator[FoundQuery]:
    """Yield the statements of methods that repositories declare, and of calls of methods that repositories inherit."""
    for place, shape in enumerate(file.facts.shapes):
        entity = _entity(file, place) if shape.kind == ShapeKind.INTERFACE and shape.symbol >= 0 else ""
        if entity:
            yield from _declared(shape, entity, types_of(file))
            yield from _promised(file, place, entity)
    for node, callee in method_calls(file):
        name = file.name(callee)
        statement = _INHERITED.get(name)
        if statement is None or file.runs_own_code(callee):
            continue
        for kind in file.types(file.code[callee + 1]):
            entity = _entity_without(kind.declared, name) if kind.declared is not None and not kind.is_class else ""
            if entity:
                yield FoundQuery(node, statement, _of_inherited(name, f"{NAME}{entity}"), file.is_inferred)


def _of_inherited(name: str, model: str) -> list[FoundUse]:
    """Return the uses of an entity by a method that every repository inherits."""
    is_whole = name in _WHOLE or name in _BY_ROW or _INHERITED[name] == "merge"
    uses = [FoundUse(model, (), _INHERITED[name] != "select", is_whole=is_whole)]
    return [*uses, FoundUse(model, is_whole=True)] if name in _BY_ROW else uses


def _promised(file: QueryFile, place: int, entity: str) -> Iterator[FoundQuery]:
    """Yield the statements of the methods that a repository has from plain interfaces, which Spring Data also implements.

    Other classes may implement such an interface, too. So the statements belong to the repository and not to the interface.
    """
    shape = file.facts.shapes[place]
    heritage, own = (*shape.extends, *shape.implements), {member.name for member in shape.members}
    for other, number in file.ancestors(place):
        found = other.facts.shapes[number]
        if found is shape or found.kind != ShapeKind.INTERFACE or _entity(other, number):
            continue
        for member in found.members:
            is_method = member.kind == MemberKind.METHOD and member.function >= 0 and member.name not in own
            if is_method and not other.facts.functions[member.function].has_body:
                yield from _derived(member.name, entity, heritage[0], shape.symbol)


def _entity_without(place: SymbolPlace, method: str) -> str:
    """Return the entity of a repository that inherits a method.

    If the repository declares the method, return "", because the use of the table is recorded at the declaration.
    """
    shapes = place.file.facts.shapes
    number = next((number for number, each in enumerate(shapes) if each.symbol == place.symbol), -1)
    is_own = number >= 0 and any(member.name == method for member in shapes[number].members)
    return _entity(place.file, number) if number >= 0 and not is_own else ""


def _entity(file: WiredFile, place: int) -> str:
    """Return the name of the entity of a repository, from the types that the repository extends; "" for other types."""
    shape, types = file.facts.shapes[place], types_of(file)
    heritage = [types.type_names(node) for node in (*shape.extends, *shape.implements)]
    entities = [types.type_names(arguments[0])[0].rpartition(".")[2] for _, arguments in heritage if arguments]
    if not entities or not any(_is_repository(each, number) for each, number in file.ancestors(place)):
        return ""
    return entities[0]


def _is_repository(file: WiredFile, place: int) -> bool:
    shape, types = file.facts.shapes[place], types_of(file)
    names = [types.type_names(node)[0] for node in (*shape.extends, *shape.implements)]
    # A name without a package may come from any package that is imported with `*`.
    is_imported = any(".data." in f"{package}." for package in types.packages)
    return any(
        _REPOSITORY.fullmatch(name.rpartition(".")[2]) is not None and (".data." in name or ("." not in name and is_imported))
        for name in names
    )


def _declared(shape: Shape, entity: str, types: AnnotatedTypes) -> Iterator[FoundQuery]:
    """Yield the statements of the methods of a repository.

    An annotation contains the statement, or the name of the method describes the statement.
    """
    for member in shape.members:
        function = types.facts.functions[member.function] if member.kind == MemberKind.METHOD and member.function >= 0 else None
        if function is None or member.symbol < 0 or function.has_body or function.return_type < 0:
            continue
        annotations = types.annotations(member.symbol)
        for graph in (each for each in annotations if each.name == "EntityGraph"):
            written_paths = graph.get("attributePaths")
            paths = map(types.text, types.elements(written_paths) if types.is_list(written_paths) else [written_paths])
            uses = [FoundUse(f"{NAME}{entity}", tuple(path.split(".")), is_whole=True) for path in paths if path]
            yield FoundQuery(function.return_type, "select", uses, symbol=member.symbol)
        written = [each for each in annotations if each.name in ("Query", "NativeQuery")]
        if not written:
            yield from _derived(member.name, entity, function.return_type, member.symbol)
            continue
        is_native = written[0].name == "NativeQuery" or types.is_true(written[0].get("nativeQuery"))
        text = "" if is_native else types.joined_text(written[0].get("value")).replace("#{#entityName}", entity)
        found = read_jpql(text)
        if found is not None:
            yield FoundQuery(written[0].get("value"), found.statement, found.uses, symbol=member.symbol)


def _derived(name: str, entity: str, node: int, symbol: int) -> Iterator[FoundQuery]:
    """Yield the statement that the name of a method describes: `findByLastNameAndAgeGreaterThanOrderByAge`."""
    match = _NAME.fullmatch(name)
    model, inherited = f"{NAME}{entity}", _INHERITED.get(name)
    if inherited is not None:
        yield FoundQuery(node, inherited, _of_inherited(name, model), symbol=symbol)
    elif match is not None:
        fields = tuple((f"{JOINED}{each}",) for each in dict.fromkeys(_properties(match["conditions"] or "")))
        uses = [FoundUse(model, (), False, fields, is_whole=match["verb"] not in _COUNTING)]
        statement = "delete" if match["verb"] in _CHANGES else "select"
        if statement == "delete":  # the rows are read first, and then deleted one by one
            uses.append(FoundUse(model, (), True, is_whole=True))
        yield FoundQuery(node, statement, uses, symbol=symbol)


def _properties(written: str) -> Iterator[str]:
    """Yield the properties in the conditions and the order of a method."""
    ordered = _ORDER.fullmatch(written)
    conditions = (ordered["conditions"] or "") if ordered is not None else written
    for each in _BETWEEN.split(conditions) if conditions else ():
        for _ in range(_MAX_OPERATORS):
            shorter = _OPERATOR.sub("", each)
            if shorter == each or not shorter:
                break
            each = shorter
        yield each[:1].lower() + each[1:]
    for each in _DIRECTION.split(ordered["order"]) if ordered is not None else ():
        if each:
            yield each[:1].lower() + each[1:]
