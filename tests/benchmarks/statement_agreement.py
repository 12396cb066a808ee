"""Compare what functions do with tables with the statements that they made while the tests of a repository ran.

    python -m tests.benchmarks.statement_agreement ROOT RECORD [--list N]

`statement_recorder.py` and `go_statements.py` make RECORD. A pair is a table of the repository and the function of the repository
that read or modified it, or the class that names the model with which a framework did so. Functions of migrations do not count,
because they use models of the past. If a callback made the statement, an edge from a function around the callback counts, too, if
one of its lines is in the callback. `--list` prints N pairs that we miss, and N of ours at random, for reading.
"""

from __future__ import annotations

import argparse
import json
import random
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from astrolabe.ingest.data.schemas.databases import read_code, read_mapped, read_schemas
from astrolabe.ingest.data.sql.queries import parse_query
from astrolabe.ingest.facts.data import TableUse
from astrolabe.ingest.files.path_roles import is_test_path
from astrolabe.ingest.languages.extraction import extract_facts
from astrolabe.ingest.languages.mapped_schemas import mapped_schemas
from astrolabe.schema.records import Symbol

from ..collected_graph import collected_graph

#: Languages whose files declare tables.
_LANGUAGES = ("python", "go", "java", "kotlin", "typescript", "javascript", "prisma", "sql")
#: Evidence of uses by code.
_EVIDENCE = ("call", "declared", "inferred", "row", "relation", "cascade", "string", "name")
#: A table, whether it is modified, and the id of a function.
Pair = tuple[str, bool, str]


class Repository:
    """What we know of a repository."""

    def __init__(self, root: Path) -> None:
        content, discovery = collected_graph(root)
        self.symbols: dict[str, Symbol] = {symbol.id: symbol for symbol in content.symbols}
        self.by_path: dict[str, list[Symbol]] = defaultdict(list)
        for symbol in content.symbols:
            self.by_path[symbol.relative_path].append(symbol)
        self.tables = self._tables(root, {file.relative_path: file.language for file in discovery.files})
        # The table that joins a model with an inherited relation has the symbol of the model. Its name is longer.
        by_length = sorted(self.tables, key=lambda table: len(table[0]), reverse=True)
        names = {self.by_path[path][symbol].id: name for name, path, symbol in by_length}
        names = {each.id: each.name.lower() for each in content.symbols if each.kind == "table"} | names
        # Statements lead to the tables of migrations, where these make the tables of models.
        names |= {each.to_id: names[each.from_id] for each in content.data_mappings if each.from_id in names}
        self.names = {name.lower() for name in names.values()}
        self.lines: dict[Pair, tuple[int, ...]] = {}
        for use in content.data_uses:
            if use.to_id in names and use.evidence in _EVIDENCE:
                pair = (names[use.to_id], use.modifies, use.from_id)
                self.lines[pair] = (*self.lines.get(pair, ()), *use.lines)

    def has(self, pair: Pair) -> bool:
        """Return whether we have a pair, or its use in a line of the callback at a function around the callback."""
        if pair in self.lines:
            return True
        table, modifies, inner = pair
        symbol = self.symbols[inner]
        around = (each for each in self.by_path[symbol.relative_path] if each.depth < symbol.depth)
        return any(
            symbol.start_line <= line <= symbol.end_line
            for each in around
            if each.start_line <= symbol.start_line and symbol.end_line <= each.end_line
            for line in self.lines.get((table, modifies, each.id), ())
        )

    def _tables(self, root: Path, languages: Mapping[str, str]) -> list[tuple[str, str, int]]:
        """Return the name of each table after all migrations, and the path and the number of its symbol.

        The symbol may have another name: a migration can replace a table by a copy, which takes its name.
        """
        facts = {path: extract_facts((root / path).read_bytes(), name) for path, name in languages.items() if name in _LANGUAGES}
        data = {path: each.data for path, each in facts.items() if each.data is not None}
        numbers = sorted(data)
        written = read_schemas(data)
        of_code = [schema for schema, _ in read_code(data, written)]
        return [
            (table.name.lower(), numbers[table.place.file], table.place.symbol)
            for schema in (*read_mapped(data, mapped_schemas(data)), *written, *of_code)
            for table in schema.database.tables.values()
        ]

    def site(self, path: str, line: int, name: str) -> Symbol | None:
        """Return the symbol of a function by the line of its declaration, or the innermost one around the line.

        A class has the line 0.
        """
        if not line:
            return next((each for each in self.by_path.get(path, ()) if each.qualified_name == name), None)
        around = [each for each in self.by_path.get(path, ()) if each.start_line <= line <= each.end_line]
        # A callback may begin in the line of the call to which it is passed. The name tells the function that calls.
        named = [each for each in around if each.name == name.rpartition(".")[2]]
        called = [each for each in around if each.start_line < line or each in named] if named else around
        return max(called, key=lambda each: each.depth, default=None)


def logged(repository: Repository, record: Path) -> Iterator[Pair]:
    """Yield the pairs of a record."""
    parsed: dict[str, list[tuple[str, bool]]] = {}
    for line in record.read_text("utf-8").splitlines():
        sql, place = json.loads(line)
        if place is None or "/migrations/" in f"/{place[0]}" or "/versions/" in f"/{place[0]}":
            continue
        if sql not in parsed:
            query = parse_query(sql.replace("%s", "1").replace("`", '"'))
            parsed[sql] = list(_tables(query.uses)) if query is not None else []
        symbol = repository.site(*place)
        for table, modifies in parsed[sql]:
            if symbol is not None and table in repository.names:
                yield table, modifies, symbol.id


def _tables(uses: Sequence[TableUse]) -> Iterator[tuple[str, bool]]:
    """Yield the tables of a statement. One that it modifies is not read because it returns or compares its own columns."""
    modified = {use.name.key for use in uses if use.modifies}
    for use in uses:
        if use.modifies or use.name.key not in modified:
            yield use.name.name.lower(), use.modifies


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("root", type=Path)
    parser.add_argument("record", type=Path)
    parser.add_argument("--list", type=int, default=0)
    arguments = parser.parse_args()
    repository = Repository(arguments.root)
    pairs = dict.fromkeys(logged(repository, arguments.record))
    print("| sites | logged pairs | ours | share |\n|---|---:|---:|---:|")
    for name, is_test in (("code", False), ("tests", True)):
        part = [pair for pair in pairs if is_test_path(repository.symbols[pair[2]].relative_path) is is_test]
        ours = sum(map(repository.has, part))
        print(f"| {name} | {len(part):,} | {ours:,} | {ours / max(len(part), 1):.3f} |")
    chosen = random.Random(1)
    missed = [pair for pair in pairs if not repository.has(pair)]
    own = list(repository.lines)
    for title, found in (("missed", missed), ("ours", own)):
        for table, modifies, symbol_id in chosen.sample(found, min(arguments.list, len(found))):
            symbol = repository.symbols[symbol_id]
            lines = repository.lines.get((table, modifies, symbol_id), ())
            verb = "modifies" if modifies else "reads"
            print(title, f"{symbol.relative_path}:{symbol.declaration_line}", symbol.qualified_name, verb, table, *lines)


if __name__ == "__main__":
    main()
