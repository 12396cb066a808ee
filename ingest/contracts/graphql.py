"""Schemas in GraphQL's schema definition language: https://spec.graphql.org/October2021/#sec-Type-System."""

from __future__ import annotations

from .records import Contract, ContractElement, ContractSyntaxError
from .tokens import TokenReader, pattern_of_tokens, tokens_of

_TOKENS = pattern_of_tokens(r"#[^\n]*")
_ROOTS = {"query": "Query", "mutation": "Mutation", "subscription": "Subscription"}
_EXECUTABLE = frozenset(("query", "mutation", "subscription", "fragment", "{"))


class _Schema:
    """Reads definitions one after the other."""

    def __init__(self, text: str) -> None:
        self.reader = TokenReader(tokens_of(text, _TOKENS))
        self.elements: list[ContractElement] = []
        #: Types whose fields are operations.
        self.roots = set(_ROOTS.values())

    def read(self) -> tuple[ContractElement, ...]:
        """Return the elements of the schema."""
        reader = self.reader
        while not reader.is_done:
            description = reader.next().text if reader.kind == "text" else ""
            reader.take_word("extend")
            line = reader.line
            word = reader.next().text
            if word == "schema":
                self._read_schema()
            elif word in ("type", "interface", "input"):
                self._read_type(word, line, description)
            elif word == "enum":
                self._read_enum(line, description)
            elif word == "union":
                self._add_type("union", line, description)
                self._skip_directives()
                self._read_members("=")
            elif word == "scalar":
                self._add_type("scalar", line, description)
                self._skip_directives()
            elif word == "directive":
                self._read_directive()
            elif word in _EXECUTABLE:
                raise ContractSyntaxError(line, "this is a request, not a schema")
            else:
                raise ContractSyntaxError(line, f"expected a definition such as `type`, but found {word[:40]!r}")
        named = self.roots
        return tuple(
            element._replace(kind="operation") if element.kind == "field" and element.parent in named else element
            for element in self.elements
        )

    def _read_schema(self) -> None:
        reader = self.reader
        self._skip_directives()
        if reader.take("{"):
            while not reader.take("}"):
                reader.expect("name", "an operation such as `query`")
                reader.expect(":", "`:`")
                self.roots.add(reader.expect("name", "the name of a type").text)

    def _add_type(self, word: str, line: int, description: str) -> str:
        name = self.reader.expect("name", f"the name after `{word}`").text
        kind = "enum" if word == "enum" else "type"
        self.elements.append(ContractElement(name, kind, line, None, word, " ".join(description.split())))
        return name

    def _read_members(self, begin: str) -> None:
        reader = self.reader
        if reader.take(begin):
            reader.take("|")
            reader.expect("name", "the name of a type")
            while reader.take("|"):
                reader.expect("name", "the name of a type")

    def _skip_directives(self) -> None:
        reader = self.reader
        while reader.take("@"):
            reader.expect("name", "the name of a directive")
            reader.skip_group("(", ")")

    def _read_directive(self) -> None:
        reader = self.reader
        reader.expect("@", "`@`")
        reader.expect("name", "the name of a directive")
        reader.skip_group("(", ")")
        reader.take_word("repeatable")
        if not reader.take_word("on"):
            raise ContractSyntaxError(reader.line, "expected `on` and the places of the directive")
        reader.take("|")
        reader.expect("name", "a place such as `FIELD`")
        while reader.take("|"):
            reader.expect("name", "a place such as `FIELD`")

    def _read_enum(self, line: int, description: str) -> None:
        reader = self.reader
        name = self._add_type("enum", line, description)
        self._skip_directives()
        if reader.take("{"):
            while not reader.take("}"):
                about = reader.next().text if reader.kind == "text" else ""
                value = reader.expect("name", "a value or `}`")
                self.elements.append(
                    ContractElement(f"{name}.{value.text}", "field", value.line, name, "", " ".join(about.split()))
                )
                self._skip_directives()

    def _read_type(self, word: str, line: int, description: str) -> None:
        reader = self.reader
        name = self._add_type(word, line, description)
        if reader.take_word("implements"):
            reader.take("&")
            reader.expect("name", "the name of an interface")
            while reader.take("&") or (reader.kind == "name" and reader.text not in ("type", "extend")):
                reader.expect("name", "the name of an interface")
        self._skip_directives()
        if not reader.take("{"):
            return
        while not reader.take("}"):
            about = reader.next().text if reader.kind == "text" else ""
            field = reader.expect("name", "a field or `}`")
            reader.skip_group("(", ")")
            reader.expect(":", "`:` and the type of the field")
            detail = self._type()
            if reader.take("="):
                self._skip_value()
            self._skip_directives()
            text = " ".join(about.split())
            self.elements.append(ContractElement(f"{name}.{field.text}", "field", field.line, name, detail, text))

    def _type(self) -> str:
        reader = self.reader
        depth = 0
        while reader.take("["):
            depth += 1
        parts = ["[" * depth, reader.expect("name", "a type").text]
        while True:
            if reader.take("!"):
                parts.append("!")
            elif depth and reader.take("]"):
                depth -= 1
                parts.append("]")
            elif depth:
                raise ContractSyntaxError(reader.line, "expected `]` after the type")
            else:
                return "".join(parts)

    def _skip_value(self) -> None:
        reader = self.reader
        if reader.kind in ("[", "{"):
            reader.skip_group(reader.kind, "]" if reader.kind == "[" else "}")
        else:
            reader.take("$")
            reader.next()


def read_graphql(text: str) -> Contract:
    """Read a schema in GraphQL's schema definition language: fields of its root types are operations.

    Raises ContractSyntaxError if the text is no schema.
    """
    return Contract("graphql", elements=_Schema(text).read())
