"""The symbol that a trace is about: by name, by place, or by a name at a place."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from ...graphdb.database import GraphDatabase
from ...graphdb.queries.files import files_by_path
from ...graphdb.queries.places import named_at
from ...graphdb.queries.symbols import innermost_symbol
from ...schema.errors import UsageError
from ...schema.manifest import Exclusion
from ...schema.records import Symbol
from ..analyses.finding import find_subject, not_indexed
from ..analyses.subject import EmptyReason, Subject
from ..lint.structure_tokens import KEYWORDS
from ..text_search.indexed_text import FileText
from .records import TraceRequest

Texts = Callable[[], Mapping[str, FileText]]

_WORD = re.compile(r"[^\W\d][\w$]*|\$[\w$]*")


def traced_subject(graph: GraphDatabase, texts: Texts, request: TraceRequest, exclusions: Sequence[Exclusion]) -> Subject:
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
    if path not in files_by_path(graph, [path]):
        return Subject(_place(path, request), (), not_indexed(graph, path, exclusions))
    found = _at_place(graph, texts, path, request, name.split(">")[-1].strip())
    if isinstance(found, EmptyReason):
        return find_subject(graph, f"{path} > {name}", exclusions) if name else Subject(_place(path, request), (), found)
    return Subject(_place(path, request), (found,))


def _place(path: str, request: TraceRequest) -> str:
    return f"{path}:{request.line}" + (f":{request.column}" if request.column is not None else "")


def _at_place(graph: GraphDatabase, texts: Texts, path: str, request: TraceRequest, name: str) -> Symbol | EmptyReason:
    """What a place names: at a column the name there, without one the declaration of the line, else what stands around it."""
    line = request.line or 1
    named = [each for each in named_at(graph, path, line) if not name or each.symbol.name == name]
    word = ""
    if request.column is not None:
        written = _line(texts, path, line)
        if request.column > len(written):
            return EmptyReason("notFound", f"Line {line} of {path} ends at column {len(written)}.")
        word = _word_at(written, request.column)
        for each in named:
            if each.column and each.column - 1 <= request.column < each.column - 1 + max(len(each.symbol.name), 1):
                return each.symbol
    declared = [each.symbol for each in named if not each.column and (not word or each.symbol.name == word)]
    if declared:
        return declared[0]
    if name:
        return named[0].symbol if named else EmptyReason("notFound", f"{name} is not named at line {line} of {path}.")
    around = innermost_symbol(graph, path, line)
    if word and word not in KEYWORDS:
        holder = f" It stands in {around.breadcrumb}." if around is not None else ""
        return EmptyReason("notFound", f'"{word}" is a local name here, or comes from outside the repository.{holder}')
    return around or EmptyReason("notFound", f"Nothing stands at line {line} of {path}.")


def _line(texts: Texts, path: str, line: int) -> str:
    known = texts()
    lines = known[path].text.split(b"\n") if path in known else []
    return lines[line - 1].decode("utf-8", "replace") if line <= len(lines) else ""


def _word_at(line: str, column: int) -> str:
    """The identifier that stands at a column, from 0, or ends before it; "" for none."""
    return next((word.group() for word in _WORD.finditer(line) if word.start() <= column <= word.end()), "")
