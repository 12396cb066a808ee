"""Find the lines of used declarations that have no symbol themselves.

These are local variables of enclosing functions, and types and type parameters that comments define or import. No edge refers to
these declarations, but a reader of the symbol needs them.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence

from .....facts.model import Decl, DeclKind, SymbolFact
from .....facts.operations import Use
from ..context import Context

_IN_COMMENTS = frozenset((DeclKind.ALIAS, DeclKind.IMPORT, DeclKind.TYPE_PARAMETER))
#: Index that represents the file in place of a symbol.
_ROOT = -1

#: First and last line of a statement.
_Lines = tuple[int, int]


def add_captures(cx: Context, symbols: Sequence[SymbolFact], line_starts: Sequence[int]) -> None:
    """Set for each symbol the lines of the declarations that it uses: statements around it, and comments of its file.

    A statement with several variables is included completely if the symbol is one of the variables or a part of one. The lines of
    the used variables in this statement are recorded, too.
    """
    commented = _declaring_comments(cx, line_starts)
    if not cx.local_statements and not commented:
        return
    nesting = _Nesting(symbols, len(line_starts))
    captured: list[set[_Lines]] = [set() for _ in symbols]
    imported: list[set[str]] = [set() for _ in symbols]
    listed = _lines_of_listed(cx, line_starts)
    variables = set(listed.values())
    statements = {
        binding: found
        for binding, lines in _declaring_lines(cx, line_starts, listed).items()
        if (found := [(span, home) for span in lines if nesting.has_children(home := nesting.around(span))])
    }
    statements |= {binding: [(span, _ROOT)] for binding, span in commented.items()}
    code = cx.code
    for node, _, _ in cx.pending if statements else ():
        binding = code[node + 1]
        if binding in statements and code[node + 3] != Use.DOC:
            line = bisect_right(line_starts, code[node + 4])
            for span, home in statements[binding]:
                for symbol in nesting.between(line, home):
                    if not _lies_in(span, symbols[symbol]) and not (span in variables and _holds(span, symbols[symbol])):
                        captured[symbol].add(span)
                        if home == _ROOT and _is_imported(cx, binding):
                            imported[symbol].add(cx.strings[code[node + 2]])
    for start, end, _, _, is_list in cx.local_statements:
        span = bisect_right(line_starts, start), bisect_right(line_starts, end - 1)
        for symbol in nesting.within(span) if is_list else ():
            captured[symbol].add(span)
    for fact, spans, names in zip(symbols, captured, imported, strict=True):
        fact.captures = [line for span in sorted(spans) for line in span]
        fact.comment_imports = sorted(names)


def _lines_of_listed(cx: Context, line_starts: Sequence[int]) -> dict[int, _Lines]:
    """Map each variable of a statement that declares several, `const a = 1, b = () => 2`, to its own lines."""
    found: dict[int, _Lines] = {}
    for start, end, first, last in cx.listed_variables:
        span = bisect_right(line_starts, start), bisect_right(line_starts, end - 1)
        for decl in range(first, last):
            found.setdefault(decl, span)
    return found


def _declaring_lines(cx: Context, line_starts: Sequence[int], listed: Mapping[int, _Lines]) -> dict[int, list[_Lines]]:
    """Map each binding of a local variable to the lines of its statement, and to its own lines in that statement."""
    spans: dict[int, _Lines] = {}
    # A statement is recorded as start, end and range of its declarations. An inner statement precedes the outer statement and
    # owns its declarations.
    for start, end, first, last, _ in cx.local_statements:
        span = bisect_right(line_starts, start), bisect_right(line_starts, end - 1)
        for decl in range(first, last):
            spans.setdefault(decl, span)
    found: dict[int, list[_Lines]] = {}
    for binding, fact in enumerate(cx.bindings):
        own = [decl for decl in fact.decls if decl in spans and _is_local_variable(cx.decls[decl])]
        lines = [spans[decl] for decl in own]
        lines += [listed[decl] for decl in own if decl in listed and _is_part(listed[decl], spans[decl])]
        if lines:
            found[binding] = lines
    return found


def _is_local_variable(decl: Decl) -> bool:
    return decl.kind == DeclKind.VARIABLE and decl.symbol < 0


def _declaring_comments(cx: Context, line_starts: Sequence[int]) -> dict[int, _Lines]:
    """Map each binding of a type or type parameter from a comment to the lines of the comment."""
    if cx.documented is None:
        return {}
    found: dict[int, _Lines] = {}
    for binding, fact in enumerate(cx.bindings):
        for decl in (cx.decls[index] for index in fact.decls):
            comment = cx.documented.comment_at(decl.position) if decl.kind in _IN_COMMENTS and decl.symbol < 0 else None
            if comment is not None:
                found[binding] = bisect_right(line_starts, comment[0]), bisect_right(line_starts, comment[1] - 1)
    return found


def _is_part(inner: _Lines, outer: _Lines) -> bool:
    return inner != outer and outer[0] <= inner[0] and inner[1] <= outer[1]


def _is_imported(cx: Context, binding: int) -> bool:
    return any(cx.decls[decl].kind == DeclKind.IMPORT for decl in cx.bindings[binding].decls)


def _lies_in(span: _Lines, symbol: SymbolFact) -> bool:
    return symbol.start_line <= span[0] and span[1] <= symbol.end_line


def _holds(span: _Lines, symbol: SymbolFact) -> bool:
    return span[0] <= symbol.start_line and symbol.end_line <= span[1]


class _Nesting:
    """Maps lines to the innermost symbol that contains them, and to the symbols around that symbol."""

    def __init__(self, symbols: Sequence[SymbolFact], lines: int) -> None:
        self._symbols = symbols
        self._innermost = [-1] * (lines + 2)
        for index in sorted(range(len(symbols)), key=lambda index: symbols[index].depth):
            first, last = symbols[index].start_line, symbols[index].end_line
            self._innermost[first : last + 1] = [index] * (last + 1 - first)
        self._parents = {symbol.parent for symbol in symbols}

    def has_children(self, symbol: int) -> bool:
        return symbol in self._parents

    def around(self, span: _Lines) -> int:
        """Return the innermost symbol that contains the lines and at least one more line, or -1."""
        symbol = self._innermost[span[0]]
        while symbol >= 0:
            first, last = self._symbols[symbol].start_line, self._symbols[symbol].end_line
            if first <= span[0] and span[1] <= last and (first, last) != span:
                break
            symbol = self._symbols[symbol].parent
        return symbol

    def within(self, span: _Lines) -> set[int]:
        """Return the symbols inside the given lines, except symbols that span exactly these lines."""
        found: set[int] = set()
        for line in range(span[0], span[1] + 1):
            symbol = self._innermost[line]
            while symbol >= 0 and symbol not in found:
                first, last = self._symbols[symbol].start_line, self._symbols[symbol].end_line
                if first < span[0] or last > span[1] or (first, last) == span:
                    break
                found.add(symbol)
                symbol = self._symbols[symbol].parent
        return found

    def between(self, line: int, home: int) -> list[int]:
        """Return the symbols around a line that are inside `home`, innermost first, or [] if `home` is not around the line."""
        symbol, found = self._innermost[line], []
        while symbol not in (-1, home):
            found.append(symbol)
            symbol = self._symbols[symbol].parent
        return found if symbol == home else []
