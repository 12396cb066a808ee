"""The symbol that a trace is about: by name, by place, or by a name at a place."""

from __future__ import annotations

from collections.abc import Sequence

from ...graphdb.database import GraphDatabase
from ...graphdb.file_queries import files_by_path
from ...graphdb.place_queries import NamedAt, named_at
from ...graphdb.symbol_queries import SymbolDetails, innermost_symbol
from ...schema.errors import UsageError
from ...schema.records import Exclusion
from ..analyses.finding import find_subject, not_indexed
from ..analyses.subject import Nothing, Subject
from .records import TraceRequest


def traced_subject(graph: GraphDatabase, request: TraceRequest, exclusions: Sequence[Exclusion]) -> Subject:
    """The symbol, or why there is none or several. Raises UsageError where the request names nothing."""
    name = request.symbol.strip()
    if not request.file:
        if not name:
            raise UsageError("Name the symbol, or give a file and a line.")
        if request.line is not None:
            raise UsageError("A line needs the file that it lies in.")
        return find_subject(graph, name, exclusions)
    if request.line is None:
        if not name:
            raise UsageError("Name the symbol, or give a line of the file.")
        return find_subject(graph, f"{request.file} > {name}", exclusions)
    path = request.file.removeprefix("./")
    asked = f"{path}:{request.line}" + (f":{request.column}" if request.column is not None else "")
    if path not in files_by_path(graph, [path]):
        return Subject(asked, (), not_indexed(graph, path, exclusions))
    symbol = _at(named_at(graph, path, request.line), name, request.column)
    if symbol is None and not name:
        symbol = innermost_symbol(graph, path, request.line)
    if symbol is None:
        if name:
            return find_subject(graph, f"{path} > {name}", exclusions)
        return Subject(asked, (), Nothing("notFound", f"Nothing stands at line {request.line} of {path}."))
    return Subject(asked, (symbol,))


def _at(named: Sequence[NamedAt], name: str, column: int | None) -> SymbolDetails | None:
    """What is named at a column, from 0; without a column, the declaration of the line, or the only name it uses."""
    last = name.split(">")[-1].strip()
    found = [each for each in named if not last or each.symbol.name == last]
    if column is not None:
        for each in found:
            if each.column and each.column - 1 <= column < each.column - 1 + max(len(each.symbol.name), 1):
                return each.symbol
    declared = [each for each in found if not each.column]
    if declared:
        return declared[0].symbol
    return found[0].symbol if last and found else None
