"""Find declarations in enclosing functions and comments that targets use.

These declarations are not symbols, so the graph has no edges to them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

import msgspec

from ...schema.records import Symbol, SymbolRef
from ..context.neighbors import Neighbors
from ..source.doc_comments import is_needed_by, words_of
from ..source.import_reduction import is_import_comment
from ..source.regions import body_line
from ..source.source_lines import SourceLines
from .declarator_lists import Lines, declares_several, is_within
from .excerpt import STATEMENT, Stub


def captured_lines(symbol: Symbol) -> Iterator[tuple[int, int]]:
    """Yield the first and last line of each statement or comment that declares a name which a symbol captures."""
    return zip(symbol.captures[::2], symbol.captures[1::2], strict=True)


def with_statements(neighbors: Neighbors, symbols: Iterable[SymbolRef], details: Mapping[str, Symbol]) -> Neighbors:
    """Return the neighbors with additional enclosing symbols: statements around a symbol that declare names which the symbol
    uses.

    Such statements are loops, or declarations of several variables that include the symbol.
    """
    enclosing = dict(neighbors.enclosing)
    for target in symbols:
        around = neighbors.around(target)
        begun = {symbol.declaration_line for symbol in around}
        holders = [
            statement_of(target, *span)
            for span in captured_lines(details[target.id])
            if lies_in(target, *span)
            and span[0] not in begun
            # Statements that begin with the target and end after it, such as a declaration of several variables.
            and (span[0] != target.declaration_line or span[1] > target.end_line)
        ]
        if holders:
            enclosing[target.id] = sorted([*around, *holders], key=lambda symbol: (symbol.start_line, -symbol.end_line))
    return replace(neighbors, enclosing=enclosing)


def still_needed(
    spans: Iterable[tuple[int, int]], names: frozenset[str], shown: SymbolRef, stubs: Sequence[Stub], source: SourceLines
) -> tuple[list[tuple[int, int]], frozenset[str]]:
    """Return the statements and comments whose declarations the visible lines of a symbol use.

    `names` are the names that comments import for the symbol. The second result has the imported names that the visible lines
    use.
    """
    hidden = {line for stub in stubs for line in _hidden_lines(stub, source)}
    lines = [source.line(line) for line in range(shown.start_line, shown.end_line + 1) if line not in hidden]
    words = words_of([*lines, *(stub.signature for stub in stubs)])
    needed: list[tuple[int, int]] = []
    lists, pending = _lists(spans, source)
    # A needed declaration may use other declarations.
    while found := [span for span in pending if is_needed_by(words, source.between(*span), names)]:
        needed += found
        pending = [span for span in pending if span not in found]
        words.update(*(words_of(text) for span in found if not is_import_comment(text := source.between(*span))))
    needed += [outer for outer in lists if any(is_within(span, outer) for span in needed)]
    return sorted(span for span in needed if not _is_end_of_empty_list(span, needed, source)), names & words


def _is_end_of_empty_list(span: Lines, needed: Sequence[Lines], source: SourceLines) -> bool:
    """Return whether a line opens or closes a list without needed items, such as the names of an import statement."""
    parts = source.tree(span[0]).whole.parts
    lists = (region for part in parts if part.first <= span[0] <= part.last for region in part.regions)
    ends = [region for region in lists if span in ((region.first, region.first), (region.last, region.last))]
    return any(not any(region.first < first and last < region.last for first, last in needed) for region in ends)


def statements_with_parts(spans: Iterable[Lines], source: SourceLines) -> list[tuple[Lines, list[Lines]]]:
    """Return statements and comments. Statements that declare several variables come with the lines of their used variables."""
    lists, others = _lists(spans, source)
    found = [(outer, [span for span in others if is_within(span, outer)]) for outer in lists]
    found += [(span, []) for span in others if not any(is_within(span, outer) for outer in lists)]
    return sorted(found)


def _lists(spans: Iterable[Lines], source: SourceLines) -> tuple[list[Lines], list[Lines]]:
    """Divide line ranges into statements that declare several variables, at least one of which is used, and all other ranges."""
    spans = list(spans)
    lists = [span for span in spans if any(is_within(inner, span) for inner in spans) and declares_several(source, *span)]
    return lists, [span for span in spans if span not in lists]


def _hidden_lines(stub: Stub, source: SourceLines) -> range:
    place = stub.symbol
    opening = None if stub.signature or stub.is_of_lines else body_line(source, place.declaration_line, place.end_line)
    return range(stub.first_line, place.end_line + 1) if opening is None else range(opening + 1, place.end_line)


def lies_in(target: SymbolRef, first: int, last: int) -> bool:
    """Return whether a symbol is inside a range of lines of its file."""
    return first <= target.start_line and target.end_line <= last


def statement_of(target: SymbolRef, first: int, last: int) -> SymbolRef:
    """Return a symbol record for a statement in the target's file, although the statement is not a symbol."""
    id = f"{target.relative_path}:{first}"
    return msgspec.structs.replace(target, id=id, kind=STATEMENT, start_line=first, declaration_line=first, end_line=last)
