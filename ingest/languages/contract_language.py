"""The record of a language for contracts, such as protobuf, and the facts of its files.

`ingest/contracts/` reads the declarations.
"""

from __future__ import annotations

from typing import Final

from ...schema.records import Problem
from ..contracts.declarations import ContractElement
from ..contracts.element_symbols import field_uses_of, kind_of, name_of, operations_of
from ..contracts.formats import read_format
from ..facts.api import ApiFacts, Operation, PathsOfFile
from ..facts.model import FileFacts, SymbolFact
from ..facts.uncovered_lines import facts_of_symbols, line_of, line_offsets, symbol_of_lines
from ..files.source_text import SourceText
from .base import Language
from .comments import comment_text

#: Kinds of symbols that may also be chunks inside other symbols.
_CHUNKS: Final = frozenset(("interface", "method", "type", "enum", "extension", "operation"))
#: Maximum number of lines of a short statement; consecutive short statements are joined.
_MAX_SHORT_LINES: Final = 2
_COMMENTS: Final = ("//", "/*", "#")
#: The kinds of symbols by the kinds of elements in API descriptions. Names of these elements may contain dots.
_DESCRIPTION_KINDS: Final = {
    "endpoint": "operation",
    "operation": "operation",
    "channel": "channel",
    "message": "message",
    "type": "type",
    "enum": "enum",
    "field": "property",
}
_DESCRIPTIONS: Final = frozenset(("openapi", "asyncapi"))


def contract_language(name: str) -> Language:
    """Return the record of a language whose files are contracts of the format with this name."""

    def read(source: SourceText, language: str) -> FileFacts:
        return _FileReading(source, language, name).facts()

    return Language(read=read)


class _FileReading:
    def __init__(self, source: SourceText, language: str, name: str) -> None:
        self._source = source
        self._language = language
        self._text = source.data.decode("utf-8")
        self._contract = read_format(name, self._text)
        self._starts = line_offsets(self._text, len(source.line_starts))
        self._symbols: list[SymbolFact] = []
        #: The index of each element's symbol, by name of the element. An element follows directly after its parent.
        self._numbers: dict[str, int] = {}
        #: The last symbol of depth 0 with declarations, and the last line that has a symbol.
        self._root = -1
        self._covered = 0
        #: Indices of the chunks inside each symbol, by index of the symbol.
        self._inner_chunks: dict[int, list[int]] = {}

    def facts(self) -> FileFacts:
        numbers = self._numbers
        for element in self._contract.elements:
            parent = numbers.get(element.parent or "", -1)
            numbers[element.name] = self._add(element, parent)
        self._cover(len(self._starts))
        contract = self._contract
        problem = contract.problem
        operations = list(operations_of(contract, numbers))
        api = self._api(operations) if operations or contract.references else None
        if fields := list(field_uses_of(contract, numbers)):
            api = api or ApiFacts()
            api.fields = fields
        problems = [*self._source.problems, *([Problem(problem.line, problem.reason)] if problem else [])]
        lines, inner = self._source.line_starts, self._inner_chunks
        return facts_of_symbols(self._language, lines, self._text, self._starts, self._symbols, problems, api=api, children=inner)

    def _api(self, operations: list[Operation]) -> ApiFacts:
        contract = self._contract
        if contract.is_part:
            return ApiFacts(parts=operations)
        references = [PathsOfFile(each.path, each.target) for each in contract.references]
        return ApiFacts(operations, list(contract.bases), list(contract.packages), references)

    def _add(self, element: ContractElement, parent: int) -> int:
        """Add the symbol of an element. An element that begins on the last line of another element is nested in that element."""
        first = element.first_line
        if parent < 0:
            if element.line <= self._covered:
                parent = self._root
                self._symbols[parent].end_line = self._covered = max(self._covered, element.end_line)
            else:
                self._cover(element.first_line - 1)
                first = max(first, self._covered + 1)
                self._root = len(self._symbols)
                self._covered = element.end_line
        is_description = self._contract.format in _DESCRIPTIONS
        outer = self._symbols[parent].kind if parent >= 0 else ""
        kind = _DESCRIPTION_KINDS[element.kind] if is_description else kind_of(element, outer)
        self._symbols.append(
            SymbolFact(
                name=_own_name(element) if is_description else name_of(element),
                kind=kind,
                parent=parent,
                depth=self._symbols[parent].depth + 1 if parent >= 0 else 0,
                start_line=first,
                end_line=element.end_line,
                declaration_line=element.line,
                name_line=element.line,
                signature=element.signature,
                doc=element.description or comment_text(element.comment.splitlines()),
                modifiers=[],
                exported=True,
                is_chunk=parent < 0,
            )
        )
        if parent >= 0 and kind in _CHUNKS:
            self._make_inner_chunk(parent, len(self._symbols) - 1)
        return len(self._symbols) - 1

    def _make_inner_chunk(self, parent: int, number: int) -> None:
        """Turn a symbol inside another symbol into a chunk, unless it shares lines with other parts of the outer symbol."""
        outer, inner = self._symbols[parent], self._symbols[number]
        siblings = self._inner_chunks.setdefault(parent, [])
        before = self._symbols[siblings[-1]].end_line if siblings else outer.name_line
        if outer.is_chunk and before < inner.start_line and inner.end_line < outer.end_line:
            inner.is_chunk = True
            siblings.append(number)

    def _cover(self, last: int) -> None:
        """Add symbols for the uncovered comments and paragraphs of statements up to the line `last`."""
        first = self._covered + 1
        for line in range(first, last + 1):
            if self._line(line).strip() or line == first:
                continue
            if line - first > _MAX_SHORT_LINES or self._line(first).lstrip().startswith(_COMMENTS):
                self._add_lines(first, line - 1)
                first = line + 1
        self._add_lines(first, last)
        self._covered = max(self._covered, last)

    def _add_lines(self, first: int, last: int) -> None:
        symbol = symbol_of_lines(self._text, self._starts, first, last, _COMMENTS)
        if symbol is not None:
            self._symbols.append(symbol)

    def _line(self, line: int) -> str:
        return line_of(self._text, self._starts, line)


def _own_name(element: ContractElement) -> str:
    """Return the name of an element of an API description without the name of its parent."""
    return element.name.removeprefix(f"{element.parent}.") if element.parent is not None else element.name
