"""A file of an outlined language to its facts: symbols and chunks, without names to resolve."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import NamedTuple

from ...facts.bare import bare_facts
from ...facts.model import ChunkFact, FileFacts, Import
from ...files.source_text import SourceText
from ...symbols.byte_ranges import decoded
from ...symbols.chunks import chunk_facts
from ...symbols.lowering_state import LoweringState
from ...symbols.states import SymbolState
from ...symbols.symbol_tree import Outline
from .comments import comment_text, leads_of
from .definitions import ANONYMOUS, CALLABLE, TYPES, VALUES, Definition, Found, find_definitions, is_constructor
from .grammars import Parsed, parse
from .import_specifiers import specifiers
from .marked_tests import covering, is_test_macro
from .problems import tree_problems
from .root_units import RootUnits
from .sections import Sections
from .signatures import signature_of
from .used_imports import add_imports_used
from .visibility import is_visible, modifiers_of

#: Problems of a file that are told.
_MAX_PROBLEMS = 20
#: Declarations within declarations that are told: a breadcrumb has all their names.
_DEEPEST = 60
#: Bytes before a name that may hold modifiers.
_MAX_LEAD_LENGTH = 1_000
_HIDDEN = frozenset(("private", "fileprivate"))


def outline_facts(source: SourceText, language: str) -> FileFacts:
    """The facts of a file of an outlined language; what the grammar could not read is told by their problems."""
    parsed, cx, found, outermost = read_declarations(source, language)
    root = parsed.root
    RootUnits(cx, source, found).read(root, outermost)
    _mark_tests(cx.symbols, found)
    outline = Outline(cx, source)
    symbols = outline.symbol_facts([])
    for symbol in symbols:
        # A visible type may hold what is not.
        symbol.exported = "exported" in symbol.modifiers
    chunks: list[ChunkFact] = chunk_facts(cx, outline, source, root)
    add_imports_used(language, source, symbols, chunks)
    problems = [*source.problems, *tree_problems(root, _MAX_PROBLEMS)]
    facts = bare_facts(language, source.line_starts, symbols, chunks, problems, len(source.line_starts))
    facts.imports = list(_imports(language, source, found))
    facts.is_module = True  # nothing that it declares is known to other files
    return facts


class Declared(NamedTuple):
    """The declarations of a file, before what lies between them is read."""

    parsed: Parsed
    #: Its symbols are the declarations.
    context: LoweringState
    found: Found
    #: The numbers of the symbols that lie in no other.
    outermost: list[int]


def read_declarations(source: SourceText, language: str) -> Declared:
    """The declarations that the grammar of a language, or of one like it, finds in a text."""
    parsed = parse(source.data, language)
    cx = LoweringState(source.data, source.data, language, mended=False, joins_overloads=language == "python")
    found = find_definitions(parsed, source.data)
    return Declared(parsed, cx, found, _Declarations(cx, source, parsed.grammar.name, found).read())


def _mark_tests(symbols: Sequence[SymbolState], found: Found) -> None:
    """Notes which symbols are part of tests though their file is not."""
    spans = covering([*found.tests, *(each.extent for each in found.definitions if is_test_macro(each.name))])
    starts = [start for start, _ in spans]
    for state in symbols if spans else ():
        place = bisect_right(starts, state.name_position) - 1
        state.is_test = place >= 0 and state.name_position < spans[place][1]


def _imports(language: str, source: SourceText, found: Found) -> Iterator[Import]:
    """The imports of a file in order; in Python, those within functions are only followed when these run."""
    running = sorted(each.own for each in found.definitions if each.kind in CALLABLE and language == "python")
    ends = list(accumulate((end for _, end in running), max))
    starts = [start for start, _ in running]
    for span in sorted(found.imports):
        is_late = (place := bisect_right(starts, span[0])) > 0 and ends[place - 1] >= span[1]
        for specifier in specifiers(language, decoded(source.data, *span)):
            if specifier.text:
                form, is_type = "dynamic" if is_late else "import", span in found.type_imports
                yield Import(specifier.text, form, is_type, list(specifier.names), span[0], -1)


class _Declarations:
    """Makes a symbol for each declaration of a file, in the context's list."""

    def __init__(self, cx: LoweringState, source: SourceText, language: str, found: Found) -> None:
        self._symbols: list[SymbolState] = cx.symbols
        self._data = source.data
        self._language = language
        self._found = found
        self._sections = Sections(found.sections)

    def read(self) -> list[int]:
        """Fills the list; the numbers of those that lie in no other."""
        around: list[tuple[int, int, int, Definition]] = []  # start, end and number of what is around the current place
        outermost = []
        for each in self._found.definitions:
            start, end = each.extent
            while around and (around[-1][1] <= start or around[-1][:2] == (start, end)):
                around.pop()
            parent = around[-1][2] if around else -1
            outer = self._symbols[parent] if parent >= 0 else None
            if outer is not None and (len(around) >= _DEEPEST or not _counts_in(each, outer)):
                continue
            self._symbols.append(self._declared(each, parent, outer, around[-1][3] if around else None))
            around.append((start, end, len(self._symbols) - 1, each))
            if parent < 0:
                outermost.append(len(self._symbols) - 1)
        return outermost

    def _declared(self, each: Definition, parent: int, outer: SymbolState | None, around: Definition | None) -> SymbolState:
        start, end = each.extent
        leads = leads_of(self._found.leads, self._data, start, self._language)
        attributes = [lead.start for lead in leads if not lead.is_comment]
        # Decorators of Python have lines of their own and are no part of a signature.
        begin = each.own[0] if self._language == "python" else start
        modifiers = modifiers_of(decoded(self._data, max(begin, each.name_position - _MAX_LEAD_LENGTH), each.name_position))
        section = self._section(each, outer, around)
        if section and modifiers_of(section) and _HIDDEN.isdisjoint(modifiers):
            modifiers = list(dict.fromkeys((section, *modifiers)))
        kind = self._kind(each, outer)
        exported = self._is_exported(each, kind, outer, modifiers)
        return SymbolState(
            each.name,
            kind,
            parent,
            leads[0].start if leads else start,
            end,
            min([start, *attributes]),
            each.name_position,
            body=each.body,
            doc=each.doc or comment_text([decoded(self._data, lead.start, lead.end) for lead in leads if lead.is_comment]),
            signature=signature_of(self._data, self._language, each, begin, end, self._found.leads),
            modifiers=[*(["exported"] if exported else []), *modifiers],
            exported=exported,
            has_body=each.body >= 0,
            owner=each.owner,
        )

    def _section(self, each: Definition, outer: SymbolState | None, around: Definition | None) -> str:
        if not self._found.sections and self._language != "cpp":
            return ""
        word = self._sections.word_at(each.extent[0], around.own[0] if around is not None else 0)
        if word or outer is None or around is None or outer.kind != "class" or self._language != "cpp":
            return word if word != "public" else ""
        return "private" if self._data.startswith(b"class", around.own[0]) else ""

    def _kind(self, each: Definition, outer: SymbolState | None) -> str:
        kind = each.kind
        is_member = outer is not None and (outer.kind in TYPES or outer.kind == "enumMember")
        if kind == "function" and (each.owner or is_member):
            kind = "method"
        elif kind == "method" and outer is None and not each.owner and self._language == "ruby":
            kind = "function"
        owner = each.owner.rpartition(".")[2] or (outer.name if outer is not None else "")
        is_this = self._language == "scala" and each.name == "this"
        if kind == "method" and (each.name == owner or (is_member and (is_constructor(each.name) or is_this))):
            kind = "constructor"
        if kind == "property" and not each.owner and (outer is None or outer.kind == "namespace"):
            kind = "variable"
        return kind

    def _is_exported(self, each: Definition, kind: str, outer: SymbolState | None, modifiers: list[str]) -> bool:
        parent_kind = outer.kind if outer is not None else ""
        if outer is not None:
            if (
                outer.kind in CALLABLE
                or outer.name == ANONYMOUS
                or (outer.kind == "extension" and _HIDDEN & set(outer.modifiers))
            ):
                return False
            if not outer.exported and outer.kind not in ("namespace", "extension"):
                return False
            if self._language == "rust" and outer.kind == "extension" and " for " in outer.signature:
                parent_kind = "interface"  # what a trait has may be used where the trait may
        if kind == "namespace" and self._language in ("csharp", "php"):
            return True
        return each.name != ANONYMOUS and is_visible(self._language, each.name, frozenset(modifiers), parent_kind)


def _counts_in(each: Definition, outer: SymbolState) -> bool:
    """Whether a declaration within another is told: a local variable is not, nor one of a variable's value."""
    if outer.kind in CALLABLE and (each.kind in VALUES or (each.kind in CALLABLE and each.body < 0)):
        return False
    is_list = outer.body < 0 and each.kind == outer.kind and outer.kind in VALUES
    return outer.kind not in VALUES or is_list or each.kind not in VALUES
