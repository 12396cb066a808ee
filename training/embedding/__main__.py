"""Train the local embedding, train the query encoder for the embedding, or measure the embedding.

    python -m training.embedding {train,read,evaluate} FOLDER

FOLDER stores the downloads of npm, apt and pip, which are several gigabytes of sources. `train` writes the weights of the
embedding to the file `--weights`, and then measures them as `evaluate` does. `read` writes the query encoder for these weights to
the file `--reader`. Both files are in the package by default. Equal packages, seeds, numbers of workers and library versions
produce equal files. Sentences that are queries in the files `--asked` are not used for training. `evaluate` measures the weights
on the held-out packages.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec
import numpy as np
from astrolabe.retrieval.embedding import WEIGHTS_PATH
from astrolabe.retrieval.embedding.query_encoder import QUERY_ENCODER_PATH
from astrolabe.retrieval.embedding.static_embedder import StaticEmbedder
from astrolabe.retrieval.embedding.vocabulary import Vocabulary
from astrolabe.retrieval.embedding.weights import Weights, quantised, read_weights, write_weights

from .corpus import Corpus, leaked_sentences
from .documented_symbols import DocumentedSymbol
from .evaluation import document_search, question_search
from .examples import build_examples, build_vocabulary
from .package_sources import fetch_packages, read_package, read_projects
from .packages import listed_packages
from .reading_examples import reading_examples
from .token_table import fetch_token_table

_MODEL = "astrolabe-static-code-256 v3"
_DIMENSIONS, _VOCABULARY, _BUCKETS = 256, 32_768, 8_192


def main() -> None:
    """Entry point of the training program."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", choices=["train", "read", "evaluate"])
    parser.add_argument("folder", type=Path, help="where downloads are kept")
    parser.add_argument("--weights", type=Path, default=WEIGHTS_PATH, help="file to write, to read questions for, or to measure")
    parser.add_argument("--reader", type=Path, default=QUERY_ENCODER_PATH, help="file that `read` writes")
    parser.add_argument("--workers", type=int, default=1, help="processes that read sources, threads that train")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--asked", type=Path, nargs="+", default=[], help="files of questions, such as the ranker's queries.jsonl"
    )
    options = parser.parse_args()
    if options.command == "train":
        train(options.folder, options.weights, options.workers, options.seed, options.asked)
    if options.command == "read":
        read(options.folder, options.weights, options.reader, options.workers, options.seed, options.asked)
    else:
        evaluate(options.folder, options.weights)


def train(folder: Path, weights: Path, workers: int, seed: int, asked: Sequence[Path]) -> None:
    """Download and read the packages, train the embedding, and write its weights. Takes hours, mostly for downloads."""
    import torch

    from .contrastive import Recipe, StaticModel, Trainer
    from .initialisation import initial_vectors, initial_weights, neighbours_in_meaning

    started = time.monotonic()
    tokens, vectors = fetch_token_table(folder / "tokens")
    symbols = _chosen_symbols(folder, workers, seed, asked)
    words, frequencies = build_vocabulary(symbols, tokens, _VOCABULARY)
    examples = build_examples(symbols, Vocabulary(words), _BUCKETS, seed)
    del symbols  # gigabytes
    count = len(examples.documented)
    _report(started, f"{count} symbols, {int(examples.documented.sum())} documented")
    torch.set_num_threads(workers)
    torch.manual_seed(seed)
    torch.use_deterministic_algorithms(True)
    start = initial_vectors(words, _BUCKETS, tokens, vectors, _DIMENSIONS, seed)
    model = StaticModel(start, initial_weights(frequencies, count))
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


def read(folder: Path, weights: Path, reader: Path, workers: int, seed: int, asked: Sequence[Path]) -> None:
    """Download and read the packages, train the query encoder for these weights, and write it."""
    import torch

    from .reading import ReadingRecipe, learn_reader

    started, embedding = time.monotonic(), read_weights(weights)
    examples = reading_examples(_chosen_symbols(folder, workers, seed, asked), Vocabulary(embedding.words), seed)
    _report(started, f"{len(examples.names)} documented symbols")
    torch.set_num_threads(workers)
    torch.use_deterministic_algorithms(True)
    model = learn_reader(examples, embedding, ReadingRecipe(seed=seed), lambda line: _report(started, line))
    reader.write_bytes(msgspec.msgpack.encode(model))
    _report(started, f"wrote {reader} ({reader.stat().st_size / 1e6:.2f} MB)")


def evaluate(folder: Path, weights: Path) -> None:
    """Print the quality of doc-comment search and question search for each held-out package, and the means."""
    embedder = StaticEmbedder(read_weights(weights))
    print(f"{'package':24} {'queries':>7} {'MRR@10':>7} {'R@1':>6} {'R@10':>6} {'hard':>6} {'questions':>9}")
    figures = []
    for name, symbols in _held_out_symbols(folder):
        quality, asked = document_search(embedder, symbols), question_search(embedder, symbols, 0)
        figures.append((quality.mrr, quality.first, quality.found, quality.hard_mrr, asked.mrr))
        print(f"{name:24} {quality.queries:7} " + _row(figures[-1]))
    print(f"{'mean':24} {'':7} " + _row(tuple(np.mean(figures, axis=0))))


def _row(figures: tuple[float, ...]) -> str:
    return " ".join(f"{figure:{width}.3f}" for figure, width in zip(figures, (7, 6, 6, 6, 9), strict=True))


def _chosen_symbols(folder: Path, workers: int, seed: int, asked: Sequence[Path]) -> list[DocumentedSymbol]:
    """Return the chosen training symbols of all packages that are not held out."""
    packages = [package for package in listed_packages() if not package.held_out]
    held_out = [symbol for _, symbols in _held_out_symbols(folder) for symbol in symbols]
    corpus = Corpus(leaked_sentences(held_out, asked), seed)
    for registry, symbols in read_projects(packages, fetch_packages(packages, folder / "packages"), workers):
        corpus.add(registry, symbols)
    return corpus.symbols


def _held_out_symbols(folder: Path) -> Iterator[tuple[str, list[DocumentedSymbol]]]:
    """Yield the name and the symbols of each held-out package."""
    packages = [package for package in listed_packages() if package.held_out]
    for package, sources in zip(packages, fetch_packages(packages, folder / "packages"), strict=True):
        yield package.name, read_package(package, sources)


def _report(started: float, line: str) -> None:
    print(f"{time.monotonic() - started:6.0f} s  {line}", flush=True)


if __name__ == "__main__":
    main()
