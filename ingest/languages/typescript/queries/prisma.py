"""Calls of the client of Prisma: https://www.prisma.io/docs/orm/reference/prisma-client-reference."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from ....facts.data import ModelUse
from ....facts.operations import Op
from ..resolve.call_targets import unwrapped
from ..resolve.engine import Engine
from ..resolve.model.type_model import External, Instance, Literal, Type, non_nullish, parts_of
from ..resolve.model.unit import Unit
from .held.object_literals import entries, entry, is_false, is_object
from .held.written_names import name_of_holder

#: Effects of the calls of a model.
_STATEMENTS: Final = {
    **dict.fromkeys(
        ("findUnique", "findUniqueOrThrow", "findFirst", "findFirstOrThrow", "findMany", "count", "aggregate", "groupBy"),
        "select",
    ),
    **dict.fromkeys(("create", "createMany", "createManyAndReturn"), "insert"),
    **dict.fromkeys(("update", "updateMany", "updateManyAndReturn"), "update"),
    **dict.fromkeys(("delete", "deleteMany"), "delete"),
    "upsert": "merge",
}
#: Writes to the rows of a relation inside the data of a call.
_NESTED: Final = {
    "create": "insert",
    "createMany": "insert",
    "connectOrCreate": "merge",
    "update": "update",
    "updateMany": "update",
    "upsert": "merge",
    "delete": "delete",
    "deleteMany": "delete",
}
#: Writes that change the members of a relation.
_LINKING: Final = {"connect": "update", "disconnect": "update", "set": "update"}
#: Nested writes that first read the rows of the relation.
_READING: Final = frozenset(("connectOrCreate", "update", "updateMany", "upsert", "delete", "deleteMany", "disconnect", "set"))
#: Methods whose result is one row, with methods for its relations.
_OF_ONE: Final = frozenset(
    ("findUnique", "findUniqueOrThrow", "findFirst", "findFirstOrThrow", "create", "update", "upsert", "delete")
)
#: Keys of conditions that are not fields.
_OPERATORS: Final = frozenset(("AND", "OR", "NOT", "some", "every", "none", "is", "isNot"))
#: Matches the package of the client, and modules of the package: `@prisma/client/edge`.
_PACKAGE: Final = re.compile(r"npm:@prisma/client(?:/.*)?")
#: The names of clients in the package.
_CLIENTS: Final = (("PrismaClient",), ("Prisma", "TransactionClient"))
#: Ending of the type with the methods of a model in a generated client; the type begins with the name of the model.
_DELEGATE: Final = "Delegate"
#: Matches the names of values that hold a client, if their types are unknown: the client is often generated and not committed.
_CLIENT_NAME: Final = re.compile(r"_?(?:db|database|client|tx|trx)|[\w$]*[pP]risma[\w$]*")
#: Maximum depth of relations in an argument.
_MAX_DEPTH: Final = 8

_Path = tuple[str, ...]


class PrismaQuery(NamedTuple):
    """A statement that a call makes."""

    node: int
    statement: str
    uses: tuple[ModelUse, ...]
    #: "declared" if the client is known by its name only.
    evidence: str = "call"


def prisma_queries(engine: Engine, unit: Unit) -> Iterator[PrismaQuery]:
    """Yield the statements of a file."""
    reading = _Reading(engine, unit)
    for node in unit.facts.calls:
        yield from reading.of_call(node)


class _Reading:
    def __init__(self, engine: Engine, unit: Unit) -> None:
        self._engine = engine
        self._unit = unit
        #: Declarations of parameters to which a transaction passes a client; None before the first use.
        self._given: set[int] | None = None

    def of_call(self, node: int) -> Iterator[PrismaQuery]:
        unit, code = self._unit, self._unit.code
        callee = unwrapped(unit, code[node + 1]) if code[node] == Op.CALL else -1
        if callee < 0 or code[callee] != Op.MEMBER:
            return
        model, path = self._row(unwrapped(unit, code[callee + 1]))
        if model:  # `prisma.user.findUnique(…).posts()`
            yield PrismaQuery(node, "select", (ModelUse(model, (*path, unit.strings[code[callee + 2]]), False),))
            return
        statement = _STATEMENTS.get(unit.strings[code[callee + 2]])
        if statement is None:
            return
        receiver = unwrapped(unit, code[callee + 1])
        model = self._model(receiver)
        given = unit.items(code[node + 2]).tolist()
        argument = given[0] if given else -1
        for each in [model] if model else self._chosen_models(receiver):
            yield from self._statement(node, statement, f"prisma:{each}", argument)
        if not model and self._is_of_unknown_client(receiver):
            for found in self._statement(node, statement, f"prisma:{unit.strings[code[receiver + 2]]}", argument):
                yield found._replace(evidence="declared")

    def _row(self, node: int, depth: int = _MAX_DEPTH) -> tuple[str, _Path]:
        """Return the model and the path of relations of the row that a call returns; an empty model for other expressions."""
        unit, code = self._unit, self._unit.code
        callee = unwrapped(unit, code[node + 1]) if depth and node >= 0 and code[node] == Op.CALL else -1
        if callee < 0 or code[callee] != Op.MEMBER:
            return "", ()
        name = unit.strings[code[callee + 2]]
        if name in _OF_ONE:
            model = self._model(unwrapped(unit, code[callee + 1]))
            return f"prisma:{model}" if model else "", ()
        model, path = self._row(unwrapped(unit, code[callee + 1]), depth - 1)
        return model, (*path, name)

    # ------------------------------------------------------------------ models

    def _model(self, node: int) -> str:
        """Return the name that the client gives to the model of an expression; "" for other expressions."""
        unit, code = self._unit, self._unit.code
        self._engine.refuel()
        for kind in parts_of(non_nullish(self._engine.type_of(unit, node))):
            path = _path_of_package(kind)
            if len(path) > 1 and _is_client(path[:-1]):
                return path[-1]
            if path and path[-1].endswith(_DELEGATE):
                name = path[-1].removesuffix(_DELEGATE)  # `delegate: Prisma.UserDelegate`
                return f"{name[:1].lower()}{name[1:]}"
            if isinstance(kind, Instance) and kind.entity.unit.external:
                name = kind.entity.facts.name
                if name.endswith(_DELEGATE) and code[node] == Op.MEMBER:
                    return unit.strings[code[node + 2]]
        if code[node] == Op.MEMBER and self._is_given(unwrapped(unit, code[node + 1])):
            return unit.strings[code[node + 2]]
        return ""

    def _is_of_unknown_client(self, node: int) -> bool:
        """Return whether an expression without a known type is a member of a value that is named like a client: `ctx.db.user`.

        The result of another package counts if its name has the name of the library: `remember("prisma", () => client)`.
        """
        name = name_of_holder(self._unit, node)
        if _CLIENT_NAME.fullmatch(name) is None:
            return False
        kind = self._engine.type_of(self._unit, node)
        return kind.opaque or (isinstance(kind, External) and not _path_of_package(kind) and "prisma" in name.lower())

    def _chosen_models(self, node: int) -> Iterator[str]:
        """Yield the models among which a key chooses: `prisma[kind]` for a key that is "user" or "post"."""
        unit, code = self._unit, self._unit.code
        if code[node] != Op.INDEX or not self._is_of_package(unwrapped(unit, code[node + 1])):
            return
        for kind in parts_of(self._engine.type_of(unit, code[node + 2])):
            if isinstance(kind, Literal) and kind.base.name == "string":
                yield kind.value

    def _is_of_package(self, node: int) -> bool:
        """Return whether an expression is a client."""
        kinds = parts_of(non_nullish(self._engine.type_of(self._unit, node)))
        return any(_is_client(_path_of_package(kind)) for kind in kinds) or self._is_given(node)

    def _is_given(self, node: int) -> bool:
        """Return whether a name is a parameter to which a transaction passes a client."""
        unit = self._unit
        if unit.code[node] != Op.NAME or unit.code[node + 1] < 0:
            return False
        if self._given is None:
            self._given = set(self._parameters())
        return any(decl in self._given for decl in unit.bindings[unit.code[node + 1]].decls)

    def _parameters(self) -> Iterator[int]:
        unit, code = self._unit, self._unit.code
        for node in unit.facts.calls:
            callee = unwrapped(unit, code[node + 1]) if code[node] == Op.CALL else -1
            if callee < 0 or code[callee] != Op.MEMBER or unit.strings[code[callee + 2]] != "$transaction":
                continue
            self._engine.refuel()
            kinds = parts_of(non_nullish(self._engine.type_of(unit, callee)))
            if not any(_is_client(_path_of_package(kind)) for kind in kinds):
                continue
            for argument in unit.items(code[node + 2]).tolist():
                if code[argument] == Op.FUNCTION and unit.functions[code[argument + 1]].parameters:
                    yield unit.functions[code[argument + 1]].parameters[0].decl

    # ------------------------------------------------------------------ statements

    def _statement(self, node: int, statement: str, model: str, argument: int) -> Iterator[PrismaQuery]:
        unit = self._unit
        conditions: dict[_Path, None] = {}
        related: dict[_Path, None] = {}
        for name, value in entries(unit, argument):
            if name in ("where", "orderBy", "cursor"):
                conditions.update(dict.fromkeys(self._fields(value, ())))
            elif name in ("by", "distinct"):
                conditions.update(dict.fromkeys((text,) for text in self._texts(value)))
            elif name in ("_sum", "_avg", "_min", "_max"):
                conditions.update(dict.fromkeys((own,) for own, _ in entries(unit, value)))
            elif name in ("select", "include"):
                chosen = list(self._chosen(value, (), _MAX_DEPTH))
                conditions.update(dict.fromkeys(path for path, is_relation in chosen if not is_relation))
                related.update(dict.fromkeys(path for path, is_relation in chosen if is_relation))
        fields = tuple(conditions)
        if statement == "select":
            yield PrismaQuery(node, statement, (ModelUse(model, (), False, fields),))
        else:
            data = [value for name, value in entries(unit, argument) if name in ("data", "create", "update")]
            written = tuple(dict.fromkeys((own,) for value in data for own, _ in entries(unit, value)))
            uses = [ModelUse(model, (), True, written)]
            if fields:
                uses.append(ModelUse(model, (), False, fields, True))
            yield PrismaQuery(node, statement, tuple(uses))
            nested = [each for value in data for each in self._nested(node, model, value, (), _MAX_DEPTH)]
            yield from nested
            # A statement over several tables reads the row before and after. Otherwise, the statement itself returns the row.
            if nested or (related and statement != "delete") or (statement == "merge" and not self._is_native(argument)):
                yield PrismaQuery(node, "select", (ModelUse(model, (), False),))
        if related:
            yield PrismaQuery(node, "select", tuple([ModelUse(model, path, False) for path in related]))

    def _is_native(self, argument: int) -> bool:
        """Return whether the database itself can insert or update a row: the condition is one field that the new row has, too."""
        unit = self._unit
        keys = [name for name, _ in entries(unit, entry(unit, argument, "where"))]
        return len(keys) == 1 and keys[0] in [name for name, _ in entries(unit, entry(unit, argument, "create"))]

    def _fields(self, node: int, path: _Path) -> Iterator[_Path]:
        """Yield the fields that a condition names, including fields of related models."""
        if len(path) > _MAX_DEPTH:
            return
        for name, value in entries(self._unit, node):
            if name in _OPERATORS:
                yield from self._fields(value, path)
                continue
            yield (*path, name)
            if is_object(self._unit, value):
                yield from self._fields(value, (*path, name))

    def _chosen(self, node: int, path: _Path, depth: int) -> Iterator[tuple[_Path, bool]]:
        """Yield the fields and relations that `select` or `include` names, with a flag that is true for relations.

        A name whose value is not an object is a relation if the model declares a relation with this name.
        """
        unit = self._unit
        for name, value in entries(unit, node) if depth else ():
            if is_false(unit, value):
                continue
            if name == "_count":
                inner = entry(unit, value, "select") if is_object(unit, value) else -1
                yield from (((*path, own), True) for own, chosen in entries(unit, inner) if not is_false(unit, chosen))
                continue
            yield (*path, name), False
            yield (*path, name), True
            for own in ("select", "include"):
                inner = entry(unit, value, own) if is_object(unit, value) else -1
                if inner >= 0:
                    yield from self._chosen(inner, (*path, name), depth - 1)
            if is_object(unit, value):
                yield from (((*path, name, *each), False) for each in self._fields(entry(unit, value, "where"), ()))

    def _nested(self, node: int, model: str, data: int, path: _Path, depth: int) -> Iterator[PrismaQuery]:
        """Yield the writes to other models in the data of a call."""
        unit = self._unit
        for relation, value in entries(unit, data) if depth else ():
            inner = (*path, relation)
            for name, given in entries(unit, value) if is_object(unit, value) else ():
                if name in _READING or (name == "connect" and any(own != "id" for own, _ in entries(unit, given))):
                    yield PrismaQuery(node, "select", (ModelUse(model, inner, False),))
                if name in _LINKING:
                    yield PrismaQuery(node, _LINKING[name], (ModelUse(model, inner, True, of_links=True),))
                elif name in _NESTED:
                    values = [entry(unit, given, part) for part in ("data", "create", "update")]
                    values = [each for each in values if each >= 0] or [given]
                    written = (
                        () if _NESTED[name] == "delete" else tuple((own,) for each in values for own, _ in entries(unit, each))
                    )
                    yield PrismaQuery(node, _NESTED[name], (ModelUse(model, inner, True, written),))
                    for each in values:
                        yield from self._nested(node, model, each, inner, depth - 1)

    def _texts(self, node: int) -> Iterator[str]:
        unit, code = self._unit, self._unit.code
        items = unit.items(code[node + 1]).tolist() if code[node] == Op.ARRAY else [node]
        yield from (unit.strings[code[each + 2]] for each in items if code[each] == Op.STRING)


def _path_of_package(kind: Type) -> _Path:
    """Return the path of a type of the client's package; an empty path for other types."""
    return kind.path if isinstance(kind, External) and _PACKAGE.fullmatch(kind.package) is not None else ()


def _is_client(path: _Path) -> bool:
    """Return whether the value of a path in the package is a client, perhaps an extended client."""
    return any(
        path[: len(client)] == client and path[len(client) :] in ((), ("$extends", "()"), ("$transaction",))
        for client in _CLIENTS
    )
