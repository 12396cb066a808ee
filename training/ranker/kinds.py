"""Train the model that predicts the kind of a declaration from its description: python -m training.ranker.kinds FOLDER

FOLDER stores the training packages of the embedding (`training/embedding`), of which only npm packages are read. The program
writes the weights into the package, and prints how often the most likely class is right for the held-out packages. Equal packages
and library versions produce equal weights.
"""

from __future__ import annotations

import argparse
import random
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import msgspec
import numpy as np
from astrolabe.retrieval.ranking.ranker.kind_words import (
    CLASSES,
    CONSTANT,
    KINDS_PATH,
    KindWeights,
    KindWords,
    class_of,
    description_words,
)

from ..embedding.corpus import Corpus, leaked_sentences
from ..embedding.documented_symbols import DocumentedSymbol
from ..embedding.package_sources import fetch_packages, read_projects
from ..embedding.packages import listed_packages
from ..embedding.questions import question

_MAX_WORDS, _MIN_USES = 2500, 30
_EPOCHS, _BATCH, _RATE, _DECAY = 4, 512, 0.02, 1e-6
_TYPE_KEYWORD = re.compile(r"\b(interface|enum|type|namespace)\b")


def described(symbols: Iterable[DocumentedSymbol], seed: int) -> list[tuple[list[str], int]]:
    """Return the words and the class of each description. Two of five descriptions become questions, which begin differently."""
    chance = random.Random(seed)
    found = []
    for symbol in symbols:
        if symbol.sentence:
            text = question(symbol.sentence, chance) if chance.random() < 0.4 else symbol.sentence
            found.append((description_words(text), _class(symbol)))
    return found


def _class(symbol: DocumentedSymbol) -> int:
    if symbol.kind != "type":
        return class_of(symbol.kind)
    keyword = _TYPE_KEYWORD.search(symbol.head)
    return class_of(keyword[1] if keyword else "type")


def learn(examples: Sequence[tuple[list[str], int]], seed: int) -> KindWeights:
    """Return weights that minimize the cross entropy, by stochastic gradient descent (Adam)."""
    import torch

    torch.manual_seed(seed)
    uses = Counter(word for words, _ in examples for word in words)
    known = [word for word, count in uses.most_common(_MAX_WORDS) if count >= _MIN_USES]
    numbers = {word: number for number, word in enumerate(known)}
    table = torch.nn.EmbeddingBag(len(known), len(CLASSES), mode="sum")
    torch.nn.init.zeros_(table.weight)
    optimiser = torch.optim.Adam(table.parameters(), lr=_RATE, weight_decay=_DECAY)
    bags = [[numbers[word] for word in words if word in numbers] for words, _ in examples]
    targets = torch.tensor([target for _, target in examples])
    for epoch in range(_EPOCHS):
        for group in optimiser.param_groups:
            group["lr"] = _RATE * (1 - epoch / _EPOCHS)
        for chosen in torch.randperm(len(bags)).split(_BATCH):
            taken = [bags[index] for index in chosen.tolist()]
            offsets = torch.tensor(np.cumsum([0, *map(len, taken[:-1])]))
            scores = table(torch.tensor([number for bag in taken for number in bag]), offsets)
            optimiser.zero_grad()
            torch.nn.functional.cross_entropy(scores, targets[chosen]).backward()
            optimiser.step()
    weights = np.rint(100 * table.weight.detach().numpy()).astype(int)
    return KindWeights({word: weights[number].tolist() for word, number in numbers.items()})


def main() -> None:
    """Entry point of the program."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--workers", type=int, default=1)
    options = parser.parse_args()
    held = [symbol for project in _projects(options.folder, options.workers, held_out=True) for symbol in project]
    corpus = Corpus(leaked_sentences(held, []), 0)
    for project in _projects(options.folder, options.workers, held_out=False):
        corpus.add("npm", project)
    weights = learn(described(corpus.symbols, 0), 0)
    KINDS_PATH.write_bytes(msgspec.json.encode(weights) + b"\n")
    print(f"{len(weights.words)} words, {CONSTANT}: {dict(zip(CLASSES, weights.words[CONSTANT], strict=True))}")
    kinds = KindWords(weights)
    judged = [(symbol.sentence, _class(symbol)) for symbol in held if symbol.sentence]
    right = [int(np.argmax(kinds.fits(sentence)[: len(CLASSES)])) == target for sentence, target in judged]
    print(f"most likely class right: {np.mean(right):.3f} of {len(right)}")


def _projects(folder: Path, workers: int, *, held_out: bool) -> Iterator[list[DocumentedSymbol]]:
    packages = [package for package in listed_packages() if package.held_out == held_out and package.registry == "npm"]
    for _, symbols in read_projects(packages, fetch_packages(packages, folder / "packages"), workers):
        yield symbols


if __name__ == "__main__":
    main()
