"""Read a file of a language without a resolver to its facts: symbols, chunks and imports."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from tree_sitter import Node

from ....schema.records import Problem
from ...facts.cells import int_cells
from ...facts.model import FileFacts, Import
from ...files.source_text import SourceText
from ...symbols.byte_ranges import decoded
from ...symbols.chunks import chunk_facts
from ...symbols.lowering_state import LoweringState
from ...symbols.states import SymbolState
from ...symbols.symbol_tree import SymbolTree
from ..comments import comment_text, leads_of
from ..deep_stack import call_deeply
from ..parse_budget import TOO_SLOW
from .definitions import CALLABLE, TYPES, VALUES, Definition, Found, find_definitions
from .import_statements import specifiers
from .parsing import Parsed, parse
from .problems import tree_problems
from .root_units import RootUnits
from .rules import Lowering, Span, SyntaxRules
from .sections import Sections
from .signatures import signature_of
from .used_imports import add_imports_used
from .visibility import Declaration, modifiers_of

#: Maximum number of problems recorded for a file.
_MAX_PROBLEMS = 20
#: Maximum depth of nested declarations: a breadcrumb contains all their names.
_MAX_DEPTH = 60
#: Maximum number of bytes before a name that are searched for modifiers.
_MAX_LEAD_LENGTH = 1_000
#: Problem of a file with known declarations and unknown calls.
TOO_DEEP: Final = Problem(1, "nested too deeply to be resolved")
_HIDDEN = frozenset(("private", "fileprivate"))


def syntax_facts(source: SourceText, language: str, rules: SyntaxRules) -> FileFacts:
    """Return the facts of a file. The problems of the file name the parts that the grammar could not read."""
    parsed, cx, found, outermost = read_declarations(source, language, rules)
    root = parsed.root
    RootUnits(cx, source, found, rules).read(root, outermost)
    _mark_tests(cx.symbols, found, rules)
    problems = list(source.problems)
    if rules.lower is not None and not parsed.is_too_slow:
        lowered = _lowered(rules.lower, cx, root)
        cx = lowered or cx
        problems += [TOO_DEEP] if lowered is None else []
    symbol_tree = SymbolTree(cx, source)
    symbols = symbol_tree.symbol_facts([])
    for symbol in symbols:
        # A visible type may contain hidden members.
        symbol.exported = "exported" in symbol.modifiers
    chunks = chunk_facts(cx, symbol_tree, source, root)
    add_imports_used(rules.specifiers, source, symbols, chunks)
    facts = FileFacts(
        language=language,
        lines=len(source.line_starts),
        line_starts=int_cells(source.line_starts),
        symbols=symbols,
        chunks=chunks,
        problems=[*problems, *(tree_problems(root, _MAX_PROBLEMS) if not parsed.is_too_slow else [TOO_SLOW])],
        imports=sorted([*_imports(source, found, rules), *cx.imports], key=lambda each: each.position),
        is_module=True,  # other files cannot refer to declarations of this file
    )
    if rules.lower is not None:
        cx.fill(facts)
    return facts


def _lowered(lower: Lowering, cx: LoweringState, root: Node) -> LoweringState | None:
    """Return the lowered code of a file; None for code that nests too deeply."""
    try:
        return call_deeply(lambda: lower(cx, root))
    except RecursionError:
        return None


class Declared(NamedTuple):
    """The declarations of a file, before the text between them is read."""

    parsed: Parsed
    #: The state of the lowering, in which each declaration is a symbol.
    state: LoweringState
    found: Found
    #: Indices of the outermost symbols.
    outermost: list[int]


def read_declarations(source: SourceText, language: str, rules: SyntaxRules) -> Declared:
    """Return the declarations that the query of a grammar finds in a text."""
    parsed = parse(source.data, rules)
    cx = LoweringState(source.data, source.data, language, is_repaired=False, joins_overloads=rules.joins_overloads)
    cx.declared_by_signature = rules.joins_overloads
    found = find_definitions(parsed, source.data, rules)
    return Declared(parsed, cx, found, _Declarations(cx, source, rules, found).read())


def _mark_tests(symbols: Sequence[SymbolState], found: Found, rules: SyntaxRules) -> None:
    """Mark the symbols that are part of tests in a file that is not a test."""
    is_test = rules.is_test_name
    named = [each.extent for each in found.definitions if is_test(each.name)] if is_test is not None else []
    spans = _covering([*found.tests, *named])
    starts = [start for start, _ in spans]
    for state in symbols if spans else ():
        place = bisect_right(starts, state.name_position) - 1
        state.is_test = place >= 0 and state.name_position < spans[place][1]


def _covering(spans: Iterable[Span]) -> Sequence[Span]:
    """Return spans in order, without spans that are inside other spans."""
    kept: list[Span] = []
    for start, end in sorted(spans, key=lambda span: (span[0], -span[1])):
        if not kept or start >= kept[-1][1]:
            kept.append((start, end))
    return kept


def _imports(source: SourceText, found: Found, rules: SyntaxRules) -> Iterator[Import]:
    """Yield the imports of a file in order.

    In some languages, imports in functions are dynamic, because they run when the function runs.
    """
    running = _covering(each.own for each in found.definitions if each.kind in CALLABLE and rules.imports_late)
    types = _covering(found.type_imports)
    for span in sorted(found.imports):
        is_late, is_type = _is_in(running, span), _is_in(types, span)
        for specifier in specifiers(rules.specifiers, decoded(source.data, *span)):
            if specifier.text:
                form, names = "dynamic" if is_late else "import", list(specifier.names)
                yield Import(specifier.text, form, is_type, names, span[0], -1, is_late, specifier.is_inner)


def _is_in(spans: Sequence[Span], inner: Span) -> bool:
    """Return whether a span is inside one of `spans`, which are in order and do not overlap."""
    place = bisect_right(spans, inner[0], key=lambda span: span[0]) - 1
    return place >= 0 and inner[1] <= spans[place][1]


class _Declarations:
    """Makes a symbol for each declaration of a file, and adds it to the context's list."""

    def __init__(self, cx: LoweringState, source: SourceText, rules: SyntaxRules, found: Found) -> None:
        self._symbols: list[SymbolState] = cx.symbols
        self._data = source.data
        self._rules = rules
        self._found = found
        self._sections = Sections(found.sections)

    def read(self) -> list[int]:
        """Fill the list, and return the indices of the outermost symbols."""
        around: list[tuple[int, int, int, Definition]] = []  # start, end and index of the enclosing symbols, with declaration
        outermost = []
        for each in self._found.definitions:
            start, end = each.extent
            while around and (around[-1][1] <= start or around[-1][:2] == (start, end)):
                around.pop()
            parent = around[-1][2] if around else -1
            outer = self._symbols[parent] if parent >= 0 else None
            if outer is not None and (len(around) >= _MAX_DEPTH or not _counts_in(each, outer)):
                continue
            self._symbols.append(self._declared(each, parent, outer, around[-1][3] if around else None))
            around.append((start, end, len(self._symbols) - 1, each))
            if parent < 0:
                outermost.append(len(self._symbols) - 1)
        return outermost

    def _declared(self, each: Definition, parent: int, outer: SymbolState | None, around: Definition | None) -> SymbolState:
        start, end = each.extent
        leads = leads_of(self._found.leads, self._data, start, self._rules.directive)
        attributes = [lead.start for lead in leads if not lead.is_comment]
        begin = each.own[0] if self._rules.has_decorators else start
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
            signature=signature_of(self._data, self._rules, each, begin, end, self._found.leads),
            modifiers=[*(["exported"] if exported else []), *modifiers],
            exported=exported,
            has_body=each.body >= 0,
            owner=each.owner,
        )

    def _section(self, each: Definition, outer: SymbolState | None, around: Definition | None) -> str:
        first = self._rules.first_section
        if not self._found.sections and first is None:
            return ""
        word = self._sections.word_at(each.extent[0], around.own[0] if around is not None else 0)
        if word or first is None or outer is None or around is None or outer.kind != "class":
            return word if word != "public" else ""
        return first(self._data, around.own[0])

    def _kind(self, each: Definition, outer: SymbolState | None) -> str:
        kind = each.kind
        is_member = outer is not None and (outer.kind in TYPES or outer.kind == "enumMember")
        if kind == "function" and (each.owner or is_member):
            kind = "method"
        elif kind == "method" and outer is None and not each.owner and self._rules.has_root_methods:
            kind = "function"
        owner = each.owner.rpartition(".")[2] or (outer.name if outer is not None else "")
        is_named = each.name == owner and self._rules.names_constructors
        if kind == "method" and (is_named or (is_member and each.name in self._rules.constructors)):
            kind = "constructor"
        if kind == "property" and not each.owner and (outer is None or outer.kind == "namespace"):
            kind = "variable"
        return kind

    def _is_exported(self, each: Definition, kind: str, outer: SymbolState | None, modifiers: list[str]) -> bool:
        if outer is not None:
            if outer.kind in CALLABLE or (outer.kind == "extension" and _HIDDEN & set(outer.modifiers)):
                return False
            if not outer.exported and outer.kind not in ("namespace", "extension"):
                return False
        return self._rules.is_visible(Declaration(each.name, kind, frozenset(modifiers), outer))


def _counts_in(each: Definition, outer: SymbolState) -> bool:
    """Return whether a nested declaration becomes a symbol.

    Local variables do not, and neither do variables inside the value of another variable.
    """
    if each.is_field:
        return True
    if outer.kind in CALLABLE and (each.kind in VALUES or (each.kind in CALLABLE and each.body < 0)):
        return False
    is_list = outer.body < 0 and each.kind == outer.kind and outer.kind in VALUES
    return outer.kind not in VALUES or is_list or each.kind not in VALUES
