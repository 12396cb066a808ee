"""Find the names that code of a file puts into a statement in place of a table: `db.execute(f"DELETE FROM {table}")`.

The name is a text in a variable, an attribute or an item of a list, or an argument of a call of the function in the same file.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Final, NamedTuple

from ...facts.expressions import Expressions
from ...facts.model import DeclKind, FileFacts, Function, ShapeKind
from ...facts.node_scan import any_of, nodes_of
from ...facts.operations import Op
from .code_strings import CodeText

#: A value in the place of a table, with an expression or for an argument behind the text.
_HOLE: Final = re.compile(
    r"\b(?:FROM|JOIN|INTO|UPDATE|TABLE|EXISTS|REFERENCES|ONLY|ON)\s++(?:[\"`\[']|\w++\.)?"
    r"(?P<hole>[$#]?\{(?P<path>[\w.]*+)(?::[^{}\n]{0,20}+)?\}|%(?:\[\d+\])?[sv]|(?=\s*\Z))",
    re.IGNORECASE,
)
#: Every value in a text for an argument behind the text.
_POSITIONAL: Final = re.compile(r"%(?:\[\d+\])?[a-z]|\{\d*+\}")
#: The code between a text and the arguments for its values.
_ARGUMENTS: Final = re.compile(r"\s*+(?:%\s*+\(?|\.\s*+format\(|,|\+)\s*+")
_ARGUMENT: Final = re.compile(r"(?:(?P<key>\w++)\s*+=\s*+)?(?P<path>[A-Za-z_][\w.]*+)\s*+(?P<more>,\s*+)?")
#: A name of a table.
_NAME: Final = re.compile(r"[A-Za-z_]\w*+(?:\.[A-Za-z_]\w*+)?")
_QUOTES: Final = "\"'`"
#: First parameters of methods, which no argument of a call gives.
_OWN_OBJECT: Final = ("self", "cls")
_PROPERTIES: Final = any_of(Op.PROP)
#: Maximum numbers of texts for a name, of calls and of assignments that are read for a name, of arguments behind a text, of steps
#: to a text, and of statements in one text.
_MAX_TEXTS: Final = 8
_MAX_CALLS: Final = 40
_MAX_ARGUMENTS: Final = 12
_MAX_STEPS: Final = 6
_MAX_FILLED: Final = 8
#: Maximum number of bytes of a character.
_MAX_BYTES: Final = 4


class GivenText(NamedTuple):
    """A text with names in place of values."""

    code: CodeText
    #: Whether a name is the argument of a call, so that another call may give another name.
    is_inferred: bool


class _Given(NamedTuple):
    text: str
    is_inferred: bool = False


class GivenNames:
    """The texts in the names of a file. Facts without expressions have none."""

    def __init__(self, facts: FileFacts, source: str) -> None:
        self._facts = facts
        self._source = source

    @cached_property
    def _code(self) -> Expressions:
        return Expressions(self._facts)

    def filled(self, found: CodeText, owner: int, line: int) -> Sequence[GivenText]:
        """Return a text in a line of a symbol with each known name in place of its tables; the text alone if none is known."""
        plain = [GivenText(found, False)]
        holes = list(_HOLE.finditer(found.text)) if self._facts.code else []
        if not holes:
            return plain
        arguments = self._arguments(found)
        paths = [self._path(hole, found.text, arguments) for hole in holes]
        names: dict[str, Sequence[_Given]] = {}
        for path in dict.fromkeys(paths):
            known = tuple(dict.fromkeys(self._of_path(path, owner, line)))[:_MAX_TEXTS] if path else ()
            if known:
                names[path] = known
        if not names:
            return plain
        made = []
        for chosen in itertools.islice(itertools.product(*names.values()), _MAX_FILLED):
            values = dict(zip(names, chosen, strict=True))
            code = found.replaced(
                (*hole.span("hole"), values[path].text) for hole, path in zip(holes, paths, strict=True) if path in values
            )
            made.append(GivenText(code, any(each.is_inferred for each in chosen)))
        return made

    # ------------------------------------------------------------------ expressions in the place of tables

    def _arguments(self, found: CodeText) -> dict[str, str]:
        """Return the dotted names of the arguments behind a text, by number and by key."""
        start = _ARGUMENTS.match(self._source, found.end)
        arguments: dict[str, str] = {}
        at = start.end() if start is not None else -1
        for number in range(_MAX_ARGUMENTS if at >= 0 else 0):
            match = _ARGUMENT.match(self._source, at)
            if match is None:
                break
            if not self._source.startswith(("(", "["), match.end()):
                arguments[match["key"] or str(number)] = match["path"]
            if match["more"] is None:
                break
            at = match.end()
        return arguments

    def _path(self, hole: re.Match[str], text: str, arguments: dict[str, str]) -> str:
        """Return the dotted name that a value in the place of a table has; "" if it is another expression."""
        written = hole["path"] or ""
        if written and not written.isdigit():
            return arguments.get(written, written)
        number = re.search(r"\d+", hole["hole"])
        if number is not None:  # `%[1]s` counts from 1, and `{0}` from 0
            return arguments.get(str(int(number[0]) - (hole["hole"][0] == "%")), "")
        before = sum(1 for each in _POSITIONAL.finditer(text, 0, hole.start("hole")))
        return arguments.get(str(before), "")

    # ------------------------------------------------------------------ texts

    def _of_path(self, path: str, owner: int, line: int) -> Iterator[_Given]:
        """Yield the texts that a dotted name may have in the code of a symbol."""
        *receiver, name = path.split(".")
        found = self._of_member(name, owner) if receiver else self._of_name(name, owner, line)
        yield from (each for each in found if _NAME.fullmatch(each.text) is not None)

    def _of_name(self, name: str, owner: int, line: int) -> Iterator[_Given]:
        """Yield the texts of the variable that a name last denotes before a line, or of the parameter of the function."""
        code, facts = self._code, self._facts
        end = code.line_starts[line] if line < len(code.line_starts) else len(self._source) * _MAX_BYTES
        declared = [
            number
            for number in self._declared.get(name, ())
            if facts.decls[number].position < end and code.owner(facts.decls[number].b) in (owner, facts.decls[number].symbol)
        ]
        if declared:
            last = max(declared, key=lambda number: facts.decls[number].position)
            for number in self._together.get(last, (last,)):
                yield from self._texts(facts.decls[number].b)
            return
        function = self._functions.get(owner)
        names = [each.name for each in function.parameters] if function is not None else []
        if function is not None and name in names:
            place = names.index(name)
            yield from self._texts(function.parameters[place].default)
            has_receiver = names[0] in _OWN_OBJECT or owner in self._with_receivers
            for node in self._calls.get(facts.symbols[owner].name, ())[:_MAX_CALLS]:
                yield from self._given(node, place - has_receiver, name)

    def _given(self, call: int, place: int, name: str) -> Iterator[_Given]:
        """Yield the text that a call gives to a parameter, by its place or by its name."""
        code = self._code.code
        arguments = self._code.items(code[call + 2])
        keyed = [each for each in arguments if code[each] == Op.PROP and self._code.string(code[each + 2]) == name]
        given = code[keyed[0] + 1] if keyed else arguments[place] if 0 <= place < len(arguments) else -1
        yield from (each._replace(is_inferred=True) for each in self._texts(given))

    def _of_member(self, name: str, owner: int) -> Iterator[_Given]:
        """Yield the texts that code assigns to an attribute of an object, in a class or in a literal of a record."""
        code = self._code
        for node in self._members.get(name, ())[:_MAX_CALLS]:
            yield from self._texts(node)
        named = self._properties.get(name, [])
        own = [each for each in named if code.owner(each) == owner]
        for node in (own or named)[:_MAX_CALLS]:
            yield from self._texts(code.code[node + 1])

    def _texts(self, node: int, steps: int = _MAX_STEPS) -> Iterator[_Given]:
        """Yield the texts that an expression may have: a string, an item of a list of strings, or the branches of a condition."""
        expressions, code = self._code, self._code.code
        node = expressions.value(node)
        if node < 0 or steps <= 0:
            return
        inner: list[int] = []
        if code[node] == Op.STRING:
            yield _Given(expressions.string(code[node + 2]).strip(_QUOTES))
        elif code[node] == Op.CONDITIONAL:
            inner = [code[node + 2], code[node + 3]]
        elif code[node] in (Op.ITERATED, Op.ELEMENT):
            listed = expressions.value(code[node + 1])
            callee = code[listed + 1] if listed >= 0 and code[listed] == Op.CALL else -1
            if callee >= 0 and code[callee] == Op.MEMBER and expressions.string(code[callee + 2]) == "__range__":
                listed = code[callee + 1]  # a loop in Go
            inner = list(expressions.elements(listed))
        for each in inner[:_MAX_TEXTS]:
            yield from self._texts(each, steps - 1)

    @cached_property
    def _declared(self) -> dict[str, list[int]]:
        """The variables with a value by name."""
        found = dict[str, list[int]]()
        for number, decl in enumerate(self._facts.decls):
            if decl.kind == DeclKind.VARIABLE and decl.b >= 0:
                found.setdefault(decl.name, []).append(number)
        return found

    @cached_property
    def _together(self) -> dict[int, list[int]]:
        """All declarations of the name of a declaration in its scope."""
        return {each: binding.decls for binding in self._facts.bindings if len(binding.decls) > 1 for each in binding.decls}

    @cached_property
    def _functions(self) -> dict[int, Function]:
        """The functions by symbol."""
        return {each.symbol: each for each in self._facts.functions if each.symbol >= 0}

    @cached_property
    def _with_receivers(self) -> set[int]:
        """The methods that are declared outside of their type, so that their first parameter is the receiver, as in Go."""
        functions = self._facts.functions
        return {
            functions[member.function].symbol
            for shape in self._facts.shapes
            if shape.kind == ShapeKind.EXTENSION
            for member in shape.members
            if member.function >= 0
        }

    @cached_property
    def _members(self) -> dict[str, list[int]]:
        """The values of the attributes of classes by name."""
        found = dict[str, list[int]]()
        for decl in self._facts.decls:
            if decl.kind == DeclKind.VARIABLE and decl.symbol >= 0 and decl.b >= 0:
                found.setdefault(decl.name, []).append(decl.b)
        for shape in self._facts.shapes:
            for member in shape.members:
                if member.value >= 0:
                    found.setdefault(member.name, []).append(member.value)
        return found

    @cached_property
    def _calls(self) -> dict[str, list[int]]:
        """The calls of the file by the last name of the callee."""
        code, found = self._code.code, dict[str, list[int]]()
        for node in self._facts.calls:
            callee = code[node + 1] if code[node] == Op.CALL else -1
            if callee >= 0 and code[callee] in (Op.NAME, Op.MEMBER, Op.LEXICAL, Op.FLOW):
                place = callee + (3 if code[callee] == Op.FLOW else 2)
                found.setdefault(self._code.string(code[place]), []).append(node)
        return found

    @cached_property
    def _properties(self) -> dict[str, list[int]]:
        """The fields of records in literals, and the keyword arguments of calls, by name."""
        code, found = self._code.code, dict[str, list[int]]()
        for node in nodes_of(self._facts, _PROPERTIES):
            found.setdefault(self._code.string(code[node + 2]), []).append(node)
        return found
