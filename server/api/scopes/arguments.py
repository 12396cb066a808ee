"""Checks the arguments of operations of chains, and writes them in the syntax of chains."""

from __future__ import annotations

from ....graphdb.scopes.fields import plain_text
from ....schema.errors import UsageError


def natural(name: str, count: object) -> int:
    """Return the value if it is an integer of at least 0. Raises UsageError."""
    if not isinstance(count, int) or isinstance(count, bool) or not 0 <= count < 1 << 62:
        raise UsageError(f"`{name}` takes a number from 0, not {count!r}.")
    return count


def text_argument(operation: str, value: object) -> str:
    """Return the value if it is a text that is not empty. Raises UsageError."""
    if not isinstance(value, str) or not value.strip():
        raise UsageError(f"`{operation}` takes a text, not {value!r}.")
    return plain_text(operation, value)


def spelled(arguments: object) -> str:
    """Return arguments in the syntax of chains."""
    if isinstance(arguments, dict):
        return ", ".join(f"{name}={_value(value)}" for name, value in arguments.items())
    return ", ".join(map(_value, arguments)) if isinstance(arguments, tuple) else _value(arguments)


def _value(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list | tuple | set | frozenset):
        return f"[{', '.join(map(_value, value))}]"
    return repr(value)
