"""Prints how long the structural tools take, warm: python tests/benchmarks/tool_latency.py FOLDER... [--rounds N] [--data-dir D]

Questions are drawn from the folder itself, with a fixed seed. Each tool answers some before the clock starts. Prints the
median and the 95th percentile of wall clock and processor time in milliseconds, without the look for changed files, which is
the same for every request and is printed by itself.
"""

from __future__ import annotations

import argparse
import random
import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from astrolabe.retrieval.lint import LintRequest, compose_lint
from astrolabe.retrieval.map import MapRequest, compose_map
from astrolabe.retrieval.query.search_request import SearchRequest
from astrolabe.retrieval.trace import TraceRequest, compose_trace
from astrolabe.server.api.workspace import Workspace
from astrolabe.server.project.project_facts import ProjectFacts
from astrolabe.server.stores.readers import Readers

BUDGET = 4000
Question = Callable[[], object]


def questions(readers: Readers, workspace: Workspace, dice: random.Random) -> Iterator[tuple[str, Callable[[], Question]]]:
    """The name of each tool, and what draws a question for it."""
    graph, engine = readers.graph, readers.engine
    paths = sorted(engine.texts)
    symbols = [row[0] for row in graph.rows("MATCH (s:Symbol) WHERE s.isChunk AND s.kind <> 'import' RETURN s.breadcrumb")]
    words = sorted({word for path in paths[::20] for word in re.findall(rb"[A-Za-z]{5,}", engine.texts[path].text)})
    facts = ProjectFacts(workspace.root, workspace.settings)

    def draw_map() -> Question:
        folder = dice.choice(["", dice.choice(paths).rpartition("/")[0]])
        request = MapRequest(
            path=folder,
            depth=dice.randrange(4),
            include_graph=dice.random() < 0.3,
            detect_circular=dice.random() < 0.3,
            find_orphans=dice.random() < 0.3,
            budget=BUDGET,
        )
        return lambda: compose_map(graph, "", request)

    def draw_trace() -> Question:
        request = TraceRequest(symbol=dice.choice(symbols), budget=BUDGET)
        return lambda: compose_trace(graph, lambda: engine.texts, request)

    def draw_place() -> Question:
        path = dice.choice(paths)
        lines = engine.texts[path].text.count(b"\n") + 1
        request = TraceRequest(file=path, line=dice.randrange(1, lines + 1), include=("references", "calls"), budget=BUDGET)
        return lambda: compose_trace(graph, lambda: engine.texts, request)

    def draw_semantic() -> Question:
        query = " ".join(word.decode() for word in dice.sample(words, 4))
        return lambda: engine.search(SearchRequest(query, budget=BUDGET))

    def draw_hybrid() -> Question:
        request = SearchRequest(dice.choice(words).decode(), mode="hybrid", budget=BUDGET)
        return lambda: engine.find(request)

    def draw_literal() -> Question:
        word, case_sensitive = dice.choice(words).decode(), dice.random() < 0.5
        request = SearchRequest(word, mode="literal", case_sensitive=case_sensitive, budget=BUDGET)
        return lambda: engine.find(request)

    def draw_lint(*checks: str) -> Callable[[], Question]:
        def draw() -> Question:
            scope = dice.choice(["", dice.choice(paths).rpartition("/")[0]])
            request = facts.informed(LintRequest(checks=checks, scope=scope, budget=BUDGET), readers.generation)
            return lambda: compose_lint(graph, lambda: engine.texts, request, 60)

        return draw

    def draw_cypher() -> Question:
        statement = "MATCH (a:Symbol)-[c:CALLS]->(b:Symbol) WHERE b.breadcrumb = $name RETURN a.breadcrumb, c.lines"
        name = dice.choice(symbols)
        return lambda: readers.queries.query(statement, {"name": name}, timeout=10, max_rows=100)

    yield "map", draw_map
    yield "trace", draw_trace
    yield "trace of a place", draw_place
    yield "semantic search", draw_semantic
    yield "literal search", draw_literal
    yield "hybrid search", draw_hybrid
    yield "lint: dead code", draw_lint("dead-code")
    yield "lint: circular imports", draw_lint("circular-deps")
    yield "lint: duplicates", draw_lint("duplicates")
    yield "cypher", draw_cypher


def measure(readers: Readers, workspace: Workspace, rounds: int) -> None:
    for name, draw in questions(readers, workspace, random.Random(7)):
        count = rounds if name != "lint: duplicates" else min(rounds, 3)
        for _ in range(3 if count > 3 else 1):
            draw()()
        wall, processor = [], []
        for _ in range(count):
            question = draw()
            begun, used = time.perf_counter(), time.process_time()
            question()
            wall.append((time.perf_counter() - begun) * 1000)
            processor.append((time.process_time() - used) * 1000)
        figures = [sorted(times)[int(len(times) * share)] for times in (wall, processor) for share in (0.5, 0.95)]
        print(f"  {name:<24}" + "".join(f"{figure:>9.1f}" for figure in figures), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--rounds", type=int, default=60)
    parser.add_argument("--data-dir", type=Path)
    options = parser.parse_args()
    for folder in options.folders:
        with Workspace.locate(folder, options.data_dir) as workspace:
            workspace.refresh()
            begun = time.perf_counter()
            workspace.refresh()
            print(f"{folder.name}: look for changed files {(time.perf_counter() - begun) * 1000:.1f} ms")
            print(f"  {'tool':<24}{'wall':>9}{'p95':>9}{'cpu':>9}{'p95':>9}")
            workspace.analyse(lambda readers, opened=workspace: measure(readers, opened, options.rounds))  # type: ignore[misc]


if __name__ == "__main__":
    main()
