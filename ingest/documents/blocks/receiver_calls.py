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
    r"|(?P<comment>/\*)|(?P<name>`[^`\n]{1,100}`|[A-Za-z_]\w*)|(?P<sign>\?\.|::|->|[.(){}\[\]@:\n])"
)
#: Type arguments before the arguments of a call.
_TYPES: Final = re.compile(r"<[\w\s,.?*]{0,200}(?:<[\w\s,.?*]{0,100}>[\w\s,.?*]{0,100})?>")
_NO_ARGUMENTS: Final = re.compile(r"\s{0,40}\)")
_CALLED: Final = re.compile(r"[ \t]?[({]")
#: Words that are no names of functions.
_WORDS: Final = frozenset(
    (
        *(
            "if",
            "else",
            "when",
            "for",
            "while",
            "do",
            "try",
            "catch",
            "finally",
            "return",
            "throw",
            "val",
            "var",
            "is",
            "in",
            "as",
        ),
        *("by", "this", "super", "null", "true", "false", "typealias", "constructor", "init", "get", "set", "where", "override"),
        *("import", "package", "suspend", "private", "public", "internal", "open", "abstract", "sealed", "inline", "lateinit"),
    )
)
_TYPE_WORDS: Final = frozenset(("class", "interface", "object"))
#: Words that are names of functions if they are called.
_SOFT: Final = frozenset(("get", "set", "init", "by"))
#: Functions of Kotlin whose lambdas have the receiver that code writes before the call, or as their argument.
_SCOPES: Final = frozenset(("apply", "run", "with"))
#: Stands for a receiver that the block does not tell.
UNKNOWN: Final = "?"
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
    calls: list[ReceiverCall] = []
    opened: list[_Open] = []
    #: The call whose lambda may follow.
    call: ReceiverCall | None = None
    #: What is around the next brace: the function of a call, or the types of a declaration.
    pending: tuple[str, ...] = ()
    declared: list[str] | None = None
    line, start, at = first, 0, 0
    before = type_before = ""
    while (found := _TOKEN.search(text, at)) is not None:
        at = found.end()
        if found["comment"] is not None:
            end = text.find("*/", at)
            if end < 0:
                return calls
            line += text.count("\n", at, end)
            start = max(start, text.rfind("\n", at, end) + 1)
            at = end + 2
        elif found["skipped"] is not None:
            line += found[0].count("\n")
            if "\n" in found[0]:
                start = found.start() + found[0].rfind("\n") + 1
            before = ""
        elif found["name"] is not None:
            name = found["name"].strip("`")
            if before in ("fun", *_TYPE_WORDS) or declared is not None:
                if before in _TYPE_WORDS:
                    declared = []
                elif before == "fun" and text.startswith(".", at):
                    pending = (f"{OF_TYPE}{name}",)  # an extension: `fun Cart.total() { … }`
                elif (
                    declared is not None and before in (":", ")", ",", "") and name[:1].isupper() and not _is_in_brackets(opened)
                ):
                    declared.append(f"{OF_TYPE}{name}")
                before = name if name not in _WORDS else before
                continue
            if before == "." and pending and pending[0].startswith(OF_TYPE) and not _is_in_brackets(opened):
                before = name  # the name of an extension
                continue
            types = _TYPES.match(text, at)
            called = _CALLED.match(text, types.end() if types is not None else at)
            is_name = name not in _WORDS or (called is not None and name in _SOFT)
            call = None
            if not is_name:
                pending = ()
            elif called is not None:
                if before == "." and type_before and name[:1].isupper():
                    pending = (f"{type_before}.{name}",)  # a type inside of a type: `Shop.Module("tea") { … }`
                elif before in (".", "?."):
                    pending = (UNKNOWN,) if name in _SCOPES else ()
                elif before != "@":
                    pending = (UNKNOWN,) if name in _SCOPES else (f"{name}{TYPED if types is not None else ''}",)
                    if name not in _SCOPES:
                        around = tuple(each for one in opened[-_MAX_DEPTH:] if one.sign == "{" for each in one.around)
                        call = ReceiverCall(name, line, found.start() - start + 1, around, types is not None)
                        call.has_arguments = called[0].endswith("(") and _NO_ARGUMENTS.match(text, called.end()) is None
                        calls.append(call)
                at = types.end() if types is not None else at
            type_before = name if name[:1].isupper() else ""
            before = name
        else:
            sign = found["sign"]
            if sign == "\n":
                line, start = line + 1, at
                if declared is not None and not _is_in_brackets(opened) and not _goes_on(text, at):
                    declared = None
                if not _is_in_brackets(opened):
                    call, pending = None, ()
                continue
            if sign in "([":
                opened.append(_Open(sign, pending, call))
                call = None
            elif sign == "{":
                if call is not None:
                    call.has_lambda = True
                opened.append(_Open(sign, tuple(declared) if declared is not None else pending))
                pending, declared, call = (), None, None
            elif sign in ")]}" and opened:
                closed = opened.pop()
                pending, call = (closed.around, closed.call) if sign == ")" else ((), None)
            if sign != ".":
                type_before = ""
            before = sign
    return calls


def _is_in_brackets(opened: list[_Open]) -> bool:
    return bool(opened) and opened[-1].sign != "{"


def _goes_on(text: str, at: int) -> bool:
    """Return whether the next line continues the ancestors of a declaration."""
    return text[at : at + 80].lstrip().startswith((":", ",", "{"))
