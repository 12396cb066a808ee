"""Reads the types and tags of the structs of one file, for all object mappers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ....facts.expressions import Expressions
from ....facts.model import DeclKind, FileFacts, ShapeKind
from ....facts.operations import Op
from .naming import TABLE_METHOD

_SLICE: Final = "__slice__"


class StructReading:
    """A file with structs."""

    def __init__(self, facts: FileFacts, source: bytes) -> None:
        self.facts = facts
        self.source = source
        self.names = Expressions(facts)

    def line(self, symbol: int) -> int:
        """Return the line of the name of a symbol."""
        return self.facts.symbols[symbol].name_line

    def made_type(self, node: int) -> str:
        """Return the type of a literal or of `new(User)`; "" for other expressions."""
        names, code = self.names, self.names.code
        if node >= 0 and code[node] == Op.AS:
            return self.type_name(code[node + 2]) or self.type_name(code[node + 1])
        if node >= 0 and code[node] == Op.CALL and names.items(code[node + 2]) and self.type_name(code[node + 1]) == "new":
            return self.type_name(names.items(code[node + 2])[0])
        return ""

    def text(self, node: int) -> str:
        return self.names.text(node).strip('"`')

    def type_name(self, node: int) -> str:
        """Return the name of a type, with the import path of its package: `gorm.io/gorm.Model`, `User`."""
        code, names = self.names.code, self.names
        if node < 0:
            return ""
        if code[node] == Op.MEMBER:
            package = code[node + 1]
            decl = self.imported(package)
            return f"{decl}.{names.string(code[node + 2])}"
        if code[node] == Op.T_REFERENCE:
            return self.type_name(code[node + 1])
        return names.string(code[node + 2]) if code[node] in (Op.NAME, Op.T_NAME) else ""

    def imported(self, node: int) -> str:
        code, names = self.names.code, self.names
        binding = code[node + 1]
        for index in self.facts.bindings[binding].decls if binding >= 0 else ():
            decl = self.facts.decls[index]
            if decl.kind == DeclKind.IMPORT:
                return self.facts.strings[decl.a]
        return names.string(code[node + 2])

    def type_of(self, node: int) -> tuple[str, bool]:
        """Return the name of a type, and whether the type is a list. For a list, the name is the name of its items.

        A list of bytes counts as one value.
        """
        code, names = self.names.code, self.names
        if node >= 0 and code[node] == Op.T_REFERENCE and names.string(code[code[node + 1] + 2]) == _SLICE:
            inner = names.items(code[node + 2])
            name = self.type_name(inner[0]) if inner else ""
            return ("bytes", False) if name in ("byte", "uint8") else (name, True)
        return self.type_name(node), False

    def table_names(self) -> Iterator[tuple[str, str]]:
        """Yield the types with a method `TableName`, each with the constant result of the method, or "" for other results."""
        for shape in self.facts.shapes:
            for member in shape.members if shape.kind == ShapeKind.EXTENSION else ():
                if member.name == TABLE_METHOD and member.function >= 0:
                    returns = self.facts.functions[member.function].returns
                    yield shape.name, self.text(returns[0]) if len(returns) == 1 else ""
