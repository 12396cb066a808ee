"""Compare random chains with a naive evaluation over all edges, and measure how long they take.

    python -m tests.benchmarks.chain_agreement ROOT [--data-dir DIR] [--chains 200] [--seed 1]

Each chain is written as text, read back, and run as one statement. The other side reads every node and edge once and follows
them with sets in Python. Prints one row of a Markdown table, and every chain that differs.
"""

from __future__ import annotations

import argparse
import random
import re
import statistics
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from astrolabe.graphdb.database import GraphDatabase
from astrolabe.graphdb.scopes.fields import FIELDS, KEYS, ORDER, TABLES
from astrolabe.graphdb.scopes.statement import count_of, keys_of, rows_of
from astrolabe.graphdb.scopes.steps import STEPS
from astrolabe.schema.symbol_kinds import STATEMENTS
from astrolabe.server.api.scopes.running import Builder, Runner
from astrolabe.server.api.scopes.scope import Scope
from astrolabe.server.api.workspace import Workspace

#: Rows that a timed request reads, as an answer shows at most.
SHOWN = 100
#: Runs of each request, of which the fastest counts: other programs of the machine are not measured.
REPEATS = 3
Keys = set[str]


class Naive:
    """All nodes and edges of a graph in dictionaries, and chains evaluated over them."""

    def __init__(self, graph: GraphDatabase) -> None:
        self.nodes: dict[str, dict[str, dict[str, Any]]] = {}
        for kind in ("module", "file", "symbol", "package"):
            fields = {name: field for name, field in FIELDS[kind].items() if not field.of_file}
            columns = ", ".join(field.expression.format(n="n") for field in fields.values())
            rows = graph.query(f"MATCH (n:{TABLES[kind]}) RETURN n.{KEYS[kind]} AS key, {columns}").rows
            self.nodes[kind] = {row[0]: dict(zip(fields, row[1:], strict=True)) for row in rows}
        files = self.nodes["file"]
        for symbol in self.nodes["symbol"].values():
            symbol |= {name: files[symbol["path"]][name] for name in ("language", "is_test")}
        self._graph = graph
        self._edges: dict[tuple[str, str], dict[str, Keys]] = {}

    def step(self, kind: str, name: str, keys: Iterable[str], depth: int) -> tuple[str, Keys]:
        """Return what 1 to `depth` edges reach, level by level."""
        rule = STEPS[kind][name]  # type: ignore[index]
        out = self._adjacent(kind, name)
        reached: Keys = set()
        level = set(keys)
        for _ in range(depth):
            level = {after for key in level for after in out.get(key, ())}
            reached |= level
        if rule.in_tests:
            reached = {key for key in reached if self.nodes["symbol"][key]["is_test"]}
        return rule.target, reached

    def _adjacent(self, kind: str, name: str) -> dict[str, Keys]:
        if (kind, name) not in self._edges:
            rule = STEPS[kind][name]  # type: ignore[index]
            found: dict[str, Keys] = defaultdict(set)
            if rule.pattern:
                start, end = TABLES[kind], TABLES[rule.target]  # type: ignore[index]
                ends = f"a.{KEYS[kind]}, b.{KEYS[rule.target]}"  # type: ignore[index]
                rows = self._graph.query(f"MATCH (a:{start}){rule.pattern}(b:{end}) RETURN {ends}").rows
            elif kind == "file":
                rows = [(symbol["path"], key) for key, symbol in self.nodes["symbol"].items()]
            else:
                rows = [(key, symbol["path"]) for key, symbol in self.nodes["symbol"].items()]
            for before, after in rows:
                found[before].add(after)
            self._edges[kind, name] = dict(found)
        return self._edges[kind, name]

    def ordered(self, kind: str, keys: Keys, field: str = "", descending: bool = False) -> list[str]:
        """Return keys in the order of a chain: by a field, then by path and line, as bytes compare."""
        nodes = self.nodes[kind]

        def key(one: str) -> tuple[Any, ...]:
            return tuple(_comparable(nodes[one][name]) for name in ORDER[kind])  # type: ignore[index]

        found = sorted(keys, key=key)
        return sorted(found, key=lambda one: _comparable(nodes[one][field]), reverse=descending) if field else found


def _comparable(value: Any) -> Any:
    return value.encode() if isinstance(value, str) else value


