"""The edges of documents: from the sections to the symbols and files that they name.

A name that may mean several things stays apart with that reason, and so does a name that a known class or module lacks.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Final, NamedTuple

import msgspec

from ...schema.edges import FileMentionEdge, MentionEdge, MessageEdge, NextStepEdge, SectionFields, UnresolvedMentionEdge
from ...schema.graph_content import GraphContent
from ...schema.languages import CONTRACTS, DOCUMENTS, language_of, language_of_indexed
from ...schema.paths import common_start, parent_of
from ...schema.records import Symbol
from ...schema.symbol_kinds import CALLABLE_KINDS, DIAGRAM_KINDS, DOCUMENT_KINDS, STATEMENTS, TYPE_KINDS
from ..documents.doc_links import COMMENT
from ..documents.names import CodeName, read_name
from ..facts.document_facts import MentionFact
from ..facts.model import FileFacts
from ..files.path_roles import is_declaration_file, is_test_path
from ..languages.document_paths import path_in_code, path_of_link, repository_url
from ..languages.import_targets import Resolution, SourceTarget
from .mentioned import anchor_of, specifier_of

#: Most files with a name that are looked at; a name with more of them is ambiguous.
_MAX_FILES: Final = 40
#: Names of files that stand for their folder.
_INDEX_FILES: Final = frozenset(("__init__", "index", "mod", "lib", "main"))
_NO_LETTERS: Final = re.compile(r"[\W\d_]+")
_AMBIGUOUS: Final = "ambiguous"
#: Kind of a statement that alters or drops a table. It has the name of the table.
_ALTERATION: Final = "alteration"


class _Target(NamedTuple):
    """What a mention means: a symbol, a file, or nothing for a reason."""

    key: str
    #: "symbol", "file" or "unresolved".
    form: str
    evidence: str
    reason: str = ""


class DocumentEdges:
    """Makes the edges of documents over one state of a repository."""

    def __init__(
        self,
        declared: Callable[[], Mapping[str, str]],
        facts_at: Callable[[str], FileFacts],
        symbols_at: Callable[[str], Sequence[Symbol]],
        resolve: Callable[[str, str], Resolution],
    ) -> None:
        """`declared` returns, by path, the names that each file declares, one a line.

        `facts_at` and `symbols_at` return the facts of a file and its symbols in the same order.
        """
        self._declared = declared
        self._facts_at = facts_at
        self._symbols_at = symbols_at
        self._resolve = resolve

    @cached_property
    def _files(self) -> dict[str, list[str]]:
        """The files that declare each name."""
        found: dict[str, list[str]] = {}
        for path, names in self._declared().items():
            for name in names.split("\n"):
                found.setdefault(name, []).append(path)
        return found

    def of(self, path: str) -> GraphContent:
        """Return the edges of a file; none for a file that is no document."""
        facts = self._facts_at(path)
        if not (facts.mentions or facts.messages or facts.next_steps or facts.structures):
            return GraphContent()
        symbols = self._symbols_at(path)
        places: dict[tuple[str, str, _Target], list[tuple[int, int]]] = {}
        for mention in facts.mentions:
            section = symbols[mention.symbol]
            found_targets = (
                self._commented(mention, path, facts, symbols) if mention.form == COMMENT else self._targets(mention, path, facts)
            )
            for target in found_targets:
                if target.key != section.id:
                    is_heading = mention.line == section.declaration_line and section.kind not in DIAGRAM_KINDS
                    kind = (
                        COMMENT
                        if mention.form == COMMENT
                        else "documents"
                        if is_heading and target.form != "unresolved"
                        else "mentions"
                    )
                    places.setdefault((section.id, kind, target), []).append((mention.line, mention.column))
        content = GraphContent(
            mentions=[],
            file_mentions=[],
            unresolved_mentions=[],
            messages=[
                MessageEdge(symbols[each.source].id, symbols[each.target].id, *msgspec.structs.astuple(each)[2:])
                for each in facts.messages
            ],
            next_steps=[
                NextStepEdge(symbols[each.source].id, symbols[each.target].id, each.condition, each.line)
                for each in facts.next_steps
            ],
            section_fields=[
                SectionFields(symbols[each.symbol].id, path, *msgspec.structs.astuple(each)[1:]) for each in facts.structures
            ],
        )
        for (section_id, kind, target), found in places.items():
            sites = sorted(set(found))
            lines, columns = tuple(line for line, _ in sites), tuple(column for _, column in sites)
            if target.form == "symbol":
                content.mentions.append(MentionEdge(section_id, target.key, lines, columns, kind, target.evidence))
            elif target.form == "file":
                content.file_mentions.append(FileMentionEdge(section_id, target.key, lines, columns, kind, target.evidence))
            else:
                content.unresolved_mentions.append(
                    UnresolvedMentionEdge(section_id, target.key, lines, columns, kind, target.evidence, target.reason)
                )
        return content

    def _targets(self, mention: MentionFact, path: str, facts: FileFacts) -> Iterator[_Target]:
        specifier = specifier_of(mention)
        file = self._resolve(specifier, path) if specifier is not None else None
        found = file.path if isinstance(file, SourceTarget) else None
        if mention.form == "link":
            yield from self._of_link(mention, path, facts, found)
        elif mention.form == "import" and found is not None:
            yield _Target(found, "file", "import")
            for name in mention.names:
                yield from self._imported(name, found)
        elif mention.form in ("diagram", "class", "message"):
            yield from self._drawn(mention, path, found)
        elif mention.form in ("code", "heading"):
            if found is not None and found != path:
                yield _Target(found, "file", "path")
            elif found is None and (path_named := _source_path(mention.text)):
                yield _Target(path_named, "unresolved", "path", "file")
            elif found is None:
                named = read_name(mention.text)
                yield from self._named(named) if named is not None else ()

    # ------------------------------------------------------------------ links

    def _of_link(self, mention: MentionFact, path: str, facts: FileFacts, found: str | None) -> Iterator[_Target]:
        written = path_of_link(mention.text)
        if written is None and found is not None and repository_url(mention.text) is not None:
            written = found
        if written is None:
            return
        anchor = anchor_of(mention)
        if written and found is None:
            yield _Target(mention.text, "unresolved", "link", "file")
            return
        target = found or path
        if not anchor:
            if target != path:
                yield _Target(target, "file", "link")
            return
        target_facts = facts if target == path else self._facts_at(target)
        if target_facts.language in DOCUMENTS or target_facts.anchors:
            symbol = _anchored(target_facts, anchor)
            if symbol is not None:
                yield _Target(self._symbols_at(target)[symbol].id, "symbol", "link")
            elif target != path:
                yield _Target(target, "file", "link")
            if symbol is None:
                yield _Target(mention.text, "unresolved", "link", "anchor")
            return
        symbol = self._at_line(target, anchor)
        if symbol is None:
            yield _Target(target, "file", "link")
        else:
            yield _Target(self._symbols_at(target)[symbol].id, "symbol", "link")

    def _at_line(self, path: str, anchor: str) -> int | None:
        """Return the innermost symbol at a line such as `L12`, which a link to code names."""
        digits = anchor.partition("-")[0].removeprefix("L")
        if not (digits.isascii() and digits.isdigit()) or len(digits) > 9:
            return None
        line = int(digits)
        around = [
            (symbol.depth, place)
            for place, symbol in enumerate(self._symbols_at(path))
            if symbol.start_line <= line <= symbol.end_line and symbol.kind not in STATEMENTS
        ]
        return max(around)[1] if around else None

    # ------------------------------------------------------------------ names

    def _imported(self, name: str, module: str) -> Iterator[_Target]:
        own = [symbol for symbol in self._symbols_at(module) if symbol.name == name and not symbol.depth]
        own = [symbol for symbol in own if symbol.kind not in STATEMENTS]
        if own:
            yield _Target(own[0].id, "symbol", "import")
            return
        folder = module.rpartition("/")[0]
        found = self._candidates(CodeName((name,), False)) or []
        inside = [each for each in found if each.relative_path.startswith(f"{folder}/") and not each.depth]
        if len(inside) == 1:
            yield _Target(inside[0].id, "symbol", "import")

    def _named(self, name: CodeName) -> Iterator[_Target]:
        if name.is_common:
            return
        found = self._candidates(name)
        written = ".".join(name.parts)
        if found is None or len(found) > 1:
            if name.is_distinct:
                yield _Target(written, "unresolved", "name", _AMBIGUOUS)
        elif found:
            [symbol] = found
            if name.is_distinct or (symbol.exported and not symbol.depth):
                yield _Target(symbol.id, "symbol", "qualified" if len(name.parts) > 1 else "name")
        elif len(name.parts) > 1:
            yield from self._lacking(name)

    def _commented(self, mention: MentionFact, path: str, facts: FileFacts, symbols: Sequence[Symbol]) -> Iterator[_Target]:
        """Yield what a link in a doc comment means: the nearest declaration with the name, first of the class and the file.

        A link to something outside of the repository yields nothing.
        """
        name = read_name(mention.text.replace("#", ".").strip("."))
        if name is None:
            return
        parts = tuple(part for part in name.parts if part not in ("crate", "self", "super", "Self"))
        if not parts:
            return
        own = [each for each in symbols if each.kind not in STATEMENTS and _is_named(each, parts)]
        around = symbols[mention.symbol].qualified_name.split(".")
        best = max((_common_names(each.qualified_name.split("."), around) for each in own), default=0)
        near = [each for each in own if _common_names(each.qualified_name.split("."), around) == best]
        if not near:
            found = self._candidates(CodeName(parts, True))
            if found is None:
                return
            beside = [each for each in found if parent_of(each.relative_path) == parent_of(path)]
            imported = [each for each in found if _is_imported(each, facts)]
            near = beside or imported or (found if len(parts) > 1 or name.has_compound_end else [])
            near = [each for each in near if language_of(each.relative_path) == language_of(path)]
        distinct = {each.qualified_name: each for each in near}
        if len(distinct) == 1:
            [(_, symbol)] = distinct.items()
            yield _Target(symbol.id, "symbol", "link")
        elif distinct:
            yield _Target(".".join(parts), "unresolved", "link", _AMBIGUOUS)

    def _drawn(self, mention: MentionFact, path: str, file: str | None) -> Iterator[_Target]:
        """Yield what a node of a diagram stands for. A single word is the name of a type in a diagram of classes only."""
        if file is not None:
            if file != path:
                yield _Target(file, "file", "diagram")
            return
        if mention.form == "diagram" and (path_named := _source_path(mention.text)):
            yield _Target(path_named, "unresolved", "diagram", "file")
            return
        name = read_name(mention.text)
        if name is None or name.is_common or not (name.is_compound or mention.form == "class"):
            return
        found = None
        for qualifier in mention.names:
            found = self._candidates(CodeName((*qualifier.split("."), *name.parts), True))
        if not found:
            found = self._candidates(name)
            if mention.form == "message" and not name.has_compound_end:
                return
        if mention.form == "class" and found is not None:
            found = [symbol for symbol in found if symbol.kind in TYPE_KINDS]
        if found is None or len(found) > 1:
            yield _Target(".".join(name.parts), "unresolved", "diagram", _AMBIGUOUS)
        elif found:
            yield _Target(found[0].id, "symbol", "diagram")

    def _lacking(self, name: CodeName) -> Iterator[_Target]:
        """Yield that a known class or interface lacks a member."""
        if not name.parts[-2][:1].isupper():
            return
        outer = self._candidates(CodeName(name.parts[:-1], False))
        if outer is not None and len(outer) == 1 and outer[0].kind in TYPE_KINDS:
            yield _Target(outer[0].id, "symbol", "qualified")
            yield _Target(".".join(name.parts), "unresolved", "qualified", "member")

    def _candidates(self, name: CodeName) -> list[Symbol] | None:
        """Return the symbols that a name may mean; None for too many to look at."""
        paths = self._files.get(name.parts[-1], ())
        code = [path for path in paths if not is_test_path(path)] or list(paths)
        if len(code) > _MAX_FILES:
            return None
        found: dict[tuple[str, str], Symbol] = {}
        for path in code:
            symbols = self._symbols_at(path)
            by_id = {symbol.id: symbol for symbol in symbols}
            for symbol in symbols:
                if len(name.parts) == 1 and _is_field_of_contract(symbol):
                    continue
                if symbol.name == name.parts[-1] and _is_named(symbol, name.parts) and not _is_local(symbol, by_id):
                    found.setdefault((path, symbol.qualified_name), symbol)
        meant = list(found.values())
        if len(meant) > 1:
            written = [symbol for symbol in meant if not _is_stub(symbol.relative_path)]
            meant = written or meant
        return meant


def _anchored(facts: FileFacts, anchor: str) -> int | None:
    """Return the symbol that an anchor of a document leads to."""
    for spelled in (anchor, anchor.lower(), f"user-content-{anchor}", anchor.removeprefix("user-content-")):
        if spelled in facts.anchors:
            return facts.anchors[spelled]
    # Renderers differ in what they make of signs, and in how they count.
    plain = _NO_LETTERS.sub("", anchor.lower())
    return next((symbol for each, symbol in facts.anchors.items() if plain and _NO_LETTERS.sub("", each.lower()) == plain), None)


def _common_names(one: Sequence[str], other: Sequence[str]) -> int:
    """Return the number of enclosing names that two qualified names share from the outermost."""
    return common_start(one[:-1], other)


def _is_imported(symbol: Symbol, facts: FileFacts) -> bool:
    """Return whether a file imports a symbol, or the module that declares it, by its dotted name."""
    module = symbol.relative_path.rpartition(".")[0].replace("/", ".")
    names = {entry.specifier.strip(".").replace("/", ".") for entry in facts.imports if entry.specifier.strip(".")}
    return any(f".{module}".endswith((f".{name}", f".{name}.{symbol.name}")) for name in names)


def _is_field_of_contract(symbol: Symbol) -> bool:
    """Return whether a symbol is a field of a message: its name alone may be that of any parameter or column."""
    return symbol.kind == "property" and language_of_indexed(symbol.relative_path) in CONTRACTS


def _is_stub(path: str) -> bool:
    return path.endswith(".pyi") or is_declaration_file(path)


def _is_local(symbol: Symbol, by_id: Mapping[str, Symbol]) -> bool:
    """Return whether a symbol stands in a function, or is none that a document names."""
    if symbol.kind in STATEMENTS or symbol.kind in DOCUMENT_KINDS or symbol.kind == _ALTERATION:
        return True
    outer = by_id.get(symbol.parent_id or "")
    while outer is not None:
        if outer.kind in CALLABLE_KINDS:
            return True
        outer = by_id.get(outer.parent_id or "")
    return False


def _is_named(symbol: Symbol, parts: Sequence[str]) -> bool:
    """Return whether the parts of a name are the last of a symbol's qualified name, or of its module's path and that."""
    if not symbol.qualified_name.endswith(parts[-1]):
        return False  # nearly all symbols
    own = symbol.qualified_name.split(".")
    if list(parts) == own[-len(parts) :]:
        return True
    if list(parts[-len(own) :]) != own:
        return False
    before = parts[: -len(own)]
    *folders, file = symbol.relative_path.split("/")
    stem = file.partition(".")[0]
    module = folders if stem in _INDEX_FILES else [*folders, stem]
    if list(before) in (module[-len(before) :], folders[-len(before) :]):
        return True
    return len(before) == 1 and before[0] in folders


def _source_path(text: str) -> str:
    """Return the path that a span of code is, with a folder and the ending of a source file; else ""."""
    path = path_in_code(text)
    return path if path is not None and "/" in path.strip("./") and language_of(path) is not None else ""
