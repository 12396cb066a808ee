"""The results of decorators on functions and classes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ..facts.model import DeclKind
from ..facts.operations import Op
from ..languages.typescript.resolve.model.unit import Unit
from . import call_results, member_lookup
from .items import iteration
from .program import last_name
from .types import UNKNOWN, Callback, FunctionValue, Outside, Type, Variable, Wrapped, parts, union

if TYPE_CHECKING:
    from .engine import NominalEngine

#: Decorators that do not change the called function.
_NEUTRAL: Final = frozenset(
    (
        "overload",
        "abstractmethod",
        "final",
        "override",
        "wraps",
        "lru_cache",
        "cache",
        "singledispatch",
        "singledispatchmethod",
        "no_type_check",
    )
)


def decorators(unit: Unit, decl: int) -> list[int]:
    """Return the decorators of a function or class: names and other expressions; for a call, its callee."""
    if decl < 0 or unit.decls[decl].kind not in (DeclKind.FUNCTION, DeclKind.CLASS):
        return []
    code = unit.code
    return [code[node + 1] if code[node] == Op.CALL else node for node in unit.items(unit.decls[decl].b).tolist()]


def decorator_names(unit: Unit, decl: int) -> list[str]:
    """Return the last name of each decorator of a function or class; "" for other expressions."""
    return [last_name(unit, node) for node in decorators(unit, decl)]


def decorated(engine: NominalEngine, unit: Unit, node: int, value: Type) -> Type:
    """Return the result of a decorator on a function. The result of an unknown decorator is the function itself."""
    name = last_name(unit, unit.code[node + 1] if unit.code[node] == Op.CALL else node)
    if name in ("property", "cached_property", "abstractproperty", "hybrid_property", "getter"):
        return Wrapped(Wrapped.PROPERTY, value)
    if name in ("setter", "deleter"):
        return value
    if name == "staticmethod":
        return Wrapped(Wrapped.STATIC, value)
    if name == "classmethod":
        return Wrapped(Wrapped.CLASS, value)
    if name in _NEUTRAL:
        return value
    if name in ("contextmanager", "asynccontextmanager"):
        return _context_manager(engine, value, is_async=name[0] == "a")
    decorator = engine.type_of(unit, node)
    result = call_results.call_result(engine, decorator, [value], {})
    kinds = parts(result)
    if result is UNKNOWN or any(isinstance(each, (Outside, Variable)) for each in kinds):
        return value
    if isinstance(value, FunctionValue) and all(isinstance(each, (Callback, FunctionValue)) for each in kinds):
        # A call of a wrapper counts as a call of the wrapped function, because the caller wants to run the wrapped function.
        if _returns_its_argument(decorator):
            return _wrapping(engine, kinds, value)
        return union([_made_of(each, value) for each in kinds])
    return result


def _wrapping(engine: NominalEngine, kinds: tuple[Type, ...], value: FunctionValue) -> Type:
    """Return the result of a decorator without annotations on a function.

    A call has the result of the wrapper if this result is known without the decorated function.
    """
    wrapper = kinds[0]
    if len(kinds) > 1 or not isinstance(wrapper, FunctionValue) or wrapper == value:
        return value
    function = wrapper.unit.functions[wrapper.function]
    if function.return_type >= 0 or function.is_generator:
        return value
    level = engine.enter_level(0)  # without the argument types from call sites of the decorator
    is_known = member_lookup.knows_results(engine, wrapper)
    result = engine.returned(wrapper.unit, wrapper.function) if is_known else UNKNOWN
    engine.enter_level(level)
    return Callback(result, value) if is_known else value


def _made_of(made: Type, value: FunctionValue) -> Type:
    """Return the result of a decorator.

    If only the signature of the result is known, the result also records the decorated function.
    """
    is_open = isinstance(made, Callback) and made.function is None
    return Callback(made.result, value, made.parameters) if is_open and isinstance(made, Callback) else made


def _returns_its_argument(decorator: Type) -> bool:
    return isinstance(decorator, FunctionValue) and decorator.unit.functions[decorator.function].return_type < 0


def _context_manager(engine: NominalEngine, value: Type, *, is_async: bool) -> Type:
    if not isinstance(value, FunctionValue):
        return value
    unit, function = value.unit, value.unit.functions[value.function]
    if function.return_type >= 0:
        item = iteration.iterated(engine, engine.annotation(unit, function.return_type), is_async=is_async)
    else:
        item = union([engine.type_of(unit, unit.code[node + 1]) for node in function.yields])
    name = "AbstractAsyncContextManager" if is_async else "AbstractContextManager"
    manager = engine.builtin(name, (item,), "contextlib")
    return Callback(manager, value)
