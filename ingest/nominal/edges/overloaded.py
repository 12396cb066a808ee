"""Calls, references, heritage and overrides of languages with overloads. `nominal/overloading` resolves their names."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ....schema.edges import HeritageEdge, OverrideEdge
from ...facts.model import Decl, MemberKind, Shape, ShapeKind
from ...facts.operations import MemberFlag, Op, Use
from ...languages.typescript.resolve.model.unit import SymbolIds, Unit
from ..engine import NominalEngine
from ..overloading import members, names, values
from ..types import ClassInfo, ClassValue, Found, FunctionValue, Instance, ModuleValue, Outside, Type, parts
from .annotations import class_place


class Chosen(NamedTuple):
    """The target of a call: a symbol of the repository, the dotted name of an external method, or why the call is unresolved."""

    unit: Unit | None = None
    symbol: int = -1
    outside: str = ""
    reason: str = ""


class OverloadedNames:
    """Resolves names, calls and heritage in languages with overloads, file by file."""

    def __init__(self, engine: NominalEngine, symbol_id: SymbolIds) -> None:
        self._engine = engine
        self._symbol_id = symbol_id

    # ------------------------------------------------------------------ calls

    def called(self, unit: Unit, call: int) -> Chosen:
        """Return the target of a call, a construction or a reference to a method."""
        method = self._engine.selected(unit, call)
        if isinstance(method, FunctionValue):
            return self._of_method(method)
        if isinstance(method, ClassValue):
            info = method.instance.cls
            if info.unit.external:
                return Chosen(outside=f"{info.module}.{info.name}")
            place = class_place(info)
            return Chosen(*place) if place is not None else Chosen(reason="local")
        if isinstance(method, Outside):
            return Chosen(outside=method.path)
        return Chosen(reason=self._reason(unit, call))

    def _of_method(self, method: FunctionValue) -> Chosen:
        owner = method.owner.cls if method.owner is not None else None
        name = method.unit.decls[method.declaration].name if method.declaration >= 0 else ""
        if method.unit.external:
            around = f"{method.unit.external}.{owner.name}" if owner is not None else method.unit.external
            return Chosen(outside=around if name == "<init>" else f"{around}.{name}")
        symbol = method.unit.functions[method.function].symbol
        return Chosen(method.unit, symbol) if symbol >= 0 else Chosen(reason="local")

    def _reason(self, unit: Unit, call: int) -> str:
        code = unit.code
        callee = code[call + 1]
        if code[call] == Op.CALL and callee >= 0 and code[callee] == Op.LEXICAL:
            found, _ = names.methods_named(self._engine, unit, code[callee + 1], unit.strings[code[callee + 2]])
            return "dynamic" if found else "receiver"
        return "receiver"

    # ------------------------------------------------------------------ names

    def place(self, unit: Unit, node: int) -> tuple[Unit, int] | None:
        """Return the symbol that a name without a dot means, or None."""
        engine, code = self._engine, unit.code
        shape, name, use = code[node + 1], unit.strings[code[node + 2]], code[node + 3]
        if use not in (Use.TYPE, Use.CALL):
            found = names.field_named(engine, unit, shape, name)
            if found is not None:
                if found.symbol < 0 or found.unit.external:
                    return None
                return found.unit, found.symbol
        if use == Use.CALL:
            return None
        return _class_of(names.type_named(engine, unit, shape, name))

    def label_place(self, unit: Unit, node: int) -> tuple[Unit, int] | None:
        """Return the symbol that a label of a `switch` names: a constant of the switched enum, a constant in scope, or a type."""
        engine, code = self._engine, unit.code
        name = unit.strings[code[node + 2]]
        found: Found | None = None
        for kind in members.receivers(engine, engine.type_of(unit, code[node + 1])):
            if kind.cls.unit.shapes[kind.cls.shape].kind == ShapeKind.ENUM:
                found = members.field(engine, kind, name)
        if found is None:
            found = names.field_named(engine, unit, code[node + 3], name)
        if found is None:
            return _class_of(names.type_named(engine, unit, code[node + 3], name))
        if found.symbol < 0 or found.unit.external:
            return None
        return found.unit, found.symbol

    def member_places(self, unit: Unit, node: int) -> list[tuple[Unit, int]]:
        """Return the symbol of a field or of a type after a dot."""
        engine, code = self._engine, unit.code
        value, name = values.anonymous_type(engine, unit, code[node + 1]), unit.strings[code[node + 2]]
        if isinstance(value, ModuleValue):
            outer_place = _class_of(names.member_of_package(engine, unit, value, name))
            if outer_place is None:
                return []
            return [outer_place]
        if code[node + 3] == MemberFlag.TYPE:
            type_place = _class_of(values.member_type(engine, value, name))
            return [type_place] if type_place is not None else []
        inner = value.instance if isinstance(value, ClassValue) else value
        for each in members.receivers(engine, inner):
            found = members.field(engine, each, name)
            if found is not None:
                if found.symbol < 0 or found.unit.external:
                    return []
                return [(found.unit, found.symbol)]
            nested = members.nested_type(engine, each.cls, name)
            if nested is None:
                continue
            inner_place = _class_of(nested)
            if inner_place is not None:
                return [inner_place]
        return []

    def imported(self, unit: Unit, decl: Decl) -> Iterator[tuple[int, str, tuple[Unit, int]]]:
        """Yield position, name and symbol of each part of an import that names a type or a static member."""
        engine, module = self._engine, unit.strings[decl.a]
        end = decl.position - 1
        for name in reversed(module.split(".")):
            place = _class_of(names.qualified(engine, unit, module))
            if place is None:
                break
            yield end - len(name), name, place
            module, end = module.rpartition(".")[0], end - len(name) - 1
        if decl.name == "*":
            return
        if decl.c != 1:
            place = _class_of(names.qualified(engine, unit, f"{unit.strings[decl.a]}.{decl.name}"))
            if place is not None:
                yield decl.position, decl.name, place
            return
        holder = names.qualified(engine, unit, unit.strings[decl.a])
        if not isinstance(holder, ClassValue):
            return
        found = members.field(engine, holder.instance, decl.name)
        if found is not None and found.symbol >= 0 and not found.unit.external:
            yield decl.position, decl.name, (found.unit, found.symbol)
        for method in members.methods(engine, holder.instance, decl.name)[:1]:
            symbol = method.unit.functions[method.function].symbol
            if symbol >= 0 and not method.unit.external:
                yield decl.position, decl.name, (method.unit, symbol)

    def annotation_elements(self, unit: Unit, annotation: int) -> Iterator[tuple[int, str, tuple[Unit, int]]]:
        """Yield position, name and symbol of each element that an annotation sets by name."""
        engine, code = self._engine, unit.code
        keys = [each for each in unit.items(code[annotation + 2]) if each >= 0 and code[each] == Op.PROP]
        kind = engine.type_of(unit, code[annotation + 1]) if keys else None
        if not isinstance(kind, ClassValue):
            return
        for key in keys:
            name = unit.strings[code[key + 2]]
            for method in members.methods(engine, kind.instance, name)[:1]:
                symbol = method.unit.functions[method.function].symbol
                if symbol >= 0 and not method.unit.external:
                    yield code[key + 4], name, (method.unit, symbol)

    # ------------------------------------------------------------------ heritage

    def bases(self, unit: Unit, shape: Shape) -> Iterator[HeritageEdge]:
        """Yield the written bases of a type."""
        from_id = self._symbol_id(unit, shape.symbol)
        seen: set[str] = set()
        for kind, nodes in (("extends", shape.extends), ("implements", shape.implements)):
            for node in nodes:
                if node < 0:
                    continue
                line = unit.line(unit.code[node + 4])
                for base in parts(self._engine.annotation(unit, node)):
                    to_id, is_outside = self._base(base)
                    if to_id and to_id not in seen:
                        seen.add(to_id)
                        yield HeritageEdge(from_id, to_id, kind, line, is_outside)

    def _base(self, base: Type) -> tuple[str, bool]:
        rules = self._engine.program.rules
        if isinstance(base, Outside):
            return rules.external(base.path), True
        if not isinstance(base, Instance):
            return "", False
        place = class_place(base.cls)
        if place is not None:
            return self._symbol_id(*place), False
        return (rules.external(f"{base.cls.module}.{base.cls.name}"), True) if base.cls.module else ("", False)

    def overrides(self, unit: Unit, index: int) -> Iterator[OverrideEdge]:
        """Yield for each method of a type the nearest overridden methods: at most one in classes, and one per interface."""
        engine = self._engine
        own = names.own_instance(engine, unit, index)
        core = engine.core_type("Object")
        above = members.seen_by(engine, own)[1:]
        for member in unit.shapes[index].members:
            if member.kind != MemberKind.METHOD or member.static or member.optional or member.symbol < 0:
                continue
            mine = FunctionValue(unit, member.function, member.extra, own, own)
            hidden: set[int] = set()
            for owner in above:
                info = owner.cls
                if id(info) in hidden or (core is not None and info is core.cls):
                    continue
                for other in info.members_named(member.name):
                    if other.kind != MemberKind.METHOD or other.static or other.optional:
                        continue
                    theirs = FunctionValue(info.unit, other.function, other.extra, owner, own)
                    if not members.same_parameters(engine, mine, theirs):
                        continue
                    hidden.update(id(each.cls) for each in members.seen_by(engine, owner))
                    yield from self._override(unit, member.symbol, info, other.symbol, member.name)
                    break

    def _override(self, unit: Unit, symbol: int, info: ClassInfo, other: int, name: str) -> Iterator[OverrideEdge]:
        from_id = self._symbol_id(unit, symbol)
        if info.module:
            yield OverrideEdge(from_id, self._engine.program.rules.external(f"{info.module}.{info.name}.{name}"), True)
        elif other >= 0:
            yield OverrideEdge(from_id, self._symbol_id(info.unit, other))


def is_anonymous(shape: Shape) -> bool:
    """Return whether a type has no name. Only the methods of such a type are symbols."""
    return shape.symbol < 0 and not shape.name and shape.kind == ShapeKind.CLASS


def _class_of(kind: Type) -> tuple[Unit, int] | None:
    return class_place(kind.instance.cls) if isinstance(kind, ClassValue) else None
