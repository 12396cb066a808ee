"""Find GraphQL in the strings of code: `gql`, `graphql` and `/* GraphQL */` templates, `buildSchema(…)`, `typeDefs`.

The types of a schema and their fields become symbols inside the code around the string, and their fields are operations that
resolvers implement. The requests of a client use the fields of a schema.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import Final

from ...schema.blank_text import blanked
from ..facts.api import ApiFacts
from ..facts.data import EMBEDDED
from ..facts.model import FileFacts, SymbolFact
from ..facts.nested_symbols import symbols_of_lines
from ..facts.uncovered_lines import line_offsets
from .declarations import Contract, ContractElement
from .element_symbols import field_uses_of, kind_of, name_of, operations_of
from .formats import read_format

_HINTS: Final = (b"graphql", b"GraphQL", b"buildSchema", b"typeDefs", b"typedefs", b"type_defs", b"type_Defs")
_SHORT_HINT: Final = re.compile(rb"\bgql\b")
#: The code before a schema, and its opening quote.
_BEGINNING: Final = re.compile(
    r"(?:(?<![\w$.])(?:gql|graphql)\s{0,9}(?:\(\s{0,40})?|/\*\s{0,9}GraphQL\s{0,9}\*/\s{0,9}|(?<![\w$])buildSchema\(\s{0,40}"
    r"|(?<![\w$])type_?[dD]efs(?:[ \t]{0,9}:[ \t]{0,9}\w{1,40})?\s{0,9}[:=]\s{0,9}\[?\s{0,40})"
    r"(?P<quote>`|\"\"\"|''')|(?P<marked>`)(?=\s{0,99}\#\s{0,9}graphql\b)"
)
#: The content of a string up to its closing quote, by the opening quote.
_CONTENT: Final = {
    "`": re.compile(r"(?:[^`\\$]++|\\.|\$\{[^{}`]{0,200}+\}|\$)*+", re.DOTALL),
    '"""': re.compile(r'(?:[^"\\]++|\\.|"(?!""))*+', re.DOTALL),
    "'''": re.compile(r"(?:[^'\\]++|\\.|'(?!''))*+", re.DOTALL),
}
_HOLE: Final = re.compile(r"\$\{[^{}`]{0,200}\}")
_DEFINES: Final = re.compile(
    r"(?:\A|[\n}])\s*+(?:extend\s+)?(?:(?:type|interface|input|enum|union|scalar)\s+\w|schema\s*[{@]|directive\s+@)"
)
#: Maximum length of a schema, in characters, and maximum number of schemas in a file.
_MAX_LENGTH: Final = 300_000
_MAX_SCHEMAS: Final = 500
#: Elements that code may implement or name.
_LEFT_OUT: Final = frozenset(("request",))
_REQUESTS: Final = re.compile(r"\A(?:\s|#[^\n]*+)*+(?:(?:query|mutation|subscription|fragment)\b|\{)")


def may_declare_graphql(data: bytes) -> bool:
    """Return whether a file may have GraphQL in a string. The check is fast."""
    return any(hint in data for hint in _HINTS) or (b"gql" in data and _SHORT_HINT.search(data) is not None)


def add_embedded_graphql(facts: FileFacts, data: bytes) -> None:
    """Add the schemas and requests in the strings of a file to its symbols and its facts about APIs.

    A schema with a syntax error counts up to the error, since values that code puts into it may be any part of it.
    """
    text = data.decode("utf-8", "replace")
    starts = line_offsets(text, facts.lines)
    owners: list[int] | None = None
    for start, schema in _schemas(text):
        line = bisect_right(starts, start)
        owners = symbols_of_lines(facts.symbols, facts.lines) if owners is None else owners
        owner = owners[min(line, facts.lines)]
        contract = read_format("graphql", schema)
        if owner >= 0 and (contract.elements or contract.selections):
            _add(facts, contract, owner, line)


def _schemas(text: str) -> Iterator[tuple[int, str]]:
    """Yield the schemas and requests in strings, each with the offset of its beginning. Values of code are replaced by blanks."""
    at = 0
    for _ in range(_MAX_SCHEMAS):
        begin = _BEGINNING.search(text, at)
        if begin is None:
            return
        quote = begin["quote"] or begin["marked"]
        content = _CONTENT[quote].match(text, begin.end())
        assert content is not None
        at = content.end() + len(quote)
        written = content[0]
        if begin["marked"]:
            written = written.replace("#", " ", 1).replace("graphql", " " * len("graphql"), 1)
        is_closed = text.startswith(quote, content.end())
        if is_closed and len(written) <= _MAX_LENGTH and (_DEFINES.search(written) or _REQUESTS.match(written)):
            yield begin.end(), _HOLE.sub(blanked, written)


def _add(facts: FileFacts, contract: Contract, owner: int, line: int) -> None:
    numbers: dict[str, int] = {}
    for element in contract.elements:
        if element.kind not in _LEFT_OUT:
            numbers[element.name] = len(facts.symbols)
            facts.symbols.append(_symbol(facts, element, numbers.get(element.parent or "", owner), line - 1))
    operations = [each for each in operations_of(contract, numbers) if each.symbol >= 0]
    fields = list(field_uses_of(contract, {}, owner, line - 1))
    if operations or fields:
        facts.api = facts.api or ApiFacts()
        facts.api.operations += operations
        facts.api.fields += fields


def _symbol(facts: FileFacts, element: ContractElement, parent: int, before: int) -> SymbolFact:
    """Return the symbol of an element; `before` is the number of lines before the schema."""
    outer = facts.symbols[parent]
    first, last = before + (element.first_line or element.line), before + (element.end_line or element.line)
    own = before + element.line
    kind, depth = kind_of(element, outer.kind), outer.depth + 1
    signature, doc, modifiers = element.signature, element.description or element.comment, [EMBEDDED, "graphql"]
    return SymbolFact(name_of(element), kind, parent, depth, first, last, own, own, signature, doc, modifiers, False, False)
