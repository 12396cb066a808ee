"""Extracts the facts from the bytes of one file. Extraction uses no clock, disk or globals, so results are cached by content."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from ...schema.languages import CONTRACTS, DATA, DOCUMENTS
from ...schema.records import Problem
from ..documents.doc_links import add_doc_links
from ..facts.cells import int_cells, wide_cells
from ..facts.model import ChunkFact, FileFacts, SymbolFact
from ..files.source_text import SourceText, decode_source, source_bytes
from .base import Language
from .registry import language as language_named

#: Beginning of the problem for a file on which extraction failed.
FAULT = "extraction failed on this file"


def extract_facts(data: bytes, language: str, sql_dialect: str = "", *, with_strings: bool = True) -> FileFacts:
    """Extract the facts of a file. Never raises because of its content; unreadable parts become problems.

    `sql_dialect` is the SQL dialect from the settings. Without `with_strings`, strings are not searched for SQL, settings and
    commands.
    """
    facts = _extracted(data, language, sql_dialect, with_strings=with_strings, with_api=True)
    facts.sql_dialect = sql_dialect
    return facts


def code_facts(data: bytes, language: str) -> FileFacts:
    """Extract only the facts of a text that resolve its names, without routes, links of comments and the meaning of strings."""
    return _extracted(data, language, "", with_strings=False, with_api=False)


def _extracted(data: bytes, language: str, sql_dialect: str, *, with_strings: bool, with_api: bool) -> FileFacts:
    decode = language_named(language).decode or decode_source
    source = replace(decode(data), sql_dialect=sql_dialect)
    if source.is_binary:
        return unread_facts(language, source.problems or [Problem(1, "binary content")])
    try:
        record = language_named(language)
        facts = record.read(source, language)
        if record.add_api is not None and with_api:
            record.add_api(facts)
        if record.doc_links is not None and with_api:
            add_doc_links(facts, source.data, record.doc_links)
        if with_strings:
            _read_strings(facts, record, source.data, sql_dialect)
        if facts.code:  # resolution needs these bytes for the columns of edges
            facts.wide = wide_cells(source.data)
        return facts
    except RecursionError:
        return whole_file_facts(language, source, [*source.problems, Problem(1, "nested too deeply to be read")])
    except Exception as fault:  # noqa: BLE001 - a bug in Astrolabe costs the structure of this file only, and is reported
        reason = f"{FAULT}: {type(fault).__name__}: {fault}"
        return whole_file_facts(language, source, [*source.problems, Problem(1, reason)])


def _read_strings(facts: FileFacts, record: Language, data: bytes, sql_dialect: str) -> None:
    """Add what the strings of a file mean. A check before a commit does not need this, so the readers are loaded only here."""
    from ..contracts.embedded_graphql import add_embedded_graphql, may_declare_graphql
    from ..data.sql.embedded import add_embedded_queries, may_hold_queries
    from ..data.sql.embedded_definitions import add_embedded_schema, may_define_tables
    from ..documents.code_terms import add_terms
    from ..documents.literals import add_literals

    if record.terms is not None:
        add_terms(facts, data, record.terms)
    if facts.language in DATA:
        return
    if facts.language not in DOCUMENTS | CONTRACTS:
        add_literals(facts, data)
    if facts.language not in DOCUMENTS and facts.code and may_declare_graphql(data):
        add_embedded_graphql(facts, data)
    if may_hold_queries(data):
        add_embedded_queries(facts, data, sql_dialect)
    if record.name_statements is not None:
        record.name_statements(facts)
    if facts.language not in DOCUMENTS and may_define_tables(data):
        add_embedded_schema(facts, data, sql_dialect)


def condensing(language: str) -> Callable[[Iterable[bytes]], bytes] | None:
    """Return the function that shortens a large file of a language, or None."""
    return language_named(language).condense


def indexed_text(data: bytes, language: str) -> bytes:
    """Return the indexed text of a file, in UTF-8, which `extract_facts` reads."""
    decode = language_named(language).decode
    return decode(data).data if decode is not None else source_bytes(data)


def unread_facts(language: str, problems: list[Problem]) -> FileFacts:
    """Return the facts of a file that could not be read. These contain only the reason."""
    return FileFacts(language, lines=0, line_starts=int_cells([0]), symbols=[], chunks=[], problems=problems)


def whole_file_facts(language: str, source: SourceText, problems: list[Problem]) -> FileFacts:
    """Return the facts of a file without known structure: one symbol over the whole text, so that search finds it."""
    lines = len(source.line_starts)
    symbol = SymbolFact("file", "expression", -1, 0, 1, lines, 1, 1, "", "", [], False, True)
    chunk = ChunkFact(0, -1, None, [])
    return FileFacts(language, lines, int_cells(source.line_starts), [symbol], [chunk], problems)
