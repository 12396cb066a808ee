"""How long an answer of ten results takes to compose, besides the search itself: `python tests/benchmarks/answer_speed.py ROOT`.

The questions are the first sentences of doc comments of the repository, drawn at random with a fixed seed, so that any
repository will do. Gate and limit are set so that each has ten results. Everything is asked once beforehand; then each question
is timed, wall and CPU, and the stages within. `--data-dir` names the folder of the index.
"""

from __future__ import annotations

import argparse
import gc
import random
import re
import statistics
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import astrolabe
from astrolabe.graphdb.generations.generations import GenerationStore
from astrolabe.retrieval import search
from astrolabe.retrieval.answers import composition
from astrolabe.retrieval.answers.selection import Constraints
from astrolabe.retrieval.query.search_request import SearchRequest
from astrolabe.server.stores.readers import Readers

RESULTS, BUDGET = 10, 8000
#: Where an answer spends its time: module, function, and what the table calls it.
STAGES = (
    (search, "shown_hits", "hits, and the symbols shown instead"),
    (composition, "read_neighbors", "neighbors from the graph"),
    (composition, "read_shown_targets", "what snapshots show"),
    (composition.ResultReader, "read", "references, heritage, unresolved sites"),
    (composition, "_fitted", "writing within the budget"),
)


def questions(workspace: astrolabe.Workspace, count: int) -> list[str]:
    """First sentences of doc comments, of four to twenty words."""
    rows = workspace.cypher("MATCH (s:Symbol) WHERE s.doc <> '' AND s.exported RETURN DISTINCT s.doc ORDER BY s.doc").rows
    sentences = {re.split(r"(?<=[.!?])\s|\n\n|\n@", doc.strip())[0].replace("\n", " ") for (doc,) in rows}
    fit = sorted(sentence for sentence in sentences if 4 <= len(sentence.split()) <= 20)
    return random.Random(7).sample(fit, min(count, len(fit)))


@contextmanager
def timed_stages(spent: dict[str, list[float]]) -> Iterator[None]:
    """Adds the wall time of each stage, in milliseconds."""
    originals = [(owner, name, getattr(owner, name)) for owner, name, _ in STAGES]

    def timed(function: Callable[..., Any], title: str) -> Callable[..., Any]:
        def call(*arguments: Any, **named: Any) -> Any:
            started = time.perf_counter()
            try:
                return function(*arguments, **named)
            finally:
                spent[title].append((time.perf_counter() - started) * 1000)

        return call

    for owner, name, title in STAGES:
        setattr(owner, name, timed(getattr(owner, name), title))
    try:
        yield
    finally:
        for owner, name, original in originals:
            setattr(owner, name, original)


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("root", type=Path)
    parser.add_argument("--data-dir", type=Path)
    parser.add_argument("--queries", type=int, default=100)
    options = parser.parse_args()
    with astrolabe.open(options.root, data_dir=options.data_dir) as workspace:
        asked = questions(workspace, options.queries)
        generation = GenerationStore(workspace.data_dir).current()
        assert generation is not None
        measure(Readers(generation, workspace.data_dir, workspace.settings).engine, asked)


def measure(engine: search.SearchEngine, asked: list[str]) -> None:
    """Asks everything twice, and prints what the second time took."""
    limits = Constraints(0.0, BUDGET, RESULTS)
    walls, cpus, ranks, results, tokens = [], [], [], [], []
    spent: dict[str, list[float]] = defaultdict(list)
    for question in asked:
        engine.answer(question, engine.rank(SearchRequest(question)), limits)
    gc.freeze()  # as the server does when it has loaded everything
    with timed_stages(spent):
        for question in asked:
            began = time.perf_counter()
            ranked = engine.rank(SearchRequest(question))
            started, cpu = time.perf_counter(), time.process_time()
            answer = engine.answer(question, ranked, limits)
            walls.append((time.perf_counter() - started) * 1000)
            cpus.append((time.process_time() - cpu) * 1000)
            ranks.append((started - began) * 1000)
            results.append(len(answer.results))
            tokens.append(answer.tokens)
    print(f"{len(asked)} questions, {statistics.mean(results):.1f} results and {statistics.mean(tokens):,.0f} tokens each")
    print(f"{'milliseconds':42} {'median':>8} {'p95':>8}")
    for title, values in {"search itself": ranks, "composition": walls, "composition, CPU of all threads": cpus, **spent}.items():
        print(f"{title:42} {statistics.median(values):8.1f} {statistics.quantiles(values, n=20)[-1]:8.1f}")


if __name__ == "__main__":
    main()
