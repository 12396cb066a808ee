"""Inherited methods of MyBatis-Plus and of the common mapper of MyBatis: `users.selectById(1)`, `service.lambdaQuery().list()`.

See https://baomidou.com/en/guides/data-interface/ and https://github.com/abel533/Mapper/wiki. A mapper is an interface that
extends `BaseMapper<User>`. A service extends `IService<User>`, or `ServiceImpl<UserMapper, User>` with the field `baseMapper`.
A wrapper names columns by the getters of the entity: `wrapper.eq(User::getName, name)`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from ....facts.data import TABLE_NAME
from ....facts.node_scan import any_of, nodes_of
from ....facts.operations import NAME_OPS, Op
from ...framework_rules.queries import FoundQuery, FoundUse, QueryFile
from ...framework_rules.wiring import WiredFile
from ...jvm.entity_names import snake_case
from ..models.declared import property_name
from ..models.queried import NAME
from .annotated import method_calls, set_columns, shape_around, types_of

#: Packages of the libraries, and the position of the entity among the type arguments of their classes.
_PACKAGES: Final = ("com.baomidou.mybatisplus.", "com.github.yulichang.", "tk.mybatis.", "io.mybatis.")
_ENTITY: Final = {
    "BaseMapper": 0, "MPJBaseMapper": 0, "Mapper": 0, "MySqlMapper": 0, "IService": 0, "MPJBaseService": 0, "Model": 0,
    "IRepository": 0, "ServiceImpl": 1, "MPJBaseServiceImpl": 1, "CrudRepository": 1,
}  # fmt: skip
#: Classes whose rows have the methods themselves.
_ROWS: Final = frozenset(("Model",))
#: Methods of mappers, services and rows, with the kind of the statement.
_METHODS: Final = {
    **dict.fromkeys(("insert", "insertSelective", "insertList", "insertBatchSomeColumn", "save", "saveBatch"), "insert"),
    **dict.fromkeys(("insertOrUpdate", "saveOrUpdate", "saveOrUpdateBatch"), "merge"),
    **dict.fromkeys(
        ("update", "updateById", "updateBatchById", "alwaysUpdateSomeColumnById", "updateByPrimaryKey",
         "updateByPrimaryKeySelective", "updateByExample", "updateByExampleSelective"),
        "update",
    ),
    **dict.fromkeys(
        ("delete", "deleteById", "deleteByIds", "deleteBatchIds", "deleteByMap", "deleteByPrimaryKey", "deleteByExample",
         "remove", "removeById", "removeByIds", "removeByMap", "removeBatchByIds"),
        "delete",
    ),
    **dict.fromkeys(
        ("select", "selectById", "selectByIds", "selectBatchIds", "selectByMap", "selectOne", "selectCount", "selectList",
         "selectMaps", "selectObjs", "selectPage", "selectMapsPage", "selectAll", "selectByPrimaryKey", "selectByExample",
         "selectOneByExample", "selectCountByExample", "existsWithPrimaryKey", "selectJoinList", "selectJoinOne",
         "selectJoinPage", "exists", "getById", "getOptById", "getOne", "getOneOpt", "getMap", "getObj", "list", "listByIds",
         "listByMap", "listMaps", "listObjs", "page", "pageMaps", "count"),
        "select",
    ),
}  # fmt: skip
#: Methods that begin a chain, and the last calls of chains that change rows.
_CHAINS: Final = {"lambdaQuery": "select", "query": "select", "ktQuery": "select", "lambdaUpdate": "update", "ktUpdate": "update"}
_LAST: Final = {"remove": "delete", "update": "update"}
#: The mapper that a service inherits.
_INHERITED: Final = frozenset(("baseMapper", "getBaseMapper", "getMapper"))
_REFERENCES: Final = any_of(Op.REFERS)
_KEY: Final = "entities of common mappers"
#: Maximum number of calls in a chain.
_MAX_CHAIN: Final = 60


class _Named(NamedTuple):
    """The properties of an entity that a function names by getters, and those that it assigns."""

    read: dict[str, None]
    written: dict[str, None]


def common_mapper_queries(file: QueryFile) -> Iterator[FoundQuery]:
    """Yield the statements of inherited methods of mappers and services."""
    named: dict[tuple[int, str], _Named] | None = None
    for node in file.facts.calls:
        callee = file.code[node + 1] if file.code[node] == Op.CALL else -1
        name = file.name(callee) if callee >= 0 else ""
        statement = _METHODS.get(name) or _CHAINS.get(name, "")
        if not statement:
            continue
        entities = list(_entities(file, node, callee, name))
        if not entities or file.runs_own_code(callee):
            continue
        if name in ("query", "update") and not file.items(file.code[node + 2]) and not _is_row(file, callee):
            statement = "select" if name == "query" else "update"
        elif name == "query":
            continue
        if named is None:
            named = _named(file)
        for entity in entities:
            columns = named.get((file.owner(node), entity), _Named({}, {}))
            yield FoundQuery(node, statement, _uses(entity, statement, columns), file.is_inferred)
    yield from _ends_of_chains(file)


def _is_row(file: QueryFile, callee: int) -> bool:
    """Return whether a callee is a method of a row: `user.update()` has no chain."""
    if file.code[callee] != Op.MEMBER:
        return False
    places = [kind.declared for kind in file.types(file.code[callee + 1])]
    return any(_base(each.file, each.shape)[1] in _ROWS for each in places if each is not None and each.shape >= 0)


def _uses(entity: str, statement: str, columns: _Named) -> list[FoundUse]:
    model = FoundUse(f"{NAME}{entity}", default_name=f"{TABLE_NAME}{snake_case(entity)}")
    read = tuple((each,) for each in columns.read)
    if statement == "select":
        return [model._replace(fields=read)]
    written = tuple((each,) for each in columns.written) if statement == "update" else ()
    uses = [model._replace(modifies=True, fields=written)]
    if read and statement in ("update", "delete"):
        uses.append(model._replace(fields=read, of_condition=True))
    return uses


def _ends_of_chains(file: QueryFile) -> Iterator[FoundQuery]:
    """Yield the changes that end a chain: `users.lambdaUpdate().eq(User::getId, 1).remove()`."""
    for node, callee in method_calls(file):
        statement = _LAST.get(file.name(callee), "")
        at = file.code[callee + 1] if statement else -1
        for _ in range(_MAX_CHAIN):
            inner = file.code[at + 1] if at >= 0 and file.code[at] == Op.CALL else -1
            if inner < 0:
                break
            if file.name(inner) in _CHAINS or (file.name(inner) == "update" and not file.items(file.code[at + 2])):
                for entity in _entities(file, at, inner, file.name(inner)):
                    use = FoundUse(f"{NAME}{entity}", (), True, default_name=f"{TABLE_NAME}{snake_case(entity)}")
                    yield FoundQuery(node, statement, [use], file.is_inferred)
                break
            at = file.code[inner + 1] if file.code[inner] == Op.MEMBER else -1


def _entities(file: QueryFile, node: int, callee: int, method: str) -> Iterator[str]:
    """Yield the entities of a call's receiver: a mapper, a service, a row, or the class around the call."""
    code, places = file.code, list[tuple[WiredFile, int]]()
    if code[callee] == Op.MEMBER:
        receiver = code[callee + 1]
        found = [kind.declared for kind in file.types(receiver)]
        places += [(each.file, each.shape) for each in found if each is not None]
        if not found and _last_name(file, receiver) in _INHERITED:
            entity = _base(file, shape_around(file, node))[0]
            yield from (entity,) if entity else ()
    elif code[callee] in NAME_OPS or code[callee] == Op.LEXICAL:
        places.append((file, shape_around(file, node)))
    count = len(file.items(code[node + 2]))
    for other, place in places:
        entity = _base(other, place)[0]
        if entity and not _declares(other, place, method, count):
            yield entity


