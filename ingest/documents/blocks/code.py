"""Read the imports and calls in the blocks of code of a document.

Blocks are fragments of programs, so their tokens are read without a grammar. A name that a block imports or assigns is known in
later blocks of the same language.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

from ..block_languages import code_of, extension_of
from ..names import has_several_words
from ..sections import CodeBlock, Reference
from .imports import UNKNOWN, BlockImports, Origin
from .values import BOUND, MAX_WORD, OWN, SEPARATOR, TYPED_BEFORE, BlockValues, assignment

#: Maximum number of characters that are read in a block.
_MAX_BLOCK: Final = 100_000

_STRING: Final = (
    r"\"\"\"(?:[^\"\\]|\\.|\"(?!\"\")){0,4000}\"\"\"|'''(?:[^'\\]|\\.|'(?!'')){0,4000}'''"
    r"|\"(?:[^\"\\\n]|\\.){0,1000}\"|'(?:[^'\\\n]|\\.){0,1000}'|`(?:[^`\\]|\\.){0,4000}`"
)
_SLASHED_COMMENT: Final = r"//[^\n]*|/\*(?:[^*]|\*(?!/)){0,4000}\*/"
_HASHED_COMMENT: Final = r"\#[^\n]*"
_BRACKET: Final = r"(?P<bracket>[()\[\]{},])"


def _tokens(comment: str, member: str, sign: str = "") -> re.Pattern[str]:
    """Return the pattern of the tokens of a language. `member` matches the sign between a value and its member, and `sign` the
    signs at the end of a name.
    """
    chain = rf"(?<![\w$.])[A-Za-z_$][\w$]*{sign}(?:(?:{member}|::)[A-Za-z_$][\w$]*{sign})*"
    # A call of a member of the result of another call: `.with_name("x")` after `cart()`, perhaps on the next line.
    chained = (
        rf"(?:(?<=[)\]}}\s])|(?<=\)\?)|(?<=\)!))(?:{member})(?P<member>[A-Za-z_]\w*{sign}(?:(?:{member})[A-Za-z_]\w*{sign})*)"
    )
    return re.compile(rf"(?P<skipped>{comment}|{_STRING})|(?P<chain>{chain})|{chained}|{_BRACKET}", re.DOTALL)


_TOKENS: Final = {
    ".py": _tokens(_HASHED_COMMENT, r"\?\.|\."),
    ".rb": _tokens(_HASHED_COMMENT, r"\.", r"(?:[!?](?![=~.]))?"),
    ".php": _tokens(rf"\#(?!\[)[^\n]*|{_SLASHED_COMMENT}", r"\?->|->"),
    ".cpp": _tokens(_SLASHED_COMMENT, r"\.|->"),
}
_OTHER_TOKENS: Final = _tokens(_SLASHED_COMMENT, r"\?\.|\.")
#: A string with the path of a declaration in a module, as in settings: "shop.middleware.CartMiddleware", "shop.web:make_app".
_QUOTED_PATH: Final = re.compile(
    r"[\"'](?P<path>[A-Za-z_]\w{0,60}(?:\.[A-Za-z_]\w{0,60}){0,8}(?:(?:\.[A-Za-z_]\w{0,60}){2}|\.\w{1,60}:[A-Za-z_]\w{0,60}))[\"']"
)
#: A string with the path of a class of the JVM: "org.shop.web.CartFilter".
_QUOTED_CLASS: Final = re.compile(r"[\"'](?P<path>[a-z]\w{0,60}(?:\.[a-z]\w{0,60}){1,8}(?:\.[A-Z]\w{0,60}){1,3})[\"']")
#: A chain of calls goes on in the next line.
_GOES_ON: Final = re.compile(r"[ \t]*\n[ \t]*(?:\.|\??->)[A-Za-z_]")
_CALL: Final = re.compile(r"(?:<[\w\s,.?:\[\]]{0,80}>)?!?\(")
#: Functions of C++ that make a value of a type, which is their argument in angle brackets.
_MAKERS: Final = frozenset(("make_shared", "make_unique"))
#: An object that is taken apart into its members, before the call that returns the object.
_TAKEN_APART: Final = re.compile(r"\b(?:const|let|var)[ \t]*\{(?P<names>[\w$\s,:]{1,250})\}[ \t]*=[ \t]*(?:await[ \t]+)?$")
_TAKEN: Final = re.compile(r"(?P<member>[A-Za-z_$][\w$]*)(?:[ \t]*:[ \t]*(?P<name>[A-Za-z_$][\w$]*))?")
#: A word before a declared or imported name. Such a name does not count as a call.
_DECLARES: Final = re.compile(
    r"(?:\b(?:def|class|function|func|fn|fun|interface|enum|struct|trait|impl|import|from|package|use|type)[ \t*]+)$"
)
#: A block of Ruby that takes one value: `Cart.new(size: 3) do |cart|`. The new object of `new` is often this value.
_BLOCK: Final = re.compile(r"[^\n|]{0,200}?(?:\bdo|\{)[ \t]*\|(?P<name>[a-z_]\w*)\|")
#: What follows the name of a method of Ruby that is called without brackets, and words that are no methods.
_ARGUMENT_OF_RUBY: Final = re.compile(r"[ \t]+(?:[:\"'\[\d]|->|do\b|[A-Za-z_]\w*(?![ \t]*=(?!=)))")
_WORDS_OF_RUBY_WORDS: Final = (
    "alias and attr_accessor attr_reader attr_writer begin break case class def do else elsif end ensure extend if in include "
    "lambda loop module next not or prepend print private proc protected public puts raise redo require require_relative "
    "rescue retry return self super then undef unless until when while yield"
)
_WORDS_OF_RUBY: Final = frozenset(_WORDS_OF_RUBY_WORDS.split())
_FUNCTION_OR_CLASS: Final = re.compile(r"\b(?:function|class|fn|trait)\b")
#: The namespaces before the name of a class of PHP, at the end of a text.
_NAMESPACES: Final = re.compile(r"(?<![\w\\])\\?(?:[A-Za-z_]\w{0,80}\\){1,12}$|(?<![\w\\])\\$")
#: Languages in which many functions have a name of one word, and no object or module before it.
_FREE_FUNCTIONS: Final = frozenset((".kt", ".cpp"))
#: In Ruby, `use` is a method that takes a class: `app.use Shop::Timer`.
_USED: Final = re.compile(r"\buse[ \t]+$")
#: Languages whose functions have a body in braces, and the word before the name of a function.
_SIGNATURES: Final = frozenset((".ts", ".go"))
_FUNCTION: Final = re.compile(r"\bfunc(?:tion)?[ \t*]+$")
_MAX_SIGNATURE: Final = 2_000
#: A fragment of Go may name its own package: `package shop`, then `shop.Open()`.
_PACKAGE: Final = re.compile(r"\bpackage[ \t]+$")
#: The type and the modifiers before the name of a method that a block of such a language declares.
_METHOD: Final = re.compile(r"(?<![\w.])(?!(?:return|new|await|throw|else|in|yield)\b)[A-Za-z_][\w.<>\[\]?]{0,60}[ \t]{1,8}$")
#: The receiver before the name of a method of Go: `func (c *Cart) `.
_GO_METHOD: Final = re.compile(r"\bfunc[ \t]*\((?:\w+[ \t]+)?\*?(?:\w+\.)?(?P<type>\w+)(?:\[[^\]\n]{0,40}\])?\)[ \t]*$")
#: The type that is made by `new(Cart)` in Go.
_GO_NEW: Final = re.compile(r"(?P<type>[A-Z]\w*)\)")
#: Languages in which a name before a brace begins a literal of the type.
_LITERALS: Final = frozenset((".go", ".rs", ".cs"))
_BRACE: Final = re.compile(r"[ \t]*\{")
#: The sign after the name of a field in a literal.
_FIELD: Final = re.compile(r"[ \t]*:(?![:=])")
#: What is before and after a field of an object that is also its value.
_BEFORE_SHORT: Final = re.compile(r"[{,]\s*$")
_AFTER_SHORT: Final = re.compile(r"\s*[,}]")
#: Languages with decorators before declarations.
_DECORATED: Final = frozenset((".ts", ".py", ".java", ".kt"))
#: Languages whose annotations have arguments with names: `@Retry(limit = 3)`.
_ANNOTATED: Final = frozenset((".java", ".kt"))
#: The code before the name of an attribute of C#: the bracket, and perhaps other attributes.
_IN_ATTRIBUTES: Final = re.compile(r"(?:^|[(,{\]>;])[ \t]*\[(?:[ \t]*[a-z]+:)?(?:[^\[\]]{0,200},)?[ \t]*$")
_ATTRIBUTE: Final = "Attribute"
#: The crates of the runtime of Rust, and the words for modules.
_OF_RUST: Final = frozenset(("std", "core", "alloc", "self", "super", "crate"))
#: What follows the name of a parameter of a type: `class Cart<Row extends Item>`.
_BOUND_TYPE: Final = re.compile(r"[ \t]+extends\b")
#: The traits of the runtime of Rust that a type derives: `#[derive(Debug, Clone)]`.
_DERIVED: Final = frozenset(("Clone", "Copy", "Debug", "Default", "Eq", "Hash", "Ord", "PartialEq", "PartialOrd"))
_DERIVES: Final = re.compile(r"\bderive\([\w \t:,]*$")
#: Names that each module of Rust has without an import.
_PRELUDE: Final = frozenset(("Box", "Err", "None", "Ok", "Option", "Result", "Some", "String", "Vec"))
#: What follows the name of a macro that is called.
_MACRO: Final = re.compile(r"![ \t]?[(\[{]")
#: Maximum number of fields of an object that are kept for a later call.
_MAX_FIELDS: Final = 200
#: Maximum number of characters in which the type before a brace is searched.
_MAX_TYPE: Final = 100
#: The type of a list or a map before a brace in Go: `[]shop.Item`, `[]*Item`, `map[string]Item`.
_LIST: Final = re.compile(r"(?:\[\d*\]|\bmap\[[\w.*]{1,60}\])\*?(?:\w+\.)?\w*$")
_ASSIGNED_FIELD: Final = re.compile(r"[ \t]*=(?![=>])")
#: Form of a reference that is a call of a member of a value with a known class. The names are the class and the member.
INSTANCE_CALL: Final = "instance call"
#: Form of a reference that may be a member of the ancestor of the type around it. The names are this ancestor and the path from
#: it. The last names of the path may belong to types that the repository does not have.
INHERITED: Final = "inherited"
#: The same for a member of the result of a call. Only the last name is at the place of the reference.
INHERITED_CHAIN: Final = "inherited chain"
#: Beginning of a part of a path that stands for an argument of the call before it; the number of the argument follows.
ARGUMENT: Final = "("
#: End of such a part if the path goes on with the parameter of a function that is the argument: `open(cart => cart.total())`.
LAMBDA: Final = "=>"
#: The sign between the parameter and the body of a function.
_LAMBDA: Final = {".cs": re.compile(r"[ \t]*=>"), ".java": re.compile(r"[ \t]*->")}
#: Number of names in a path from a class to its member.
_CLASS_AND_MEMBER: Final = 2
#: Maximum number of names in a path.
_MAX_CHAIN: Final = 24
#: A name in capitals of several words. As the name of an argument, it denotes a setting: `open_shop(MAX_ITEMS=3)`.
_CONSTANT: Final = re.compile(r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+")


@dataclass(slots=True)
class _Open:
    """An open bracket."""

    sign: str
    #: The called function, for the brackets of a call.
    of_call: Origin | None
    #: The type whose fields a literal has.
    literal: Origin | None
    #: The name to which the result of the call, or of the calls after it, is assigned; "" for none.
    assigned: str = ""
    #: Whether the brace begins a list or a map of Go.
    is_list: bool = False
    #: Whether the brackets have the arguments of an annotation.
    is_annotation: bool = False
    #: The variable whose value is the object in the braces; "" for none.
    bound: str = ""
    #: Number of commas since the bracket.
    place: int = 0
    #: The fields of this object, each with its line and column.
    fields: list[tuple[str, int, int]] = field(default_factory=list)


def code_references(blocks: Iterable[CodeBlock]) -> Iterator[Reference]:
    """Yield the imports and the calls in the blocks of a document, in order. Other languages are skipped.

    A call through an import has the form "call". The text of the reference is the module, and its names are the path from the
    module to the function. A call of a member of a value has the form "instance call", or "chain" if the path goes through other
    members. A call of a package without an import has the form "package call". A call of a member of a class
    without an import has the form "code", like a name in the text. A call of a member of any other value has the form "package
    call" without a module, and a name that is not called has the form "use".
    """
    known: dict[str, dict[str, Origin]] = {}
    derived: dict[str, dict[str, Origin]] = {}
    for block in blocks:
        extension = extension_of(block.language, block.text)
        if extension and block.text:
            reading = _Reading(block, extension, known.setdefault(extension, {}), derived.setdefault(extension, {}))
            yield from reading.references()


class _Reading:
    """Reads one block. `known` has the names of earlier blocks, and `derived` has the types from which the types of earlier
    blocks take members. What this block declares is added.
    """

    def __init__(self, block: CodeBlock, extension: str, known: dict[str, Origin], derived: dict[str, Origin]) -> None:
        self._text = code_of(block.text) if extension == ".py" else block.text[:_MAX_BLOCK]
        self._first_line = block.line
        self._extension = extension
        self._line_at = 0
        self._line = block.line
        self._values = BlockValues(self._text, extension, known, derived)
        self._imports = BlockImports(self._text, extension, known, self._number)
        #: The open brackets around the current place.
        self._open: list[_Open] = []
        #: What the name before the current place means, and the call whose result the current place follows.
        self._next: Origin | None = None
        self._last: Origin | None = None
        #: The field before the current place in a literal: `cart` in `{ cart: { size: 3 } }`.
        self._held: Origin | None = None
        #: The place of the bracket of a call behind type arguments, and what is called: `open<Cart>(`.
        self._behind_types: tuple[int, Origin | None] = (-1, None)
        #: The fields of objects that variables have, by the names of the variables.
        self._objects: dict[str, list[tuple[str, int, int]]] = {}
        #: The place of the bracket after an attribute of C#, and the type of the attribute.
        self._attributes: tuple[int, Origin | None] = (-1, None)
        #: Whether the block is a template of PHP, in which `$this` is an object of the library that shows templates.
        self._is_template = extension == ".php" and "$this" in block.text and _FUNCTION_OR_CLASS.search(block.text) is None
        #: Whether the current name is a decorator: `@cart`.
        self._is_decorator = False
        #: The name to which the result of this chain of calls is assigned; "" for none.
        self._assigned = ""

    def references(self) -> Iterator[Reference]:
        """Yield the imports, then the calls, each in the order of the block."""
        yield from self._imports.references()
        self._line_at, self._line = 0, self._first_line
        yield from self._calls()

    def _number(self, at: int) -> int:
        """Return the line at an offset. Offsets must not decrease from call to call."""
        self._line += self._text.count("\n", self._line_at, at)
        self._line_at = at
        return self._line

    # ------------------------------------------------------------------ calls

    def _calls(self) -> Iterator[Reference]:
        for found in _TOKENS.get(self._extension, _OTHER_TOKENS).finditer(self._text):
            token = found.lastgroup
            if token == "skipped":
                yield from self._quoted(found["skipped"], found.start())
                continue
            if token == "bracket":
                self._bracket(found["bracket"], found.start())
            elif token == "member":
                yield from self._chained(found)
            else:
                line_start = self._text.rfind("\n", max(0, found.start() - 300), found.start()) + 1
                before = self._text[max(line_start, found.start() - 300) : found.start()]
                yield from self._chain(found, before)

    def _quoted(self, written: str, at: int) -> Iterator[Reference]:
        """Yield the declaration of Python or of the JVM that a string names with its module: `"shop.web.CartFilter"`."""
        quoted = _QUOTED_PATH if self._extension == ".py" else _QUOTED_CLASS if self._extension in _ANNOTATED else None
        path = quoted.fullmatch(written) if quoted is not None else None
        if path is not None:
            column = at - self._text.rfind("\n", max(0, at - 300), at) + 1
            yield Reference("code", path["path"].replace(":", "."), self._number(at), column, (), self._extension)

    def _chain(self, found: re.Match[str], before: str) -> Iterator[Reference]:
        """Yield the reference of a name, or of several names with dots between them."""
        self._last, self._held, self._assigned = None, None, ""
        parts = tuple(SEPARATOR.split(found["chain"]))
        if self._extension == ".go" and before.strip() in ("func", "func ("):
            self._values.forget_parameters()
        method = _GO_METHOD.search(before[-80:]) if self._extension == ".go" else None
        is_middleware = self._extension == ".rb" and _USED.search(before[-MAX_WORD:]) is not None
        if (_DECLARES.search(before[-MAX_WORD:]) is not None and not is_middleware) or method is not None:
            if method is not None and len(parts) == 1:  # a document shows the signature of a method
                yield Reference("code", f"{method['type']}.{parts[0]}()", self._number(found.start()), 1, (), self._extension)
            if len(parts) == 1:
                self._values.declare(parts[0], before, found.end())
            is_own = _PACKAGE.search(before[-MAX_WORD:]) is None and not self._is_signature(before, found.end())
            is_path = self._extension == ".rs" and self._text.startswith("::", found.end())  # `use shop::{…}`
            if len(parts) == 1 and is_own and not is_path:
                self._values.hide(parts[0])
            return
        is_first = self._extension == ".ts" and len(parts) == 1 and before.rstrip().endswith(("<", ","))
        if is_first and _BOUND_TYPE.match(self._text, found.end()) is not None:
            self._values.hide(parts[0])
            return
        column = len(before) + 1
        if self._extension == ".rs" and (others := self._of_rust(parts, found, before)) is not None:
            self._next = None
            yield from others
            return
        if self._extension == ".php":
            before = _NAMESPACES.sub("", before)
            if (class_meant := self._imports.namespaced.get(found.start())) is not None:
                if not class_meant.module and len(parts) == 1:
                    yield Reference("use", "", self._number(found.start()), column, parts, self._extension)
                    self._next = class_meant
                    return
                self._values.set_member(parts[0], class_meant)
        if len(parts) == 1 and self._is_parameter(found.end()) and (given := self._argument()) is not None:
            self._values.set_member(parts[0], given._replace(names=(*given.names[:-1], f"{given.names[-1]}{LAMBDA}")))
            return
        self._is_decorator = before.endswith("@") and self._extension in _DECORATED
        if self._is_decorator and self._extension == ".kt" and self._text.startswith(":", found.end()):
            return  # what an annotation is for: `@get:Rule`
        if self._extension == ".cs" and len(parts) <= _CLASS_AND_MEMBER and _IN_ATTRIBUTES.search(before) is not None:
            yield from self._attribute_of_csharp(parts, self._number(found.start()), column, found.end())
        if (of_literal := self._field(parts, found.start(), found.end())) is not None:
            self._held = of_literal
            yield Reference("chain", of_literal.module, self._number(found.start()), column, of_literal.names, self._extension)
            return
        self._keep_field(parts, found.start(), found.end(), column)
        if self._extension == ".php" and self._text.startswith("\\", found.end()):
            return  # a part of a namespace
        called = _CALL.match(self._text, found.end())
        if self._extension == ".rb" and parts[-1] == "new" and (taken := _BLOCK.match(self._text, found.end())) is not None:
            made = self._values.meaning(parts, is_decorator=False)
            self._values.set_chain(taken["name"], made._replace(is_value=True) if made is not None else None)
        if called is None or parts == ("require",):
            yield from self._given_object(parts)
            if self._imports.stars:
                yield from self._of_stars(parts, self._values.origin(parts[0]), self._number(found.start()), column)
            is_set = len(parts) == 1 and _ASSIGNED_FIELD.match(self._text, found.end()) is not None
            if is_set and (member := self._values.inherited(parts)) is not None:
                yield Reference(INHERITED, member.module, self._number(found.start()), column, member.names, self._extension)
                return
            if self._extension == ".rb" and not before.strip() and parts[0] not in _WORDS_OF_RUBY:
                yield from self._statement_of_ruby(parts, found, column)
            if self._is_decorator and len(parts) == 1 and self._values.origin(parts[0]) is None:
                yield Reference("code", f"@{parts[0]}", self._number(found.start()), column, (), self._extension)
                return
            used = self._use(parts, found, column) or self._attribute(parts, found, column) if called is None else None
            self._next = self._values.meaning(parts, is_decorator=self._is_decorator) if called is None else None
            if self._extension == ".rb" and parts[-1] == "new":
                self._values.set_result(self._next, before, found.end())  # `Cart.new` needs no brackets
            elif self._extension == ".php" and before.endswith("new "):
                self._values.set_result(self._next, before, found.end())  # `new Cart` needs no brackets
            elif self._extension in _LITERALS and _BRACE.match(self._text, found.end()) is not None:
                self._values.set_result(self._next, before, found.end())
            elif called is None and _GOES_ON.match(self._text, found.end()) is not None:
                self._assigned = self._values.set_result(None, before, found.end())
            else:
                is_parameter = bool(self._open) and self._open[-1].sign == "("
                self._values.set_value(parts, found.end(), before, is_parameter=is_parameter)
            if used is not None:
                yield used
            return
        if len(parts) == 1 and self._extension in TYPED_BEFORE and _METHOD.search(before[-80:]) is not None:
            self._values.hide(parts[0])
            return
        self._next = self._values.inherited(parts) or self._values.meaning(parts, is_decorator=self._is_decorator)
        yield from self._call(parts, self._number(found.start()), column, is_scoped="::" in found["chain"])
        class_name = parts[0]
        if parts == ("new",) and self._extension == ".go":
            inner = _GO_NEW.match(self._text, called.end())
            class_name = inner["type"] if inner is not None else class_name
        if len(parts) == 1 and (instance := self._values.instance(class_name)) is not None:
            self._next = instance
        if self._extension == ".cpp":
            self._next = self._of_cpp(found["chain"], parts, called[0])
        if self._next is not None and self._extension == ".ts" and (apart := _TAKEN_APART.search(before)) is not None:
            yield from self._taken_apart(apart, self._next, self._number(found.start()))
        self._assigned = self._values.set_result(self._next, before, called.end())
        self._behind_types = (called.end() - 1, self._next)

    def _attribute_of_csharp(self, parts: tuple[str, ...], line: int, column: int, end: int) -> Iterator[Reference]:
        """Yield the type of an attribute, which code names without the end of its name: `[Price(3)]` of `PriceAttribute`."""
        called = (*parts[:-1], f"{parts[-1]}{_ATTRIBUTE}")
        yield Reference("use", "", line, column, called, self._extension)
        if self._text.startswith("(", end):
            self._attributes = (end, Origin("", called))

    def _statement_of_ruby(self, parts: tuple[str, ...], found: re.Match[str], column: int) -> Iterator[Reference]:
        """Yield a call without brackets at the beginning of a line: `storage :file` in a class, `till.open!`."""
        line = self._number(found.start())
        if len(parts) == 1:
            is_call = _ARGUMENT_OF_RUBY.match(self._text, found.end()) is not None
            inherited = self._values.inherited(parts) if is_call else None
            if inherited is not None:
                yield Reference(INHERITED, inherited.module, line, column, inherited.names, self._extension)
            elif is_call and "_" in parts[0] and self._values.origin(parts[0]) is None:
                yield Reference("use", "", line, column, parts, self._extension)
            return
        is_set = _ASSIGNED_FIELD.match(self._text, found.end()) is not None
        if not is_set and "." in found["chain"] and self._values.origin(parts[0]) in (None, UNKNOWN):
            yield Reference("package call", "", line, column, parts, self._extension)

    def _of_cpp(self, chain: str, parts: tuple[str, ...], called: str) -> Origin | None:
        """Return the result of a call in C++: of a function in a namespace, or of `std::make_shared<shop::Cart>`."""
        if parts[-1] in _MAKERS:
            made = tuple(SEPARATOR.split(called.strip("<(>! ").partition("<")[0]))
            return Origin("", made, True) if all(each.isidentifier() for each in made) else None
        if self._next is None and "::" in chain and parts[0] != "std" and self._values.origin(parts[0]) is None:
            return Origin("", parts)
        return self._next

    def _taken_apart(self, found: re.Match[str], value: Origin, line: int) -> Iterator[Reference]:
        """Yield the members of the result of a call to which names are given: `const { total, pay: payLater } = openCart()`."""
        for part in _TAKEN.finditer(found["names"]):
            member = Origin(value.module, (*value.names, part["member"]), True, is_taken_apart=True)
            self._values.set_member(part["name"] or part["member"], member)
            column = found.start("names") + part.start("member") + 1
            yield Reference("chain", value.module, line, column, member.names, self._extension)

    def _is_signature(self, before: str, end: int) -> bool:
        """Return whether a function has no body: a document shows the signature of a function of the package."""
        if self._extension not in _SIGNATURES or _FUNCTION.search(before[-MAX_WORD:]) is None:
            return False
        depth = 0
        for place in range(end, min(len(self._text), end + _MAX_SIGNATURE)):
            sign = self._text[place]
            if sign in "([{" and (depth or sign != "{"):
                depth += 1
            elif sign in ")]}":
                depth -= 1
            elif not depth and sign in "{;":
                return sign == ";"
            elif not depth and sign == "\n" and place > end:
                return True
        return True

    def _of_rust(self, parts: tuple[str, ...], found: re.Match[str], before: str) -> list[Reference] | None:
        """Return the reference of a macro, or nothing for a name of the runtime of Rust; None for another name."""
        if len(parts) > 1 or self._values.origin(parts[0]) is not None:
            return None
        if _MACRO.match(self._text, found.end()) is not None:
            return [Reference("code", f"{parts[0]}!", self._number(found.start()), len(before) + 1, (), self._extension)]
        is_of_runtime = parts[0] in _PRELUDE or (parts[0] in _DERIVED and _DERIVES.search(before) is not None)
        return [] if is_of_runtime else None

    def _call(self, parts: tuple[str, ...], line: int, column: int, *, is_scoped: bool) -> Iterator[Reference]:
        origin = self._values.origin(parts[0])
        if (inherited := self._values.inherited(parts)) is not None:
            yield Reference(INHERITED, inherited.module, line, column, inherited.names, self._extension)
        yield from self._of_stars(parts, origin, line, column)
        if origin is not None:
            if origin.is_ancestor and self._extension == ".rb" and parts[1:] == ("new",):
                return  # the class of the reader is made, and not its ancestor
            names = (*origin.names, *parts[1:])
            # A chain does not name the class, which the code does not name either.
            is_chain = origin.is_value and (origin.is_ancestor or len(names) != _CLASS_AND_MEMBER or len(parts) == 1)
            if origin.module and names and not is_chain:
                form = INSTANCE_CALL if origin.is_value else "call"
                yield Reference(form, origin.module, line, column, names, self._extension)
            elif origin.is_value and origin.names and (len(parts) > 1 or origin.is_taken_apart):
                form = INHERITED_CHAIN if origin.is_inherited else "chain"
                yield Reference(form, origin.module, line, column, names, self._extension)
            elif not origin.module and len(parts) > 1 and has_several_words(parts[-1]):
                yield Reference("package call", "", line, column, parts, self._extension)
        elif len(parts) > 1 and parts[0] not in OWN:
            if parts[-2][:1].isupper():
                yield Reference("code", f"{'.'.join(parts)}()", line, column, (), self._extension)
            elif self._extension == ".cpp" and is_scoped and parts[0] != "std":
                yield Reference("use", "", line, column, parts, self._extension)
            elif self._extension == ".rs" and is_scoped:
                yield Reference("call", "::".join(parts[:-1]), line, column, parts[-1:], self._extension)
            elif self._extension in (".go", ".py"):
                yield Reference("package call", parts[0], line, column, parts[1:], self._extension)
            else:
                yield Reference("package call", "", line, column, parts, self._extension)
        elif len(parts) > 1 and self._is_template:
            yield Reference("package call", "", line, column, parts, self._extension)
        elif len(parts) == 1 and self._is_decorator:
            yield Reference("code", f"@{parts[0]}", line, column, (), self._extension)
        elif len(parts) == 1 and (has_several_words(parts[0]) or parts[0][:1].isupper() or self._extension in _FREE_FUNCTIONS):
            yield Reference("use", "", line, column, parts, self._extension)

    def _is_parameter(self, end: int) -> bool:
        """Return whether a name that ends at an offset is the parameter of a function such as `cart => cart.total()`."""
        sign = _LAMBDA.get(self._extension)
        return sign is not None and sign.match(self._text, end) is not None

    def _of_stars(self, parts: tuple[str, ...], origin: Origin | None, line: int, column: int) -> Iterator[Reference]:
        """Yield the members that a name without an explanation may denote by an import of all static members of a class."""
        for module in self._imports.stars if origin is None and len(parts) == 1 else ():
            yield Reference(INHERITED, module, line, column, (module.rpartition(".")[2], *parts), self._extension)

    def _chained(self, found: re.Match[str]) -> Iterator[Reference]:
        """Yield a member of the result of a call, and remember the member's own result."""
        member, last = found["member"], self._last or self._next
        self._last = self._next = None
        is_called = self._text.startswith("(", found.end())
        parts = SEPARATOR.split(member)
        line = self._number(found.start())
        if last is not None and len(last.names) + len(parts) <= _MAX_CHAIN:
            for part in parts:
                last = last._replace(names=(*last.names, part), is_value=True)
                form = INHERITED_CHAIN if last.is_inherited else "chain"
                yield Reference(form, last.module, line, 1, last.names, self._extension)
            self._next = last
            if (called := _CALL.match(self._text, found.end())) is not None:
                self._behind_types = (called.end() - 1, last)
            if self._assigned:
                self._values.set_chain(self._assigned, last)
            return
        if self._assigned:
            self._values.set_chain(self._assigned, None)
        if is_called and (has_several_words(parts[-1]) or self._extension == ".cs"):
            yield Reference("package call", "", line, 1, ("", parts[-1]), self._extension)

    def _bracket(self, sign: str, at: int) -> None:
        """Follow the brackets: a closing bracket ends the arguments of a call, whose result may have members."""
        held, self._held = self._held, None
        if at == self._behind_types[0]:
            self._next = self._behind_types[1]
        if sign == ",":
            if self._open:
                self._open[-1].place += 1
            self._last = self._next = None
            return
        if sign in "([{":
            of_call = self._next if sign == "(" else None
            literal = self._literal(held) if sign == "{" else held if sign == "[" else None
            is_list = (
                literal is not None and self._extension == ".go" and _LIST.search(self._text, max(0, at - 100), at) is not None
            )
            bound = ""
            if sign == "{" and self._extension == ".ts" and literal is None:
                bound, literal = self._bound_object(at)
            is_annotation = sign == "(" and self._is_decorator and self._extension in _ANNOTATED
            if at == self._attributes[0]:
                of_call, is_annotation = self._attributes[1], True
            self._open.append(_Open(sign, of_call, literal, self._assigned, is_list, is_annotation, bound))
            self._is_decorator = False
            self._next = self._last = None
            self._assigned = ""
            return
        opened = self._open.pop() if self._open else None
        if opened is not None and opened.fields:
            self._objects[opened.bound] = opened.fields
        self._last = opened.of_call if opened is not None and sign == ")" else None
        self._assigned = opened.assigned if opened is not None and sign == ")" else ""
        self._next = None

    def _keep_field(self, parts: tuple[str, ...], start: int, end: int, column: int) -> None:
        """Keep a field of an object that a later call may take: `const options = { size: 3 }`, then `open(options)`."""
        around = self._open[-1] if self._open else None
        if around is None or not around.bound or len(parts) != 1 or len(around.fields) >= _MAX_FIELDS:
            return
        if _FIELD.match(self._text, end) is not None or self._is_short(start, end):
            around.fields.append((parts[0], self._number(start), column))

    def _given_object(self, parts: tuple[str, ...]) -> Iterator[Reference]:
        """Yield the fields of an object that is an argument of the call around the current place."""
        argument = self._argument() if len(parts) == 1 and parts[0] in self._objects else None
        if argument is not None and self._open[-1].sign == "(":
            for field, line, column in self._objects.pop(parts[0]):
                yield Reference("chain", argument.module, line, column, (*argument.names, field), self._extension)

    def _literal(self, held: Origin | None) -> Origin | None:
        """Return what has the fields between the brace at the current place and its end; None for other braces.

        In `{ cart: { size: 3 } }`, the inner literal is the value of the field `held`.
        """
        around = self._open[-1] if self._open else None
        if self._extension == ".cs" and self._last is not None:
            return self._last
        if self._extension in _LITERALS:
            # A literal in a list may leave out its type: `[]shop.Item{{Count: 1}}`.
            inner = around.literal if around is not None and around.sign == "{" and around.is_list else None
            return self._next or (inner if self._extension == ".go" else None)
        if self._extension != ".ts":
            return None
        in_list = around.literal if around is not None and around.sign == "[" else None
        return held or in_list or self._argument()

    def _bound_object(self, at: int) -> tuple[str, Origin | None]:
        """Return the variable whose value is the object at a brace, and the type that the variable has; "" and None for none."""
        found = assignment(self._text[max(0, at - _MAX_TYPE) : at])
        if found is None:
            return "", None
        typed = self._values.typed(found["name"])
        return ("", typed) if typed is not None and typed.names else (found["name"], None)

    def _argument(self) -> Origin | None:
        """Return the argument of the call around an object that is written as this argument."""
        call = self._open[-1] if self._open else None
        if call is None or call.of_call is None:
            return None
        names = (*call.of_call.names, f"{ARGUMENT}{call.place}")
        return Origin(call.of_call.module, names, True, is_inherited=call.of_call.is_inherited)

    def _field(self, parts: tuple[str, ...], start: int, end: int) -> Origin | None:
        """Return a field in a literal, such as `Port` of `shop.Config{Port: 80}`, or in an argument that is an object."""
        if len(parts) != 1 or not self._open:
            return None
        around = self._open[-1]
        if around.sign == "(" and around.is_annotation and around.of_call is not None:
            is_named = _ASSIGNED_FIELD.match(self._text, end) is not None
            return Origin(around.of_call.module, (*around.of_call.names, parts[0]), True) if is_named else None
        if around.sign != "{" or around.literal is None or around.is_list:
            return None
        is_field = (_ASSIGNED_FIELD if self._extension == ".cs" else _FIELD).match(self._text, end) is not None
        if not is_field and (self._extension != ".ts" or not self._is_short(start, end)):
            return None
        literal = around.literal
        return Origin(literal.module, (*literal.names, parts[0]), True) if len(literal.names) < _MAX_CHAIN else None

    def _is_short(self, start: int, end: int) -> bool:
        """Return whether a name in an object is a field and its value at once: `{ cart, count }`."""
        return (
            _BEFORE_SHORT.search(self._text, max(0, start - MAX_WORD), start) is not None
            and _AFTER_SHORT.match(self._text, end) is not None
        )

    def _use(self, parts: tuple[str, ...], found: re.Match[str], column: int) -> Reference | None:
        """Return the use of an imported name, or of a name in capitals that no other code explains; None for other names."""
        start = found.start()
        while self._imports.clauses and self._imports.clauses[0][1] <= start:
            self._imports.clauses.popleft()
        if self._imports.clauses and self._imports.clauses[0][0] <= start:
            return None
        is_limit = self._text.endswith("extends ", 0, start)  # `<T extends Cart = Cart>`
        is_bound = len(parts) == 1 and not is_limit and BOUND.match(self._text, found.end()) is not None
        if is_bound and not (self._open and self._open[-1].sign == "(" and _CONSTANT.fullmatch(parts[0]) is not None):
            return None  # a variable or a named argument with the name of what is imported
        origin = self._values.origin(parts[0])
        if origin is not None:
            names = (*origin.names, *parts[1:])
            if origin.is_ancestor and self._extension == ".rb" and parts[1:] == ("new",):
                return None
            if origin.is_value and len(parts) > 1 and origin.names:
                return Reference("chain", origin.module, self._number(start), column, names, self._extension)
            if not origin.module or not names or origin.is_value:
                return None
            return Reference("use", origin.module, self._number(start), column, names, self._extension)
        is_name = parts[0][:1].isupper()
        # `shop.Config{` of a package that a fragment of Go does not import.
        is_name = is_name or (self._extension == ".go" and len(parts) == 2 and parts[1][:1].isupper())
        # `shop::size::small` of C++
        is_name = is_name or (self._extension == ".cpp" and "::" in found[0] and parts[0] != "std")
        # `shop::Error` of a crate of Rust that a fragment does not import
        if self._extension == ".rs" and "::" in found[0] and parts[0] not in _OF_RUST and parts[-2][:1].islower():
            return Reference("use", "::".join(parts[:-1]), self._number(start), column, parts[-1:], self._extension)
        return Reference("use", "", self._number(start), column, parts, self._extension) if is_name else None

    def _attribute(self, parts: tuple[str, ...], found: re.Match[str], column: int) -> Reference | None:
        """Return the use of a member of a value whose type the block does not show: `req.path`."""
        origin = self._values.origin(parts[0])
        is_unknown = origin is None or origin is UNKNOWN
        if len(parts) != 2 or not is_unknown or not parts[0].islower() or parts[0] in OWN:
            return None
        form = "value" if origin is not None else "free value"
        return Reference(form, "", self._number(found.start()), column, parts, self._extension)
