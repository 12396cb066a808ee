"""Completions of a chain: the operations of the scope before the cursor, their arguments and the values of some fields."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from ....graphdb.scopes.fields import FIELDS, OPERATORS
from ....schema.languages import LANGUAGES
from ..scopes import kinds
from ..scopes.chain_evaluation import BEGINNINGS, ends_of
from ..scopes.chain_text import SET_OPERATORS, TOKEN
from ..scopes.commits import KEYWORDS, CommitScope
from ..scopes.operations import operations_of
from ..scopes.scope import Scope
from .completion import Completion, Completions, matching

_WORD = re.compile(r"\w*\Z")
_OPEN_TEXT = re.compile(r"(?:'(?:[^'\\\n]|\\.)*|\"(?:[^\"\\\n]|\\.)*)\Z")
#: The values of fields with few values.
_VALUES = {
    "language": tuple(sorted(language.name for language in LANGUAGES)),
    "exported": ("true", "false"),
    "is_test": ("true", "false"),
    "descending": ("true", "false"),
}
AnyScope = type[Scope[Any]] | type[CommitScope]


@dataclass(slots=True)
class _Open:
    """An open parenthesis, of a call or around a chain."""

    #: The scope before the call; None for a parenthesis around a chain.
    before: AnyScope | None
    method: Callable[..., Any] | None
    #: Name of the argument at the cursor, or "".
    argument: str = ""


def chain_completions(text: str, cursor: int) -> Completions:
    """Return the completions at the cursor of a chain. `cursor` is an offset in characters."""
    before = text[:cursor]
    word = _WORD.search(before)
    start = word.start() if word is not None else cursor
    reading = _Reading()
    if not reading.read(before[:start]):
        return _text_completions(reading, before, cursor)
    return matching(before[start:], start, reading.candidates())


def _text_completions(reading: _Reading, before: str, cursor: int) -> Completions:
    """Return the values of a field in an unfinished text at the cursor."""
    open_text = _OPEN_TEXT.search(before)
    if open_text is None or not reading.read(before[reading.position : open_text.start()]):
        return Completions(cursor, ())
    start = open_text.start() + 1
    return matching(before[start:], start, reading.values())


class _Reading:
    """Reads a chain up to the cursor, and evaluates the calls before it to scopes. No statement runs."""

    def __init__(self) -> None:
        self.position = 0
        self._scope: AnyScope | None = None
        self._open: list[_Open] = []
        self._name = ""
        self._last = ""

    def read(self, text: str) -> bool:
        """Read the tokens. Returns False at the first character that begins no token; `position` is then its offset."""
        stripped, at = text.rstrip(), 0
        while at < len(stripped):
            match = TOKEN.match(stripped, at)
            if match is None:
                return False
            kind = match.lastgroup or ""
            self._take(kind, match[kind])
            self.position += match.end() - at
            at = match.end()
        return True

    def candidates(self) -> Iterator[Completion]:
        """Yield the possible continuations."""
        if self._last == ".":
            yield from self._operations()
        elif self._last == "=":
            yield from (item for item in self.values() if item.text in ("true", "false"))
        elif self._last in ("(", ",", "[") and self._open and self._open[-1].method is not None:
            yield from self._arguments(self._open[-1])
        elif self._last in ("", "(", *SET_OPERATORS):
            yield from _beginnings()

    def values(self) -> Iterator[Completion]:
        """Yield the values of the argument at the cursor."""
        name = self._open[-1].argument.partition("__")[0] if self._open else ""
        return (Completion(value, "value") for value in _VALUES.get(name, ()))

    def _take(self, kind: str, text: str) -> None:
        if text == "(" and kind == "symbol":
            method = self._methods().get(self._name) if self._last == self._name else None
            self._open.append(_Open(self._scope, method))
            self._scope = None
        elif text == ")" and self._open:
            call = self._open.pop()
            self._scope = _scope_of_call(call) if call.method is not None else self._scope
        elif text in SET_OPERATORS and kind == "symbol":
            self._scope = None
        elif text == "=" and self._open:
            self._open[-1].argument = self._name
        elif text == "," and self._open:
            self._open[-1].argument, self._scope = "", None
        if kind == "name":
            self._name = text
        self._last = text

    def _methods(self) -> dict[str, Callable[..., Any]]:
        if self._scope is not None:
            return dict(operations_of(self._scope))
        return {name: method for name, method in operations_of(kinds.RepoScope).items() if name in BEGINNINGS}

    def _operations(self) -> Iterator[Completion]:
        if self._scope is None:
            return
        for name, method in operations_of(self._scope).items():
            yield _operation(name, method)
        for name in ends_of(self._scope):
            yield _operation(name, getattr(self._scope, name))

    def _arguments(self, call: _Open) -> Iterator[Completion]:
        assert call.method is not None
        parameters = inspect.signature(call.method).parameters.values()
        if any(each.annotation == "Self" for each in parameters):
            yield from _beginnings()
            return
        for each in parameters:
            if each.kind is each.POSITIONAL_OR_KEYWORD and each.name != "self":
                yield Completion(f"{each.name}=", "parameter", str(each.annotation))
        if any(each.kind is each.VAR_KEYWORD for each in parameters):
            yield from _filters(_scope_of_call(call))


def _scope_of_call(call: _Open) -> AnyScope | None:
    """Return the scope that a call returns; None for a call that ends the chain."""
    assert call.method is not None
    named = inspect.signature(call.method).return_annotation
    if named == "Self":
        return call.before
    found = CommitScope if named == "CommitScope" else getattr(kinds, str(named), None)
    return found if isinstance(found, type) and issubclass(found, Scope | CommitScope) else None


def _filters(scope: AnyScope | None) -> Iterator[Completion]:
    if scope is CommitScope:
        yield from (Completion(f"{name}=", "parameter") for name in KEYWORDS)
    elif scope is not None and issubclass(scope, Scope):
        for name, field in FIELDS[scope.kind].items():
            yield Completion(f"{name}=", "parameter", field.type)
            for operator in OPERATORS[field.type]:
                if operator != "eq":
                    yield Completion(f"{name}__{operator}=", "parameter", field.type)


def _beginnings() -> Iterator[Completion]:
    begun = operations_of(kinds.RepoScope)
    return (_operation(name, begun[name]) for name in BEGINNINGS)


def _operation(name: str, method: Callable[..., Any]) -> Completion:
    return Completion(f"{name}(", "operation", (inspect.getdoc(method) or "").partition("\n")[0])
