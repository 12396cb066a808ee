"""Statements of data access objects and repositories.

Annotations describe the statements of functions of Room: `@Insert fun add(plant: Plant)`. Names and annotations describe those of
Spring Data and Micronaut Data. Code calls the functions that repositories inherit: `users.save(user)`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from ....facts.data import JOINED, WrittenQuery, WrittenUse
from ....facts.mapped_tables import MappedModel, ModelKind
from ....facts.model import FileFacts
from ....facts.nested_symbols import symbols_by_name, symbols_of_lines
from ...jvm.entity_names import ENTITY, REPOSITORY
from ...jvm.room import STATEMENTS as ROOM_STATEMENTS
from .declarations import Declarations, Function, Type
from .tables import REPOSITORIES

_PARAMETER: Final = re.compile(r"\b[a-z_]\w*\s*:\s*([\w.]+)\s*(?:<\s*(?:out\s+)?([\w.]+))?")
_ENTITY_ARGUMENT: Final = re.compile(r"\bentity\s*=\s*([\w.]+)::class")
#: Interfaces whose first type argument is the row.
_REPOSITORY: Final = re.compile(
    r"(?:Repository|\w*CrudRepository|\w*SortingRepository|JpaRepository\w*|R2dbcRepository|PageableRepository|GenericRepository"
    r"|PanacheRepository(?:Base)?|BaseMapper|IService)"
)
_NAME: Final = re.compile(
    r"(?P<verb>find|read|get|query|search|stream|exists|count|delete|remove|update)(?P<subject>(?:(?!By[A-Z]).)*)"
    r"(?:By(?P<conditions>[A-Z].*))?"
)
_STATEMENTS: Final = {"delete": "delete", "remove": "delete", "update": "update"}
_ORDER: Final = re.compile(r"OrderBy")
_PARTS: Final = re.compile(r"(?:And|Or)(?=[A-Z])")
_OPERATOR: Final = re.compile(
    r"(?:AllIgnoreCase|IgnoreCase|Is|Equals|Not|IsNotNull|NotNull|IsNull|Null|LessThanEqual|LessThan|GreaterThanEqual|GreaterThan"
    r"|Before|After|Between|NotLike|Like|StartingWith|StartsWith|EndingWith|EndsWith|Containing|Contains|NotIn|In|True|False"
    r"|Asc|Desc)$"
)
#: An entity in a statement of JPQL.
_NAMED: Final = re.compile(r"\b(from|join|update|into)\s+([A-Z]\w*)\b", re.IGNORECASE)
_JPQL: Final = re.compile(r"\s*(select|from|update|delete|insert)\b", re.IGNORECASE)
_NATIVE: Final = re.compile(r"\bnativeQuery\s*=\s*true\b")
#: Functions that every repository inherits.
_INHERITED: Final = {
    **dict.fromkeys(("save", "saveAll", "saveAndFlush", "saveAllAndFlush", "saveOrUpdate"), "merge"),
    **dict.fromkeys(("insert", "persist", "persistAndFlush", "saveBatch"), "insert"),
    **dict.fromkeys(("updateById", "update", "updateAll"), "update"),
    **dict.fromkeys(
        ("delete", "deleteAll", "deleteById", "deleteAllById", "deleteInBatch", "deleteAllInBatch", "deleteAllByIdInBatch",
         "removeById"),
        "delete",
    ),
    **dict.fromkeys(
        ("findById", "findByIdOrNull", "findAll", "findAllById", "findOne", "existsById", "exists", "count", "getById", "getOne",
         "getReferenceById", "selectById", "selectList", "selectOne", "selectPage", "selectCount", "listAll", "list"),
        "select",
    ),
}  # fmt: skip
_CALL: Final = re.compile(r"\b(?P<name>[a-z]\w*)\s*(?:\?|!!)?\.\s*(?P<method>[a-z]\w*)\s*(?:<[\w.]*>\s*)?(?=[({])")
_VARIABLE: Final = re.compile(r"\b(?P<name>[a-z]\w*)\s*:\s*(?P<type>[A-Z]\w*)\b(?!\s*[<.])")
_KOMAPPER: Final = re.compile(r"\bQueryDsl\s*\.\s*(from|insert|update|delete)\s*\(\s*(?:Meta\s*\.\s*)?([a-z]\w*)")
_META: Final = re.compile(r"\bval\s+([a-z]\w*)\s*(?::\s*\w+\s*)?=\s*Meta\s*\.\s*([a-z]\w*)")
_JOIN: Final = re.compile(r"\.\s*(?:innerJoin|leftJoin)\s*\(\s*(?:Meta\s*\.\s*)?([a-z]\w*)")
_KOMAPPER_PACKAGE: Final = "org.komapper"


def add_statements(facts: FileFacts, declared: Declarations) -> None:
    """Add the repositories of a file and its statements to its facts about data."""
    owners = symbols_of_lines(facts.symbols, facts.lines)
    known = symbols_by_name(facts.symbols)
    written: list[WrittenQuery] = []
    repositories: list[MappedModel] = []

    def add(symbol: int, at: int, statement: str, uses: list[WrittenUse]) -> None:
        if symbol >= 0 and uses and facts.symbols[symbol].kind != "import":
            written.append(WrittenQuery(symbol, declared.line(at), statement, uses))

    for each in declared.types:
        entity = _entity(each)
        line = declared.line(each.start)
        symbol = known.get((line, each.name), -1)
        if entity and symbol >= 0:
            model = MappedModel(REPOSITORIES, each.name, ModelKind.BOUND, symbol, line)
            model.options = {"model": entity}
            repositories.append(model)
        for function in each.functions:
            place = known.get((declared.line(function.start), function.name), -1)
            for statement, uses in _of_function(declared, each, function, entity):
                add(place, function.start, statement, uses)
    for at, statement, uses in (*_calls(declared), *_komapper(declared)):
        line = declared.line(at)
        add(owners[line] if line < len(owners) else -1, at, statement, uses)
    if repositories:
        facts.own_data().models += repositories
    if written:
        facts.own_data().written += written


def _entity(each: Type) -> str:
    """Return the row of a repository; "" for other types."""
    given = next((given for name, given in each.bases if given and _REPOSITORY.fullmatch(name) is not None), "")
    return given.partition(",")[0].strip().rpartition(".")[2].rstrip("?")


def _use(entity: str, statement: str, fields: Sequence[str] = ()) -> list[WrittenUse]:
    names = [f"{ENTITY}{entity}"]
    listed = [[f"{JOINED}{each}"] for each in fields]
    if statement == "select":
        return [WrittenUse(names, False, [], listed)]
    uses = [WrittenUse(names, True)]
    return [*uses, WrittenUse(names, False, [], listed, True)] if listed else uses


def _of_function(declared: Declarations, around: Type, function: Function, entity: str) -> Iterator[tuple[str, list[WrittenUse]]]:
    """Yield the statements that the annotations or the name of a function describe."""
    for name, statement in ROOM_STATEMENTS.items():
        annotation = function.annotations.get(name)
        if annotation is None or "Dao" not in around.annotations:
            continue
        stated = _ENTITY_ARGUMENT.search(declared.code, annotation.start, annotation.end)
        given = (
            [stated[1]] if stated is not None else [b or a for a, b in _PARAMETER.findall(declared.code, *function.parameters)]
        )
        for each in dict.fromkeys(given):
            yield statement, _use(each.rpartition(".")[2], statement)
    if not entity or around.word != "interface":
        return
    query = function.annotations.get("Query")
    if query is None and "NativeQuery" not in function.annotations:
        yield from _derived(function.name, entity)
    elif query is not None and _NATIVE.search(declared.code, query.start, query.end) is None:
        yield from _jpql("".join(declared.texts(query.start, query.end)).replace("#{#entityName}", entity))


def _derived(name: str, entity: str) -> Iterator[tuple[str, list[WrittenUse]]]:
    match = _NAME.fullmatch(name)
    if name in _INHERITED:
        yield _INHERITED[name], _use(entity, _INHERITED[name])
    elif match is not None:
        statement = _STATEMENTS.get(match["verb"], "select")
        yield statement, _use(entity, statement, list(dict.fromkeys(_properties(match["conditions"] or ""))))


def _properties(written: str) -> Iterator[str]:
    for part in _ORDER.split(written):
        for each in _PARTS.split(part):
            name = each
            while (shorter := _OPERATOR.sub("", name)) != name and shorter:
                name = shorter
            if name:
                yield name[:1].lower() + name[1:]


def _jpql(text: str) -> Iterator[tuple[str, list[WrittenUse]]]:
    """Yield the statement of a text of JPQL with the entities that it names. Paths through relations are left out."""
    begins = _JPQL.match(text)
    if begins is None:
        return
    statement = "select" if begins[1].lower() == "from" else begins[1].lower()
    for number, (_, entity) in enumerate(_NAMED.findall(text)):
        yield statement, _use(entity, statement if number == 0 else "select")


def _calls(declared: Declarations) -> Iterator[tuple[int, str, list[WrittenUse]]]:
    """Yield the calls of inherited functions of repositories that properties and parameters hold."""
    types: dict[str, set[str]] = {}
    for found in _VARIABLE.finditer(declared.code):
        types.setdefault(found["name"], set()).add(found["type"])
    for found in _CALL.finditer(declared.code):
        statement = _INHERITED.get(found["method"], "")
        kinds = types.get(found["name"], set()) if statement else set()
        if len(kinds) == 1:
            (kind,) = kinds
            yield found.start(), statement, [WrittenUse([f"{REPOSITORY}{kind}"], statement != "select")]


def _komapper(declared: Declarations) -> Iterator[tuple[int, str, list[WrittenUse]]]:
    """Yield the statements of Komapper: `QueryDsl.from(a)`, with `val a = Meta.address`."""
    if not declared.names.uses(_KOMAPPER_PACKAGE):
        return
    metas: dict[str, str] = dict(_META.findall(declared.code))
    named = [(each.start(), str(each[1]).replace("from", "select"), str(each[2])) for each in _KOMAPPER.finditer(declared.code)]
    named += [(each.start(), "select", str(each[1])) for each in _JOIN.finditer(declared.code)]
    for at, statement, name in named:
        entity = metas.get(name, name)
        yield at, statement, _use(entity[:1].upper() + entity[1:], statement)
