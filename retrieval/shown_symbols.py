"""What a snapshot shows for each target: the target itself, whole or collapsed, and what of its file it refers to."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from ..graphdb.answer_queries import SymbolEdge, SymbolPlace, dependencies, place_of
from ..graphdb.database import GraphDatabase
from ..graphdb.symbol_queries import SymbolDetails, children
from .chunk_table import ChunkTable
from .snapshot import ShownSymbol, Stub, declaring_lines, representative
from .source_lines import SourceLines
from .structure import CALLABLE_KINDS, MEMBER_KINDS
from .surroundings import Surroundings, places_of
from .tokens import tokens_of_characters

#: Kinds that are shown with a target that refers to them.
_CONTEXT_KINDS = frozenset(("import", "const", "variable", "type", "interface", "enum", "enumMember", "property"))
#: Functions, methods and classes that a target calls are named by the connection graph; so short ones are shown as well.
_SHORT_LINES = 3
#: A target's context takes at most this share of the budget for each declaration, and a class at most that one to be shown whole.
_CONTEXT_SHARE, _WHOLE_SHARE = 8, 4
#: The budget by which declarations are measured where the answer has none.
_NOMINAL_BUDGET = 8000


@dataclass(frozen=True, slots=True)
class ShownTargets:
    """Everything from which the snapshots of an answer are made."""

    #: By target, itself first.
    shown: Mapping[str, Sequence[ShownSymbol]]
    #: By path.
    sources: Mapping[str, SourceLines]
    #: Tokens of each target as it is shown.
    tokens: Mapping[str, int]
    #: Declarations of their files that targets refer to, but that are too long to come along, with their tokens.
    too_long: Mapping[str, Sequence[tuple[SymbolPlace, int]]]


def read_shown_targets(graph: GraphDatabase, table: ChunkTable, surroundings: Surroundings, budget: int | None) -> ShownTargets:
    """What is shown of the targets and around them, with its source from the index."""
    context = {target.id: _context(surroundings, target) for target in surroundings.targets}
    _add_imports_of_context(graph, surroundings, context)
    sources = _read_sources(table, surroundings, context)
    measure = budget or _NOMINAL_BUDGET
    wholes = {
        target.id: representative(ShownSymbol(target, surroundings.around(target)), sources[target.relative_path])
        for target in surroundings.targets
    }
    symbols = {id: whole.symbol for id, whole in wholes.items()}
    stubs = _stubs(graph, surroundings.targets, symbols, sources, measure)
    shown: dict[str, list[ShownSymbol]] = {}
    too_long: dict[str, list[tuple[SymbolPlace, int]]] = {}
    for target in surroundings.targets:
        source, whole = sources[target.relative_path], wholes[target.id]
        shown[target.id] = [replace(whole, stubs=stubs.get(whole.symbol.id, ()))]
        for item in context[target.id].values():
            size = _tokens(item.symbol, source)
            declared = declaring_lines(item.symbol, source)
            if size * _CONTEXT_SHARE > measure and item.symbol.kind != "import":
                too_long.setdefault(target.id, []).append((item.symbol, size))
            elif declared is not None:
                shown[target.id].append(representative(replace(item, symbol=declared), source))
    tokens = {target.id: _shown_tokens(target, stubs, sources) for target in surroundings.targets}
    return ShownTargets(shown, sources, tokens, too_long)


def _shown_tokens(target: SymbolPlace, stubs: Mapping[str, Sequence[Stub]], sources: Mapping[str, SourceLines]) -> int:
    source = sources[target.relative_path]
    return _tokens(target, source) - sum(_tokens_saved(stub, source) for stub in stubs.get(target.id, ()))


def _context(surroundings: Surroundings, target: SymbolPlace) -> dict[str, ShownSymbol]:
    """Declarations of its file that a target refers to, by id."""
    own = {symbol.id for symbol in surroundings.nested[target.id]}
    around = {symbol.id for symbol in surroundings.around(target)}
    found: dict[str, ShownSymbol] = {}
    for edge in surroundings.edges[target.id]:
        used = edge.target
        if used.relative_path == target.relative_path and used.id not in own and used.id not in around and _comes_along(used):
            _add(found, edge, surroundings)
    return found


def _comes_along(symbol: SymbolPlace) -> bool:
    is_short = symbol.end_line - symbol.declaration_line < _SHORT_LINES
    return symbol.kind in _CONTEXT_KINDS or (is_short and symbol.kind in CALLABLE_KINDS | MEMBER_KINDS)


def _add(found: dict[str, ShownSymbol], edge: SymbolEdge, surroundings: Surroundings) -> None:
    used, names = edge.target, frozenset(edge.names)
    if earlier := found.get(used.id):
        # An edge without names means that all of the statement is needed.
        names = names | earlier.names if names and earlier.names else frozenset()
    found[used.id] = ShownSymbol(used, surroundings.around(used), names)


def _add_imports_of_context(
    graph: GraphDatabase, surroundings: Surroundings, context: Mapping[str, dict[str, ShownSymbol]]
) -> None:
    """A field or constant that is shown brings the imports that it refers to."""
    brought = {item.symbol.id: item.symbol for items in context.values() for item in items.values()}
    declarations = places_of(symbol for symbol in brought.values() if symbol.kind != "import")
    by_source: dict[str, list[SymbolEdge]] = {}
    for edge in dependencies(graph, declarations):
        if edge.target.kind == "import" and edge.target.relative_path == declarations[edge.id]:
            by_source.setdefault(edge.id, []).append(edge)
    for items in context.values():
        for id in list(items):
            for edge in by_source.get(id, ()):
                _add(items, edge, surroundings)


def _read_sources(
    table: ChunkTable, surroundings: Surroundings, context: Mapping[str, Mapping[str, ShownSymbol]]
) -> dict[str, SourceLines]:
    symbols: Iterable[SymbolPlace] = (
        *surroundings.targets,
        *(item.symbol for items in context.values() for item in items.values()),
    )
    roots = {root.id for symbol in symbols for root in [surroundings.root(symbol)]}
    chunks = table.read_chunks(roots)
    by_path: dict[str, list[str]] = {target.relative_path: [] for target in surroundings.targets}
    for chunk in chunks.values():
        by_path.setdefault(chunk.relative_path, []).append(chunk.id)
    return {path: SourceLines(chunks[id] for id in ids) for path, ids in by_path.items()}


def _stubs(
    graph: GraphDatabase,
    targets: Sequence[SymbolPlace],
    shown: Mapping[str, SymbolPlace],
    sources: Mapping[str, SourceLines],
    budget: int,
) -> dict[str, list[Stub]]:
    """By shown symbol that is too large to be shown whole, what is collapsed of it: the bodies nested in it that hold no target.

    `shown` has the symbol that is shown for each target. Where that is another, the target's own bodies are collapsed too.
    """
    large = {symbol.id: symbol for symbol in shown.values() if _is_large(symbol, sources[symbol.relative_path], budget)}
    holders: dict[str, set[str]] = {id: {id} for id in large}
    for target, symbol in shown.items():
        if symbol.id in large:
            holders[symbol.id].add(target)
    members: dict[str, list[SymbolDetails]] = {}
    for child in children(graph, {id for ids in holders.values() for id in ids}):
        members.setdefault(child.parent_id, []).append(child.symbol)
    collapsed = {}
    for id, symbol in large.items():
        within = [target for target in targets if target.id != id]
        nested = (member for holder in holders[id] for member in members.get(holder, ()))
        has_members = symbol.kind in MEMBER_KINDS
        bodies = [member for member in nested if _has_body(member) and not _holds_any(member, within)]
        bodies.sort(key=lambda member: (member.start_line, -member.end_line))
        source = sources[symbol.relative_path]
        stubs = [Stub(place_of(member), member.signature if has_members else "", member.declaration_line) for member in bodies]
        if _tokens(symbol, source) - sum(_tokens_saved(stub, source) for stub in stubs) > budget // 2:
            stubs = [replace(stub, first_line=stub.symbol.start_line) for stub in stubs]
        collapsed[id] = stubs
    return collapsed


def _has_body(member: SymbolDetails) -> bool:
    return member.is_chunk or (member.kind in CALLABLE_KINDS and member.end_line - member.declaration_line >= _SHORT_LINES)


def _is_large(target: SymbolPlace, source: SourceLines, budget: int) -> bool:
    size = _tokens(target, source)
    return size * (_WHOLE_SHARE if target.kind in MEMBER_KINDS else 1) > budget


def _holds_any(member: SymbolDetails, targets: Collection[SymbolPlace]) -> bool:
    return any(
        member.relative_path == target.relative_path
        and member.start_line <= target.start_line
        and target.end_line <= member.end_line
        for target in targets
    )


def _tokens(symbol: SymbolPlace, source: SourceLines) -> int:
    return tokens_of_characters(source.characters(symbol.start_line, symbol.end_line))


def _tokens_saved(stub: Stub, source: SourceLines) -> int:
    return tokens_of_characters(max(source.characters(stub.first_line, stub.symbol.end_line) - len(stub.signature), 0))
