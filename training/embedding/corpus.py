"""Choose training symbols from many projects, with a limit for each project, and without the sentences of the evaluation."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterable, Set
from pathlib import Path

from .documented_symbols import DocumentedSymbol, sentence_key, sentence_keys

#: Maximum number of documented symbols of one project, properties aside.
_MAX_DOCUMENTED = 3000
#: Maximum number of documented properties of one project.
_MAX_PROPERTIES = 600
#: Maximum number of undocumented symbols of one project.
_MAX_UNDOCUMENTED = 1200
#: Maximum number of documented symbols of a Debian project; it is lower because there are more Debian projects.
_MAX_DOCUMENTED_DEBIAN = 1000
#: Documented properties that every project may contribute. A larger number must not exceed its other documented symbols.
_FEW_PROPERTIES = 300
#: Undocumented symbols that every project may contribute. A larger number must not exceed its documented symbols.
_FEW_UNDOCUMENTED = 200
#: Maximum number of symbols with the same sentence; a more frequent sentence is boilerplate.
_MAX_REPEATED = 12


class Corpus:
    """The symbols chosen so far, project by project."""

    def __init__(self, leaks: Set[str], seed: int) -> None:
        #: The chosen symbols, in the order of projects and paths.
        self.symbols: list[DocumentedSymbol] = []
        #: Keys of sentences that must not be used for training.
        self._leaks = leaks
        self._chance = random.Random(seed)
        self._sentences: Counter[str] = Counter()
        self._texts: set[int] = set()

    def add(self, registry: str, project: list[DocumentedSymbol]) -> None:
        """Choose symbols of a project.

        Debian projects contain copies of each other, so a symbol whose name and body were seen before is skipped.
        """
        if registry == "npm":
            self._add(project, _MAX_DOCUMENTED)
            return
        new = {text: symbol for symbol in reversed(project) if (text := hash((symbol.name, symbol.body))) not in self._texts}
        self._texts.update(new)
        self._add(list(new.values()), _MAX_DOCUMENTED_DEBIAN)

    def _add(self, project: list[DocumentedSymbol], most: int) -> None:
        members = list(project)
        self._chance.shuffle(members)
        described: list[DocumentedSymbol] = []
        properties: list[DocumentedSymbol] = []
        for symbol in self._told_apart(members):
            key = sentence_key(symbol.sentence)
            if self._sentences[key] >= _MAX_REPEATED:
                continue
            if symbol.kind != "property" and len(described) < most:
                described.append(symbol)
            elif symbol.kind == "property" and len(properties) < min(_MAX_PROPERTIES, max(_FEW_PROPERTIES, len(described))):
                properties.append(symbol)
            else:
                continue
            self._sentences[key] += 1
        share = min(_MAX_UNDOCUMENTED, max(_FEW_UNDOCUMENTED, len(described)))
        self.symbols += sorted([*described, *properties, *_undocumented(members)[:share]], key=lambda symbol: symbol.path)

    def _told_apart(self, members: Iterable[DocumentedSymbol]) -> list[DocumentedSymbol]:
        """Return one documented symbol for each pair of sentence and name, unless the sentence is an evaluation query."""
        first: dict[tuple[str, str], DocumentedSymbol] = {}
        for symbol in members:
            key = sentence_key(symbol.sentence)
            if key and key not in self._leaks:
                first.setdefault((key, symbol.name), symbol)
        return list(first.values())


def _undocumented(members: Iterable[DocumentedSymbol]) -> list[DocumentedSymbol]:
    first: dict[tuple[str, str], DocumentedSymbol] = {}
    for symbol in members:
        if not symbol.sentence:
            first.setdefault((symbol.scope, symbol.name), symbol)
    return list(first.values())


def leaked_sentences(held_out: Iterable[DocumentedSymbol], questions: Iterable[Path]) -> set[str]:
    """Return the keys of the sentences of held-out symbols, and of the queries in files with one JSON object a line.

    Training packages may contain copies of held-out packages, and of the repositories that the queries are about.
    """
    lines = [line for path in questions for line in path.read_text("utf-8").splitlines()]
    return sentence_keys(held_out) | {sentence_key(json.loads(line)["query"]) for line in lines}
