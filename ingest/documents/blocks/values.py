"""The values of the names in a block of code of a document: what they are imported from, made of or declared with."""

from __future__ import annotations

import re
from typing import Final

from ..names import has_several_words
from .imports import UNKNOWN, Origin

SEPARATOR: Final = re.compile(r"\?\.|\.|::|\??->")
#: A type that a block declares, and the type from which it takes members.
DECLARES_TYPE: Final = re.compile(r"\b(?:class|type)[ \t]+$")
#: Languages that write the type before the name.
TYPED_BEFORE: Final = frozenset((".java", ".cs", ".cpp"))
#: The code before a value that is assigned to a name: `cart = `, `const cart = await `, `cart := `, `Cart cart = new `.
_ASSIGNED: Final = re.compile(
    r"(?:(?P<first>[A-Za-z_]\w*)[ \t]*,[ \t]*)?(?P<name>[A-Za-z_$][\w$]*)[ \t]*(?::[ \t]*[\w.\[\], |]{1,80})?[ \t]*:?="
    r"[ \t]*(?:await[ \t]+)?(?:new[ \t]+|&)?$"
)
#: Ends of a text before a value, without blanks and the sign of an address.
_BEFORE_VALUE: Final = ("=", "await", "new")
BOUND: Final = re.compile(r"[ \t]*(?:,[ \t]*[A-Za-z_$][\w$]*[ \t]*){0,20}:?=(?!=|>|[ \t]*require\()")
#: Maximum number of characters in which a word before a name is searched.
MAX_WORD: Final = 30
#: Names of the instance or the type inside of its own code.
OWN: Final = frozenset(("this", "self", "super", "cls", "$this", "parent", "base"))
_EMBEDDED: Final = re.compile(r"[ \t]+struct[ \t]*\{\s*(?:\*?(?P<type>(?:[a-z_]\w*\.)?[A-Z]\w*)[ \t]*(?:\n|//))")
_BASE: Final = re.compile(
    r"(?:<[^()\n]{0,80}>)?(?:\(|[ \t]+extends[ \t]+|[ \t]+<[ \t]+|\s{0,40}:[ \t]*(?:public[ \t]+)?)"
    r"(?P<type>(?:[A-Za-z_]\w*(?:\.|::)){0,4}[A-Z]\w*)"
)
#: The parameters of a class, before its ancestor: `class Till(val size: Int) : Cart()`.
_PARAMETERS: Final = re.compile(r"[ \t]*\((?:[^()]|\([^()]{0,200}\)){0,600}\)")
#: Languages in which a class may have parameters.
_WITH_PARAMETERS: Final = frozenset((".kt", ".cs", ".scala"))
#: Languages in which code of a type names the members of the type without an object before them.
_IMPLICIT: Final = frozenset((".kt", ".java", ".cs", ".cpp", ".scala", ".swift", ".rb"))
_TYPED: Final = re.compile(
    r"(?:<(?:[\w\s,.?\[\]]|<[\w\s,.?\[\]]{0,80}>){0,80}>)?\??[ \t]+(?P<name>[a-z_$][\w$]*)[ \t]*(?:=(?!=)|;|\)|,)"
)
#: In C++, a variable may have arguments of the constructor: `shop::Cart cart{3};`, `Cart *cart = `.
_TYPED_IN_CPP: Final = re.compile(
    r"(?:<[\w\s,.:*&]{0,80}>)?[ \t]*[*&]{0,2}[ \t]*(?<=[\s*&])(?P<name>[a-z_]\w*)[ \t]*(?:=(?!=)|[;),({])"
)
#: The type after the name of a parameter or a variable.
_GO_TYPE: Final = re.compile(r"[ \t]+[*&]?(?P<type>(?:[a-z_]\w*\.)?[A-Z]\w*)(?=[ \t]*[,){=\n])")
_ANNOTATION: Final = re.compile(
    r"[ \t]*\??:(?!:)[ \t]*(?:&(?:'\w+[ \t]+)?(?:mut[ \t]+)?)?[\"']?(?P<type>(?:[a-z_]\w*\.)*[A-Z][\w.]*)[\"']?(?=[<\s,)=;?]|$)"
)
_AS: Final = re.compile(r"[ \t]*as[ \t]+(?P<name>[A-Za-z_]\w*)[ \t]*[:,)]")
_WITH: Final = re.compile(r"\b(?P<async>async[ \t]+)?with[ \t]+(?:[^\n]*,[ \t]*)?$")
_AWAIT: Final = re.compile(r"=[ \t]*await\b")
#: Languages in which a variable keeps its type.
_STATIC: Final = frozenset((".go", ".rs", ".java", ".cs", ".kt", ".swift"))
_VARIABLE: Final = re.compile(r"\b(?:let|const|var|val|mut)[ \t]+$")
_INSTANCES: Final = frozenset(("this", "self", "$this"))


