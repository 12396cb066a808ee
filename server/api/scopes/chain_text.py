"""Read a chain as text: calls joined by dots, with values, lists and other chains as arguments. Nothing is evaluated.

files(language='go').symbols(kind='method').callers(depth=2)
(symbols(kind='class') - symbols(is_test=true)).sort('importance', descending=true).limit(10)
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple, TypeAlias, TypeVar

from ....schema.errors import UsageError

Item = TypeVar("Item")

#: Maximum number of characters of a chain.
MAX_LENGTH = 10_000
#: Maximum depth of parentheses, lists and arguments.
MAX_DEPTH = 20
TOKEN = re.compile(
    r"""\s*(?:(?P<name>[A-Za-z_]\w*)|(?P<number>-?\d+)(?![\w.])
    |(?P<text>'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*")|(?P<symbol>[().,=\[\]|&-]))""",
    re.VERBOSE,
)
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_ESCAPED = {"n": "\n", "t": "\t"}
_WORDS: dict[str, object] = {"true": True, "false": False, "True": True, "False": False, "None": None, "null": None}
#: Set operators, and the name of the operation of each.
SET_OPERATORS = {"|": "union", "&": "intersect", "-": "minus"}
#: Maximum number of digits of a number.
_DIGITS = 19


class ChainError(UsageError):
    """The text of a chain is invalid; the message shows the place."""

    def __init__(self, message: str, position: int | None = None) -> None:
        super().__init__(message)
        #: The place of the error as an offset in characters; None if the error has no place.
        self.position = position


class Call(NamedTuple):
    """A call with its arguments."""

    name: str
    arguments: tuple[Argument, ...]
    #: Offset of the name in the text, from 0.
    position: int


class Argument(NamedTuple):
    """An argument: a value, or a chain as a tree."""

    #: Name of a keyword argument; "" for a positional argument.
    name: str
    value: object
    position: int


class Chained(NamedTuple):
    """A sequence of calls; the first may be a chain in parentheses."""

    start: Call | Tree
    calls: tuple[Call, ...]


class Combined(NamedTuple):
    """Two chains joined by a set operation."""

    operator: str
    left: Tree
    right: Tree
    position: int


Tree: TypeAlias = Chained | Combined


class _Token(NamedTuple):
    kind: str
    text: str
    position: int


def read_chain(text: str) -> Tree:
    """Return the tree of a chain. Raises ChainError with the place of the error."""
    if not text.strip():
        raise ChainError("The query is empty. Write for example: files(language='go').symbols(kind='method').callers(depth=2)")
    if len(text) > MAX_LENGTH:
        raise ChainError(f"The query is longer than {MAX_LENGTH:,} characters.")
    return _Reader(text).whole()


#: A word that is shortened in messages.
_LONG_WORD = re.compile(r"\S{200,}")
#: Number of characters that remain of a shortened word.
_SHOWN = 60


def chain_error(text: str, position: int, message: str) -> ChainError:
    """Return an error whose message contains the column of the error, and the text around it with a mark below.

    Long words of the text are shortened in the message.
    """
    start = max(0, position - 40)
    shown = text[start : position + 40].replace("\n", " ").replace("\t", " ")
    mark = " " * (position - start) + "^"
    told = _LONG_WORD.sub(lambda found: f"{found[0][:_SHOWN]}…", message)
    return ChainError(f"{told} (at character {position + 1})\n  {shown}\n  {mark}", position)


class _Reader:
    """Reads one chain by recursive descent."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._tokens = self._tokenized()
        self._next = 0
        self._depth = 0

    def whole(self) -> Tree:
        tree = self._sets()
        if self._token.kind != "end":
            raise self._wrong("Expected a dot and another call, a set operator (| & -) or the end")
        return tree

    def _tokenized(self) -> list[_Token]:
        tokens: list[_Token] = []
        position = 0
        while position < len(self._text.rstrip()):
            match = TOKEN.match(self._text, position)
            if match is None:
                raise self._unreadable(position)
            kind = match.lastgroup or ""
            tokens.append(_Token(kind, match[kind], match.start(kind)))
            position = match.end()
        return [*tokens, _Token("end", "", len(self._text))]

    def _unreadable(self, position: int) -> ChainError:
        while self._text[position].isspace():
            position += 1
        character = self._text[position]
        if character in "'\"":
            return chain_error(self._text, position, "This text has no closing quote")
        if character.isdigit():
            return chain_error(self._text, position, "Numbers are whole and stand alone")
        return chain_error(self._text, position, f"{character!r} has no meaning here")

    def _sets(self) -> Tree:
        self._enter()
        tree = self._chain()
        while self._token.text in SET_OPERATORS and self._token.kind == "symbol":
            operator = self._take()
            tree = Combined(SET_OPERATORS[operator.text], tree, self._chain(), operator.position)
        self._depth -= 1
        return tree

    def _chain(self) -> Tree:
        start: Call | Tree
        if self._is("("):
            self._take()
            start = self._sets()
            self._expect(")", "a closing parenthesis")
        else:
            start = self._call()
        calls: list[Call] = []
        while self._is("."):
            self._take()
            calls.append(self._call())
        return start if isinstance(start, Chained | Combined) and not calls else Chained(start, tuple(calls))

    def _call(self) -> Call:
        name = self._token
        if name.kind != "name":
            raise self._wrong("Expected the name of a scope or step, such as symbols or callers")
        self._take()
        if not self._is("("):
            raise self._wrong(f"`{name.text}` is a call: write {name.text}(…)")
        self._take()
        arguments = self._listed(")", self._argument)
        return Call(name.text, tuple(arguments), name.position)

    def _argument(self) -> Argument:
        first = self._token
        if first.kind == "name" and self._following().text == "=":
            self._take()
            self._take()
            return Argument(first.text, self._value(), first.position)
        return Argument("", self._value(), first.position)

    def _value(self) -> object:
        token = self._token
        if token.kind == "text":
            self._take()
            return _ESCAPE.sub(lambda found: _ESCAPED.get(found[1], found[1]), token.text[1:-1])
        if token.kind == "number":
            if len(token.text.lstrip("-")) > _DIGITS:
                raise self._wrong(f"A number has at most {_DIGITS} digits")
            self._take()
            return int(token.text)
        if token.text == "[":
            self._take()
            self._enter()
            values = self._listed("]", self._value)
            self._depth -= 1
            return values
        if token.kind == "name" and self._following().text != "(":
            if token.text not in _WORDS:
                raise self._wrong(f"`{token.text}` is no value. Put texts in quotes")
            self._take()
            return _WORDS[token.text]
        if token.kind == "name" or token.text == "(":
            return self._sets()
        raise self._wrong("Expected a value: a text in quotes, a number, true, false, a list or a chain")

    def _listed(self, end: str, read: Callable[[], Item]) -> list[Item]:
        """Read items separated by commas, up to a closing bracket. A comma may follow the last item."""
        items: list[Item] = []
        while not self._is(end):
            items.append(read())
            if not self._is(end):
                self._expect(",", f"a comma or {end!r}")
        self._take()
        return items

    def _enter(self) -> None:
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise self._wrong(f"A query nests at most {MAX_DEPTH} levels")

    def _expect(self, text: str, called: str) -> None:
        if not self._is(text):
            raise self._wrong(f"Expected {called}")
        self._take()

    def _is(self, text: str) -> bool:
        return self._token.kind == "symbol" and self._token.text == text

    @property
    def _token(self) -> _Token:
        return self._tokens[self._next]

    def _following(self) -> _Token:
        return self._tokens[min(self._next + 1, len(self._tokens) - 1)]

    def _take(self) -> _Token:
        token = self._token
        self._next += 1
        return token

    def _wrong(self, message: str) -> ChainError:
        token = self._token
        found = f", not {token.text!r}" if token.text else ", but the query ends"
        return chain_error(self._text, token.position, f"{message}{found if message.startswith('Expected') else ''}.")
