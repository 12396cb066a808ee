"""Read a seed of dbt: a CSV file whose heading names the columns of a table."""

from __future__ import annotations

import csv
import io

from ....schema.records import Problem
from ...facts.data import DataFacts
from ...facts.dbt import DbtColumn, DbtFacts, DbtNode
from ...facts.model import FileFacts, SymbolFact
from ...facts.uncovered_lines import facts_of_symbols, line_offsets, symbols_of_gaps
from ...files.source_text import SourceText

_MAX_SIGNATURE = 2_000
#: Maximum number of columns of a seed.
_MAX_COLUMNS = 2_000


def seed_facts(source: SourceText, language: str) -> FileFacts:
    """Return the facts of a CSV file: a table, which is named after the file, with its columns. The rows are not read."""
    text = source.data.decode("utf-8", "replace")
    starts = line_offsets(text, len(source.line_starts))
    symbols: list[SymbolFact] = []
    problems = list(source.problems)
    data = None
    heading = [] if source.is_binary else _heading(text, problems)
    if any(heading):
        last = max(1, text.rstrip().count("\n") + 1)
        signature = ", ".join(filter(None, heading))[:_MAX_SIGNATURE]
        symbols.append(SymbolFact("", "table", -1, 0, 1, last, 1, 1, signature, "", [], True, True))
        node = DbtNode("seed", "", "", 0, 1)
        for name in dict.fromkeys(heading[:_MAX_COLUMNS]):
            if name:
                node.columns.append(DbtColumn(name, len(symbols), 1))
                symbols.append(SymbolFact(name, "column", 0, 1, 1, 1, 1, 1, name, "", [], True, False))
        data = DataFacts(dbt=DbtFacts(nodes=[node]))
    symbols += symbols_of_gaps(text, starts, symbols, ())
    return facts_of_symbols(language, source.line_starts, text, starts, symbols, problems, data=data)


def _heading(text: str, problems: list[Problem]) -> list[str]:
    """Return the names in the first record of a CSV file; none if it cannot be read."""
    try:
        record = next(csv.reader(io.StringIO(text), strict=True), [])
    except csv.Error as error:
        problems.append(Problem(1, f"the heading of this CSV file cannot be read: {error}"))
        return []
    return [name.strip() for name in record]
