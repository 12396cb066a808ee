"""The models and rows that expressions hold."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from .....facts.data import SLOT
from .....facts.model import DeclKind
from .....facts.operations import ContextKind, Op
from ...resolve.call_targets import resolve_call, unwrapped
from ...resolve.engine import Engine
from ...resolve.model.binder import Declared, Entity, Value
from ...resolve.model.type_model import Instance, Static
from ...resolve.model.unit import SymbolIds, Unit
from ..mappers.rules import Mapper, Result, Role
from .annotations import Annotations
from .assigned_members import AssignedMembers
from .called_values import CalledValues
from .class_slots import ClassSlots
from .held_value import CALLS, MAX_STEPS, Held
from .known_texts import KnownTexts
from .libraries import Libraries
from .made_models import MadeModels
from .members import Members
from .open_parameters import OpenParameters
from .target import Target
from .this_values import ThisValues

#: Operations whose result holds the same model or row as their operand.
_AROUND: Final = frozenset(
    (Op.AWAIT, Op.NON_NULL, Op.NARROW, Op.AS, Op.INSTANTIATION, Op.ITERATED, Op.INDEX, Op.ELEMENT, Op.SPREAD)
)


class HeldModels:
    """Finds the models in the expressions of a program, by the types of the expressions and by the values of names."""

    def __init__(self, engine: Engine, symbol_id: SymbolIds, mappers: Sequence[Mapper]) -> None:
        self._engine = engine
        self._symbol_id = symbol_id
        self._known: dict[tuple[int, int], Held | None] = {}
        #: Expressions that are being read.
        self._active: set[tuple[int, int]] = set()
        #: Number of times that reading was cut off.
        self._cut_offs = 0
        self.texts = KnownTexts(engine)
        self.objection = self.texts.objection
        self.slots = ClassSlots(engine, symbol_id, self.objection)
        self.libraries = libraries = Libraries(engine, mappers)
        self.annotations = annotations = Annotations(engine, self, libraries, self.slots)
        self._made = made = MadeModels(libraries, self.texts)
        self._members = Members(engine, self, libraries, annotations, self.texts)
        self._calls = CalledValues(engine, self, libraries, annotations, self.texts, made)
        self._this_values = ThisValues(self, made)
        self._assigned: dict[int, AssignedMembers] = {}
        self._open: dict[int, OpenParameters] = {}

    def cut_off(self) -> None:
        """Note that the limit of steps ended a search, so that its answer depends on where it began."""
        self._cut_offs += 1

    def held(self, unit: Unit, node: int, steps: int = MAX_STEPS) -> Held | None:
        """Return the model, row, query or connection that an expression holds, or None."""
        if node < 0:
            return None
        key = (unit.index, node)
        if key in self._known:
            return self._known[key]
        if not steps or key in self._active:
            self.cut_off()
            return None
        before = self._cut_offs
        self._active.add(key)
        found = self._find(unit, node, steps - 1)
        self._active.discard(key)
        # An answer that was cut off depends on the outer calls in progress. Only the outermost call remembers it.
        if self._cut_offs == before or not self._active:
            self._known[key] = found
        return found

    def _find(self, unit: Unit, node: int, steps: int) -> Held | None:
        code = unit.code
        op = code[node]
        if op in (Op.NAME, Op.MEMBER):
            return self._of_name(unit, node, steps)
        if op in _AROUND:
            inner = self.held(unit, code[node + 1], steps)
            is_part = op in (Op.ITERATED, Op.INDEX, Op.ELEMENT)
            if inner is None or (is_part and inner.kind == Result.MODEL):
                written = code[node + 2] if op == Op.AS else -1  # `{} as ReturnType<typeof drizzle>`
                return self.of_type(unit, node) or self.annotations.of(unit, written, steps)
            is_run = op == Op.AWAIT and inner.kind == Result.QUERY and (inner.mapper is None or inner.mapper.awaits_queries)
            return inner._replace(kind=Result.ROW) if is_run else inner
        if op in CALLS:
            made = self._calls.of(unit, node, steps)
            if made is None or (made.target is not None and made.target.model.startswith(SLOT)):
                return self.of_type(unit, node) or made
            return made
        if op == Op.PARAMETER:
            return self._of_parameter(unit, node, steps)
        if op == Op.THIS:
            return self._this_values.of(unit, node, steps) or self.of_type(unit, node)
        if op == Op.LOGICAL:
            return self.held(unit, code[node + 1], steps) or self.held(unit, code[node + 2], steps)
        if op == Op.CONDITIONAL:
            return self.held(unit, code[node + 2], steps) or self.held(unit, code[node + 3], steps)
        if op == Op.SEQUENCE:
            return self.held(unit, unwrapped(unit, node), steps)
        if op == Op.ASSIGN:
            return self.held(unit, code[node + 2], steps)
        return self.of_type(unit, node)

    def _of_name(self, unit: Unit, node: int, steps: int) -> Held | None:
        engine, code = self._engine, unit.code
        entity = engine.binder.dotted(unit, node) if code[node] == Op.MEMBER else engine.binder.named(unit, node)
        found = self.of_entity(entity, steps) if entity is not None else None
        if found is None and code[node] == Op.MEMBER:
            found = self._members.of(unit, node, steps)
        return found or self.of_type(unit, node) or self._members.named(unit, node)

    def of_entity(self, entity: Entity, steps: int) -> Held | None:
        if isinstance(entity, Value):
            return self._of_value(entity.unit, entity.node, entity.symbol, steps)
        if not isinstance(entity, Declared) or entity.unit.external:
            return None
        for index in entity.facts.decls:
            decl = entity.unit.decls[index]
            if decl.kind not in (DeclKind.VARIABLE, DeclKind.PARAMETER):
                continue
            found = self.annotations.of(entity.unit, decl.a, steps) if decl.a >= 0 else None
            if found is not None:
                return found
            if decl.a < 0 or self._is_any(entity.unit, decl.a):
                found = self._of_value(entity.unit, decl.b, decl.symbol, steps)
                if found is None:
                    assigned = self.assigned(entity.unit).of_names.get(entity.binding, ())
                    found = self.held(entity.unit, assigned[0], steps) if len(assigned) == 1 else None
                if found is not None:
                    return found
        return None

    def is_unknown(self, unit: Unit, node: int) -> bool:
        """Return whether the type of an expression is unknown."""
        self._engine.refuel()
        return self._engine.type_of(unit, node).opaque

    def _is_any(self, unit: Unit, annotation: int) -> bool:
        """Return whether an annotation says nothing about a value: `const user: any = await User.findByPk(1)`."""
        return unit.code[annotation] == Op.T_PRIMITIVE and unit.strings[unit.code[annotation + 2]] == "any"

    def _of_value(self, unit: Unit, node: int, symbol: int, steps: int) -> Held | None:
        """Return the model, row, query or connection that a value holds.

        The model of a call is the symbol to which the result is assigned.
        """
        made = self._made.of(unit, node)
        if made is not None and symbol >= 0:
            return made._replace(target=Target(self._symbol_id(unit, symbol)))
        return self.held(unit, node, steps)

    def _of_parameter(self, unit: Unit, node: int, steps: int) -> Held | None:
        """Return the argument of a callback: the rows of a list or a promise, or the connection of a transaction."""
        function = unit.function_node(unit.code[node + 1])
        if function is None or unit.code[node + 3] != 0:
            return None
        kind, call, _ = unit.contexts[function]
        if kind != ContextKind.ARGUMENT or unit.code[call] != Op.CALL:
            return None
        callee = unwrapped(unit, unit.code[call + 1])
        if unit.code[callee] != Op.MEMBER:
            return None
        inner = self.held(unit, unit.code[callee + 1], steps)
        if inner is None or inner.kind == Result.MODEL:
            return self.libraries.manager(unit, unit.code[callee + 1])
        if inner.kind != Result.QUERY:
            return inner
        return self._of_relation(unit, call, inner) or Held(Result.MANAGER, None, inner.mapper)

    def _of_relation(self, unit: Unit, call: int, query: Held) -> Held | None:
        """Return the query of a relation in a callback: of `user` in `Post.query().preload("user", (user) => …)`."""
        name = unit.strings[unit.code[unwrapped(unit, unit.code[call + 1]) + 2]]
        method = query.mapper.of_query.get(name) if query.mapper is not None else None
        if method is None or method.arguments[:1] != (Role.RELATIONS,) or query.target is None:
            return None
        text = self.texts.of(unit, unit.items(unit.code[call + 2]).tolist()[0])
        return query._replace(target=Target(query.target.model, (*query.target.path, text))) if text else None

    def of_type(self, unit: Unit, node: int) -> Held | None:
        """Return the model, the row or the value of a library that an expression holds, by its type."""
        for kind in self.libraries.parts(unit, node):
            if isinstance(kind, Static) and not kind.entity.unit.external:
                own = self.slots.class_target(kind.entity)
                if own is not None:
                    return Held(Result.MODEL, own)
            for _ in range(2):  # a list or a promise of rows
                if isinstance(kind, Instance) and kind.entity.unit.external and kind.arguments:
                    kind = kind.arguments[0]
            if isinstance(kind, Instance) and not kind.entity.unit.external:
                of_base = self.annotations.of_bases(kind, MAX_STEPS)
                if of_base is not None:
                    return of_base
            own = self.slots.row_target(kind)
            if own is not None:
                return Held(Result.ROW, own)
        return self.libraries.manager(unit, node)

    def passed(self, unit: Unit, call: int) -> Iterator[tuple[str, Target]]:
        """Yield the slots of open parameters that a call fills, each with its model."""
        site = resolve_call(self._engine, unit, call)
        for target in site.targets if site is not None else ():
            if target.unit is None or target.unit.external:
                continue
            parameters = self.open_parameters(target.unit)
            positions = parameters.positions.get(target.symbol)
            for position, argument in enumerate(unit.items(unit.code[call + 2]).tolist() if positions else ()):
                if positions is None or position not in positions or unit.code[argument] == Op.SPREAD:
                    continue
                held = self.held(unit, argument)
                if held is None or held.target is None or held.kind not in (Result.ROW, Result.MODEL):
                    continue
                slot = parameters.slot_of(target.symbol, position)
                for mapper in [held.mapper] if held.mapper is not None else self.libraries.mappers:
                    yield f"{slot} {held.kind} {mapper.name}", held.target

    def assigned(self, unit: Unit) -> AssignedMembers:
        """Return the assignments to members in a file."""
        if unit.index not in self._assigned:
            self._assigned[unit.index] = AssignedMembers(unit)
        return self._assigned[unit.index]

    def open_parameters(self, unit: Unit) -> OpenParameters:
        """Return the parameters without types in a file, whose callers decide which models or rows they hold."""
        if unit.index not in self._open:
            self._open[unit.index] = OpenParameters(unit, self._symbol_id, self.assigned(unit))
        return self._open[unit.index]
