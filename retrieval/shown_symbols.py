"""What a snapshot shows for each target: the target itself, whole or collapsed, and what of its file it refers to."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from ..graphdb.answer_queries import ImportUses, SymbolPlace, import_uses, place_of
from ..graphdb.database import GraphDatabase
from ..graphdb.symbol_queries import SymbolDetails, children
from .chunk_table import ChunkTable
from .shell import body_line
from .snapshot import ShownSymbol, Stub, declaring_lines, representative
from .source_lines import SourceLines
from .structure import CALLABLE_KINDS, MEMBER_KINDS
from .surroundings import Surroundings
from .tokens import tokens_of_characters

#: Edges that begin in a signature.
_SIGNATURE_LABELS = frozenset(("PARAM_TYPE", "RETURN_TYPE", "FIELD_TYPE"))
#: Kinds that are shown with a target that refers to them.
_CONTEXT_KINDS = frozenset(("const", "variable", "type", "interface", "enum", "enumMember", "property"))
#: Those of them whose value may hold functions.
_VALUE_KINDS = frozenset(("const", "variable", "property"))
#: Functions, methods and classes that a target calls are named by the connection graph; so short ones are shown as well.
_SHORT_LINES = 3
#: A target's context takes at most this share of the budget for each declaration, and a class at most that one to be shown whole.
_CONTEXT_SHARE, _WHOLE_SHARE = 8, 4
#: What stands for a callback takes at most this share of the budget; from a larger one lines are taken out.
LARGEST_STANDING_SHARE = 2
#: The budget by which declarations are measured where the answer has none.
NOMINAL_BUDGET = 8000


@dataclass(frozen=True, slots=True)
class ShownTargets:
    """Everything from which the snapshots of an answer are made."""

    #: By target, itself first.
    shown: Mapping[str, Sequence[ShownSymbol]]
    #: By path.
    sources: Mapping[str, SourceLines]
    #: By path, where its import statements are used.
    imports: Mapping[str, ImportUses]
    #: Tokens of each target as it is shown.
    tokens: Mapping[str, int]
    #: Declarations of their files that targets refer to, but that are too long to come along, with their tokens.
    too_long: Mapping[str, Sequence[tuple[SymbolPlace, int]]]


def read_shown_targets(graph: GraphDatabase, table: ChunkTable, surroundings: Surroundings, budget: int | None) -> ShownTargets:
    """What is shown of the targets and around them, with its source from the index."""
    context = {target.id: _context(surroundings, target) for target in surroundings.targets}
    imports = import_uses(graph, {target.relative_path for target in surroundings.targets})
    sources = _read_sources(table, surroundings, context, imports)
    context_stubs = _bodies_of_constants(graph, context)
    measure = budget or NOMINAL_BUDGET
    wholes = {target.id: _whole(surroundings, target, sources[target.relative_path]) for target in surroundings.targets}
    symbols = {id: whole.symbol for id, whole in wholes.items()}
    stubs = _stubs(graph, surroundings.targets, symbols, sources, measure)
    shown: dict[str, list[ShownSymbol]] = {}
    too_long: dict[str, list[tuple[SymbolPlace, int]]] = {}
    for target in surroundings.targets:
        source, whole = sources[target.relative_path], wholes[target.id]
        shown[target.id] = [replace(whole, stubs=stubs.get(whole.symbol.id, ()))]
        hidden = _needed_by_hidden_lines(surroundings, target, stubs.get(whole.symbol.id, ()))
        for item in context[target.id].values():
            if item.symbol.id in hidden:
                continue
            bodies = context_stubs.get(item.symbol.id, ())
            size = _tokens(item.symbol, source) - sum(_tokens_saved(stub, source) for stub in bodies)
            declared = declaring_lines(item.symbol, source)
            if size * _CONTEXT_SHARE > measure:
                too_long.setdefault(target.id, []).append((item.symbol, size))
            elif declared is not None:
                stands = representative(replace(item, symbol=declared), source)
                shown[target.id].append(replace(stands, stubs=bodies) if stands.symbol.id == item.symbol.id else stands)
    tokens = {target.id: _shown_tokens(target, stubs, sources) for target in surroundings.targets}
    return ShownTargets(shown, sources, imports, tokens, too_long)


def _whole(surroundings: Surroundings, target: SymbolPlace, source: SourceLines) -> ShownSymbol:
    declared = declaring_lines(target, source) or target
    return representative(ShownSymbol(declared, surroundings.around(target)), source)


def _shown_tokens(target: SymbolPlace, stubs: Mapping[str, Sequence[Stub]], sources: Mapping[str, SourceLines]) -> int:
    source = sources[target.relative_path]
    return _tokens(target, source) - sum(_tokens_saved(stub, source) for stub in stubs.get(target.id, ()))


def _context(surroundings: Surroundings, target: SymbolPlace) -> dict[str, ShownSymbol]:
    """Declarations of its file that a target, or the head of what encloses it, refers to, by id."""
    own = {symbol.id for symbol in surroundings.nested[target.id]}
    around = {symbol.id for symbol in surroundings.around(target)}
    found: dict[str, ShownSymbol] = {}
    for edge in (*surroundings.edges[target.id], *surroundings.heads[target.id]):
        used = edge.target
        if used.relative_path == target.relative_path and used.id not in own and used.id not in around and _comes_along(used):
            found[used.id] = ShownSymbol(used, surroundings.around(used))
    return found


def _needed_by_hidden_lines(surroundings: Surroundings, target: SymbolPlace, stubs: Sequence[Stub]) -> set[str]:
    """What a target refers to in nothing but the bodies that are collapsed in it; a signature names its types still."""
    places = {symbol.id: symbol for symbol in surroundings.nested[target.id]}
    hidden: set[str] = set()
    shown: set[str] = set()
    for edge in (*surroundings.edges[target.id], *surroundings.heads[target.id]):
        source = places.get(edge.id)
        in_body = source is not None and _is_in_one(stubs, source) and edge.label not in _SIGNATURE_LABELS
        (hidden if in_body else shown).add(edge.target.id)
    return hidden - shown


def _is_in_one(stubs: Iterable[Stub], symbol: SymbolPlace) -> bool:
    return any(stub.symbol.start_line <= symbol.start_line and symbol.end_line <= stub.symbol.end_line for stub in stubs)


def _comes_along(symbol: SymbolPlace) -> bool:
    return symbol.kind in _CONTEXT_KINDS or (not _is_long(symbol) and symbol.kind in CALLABLE_KINDS | MEMBER_KINDS)


def _is_long(symbol: SymbolPlace | SymbolDetails) -> bool:
    return symbol.end_line - symbol.declaration_line >= _SHORT_LINES


def _bodies_of_constants(graph: GraphDatabase, context: Mapping[str, Mapping[str, ShownSymbol]]) -> dict[str, list[Stub]]:
    """The bodies in constants that come along: a table of functions is worth its names, as a class is."""
    brought = {item.symbol.id: item.symbol for items in context.values() for item in items.values()}
    long = {id for id, symbol in brought.items() if symbol.kind in _VALUE_KINDS and _is_long(symbol)}
    bodies: dict[str, list[Stub]] = {}
    for child in children(graph, long):
        if child.symbol.kind in CALLABLE_KINDS and _is_long(child.symbol):
            stub = Stub(place_of(child.symbol), "", child.symbol.declaration_line)
            bodies.setdefault(child.parent_id, []).append(stub)
    return bodies


def _read_sources(
    table: ChunkTable,
    surroundings: Surroundings,
    context: Mapping[str, Mapping[str, ShownSymbol]],
    imports: Mapping[str, ImportUses],
) -> dict[str, SourceLines]:
    symbols: Iterable[SymbolPlace] = (
        *surroundings.targets,
        *(item.symbol for items in context.values() for item in items.values()),
    )
    roots = {root.id: root for symbol in symbols for root in [surroundings.root(symbol)]}
    used = {
        use.statement.id
        for root in roots.values()
        for line in range(root.start_line, root.end_line + 1)
        for use in imports.get(root.relative_path, {}).get(line, ())
    }
    chunks = table.read_chunks(used.union(roots))
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
        stubs = [Stub.of_member(place_of(member), member.signature if has_members else "") for member in bodies]
        if _tokens(symbol, source) - sum(_tokens_saved(stub, source) for stub in stubs) > budget // 2:
            stubs = [replace(stub, first_line=stub.symbol.start_line) for stub in stubs]
        collapsed[id] = stubs
    return collapsed | _gaps(targets, shown, sources, budget)


def _gaps(
    targets: Sequence[SymbolPlace], shown: Mapping[str, SymbolPlace], sources: Mapping[str, SourceLines], budget: int
) -> dict[str, list[Stub]]:
    """By symbol that is shown for targets in it, and too large for that, the lines between its head and them, and behind them.

    A callback deep in a component of a thousand lines is what was found: the component would leave it no room.
    """
    within: dict[str, list[SymbolPlace]] = {}
    for target in targets:
        outer = shown[target.id]
        if outer.id not in shown and _tokens(outer, sources[outer.relative_path]) * LARGEST_STANDING_SHARE > budget:
            within.setdefault(outer.id, []).append(target)
    outers = {symbol.id: symbol for symbol in shown.values()}
    return {id: list(_lines_between(outers[id], inner, sources[outers[id].relative_path])) for id, inner in within.items()}


def _lines_between(outer: SymbolPlace, inner: Iterable[SymbolPlace], source: SourceLines) -> Iterable[Stub]:
    head = body_line(source, outer.declaration_line, outer.end_line) or outer.declaration_line
    at = head + 1
    for first, last in sorted((target.start_line, target.end_line) for target in inner):
        if first - at > 1:
            yield Stub.of_lines(outer, at, first - 1)
        at = max(at, last + 1)
    if outer.end_line - at > 1:
        yield Stub.of_lines(outer, at, outer.end_line - 1)


def _has_body(member: SymbolDetails) -> bool:
    return member.is_chunk or (member.kind in CALLABLE_KINDS and _is_long(member))


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
