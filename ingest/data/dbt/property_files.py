"""Read the YAML of a dbt project: settings, and descriptions of models, sources, seeds and snapshots."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from ....schema.records import Problem
from ...contracts.declarations import ContractSyntaxError
from ...contracts.yaml_tree import YamlNode, yaml_tree
from ...facts.data import DataFacts, ObjectName, Query, TableUse
from ...facts.dbt import DbtColumn, DbtFacts, DbtNode, DbtProject
from ...facts.model import FileFacts, SymbolFact
from ...facts.uncovered_lines import facts_of_symbols, line_of, line_offsets, symbols_of_gaps
from ...files.source_text import SourceText
from .jinja import relations_in

#: What reads relations without a query, by the key of its list.
_READERS: Final = {"exposures": "exposure", "semantic_models": "semantic model"}
#: Parts of a semantic model, each with the columns that it reads.
_PARTS: Final = ("entities", "dimensions", "measures")
_COLUMN_NAME: Final = re.compile(r"[A-Za-z_]\w*", re.ASCII)
_KINDS: Final = {"models": "model", "seeds": "seed", "snapshots": "snapshot"}
#: Names of tests that constrain a column, with or without the name of a package before them.
_REQUIRED: Final = re.compile(r"(?:^|[._])(?:not_null|primary_key)$")
_MAX_SIGNATURE: Final = 2_000


def property_facts(source: SourceText, language: str) -> FileFacts:
    """Return the facts of a YAML file of a dbt project."""
    return _PropertyReading(source, language).facts()


class _PropertyReading:
    def __init__(self, source: SourceText, language: str) -> None:
        self._source = source
        self._language = language
        self._text = source.data.decode("utf-8", "replace")
        self._starts = line_offsets(self._text, len(source.line_starts))
        self._symbols: list[SymbolFact] = []
        #: Index of the last symbol without a parent; -1 before the first.
        self._last_root = -1
        self._signatures: dict[int, str] = {}
        self._dbt = DbtFacts()
        self._queries: list[Query] = []
        self._problems = list(source.problems)

    def facts(self) -> FileFacts:
        try:
            self._read(yaml_tree(self._text))
        except ContractSyntaxError as error:
            self._problems.append(Problem(error.line, error.reason))
        gaps = symbols_of_gaps(self._text, self._starts, self._symbols, ("#",))
        symbols = [*self._symbols, *gaps]  # the gaps are last, so that the indices of the declarations stay valid
        is_known = self._dbt.project is not None or self._dbt.nodes or self._queries
        data = DataFacts(dbt=self._dbt, queries=self._queries) if is_known else None
        lines = self._source.line_starts
        return facts_of_symbols(self._language, lines, self._text, self._starts, symbols, self._problems, data=data)

    def _read(self, root: YamlNode) -> None:
        if root.get("name") is not None and (root.get("config-version") is not None or root.get("model-paths") is not None):
            self._dbt.project = _project(root)
            return
        for kind, node, source in sorted(_declared(root), key=lambda each: each[1].line):
            if node.text_of("name") and kind in _READERS.values():
                self._reader(node)
            elif node.text_of("name"):
                self._node(kind, node, source)

    def _node(self, kind: str, node: YamlNode, source: str) -> None:
        name = node.text_of("name")
        symbol = self._symbol(name, "table" if kind in ("source", "seed") else "view", node, -1, source)
        made = DbtNode(kind, name, source, symbol, node.line)
        for column in _items(node.get("columns")):
            column_name = column.text_of("name").strip('"`')
            if column_name:
                made.columns.append(self._column(column_name, column, symbol))
        self._dbt.nodes.append(made)

    def _reader(self, node: YamlNode) -> None:
        """Add an exposure, which reads the relations that it depends on, or a semantic model with the columns that it reads."""
        symbol = self._symbol(node.text_of("name"), "view", node, -1)
        texts = [each.text or "" for each in _items(node.get("depends_on"))] or [node.text_of("model")]
        parts = [part for key in _PARTS for part in _items(node.get(key))]
        columns = dict.fromkeys(part.text_of("expr") or part.text_of("name") for part in parts)
        used = [each for each in columns if _COLUMN_NAME.fullmatch(each) is not None]
        uses = [TableUse(ObjectName(each.name, each.source), False, used) for text in texts for each in relations_in(text)]
        if uses:
            self._queries.append(Query(symbol, node.line, "select", uses, "sql", ""))

    def _column(self, name: str, node: YamlNode, parent: int) -> DbtColumn:
        symbol = self._symbol(name, "column", node, parent)
        tests = {each for key in ("tests", "data_tests", "constraints") for each in _test_names(node.get(key))}
        return DbtColumn(
            name,
            symbol,
            node.line,
            node.text_of("data_type"),
            any(_REQUIRED.search(each) is not None for each in tests),
        )

    def _symbol(self, name: str, kind: str, node: YamlNode, parent: int, owner: str = "") -> int:
        first, last, description = node.line, max(node.line, node.end_line), node.text_of("description")
        is_root = parent < 0
        if is_root and self._last_root >= 0 and (root := self._symbols[self._last_root]).end_line >= first:
            root.end_line = max(root.end_line, last)
            parent, is_root = self._last_root, False
        if is_root:
            self._last_root = len(self._symbols)
        depth = 0 if parent < 0 else self._symbols[parent].depth + 1
        made = SymbolFact(
            name, kind, parent, depth, first, last, first, first, self._signature(first), description, [], True, is_root
        )
        made.owner = owner
        self._symbols.append(made)
        return len(self._symbols) - 1

    def _signature(self, line: int) -> str:
        if line not in self._signatures:  # a file of one line may have thousands of models
            self._signatures[line] = " ".join(line_of(self._text, self._starts, line).split())[:_MAX_SIGNATURE]
        return self._signatures[line]


def _declared(root: YamlNode) -> Iterator[tuple[str, YamlNode, str]]:
    """Yield the relations that a file describes, each with its kind, its YAML node and the name of its source."""
    for key, kind in _KINDS.items():
        for node in _items(root.get(key)):
            yield kind, node, ""
    for key, kind in _READERS.items():
        for node in _items(root.get(key)):
            yield kind, node, ""
    for source in _items(root.get("sources")):
        for table in _items(source.get("tables")):
            yield "source", table, source.text_of("name")


def _project(root: YamlNode) -> DbtProject:
    def paths(*keys: str, default: Sequence[str]) -> list[str]:
        found = [each.text for key in keys for each in _values(root.get(key)) if each.text]
        return [each.strip("/").removeprefix("./") for each in found] or list(default)

    return DbtProject(
        root.text_of("name"),
        paths("model-paths", "source-paths", default=["models"]),
        paths("snapshot-paths", default=["snapshots"]),
        paths("seed-paths", "data-paths", default=["seeds", "data"]),
    )


def _values(node: YamlNode | None) -> list[YamlNode]:
    return [] if node is None else node.items or ([node] if node.text is not None else [])


def _items(node: YamlNode | None) -> list[YamlNode]:
    return node.items if node is not None else []


def _test_names(node: YamlNode | None) -> Iterator[str]:
    """Yield the names of the tests or the types of the constraints of a column."""
    for each in _items(node):
        if each.text is not None:
            yield each.text
        elif each.get("type") is not None:
            yield each.text_of("type")
        else:
            yield from (key for key in each.entries if key not in ("name", "config", "severity", "arguments"))
            yield from filter(None, (each.text_of("test_name"),))
