"""Repositories and entities of Panache: `people.find("name", name)`, `Person.list("order by name")`, `person.persist()`.

See https://quarkus.io/guides/hibernate-orm-panache. A class of the repository inherits the methods, and may call them without
a receiver. A query may be a part of a statement in JPQL.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from ....facts.operations import NAME_OPS, Op
from ...framework_rules.queries import FoundQuery, FoundUse, QueryFile
from ...framework_rules.wiring import WiredFile
from ..models.queried import NAME
from .annotated import shape_around, types_of
from .jpql import read_jpql

_REPOSITORIES: Final = frozenset(("PanacheRepository", "PanacheRepositoryBase"))
_ENTITIES: Final = frozenset(("PanacheEntity", "PanacheEntityBase"))
_PACKAGE: Final = "io.quarkus."
#: The inherited methods, with the kind of the statement.
_METHODS: Final = {
    **dict.fromkeys(
        ("find", "findById", "findByIdOptional", "findAll", "list", "listAll", "stream", "streamAll", "count"), "select"
    ),
    **dict.fromkeys(("persist", "persistAndFlush"), "insert"),
    "update": "update",
    **dict.fromkeys(("delete", "deleteById", "deleteAll"), "delete"),
}
#: Methods whose first argument is a query.
_QUERIED: Final = frozenset(("find", "list", "stream", "count", "update", "delete"))
#: Methods of rows of an entity. The others are methods of its class.
_OF_ROWS: Final = frozenset(("persist", "persistAndFlush", "delete"))
_WHOLE: Final = re.compile(r"\s*(?:from|select|update|delete|insert)\s", re.IGNORECASE)
_ORDER: Final = re.compile(r"\s*(?:order\s+by|where)\s", re.IGNORECASE)
_NAME: Final = re.compile(r"(?<![\w:.?])[A-Za-z_]\w*(?:\.\w+)*")
_WHERE: Final = re.compile(r"\bwhere\b", re.IGNORECASE)
_TEXT: Final = re.compile(r"'(?:[^']|'')*'")
_KEY: Final = "panache entities"


def panache_queries(file: QueryFile) -> Iterator[FoundQuery]:
    """Yield the statements of the calls of inherited methods."""
    for node in file.facts.calls:
        callee = file.code[node + 1] if file.code[node] == Op.CALL else -1
        name = file.name(callee) if callee >= 0 else ""
        statement = _METHODS.get(name)
        if statement is None:
            continue
        arguments = file.items(file.code[node + 2])
        text = types_of(file).joined_text(arguments[0]) if arguments and name in _QUERIED else ""
        if not text and file.runs_own_code(callee):
            continue
        for model in dict.fromkeys(_models(file, node, callee, name)):
            read = read_jpql(_statement(text, statement, model.removeprefix(NAME))) if text else None
            if read is not None:
                # In a part of a statement, the names of attributes have no alias. Other names have no effect.
                condition = _WHERE.split(text, 1)[1:] if read.statement == "update" else [text]
                names = _NAME.findall(_TEXT.sub("", condition[0])) if condition and _WHOLE.match(text) is None else []
                fields = tuple(dict.fromkeys(tuple(each.split(".")) for each in names))
                named = [FoundUse(model, (), False, fields, True)] if fields else []
                # A count reads no row, and so no relation that is loaded with each row.
                uses = [use._replace(is_whole=use.is_whole and name != "count") for use in read.uses]
                yield FoundQuery(node, read.statement, [*uses, *named], file.is_inferred)
                continue
            modifies = statement != "select"
            uses = [FoundUse(model, (), modifies, is_whole=name != "count")]
            yield FoundQuery(node, statement, uses, file.is_inferred)


def _statement(text: str, statement: str, entity: str) -> str:
    """Return the complete statement of a query: `name = ?1` -> `from Person where name = ?1`."""
    if _WHOLE.match(text) is not None:
        is_short = statement == "delete" and text.lstrip()[:4].lower() == "from"
        return f"delete {text}" if is_short else text
    if statement == "update":
        return f"update {entity} {text}" if text.lstrip().lower().startswith("set ") else f"update {entity} set {text}"
    begin = f"delete from {entity}" if statement == "delete" else f"from {entity}"
    condition = text if " " in text.strip() or "=" in text else f"{text} = ?1"
    return f"{begin} {text}" if _ORDER.match(text) is not None else f"{begin} where {condition}"


def _models(file: QueryFile, node: int, callee: int, name: str) -> Iterator[str]:
    """Yield the names of the entities of a call's receiver, or of the class around a call without a receiver."""
    code = file.code
    if code[callee] == Op.MEMBER:
        for kind in file.types(code[callee + 1]):
            if kind.declared is not None:
                is_row = not kind.is_class and name in _OF_ROWS
                yield from _entities(kind.declared.file, kind.declared.shape, of_entities=kind.is_class or is_row)
    elif code[callee] in NAME_OPS or code[callee] == Op.LEXICAL:
        yield from _entities(file, shape_around(file, node), of_entities=True)


def _entities(file: WiredFile, place: int, *, of_entities: bool) -> Iterator[str]:
    """Yield the name of the entity of a repository, or of the entity that a class is itself."""
    if place < 0:
        return
    known = file.memory.setdefault(_KEY, {})
    assert isinstance(known, dict)
    if place not in known:
        known[place] = _read(file, place)
    entity, is_entity = known[place]
    if entity and (of_entities or not is_entity):
        yield f"{NAME}{entity}"


def _read(file: WiredFile, place: int) -> tuple[str, bool]:
    """Return the name of an entity, and whether the class is the entity itself; ("", False) for other classes."""
    bases = {name for other, number in file.ancestors(place) for name in _bases(other, number)}
    shape, types = file.facts.shapes[place], types_of(file)
    if bases & _ENTITIES:
        return shape.name, True
    if not bases & _REPOSITORIES:
        return "", False
    heritage = [types.type_names(node)[1] for node in (*shape.extends, *shape.implements)]
    entities = [types.type_names(arguments[0])[0].rpartition(".")[2] for arguments in heritage if arguments]
    return (entities[0], False) if entities else ("", False)


def _bases(file: WiredFile, place: int) -> Iterator[str]:
    """Yield the names of the classes of Panache that a class extends directly."""
    shape, types = file.facts.shapes[place], types_of(file)
    is_imported = any(each.startswith(_PACKAGE) for each in types.packages)
    for node in (*shape.extends, *shape.implements):
        name = types.type_names(node)[0]
        if name.startswith(_PACKAGE) or ("." not in name and is_imported):
            yield name.rpartition(".")[2]
