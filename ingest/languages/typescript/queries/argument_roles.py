"""Reads the arguments of the calls of object mappers, by their roles in the rules."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from ....facts.data import ROUTINE_NAME, TABLE_NAME
from ....facts.model import DeclKind
from ....facts.operations import Op
from ..resolve.call_targets import unwrapped
from ..resolve.model.unit import Unit
from .held.held_models import HeldModels
from .held.object_literals import constant, entries, entry, is_false, is_object
from .held.objection_classes import graph_paths
from .held.target import Path, Target
from .held.written_names import written_name
from .mappers.rules import Mapper, Result, Role
from .selections import selected
from .statements import Statement, aliased

#: Maximum depth of nested conditions and relations.
_MAX_DEPTH: Final = 8
#: Roles that apply to all further arguments of a call if they are the last role of a method.
_REPEATED: Final = frozenset((Role.FIELDS, Role.EXPRESSION, Role.RELATIONS, Role.SQL))
#: Functions that make a row without reading it.
_CREATORS: Final = frozenset(("create", "build", "merge", "preload", "assign", "plainToClass", "plainToInstance"))
#: Marks of keys that are operators: `$or`, `[Op.or]`.
_OPERATOR: Final = ("$", "[")
_NOT_FIELDS: Final = frozenset(("AND", "OR", "NOT"))


class Arguments:
    """Reads the arguments of calls in one file."""

    def __init__(self, unit: Unit, held: HeldModels) -> None:
        self._unit = unit
        self._held = held
        #: The variables into which calls of `merge` put values; None before the first use.
        self._merged: set[int] | None = None

    def read(self, statement: Statement, mapper: Mapper, roles: Sequence[str], arguments: Sequence[int]) -> None:
        """Add to a statement the tables, fields and relations that the arguments of a call name."""
        code = self._unit.code
        last: Target | None = None
        for place, node in enumerate(arguments):
            if code[node] == Op.SPREAD:
                return
            role = roles[place] if place < len(roles) else roles[-1] if roles and roles[-1] in _REPEATED else Role.NONE
            if role == Role.ALIAS:
                if last is None and statement.main is not None:
                    last = statement.main
                if last is not None:
                    statement.name(last, self._held.texts.of(self._unit, node))
            else:
                last = self._role(statement, mapper, role, node) or last

    def _role(self, statement: Statement, mapper: Mapper, role: str, node: int) -> Target | None:
        """Read one argument, and return the table that it names."""
        if role in (Role.TABLE, Role.JOIN):
            return self._table(statement, mapper, node, is_main=role == Role.TABLE)
        if role == Role.JOIN_RELATION:
            return self._joined_relation(statement, mapper, node)
        if role == Role.WHERE:
            self._where(statement, node)
        elif role == Role.VALUES:
            for path in self._values(node):
                statement.write(path)
        elif role == Role.OPTIONS:
            for name, value in entries(self._unit, node):
                self._role(statement, mapper, mapper.options.get(name, Role.NONE), value)
        elif role == Role.FIELDS:
            self._fields(statement, node)
        elif role == Role.WRITTEN:
            for text in self._texts(node):
                statement.write(tuple(text.split(".")))
        elif role == Role.RELATIONS:
            for path in self._relations(node, ()):
                self._relation(statement, path)
        elif role == Role.LOADED:
            self._loaded(statement, mapper, node, ())
        elif role in (Role.GRAPH, Role.ALLOWED_GRAPH):
            self._graph(statement, role, node)
        elif role == Role.INCLUDE:
            self._include(statement, mapper, node, (), _MAX_DEPTH)
        elif role == Role.SQL:
            self._sql(statement, node)
        elif role == Role.EXPRESSION:
            self._expression(statement, node, _MAX_DEPTH)
        elif role == Role.CONDITION:
            self._where(statement, node)
            self._expression(statement, node, _MAX_DEPTH)
        elif role == Role.SAVED:
            self._saved(statement, node)
        elif role == Role.STAGES:
            self._stages(statement, node, _MAX_DEPTH)
        elif role == Role.SELECTION:
            self._selection(statement, node)
        elif role == Role.LINK and (text := self._held.texts.of(self._unit, node)):
            statement.link(text)
        elif role == Role.ROUTINE and (text := self._held.texts.of(self._unit, node)):
            statement.add_main(Target(f"{ROUTINE_NAME}{text}"))
        return None

    # ------------------------------------------------------------------ tables

    def _table(self, statement: Statement, mapper: Mapper, node: int, *, is_main: bool) -> Target | None:
        """Add a table: a model, a name, or an object with a name by its alias. The first one of a list is the main table."""
        unit = self._unit
        found: Target | None = None
        alias = ""
        names_tables = mapper.names_tables or (mapper.joins_tables and not is_main)
        if mapper.names_tables and unit.code[node] == Op.ARRAY:
            for each in unit.items(unit.code[node + 1]).tolist():
                found = self._table(statement, mapper, each, is_main=is_main and found is None) or found
            return found
        text = self._held.texts.of(unit, node)
        if text and names_tables:
            name, alias = aliased(text)
            found = Target(f"{TABLE_NAME}{name}") if name else None
        elif text:
            found = Target(f"{mapper.name}:{text}")
        elif names_tables and is_object(unit, node):
            for key, value in entries(unit, node):
                if written := self._held.texts.of(unit, value):
                    found = Target(f"{TABLE_NAME}{written}")
                    (statement.add_main if is_main else statement.join)(found, key)
            return found
        else:
            held = self._held.held(unit, node)
            found = held.target if held is not None and held.kind in (Result.MODEL, Result.ROW) else None
        if found is not None:
            (statement.add_main if is_main else statement.join)(found, alias)
        return found

    def _joined_relation(self, statement: Statement, mapper: Mapper, node: int) -> Target | None:
        """Add the relation that `cat.owner` names, or a model."""
        text = self._held.texts.of(self._unit, node)
        alias, dot, name = text.partition(".")
        source = statement.of_alias(alias) if dot else None
        if source is not None:
            target = Target(source.model, (*source.path, name))
            statement.join(target)
            return target
        return self._table(statement, mapper, node, is_main=False) if not dot else None

    def _relation(self, statement: Statement, path: Path) -> None:
        if statement.main is not None:
            statement.join(Target(statement.main.model, (*statement.main.path, *path)))

    def _graph(self, statement: Statement, role: str, node: int) -> None:
        """Add the relations of a graph. If code builds the graph at run time, all allowed relations count."""
        text = self._held.texts.of(self._unit, node)
        paths = list(graph_paths(text)) if text else list(self._relations(node, ())) if is_object(self._unit, node) else []
        if role == Role.ALLOWED_GRAPH:
            statement.allowed += paths
        elif not paths:
            statement.is_open = True
        for path in paths if role == Role.GRAPH else ():
            self._relation(statement, path)

    # ------------------------------------------------------------------ fields

    def _where(self, statement: Statement, node: int) -> None:
        text = self._held.texts.of(self._unit, node) if not is_object(self._unit, node) else ""
        if text:
            statement.read_text(text)
        for path in self._conditions(node, ()):
            statement.read(path)

    def _conditions(self, node: int, path: Path) -> Iterator[Path]:
        """Yield the fields that a condition names, including fields of related models."""
        if len(path) > _MAX_DEPTH:
            return
        for name, value in entries(self._unit, node):
            if name.startswith("$") and name.endswith("$"):
                yield (*path, *name.strip("$").split("."))  # a field of a related model
            elif name.startswith(_OPERATOR) or name in _NOT_FIELDS:
                yield from self._conditions(value, path)
            else:
                own = (*path, *name.split("."))
                yield own
                if is_object(self._unit, value):
                    yield from self._conditions(value, own)

    def _values(self, node: int) -> Iterator[Path]:
        """Yield the names of fields in values. Operators of updates, such as `$set`, contain values."""
        for name, value in entries(self._unit, node):
            if name.startswith(_OPERATOR):
                yield from self._values(value)
            else:
                yield tuple(name.split("."))

    def _texts(self, node: int) -> Iterator[str]:
        """Yield the names in a text, in a list, or in the keys of an object. A text may list several names."""
        unit, code = self._unit, self._unit.code
        node = constant(unit, node)
        if node < 0:
            return
        if code[node] == Op.ARRAY:
            for each in unit.items(code[node + 1]).tolist():
                # `["name", "ASC"]`, `[fn("max", …), "alias"]`
                inner = unwrapped(unit, each)
                items = unit.items(code[inner + 1]).tolist()[:1] if code[inner] == Op.ARRAY else [each]
                yield from (text for item in items if (text := self._held.texts.of(unit, item)))
        elif code[node] == Op.OBJECT:
            yield from (name for name, value in entries(unit, node) if not is_false(unit, value))
        else:
            yield from (self._held.texts.of(unit, node) or "").replace(",", " ").split(" ") if code[node] == Op.STRING else ()

    def _saved(self, statement: Statement, node: int) -> None:
        """Add the values of an object, or the row that the statement saves."""
        for path in self._values(node):
            statement.write(path)
        for each in self._unit.items(self._unit.code[node + 1]).tolist() if self._unit.code[node] == Op.ARRAY else [node]:
            self.save_row(statement, each)

    def save_row(self, statement: Statement, node: int) -> None:
        """Add the relations of a row that code changes before it saves the row, and whether the row was loaded before."""
        unit = self._unit
        node = unwrapped(unit, node)
        if unit.code[node] != Op.NAME or unit.code[node + 1] < 0:
            return
        names = self._held.assigned(unit).names(unit, node)
        statement.changed += [(name,) for name in names]
        for index in unit.bindings[unit.code[node + 1]].decls:
            decl = unit.decls[index]
            value = unwrapped(unit, decl.b) if decl.b >= 0 else -1
            if value >= 0 and unit.code[value] == Op.AWAIT:
                value = unwrapped(unit, unit.code[value + 1])
            if decl.kind == DeclKind.PARAMETER:
                statement.is_loaded = bool(names) or self._merges(unit.code[node + 1])
            elif value >= 0 and unit.code[value] == Op.CALL:
                statement.is_loaded = written_name(unit, unit.code[value + 1]) not in _CREATORS

    def _merges(self, binding: int) -> bool:
        """Return whether code merges values into a row: `repository.merge(user, changes)`."""
        if self._merged is None:
            unit, code = self._unit, self._unit.code
            self._merged = set()
            for call in unit.facts.calls:
                callee = unwrapped(unit, code[call + 1])
                arguments = unit.items(code[call + 2]).tolist() if code[call] == Op.CALL and code[callee] == Op.MEMBER else []
                if len(arguments) > 1 and unit.strings[code[callee + 2]] == "merge" and code[arguments[0]] == Op.NAME:
                    self._merged.add(code[arguments[0] + 1])
        return binding in self._merged

    def _stages(self, statement: Statement, node: int, depth: int) -> None:
        """Add the collections that the stages of an aggregation read."""
        for name, value in entries(self._unit, node) if depth else ():
            if name in ("$lookup", "$graphLookup", "$unionWith"):
                named = entry(self._unit, value, "coll" if name == "$unionWith" else "from")
                if text := self._held.texts.of(self._unit, named if named >= 0 else value):
                    statement.join(Target(f"{TABLE_NAME}{text}"))
                self._stages(statement, entry(self._unit, value, "pipeline"), depth - 1)
            elif name == "$facet":
                for _, stages in entries(self._unit, value):
                    self._stages(statement, stages, depth - 1)

    def _selection(self, statement: Statement, node: int) -> None:
        """Add the columns and the related tables of a text of Supabase."""
        for each in selected(self._held.texts.of(self._unit, node)):
            table = Target(f"{TABLE_NAME}{each.table}") if each.table else statement.main
            if each.is_table:
                statement.join(Target(f"{TABLE_NAME}{each.name}"), each.alias)
            elif table is not None:
                statement.read_of(table, (each.name,))

    def _fields(self, statement: Statement, node: int) -> None:
        unit, code = self._unit, self._unit.code
        found = constant(unit, node)
        if found >= 0 and code[found] == Op.STRING:
            statement.read_text(self._held.texts.of(unit, found))
        elif found >= 0 and code[found] == Op.OBJECT:
            for name, value in entries(unit, found):
                text = self._held.texts.of(unit, value)
                if text:
                    statement.read_text(text)  # `{ alias: "column" }`
                elif name in ("include", "exclude"):
                    self._fields(statement, value)
                elif not is_false(unit, value):
                    self._expression(statement, value, _MAX_DEPTH)
                    if not name.startswith(_OPERATOR):
                        statement.read(tuple(name.split(".")))
        elif found >= 0 and code[found] == Op.ARRAY:
            for text in self._texts(found):
                statement.read_text(text)
            for each in unit.items(code[found + 1]).tolist():
                self._expression(statement, each, _MAX_DEPTH)
        else:
            self._expression(statement, node, _MAX_DEPTH)

    def _sql(self, statement: Statement, node: int) -> None:
        unit = self._unit
        text = self._held.texts.of(unit, node)
        if text:
            statement.read_sql(text)
            if text.replace("_", "").isalnum():
                statement.read_text(text)
        elif is_object(unit, node):
            self._where(statement, node)

    def _expression(self, statement: Statement, node: int, depth: int) -> None:
        """Add the fields of models in an expression: `users.name` in `eq(users.name, "a")`."""
        unit, code = self._unit, self._unit.code
        node = unwrapped(unit, node) if node >= 0 else -1
        if node < 0 or not depth:
            return
        op = code[node]
        if op == Op.MEMBER:
            held = self._held.held(unit, code[node + 1])
            if held is not None and held.kind == Result.MODEL and held.target is not None:
                statement.read_of(held.target, (unit.strings[code[node + 2]],))
        elif op in (Op.CALL, Op.TAGGED):
            callee = unwrapped(unit, code[node + 1])
            if code[callee] == Op.MEMBER:
                self._expression(statement, code[callee + 1], depth - 1)
            for each in unit.items(code[node + 2]).tolist():
                if op == Op.TAGGED and code[each] in (Op.NAME, Op.MEMBER):  # sql`(select count(*) from ${posts})`
                    held = self._held.held(unit, each)
                    if held is not None and held.kind == Result.MODEL and held.target is not None:
                        statement.join(held.target)
                self._expression(statement, each, depth - 1)
        elif op in (Op.ARRAY, Op.TEMPLATE):
            for each in unit.items(code[node + 1]).tolist():
                self._expression(statement, each, depth - 1)
        elif op == Op.OBJECT:
            for _, value in entries(unit, node):
                self._expression(statement, value, depth - 1)
        elif op in (Op.SPREAD, Op.NOT):
            self._expression(statement, code[node + 1], depth - 1)
        elif op in (Op.LOGICAL, Op.EQUALITY):
            self._expression(statement, code[node + 1], depth - 1)
            self._expression(statement, code[node + 2], depth - 1)
        elif op == Op.CONDITIONAL:
            self._expression(statement, code[node + 2], depth - 1)
            self._expression(statement, code[node + 3], depth - 1)
        elif op == Op.FUNCTION:
            for each in unit.functions[code[node + 1]].returns:
                self._expression(statement, each, depth - 1)

    # ------------------------------------------------------------------ relations

    def _relations(self, node: int, path: Path) -> Iterator[Path]:
        """Yield the relations that texts, lists or objects name, as paths."""
        if len(path) > _MAX_DEPTH:
            return
        unit = self._unit
        if is_object(unit, node) and unit.code[constant(unit, node)] == Op.OBJECT:
            named = self._held.texts.of(unit, entry(unit, node, "path"))
            if named:  # `populate({ path: "posts", populate: { path: "author" } })`
                own = (*path, *named.split("."))
                yield own
                if is_object(unit, inner := entry(unit, node, "populate")):
                    yield from self._relations(inner, own)
                return
            for name, value in entries(unit, node):
                if not is_false(unit, value):
                    yield (*path, name)
                    for key in ("with", "relations", "populate", "include"):
                        inner = entry(unit, value, key) if is_object(unit, value) else -1
                        if inner >= 0:
                            yield from self._relations(inner, (*path, name))
                    if is_object(unit, value) and entry(unit, value, "with") < 0:
                        yield from self._relations(value, (*path, name))
            return
        for text in self._texts(node):
            parts = tuple(part for part in text.split(".") if part)
            yield from ((*path, *parts[: count + 1]) for count in range(len(parts)))

    def _loaded(self, statement: Statement, mapper: Mapper, node: int, path: Path) -> None:
        """Add the relations that an object loads, and the fields that the options of each relation name."""
        for name, value in entries(self._unit, node) if len(path) < _MAX_DEPTH else ():
            if is_false(self._unit, value):
                continue
            own = (*path, name)
            self._relation(statement, own)
            for option, inner in entries(self._unit, value):
                role = mapper.options.get(option, Role.NONE)
                if role == Role.LOADED:
                    self._loaded(statement, mapper, inner, own)
                elif role == Role.FIELDS:
                    for text in self._texts(inner):
                        statement.read((*own, text))
                elif role == Role.CONDITION:
                    for fields in self._conditions(inner, own):
                        statement.read(fields)
                    self._expression(statement, inner, _MAX_DEPTH)

    def _include(self, statement: Statement, mapper: Mapper, node: int, path: Path, depth: int) -> None:
        """Add the models that `include` names: as models, as names, or as objects with both and with options."""
        unit, code = self._unit, self._unit.code
        node = constant(unit, node)
        if node < 0 or not depth:
            return
        if code[node] == Op.ARRAY:
            for each in unit.items(code[node + 1]).tolist():
                self._include(statement, mapper, each, path, depth - 1)
            return
        if code[node] in (Op.CONDITIONAL, Op.LOGICAL, Op.SPREAD):
            for operand in (1, 2, 3) if code[node] == Op.CONDITIONAL else (1, 2) if code[node] == Op.LOGICAL else (1,):
                self._include(statement, mapper, code[node + operand], path, depth - 1)
            return
        target = self._included(statement, node, path)
        if target is None:
            return
        statement.join(target)
        for name, value in entries(unit, node) if code[node] == Op.OBJECT else ():
            role = mapper.options.get(name, Role.NONE)
            if role == Role.WHERE:
                for fields in self._conditions(value, ()):
                    statement.read_of(target, fields)
            elif role == Role.FIELDS:
                for text in self._texts(value):
                    statement.read_of(target, (text,))
            elif role == Role.INCLUDE:
                inner = Statement(target)
                self._include(inner, mapper, value, target.path, depth - 1)
                statement.extend(inner)

    def _included(self, statement: Statement, node: int, path: Path) -> Target | None:
        unit, code = self._unit, self._unit.code
        if code[node] == Op.OBJECT:
            for key in ("as", "association", "path"):
                name = self._held.texts.of(unit, entry(unit, node, key))
                if name and statement.main is not None:
                    return Target(statement.main.model, (*path, name))
            model = entry(unit, node, "model")
            held = self._held.held(unit, model) if model >= 0 else None
        else:
            name = self._held.texts.of(unit, node)
            if name and statement.main is not None:
                return Target(statement.main.model, (*path, name))
            held = self._held.held(unit, node)
        return held.target if held is not None and held.kind == Result.MODEL else None
