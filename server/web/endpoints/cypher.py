"""The query panel: completions, errors with their places, rows, plans, exports, and the cancellation of running queries."""

from __future__ import annotations

import base64
import json
import time
from collections.abc import Callable, Sequence
from io import BytesIO
from typing import Any, Literal

import msgspec

from ....graphdb.guard.cypher_tokens import parameter_names
from ....graphdb.guard.statement_guard import check_read_only
from ....schema.ddl import all_tables
from ....schema.errors import QueryRejected, UsageError
from ...api.completions.chains import chain_completions
from ...api.completions.cypher import cypher_completions
from ...api.requests.query_rows import QueryRows
from ...api.scopes.chain_text import ChainError, read_chain
from ...api.scopes.forms import table_of
from ...api.scopes.scope import Scope
from ...api.scopes.terminals import Rows
from ...api.workspace import Workspace
from ...environment.terminal import finite
from .endpoint import Endpoint, Nothing

Language = Literal["cypher", "chain"]
#: Maximum number of rows in a result for the page. An export has all rows.
MAX_ROWS = 10_000


class Written(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An unfinished statement or chain."""

    language: Language
    text: str
    #: Offset of the cursor in characters.
    cursor: int = 0
    #: Names that may follow `$`.
    parameters: tuple[str, ...] = ()


class Query(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A statement or chain to run."""

    language: Language
    text: str
    parameters: dict[str, Any] = {}
    rows: int = 1000


class Export(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A statement or chain whose rows are exported."""

    language: Language
    text: str
    form: Literal["csv", "arrow", "json"]
    parameters: dict[str, Any] = {}


class Result(msgspec.Struct, frozen=True, rename="camel"):
    """Rows, and the nodes and edges in the rows as a graph."""

    columns: Sequence[str]
    rows: Sequence[Sequence[Any]]
    total_rows: int
    milliseconds: int
    #: The plan of EXPLAIN and PROFILE; "" for rows.
    plan: str = ""
    #: The reason why there are no rows, or the result of a chain that returns no rows, such as a count; else "".
    message: str = ""
    #: The Cypher statement into which a chain is translated; "" for a statement.
    statement: str = ""
    nodes: Sequence[dict[str, Any]] = ()
    edges: Sequence[dict[str, Any]] = ()


def _complete(workspace: Workspace, asked: Written) -> object:
    if asked.language == "chain":
        return chain_completions(asked.text, asked.cursor)
    return cypher_completions(asked.text, asked.cursor, asked.parameters)


def _check(workspace: Workspace, asked: Written) -> object:
    """Return the first error with its place, and the parameters of the statement."""
    if not asked.text.strip():
        return {"problems": [], "parameters": []}
    try:
        if asked.language == "chain":
            read_chain(asked.text)
            return {"problems": [], "parameters": []}
        check_read_only(asked.text)
        return {"problems": [], "parameters": sorted(parameter_names(asked.text))}
    except (QueryRejected, ChainError) as error:
        message = str(error).partition("\n")[0]
        return {"problems": [{"position": error.position or 0, "message": message}], "parameters": []}


def _run(workspace: Workspace, asked: Query) -> object:
    if not 1 <= asked.rows <= MAX_ROWS:
        raise UsageError(f"The number of rows is from 1 to {MAX_ROWS:,}, not {asked.rows}.")
    begun = time.monotonic()
    found = _chain(workspace, asked) if asked.language == "chain" else _statement(workspace, asked)
    return msgspec.structs.replace(found, milliseconds=round((time.monotonic() - begun) * 1000))


def _statement(workspace: Workspace, asked: Query) -> Result:
    rows = workspace.cypher(asked.text, asked.parameters, max_rows=asked.rows)
    if rows.plan is not None:
        return Result((), (), 0, 0, plan=rows.plan)
    graph = rows.to_networkx() if any(kind in ("NODE", "REL", "RECURSIVE_REL") for kind in rows.types) else None
    message = "" if rows.rows else "The statement returns no rows."
    return Result(
        rows.columns,
        _plain(rows.rows),
        max(rows.total_rows, len(rows.rows)),
        0,
        message=message,
        nodes=_plain([{**node, "id": key} for key, node in graph.nodes(data=True)] if graph else []),
        edges=_plain([{"start": a, "end": b, "label": edge["label"]} for a, b, edge in graph.edges(data=True)] if graph else []),
    )


def _chain(workspace: Workspace, asked: Query) -> Result:
    outcome = workspace.query(asked.text)
    if not isinstance(outcome, Rows):
        return Result((), (), 0, 0, message=json.dumps(msgspec.to_builtins(outcome), ensure_ascii=False, indent=1))
    some = outcome.limit(asked.rows)
    found = some.to_list()
    table = table_of(found, outcome.row_type)
    graph = some.to_graph() if isinstance(some, Scope) and found else None
    return Result(
        table.columns,
        _plain(table.rows),
        len(found) if len(found) < asked.rows else outcome.count(),
        0,
        message="" if found else outcome.absence(),
        statement=outcome.explain(),
        nodes=[_node(row) for row in graph.nodes] if graph else (),
        edges=[msgspec.to_builtins(edge) for edge in graph.edges] if graph else (),
    )


def _node(row: Any) -> dict[str, Any]:
    from ...api.scopes.rows import key_of, label_of

    return {**msgspec.to_builtins(row), "id": key_of(row), "label": label_of(row)}


def _export(workspace: Workspace, asked: Export) -> object:
    """Return a file with all rows, in base 64."""
    result: Any
    if asked.language == "chain":
        outcome = workspace.query(asked.text)
        if not isinstance(outcome, Rows):
            raise UsageError("The last call of the chain does not give rows, so there is nothing to export.")
        result = table_of(outcome.to_list(), outcome.row_type) if asked.form != "arrow" else outcome
    else:
        result = workspace.cypher(asked.text, asked.parameters)
    content = _arrow(result) if asked.form == "arrow" else _text(result, asked.form).encode("utf-8", "backslashreplace")
    return {"name": f"rows.{asked.form}", "content": base64.b64encode(content).decode("ascii")}


def _text(rows: QueryRows, form: str) -> str:
    if form == "csv":
        return rows.csv
    named = [dict(zip(rows.columns, row, strict=True)) for row in _plain(rows.rows)]
    return json.dumps(named, ensure_ascii=False, indent=1)


def _arrow(rows: QueryRows | Rows[Any]) -> bytes:
    """Return the rows as an Arrow file (Feather version 2)."""
    import pyarrow

    table, target = rows.to_arrow(), BytesIO()
    begin: Callable[..., Any] = pyarrow.ipc.new_file
    with begin(target, table.schema) as writer:
        writer.write_table(table)
    return target.getvalue()


def _stop(workspace: Workspace, asked: Nothing) -> object:
    return {"stopped": workspace.stop_queries()}


def _limits(workspace: Workspace, asked: Nothing) -> object:
    """Return the limits of a query: seconds, and rows in a result for the page."""
    return {"seconds": workspace.settings.query_timeout, "rows": workspace.settings.query_max_rows}


def _schema(workspace: Workspace, asked: Nothing) -> object:
    """Return the tables of the graph."""
    return [msgspec.to_builtins(table) for table in all_tables().values()]


def _plain(value: Any) -> Any:
    """Return rows as JSON values: dates as text, and null for Infinity and NaN."""
    return json.loads(json.dumps(finite(value), ensure_ascii=False, default=str))


ENDPOINTS = (
    Endpoint("cypher-complete", Written, _complete),
    Endpoint("cypher-check", Written, _check),
    Endpoint("cypher-run", Query, _run),
    Endpoint("cypher-export", Export, _export),
    Endpoint("cypher-stop", Nothing, _stop),
    Endpoint("cypher-limits", Nothing, _limits),
    Endpoint("cypher-schema", Nothing, _schema),
)