class Chains:
    """Random chains, each as text together with its naive result."""

    def __init__(self, naive: Naive, seed: int) -> None:
        self._naive = naive
        self._random = random.Random(seed)

    def one(self, longest: int = 4) -> tuple[str, str, Keys]:
        """Return a chain as text, the kind that it ends with, and the keys that it gives."""
        kinds = ("symbol", "symbol", "symbol", "file", "module", "package")
        kind = self._random.choice([kind for kind in kinds if self._naive.nodes[kind]])
        text, keys = self._filtered(f"{kind}s", kind, set(self._naive.nodes[kind]))
        for _ in range(self._random.randint(0, longest)):
            text, kind, keys = self._longer(text, kind, keys)
        return text, kind, keys

    def _longer(self, text: str, kind: str, keys: Keys) -> tuple[str, str, Keys]:
        drawn = self._random.random()
        if drawn < 0.55:
            name = self._random.choice(sorted(STEPS[kind]))  # type: ignore[index]
            depth = self._random.choice((1, 1, 1, 2, 3)) if STEPS[kind][name].repeats else 1  # type: ignore[index]
            after, reached = self._naive.step(kind, name, keys, depth)
            if (kind, name) in (("file", "symbols"), ("package", "symbols")):
                reached = {key for key in reached if self._naive.nodes["symbol"][key]["kind"] not in STATEMENTS}
            return f"{text}.{name}({depth if depth > 1 else ''})", after, reached
        if drawn < 0.75:
            more, kept = self._filtered("filter", kind, keys, always=True)
            return f"{text}.{more}", kind, kept
        if drawn < 0.85:
            more, dropped = self._filtered("exclude", kind, keys, always=True)
            return f"{text}.{more}", kind, keys - dropped
        if drawn < 0.93:
            return self._combined(text, kind, keys)
        count, field = self._random.randint(1, 30), self._random.choice(("", "name" if kind != "file" else "lines"))
        descending = bool(field) and self._random.random() < 0.5
        sort = f".sort('{field}', descending={str(descending).lower()})" if field else ""
        kept = set(self._naive.ordered(kind, keys, field, descending)[:count])
        return f"{text}{sort}.limit({count})", kind, kept

    def _combined(self, text: str, kind: str, keys: Keys) -> tuple[str, str, Keys]:
        other, others = self._filtered(f"{kind}s", kind, set(self._naive.nodes[kind]))
        operator, joined = self._random.choice((("|", keys | others), ("&", keys & others), ("-", keys - others)))
        if operator != "|" and kind == "symbol" and self._random.random() < 0.5:
            name = self._random.choice(("callers", "callees", "members", "subtypes", "referenced_by"))
            other, others = f"{other}.{name}()", self._naive.step(kind, name, others, 1)[1]
            joined = keys & others if operator == "&" else keys - others
        return f"({text} {operator} {other})", kind, joined

    def _filtered(self, call: str, kind: str, keys: Keys, *, always: bool = False) -> tuple[str, Keys]:
        """Return a call with a random filter, or sometimes without one, and the keys that are left."""
        is_beginning = call == f"{kind}s"
        nodes = self._naive.nodes[kind]
        if not nodes or (not always and self._random.random() < 0.25):
            kept = {key for key in keys if nodes[key].get("kind") not in STATEMENTS} if kind == "symbol" else keys
            return f"{call}()", set(kept)
        keyword, value, holds = self._test(kind, nodes)
        field = keyword.partition("__")[0]
        kept = {key for key in keys if holds(nodes[key][field])}
        if is_beginning and kind == "symbol" and field not in ("kind", "id"):
            kept = {key for key in kept if nodes[key]["kind"] not in STATEMENTS}
        return f"{call}({keyword}={_spelled(value)})", kept

    def _test(self, kind: str, nodes: dict[str, dict[str, Any]]) -> tuple[str, object, Callable[[Any], bool]]:
        sample = nodes[self._random.choice(sorted(nodes))]
        names = [name for name, value in sample.items() if not isinstance(value, list) and name not in ("id", "size", "doc")]
        field = self._random.choice(names)
        value = sample[field]
        if isinstance(value, bool):
            return field, value, lambda found: found is value
        if isinstance(value, int):
            operator, holds = self._random.choice(
                (
                    ("gt", lambda found: found > value),
                    ("lte", lambda found: found <= value),
                    ("not", lambda found: found != value),
                )
            )
            return f"{field}__{operator}", value, holds
        part = value[: self._random.randint(1, 4)] if len(value) < 200 else value[:4]
        escaped = re.escape(part)
        tests: list[tuple[str, object, Callable[[Any], bool]]] = [
            ("startswith", part, lambda found: found.startswith(part)),
            ("contains", part, lambda found: part in found),
            ("in", [value[:200], part], lambda found: found in (value[:200], part)),
        ]
        tests += [("matches", f"^{escaped}.*[a-z]$", lambda found: re.search(f"^{escaped}.*[a-z]\\Z", found) is not None)]
        usable = tests if re.fullmatch(r"[\w./-]+", part) else tests[:3]
        operator_, given, holds_ = self._random.choice(usable)
        return f"{field}__{operator_}", given, holds_


