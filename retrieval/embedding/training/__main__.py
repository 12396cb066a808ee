"""Train the local embedding, or measure it: python -m astrolabe.retrieval.embedding.training {train,evaluate} FOLDER.

FOLDER keeps what is downloaded (about 1 GB of package sources). `train` writes the weights into the package, or where
--weights says; the same packages, seed, number of workers and libraries give the same weights. `evaluate` measures the
weights on the held-out packages.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np

from .. import WEIGHTS_PATH
from ..static_embedder import StaticEmbedder
from ..vocabulary import Vocabulary
from ..weights import Weights, quantised, read_weights, write_weights
from .corpus import balanced, read_symbols, without_leaks
from .documented_symbols import DocumentedSymbol
from .evaluation import document_search, question_search
from .examples import build_examples, build_vocabulary
from .packages import fetch_package, listed_packages
from .token_table import fetch_token_table

_MODEL = "astrolabe-static-code-256 v1"
_DIMENSIONS, _VOCABULARY, _BUCKETS = 256, 32_768, 8_192


def main() -> None:
    """Entry point of the training program."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", choices=["train", "evaluate"])
    parser.add_argument("folder", type=Path, help="where downloads are kept")
    parser.add_argument("--weights", type=Path, default=WEIGHTS_PATH, help="file to write or to measure")
    parser.add_argument("--workers", type=int, default=1, help="processes that read sources, threads that train")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    if options.command == "train":
        train(options.folder, options.weights, options.workers, options.seed)
    evaluate(options.folder, options.weights, options.workers)


def train(folder: Path, weights: Path, workers: int, seed: int) -> None:
    """Download, read, train and write the weights. Takes minutes on two cores."""
    import torch

    from .contrastive import Recipe, StaticModel, Trainer
    from .initialisation import initial_vectors, initial_weights, neighbours_in_meaning

    started = time.monotonic()
    tokens, vectors = fetch_token_table(folder / "tokens")
    symbols = balanced(without_leaks(_symbols(folder, workers, held_out=False), _symbols(folder, workers, held_out=True)), seed)
    words, frequencies = build_vocabulary(symbols, tokens, _VOCABULARY)
    examples = build_examples(symbols, Vocabulary(words), _BUCKETS, seed)
    _report(started, f"{len(symbols)} symbols, {int(examples.documented.sum())} documented")
    torch.set_num_threads(workers)
    torch.manual_seed(seed)
    torch.use_deterministic_algorithms(True)
    start = initial_vectors(words, _BUCKETS, tokens, vectors, _DIMENSIONS, seed)
    model = StaticModel(start, initial_weights(frequencies, len(symbols)))
    trainer = Trainer(model, examples, Recipe(seed=seed), neighbours_in_meaning(words, tokens, vectors))
    trainer.run(lambda line: _report(started, line))
    learnt = model.learnt()
    rows, scales = quantised(learnt.vectors)
    write_weights(
        weights,
        Weights(
            model=_MODEL,
            words=words,
            rows=rows,
            scales=scales,
            chunk_weights=learnt.chunk_weights,
            query_weights=learnt.query_weights,
            field_weights=learnt.field_weights,
            field_powers=learnt.field_powers,
        ),
    )
    _report(started, f"wrote {weights} ({weights.stat().st_size / 1e6:.1f} MB)")


def evaluate(folder: Path, weights: Path, workers: int) -> None:
    """Print doc-comment and question search over each held-out package, and their means."""
    embedder = StaticEmbedder(read_weights(weights))
    symbols = _symbols(folder, workers, held_out=True)
    print(f"{'package':24} {'queries':>7} {'MRR@10':>7} {'R@1':>6} {'R@10':>6} {'hard':>6} {'questions':>9}")
    figures = []
    for package in sorted({symbol.package for symbol in symbols}):
        own = [symbol for symbol in symbols if symbol.package == package]
        quality, asked = document_search(embedder, own), question_search(embedder, own, 0)
        figures.append((quality.mrr, quality.first, quality.found, quality.hard_mrr, asked.mrr))
        print(f"{package:24} {quality.queries:7} " + _row(figures[-1]))
    print(f"{'mean':24} {'':7} " + _row(tuple(np.mean(figures, axis=0))))


def _row(figures: tuple[float, ...]) -> str:
    return " ".join(f"{figure:{width}.3f}" for figure, width in zip(figures, (7, 6, 6, 6, 9), strict=True))


def _symbols(folder: Path, workers: int, *, held_out: bool) -> list[DocumentedSymbol]:
    packages = [package for package in listed_packages() if package.held_out == held_out]
    return read_symbols(packages, [fetch_package(package, folder / "packages") for package in packages], workers)


def _report(started: float, line: str) -> None:
    print(f"{time.monotonic() - started:6.0f} s  {line}", flush=True)


if __name__ == "__main__":
    main()