class BlockValues:
    """The values of the names in one block.

    `known` has the names of earlier blocks, and `derived` has the types from which the types of earlier blocks take members. What
    this block declares is added.
    """

    def __init__(self, text: str, extension: str, known: dict[str, Origin], derived: dict[str, Origin]) -> None:
        self._text = text
        self._extension = extension
        self._known = known
        self._derived = derived
        #: The type from which the type around the current place takes members.
        self.own: Origin | None = None
        #: The same for the last type that the block declares; None if that type has no ancestor.
        self._around: Origin | None = None
        #: The values of parameters and variables with a type, which only this block has.
        self._typed: dict[str, Origin] = {}
        #: The names to which awaited values are assigned.
        self._awaited: set[str] = set()

    def hide(self, name: str) -> None:
        """Record that a block declares a name, which is no name of the repository, unless a block imports it."""
        self._known.setdefault(name, UNKNOWN)

    def forget_parameters(self) -> None:
        """Forget the parameters of the function before."""
        self._typed.clear()

    def declare(self, name: str, before: str, end: int) -> None:
        """Record a name after the word of a declaration. A type hides an imported one, and may take members from another type."""
        is_type = DECLARES_TYPE.search(before[-MAX_WORD:]) is not None
        if is_type:
            self._around = None
            self._derived.pop(name, None)
            if name in self._known:
                self._typed[name] = UNKNOWN
        if is_type and (base := self._base(end)) is not None:
            self._derived[name] = self.own = self._around = base

    def inherited(self, parts: tuple[str, ...]) -> Origin | None:
        """Return the path to what a name without an explanation may denote inside of a type: a member of the type's ancestor."""
        around = self._around if self._extension in _IMPLICIT else None
        if around is None or parts[0] in OWN or self.origin(parts[0]) is not None:
            return None
        return Origin(around.module, (*around.names, *parts), True, is_inherited=True)

    def instance(self, name: str) -> Origin | None:
        """Return what an instance of a type of the blocks takes members from; None for other names."""
        return self._derived.get(name)

    def typed(self, name: str) -> Origin | None:
        """Return the value of a parameter or a variable with a type."""
        return self._typed.get(name)

    def set_member(self, name: str, member: Origin) -> None:
        """Record a name for a member of a value."""
        self._known[name] = member

    def set_chain(self, name: str, value: Origin | None) -> None:
        """Record a name for the result of a chain of calls."""
        if value is None:
            self._known[name] = UNKNOWN
        else:
            self._known[name] = value if name not in self._awaited else _of_await(value)

    def origin(self, name: str) -> Origin | None:
        if name in _INSTANCES and self.own is not None:
            return self.own
        found = self._typed.get(name) or self._known.get(name)
        return self._derived.get(name, found) if found is None or found is UNKNOWN else found

    def meaning(self, parts: tuple[str, ...], *, is_decorator: bool) -> Origin | None:
        """Return the path from a module, or from a name without an import, to a name; None for an unknown value."""
        origin = self.origin(parts[0])
        if origin is not None:
            names = (*origin.names, *parts[1:])
            if not names or origin is UNKNOWN:
                return None
            return Origin(origin.module, names, origin.is_value, is_inherited=origin.is_inherited)
        if parts[0] in OWN:
            return None
        if self._extension == ".cs" and len(parts) == 2 and parts[1][:1].isupper():
            return Origin("", parts, not parts[0][:1].isupper())
        is_name = any(part[:1].isupper() for part in parts[:2]) or (len(parts) == 1 and has_several_words(parts[0]))
        # A function of Kotlin often has a name of one word, which no object is before: `option().file()`.
        is_name = is_name or (len(parts) == 1 and (is_decorator or self._extension == ".kt"))
        # `c::open()` in PHP, in which only other pages import `c`.
        is_name = is_name or (len(parts) == 2 and self._extension == ".php" and not parts[0].startswith("$"))
        return Origin("", parts) if is_name or (len(parts) == 2 and self._extension in (".go", ".py")) else None

    def _base(self, end: int) -> Origin | None:
        """Return the type from which a type that a block declares takes members: the ancestor, or in Go the embedded type."""
        pattern = _EMBEDDED if self._extension == ".go" else _BASE
        if self._extension in _WITH_PARAMETERS and (given := _PARAMETERS.match(self._text, end)) is not None:
            end = given.end()
        found = pattern.match(self._text, end)
        if found is None:
            return None
        origin = self._of_type(tuple(SEPARATOR.split(found["type"])))
        return origin._replace(is_ancestor=True) if origin.names else None

    def _of_type(self, parts: tuple[str, ...]) -> Origin:
        """Return the origin of a value that has a type."""
        if len(parts) == 1 and parts[0] in self._derived:
            return self._derived[parts[0]]
        origin = self._known.get(parts[0])
        if origin is None:
            return Origin("", parts, True)
        return Origin(origin.module, (*origin.names, *parts[1:]), True) if origin.module and not origin.is_value else UNKNOWN

    def set_value(self, parts: tuple[str, ...], end: int, before: str, *, is_parameter: bool) -> None:
        """Record a name that is declared with a type, or to which a value is assigned."""
        if self._extension in TYPED_BEFORE and parts[-1][:1].isupper():
            typed = (_TYPED_IN_CPP if self._extension == ".cpp" else _TYPED).match(self._text, end)
            if typed is not None:
                self._known[typed["name"]] = self._of_type(parts)
                return
        if len(parts) != 1:
            return
        given = (_GO_TYPE if self._extension == ".go" else _ANNOTATION).match(self._text, end)
        if given is not None and (is_parameter or _VARIABLE.search(before) is not None):
            self._typed[parts[0]] = self._of_type(tuple(SEPARATOR.split(given["type"])))
        elif before.endswith("extends ") or self._is_declared(self._known.get(parts[0])):
            return
        elif (bound := BOUND.match(self._text, end)) is None or self._text.startswith(f"{parts[0]}.", bound.end() + 1):
            return  # no assignment, or `cart := cart.Open()`, which still needs the package
        elif not self._keeps_type(parts[0], ":=" in bound[0], before):
            self._known[parts[0]] = UNKNOWN
            self._typed.pop(parts[0], None)

    def set_result(self, called: Origin | None, before: str, end: int) -> str:
        """Record a name whose value is the result of a call: an instance of the called class, or the result of the function.

        Return the name; "" if there is none.
        """
        assigned = assignment(before)
        name = (assigned["first"] or assigned["name"]) if assigned is not None else ""
        if not name and self._extension == ".py" and (entered := _WITH.search(before)) is not None:
            closing = self._text.find(")", end, end + 200)
            given = _AS.match(self._text, closing + 1) if closing >= 0 else None
            name = given["name"] if given is not None else ""
            enter = "__aenter__" if entered["async"] else "__enter__"
            called = called._replace(names=(*called.names, enter)) if called is not None else None
        if not name or self._is_declared(self._known.get(name)):
            return ""
        if assigned is not None and self._keeps_type(name, ":=" in assigned[0], before[: assigned.start()]):
            return ""
        self._typed.pop(name, None)
        self._awaited.discard(name)
        if self._extension == ".py" and assigned is not None and _AWAIT.search(assigned[0]) is not None:
            self._awaited.add(name)
            called = _of_await(called) if called is not None else None
        self._known[name] = called._replace(is_value=True) if called is not None else UNKNOWN
        return name

    def _keeps_type(self, name: str, is_declared: bool, before: str) -> bool:
        """Return whether an assignment to a value leaves its type as it is, because it declares no new variable."""
        known = self._known.get(name)
        is_new = is_declared or _VARIABLE.search(before) is not None
        return self._extension in _STATIC and known is not None and known.is_value and not is_new

    def _is_declared(self, origin: Origin | None) -> bool:
        """Return whether a name is declared with a known type, in a language that writes the type before the name."""
        return self._extension in TYPED_BEFORE and origin is not None and origin.is_value


def assignment(before: str) -> re.Match[str] | None:
    """Return the assignment at the end of a text, to which a value follows; None for none."""
    if not before.rstrip(" \t&").endswith(_BEFORE_VALUE):
        return None
    return _ASSIGNED.search(before)


def _of_await(value: Origin) -> Origin:
    """Return what an awaited value gives. In Python, a type may tell this by its method `__await__`."""
    return value._replace(names=(*value.names, "__await__"))
