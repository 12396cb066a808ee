"""Merge hits: choose for each found symbol the symbol that the answer shows.

A callback, or a method of a nested object, cannot be shown without its enclosing function. So the function is the result, and
several hits in a function become one result.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from ...graphdb.symbols.symbol_table import SymbolTable
from ...schema.records import Symbol, SymbolRef
from ...schema.symbol_kinds import MEMBER_KINDS
from ..source.source_lines import SourceLines
from ..source.source_syntax import SourceSyntax
from ..vectors.chunk_table import ChunkTable
from .excerpt import ShownSymbol, representative
from .folding import tokens_of
from .plan import MAX_ENCLOSING_SHARE, NOMINAL_BUDGET

#: Maximum number of shown variants of a declaration.
_MAX_ALIKE = 3
#: Maximum number of further variants that a note names.
_MAX_NAMED = 8


@dataclass(frozen=True, slots=True)
class Hit:
    """A symbol that the answer should show."""

    symbol: Symbol
    score: float
    #: Tokens of the symbol's lines in the file.
    tokens: int
    #: Whether the symbol was requested by name. No enclosing symbol replaces such a symbol.
    is_named: bool = False
    #: Hash of the symbol's lines.
    digest: int = 0
    #: Lines of the symbol's file.
    lines: SourceLines | None = field(default=None, compare=False, repr=False)


def shown_hits(
    symbols: SymbolTable,
    table: ChunkTable,
    scores: Mapping[str, float],
    budget: int | None,
    syntax: SourceSyntax,
) -> list[Hit]:
    """Return a hit for each symbol, or for the enclosing symbol that replaces it, best first.

    `scores` has the score of each symbol by id. An enclosing symbol of more than half of the budget replaces no symbol.
    """
    most = (budget or NOMINAL_BUDGET) // MAX_ENCLOSING_SHARE
    found = symbols.symbols(scores)
    enclosing = symbols.enclosing(found)
    sources = _read_sources(table, found.values(), syntax)
    best: dict[str, float] = {}
    for id, score in scores.items():
        if id in found:
            chain = [*enclosing.get(id, ()), found[id].ref]
            source = sources[found[id].relative_path]
            place = _representative_index(chain, source)
            place = place if tokens_of(chain[place], source) <= most else len(chain) - 1
            shown_id = chain[place].id
            best[shown_id] = max(score, best.get(shown_id, 0.0))
    found |= symbols.symbols(best.keys() - found.keys())
    ranked = [(found[id], score) for id, score in sorted(best.items(), key=lambda item: -item[1]) if id in found]
    return [_hit(symbol, score, sources[symbol.relative_path]) for symbol, score in ranked]


def _hit(symbol: Symbol, score: float, source: SourceLines) -> Hit:
    digest = hash(tuple(source.between(symbol.start_line, symbol.end_line)))
    return Hit(symbol, score, tokens_of(symbol, source), digest=digest, lines=source)


def without_repeats(hits: Sequence[Hit]) -> tuple[list[Hit], list[str]]:
    """Return the hits without repetitions, and a note for each group of repetitions.

    Files of one folder that declare the same name with the same signature are variants, such as texts in several languages; a few
    variants are shown as examples.
    """
    groups: dict[tuple[str, str, str, str], list[Hit]] = {}
    for hit in hits:
        symbol = hit.symbol
        groups.setdefault((_folder(symbol.relative_path), symbol.kind, symbol.name, symbol.signature), []).append(hit)
    repeats = {
        key: group[_shown_of(group) :] for key, group in groups.items() if len({hit.symbol.relative_path for hit in group}) > 1
    }
    left_out = {hit.symbol.id for group in repeats.values() for hit in group}
    notes = [_repeats_note(folder, name, group) for (folder, _, name, _), group in repeats.items() if group]
    return [hit for hit in hits if hit.symbol.id not in left_out], notes


def _shown_of(group: Sequence[Hit]) -> int:
    """Return the number of shown variants: one if all variants are identical, else up to `_MAX_ALIKE`."""
    return 1 if len({hit.digest for hit in group}) == 1 else _MAX_ALIKE


def _repeats_note(folder: str, name: str, group: Sequence[Hit]) -> str:
    files = [hit.symbol.relative_path.rpartition("/")[2] for hit in group]
    more = f", … {len(files) - _MAX_NAMED} more" if len(files) > _MAX_NAMED else ""
    further = f"{len(files)} further file{'' if len(files) == 1 else 's'}"
    return f"Alike: {name} in {further} of {folder or '.'}: {', '.join(files[:_MAX_NAMED])}{more}"


def _folder(path: str) -> str:
    return path.rpartition("/")[0]


def named_hits(symbols: SymbolTable, table: ChunkTable, ids: Sequence[str], syntax: SourceSyntax) -> list[Hit]:
    """Return a hit for each symbol that was requested by name, without a substitute."""
    found = symbols.symbols(ids)
    sources = _read_sources(table, found.values(), syntax)
    named = (found[id] for id in ids)
    lines = ((symbol, sources[symbol.relative_path]) for symbol in named)
    return [Hit(symbol, 1.0, tokens_of(symbol, source), is_named=True, lines=source) for symbol, source in lines]


def _representative_index(chain: Sequence[SymbolRef], source: SourceLines) -> int:
    """Return the index of the symbol that replaces the last symbol of a chain of nested symbols, outermost first."""
    *around, symbol = chain
    if all(outer.kind in MEMBER_KINDS for outer in around):
        return len(around)
    shown_id = representative(ShownSymbol(symbol, around), source).symbol.id
    return next(place for place, outer in enumerate(chain) if outer.id == shown_id)


def _read_sources(
    table: ChunkTable,
    symbols: Iterable[Symbol],
    syntax: SourceSyntax,
) -> dict[str, SourceLines]:
    files = table.read_files(symbol.relative_path for symbol in symbols)
    return {path: SourceLines(file, syntax) for path, file in files.items()}
