"""Compare random chains with a naive evaluation over all edges, and measure how long they take.

    python -m tests.benchmarks.chain_agreement ROOT [--data-dir DIR] [--chains 200] [--seed 1] [--pool GIB] [--processor]

Each chain is written as text, read back, and run as one statement. The other side reads every node and edge once and follows
them with sets in Python. This side reads whole tables, for which its graph has a pool of memory of its own.
With `--processor`, times are processor times of all threads, for a machine on which other programs run.
Prints one row of a Markdown table, and every chain that differs.
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
from astrolabe.graphdb.engine import open_read_only
from astrolabe.graphdb.scopes.fields import FIELDS, KEYS, ORDER, TABLES, WHOLES
from astrolabe.graphdb.scopes.plan import Kind
from astrolabe.graphdb.scopes.statement import count_of, rows_of
from astrolabe.graphdb.scopes.steps import COMPOSED, STEPS
from astrolabe.schema.languages import DOCUMENTS
from astrolabe.schema.symbol_kinds import DOCUMENT_KINDS, STATEMENTS
from astrolabe.server.api.scopes import kinds
from astrolabe.server.api.scopes.operations import operations_of
from astrolabe.server.api.scopes.running import Builder, Runner
from astrolabe.server.api.scopes.scope import Scope
from astrolabe.server.api.workspace import Workspace

from tests.benchmarks.markdown_tables import print_head, print_row

#: Rows that a timed request reads, as an answer shows at most.
SHOWN = 100
#: Runs of each request, of which the fastest counts: other programs of the machine are not measured.
REPEATS = 3
Keys = set[str]


#: Kinds of nodes, with the call that begins a chain of all of them; "" if none does.
BEGINNINGS: dict[Kind, str] = {
    "module": "modules",
    "file": "files",
    "symbol": "symbols",
    "package": "packages",
    "table": "tables",
    "column": "columns",
    "document": "docs",
    "section": "sections",
    "step": "",
}
#: Steps that leave out what migrations dropped.
_CURRENT = {("table", "columns"), ("file", "tables"), ("module", "tables")}
#: Steps that leave out statements.
_DECLARATIONS = {("file", "symbols"), ("package", "symbols"), ("module", "symbols")}


class Naive:
    """All nodes and edges of a graph in dictionaries, and chains evaluated over them."""

    def __init__(self, graph: GraphDatabase) -> None:
        self._graph = graph
        self._edges: dict[tuple[Kind, str], dict[str, Keys]] = {}
        self.nodes: dict[Kind, dict[str, dict[str, Any]]] = {
            kind: self._read(kind) for kind in ("module", "file", "symbol", "package")
        }
        files, symbols = self.nodes["file"], self.nodes["symbol"]
        for symbol in symbols.values():
            symbol |= {name: files[symbol["path"]][name] for name in ("language", "is_test")}
        columns = self._pairs("MATCH (a:Symbol)-[:COLUMN_OF]->(b:Symbol) RETURN a.id, b.id")
        dropped = {key for key, _ in self._pairs("MATCH (a:Symbol)-[e:CHANGED_IN]->() WHERE e.kind = 'dropped' RETURN a.id, ''")}
        gone = {column for column, table in columns if table in dropped}
        with_columns = {table for _, table in columns}
        self.nodes["table"] = {
            key: {**node, "dropped": key in dropped}
            for key, node in symbols.items()
            if node["kind"] in ("table", "view") or key in with_columns
        }
        self.nodes["column"] = {
            column: {**symbols[column], "dropped": column in dropped or column in gone}
            for column, table in columns
            if column != table
        }
        self.nodes["document"] = {key: node for key, node in files.items() if node["language"] in DOCUMENTS}
        sections = ("section", "decision", "endpoint", "milestone")
        self.nodes["section"] = {key: node for key, node in symbols.items() if node["kind"] in sections}
        self.nodes["step"] = {key: node for key, node in symbols.items() if node["kind"] == "step"}
        self._add_values_of_others()

    def close(self) -> None:
        """Close the graph."""
        self._graph.close()

    def _read(self, kind: Kind) -> dict[str, dict[str, Any]]:
        fields = {name: field for name, field in FIELDS[kind].items() if not field.pattern and field.type != "extension"}
        columns = ", ".join(field.expression.format(n="n") for field in fields.values())
        rows = self._graph.query(f"MATCH (n:{TABLES[kind]}) RETURN n.{KEYS[kind]} AS key, {columns}").rows
        return {row[0]: dict(zip(fields, row[1:], strict=True)) for row in rows}

    def _add_values_of_others(self) -> None:
        """Add fields that belong to edges or to other nodes: all values that a node has of them."""
        for kind in ("module", "column"):
            for name, field in FIELDS[kind].items():  # type: ignore[index]
                if not field.pattern or field.joined_by:
                    continue
                pattern, value = field.pattern.format(n="n", o="o"), field.expression.format(o="o")
                rows = self._graph.query(f"MATCH {pattern.replace('(n)', f'(n:{TABLES[kind]})')} RETURN n.id, {value}").rows  # type: ignore[index]
                values: dict[str, set[Any]] = defaultdict(set)
                for key, each in rows:
                    values[key].add(each)
                for key, node in self.nodes[kind].items():  # type: ignore[index]
                    node[name] = frozenset(values[key])

    def _pairs(self, query: str) -> list[tuple[str, str]]:
        return [(start, end) for start, end in self._graph.query(query).rows]

    def step(self, kind: Kind, name: str, keys: Iterable[str], depth: int) -> tuple[Kind, Keys]:
        """Return what 1 to `depth` edges reach, level by level, or what several steps of one name reach."""
        reached: Keys = set(keys)
        beginning = kind
        for each in COMPOSED.get(kind, {}).get(name, (name,)):
            kind, reached = self._single(kind, each, reached, depth)
        if (beginning, name) in _CURRENT:
            reached = {key for key in reached if not self.nodes[kind][key]["dropped"]}
        if (beginning, name) in _DECLARATIONS:
            reached = {key for key in reached if self.nodes[kind][key]["kind"] not in STATEMENTS}
        return kind, reached

    def _single(self, kind: Kind, name: str, keys: Iterable[str], depth: int) -> tuple[Kind, Keys]:
        rule = STEPS[kind][name]
        known = self.nodes[rule.target]
        if rule.is_same_node:
            return rule.target, {key for key in keys if key in known}
        out = self._adjacent(kind, name)
        reached: Keys = set()
        level = set(keys)
        for _ in range(depth):
            level = {after for key in level for after in out.get(key, ()) if after in known}
            reached |= level
        if rule.in_tests:
            reached = {key for key in reached if known[key]["is_test"]}
        if rule.keeps:
            reached = {key for key in reached if known[key]["kind"] not in DOCUMENT_KINDS}
        return rule.target, reached

    def _adjacent(self, kind: Kind, name: str) -> dict[str, Keys]:
        if (kind, name) not in self._edges:
            rule = STEPS[kind][name]
            found: dict[str, Keys] = defaultdict(set)
            if rule.pattern:
                ends = f"a.{KEYS[kind]}, b.{KEYS[rule.target]}"
                along = f" WHERE {rule.along.format(n='b')}" if rule.along else ""
                pattern = rule.pattern.format(n="b")
                rows = self._pairs(f"MATCH (a:{TABLES[kind]}){pattern}(b:{TABLES[rule.target]}){along} RETURN {ends}")
            elif TABLES[kind] == "File":
                rows = [(symbol["path"], key) for key, symbol in self.nodes["symbol"].items()]
            else:
                rows = [(key, symbol["path"]) for key, symbol in self.nodes["symbol"].items()]
            for before, after in rows:
                found[before].add(after)
            self._edges[kind, name] = dict(found)
        return self._edges[kind, name]

    def ordered(self, kind: Kind, keys: Keys, sorts: Iterable[tuple[str, bool]] = ()) -> list[str]:
        """Return keys in the order of a chain: by fields, the first of which counts most, then by path and line, as bytes."""
        nodes = self.nodes[kind]

        def key(one: str) -> tuple[Any, ...]:
            return tuple(_comparable(nodes[one][name]) for name in ORDER[kind])

        found = sorted(keys, key=key)
        for field, descending in reversed(list(sorts)):
            found.sort(key=lambda one, field=field: _comparable(nodes[one][field]), reverse=descending)  # type: ignore[misc]
        return found


def _comparable(value: Any) -> Any:
    return value.encode() if isinstance(value, str) else value


#: Kinds that chains begin with, the frequent ones more than once.
_DRAWN: tuple[Kind, ...] = (
    "symbol", "symbol", "symbol", "file", "module", "package", "table", "table", "column", "document", "section", "section",
)  # fmt: skip
#: Steps that the second part of a set operation may have.
_SECOND: dict[Kind, tuple[str, ...]] = {
    "symbol": ("callers", "callees", "members", "subtypes", "referenced_by", "tables", "sections"),
    "section": ("sections", "linked_sections"),
    "table": ("references", "reads"),
    "column": ("references",),
}


class Chains:
    """Random chains, each as text together with its naive result."""

    def __init__(self, naive: Naive, seed: int) -> None:
        self._naive = naive
        self._random = random.Random(seed)
        #: Fields by which the nodes of the chain are ordered, the one that counts most first; a step forgets them.
        self._sorts: list[tuple[str, bool]] = []

    def one(self, longest: int = 4) -> tuple[str, Kind, Keys]:
        """Return a chain as text, the kind that it ends with, and the keys that it gives."""
        kind = self._random.choice([kind for kind in _DRAWN if self._naive.nodes[kind]])
        text, keys = self._begun(kind)
        self._sorts = []
        for _ in range(self._random.randint(0, longest)):
            text, kind, keys = self._longer(text, kind, keys)
        return text, kind, keys

    def _longer(self, text: str, kind: Kind, keys: Keys) -> tuple[str, Kind, Keys]:
        drawn = self._random.random()
        if drawn < 0.55:
            name = self._random.choice(steps_of(kind))
            repeats = name in STEPS[kind] and STEPS[kind][name].repeats
            depth = self._random.choice((1, 1, 1, 2, 3)) if repeats else 1
            after, reached = self._naive.step(kind, name, keys, depth)
            if name not in STEPS[kind] or not STEPS[kind][name].is_same_node:
                self._sorts = []
            return f"{text}.{name}({depth if depth > 1 else ''})", after, reached
        if drawn < 0.75:
            more, kept = self._filtered("filter", kind, keys)
            return f"{text}.{more}", kind, kept
        if drawn < 0.85:
            more, dropped = self._filtered("exclude", kind, keys)
            return f"{text}.{more}", kind, keys - dropped
        if drawn < 0.93 and BEGINNINGS[kind]:
            return self._combined(text, kind, keys)
        by_lines = TABLES[kind] == "File"
        count, field = self._random.randint(1, 30), self._random.choice(("", "lines" if by_lines else "name"))
        descending = bool(field) and self._random.random() < 0.5
        sort = f".sort('{field}', descending={str(descending).lower()})" if field else ""
        if field:
            self._sorts = [(field, descending), *(each for each in self._sorts if each[0] != field)]
        kept = set(self._naive.ordered(kind, keys, self._sorts)[:count])
        return f"{text}{sort}.limit({count})", kind, kept

    def _combined(self, text: str, kind: Kind, keys: Keys) -> tuple[str, Kind, Keys]:
        other, others = self._begun(kind)
        operator, joined = self._random.choice((("|", keys | others), ("&", keys & others), ("-", keys - others)))
        if operator != "|" and kind in _SECOND and self._random.random() < 0.5:
            name = self._random.choice(_SECOND[kind])
            after, others = self._naive.step(kind, name, others, 1)
            if TABLES[after] == TABLES[kind] and kind in (after, WHOLES.get(after)):
                other = f"{other}.{name}()"
                joined = keys & others if operator == "&" else keys - others
        return f"({text} {operator} {other})", kind, joined

    def _begun(self, kind: Kind) -> tuple[str, Keys]:
        """Return a call that begins a chain, with a random filter or without one, and the keys that it gives."""
        nodes = self._naive.nodes[kind]
        call, keys, fields = f"{BEGINNINGS[kind]}()", set(nodes), ""
        if self._random.random() < 0.75:
            call, keys = self._filtered(BEGINNINGS[kind], kind, keys)
            fields = call.partition("(")[2].partition("=")[0].partition("__")[0]
        if kind == "symbol" and fields not in ("kind", "id"):
            keys = {key for key in keys if nodes[key]["kind"] not in STATEMENTS}
        if kind in ("table", "column") and fields != "dropped":
            keys = {key for key in keys if not nodes[key]["dropped"]}
        return call, keys

    def _filtered(self, call: str, kind: Kind, keys: Keys) -> tuple[str, Keys]:
        """Return a call with a random filter, and the keys that are left."""
        nodes = self._naive.nodes[kind]
        if not nodes:
            named = "name" if "name" in FIELDS[kind] else "path"
            return f"{call}()" if call != "exclude" else f"exclude({named}='')", set()
        keyword, value, holds = self._test(kind, nodes)
        field = keyword.partition("__")[0]
        field = "path" if field == "ext" else field
        return f"{call}({keyword}={_spelled(value)})", {key for key in keys if holds(nodes[key][field])}

    def _test(self, kind: Kind, nodes: dict[str, dict[str, Any]]) -> tuple[str, object, Callable[[Any], bool]]:
        sample = nodes[self._random.choice(sorted(nodes))]
        names = [name for name, value in sample.items() if not isinstance(value, list) and name not in ("id", "size", "doc")]
        if TABLES[kind] == "File" and self._random.random() < 0.2:
            end = f".{sample['path'].rpartition('.')[2]}"
            return "ext", end, lambda found: found.endswith(end)
        if "path" in names and self._random.random() < 0.1:
            # A chain that begins at one file is another statement than a chain that begins at all symbols.
            return "path", sample["path"], lambda found: found == sample["path"]
        field = self._random.choice(names)
        value = sample[field]
        if isinstance(value, frozenset):
            one = self._random.choice(sorted(value)) if value else ""
            return field, one, lambda found: one in found
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
            ("eq", value[:200], lambda found: found == value[:200]),
        ]
        tests += [("matches", f"^{escaped}.*[a-z]$", lambda found: re.search(f"^{escaped}.*[a-z]\\Z", found) is not None)]
        usable = tests if re.fullmatch(r"[\w./-]+", part) else tests[:4]
        operator_, given, holds_ = self._random.choice(usable)
        return f"{field}__{operator_}", given, holds_


def steps_of(kind: Kind) -> list[str]:
    """Return the steps that a scope of a kind has as calls."""
    scope = next(each for each in vars(kinds).values() if isinstance(each, type) and getattr(each, "kind", "") == kind)
    return sorted(operations_of(scope).keys() & (STEPS[kind].keys() | COMPOSED.get(kind, {}).keys()))


def _spelled(value: object) -> str:
    if isinstance(value, list):
        return f"[{', '.join(map(_spelled, value))}]"
    if isinstance(value, str):
        escaped = value.replace("\\", "\\\\").replace("'", "\\'").replace("\n", "\\n").replace("\t", "\\t")
        return f"'{escaped}'"
    return str(value).lower() if isinstance(value, bool) else str(value)


def compared(
    workspace: Workspace, chains: int, seed: int, pool: int | None = None, clock: Callable[[], float] = time.perf_counter
) -> Iterator[tuple[str, bool, float, float]]:
    """Yield each chain with whether both sides are equal, and the seconds of its first 100 rows and of its count.

    `pool` is the number of bytes of cache and working memory for the naive evaluation.
    """

    def ask(readers: Any) -> list[tuple[str, bool, float, float]]:
        graph = readers.graph
        naive = Naive(GraphDatabase(graph.path, open_read_only(graph.path, pool)))
        made = Chains(naive, seed)
        results = []
        for _ in range(chains):
            text, kind, expected = made.one()
            scope = workspace.query(text)
            assert isinstance(scope, Scope)
            runner = Runner(workspace, graph)
            keys = runner.keys(scope.plan)
            is_equal = scope.kind == kind and len(keys) == len(set(keys)) and set(keys) == expected
            first = scope.limit(SHOWN)
            shown = _fastest(runner, lambda resolve, scope=first: rows_of(scope.plan, resolve), clock)
            counting = _fastest(runner, lambda resolve, plan=scope.plan: count_of(plan, resolve), clock)
            counted = runner.count(scope.plan)
            results.append((f"{text}  ({len(expected):,})", is_equal and counted == len(expected), shown, counting))
        naive.close()
        return results

    yield from workspace.analyse(ask)


def _fastest(runner: Runner, build: Builder, clock: Callable[[], float]) -> float:
    """Return the seconds of the fastest of three runs, each of which plans its statement anew."""
    times = []
    for _ in range(REPEATS):
        begin = clock()
        runner.run(build)
        times.append(clock() - begin)
    return min(times)


def main() -> None:
    """Print a row for one repository."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("root", type=Path)
    parser.add_argument("--data-dir", type=Path)
    parser.add_argument("--chains", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--pool", type=int, default=4, help="memory for the naive evaluation, in GiB")
    parser.add_argument("--slowest", type=int, default=0, help="print this many of the slowest chains")
    parser.add_argument("--processor", action="store_true", help="measure processor time instead of time on the clock")
    options = parser.parse_args()
    clock = time.process_time if options.processor else time.perf_counter
    with Workspace.locate(options.root, options.data_dir) as workspace:
        found = list(compared(workspace, options.chains, options.seed, options.pool << 30, clock))
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
    print_head(("repository", "lines", "chains", "equal", "first 100 rows, ms: median / p95 / most", "count, ms"))
    print_row((options.root.name, f"{int(lines):,}", str(len(found)), str(equal), *times))


if __name__ == "__main__":
    main()
