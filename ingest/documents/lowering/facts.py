"""The facts of a document: sections, steps and the code that they name.

Sections and steps are symbols, and sections are chunks.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ...contracts.route_paths import without_host
from ...facts.api import ApiFacts, Operation, Protocol
from ...facts.cells import int_cells
from ...facts.document_facts import MentionFact, StructureFact
from ...facts.model import ChunkFact, FileFacts, SymbolFact
from ...files.source_text import SourceText
from ..blocks.code import code_references
from ..blocks.expressions import with_expressions
from ..blocks.paths import included_files, named_files
from ..blocks.programs import engine_blocks
from ..command_lines import shell_references
from ..data_keys import data_keys
from ..html_markup import without_tags
from ..kind_words import kind_word
from ..name_lists import listed_names
from ..plain_names import plain_references
from ..sections import Document, Reference, Section, sections_of, symbol_name
from ..shown_declarations import shown_declarations
from ..structures.apis import described_endpoint
from ..structures.parts import Part, parts_of
from ..structures.section_structures import as_json, structures_of
from ..structures.section_types import SectionType, types_of
from ..titles import title_references
from .diagram_facts import DiagramFacts
from .diagram_languages import diagram_language, read_diagram
from .source_order import in_source_order
from .step_facts import StepFacts, SymbolAt

#: Maximum length of a piece of text for the embedding model, in characters.
_MAX_PIECE: Final = 128_000


def document_facts(source: SourceText, language: str, document: Document) -> FileFacts:
    """Return the facts of a document."""
    lines = source.data.decode("utf-8", "replace").split("\n")
    count = len(source.line_starts)
    sections = sections_of(document.headings, lines)
    diagrams = {
        block.line: read_diagram(named, block.text)
        for block in document.code
        if sections and (named := diagram_language(block.language)) is not None
    }
    symbol_at = SymbolAt(sections)
    parts = parts_of(document, sections, lines, diagrams, symbol_at.section)
    types = types_of(parts)
    symbols = [_symbol(section, kind) for section, kind in zip(sections, types, strict=True)]
    chunks = _chunks(parts)
    steps = StepFacts(symbols, symbol_at)
    for place, (part, kind) in enumerate(zip(parts, types, strict=True)):
        if "workflow" in kind.subjects:
            steps.add(place, part)
    next_steps = steps.next_steps()
    drawn = DiagramFacts(symbols, lines)
    for line, diagram in diagrams.items():
        drawn.add(diagram, line, symbol_at.line(line))
    references = [*document.references, *code_references(with_expressions(document)), *shown_declarations(document.code)]
    references += [*shell_references(document.code), *data_keys(document.code), *named_files(document.code)]
    titles = title_references(sections, document.references)
    references += [*titles, *plain_references(document, lines, {each.line for each in titles})]
    references += [*listed_names(document, lines), *included_files(lines)]
    mentions = [
        MentionFact(owner, each.form, each.text, each.line, each.column, _names(each, lines), each.extension)
        for each in references
        if (owner := symbol_at.line(each.line)) >= 0 and (each.text.strip() or each.names)
    ]
    operations = [
        Operation(place, Protocol.HTTP, f"{heading['method']} {without_host(heading['path'].strip('`*_'))}")
        for place, (part, kind) in enumerate(zip(parts, types, strict=True))
        if kind.kind == "endpoint" and (heading := described_endpoint(part)) is not None
    ]
    facts = FileFacts(
        language,
        count,
        int_cells(source.line_starts),
        symbols,
        chunks,
        [*source.problems, *drawn.problems],
        mentions=[*mentions, *drawn.mentions],
        anchors={anchor: symbol_at.section(line) for anchor, line in document.anchors.items()},
        messages=drawn.messages,
        next_steps=next_steps,
        structures=[
            StructureFact(place, each.type, each.form, as_json(each), each.reason)
            for place, each in structures_of(parts, types, document.fields)
        ],
        api=ApiFacts(operations) if operations else None,
        blocks=engine_blocks(document.code, symbol_at.line),
    )
    return in_source_order(facts)


def _names(reference: Reference, lines: Sequence[str]) -> list[str]:
    """Return the names of a reference. A span of code has the word beside it that says what the code denotes."""
    if reference.form != "code" or reference.names:
        return list(reference.names)
    word = kind_word(lines[reference.line - 1], reference.column, reference.text)
    return [word] if word else []


def diagram_file_facts(source: SourceText, language: str) -> FileFacts:
    """Return the facts of a file of diagrams. A PlantUML file may have several diagrams, each from `@startuml` to `@enduml`."""
    lines = source.data.decode("utf-8", "replace").split("\n")
    symbols: list[SymbolFact] = []
    drawn = DiagramFacts(symbols, lines)
    for first, last in _diagram_ranges(lines, language):
        drawn.add(read_diagram(language, "\n".join(lines[first - 1 : last])), first, -1)
    facts = FileFacts(
        language,
        len(source.line_starts),
        int_cells(source.line_starts),
        symbols,
        [ChunkFact(place, -1, None, []) for place, symbol in enumerate(symbols) if symbol.depth == 0],
        [*source.problems, *drawn.problems],
        mentions=drawn.mentions,
        messages=drawn.messages,
    )
    return in_source_order(facts)


def _diagram_ranges(lines: Sequence[str], language: str) -> list[tuple[int, int]]:
    """Return the first and last lines of the diagrams of a file, which together cover all non-blank lines."""
    written = [number for number, line in enumerate(lines, 1) if line.strip()]
    if not written:
        return []
    starts = (
        [number for number in written if lines[number - 1].lstrip().startswith("@startuml")] if language == "plantuml" else []
    )
    bounds = [written[0], *starts[1:]]
    ends = [*(start - 1 for start in bounds[1:]), written[-1]]
    return list(zip(bounds, ends, strict=True))


def _symbol(section: Section, kind: SectionType) -> SymbolFact:
    name = symbol_name(section.title)
    return SymbolFact(
        name,
        kind.kind,
        section.parent,
        section.depth,
        section.start_line,
        section.end_line,
        section.title_line,
        section.title_line,
        f"{'#' * section.level} {name}",
        "",
        list(kind.subjects),
        False,
        True,
    )


def _chunks(parts: Sequence[Part]) -> list[ChunkFact]:
    """Return a chunk for each section: the lines of the section without tags of HTML, and the headings of its subsections."""
    chunks = []
    for place, part in enumerate(parts):
        section = part.section
        shown = part.lines[section.start_line - 1 : section.own_end_line]
        inner = [f"{'#' * each.section.level} {each.section.title}" for each in part.inner]
        written = "\n".join([*shown, *inner]).replace("\r\n", "\n").rstrip()
        bare = without_tags(written)
        text = bare if bare.strip() else written
        chunks.append(ChunkFact(place, section.parent, text if inner or text != written else None, [], _cuts(text)))
    return chunks


def _cuts(text: str) -> list[int]:
    """Return offsets between lines that cut a text into pieces for the embedding model; empty for nearly all texts."""
    cuts: list[int] = []
    at = 0
    while len(text) - at > _MAX_PIECE:
        end = text.rfind("\n", at + 1, at + _MAX_PIECE) + 1
        at = end if end > at else at + _MAX_PIECE
        cuts.append(at)
    return cuts
