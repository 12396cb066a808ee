"""The answer of the tool `cypher`: a limited number of rows and tokens, and the schema on request."""

from __future__ import annotations

import json
from typing import Any

import msgspec

from ....graphdb.query_result import QueryResult
from ....retrieval.text.json_budget import measured
from ....schema import ddl
from ....schema.errors import UsageError
from .query_rows import WIDEST_CELL, QueryRows

#: Minimum budget of a query, in tokens.
MIN_BUDGET = 100
#: Maximum number of rows of an answer.
MAX_ROWS = 10_000
#: Characters reserved for the answer without its columns and rows.
_ENVELOPE = 250


class CypherAnswer(msgspec.Struct, frozen=True, rename="camel", omit_defaults=True):
    """Columns and rows. `total_rows` is the number of all rows of the query, and `schema` is the graph's schema if requested."""

    columns: tuple[str, ...] = ()
    rows: tuple[list[Any], ...] = ()
    total_rows: int = 0
    truncated: bool = False
    schema: str = ""
    hint: str = ""
    tokens: int = 0


def check(query: str, schema: bool, max_rows: int, budget: int) -> None:
    """Raise UsageError for an empty request, or for a limit out of range."""
    if not query.strip() and not schema:
        raise UsageError("The query is empty: write Cypher, or ask for the schema.")
    if not 1 <= max_rows <= MAX_ROWS:
        raise UsageError(f"maxRows is a number from 1 to {MAX_ROWS:,}, not {max_rows}.")
    if budget < MIN_BUDGET:
        raise UsageError(f"A query needs a budget of at least {MIN_BUDGET} tokens, not {budget}.")


def cypher_answer(result: QueryResult | None, schema: bool, budget: int) -> CypherAnswer:
    """Return the rows that fit the budget; `result` is None without a query."""
    text = ddl.schema_within(budget * 4 - _ENVELOPE) if schema else ""
    if result is None:
        return measured(CypherAnswer(schema=text))
    columns = tuple(column if len(column) <= WIDEST_CELL else f"{column[: WIDEST_CELL - 1]}…" for column in result.columns)
    room = budget * 4 - _ENVELOPE - sum(len(column) + 3 for column in columns) - len(text)
    rows: list[list[Any]] = []
    for row in result.rows:
        plain = json.loads(json.dumps(row, ensure_ascii=False, default=str))
        room -= len(json.dumps(plain, ensure_ascii=False)) + 1
        if room < 0:
            break
        rows.append(plain)
    left = result.total_rows - len(rows)
    hint = (
        f"{left:,} more rows: return less a row, filter, page with SKIP and LIMIT, or raise maxRows or the budget."
        if left
        else ""
    )
    return measured(CypherAnswer(columns, tuple(rows), result.total_rows, bool(left), text, hint))


def cypher_text(answer: CypherAnswer) -> str:
    """Return rows as lines, or the schema."""
    parts = [answer.schema] if answer.schema else []
    if answer.columns:
        rows = QueryRows(answer.columns, [tuple(row) for row in answer.rows], (), len(answer.rows))
        parts += [rows.brief, *([answer.hint] if answer.hint else [])]
    return "\n\n".join(parts)
