"""Turn the parts of a file of commands into facts."""

from __future__ import annotations

from ...facts.model import FileFacts, SymbolFact
from ...facts.uncovered_lines import MAX_NAME, facts_of_symbols, line_offsets, symbols_of_gaps
from ...files.source_text import SourceText
from .parts import Part, parts_of_dockerfile, parts_of_makefile, parts_of_workflow


def command_facts(source: SourceText, language: str) -> FileFacts:
    """Return the facts of a Makefile, a Dockerfile or a workflow."""
    text = source.data.decode("utf-8", "replace")
    starts = line_offsets(text, len(source.line_starts))
    problems = list(source.problems)
    lines = [line.rstrip("\r") for line in text.split("\n")][: len(starts)]
    if language == "makefile":
        parts = parts_of_makefile(lines)
    elif language == "dockerfile":
        parts = parts_of_dockerfile(lines)
    else:
        parts = parts_of_workflow(text, lines, problems)
    symbols = [_symbol(each) for each in parts]
    symbols += symbols_of_gaps(text, starts, symbols, ("#",))
    symbols.sort(key=lambda each: each.start_line)
    return facts_of_symbols(language, source.line_starts, text, starts, symbols, problems)


def _symbol(part: Part) -> SymbolFact:
    name, line = part.name[:MAX_NAME], part.line
    return SymbolFact(name, part.kind, -1, 0, part.first, part.last, line, line, part.signature, part.doc, [], True, True)
