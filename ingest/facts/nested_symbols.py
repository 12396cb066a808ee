"""Adds symbols with a meaning for a framework, such as tables in a macro, to the existing facts of a file."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from .model import FileFacts, SymbolFact
from .uncovered_lines import renumbered


class NestedSymbols:
    """Collects new symbols of a file in a language without a resolver."""

    def __init__(self, facts: FileFacts) -> None:
        self._facts = facts
        self._symbols = list(facts.symbols)
        self._of_lines = symbols_of_lines(facts.symbols, facts.lines)

    def add(self, name: str, kind: str, parent: int, lines: tuple[int, int], signature: str) -> int:
        """Add a symbol inside another symbol, or at the root for -1. Return the number of the symbol before `finish`."""
        first, last = lines
        depth = self._symbols[parent].depth + 1 if parent >= 0 else 0
        self._symbols.append(SymbolFact(name, kind, parent, depth, first, last, first, first, signature, "", [], True, False))
        return len(self._symbols) - 1

    def innermost(self, line: int) -> int:
        """Return the innermost original symbol of the file on a line; -1 if there is none."""
        return self._of_lines[line] if line < len(self._of_lines) else -1

    def covers_alone(self, symbol: int, lines: tuple[int, int]) -> bool:
        """Return whether a symbol is a statement at the root with exactly these lines."""
        around = self._symbols[symbol]
        return around.kind == "expression" and around.depth == 0 and (around.declaration_line, around.end_line) == lines

    def rename(self, symbol: int, name: str, kind: str, signature: str) -> None:
        """Give a statement the name and the kind of the object that it declares."""
        named = self._symbols[symbol]
        named.name, named.kind, named.signature, named.exported = name, kind, signature, True

    def finish(self) -> Mapping[int, int]:
        """Put all symbols in the order of the source, and return their new numbers."""
        children: dict[int, list[int]] = defaultdict(list)
        for place, symbol in enumerate(self._symbols):
            children[symbol.parent].append(place)
        order: list[int] = []
        waiting = self._sorted(children[-1])
        while waiting:
            place = waiting.pop()
            order.append(place)
            waiting += self._sorted(children[place])
        facts = self._facts
        facts.symbols, numbers = renumbered(self._symbols, order)
        for chunk in facts.chunks:
            chunk.symbol = numbers[chunk.symbol]
            chunk.parent = numbers[chunk.parent] if chunk.parent >= 0 else -1
            chunk.imports = [numbers[each] for each in chunk.imports]
        for each in facts.imports:
            each.symbol = numbers[each.symbol] if each.symbol >= 0 else -1
        return numbers

    def _sorted(self, places: list[int]) -> list[int]:
        """Return symbols in the reverse order of the source."""
        return sorted(places, key=lambda place: (self._symbols[place].start_line, place), reverse=True)


def symbols_by_name(symbols: Sequence[SymbolFact]) -> dict[tuple[int, str], int]:
    """Return the first symbol for each line of a name with the name."""
    return {(each.name_line, each.name): place for place, each in reversed(list(enumerate(symbols)))}


def symbols_of_lines(symbols: Sequence[SymbolFact], lines: int) -> list[int]:
    """Return the innermost symbol of each line, from 1; -1 for a line without a symbol."""
    owners = [-1] * (lines + 2)
    for place in sorted(range(len(symbols)), key=lambda each: symbols[each].depth):
        first, last = symbols[place].start_line, min(symbols[place].end_line, lines)
        owners[first : last + 1] = [place] * max(0, last + 1 - first)
    return owners
