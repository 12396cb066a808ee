"""The symbols to learn from: many projects, none too large a share, nothing that is asked of the model when it is measured."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterable, Set
from pathlib import Path

from .documented_symbols import DocumentedSymbol, sentence_key, sentence_keys

#: Most symbols of one project: documented ones other than properties, documented properties, undocumented ones.
_MAX_DOCUMENTED, _MAX_PROPERTIES, _MAX_UNDOCUMENTED = 3000, 600, 1200
#: Projects of Debian give fewer, for there are more of them.
_MAX_DOCUMENTED_DEBIAN = 1000
#: Small projects may bring this many of the latter two; larger ones no more than they have documented symbols.
_FEW_PROPERTIES, _FEW_UNDOCUMENTED = 300, 200
#: A sentence that more symbols have says nothing of any of them.
_MAX_REPEATED = 12


class Corpus:
    """What is chosen of one project after the other."""

    def __init__(self, leaks: Set[str], seed: int) -> None:
        #: The chosen symbols, in the order of projects and paths.
        self.symbols: list[DocumentedSymbol] = []
        #: Keys of sentences that nothing may be learnt from.
        self._leaks = leaks
        self._chance = random.Random(seed)
        self._sentences: Counter[str] = Counter()
        self._texts: set[int] = set()

    def add(self, registry: str, project: list[DocumentedSymbol]) -> None:
        """Choose of the symbols of a project.

        In Debian, projects contain parts of others: of these, each text is taken once.
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
        """The documented symbols, one of each sentence and name; those whose sentences are asked are left out."""
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
    """Keys of the sentences of held-out symbols, and of the queries in files of questions, one JSON object a line.

    Packages copy texts from each other, and from the repositories that questions are asked of.
    """
    lines = [line for path in questions for line in path.read_text("utf-8").splitlines()]
    return sentence_keys(held_out) | {sentence_key(json.loads(line)["query"]) for line in lines}