def _spelled(value: object) -> str:
    if isinstance(value, list):
        return f"[{', '.join(map(_spelled, value))}]"
    if isinstance(value, str):
        escaped = value.replace("\\", "\\\\").replace("'", "\\'").replace("\n", "\\n").replace("\t", "\\t")
        return f"'{escaped}'"
    return str(value).lower() if isinstance(value, bool) else str(value)


def compared(workspace: Workspace, chains: int, seed: int) -> Iterator[tuple[str, bool, float, float]]:
    """Yield each chain with whether both sides are equal, and the seconds of its first 100 rows and of its count."""

    def ask(readers: Any) -> list[tuple[str, bool, float, float]]:
        graph = readers.graph
        made = Chains(Naive(graph), seed)
        results = []
        for _ in range(chains):
            text, kind, expected = made.one()
            scope = workspace.query(text)
            assert isinstance(scope, Scope)
            runner = Runner(workspace, graph)
            keys = [key for (key,) in runner.run(lambda resolve, scope=scope: keys_of(scope.plan, resolve))]
            is_equal = scope.kind == kind and len(keys) == len(set(keys)) and set(keys) == expected
            first = scope.limit(SHOWN)
            shown = _fastest(runner, lambda resolve, scope=first: rows_of(scope.plan, resolve))
            counting = _fastest(runner, lambda resolve, plan=scope.plan: count_of(plan, resolve))
            counted = runner.count(scope.plan)
            results.append((f"{text}  ({len(expected):,})", is_equal and counted == len(expected), shown, counting))
        return results

    yield from workspace.analyse(ask)


def _fastest(runner: Runner, build: Builder) -> float:
    """Return the seconds of the fastest of three runs, each of which plans its statement anew."""
    times = []
    for _ in range(REPEATS):
        begin = time.perf_counter()
        runner.run(build)
        times.append(time.perf_counter() - begin)
    return min(times)


def main() -> None:
    """Print a row for one repository."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("root", type=Path)
    parser.add_argument("--data-dir", type=Path)
    parser.add_argument("--chains", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--slowest", type=int, default=0, help="print this many of the slowest chains")
    options = parser.parse_args()
    with Workspace.locate(options.root, options.data_dir) as workspace:
        found = list(compared(workspace, options.chains, options.seed))
        lines = workspace.analyse(lambda readers: readers.graph.query("MATCH (f:File) RETURN sum(f.lines)").rows[0][0])
    for text, is_equal, _, _ in found:
        if not is_equal:
            print(f"differs: {text}")
    for text, _, shown, counting in sorted(found, key=lambda each: -each[2])[: options.slowest]:
        print(f"{shown * 1000:6.0f} {counting * 1000:6.0f} ms  {text}")
    equal = sum(is_equal for _, is_equal, _, _ in found)
    times = [
        f"{statistics.median(column) * 1000:.0f} / {statistics.quantiles(column, n=20)[-1] * 1000:.0f} / {max(column) * 1000:.0f}"
        for column in zip(*((shown, counting) for _, _, shown, counting in found), strict=True)
    ]
    print("| repository | lines | chains | equal | first 100 rows, ms: median / p95 / most | count, ms |")
    print("|---|---|---|---|---|---|")
    print(f"| {options.root.name} | {int(lines):,} | {len(found)} | {equal} | {times[0]} | {times[1]} |")


if __name__ == "__main__":
    main()
