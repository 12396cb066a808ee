"""Files of protocol buffers, versions 2 and 3: https://protobuf.dev/reference/protobuf/proto3-spec/."""

from __future__ import annotations

from collections.abc import Iterator

from .declarations import Contract, ContractElement, ContractProblem, ContractSyntaxError
from .placed_elements import PlacedElements
from .tokens import TokenReader, pattern_of_tokens, tokens_of

_TOKENS = pattern_of_tokens(r"//[^\n]*|/\*(?:[^*]|\*(?!/))*(?:\*/|\Z)")
#: Maximum depth of nested messages.
MAX_DEPTH = 64
#: Options that name the package of generated code.
_PACKAGES = ("go_package", "java_package", "csharp_namespace", "php_namespace", "ruby_package")
#: Methods of HTTP in the option `google.api.http`: https://cloud.google.com/endpoints/docs/grpc/transcoding.
_HTTP_METHODS = ("get", "put", "post", "delete", "patch")
_LABELS = ("optional", "required", "repeated")


class _File:
    """Reads definitions one after the other."""

    def __init__(self, text: str) -> None:
        self.reader = TokenReader(tokens_of(text, _TOKENS))
        self.elements = PlacedElements(text, self.reader)
        self.package = ""
        #: Names of the packages of generated code.
        self.packages: list[str] = []
        #: Number of the first token of the statement.
        self._begin = 0

    def read(self) -> None:
        #: Open elements: name, keyword, line, and number of the element, -1 for other parts.
        open_elements: list[tuple[str | None, str, int, int]] = []
        reader = self.reader
        while not reader.is_done:
            line = reader.line
            if reader.take("}"):
                if not open_elements:
                    raise ContractSyntaxError(line, "`}` without `{`")
                number = open_elements.pop()[3]
                if number >= 0:
                    self.elements.close(number)
            elif not reader.take(";"):
                if len(open_elements) > MAX_DEPTH:
                    raise ContractSyntaxError(line, f"messages are nested more than {MAX_DEPTH} times")
                self._begin = reader.at
                before = len(self.elements)
                opened = self._read_statement(*(open_elements[-1][:2] if open_elements else (None, "")))
                added = len(self.elements) - before
                if opened is not None:
                    open_elements.append((*opened, line, len(self.elements) - 1 if added else -1))
                elif added:
                    self.elements.close(before)
        if open_elements:
            raise ContractSyntaxError(open_elements[-1][2], "`{` has no `}`")

    def _read_statement(self, parent: str | None, kind: str) -> tuple[str | None, str] | None:
        """Read a statement, and return the element whose body it opens, or None."""
        reader = self.reader
        line = reader.line
        word = reader.expect("name", "a definition such as `message`").text
        if word in ("export", "local") and reader.text in ("message", "enum"):
            word = reader.next().text
        if kind == "enum" and word not in ("option", "reserved"):
            self._add(word, "field", line, parent)
            self._skip_statement()
            self._sign()
        elif kind == "service" and word == "rpc":
            self._read_call(parent, line)
        elif word in ("message", "enum", "service") and reader.kind == "name":
            name = self._add(reader.next().text, "type" if word == "message" else word, line, parent)
            self._sign()
            reader.expect("{", "`{`")
            return name, word
        elif word == "oneof" and reader.kind == "name":
            reader.next()
            reader.expect("{", "`{`")
            return parent, "message"
        elif word == "extend" and reader.kind in ("name", "."):
            name = self._path("")
            self.elements.add(ContractElement(name, "extension", line, parent), self._begin, self._begin)
            self._sign()
            reader.expect("{", "`{`")
            return name, "extend"
        elif word == "package":
            self.package = self._path(reader.expect("name", "the name of the package").text)
        elif kind in ("message", "extend") and word not in ("option", "reserved", "extensions"):
            return self._read_field(word, parent, line)
        elif word in ("syntax", "edition", "import", "option", "reserved", "extensions"):
            if word == "option" and reader.text in _PACKAGES:
                reader.next()
                if reader.take("=") and reader.kind == "text":
                    self.packages.append(reader.text.partition(";")[0])
            self._skip_statement()
        else:
            raise ContractSyntaxError(line, f"expected a definition such as `message`, but found {word[:40]!r}")
        return None

    def _add(self, name: str, kind: str, line: int, parent: str | None, detail: str = "") -> str:
        prefix = parent or self.package
        full = f"{prefix}.{name}" if prefix else name
        self.elements.add(ContractElement(full, kind, line, parent, detail), self._begin, self._begin)
        return full

    def _sign(self) -> None:
        self.elements.sign(len(self.elements) - 1)

    def _read_call(self, parent: str | None, line: int) -> None:
        """Read `rpc Name (Request) returns (stream Reply)` with its options."""
        reader = self.reader
        name = reader.expect("name", "the name of the call").text
        taken = self._message_in_brackets()
        if not reader.take_word("returns"):
            raise ContractSyntaxError(reader.line, "expected `returns`")
        given = self._message_in_brackets()
        self._add(name, "operation", line, parent, f"({taken}) returns ({given})")
        self._sign()
        begin = reader.at
        reader.skip_group("{", "}")
        self.elements.bind(len(self.elements) - 1, tuple(self._bindings(begin, reader.at)))

    def _bindings(self, begin: int, end: int) -> Iterator[str]:
        """Yield the requests in the option `google.api.http` among some tokens: `{get: "/v1/carts/{id}"}`."""
        tokens = [self.reader.token(number) for number in range(begin, end)]
        is_http = False
        for before, mark, value in zip(tokens, tokens[1:], tokens[2:], strict=False):
            if before.text == "option":
                is_http = False
            is_http = is_http or before.text.startswith("google.api.http")
            if is_http and before.text in _HTTP_METHODS and mark.text == ":" and value.kind == "text":
                yield f"{before.text.upper()} {value.text}"

    def _message_in_brackets(self) -> str:
        reader = self.reader
        reader.expect("(", "`(`")
        is_stream = reader.take_word("stream")
        name = self._path(reader.next().text) if reader.kind == "name" else is_stream
        reader.expect(")", "`)`")
        return f"stream {name}" if is_stream and name != is_stream else name

    def _path(self, start: str) -> str:
        """Read the rest of a name whose parts may have space around their dots."""
        reader = self.reader
        parts = [start]
        while reader.kind == "name" and (not parts[-1] or parts[-1].endswith(".") or reader.text.startswith(".")):
            parts.append(reader.next().text)
        return "".join(parts)

    def _read_field(self, word: str, parent: str | None, line: int) -> tuple[str | None, str] | None:
        reader = self.reader
        label = word if word in _LABELS else ""
        kind = reader.expect("name", "the type of the field").text if label else word
        if kind == "group":
            written = reader.expect("name", "the name of the group").text
            field = len(self.elements)
            self._add(written.lower(), "field", line, parent, f"{label} {written}")
            self._sign()
            self.elements.close(field)
            name = self._add(written, "type", line, parent)
            self._sign()
            while not reader.is_done and reader.kind != "{":
                reader.next()
            reader.expect("{", "`{`")
            return name, "message"
        if kind == "map" and reader.take("<"):
            key = reader.expect("name", "the type of the keys").text
            value = reader.expect("name", "the type of the values").text
            reader.expect(">", "`>`")
            kind = f"map<{key}, {self._path(value)}>"
        else:
            kind = self._path(kind)
        name = reader.expect("name", "the name of the field").text
        reader.expect("=", "`=` and the number of the field")
        self._add(name, "field", line, parent, f"{label} {kind}".strip())
        self._skip_statement()
        self._sign()
        return None

    def _skip_statement(self) -> None:
        reader = self.reader
        while not reader.is_done and reader.kind not in (";", "}"):
            if reader.kind == "{":
                reader.skip_group("{", "}")
            elif reader.kind == "[":
                reader.skip_group("[", "]")
            else:
                reader.next()


def read_protobuf(text: str) -> Contract:
    """Read a file of protocol buffers. Messages are types, and calls of services are operations.

    Reading stops at the first problem, which the contract records.
    """
    file = _File(text)
    problem = None
    try:
        file.read()
    except ContractSyntaxError as error:
        problem = ContractProblem(error.line, error.reason)
    packages = tuple(name for name in (file.package, *file.packages) if name)
    return Contract("protobuf", elements=file.elements.all(), problem=problem, packages=packages)
