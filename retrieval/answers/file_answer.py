"""Compose the answer to a lookup of a file: imports, importers, and the text, whole or with collapsed bodies."""

from __future__ import annotations

from dataclasses import replace

import msgspec

from ...graphdb.queries.files import FileDetails, files_by_path, importers_of, imports_of
from ...graphdb.symbols.symbol_table import SymbolTable
from ...schema.records import Symbol
from ...schema.symbol_kinds import CALLABLE_KINDS, STATEMENTS
from ..context.details_section import INDENT, named_list
from ..excerpts.excerpt import ShownSymbol, Stub, first_lines, snapshot
from ..source.source_lines import SourceLines
from ..source.source_syntax import SourceSyntax
from ..text.tokens import count_tokens
from ..vectors.chunk_table import ChunkTable
from .answer import RankedResult, SearchAnswer, assembled_answer

#: A file is shown whole if its tokens are at most the budget divided by this number.
_WHOLE_SHARE = 4


def compose_file_view(
    symbols: SymbolTable, table: ChunkTable, query: str, path: str, budget: int | None, syntax: SourceSyntax
) -> SearchAnswer:
    """Return the answer that shows an indexed file."""
    details = files_by_path(symbols.graph, [path])[path]
    roots = symbols.roots([path])
    source = SourceLines(table.read_files([path])[path], syntax)
    text = _text(symbols, details, roots, source, budget)
    result = RankedResult(path, path, 1, details.lines, path.rpartition("/")[2], "file", path, 1.0, count_tokens(text))
    graph_text = "\n".join(_block(symbols, details, roots))
    answer = assembled_answer(query, [result], graph_text, [(text, 1.0)], budget)
    if budget is not None and answer.tokens > budget:
        text = first_lines(text, len(text) - 4 * (answer.tokens - budget), syntax)
        answer = assembled_answer(query, [replace(result, tokens=count_tokens(text))], graph_text, [(text, 1.0)], budget)
    return answer


def _text(symbols: SymbolTable, details: FileDetails, roots: list[Symbol], source: SourceLines, budget: int | None) -> str:
    path = details.relative_path
    whole = f"// {path}\n\n" + "\n".join(source.between(1, details.lines)).strip("\n")
    if budget is None or count_tokens(whole) * _WHOLE_SHARE <= budget:
        return whole
    members = symbols.children(root.id for root in roots)
    collapsed = [_collapsed(root, members.get(root.id, []), source) for root in roots]
    text = snapshot(path, collapsed, source)
    if count_tokens(text) <= budget:
        return text
    return snapshot(path, [_without_comments(shown) for shown in collapsed if shown.symbol.kind != "comment"], source)


def _collapsed(root: Symbol, members: list[Symbol], source: SourceLines) -> ShownSymbol:
    """Return a function as a signature, a class with signatures of its methods, and other symbols unchanged."""
    bodies = [root] if root.kind in CALLABLE_KINDS else [member for member in members if member.is_chunk]
    return ShownSymbol(root.ref, (), stubs=[Stub.of_member(body.ref, body.signature, source) for body in bodies])


def _without_comments(shown: ShownSymbol) -> ShownSymbol:
    """Return a symbol of a long file without its doc comment, and without the doc comments of collapsed members."""
    declared = msgspec.structs.replace(shown.symbol, start_line=shown.symbol.declaration_line)
    return replace(shown, symbol=declared, stubs=[replace(stub, first_line=stub.symbol.start_line) for stub in shown.stubs])


def _block(symbols: SymbolTable, details: FileDetails, roots: list[Symbol]) -> list[str]:
    path = details.relative_path
    declared = [root.name for root in roots if root.kind not in STATEMENTS]
    return [
        f"{path.rpartition('/')[2]} — {path}",
        f"{INDENT}{details.language} file | {details.lines:,} line{'' if details.lines == 1 else 's'}",
        *named_list("Imports", dict.fromkeys(edge.to_path for edge in imports_of(symbols.graph, [path]))),
        *named_list("Imported by", dict.fromkeys(edge.from_path for edge in importers_of(symbols.graph, [path]))),
        *named_list("Declares", declared),
    ]