def _declares(file: WiredFile, place: int, method: str, count: int) -> bool:
    """Return whether a class of the repository, or one above it, declares a method with a number of parameters."""
    return any(
        member.name == method and member.function >= 0 and len(other.facts.functions[member.function].parameters) == count
        for other, number in file.ancestors(place)
        for member in other.facts.shapes[number].members
    )


def _last_name(file: QueryFile, node: int) -> str:
    """Return the name of a field or a method: `baseMapper`, `this.baseMapper`, `getBaseMapper()`."""
    if node >= 0 and file.code[node] == Op.CALL:
        node = file.code[node + 1]
    return file.name(node) if node >= 0 else ""


def _base(file: WiredFile, place: int) -> tuple[str, str]:
    """Return the entity of a mapper or a service, and the name of the library's class; ("", "") for other classes."""
    known = file.memory.setdefault(_KEY, {})
    assert isinstance(known, dict)
    if place < 0:
        return "", ""
    if place not in known:
        known[place] = _read(file, place)
    found: tuple[str, str] = known[place]
    return found


def _read(file: WiredFile, place: int) -> tuple[str, str]:
    """Follow the argument of the library's class down to a class: `Base<T> extends IService<T>`, `Users extends Base<User>`."""
    above = list(file.ancestors(place))
    slots = {library: (position, library) for library, position in _ENTITY.items()}
    for other, number in reversed(above):
        shape, types = other.facts.shapes[number], types_of(other)
        own = [other.facts.decls[each].name for each in shape.type_parameters]
        for node in (*shape.extends, *shape.implements):
            name, arguments = types.type_names(node)
            last = name.rpartition(".")[2]
            if last not in slots or (slots[last] == (_ENTITY.get(last), last) and not _is_of_library(name, types.packages)):
                continue
            position, library = slots[last]
            if position >= len(arguments):
                continue
            given = types.type_names(arguments[position])[0].rpartition(".")[2]
            if given in own:
                slots[shape.name] = (own.index(given), library)
            elif given:
                return given, library
    return "", ""


def _is_of_library(name: str, packages: Sequence[str]) -> bool:
    return name.startswith(_PACKAGES) or ("." not in name and any(f"{each}.".startswith(_PACKAGES) for each in packages))


def _named(file: QueryFile) -> dict[tuple[int, str], _Named]:
    """Return the properties that functions name by getters, by the symbol of the function and the entity."""
    found: defaultdict[tuple[int, str], _Named] = defaultdict(lambda: _Named({}, {}))
    assigned = set_columns(file)
    for node in nodes_of(file.facts, _REFERENCES):
        entity = types_of(file).qualified(file.code[node + 1]).rpartition(".")[2]
        name = property_name(file.facts.strings[file.code[node + 2]])
        if entity and name:
            each = found[file.owner(node), entity]
            (each.written if node in assigned else each.read)[name] = None
    return found
