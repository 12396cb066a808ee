"""The calls in blocks of Kotlin, with the functions whose lambdas are around them.

A lambda may have a receiver, whose members code calls without an object:

    shop {                    // fun shop(build: Shop.() -> Unit)
        shelf("tea") {        // Shop.shelf, called in the lambda of `shop`
            price(3)          // called in the lambdas of `shelf` and `shop`
        }
    }
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

_TOKEN: Final = re.compile(
    r"(?P<skipped>//[^\n]*|\"\"\"(?:[^\"]|\"(?!\"\")){0,4000}\"\"\"|\"(?:[^\"\\\n]|\\.){0,1000}\"|'(?:[^'\\\n]|\\.){1,10}')"
    r"|(?P<comment>/\*)|(?P<name>`[^`\n]{1,100}`|[A-Za-z_]\w*)|(?P<sign>\?\.|::|->|[.,(){}\[\]@:\n])"
)
#: Type arguments before the arguments of a call.
_TYPES: Final = re.compile(r"<[\w\s,.?*]{0,200}(?:<[\w\s,.?*]{0,100}>[\w\s,.?*]{0,100})?>")
_NO_ARGUMENTS: Final = re.compile(r"\s{0,40}\)")
_CALLED: Final = re.compile(r"[ \t]?[({]")
_KEYWORDS: Final = (
    "if else when for while do try catch finally return throw val var is in as by this super null true false typealias "
    "constructor init get set where override import package suspend private public internal open abstract sealed inline lateinit"
)
#: Words that are no names of functions.
_WORDS: Final = frozenset(_KEYWORDS.split())
#: What may be before the name of an ancestor; "" for a string.
_BEFORE_ANCESTOR: Final = frozenset((":", ")", ",", ""))
_TYPE_WORDS: Final = frozenset(("class", "interface", "object"))
#: Words that are names of functions if they are called.
_SOFT: Final = frozenset(("get", "set", "init", "by"))
#: Functions of Kotlin whose lambdas have the receiver that code writes before the call, or as their argument.
_SCOPES: Final = frozenset(("apply", "run", "with"))
#: Stands for a receiver that the block does not tell.
UNKNOWN: Final = "?"
#: Maximum number of ancestors that are read of a type.
_MAX_ANCESTORS: Final = 12
_MAX_DEPTH: Final = 24


@dataclass(slots=True)
class ReceiverCall:
    """A call without an object before it."""

    name: str
    line: int
    column: int
    #: What is around the call, the outermost first: the name of a function whose lambda it is in, or of a type with the sign of
    #: `OF_TYPE`, from which the code around takes members. UNKNOWN stands for an unknown receiver.
    around: tuple[str, ...]
    #: Whether the call has type arguments, other arguments, and a lambda after the arguments.
    has_types: bool = False
    has_arguments: bool = False
    has_lambda: bool = False


#: Beginning of the name of a type, and the end of the name of a function with type arguments.
OF_TYPE: Final = ":"
TYPED: Final = "<"


@dataclass(slots=True)
class _Open:
    sign: str
    #: The function before the bracket, or types whose members code in the brackets uses; "" for none.
    around: tuple[str, ...] = ()
    call: ReceiverCall | None = None


def receiver_calls(text: str, first: int) -> list[ReceiverCall]:
    """Return the calls in a block of Kotlin without an object before them. `first` is the line at which the block begins."""
    return _Reading(text, first).calls()


class _Reading:
    """Reads the tokens of a block in their order."""

    def __init__(self, text: str, first: int) -> None:
        self._text = text
        self._calls: list[ReceiverCall] = []
        self._opened: list[_Open] = []
        #: The call whose lambda may follow.
        self._call: ReceiverCall | None = None
        #: What is around the next brace: the function of a call, or the type of an extension.
        self._pending: tuple[str, ...] = ()
        #: The ancestors of the type whose declaration is read; None outside of declarations.
        self._declared: list[str] | None = None
        #: The current line, and the offset at which it begins.
        self._line, self._start = first, 0
        #: The name or the sign before the current token, and the type before a dot.
        self._before = self._type_before = ""

    def calls(self) -> list[ReceiverCall]:
        """Return the calls without an object before them."""
        at = 0
        while (found := _TOKEN.search(self._text, at)) is not None:
            at = found.end()
            if found["comment"] is not None:
                at = self._text.find("*/", at) + 2
                if at < 2:
                    break
                self._pass(found.start(), at)
            elif found["skipped"] is not None:
                self._pass(found.start(), at)
                self._before = ""
            elif found["name"] is not None:
                at = self._read_name(found["name"].strip("`"), found.start(), at)
            elif found["sign"] == "\n":
                self._end_line(at)
            else:
                self._read_sign(found["sign"])
        return self._calls

    def _pass(self, start: int, end: int) -> None:
        """Count the lines of a text without calls."""
        if lines := self._text.count("\n", start, end):
            self._line += lines
            self._start = self._text.rfind("\n", start, end) + 1

    def _read_name(self, name: str, start: int, end: int) -> int:
        """Read a name, perhaps with the type arguments after it, and return the offset of the text after them."""
        if self._before == "fun" or self._before in _TYPE_WORDS or self._declared is not None:
            self._declare(name, end)
            after = self._after_types(end) if self._declared is not None else end
            self._pass(end, after)
            return after
        if self._before == "." and self._pending and self._pending[0].startswith(OF_TYPE) and not self._is_in_brackets:
            self._before = name  # the name of an extension
            return end
        after = self._after_types(end)
        called = _CALLED.match(self._text, after)
        self._call = None
        if name in _WORDS and (called is None or name not in _SOFT):
            self._pending = ()
        elif called is not None:
            self._read_call(name, start, called, has_types=after > end)
            self._pass(end, after)
            end = after
        self._type_before = name if name[:1].isupper() else ""
        self._before = name
        return end

    def _after_types(self, at: int) -> int:
        """Return the offset after type arguments; the same offset without them."""
        types = _TYPES.match(self._text, at)
        return types.end() if types is not None else at

    def _declare(self, name: str, end: int) -> None:
        """Read a name in the declaration of a function or a type."""
        if self._before in _TYPE_WORDS:
            self._declared = []
        elif self._before == "fun" and self._text.startswith(".", end):
            self._pending = (f"{OF_TYPE}{name}",)  # an extension: `fun Cart.total() { … }`
        elif self._declared is not None and len(self._declared) < _MAX_ANCESTORS and self._is_ancestor(name):
            self._declared.append(f"{OF_TYPE}{name}")
        if name not in _WORDS:
            self._before = name

    def _is_ancestor(self, name: str) -> bool:
        return self._before in _BEFORE_ANCESTOR and name[:1].isupper() and not self._is_in_brackets

    def _read_call(self, name: str, start: int, called: re.Match[str], *, has_types: bool) -> None:
        """Read a call. `called` matches the bracket after it."""
        if self._before == "@":
            return  # an annotation
        if self._before == "." and self._type_before and name[:1].isupper():
            self._pending = (f"{self._type_before}.{name}",)  # a type inside of a type: `Shop.Module("tea") { … }`
        elif name in _SCOPES:
            self._pending = (UNKNOWN,)
        elif self._before in (".", "?."):
            self._pending = ()
        else:
            self._pending = (f"{name}{TYPED if has_types else ''}",)
            around = tuple(each for one in self._opened[-_MAX_DEPTH:] if one.sign == "{" for each in one.around)
            self._call = ReceiverCall(name, self._line, start - self._start + 1, around, has_types)
            self._call.has_arguments = called[0].endswith("(") and _NO_ARGUMENTS.match(self._text, called.end()) is None
            self._calls.append(self._call)

    def _end_line(self, at: int) -> None:
        self._line, self._start = self._line + 1, at
        if not self._is_in_brackets:
            if self._declared is not None and self._before != "," and not _goes_on(self._text, at):
                self._declared = None
            self._call, self._pending = None, ()

    def _read_sign(self, sign: str) -> None:
        if sign in "([":
            self._opened.append(_Open(sign, self._pending, self._call))
            self._call = None
        elif sign == "{":
            if self._call is not None:
                self._call.has_lambda = True
            self._opened.append(_Open(sign, tuple(self._declared) if self._declared is not None else self._pending))
            self._pending, self._declared, self._call = (), None, None
        elif sign in ")]}" and self._opened:
            closed = self._opened.pop()
            self._pending, self._call = (closed.around, closed.call) if sign == ")" else ((), None)
        if sign != ".":
            self._type_before = ""
        self._before = sign

    @property
    def _is_in_brackets(self) -> bool:
        return bool(self._opened) and self._opened[-1].sign != "{"


def _goes_on(text: str, at: int) -> bool:
    """Return whether the next line continues the ancestors of a declaration."""
    return text[at : at + 80].lstrip().startswith((":", ",", "{"))
