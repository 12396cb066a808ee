"""IMPLEMENTS, OVERRIDES and HAS_METHOD edges of languages in which a type implements an interface by having its methods."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from ....schema.edges import HeritageEdge, MethodEdge, OverrideEdge
from ...facts.model import Member, MemberKind, Shape, ShapeKind
from ...facts.operations import Op
from ...languages.typescript.resolve.model.unit import SymbolIds, Unit
from .. import call_results, class_order, embedding
from ..engine import NominalEngine
from ..types import UNKNOWN, Callback, ClassInfo, Instance, Outside, Type, Variable, parts, substitute
from .method_sets import VALUE, method_set

#: The built-in interface of Go.
_ERROR: Final = "error"
#: Maximum depth of nested types that are compared.
_MAX_NESTING: Final = 8


class Method(NamedTuple):
    """A method of a type, with the type that declares the method and the arguments of that type."""

    unit: Unit
    member: Member
    owner: Instance


class Interface(NamedTuple):
    """An interface of the repository or of an imported package, with all its methods by name."""

    info: ClassInfo
    methods: dict[str, Method]


class StructuralHeritage:
    """Finds the interfaces that types implement, file by file."""

    def __init__(self, engine: NominalEngine, symbol_id: SymbolIds) -> None:
        self._engine = engine
        self._symbol_id = symbol_id
        #: The interfaces by the longest name among their methods.
        self._interfaces: dict[str, list[Interface]] | None = None
        #: The interfaces that each type implements, by the identity of the type.
        self._known: dict[int, list[Interface]] = {}
        #: The types that embed each type, by the identity of the type.
        self._embedders: dict[int, list[ClassInfo]] | None = None

    def implemented(self, unit: Unit, index: int) -> Iterator[HeritageEdge]:
        """Yield the interfaces that a type implements, apart from the interfaces that it embeds."""
        shape = unit.shapes[index]
        info = self._engine.program.class_info(unit, index)
        order = class_order.linear_order(self._engine, info).order
        embedded = {id(each.cls) for each in order}
        from_id, line = self._symbol_id(unit, shape.symbol), unit.line(shape.position)
        for interface in self._satisfied_interfaces(info):
            target = interface.info
            if id(target) not in embedded:
                is_outside = bool(target.module)
                symbol = target.unit.shapes[target.shape].symbol
                to_id = self._external_id(target) if is_outside else self._symbol_id(target.unit, symbol)
                held = VALUE if self._is_interface(info) else method_set(self._engine, order[0], interface.methods)
                yield HeritageEdge(from_id, to_id, "implements", line, is_outside, held)

    def methods(self, unit: Unit, index: int) -> Iterator[MethodEdge]:
        """Yield the edges from a type to the methods that a file declares for it."""
        shape = unit.shapes[index]
        info = embedding.extended_type(self._engine, unit, shape.name)
        if info is None or info.unit.shapes[info.shape].symbol < 0:
            return
        type_id = self._symbol_id(info.unit, info.unit.shapes[info.shape].symbol)
        for member in shape.members:
            if member.symbol >= 0:
                yield MethodEdge(type_id, self._symbol_id(unit, member.symbol))

    def overridden(self, unit: Unit, index: int) -> Iterator[OverrideEdge]:
        """Yield for each method that a file declares for a type the interface methods that it implements.

        Types that embed the type also have the method, so their interfaces count, too.
        """
        shape = unit.shapes[index]
        info = embedding.extended_type(self._engine, unit, shape.name)
        if info is None:
            return
        for holder in (info, *self._embedding(info)):
            satisfied = self._satisfied_interfaces(holder)
            own = self._methods(holder) if satisfied and holder is not info else {}
            for interface in satisfied:
                for member in shape.members:
                    wanted = interface.methods.get(member.name)
                    if wanted is None or member.symbol < 0 or (holder is not info and own[member.name].member is not member):
                        continue
                    from_id = self._symbol_id(unit, member.symbol)
                    if wanted.owner.cls.module:
                        yield OverrideEdge(from_id, self._external_id(wanted.owner.cls, member.name), True)
                    elif wanted.member.symbol >= 0:
                        yield OverrideEdge(from_id, self._symbol_id(wanted.unit, wanted.member.symbol))

    def _external_id(self, info: ClassInfo, member: str = "") -> str:
        """Return the id of a type outside of the repository, or of one of its members."""
        return self._engine.program.rules.external(f"{info.module}.{info.name}{'.' * bool(member)}{member}")

    def _embedding(self, info: ClassInfo) -> list[ClassInfo]:
        """Return the types of the repository, except interfaces, that embed a type directly or through other types."""
        if self._embedders is None:
            self._embedders = {}
            for unit in self._engine.program.files():
                for index, shape in enumerate(unit.shapes):
                    if shape.kind == ShapeKind.CLASS and shape.symbol >= 0 and shape.extends:
                        self._engine.refuel()
                        outer = self._engine.program.class_info(unit, index)
                        for each in class_order.linear_order(self._engine, outer).order[1:]:
                            if each.cls.unit.shapes[each.cls.shape].kind == ShapeKind.CLASS:
                                self._embedders.setdefault(id(each.cls), []).append(outer)
        return self._embedders.get(id(info), [])

    # ------------------------------------------------------------------ computation

    def _satisfied_interfaces(self, info: ClassInfo) -> list[Interface]:
        known = self._known.get(id(info))
        if known is None:
            own = self._methods(info)
            listed = self._interfaces if self._interfaces is not None else self._list_interfaces()
            near = [interface for name in own for interface in listed.get(name, ()) if interface.info is not info]
            known = self._known[id(info)] = [interface for interface in near if self._has_all(own, interface)]
        return known

    def _has_all(self, own: dict[str, Method], interface: Interface) -> bool:
        if any(name not in own for name in interface.methods):
            return False
        for name, wanted in interface.methods.items():
            if not name[:1].isupper() and not self._same_package(own[name].unit, wanted.unit):
                return False
        return all(self._same_signature(own[name], wanted) for name, wanted in interface.methods.items())

    def _same_package(self, one: Unit, other: Unit) -> bool:
        packages = self._engine.program.packages
        return packages.of(one) is packages.of(other)

    def _methods(self, info: ClassInfo) -> dict[str, Method]:
        """Return the methods of a type, including methods of types that it embeds; for each name the nearest method.

        If two embedded types of one depth declare a name, the struct has no method of that name:
        https://go.dev/ref/spec#Selectors.
        """
        is_interface = info.unit.shapes[info.shape].kind == ShapeKind.INTERFACE
        found: dict[str, Method | None] = {}
        for level in embedding.levels(self._engine, class_order.linear_order(self._engine, info).order[0])[0]:
            here: dict[str, Method | None] = {}
            for group in level:
                for name, method in _declared(group).items():
                    here[name] = method if name not in here or is_interface else None
            for name, method in here.items():
                found.setdefault(name, method)
        return {name: method for name, method in found.items() if method is not None}

    def _list_interfaces(self) -> dict[str, list[Interface]]:
        found: dict[str, list[Interface]] = {}
        program = self._engine.program
        for unit in (*program.files(), *self._imported()):
            for index, shape in enumerate(unit.shapes):
                if _is_offered(unit, shape) and (shape.kind == ShapeKind.INTERFACE or (shape.implements and not unit.external)):
                    self._engine.refuel()
                    info = program.class_info(unit, index)
                    if not self._is_interface(info):
                        continue
                    methods = self._methods(info)
                    if methods and self._is_known(info):
                        # A long name is rare, so the interface is compared with few types.
                        key = max(methods, key=lambda name: (len(name), name))
                        found.setdefault(key, []).append(Interface(info, methods))
        self._interfaces = found
        return found

    def _is_interface(self, info: ClassInfo) -> bool:
        """Return whether a type is an interface, or a defined type whose underlying type is one: `type Failure error`."""
        for _ in range(_MAX_NESTING):
            shape = info.unit.shapes[info.shape]
            if shape.kind == ShapeKind.INTERFACE:
                return _is_offered(info.unit, shape)  # our declarations of types such as `string` are interfaces, too
            if len(shape.implements) != 1:
                return False
            base = self._engine.annotation(info.unit, shape.implements[0])
            if not isinstance(base, Instance):
                return False
            info = base.cls
        return False

    def _imported(self) -> Iterator[Unit]:
        """Yield the files of the runtime and of imported packages. Types of the repository may implement their interfaces."""
        program = self._engine.program
        seen: set[int] = set()
        runtime = program.runtime("builtins")
        imported = [program.module(*each) for each in self._imports()]
        for unit in (runtime, *imported):
            package = program.packages.of(unit) if unit is not None and unit.external and id(unit) not in seen else None
            for each in package.units if package is not None else ():
                seen.add(id(each))
                yield each

    def _imports(self) -> Iterator[tuple[str, str]]:
        """Yield the import paths in the files of each folder, each with the path of one importing file."""
        seen: set[tuple[str, str]] = set()
        for unit in self._engine.program.files():
            for entry in unit.facts.imports:
                key = (entry.specifier, unit.path.rpartition("/")[0])
                if key not in seen:
                    seen.add(key)
                    yield entry.specifier, unit.path

    def _is_known(self, info: ClassInfo) -> bool:
        """Return whether all methods of an interface are known, and the interface is not a constraint with listed types."""
        linear = class_order.linear_order(self._engine, info)
        if not linear.is_complete:
            return False
        return all(not _lists_types(each.cls.unit, each.cls.unit.shapes[each.cls.shape]) for each in linear.order)

    # ------------------------------------------------------------------ signatures

    def _same_signature(self, one: Method, other: Method) -> bool:
        first, second = one.unit.functions[one.member.function], other.unit.functions[other.member.function]
        if len(first.parameters) != len(second.parameters) or _differ_in_pointers(first.written, second.written):
            return False
        for mine, theirs in zip(first.parameters[1:], second.parameters[1:], strict=True):
            if mine.rest != theirs.rest or not self._may_be_equal(self._type(one, mine.type), self._type(other, theirs.type), 0):
                return False
        if (first.return_type < 0) != (second.return_type < 0):
            return False
        return self._may_be_equal(self._type(one, first.return_type), self._type(other, second.return_type), 0)

    def _type(self, method: Method, node: int) -> Type:
        return substitute(self._engine.annotation(method.unit, node), call_results.arguments_of(self._engine, method.owner))

    def _may_be_equal(self, one: Type, other: Type, depth: int) -> bool:
        """Return whether two types may be equal; True if one is unknown."""
        if one is UNKNOWN or other is UNKNOWN or depth > _MAX_NESTING or isinstance(one, Variable) or isinstance(other, Variable):
            return True
        if isinstance(one, Callback) and isinstance(other, Callback):
            pairs = list(zip(one.parameters, other.parameters, strict=False))
            is_long = len(one.parameters) == len(other.parameters)
            return (
                is_long
                and self._may_be_equal(one.result, other.result, depth + 1)
                and all(self._may_be_equal(a, b, depth + 1) for a, b in pairs)
            )
        if isinstance(one, Instance) and isinstance(other, Instance):
            if one.cls is not other.cls:
                return not one.cls.name and not other.cls.name and self._same_shape(one, other, depth + 1)
            first, second = one.items or one.arguments, other.items or other.arguments
            return len(first) == len(second) and all(
                self._may_be_equal(a, b, depth + 1) for a, b in zip(first, second, strict=True)
            )
        if isinstance(one, Outside) or isinstance(other, Outside):
            return isinstance(one, Outside) and isinstance(other, Outside) and one.path == other.path
        return len(parts(one)) > 1 or len(parts(other)) > 1 or one == other

    def _same_shape(self, one: Instance, other: Instance, depth: int) -> bool:
        """Return whether two types without names may be the same, because their members have the same names and types."""
        first, second = one.cls.unit.shapes[one.cls.shape], other.cls.unit.shapes[other.cls.shape]
        if first.kind != second.kind or len(first.extends) != len(second.extends):
            return False
        if [member.name for member in first.members] != [member.name for member in second.members]:
            return False
        pairs = [
            (
                self._type(Method(one.cls.unit, mine, one), mine.type),
                self._type(Method(other.cls.unit, theirs, other), theirs.type),
            )
            for mine, theirs in zip(first.members, second.members, strict=True)
            if mine.type >= 0 and theirs.type >= 0
        ]
        return all(self._may_be_equal(mine, theirs, depth) for mine, theirs in pairs)


def _is_offered(unit: Unit, shape: Shape) -> bool:
    """Return whether the types of the repository may implement a type, if it is an interface."""
    return shape.name[:1].isupper() or shape.name == _ERROR if unit.external else shape.symbol >= 0


def _declared(group: list[Instance]) -> dict[str, Method | None]:
    """Return the methods that a type declares, by name; None for its fields, which hide methods of types that it embeds."""
    found: dict[str, Method | None] = {}
    for each in group:
        unit = each.cls.unit
        for member in unit.shapes[each.cls.shape].members:
            if member.name not in found and member.name[:2] != "__":
                found[member.name] = Method(unit, member, each) if member.kind == MemberKind.METHOD else None
    return found


def _lists_types(unit: Unit, shape: Shape) -> bool:
    return any(unit.code[node] == Op.T_UNION for node in shape.extends if node >= 0)


def _differ_in_pointers(one: str, other: str) -> bool:
    """Return whether two written signatures have the same names of types, but not the same stars.

    Signatures with other names stay undecided, because an alias may stand for a pointer.
    """
    return one != other and one.replace("*", "") == other.replace("*", "")
