"""Values of declarations: variables, functions, and the results of functions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ..facts.model import Decl, DeclKind, Reach
from ..facts.operations import Op
from ..languages.typescript.resolve.model.unit import Unit
from . import class_order, decorators, embedding, imported_values, parameter_types, stub_types, written_types
from .call_sites import call_site_types
from .items import collected_items, iteration
from .program import last_name
from .types import NONE, UNKNOWN, ClassValue, FunctionValue, Instance, Outside, Overloads, Type, Variable, Wrapped, parts, union

if TYPE_CHECKING:
    from .engine import NominalEngine

_VARIABLES: Final = frozenset(("TypeVar", "ParamSpec", "TypeVarTuple"))
#: Annotations that leave the type of a variable to its value.
_OPEN: Final = frozenset(("TypeAlias", "Final", "ClassVar"))
_ACCESSORS: Final = frozenset(("setter", "deleter", "getter"))


def bound_value(engine: NominalEngine, unit: Unit, binding: int) -> Type:
    """Return the possible value of a name, from all its declarations."""
    decls = unit.bindings[binding].decls
    annotated = [i for i in decls if unit.decls[i].kind == DeclKind.VARIABLE and unit.decls[i].a >= 0]
    if annotated:
        is_assigned_again = len(decls) > 1 and not engine.program.rules.is_static
        written = _written(engine, unit, annotated[-1]) if is_assigned_again else UNKNOWN
        return engine.declared(unit, annotated[-1]) if written is UNKNOWN or isinstance(written, Outside) else written
    functions = [i for i in decls if unit.decls[i].kind == DeclKind.FUNCTION]
    if len(functions) == len(decls) and len(functions) > 1:
        return function_values(engine, unit, functions)
    return union([engine.declared(unit, i) for i in decls])


def function_values(engine: NominalEngine, unit: Unit, decls: list[int]) -> Type:
    """Return the value of a name that several functions define: overloads, a property, or the last definitions."""
    overloads = [i for i in decls if "overload" in decorators.decorator_names(unit, i)]
    if overloads and len(decls) > 1:
        found = [engine.declared(unit, i) for i in overloads]
        if all(isinstance(each, FunctionValue) for each in found):
            return Overloads(tuple([each for each in found if isinstance(each, FunctionValue)]))
        kinds = {each.kind for each in found if isinstance(each, Wrapped)}
        inner = tuple([w.value for w in found if isinstance(w, Wrapped) and isinstance(w.value, FunctionValue)])
        if len(kinds) == 1 and inner:
            return Wrapped(kinds.pop(), Overloads(tuple([each for each in inner if isinstance(each, FunctionValue)])))
    accessors = [i for i in decls if _is_accessor(unit, i)]
    others = [i for i in decls if i not in accessors]
    if accessors:
        return engine.declared(unit, (others or decls)[0])
    return union([engine.declared(unit, i) for i in last_definitions(unit, others)])


def _is_accessor(unit: Unit, decl: int) -> bool:
    return not _ACCESSORS.isdisjoint(decorators.decorator_names(unit, decl))


def last_definitions(unit: Unit, decls: list[int]) -> list[int]:
    """Return the definitions of one name that may be valid at the end of its scope. Branches may each define the name."""
    ends = [i for i in decls if unit.decls[i].c == Reach.END]
    return ends if ends else decls[-1:]


def function_group(engine: NominalEngine, unit: Unit, decl: int) -> Type:
    """Return the value of a name after a definition, which may be the last of several overloads or accessors."""
    binding = unit.binding_of(decl)
    decls = unit.bindings[binding].decls if binding is not None else [decl]
    group = [decl]
    for other in reversed(decls[: decls.index(decl)]):
        if unit.decls[other].kind != DeclKind.FUNCTION:
            break
        names = decorators.decorator_names(unit, other)
        if "overload" not in names and not _is_accessor(unit, group[0]):
            break
        group.insert(0, other)
    return function_values(engine, unit, group) if len(group) > 1 else engine.declared(unit, decl)


def declared_value(engine: NominalEngine, unit: Unit, index: int) -> Type:
    """Return the value of one declaration."""
    decl = unit.decls[index]
    kind = decl.kind
    if kind == DeclKind.VARIABLE:
        return _variable(engine, unit, index)
    if kind == DeclKind.FUNCTION:
        return _function(engine, unit, index)
    if kind == DeclKind.CLASS:
        info = stub_types.class_of_source(engine, unit, decl.a) or engine.program.class_info(unit, decl.a)
        return ClassValue(Instance(info, class_order.class_parameters(engine, info)))
    if kind == DeclKind.ALIAS and engine.program.rules.is_static:
        return written_types.class_of(engine, engine.annotation(unit, decl.a))
    if kind == DeclKind.PARAMETER:
        return parameter_types.parameter_type(engine, unit, index)
    if kind == DeclKind.IMPORT:
        return imported_values.imported_value(engine, unit, decl)
    if kind == DeclKind.TYPE_PARAMETER:
        outside = decl.a < 0 and decl.b >= 0 and engine.program.rules.is_static
        bound = embedding.bound_outside(engine, unit, decl) if outside else engine.annotation(unit, decl.a)
        return Variable(decl.name, (unit.path, decl.position), bound)
    return UNKNOWN


def _written(engine: NominalEngine, unit: Unit, index: int) -> Type:
    annotation = unit.decls[index].a
    return UNKNOWN if last_name(unit, annotation) in _OPEN else engine.annotation(unit, annotation)


def _variable(engine: NominalEngine, unit: Unit, index: int) -> Type:
    decl = unit.decls[index]
    if engine.program.rules.is_static:
        return engine.annotation(unit, decl.a) if decl.a >= 0 else engine.type_of(unit, decl.b)
    if decl.a < 0:
        binding = unit.binding_of(index)
        if binding is not None and unit.scopes and unit.scopes[0].names.get(decl.name) == binding:
            written = stub_types.variable(engine, unit, decl.name)
            if written is not UNKNOWN:
                return written
        value = _named_variable(engine, unit, decl) or engine.type_of(unit, decl.b)
        return collected_items.with_added(engine, unit, value, unit.bindings[binding].assigned) if binding is not None else value
    if last_name(unit, decl.a) in _OPEN:
        return engine.type_of(unit, decl.b)
    wanted = engine.annotation(unit, decl.a)
    if decl.b < 0:
        return wanted
    given = engine.type_of(unit, decl.b)
    # An annotation before the name belongs to an earlier declaration, so a value of an unrelated type keeps its own type.
    is_written_here = unit.code[decl.a + 4] > decl.position
    return _assigned(engine, wanted, given, wanted if is_written_here else given)


def _assigned(engine: NominalEngine, wanted: Type, given: Type, otherwise: Type) -> Type:
    """Return the value of a name with a declared type after an assignment; `otherwise` for a value of an unrelated type."""
    if given is UNKNOWN or isinstance(given, Outside):
        return wanted
    if wanted is UNKNOWN or isinstance(wanted, Outside):
        return given
    if given is NONE:
        return NONE if NONE in parts(wanted) else wanted
    kept = [each for each in parts(wanted) if any(class_order.is_subclass(engine, g, each) is not False for g in parts(given))]
    if len(parts(given)) == 1 and isinstance(given, Instance):
        for each in parts(wanted):
            if isinstance(each, Instance) and each.cls is not given.cls and class_order.is_subclass(engine, given, each):
                return given
    if kept:
        return union(kept)
    # A value whose type is a base class of the declared type counts as the declared type, as in type checkers.
    derived = [each for each in parts(wanted) if any(class_order.is_subclass(engine, each, g) for g in parts(given))]
    return union(derived) if derived else otherwise


def _named_variable(engine: NominalEngine, unit: Unit, decl: Decl) -> Type | None:
    """Return the type variable that `T = TypeVar("T")` declares, or None for another variable."""
    code, value = unit.code, decl.b
    if value < 0 or code[value] != Op.CALL or last_name(unit, code[value + 1]) not in _VARIABLES:
        return None
    bound: Type = UNKNOWN
    for argument in unit.items(code[value + 2]):
        if code[argument] == Op.PROP and unit.strings[code[argument + 2]] == "bound":
            bound = engine.annotation(unit, code[argument + 1])
    return Variable(decl.name, (unit.path, decl.position), bound)


def _function(engine: NominalEngine, unit: Unit, index: int) -> Type:
    decl = unit.decls[index]
    made: Type = FunctionValue(unit, decl.a, index)
    for node in reversed(unit.items(decl.b).tolist()):
        made = decorators.decorated(engine, unit, node, made)
    return made


def returned_value(engine: NominalEngine, unit: Unit, index: int) -> Type:
    """Return the result of a function, from its annotation or from its body."""
    function = unit.functions[index]
    if function.return_type >= 0:
        result = engine.annotation(unit, function.return_type)
        if function.is_async and not function.is_generator:
            return engine.builtin("Coroutine", (UNKNOWN, UNKNOWN, result), "typing")
        return result
    if not function.has_body:
        return UNKNOWN
    passed = call_site_types.returned_parameters(unit, index)
    returns = [engine.type_of(unit, node) for node in function.returns if node not in passed]
    if passed:
        # An argument that a function returns unchanged depends on the call, so inferred types from other call sites are left out.
        level, reads = engine.enter_level(0), engine.reads
        returns += [engine.type_of(unit, node) for node in passed]
        engine.enter_level(level)
        engine.reads = reads
    if function.falls_through:
        returns.append(NONE)
    result = union(returns)
    if function.is_generator:
        items = [
            engine.type_of(unit, unit.code[node + 1])
            if unit.code[node + 3] != 1
            else iteration.iterated(engine, engine.type_of(unit, unit.code[node + 1]))
            for node in function.yields
        ]
        name = "AsyncGenerator" if function.is_async else "Generator"
        return engine.builtin(name, (union(items), UNKNOWN, result), "typing")
    return engine.builtin("Coroutine", (UNKNOWN, UNKNOWN, result), "typing") if function.is_async else result


def resumed_value(engine: NominalEngine, unit: Unit, node: int) -> Type:
    """Return the value of a `yield`: the value sent to the generator, or the result of the inner generator for `yield from`."""
    code = unit.code
    if code[node + 3] == 1:
        made = engine.type_of(unit, code[node + 1])
        return made.arguments[2] if isinstance(made, Instance) and len(made.arguments) == 3 else UNKNOWN
    written = _written_results(engine, unit).get(node, -1)
    made = engine.annotation(unit, written)
    return made.arguments[1] if isinstance(made, Instance) and len(made.arguments) > 1 else UNKNOWN


def _written_results(engine: NominalEngine, unit: Unit) -> dict[int, int]:
    """Return the annotated result of the function around each `yield` of a file."""
    found = engine.result_tables.get(id(unit))
    if found is None:
        found = engine.result_tables[id(unit)] = {
            node: function.return_type for function in unit.functions for node in function.yields
        }
    return found
