"""The symbols to learn from: many packages, none too large a share, nothing of the held-out ones."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from .documented_symbols import DocumentedSymbol, package_symbols, sentence_key, sentence_keys
from .packages import Package

#: Most symbols of one package: documented ones other than properties, documented properties, undocumented ones.
_MOST_DOCUMENTED, _MOST_PROPERTIES, _MOST_UNDOCUMENTED = 9000, 3000, 3000
#: Small packages may bring this many of the latter two; larger ones no more than they have documented symbols.
_FEW = 300


def read_symbols(packages: Sequence[Package], folders: Sequence[Path], workers: int) -> list[DocumentedSymbol]:
    """The symbols of all packages, in the packages' order."""
    names = [package.name for package in packages]
    with ProcessPoolExecutor(workers) as pool:
        return [symbol for symbols in pool.map(package_symbols, names, folders) for symbol in symbols]


def without_leaks(symbols: Iterable[DocumentedSymbol], held_out: Iterable[DocumentedSymbol]) -> list[DocumentedSymbol]:
    """The symbols whose sentence none of the held-out symbols has: packages copy texts from each other."""
    leaks = sentence_keys(held_out)
    return [symbol for symbol in symbols if not symbol.sentence or sentence_key(symbol.sentence) not in leaks]


def balanced(symbols: Iterable[DocumentedSymbol], seed: int) -> list[DocumentedSymbol]:
    """A share of every package, so that no large one dominates; in the order of packages and paths."""
    chance = random.Random(seed)
    by_package: dict[str, list[DocumentedSymbol]] = defaultdict(list)
    for symbol in symbols:
        by_package[symbol.package].append(symbol)
    chosen: list[DocumentedSymbol] = []
    for package in sorted(by_package):
        members = by_package[package]
        chance.shuffle(members)
        described = [symbol for symbol in members if symbol.sentence and symbol.kind != "property"][:_MOST_DOCUMENTED]
        properties = [symbol for symbol in members if symbol.sentence and symbol.kind == "property"]
        undocumented = [symbol for symbol in members if not symbol.sentence]
        share = max(_FEW, len(described))
        chosen += described + properties[: min(_MOST_PROPERTIES, share)] + undocumented[: min(_MOST_UNDOCUMENTED, share)]
    return sorted(chosen, key=lambda symbol: (symbol.package, symbol.path))
