"""Operations of scopes: the methods of chains, in Python and as text, with checked arguments."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, TypeVar, cast

from ....graphdb.scopes.fields import did_you_mean
from ....schema.errors import UsageError

Method = TypeVar("Method", bound=Callable[..., Any])
_MARK = "is_operation"


def operation(method: Method) -> Method:
    """Mark a method as an operation of chains.

    For an unknown argument, the marked method raises UsageError with the most similar name.
    """
    signature = inspect.signature(method)
    named = tuple(name for name, each in signature.parameters.items() if name != "self" and each.kind is not each.VAR_KEYWORD)
    is_open = any(each.kind is each.VAR_KEYWORD for each in signature.parameters.values())

    @wraps(method)
    def checked(self: object, *positional: object, **keywords: object) -> object:
        try:
            signature.bind(self, *positional, **keywords)
        except TypeError:
            raise UsageError(_complaint(method.__name__, named, positional, keywords, is_open)) from None
        return method(self, *positional, **keywords)

    setattr(checked, _MARK, True)
    return cast("Method", checked)


def operations_of(kind: type) -> Mapping[str, Callable[..., Any]]:
    """Return the operations of a class of scopes by name."""
    return {name: value for name, value in inspect.getmembers(kind, callable) if getattr(value, _MARK, False)}


def _complaint(
    name: str, named: tuple[str, ...], positional: tuple[object, ...], keywords: Mapping[str, object], is_open: bool
) -> str:
    unknown = next((word for word in keywords if word not in named), None)
    if unknown is not None and not is_open:
        return f"`{name}` takes no `{unknown}`. {did_you_mean(unknown, named)}" if named else f"`{name}` takes nothing."
    if len(positional) > len(named):
        takes = f"takes at most {len(named)} values" if named else "takes no values"
        hint = "; a filter is written name='x'" if is_open else ""
        return f"`{name}` {takes}, not {len(positional)}{hint}."
    missing = [word for word in named[len(positional) :] if word not in keywords]
    return f"`{name}` needs {', '.join(f'`{word}`' for word in missing)}." if missing else f"`{name}` has a value twice."
