"""The symbols of a file with their ids, and the content of a file that search stores."""

from __future__ import annotations

from typing import Final

from ...schema.paths import stem_of
from ...schema.records import Chunk, FileContent, FileRecord, Symbol
from ...schema.symbol_id import symbol_id
from ...schema.text_lines import TextLines
from ..data.dbt.folders import makes_relation
from ..facts.cells import int_array
from ..facts.data import EMBEDDED
from ..facts.model import FileFacts, SymbolFact
from ..files.path_roles import is_test_path

#: Modifiers of tables that strings define. Schemas of GraphQL in strings have one more.
_TABLES: Final = [EMBEDDED]


def file_symbols(path: str, facts: list[SymbolFact]) -> list[Symbol]:
    """Return the symbols of a file with their ids, in the order of its facts.

    A component, a table or a view without a name is named after its file, here and in the facts. Tables that strings in a test
    define are removed, here and in the facts.
    """
    if facts and facts[-1].modifiers == _TABLES and is_test_path(path):
        while facts and facts[-1].modifiers == _TABLES:
            facts.pop()
    for fact in facts:
        if fact.name:
            continue
        if fact.kind == "component":
            fact.name = component_name(path)
            fact.signature = f"{fact.signature} {fact.name}"
        elif fact.kind == "table":
            fact.name = component_name(path)
        elif fact.kind == "view":
            fact.name = component_name(path)
            if not makes_relation(path):
                fact.kind = "query"
    qualified: list[str] = [""] * len(facts)
    crumbs: list[str] = [""] * len(facts)
    ids: list[str] = [""] * len(facts)
    ordinals: list[int] = [0] * len(facts)
    seen: dict[tuple[str, str], int] = {}
    for index in sorted(range(len(facts)), key=lambda index: facts[index].depth):
        fact = facts[index]
        name = f"{fact.owner}.{fact.name}" if fact.owner else fact.name
        crumb = f"{fact.owner} > {fact.name}" if fact.owner else fact.name
        if fact.parent < 0:
            qualified[index], crumbs[index] = name, f"{path} > {crumb}"
        else:
            qualified[index] = f"{qualified[fact.parent]}.{name}"
            crumbs[index] = f"{crumbs[fact.parent]} > {crumb}"
        key = (fact.kind, qualified[index])
        ordinals[index] = seen.get(key, 0)
        seen[key] = ordinals[index] + 1
        ids[index] = symbol_id(path, fact.kind, qualified[index], ordinals[index])
    made = []
    for index, fact in enumerate(facts):
        made.append(
            Symbol(
                id=ids[index],
                name=fact.name,
                qualified_name=qualified[index],
                kind=fact.kind,
                relative_path=path,
                depth=fact.depth,
                ordinal=ordinals[index],
                start_line=fact.start_line,
                end_line=fact.end_line,
                declaration_line=fact.declaration_line,
                name_line=fact.name_line,
                signature=fact.signature,
                doc=fact.doc,
                modifiers=tuple(fact.modifiers),
                exported=fact.exported,
                captures=tuple(fact.captures),
                comment_imports=tuple(fact.comment_imports),
                breadcrumb=crumbs[index],
                is_chunk=fact.is_chunk,
                parent_id=ids[fact.parent] if fact.parent >= 0 else None,
            )
        )
    return made


def component_name(path: str) -> str:
    """Return the name of the component in a file: `src/cart/Line.vue` -> `Line`."""
    return stem_of(path) or path


def file_content(record: FileRecord, text: bytes, facts: FileFacts, symbols: list[Symbol]) -> FileContent:
    """Return the content of a file that search stores; `text` is its source as decoded for the parser."""
    lines = TextLines(text, [*int_array(facts.line_starts), len(text)])
    children: dict[int, list[str]] = {}
    for entry in facts.chunks:
        children.setdefault(entry.parent, []).append(symbols[entry.symbol].id)
    made = []
    for entry in facts.chunks:
        symbol, fact = symbols[entry.symbol], facts.symbols[entry.symbol]
        parent = facts.symbols[fact.parent] if fact.parent >= 0 else None
        made.append(
            Chunk(
                id=symbol.id,
                relative_path=record.relative_path,
                language=record.language,
                node_kind=fact.kind,
                name=fact.name,
                parent_name=fact.owner or (parent.name if parent is not None else None),
                parent_chunk_id=symbols[entry.parent].id if entry.parent >= 0 else None,
                child_chunk_ids=tuple(children.get(entry.symbol, ())),
                depth=fact.depth,
                signature=fact.signature,
                start_line=fact.start_line,
                end_line=fact.end_line,
                jsdoc=fact.doc or None,
                relevant_imports=tuple(facts.symbols[index].signature for index in entry.imports),
                embedding_text=lines.between(fact.start_line, fact.end_line)
                if entry.embedding_text is None
                else entry.embedding_text,
                breadcrumb=symbol.breadcrumb,
                content_hash=record.content_hash,
                last_modified=record.mtime,
                exported=fact.exported,
                is_test=record.is_test or entry.is_test,
                cuts=tuple(entry.cuts),
                collapsed=entry.embedding_text is not None,
            )
        )
    return FileContent(record.relative_path, text, tuple(made))
