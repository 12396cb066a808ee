"""Schemas and requests of GraphQL, in its definition language: https://spec.graphql.org/October2021/#sec-Type-System."""

from __future__ import annotations

from .declarations import Contract, ContractElement, ContractProblem, ContractSyntaxError, FieldSelection
from .graphql_selections import ROOTS, read_selections
from .placed_elements import PlacedElements
from .tokens import TokenReader, pattern_of_tokens, tokens_of

_TOKENS = pattern_of_tokens(r"#[^\n]*")
_REQUESTS = frozenset(("query", "mutation", "subscription", "fragment"))
#: Words that begin a definition. A type without fields may have such a word directly after its interfaces.
_BEGINNINGS = _REQUESTS | {"schema", "type", "interface", "input", "enum", "union", "scalar", "directive", "extend"}


class _File:
    """Reads definitions one after the other."""

    def __init__(self, text: str) -> None:
        self.reader = TokenReader(tokens_of(text, _TOKENS))
        self.elements = PlacedElements(text, self.reader)
        #: Numbers of two tokens: the first of the definition, and the first after the description of the definition.
        self._begin = self._code = 0
        #: Types whose fields are operations.
        self.roots = set(ROOTS.values())
        self._selections: list[FieldSelection] = []

    def read(self) -> None:
        reader = self.reader
        while not reader.is_done:
            self._begin = reader.at
            description = reader.next().text if reader.kind == "text" else ""
            self._code = reader.at
            reader.take_word("extend")
            line = reader.line
            if reader.kind == "{":
                self._selections += read_selections(reader, ROOTS["query"])
                continue
            word = reader.next().text
            before = len(self.elements)
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
                self.elements.sign(before)
            elif word == "scalar":
                self._add_type("scalar", line, description)
                self._skip_directives()
                self.elements.sign(before)
            elif word == "directive":
                self._read_directive(line, description)
                self.elements.sign(before)
            elif word in _REQUESTS:
                self._read_request(word, line, description)
            else:
                raise ContractSyntaxError(line, f"expected a definition such as `type`, but found {word[:40]!r}")
            if len(self.elements) > before:
                self.elements.close(before)

    def contract(self, problem: ContractProblem | None) -> Contract:
        """Return the contract. Fields of the root types are operations."""
        elements = tuple(
            element._replace(kind="operation") if element.kind == "field" and element.parent in self.roots else element
            for element in self.elements.all()
        )
        return Contract("graphql", elements=elements, problem=problem, selections=tuple(self._selections))

    def _read_request(self, word: str, line: int, description: str) -> None:
        """Read a request or a fragment. A request without a name is not recorded."""
        reader = self.reader
        number = -1
        name, root = "", ROOTS.get(word, "")
        if reader.kind == "name":
            name = reader.next().text
            element = ContractElement(name, "request", line, None, word, " ".join(description.split()))
            number = self.elements.add(element, self._begin, self._code)
        reader.skip_group("(", ")")
        if reader.take_word("on"):
            root = reader.expect("name", "the name of a type").text
        self._skip_directives()
        if number >= 0:
            self.elements.sign(number)
        if reader.kind != "{":
            raise ContractSyntaxError(reader.line, f"expected `{{`, but found {reader.text[:40] or 'the end'!r}")
        self._selections += (each._replace(request=name) for each in read_selections(reader, root))

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
        element = ContractElement(name, kind, line, None, word, " ".join(description.split()))
        self.elements.add(element, self._begin, self._code)
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

    def _read_directive(self, line: int, description: str) -> None:
        reader = self.reader
        reader.expect("@", "`@`")
        name = reader.expect("name", "the name of a directive").text
        element = ContractElement(name, "directive", line, None, "", " ".join(description.split()))
        self.elements.add(element, self._begin, self._code)
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
        number = len(self.elements) - 1
        self._skip_directives()
        self.elements.sign(number)
        if reader.take("{"):
            while not reader.take("}"):
                begin = reader.at
                about = reader.next().text if reader.kind == "text" else ""
                code = reader.at
                value = reader.expect("name", "a value or `}`")
                self._skip_directives()
                element = ContractElement(f"{name}.{value.text}", "field", value.line, name, "", " ".join(about.split()))
                self._add_member(element, begin, code)

    def _read_type(self, word: str, line: int, description: str) -> None:
        reader = self.reader
        name = self._add_type(word, line, description)
        number = len(self.elements) - 1
        if reader.take_word("implements"):
            reader.take("&")
            reader.expect("name", "the name of an interface")
            while reader.take("&") or (reader.kind == "name" and reader.text not in _BEGINNINGS):
                reader.expect("name", "the name of an interface")
        self._skip_directives()
        self.elements.sign(number)
        if not reader.take("{"):
            return
        while not reader.take("}"):
            begin = reader.at
            about = reader.next().text if reader.kind == "text" else ""
            code = reader.at
            field = reader.expect("name", "a field or `}`")
            reader.skip_group("(", ")")
            reader.expect(":", "`:` and the type of the field")
            detail = self._type()
            if reader.take("="):
                self._skip_value()
            self._skip_directives()
            text = " ".join(about.split())
            self._add_member(ContractElement(f"{name}.{field.text}", "field", field.line, name, detail, text), begin, code)

    def _add_member(self, element: ContractElement, begin: int, code: int) -> None:
        """Add the last field or value that was read."""
        number = self.elements.add(element, begin, code)
        self.elements.sign(number)
        self.elements.close(number)

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
    """Read definitions and requests of GraphQL. Fields of the root types are operations.

    Reading stops at the first problem, which the contract records.
    """
    file = _File(text)
    try:
        file.read()
    except ContractSyntaxError as error:
        return file.contract(ContractProblem(error.line, error.reason))
    return file.contract(None)
