"""Prints how long each analysis of one symbol takes, warm: python tests/benchmarks/analysis_speed.py CORPUS...

Each corpus is indexed in an empty data folder, or `--data-dir FOLDER` has its index. Then every analysis is asked of the same
random symbols (`--symbols`, 500; a fixed seed), the hierarchies of as many random classes and interfaces. One process asks,
one question after the other; a first question of each kind is not counted. Milliseconds by the clock, and of processor time
in all threads, which tells more than the clock on a machine that has other work.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from astrolabe.graphdb.database import GraphDatabase
from astrolabe.graphdb.generations.generations import GenerationStore
from astrolabe.retrieval.analyses.advanced_types import advanced_type
from astrolabe.retrieval.analyses.aliases import aliases
from astrolabe.retrieval.analyses.call_hierarchy import callees, callers
from astrolabe.retrieval.analyses.callbacks import callbacks, guard_callbacks
from astrolabe.retrieval.analyses.enum_members import enum_members
from astrolabe.retrieval.analyses.exports import exports
from astrolabe.retrieval.analyses.finding import find_subject, subject_of_ids
from astrolabe.retrieval.analyses.impact import impact
from astrolabe.retrieval.analyses.members import members
from astrolabe.retrieval.analyses.references import references
from astrolabe.retrieval.analyses.signature import signature_of
from astrolabe.retrieval.analyses.subject import Analysis, Subject
from astrolabe.retrieval.analyses.type_flows import type_flows
from astrolabe.retrieval.analyses.type_guards import type_guards
from astrolabe.retrieval.analyses.type_hierarchy import subtypes, supertypes, type_hierarchy
from astrolabe.server.api.workspace import Workspace
from markdown_tables import print_head

_COLUMNS = ("analysis", "median ms", "95th percentile ms", "largest ms", "median CPU ms", "95th percentile CPU ms")
_NAMED = "NOT s.kind IN ['import', 're-export', 'export', 'comment', 'expression']"
_TYPES = "s.kind IN ['class', 'interface']"

Question = Callable[[GraphDatabase, Subject], object]
_OF_SYMBOLS: dict[str, Question] = {
    "signature": lambda graph, subject: signature_of(subject),
    "members": members,
    "references": references,
    "exports": exports,
    "aliases": aliases,
    "type flows": type_flows,
    "type guards": type_guards,
    "callbacks": callbacks,
    "guard callbacks": guard_callbacks,
    "callers": callers,
    "callees": callees,
    "callers, 3 hops": lambda graph, subject: callers(graph, subject, 3),
    "callees, 3 hops": lambda graph, subject: callees(graph, subject, 3),
    "callers, all hops": lambda graph, subject: callers(graph, subject, -1),
    "callees, all hops": lambda graph, subject: callees(graph, subject, -1),
    "impact, 1 hop": lambda graph, subject: impact(graph, subject, 1),
    "impact, 3 hops": impact,
    "impact, all hops": lambda graph, subject: impact(graph, subject, -1),
}
_OF_TYPES: dict[str, Question] = {
    "type hierarchy": type_hierarchy,
    "supertypes, all": supertypes,
    "subtypes, all": subtypes,
}
_OF_ALIASES: dict[str, Question] = {
    "advanced type, whole": lambda graph, subject: advanced_type(graph, subject, -1),
}
_OF_ENUMS: dict[str, Question] = {"enum members": enum_members}
#: Which symbols are asked what.
_QUESTIONS = (
    (_NAMED, _OF_SYMBOLS),
    (_TYPES, _OF_TYPES),
    ("s.kind = 'type'", _OF_ALIASES),
    ("s.kind = 'enum'", _OF_ENUMS),
)


@dataclass(frozen=True, slots=True)
class Timing:
    """Milliseconds of each question, by the clock and of processor time."""

    clock: list[float]
    processor: list[float]

    def row(self, name: str) -> str:
        """The figures, in the order of the columns."""
        figures = (median(self.clock), _high(self.clock), max(self.clock), median(self.processor), _high(self.processor))
        return f"| {name} | {' | '.join(f'{figure:.1f}' for figure in figures)} |"


def _high(values: Sequence[float]) -> float:
    return sorted(values)[int(0.95 * len(values))]


def measure(graph: GraphDatabase, question: Question, subjects: Sequence[Subject]) -> Timing:
    """Asks a question of each subject, and reads the answer's text where it has one."""
    question(graph, subjects[0])
    timing = Timing([], [])
    for subject in subjects:
        clock, processor = time.perf_counter(), time.process_time()
        answer = question(graph, subject)
        timing.clock.append(1000 * (time.perf_counter() - clock))
        timing.processor.append(1000 * (time.process_time() - processor))
        if isinstance(answer, Analysis):
            str(answer)
    return timing


def sample(graph: GraphDatabase, condition: str, count: int) -> list[tuple[str, str]]:
    """Ids and paths of random symbols, the same in every run over the same sources."""
    rows = graph.rows(f"MATCH (s:Symbol) WHERE {condition} RETURN s.id, s.breadcrumb ORDER BY s.id")
    return random.Random(5).sample([(row[0], row[1]) for row in rows], min(count, len(rows)))


@contextmanager
def indexed(corpus: Path, data_dir: Path | None) -> Iterator[GraphDatabase]:
    """The graph of a corpus, brought up to date."""
    with tempfile.TemporaryDirectory() as made:
        folder = data_dir or Path(made)
        with Workspace.locate(corpus, folder) as workspace:
            workspace.index()
        generation = GenerationStore(folder).current()
        assert generation is not None
        with GraphDatabase.open(generation.graph_path) as graph:
            yield graph


def main(arguments: Sequence[str]) -> None:
    """Prints a table for each corpus."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("corpora", nargs="+", type=Path, metavar="CORPUS", help="folder of a repository")
    parser.add_argument("--symbols", type=int, default=500)
    parser.add_argument("--data-dir", type=Path, metavar="FOLDER", help="an index of the corpus to use and keep")
    options = parser.parse_args(arguments)
    for corpus in options.corpora:
        with indexed(corpus.resolve(), options.data_dir) as graph:
            lines = graph.rows("MATCH (f:File) RETURN CAST(sum(f.lines) AS INT64)")[0][0]
            print(f"\n{corpus.name}, {lines:,} lines\n")
            print_head(_COLUMNS)
            for condition, questions in _QUESTIONS:
                chosen = sample(graph, condition, options.symbols)
                subjects = [subject for id, path in chosen if (subject := subject_of_ids(graph, path, [id]))]
                for name, question in questions.items() if subjects else ():
                    print(measure(graph, question, subjects).row(name), flush=True)
            asked = [Subject(path, ()) for _, path in sample(graph, _NAMED, options.symbols)]
            print(measure(graph, lambda graph, subject: find_subject(graph, subject.requested), asked).row("lookup of its path"))


if __name__ == "__main__":
    main(sys.argv[1:])
