"""One file's bytes to its facts. Pure: no clock, no disk, no globals, so it runs in any process and is cached by content."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

from ...schema.languages import RESOLVED
from ...schema.records import BlankLine, Problem
from ..facts.bare import bare_facts
from ..facts.model import ChunkFact, FileFacts, SymbolFact
from ..files.source_text import SourceText, decode_source
from .typescript.lowering.program import lower_program
from .typescript.parsing.parse import parse_source

#: How the problem of a file begins over which extraction itself failed.
FAULT = "extraction failed on this file"

#: Bytes of stack for nested source: the first that the system gives (0: what it gives every thread). They are reserved, and
#: become memory where source nests.
_STACKS = (1 << 29, 1 << 26, 0)
#: Bytes of stack for each call that Python counts: compiled, lowering calls itself on the stack.
_STACK_OF_A_CALL = 2_560
#: From 3.12 on Python counts calls of compiled functions apart, up to more of them than a usual stack holds.
_COUNTS_APART = sys.version_info >= (3, 12)


def extract_facts(data: bytes, language: str) -> FileFacts:
    """The facts of a file. Never fails on what a file holds: what cannot be taken is a problem of the facts."""
    source = decode_source(data)
    if source.is_binary:
        return unread_facts(language, source.problems or [Problem(1, "binary content")])
    try:
        return _read(source, language)
    except RecursionError:
        return whole_file_facts(language, source, [*source.problems, Problem(1, "nested too deeply to be read")])
    except Exception as fault:  # noqa: BLE001 - a fault of ours costs the file that shows it, not the index, and is reported
        reason = f"{FAULT}: {type(fault).__name__}: {fault}"
        return whole_file_facts(language, source, [*source.problems, Problem(1, reason)])


def _read(source: SourceText, language: str) -> FileFacts:
    if language not in RESOLVED:
        from .syntax_only.reading import outline_facts

        facts = outline_facts(source, language)
        facts.blanks = _blanks(source, facts.symbols)
        return facts
    parsed = parse_source(source.data, language)

    def lowered() -> FileFacts:
        problems = [*source.problems, *parsed.problems]
        facts = lower_program(parsed.tree, parsed.data, source, language, problems, bool(parsed.edits or parsed.problems))
        facts.blanks = _blanks(source, facts.symbols)
        return facts

    if not _COUNTS_APART:
        with suppress(RecursionError):
            return lowered()
    return _on_deep_stack(lowered)


def _blanks(source: SourceText, symbols: list[SymbolFact]) -> list[BlankLine]:
    """The lines outside of all symbols that are not empty."""
    starts = [*source.line_starts, len(source.data)]
    found: list[BlankLine] = []
    at = 1
    roots = sorted((symbol.start_line, symbol.end_line) for symbol in symbols if symbol.parent < 0)
    for first, last in [*roots, (len(starts), len(starts))]:
        # Most of what lies between is line ends alone.
        if at < first and source.data[starts[at - 1] : starts[first - 1]].strip(b"\r\n"):
            lines = source.data[starts[at - 1] : starts[first - 1]].decode("utf-8", "replace").split("\n")
            found += [BlankLine(line, text) for line, each in enumerate(lines, at) if (text := each.removesuffix("\r"))]
        at = max(at, last + 1)
    return found


def _on_deep_stack(lowered: Callable[[], FileFacts]) -> FileFacts:
    """What a function gives on a stack for source that nests as deep as people and generators write it."""
    before = sys.getrecursionlimit()
    with ThreadPoolExecutor(1, "extraction") as thread:
        sys.setrecursionlimit(max(before, _start(thread) // _STACK_OF_A_CALL))
        try:
            return thread.submit(lowered).result()
        finally:
            sys.setrecursionlimit(before)


def _start(thread: ThreadPoolExecutor) -> int:
    """Starts the only thread of a pool, with the largest stack that it can get; the size of that."""
    before = threading.stack_size()
    try:
        for size in _STACKS:
            threading.stack_size(size)
            with suppress(RuntimeError):  # the process may not reserve so much
                thread.submit(int).result()
                return size
    finally:
        threading.stack_size(before)
    return 0


def unread_facts(language: str, problems: list[Problem]) -> FileFacts:
    """The facts of a file that could not be read: none, and why."""
    return bare_facts(language, [0], [], [], problems, 0)


def whole_file_facts(language: str, source: SourceText, problems: list[Problem]) -> FileFacts:
    """The facts of a file whose text is known but not its structure: one symbol over all of it, so that search finds it."""
    lines = len(source.line_starts)
    symbol = SymbolFact("file", "expression", -1, 0, 1, lines, 1, 1, "", "", [], False, True)
    return bare_facts(language, source.line_starts, [symbol], [ChunkFact(0, -1, None, [])], problems, lines)
