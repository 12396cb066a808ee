"""The types that the declarations of a file write, to compare declarations of two states."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from ..facts.cells import int_array
from ..facts.model import Decl, FileFacts, Function
from ..facts.operations import Op
from ..incremental.operands import FUNCTION, INT, LIST, NODE, NONE, OPERANDS, SHAPE, STRING, STRINGS

_NO_OPERANDS: Final = (NONE, NONE, NONE)
#: Maximum number of characters of a type. A longer type is cut.
_MAX_LENGTH: Final = 2_000


class WrittenType(NamedTuple):
    """A part of the written types of a declaration."""

    #: Name of the member of a type; "" for other parts.
    member: str
    text: str
    #: Whether a user gets the part without writing it: a method with a body, or the decorators of a function.
    is_given: bool


class WrittenTypes:
    """Writes types as texts without positions. Equal texts mean equally written types."""

    def __init__(self, facts: FileFacts) -> None:
        self._facts = facts
        self._code = int_array(facts.code)
        self._lists = int_array(facts.lists)
        self._functions: dict[int, Function] = {each.symbol: each for each in facts.functions if each.symbol >= 0}

    def parameters(self, symbol: int) -> tuple[str, ...] | None:
        """Return the types of the parameters of a function or record, by its symbol; None for a symbol that is neither."""
        function = self._functions.get(symbol)
        return tuple(self.text(each.type) for each in function.parameters) if function is not None else None

    def signature(self, function: Function) -> str:
        """Return the types of the parameters and of the result of a function, and which parameters callers may leave out."""
        parameters = (
            f"{self.text(each.type)}{'?' if each.optional or each.default >= 0 else ''}{'*' if each.rest else ''}"
            for each in function.parameters
        )
        return f"{len(function.type_parameters)}({', '.join(parameters)}) {self.text(function.return_type)}"

    def shape(self, index: int) -> set[WrittenType]:
        """Return the type parameters, bases and members of a class or interface, in no order."""
        shape = self._facts.shapes[index]
        found = {WrittenType("", f"<{' '.join(self._parameter(each) for each in shape.type_parameters)}>", False)}
        found.update(WrittenType("", f": {self.text(each)}", False) for each in (*shape.extends, *shape.implements))
        for member in shape.members:
            function = self._facts.functions[member.function] if member.function >= 0 else None
            is_given = function is not None and function.has_body
            text = self.signature(function) if function is not None else self.text(member.type)
            text = f"{'?' if member.optional else ''} {member.kind} {member.static} {is_given} {text}"
            found.add(WrittenType(member.name, text, is_given))
        return found

    def alias(self, decl: Decl) -> str:
        """Return the type parameters and the meaning of an alias of a type."""
        return f"<{' '.join(self._parameter(each) for each in self._items(decl.b))}> {self.text(decl.a)}"

    def decorators(self, decl: Decl) -> str:
        """Return the decorators of a function."""
        return " ".join(self.text(each) for each in self._items(decl.b))

    def _items(self, place: int) -> Sequence[int]:
        """Return the items of a list; nothing for -1."""
        return self._lists[place + 1 : place + 1 + self._lists[place]] if place >= 0 else ()

    def _parameter(self, decl: int) -> str:
        """Return the bound of a type parameter, and whether it has a default."""
        found = self._facts.decls[decl]
        return f"type {self.text(found.a)}{'=' if found.b >= 0 else ''}"

    def text(self, node: int) -> str:
        """Return the text of a type; "" for -1."""
        parts: list[str] = []
        length = 0
        pending: list[tuple[int, int]] = [(NODE, node)]
        while pending and length < _MAX_LENGTH:
            kind, value = pending.pop()
            if value < 0:
                continue
            before = len(parts)
            if kind == NODE:
                self._open(value, parts, pending)
            elif kind == STRING:
                parts.append(self._facts.strings[value])
            elif kind in (LIST, STRINGS):
                items = self._items(value)
                parts.append(str(len(items)))
                pending += [(NODE if kind == LIST else STRING, each) for each in reversed(items)]
            elif kind == SHAPE:
                for member in self._facts.shapes[value].members:
                    parts.append(f"{member.name}{'?' if member.optional else ''}")
                    pending += [(NODE, member.type), (FUNCTION, member.function)]
            elif kind == FUNCTION:
                function = self._facts.functions[value]
                parts.append(str(len(function.parameters)))
                pending += [(NODE, function.return_type), *((NODE, each.type) for each in function.parameters)]
            length += sum(len(part) + 1 for part in parts[before:])
        return " ".join(parts)

    def _open(self, node: int, parts: list[str], pending: list[tuple[int, int]]) -> None:
        code = self._code
        operation = code[node]
        # The enclosing type of a name is not part of the written type.
        kinds = OPERANDS.get(operation, _NO_OPERANDS) if operation != Op.LEXICAL else (NONE, STRING, NONE)
        parts.append(str(operation))
        for place in (3, 2, 1):
            kind, value = kinds[place - 1], code[node + place]
            if kind == INT:
                parts.append(str(value))
            elif kind in (NODE, LIST, STRING, STRINGS, SHAPE, FUNCTION):
                pending.append((kind, value))
