"""Plan an excerpt: each target, whole or collapsed, and the declarations of its file to which the target refers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import msgspec

from ...graphdb.queries.answers import ImportUses, import_uses
from ...graphdb.symbols.symbol_table import SymbolTable
from ...schema.languages import is_resolved_path
from ...schema.records import Symbol, SymbolRef
from ...schema.symbol_kinds import CALLABLE_KINDS
from ..context.neighbors import Neighbors
from ..source.doc_comments import MAX_COMMENT_LENGTH, long_comments, undeclaring_lines
from ..source.import_reduction import is_import_comment
from ..source.regions import body_line, head_line, is_closed, widest_body
from ..source.source_lines import SourceLines
from ..source.source_syntax import SourceSyntax
from ..vectors.chunk_table import ChunkTable
from .declarator_lists import Lines, unused_beside, unused_variables
from .elision import bare_head, lines_between, parts_of
from .excerpt import IMPORT_COMMENT, STATEMENT, ShownSymbol, Stub, declaring_lines, representative
from .folding import collapsed_bodies, holds_any, is_long, size_of, tokens_of
from .free_variables import (
    captured_lines,
    lies_in,
    statement_of,
    statements_with_parts,
    still_needed,
    with_statements,
)
from .used_declarations import CONTEXT_KINDS, add_merged_types, used_declarations, with_enclosing

#: Kinds whose value may hold functions.
_VALUE_KINDS = frozenset(("const", "variable", "property"))
#: Maximum number of lines of a constructor that is shown whole because it declares a used property.
_MAX_CONSTRUCTOR_LENGTH = 40
#: Maximum number of lines of a head. A class may extend an object of hundreds of lines.
_MAX_HEAD_LENGTH = 40
#: Lines are replaced by a mark only if they are more than this number.
_MIN_HIDDEN = 2
#: A statement that declares a captured variable is shown by its head alone if it has at least this number of lines.
_MAX_STATEMENT_LENGTH = 8
_PATTERN = re.compile(r"\s*(?:const|let|var)\s*[{\[]")
#: A used declaration is shown whole if its tokens are at most the budget divided by this number.
_CONTEXT_SHARE = 8
#: The enclosing symbol of a callback is shown whole if its tokens are at most the budget divided by this number.
MAX_ENCLOSING_SHARE = 2
#: Budget in tokens for declarations if the answer has no budget.
NOMINAL_BUDGET = 8000


_NOTHING_READ: Mapping[str, SourceLines] = {}


@dataclass(frozen=True, slots=True)
class ShownTargets:
    """The content of the excerpts of an answer."""

    #: Shown symbols by the id of the target; the target is first.
    shown: Mapping[str, Sequence[ShownSymbol]]
    #: Lines of each file, by path.
    sources: Mapping[str, SourceLines]
    #: Lines on which import statements of each file are used, by path.
    imports: Mapping[str, ImportUses]
    #: Tokens of the shown lines of each target, by id.
    tokens: Mapping[str, int]
    #: Heads of the functions and classes of the file that each target uses. They are shown as far as the budget allows.
    heads: Mapping[str, Sequence[ShownSymbol]]
    #: Used declarations that are too long for the answer, with their numbers of tokens.
    too_long: Mapping[str, Sequence[tuple[SymbolRef, int]]]
    #: Forms from which `shown` was computed.
    parts: Parts

    def of(self, targets: Sequence[SymbolRef]) -> list[ShownSymbol]:
        """Return the shown symbols for some targets of a file. A large symbol around targets shows only the lines around them."""
        forms, used_forms = self.parts
        items = [item for target in targets for item in self.shown[target.id]]
        if not any(forms[target.id].is_parted for target in targets) or len(targets) == len(self.shown):
            return items
        again = _with_parts(forms, targets, used_forms, self.sources)
        parted = {whole.symbol.id: whole for id, whole in again.items() if forms[id].is_parted}
        return [parted.get(item.symbol.id, item) for item in items]

    def with_items(self, target: str, items: Sequence[ShownSymbol]) -> ShownTargets:
        """Return the plan with other items for a target, the target first."""
        forms = {**self.parts.forms, target: _Form(items[0], items[0].stubs)}
        return replace(self, shown={**self.shown, target: items}, parts=Parts(forms, self.parts.used_forms))


def read_shown_targets(
    symbols: SymbolTable,
    table: ChunkTable,
    neighbors: Neighbors,
    details: Mapping[str, Symbol],
    budget: int | None,
    syntax: SourceSyntax,
    read: Mapping[str, SourceLines] = _NOTHING_READ,
) -> ShownTargets:
    """Return the shown targets and neighbors, with their source from the index.

    `details` are the targets by id, and `read` are lines of files that were read before, by path.
    """
    measure = budget or NOMINAL_BUDGET
    paths = {target.relative_path for target in neighbors.targets}
    imports = import_uses(symbols, paths)
    sources = {path: lines for path, lines in read.items() if path in paths}
    files = table.read_files(paths - sources.keys())
    sources |= {path: SourceLines(file, syntax) for path, file in files.items()}
    neighbors = with_statements(neighbors, neighbors.targets, details)
    forms = _forms(symbols, neighbors, details, sources, measure)
    used_by = {
        target.id: used_declarations(
            neighbors, target, forms[target.id].whole.symbol, forms[target.id].stubs, sources[target.relative_path]
        )
        for target in neighbors.targets
    }
    neighbors = with_enclosing(symbols, neighbors, used_by)
    add_merged_types(symbols, neighbors, used_by)
    used = [place for places in used_by.values() for place in places]
    inner = [place for place in used if place.depth > 0]
    found_inner = symbols.symbols(place.id for place in inner)
    neighbors = with_statements(neighbors, [place for place in inner if place.id in found_inner], found_inner)
    bodies = _bodies_of_constants(symbols, used)
    details = {**details, **_shown_in_place(symbols, forms)}
    used_forms: dict[str, list[_UsedForm]] = {}
    for target in neighbors.targets:
        source, form = sources[target.relative_path], forms[target.id]
        items = [ShownSymbol(place, neighbors.around(place)) for place in used_by[target.id]]
        parted = form.whole.symbol if form.is_parted else None
        found = [_used_form(item, source, bodies.get(item.symbol.id, ()), measure, parted) for item in items]
        used_forms[target.id] = _without_many_parts(found, target, neighbors, source, measure)
        substitute = target.id if form.is_parted or form.whole.symbol.kind == STATEMENT else form.whole.symbol.id
        # The symbol that is shown instead of the target may contain the statement or be inside it.
        whole = target if form.is_parted else form.whole.symbol
        if substitute in details:
            spans = [span for span in captured_lines(details[substitute]) if not lies_in(whole, *span)]
            names = frozenset(details[substitute].comment_imports)
            if form.stubs:
                spans, names = still_needed(spans, names, form.whole.symbol, form.stubs, source)
            for span, variables in statements_with_parts(spans, source):
                used_forms[target.id].append(_captured(target, *span, source, names, variables))
    wholes = _with_parts(forms, neighbors.targets, used_forms, sources)
    return ShownTargets(
        shown={id: [whole, *(found.shown for found in used_forms[id] if found.shown)] for id, whole in wholes.items()},
        sources=sources,
        imports=imports,
        tokens={
            target.id: _shown_tokens(target, wholes[target.id], sources[target.relative_path]) for target in neighbors.targets
        },
        heads={id: [found.head for found in used_forms[id] if found.head] for id in wholes},
        too_long={id: [found.too_long for found in used_forms[id] if found.too_long] for id in wholes},
        parts=Parts(forms, used_forms),
    )


class _Form(NamedTuple):
    """The form of a target: the shown symbol, which is the target or an enclosing symbol, and its collapsed parts."""

    whole: ShownSymbol
    #: Collapsed bodies; None if only lines around the target are shown, because `whole` is too large.
    stubs: Sequence[Stub] | None
    #: Statements around the target that are not symbols.
    statements: Sequence[SymbolRef] = ()

    @property
    def is_parted(self) -> bool:
        """Whether only the lines around the target are shown of the enclosing symbol."""
        return self.stubs is None


def _forms(
    table: SymbolTable,
    neighbors: Neighbors,
    details: Mapping[str, Symbol],
    sources: Mapping[str, SourceLines],
    measure: int,
) -> dict[str, _Form]:
    wholes = {target.id: _whole(neighbors, target, sources[target.relative_path]) for target in neighbors.targets}
    parted = {
        id: whole
        for id, whole in wholes.items()
        if whole.symbol.id not in wholes and _takes_too_much(whole.symbol, sources, measure)
    }
    # If such symbols are nested, only the outermost symbol is shown.
    wholes |= {
        id: max(
            (outer for outer in parted.values() if holds_any(outer.symbol, [whole.symbol])),
            key=lambda outer: outer.symbol.end_line - outer.symbol.start_line,
        )
        for id, whole in parted.items()
    }
    symbols = {id: whole.symbol for id, whole in wholes.items() if id not in parted}
    stubs = collapsed_bodies(table, neighbors.targets, symbols, sources, measure)
    beside = {
        id: unused_beside(details[id], captured_lines(details[id]), place, sources[place.relative_path])
        for id, place in symbols.items()
    }
    return {
        target.id: _Form(
            wholes[target.id],
            None if target.id in parted else beside[target.id] or stubs.get(wholes[target.id].symbol.id, ()),
            [symbol for symbol in neighbors.around(target) if symbol.kind == STATEMENT],
        )
        for target in neighbors.targets
    }


def _shown_in_place(table: SymbolTable, forms: Mapping[str, _Form]) -> dict[str, Symbol]:
    """Return the symbols that are shown instead of targets."""
    others = {form.whole.symbol.id for id, form in forms.items() if form.whole.symbol.id != id and not form.is_parted}
    return table.symbols(others)


def _with_parts(
    forms: Mapping[str, _Form],
    targets: Iterable[SymbolRef],
    used_forms: Mapping[str, Sequence[_UsedForm]],
    sources: Mapping[str, SourceLines],
) -> dict[str, ShownSymbol]:
    """Return the shown symbol of each target, by the id of the target.

    If only parts of a symbol must be shown, the lines between these parts are omitted.
    """
    targets = list(targets)
    stubs_of: dict[str, Sequence[Stub]] = {}
    shown = {}
    for target in targets:
        whole, stubs, _ = forms[target.id]
        if stubs is None:
            outer = whole.symbol
            whole = replace(
                whole, symbol=msgspec.structs.replace(outer, start_line=outer.declaration_line), begins=outer.start_line
            )
            if outer.id not in stubs_of:
                beside = [other for other in targets if other.relative_path == outer.relative_path]
                parts = [part for other in beside for part in _parts(outer, other, forms[other.id], used_forms[other.id])]
                stubs_of[outer.id] = list(lines_between(outer, parts, sources[target.relative_path]))
            stubs = stubs_of[outer.id]
        shown[target.id] = replace(whole, stubs=stubs)
    return shown


def _parts(outer: SymbolRef, target: SymbolRef, form: _Form, used_forms: Sequence[_UsedForm]) -> Iterator[SymbolRef]:
    """Yield the parts of `outer` that must be shown for a target of its file."""
    place = target if form.is_parted else form.whole.symbol
    if place.id != outer.id and holds_any(outer, [place]):
        yield place
    yield from parts_of(outer, [item for found in used_forms for item in (found.shown, found.head) if item])
    for statement in form.statements if form.is_parted else ():
        if holds_any(outer, [statement]):
            yield msgspec.structs.replace(statement, end_line=statement.start_line)
            yield msgspec.structs.replace(statement, start_line=statement.end_line)


class Parts(NamedTuple):
    """The shown form of each target, and of each declaration that it uses."""

    forms: Mapping[str, _Form]
    used_forms: Mapping[str, Sequence[_UsedForm]]


class _UsedForm(NamedTuple):
    """The form of a used declaration: shown whole, shown by its head, or too long to be shown, with its number of tokens."""

    shown: ShownSymbol | None = None
    head: ShownSymbol | None = None
    too_long: tuple[SymbolRef, int] | None = None


def _used_form(
    item: ShownSymbol, source: SourceLines, bodies: Sequence[Stub], measure: int, parted: SymbolRef | None
) -> _UsedForm:
    """Return the form of a used declaration. `parted` is the symbol around the target, if only parts of the symbol are shown."""
    root = item.enclosing[0] if item.enclosing else item.symbol
    if root.kind in _VALUE_KINDS and _takes_require_apart(root, source):
        return _UsedForm(shown=ShownSymbol(root, (), frozenset((item.symbol.qualified_name.rpartition(".")[2],))))
    if not _comes_along(item.symbol) and (head := _head(item, source, parted)):
        return _UsedForm(head=head)
    size = size_of(replace(item, stubs=bodies), source)
    if size * _CONTEXT_SHARE > measure:
        return _UsedForm(head=_head(item, source, parted), too_long=(item.symbol, size))
    declared = declaring_lines(item.symbol, source)
    if declared.start_line != item.symbol.start_line and declared.end_line - declared.start_line > _MAX_CONSTRUCTOR_LENGTH:
        opening = body_line(source, declared.declaration_line, declared.end_line)
        bodies = [Stub.of_lines(declared, opening + 1, declared.end_line - 1)] if opening else []
        return _UsedForm(replace(item, symbol=declared, stubs=bodies))
    declared, begins = _without_long_comment(declared, source)
    code = source.between(declared.declaration_line, declared.end_line - 1)
    comments = [Stub.of_nothing(declared, *lines) for lines in long_comments(code, declared.declaration_line)]
    # Stubs inside earlier stubs have no effect.
    stubs = sorted([*bodies, *comments], key=lambda stub: stub.first_line)
    shown = replace(item, symbol=declared, begins=begins, stubs=stubs)
    substitute = representative(shown, source)
    if substitute.symbol.id == item.symbol.id:
        return _UsedForm(replace(substitute, stubs=stubs))
    if parted is not None and substitute.symbol.id == parted.id:
        inner = [outer for outer in item.enclosing if outer.id != parted.id and holds_any(parted, [outer])]
        within = _without_unused(representative(replace(shown, enclosing=inner), source), declared, source)
        # A single line of a statement that declares several variables is not valid source.
        is_list = within.symbol.kind == STATEMENT and size_of(within, source) * _CONTEXT_SHARE <= measure
        return _UsedForm(within if is_list else shown)
    if not _comes_along(item.symbol) and substitute.symbol.end_line == declared.end_line:
        # Chained assignments: `exports.a =`, and on the next line `exports.b = function () {`.
        filled = body_line(source, substitute.symbol.declaration_line, declared.end_line)
        if filled == body_line(source, declared.declaration_line, declared.end_line) and (
            head := _head(substitute, source, parted)
        ):
            return _UsedForm(head=head)
    substitute = _without_unused(substitute, declared, source)
    place, begins = _without_long_comment(substitute.symbol, source)
    substitute = replace(substitute, symbol=place, begins=begins)
    size = size_of(substitute, source)
    if size * _CONTEXT_SHARE > measure:
        return _UsedForm(head=_head(substitute, source, parted), too_long=(substitute.symbol, size))
    return _UsedForm(substitute)


def _takes_require_apart(root: SymbolRef, source: SourceLines) -> bool:
    """Return whether a statement destructures a module: `const { a, b } = require("x")`."""
    return any(clause.is_require and clause.is_reducible for clause in source.imports(root.declaration_line, root.end_line))


def _without_long_comment(symbol: SymbolRef, source: SourceLines) -> tuple[SymbolRef, int]:
    """Return a symbol without a long comment above it, and the first line of the omitted comment; 0 if no comment is omitted."""
    comment = source.between(symbol.start_line, symbol.declaration_line - 1)
    # Imports in a comment are shown separately if they are used.
    if len(comment) > MAX_COMMENT_LENGTH or is_import_comment(comment):
        return msgspec.structs.replace(symbol, start_line=symbol.declaration_line), symbol.start_line
    return symbol, 0


def _without_many_parts(
    used_forms: Sequence[_UsedForm], target: SymbolRef, neighbors: Neighbors, source: SourceLines, measure: int
) -> list[_UsedForm]:
    """Return the used declarations. If the used declarations inside a root symbol are too long together, the head of the root
    symbol replaces them.
    """
    parts: dict[str, tuple[SymbolRef, int]] = {}
    around = {symbol.id for symbol in neighbors.around(target)} | {target.id}
    for outer, item in filter(None, map(_part, used_forms)):
        if outer.id not in around:
            parts[outer.id] = (outer, parts.get(outer.id, (outer, 0))[1] + tokens_of(item, source))
    too_many = {id: outer for id, (outer, size) in parts.items() if size * _CONTEXT_SHARE > measure}
    kept = [found for found in used_forms if (part := _part(found)) is None or part[0].id not in too_many]
    return kept + [
        _UsedForm(head=_head(ShownSymbol(outer, ()), source), too_long=(outer, tokens_of(outer, source)))
        for outer in too_many.values()
    ]


def _part(used: _UsedForm) -> tuple[SymbolRef, SymbolRef] | None:
    """Return the root symbol around a used declaration, and the declaration; None if the declaration is a root symbol."""
    item = used.shown or used.head
    return (item.enclosing[0], item.symbol) if item and item.enclosing else None


def _captured(
    target: SymbolRef, first: int, last: int, source: SourceLines, names: frozenset[str], used: Sequence[Lines]
) -> _UsedForm:
    """Return the form of a statement that declares a local variable which a target captures from an enclosing function.

    Of a long statement, only the head is shown; of a statement with several variables, only the used variables. The lines may
    also be a comment that imports types (`names`), or a doc comment that defines types or type parameters.
    """
    lines = source.between(first, last)
    if is_import_comment(lines):
        place = msgspec.structs.replace(statement_of(target, first, last), kind=IMPORT_COMMENT)
        return _UsedForm(shown=ShownSymbol(place, (), names))
    item = ShownSymbol(statement_of(target, first, last), ())
    if lines[0].lstrip().startswith("/**"):
        return _UsedForm(
            shown=replace(item, stubs=[Stub.of_nothing(item.symbol, *span) for span in undeclaring_lines(lines, first)])
        )
    if used:
        return _UsedForm(shown=replace(item, stubs=unused_variables(item.symbol, used, source)))
    if not is_resolved_path(target.relative_path):
        return _UsedForm(shown=item)
    # The first line of a pattern does not contain all declared names.
    is_pattern = _PATTERN.match(source.line(first)) is not None
    head = _head(item, source) if last - first >= _MAX_STATEMENT_LENGTH and not is_pattern else None
    return _UsedForm(head=head) if head else _UsedForm(shown=item)


def _whole(neighbors: Neighbors, target: SymbolRef, source: SourceLines) -> ShownSymbol:
    declared = declaring_lines(target, source)
    return representative(ShownSymbol(declared, neighbors.around(target)), source)


def _shown_tokens(target: SymbolRef, whole: ShownSymbol, source: SourceLines) -> int:
    return size_of(ShownSymbol(target, (), stubs=whole.stubs if whole.symbol.id == target.id else ()), source)


def _comes_along(symbol: SymbolRef) -> bool:
    return symbol.kind in CONTEXT_KINDS or not is_long(symbol)


def _head(item: ShownSymbol, source: SourceLines, parted: SymbolRef | None = None) -> ShownSymbol | None:
    """Return the lines that open and close a declaration, without the doc comment; None if these lines are not valid source.

    Symbols inside `parted` need no enclosing scope, because the lines around the target are always shown.
    """
    declared = msgspec.structs.replace(item.symbol, start_line=item.symbol.declaration_line)
    body = _body(declared, source)
    if body is None:
        return None
    opening, closing = body
    stubs = [Stub.of_lines(declared, opening + 1, closing - 1)] if closing - opening - 1 > _MIN_HIDDEN else []
    if opening - declared.declaration_line > _MAX_HEAD_LENGTH and source.line(declared.declaration_line).rstrip()[-1:] in "([{":
        stubs = bare_head(declared, source)
    head = replace(item, symbol=declared, stubs=stubs, begins=item.symbol.start_line)
    if parted is not None and holds_any(parted, [declared]) and is_closed(source, declared.declaration_line, declared.end_line):
        lists = [outer for outer in item.enclosing if outer.kind == STATEMENT and holds_any(parted, [outer])]
        head = replace(head, enclosing=lists)
    return head if representative(head, source).symbol.id == declared.id else None


def _body(declared: SymbolRef, source: SourceLines) -> tuple[int, int] | None:
    """Return the lines that open and close the part that a head omits; None if more than `_MAX_HEAD_LENGTH` lines remain."""
    first, last = declared.declaration_line, declared.end_line
    if opening := head_line(source, first, last):
        return opening, last
    # The expression that a class extends may be longer than the body of the class.
    widest = widest_body(source, first, last)
    is_short = widest is not None and last - first - (widest.last - widest.first) <= _MAX_HEAD_LENGTH
    return (widest.first, widest.last) if widest is not None and is_short else None


def _bodies_of_constants(table: SymbolTable, symbols: Iterable[SymbolRef]) -> dict[str, list[Stub]]:
    """Return the bodies of long functions inside used constants. Of a table of functions, only the names matter."""
    long = {symbol.id for symbol in symbols if symbol.kind in _VALUE_KINDS and is_long(symbol)}
    bodies = {}
    for id, within in table.children(long).items():
        functions = [child for child in within if child.kind in CALLABLE_KINDS and is_long(child)]
        bodies[id] = [Stub(function.ref, "", function.declaration_line) for function in functions]
    return bodies


def _takes_too_much(outer: SymbolRef, sources: Mapping[str, SourceLines], budget: int) -> bool:
    """Return whether a symbol is too large to replace a part of it, such as a long component instead of a callback."""
    return tokens_of(outer, sources[outer.relative_path]) * MAX_ENCLOSING_SHARE > budget


def _without_unused(shown: ShownSymbol, used: SymbolRef, source: SourceLines) -> ShownSymbol:
    """Return the shown symbol. A statement that declares several variables is reduced to the variables that contain `used`."""
    unused = unused_beside(used, (), shown.symbol, source)
    if unused and not _comes_along(used) and (opening := body_line(source, used.declaration_line, used.end_line)):
        unused.append(Stub.of_lines(shown.symbol, opening + 1, used.end_line - 1))
    return replace(shown, stubs=sorted(unused, key=lambda stub: stub.lines)) if unused else shown
