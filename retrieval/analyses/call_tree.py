"""Build a tree of calls, of limited size, from the links of a walk. A branch ends at a cycle.

A tree repeats a symbol for each path to it, and the number of paths grows exponentially. So the tree is built level by level.
After `MAX_NODES` nodes, calls of a symbol are left out if the tree already has them elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Iterable, Sequence
from dataclasses import dataclass
from functools import cache

from ...graphdb.traversal.reachability import reachable
from ...graphdb.traversal.walk import Link, Walk
from ...schema.records import SymbolRef

#: Number of nodes above which a tree leaves out the calls of repeated symbols.
MAX_NODES = 400


@dataclass(frozen=True, slots=True)
class Site:
    """A call site: line and column of the callee's name, and form, evidence and platforms of the call."""

    line: int
    column: int
    form: str
    evidence: str
    #: Platforms on which the call runs this callee; "" for all platforms.
    variant: str = ""


@dataclass(frozen=True, slots=True)
class Call:
    """A callee or caller, its call sites, and the calls of the next hop."""

    symbol: SymbolRef
    #: Call sites in the file of the caller.
    sites: tuple[Site, ...]
    #: "call", or "closure" for a function that encloses a callee without calls by name.
    form: str = "call"
    #: The nested function of the caller that contains the sites; None if the caller contains them directly.
    within: SymbolRef | None = None
    #: Calls of the next hop.
    calls: tuple[Call, ...] = ()
    #: Whether the branch ends here because it already contains the symbol.
    cyclic: bool = False
    #: Whether the symbol has further calls that are not in the tree because of the depth.
    depth_limited: bool = False
    #: Whether the calls of the symbol are shown elsewhere in the tree.
    repeated: bool = False

    @property
    def mark(self) -> str:
        """The form of an indirect call, the platforms of the call, and the reason for the end of the branch, in brackets; ""
        without these.
        """
        dispatch = " [dispatch]" if self.sites and all(site.evidence == "dispatch" for site in self.sites) else ""
        if self.sites and all(site.form == "wired" for site in self.sites):
            dispatch = f" [{self.sites[0].evidence}]"
        if self.sites and self.sites[0].variant and len({site.variant for site in self.sites}) == 1:
            dispatch += f" [{self.sites[0].variant}]"
        if self.cyclic:
            return f"{dispatch} [cycle]"
        return dispatch + (" [depth limit]" if self.depth_limited else " [see above]" if self.repeated else "")


@dataclass(frozen=True, slots=True)
class _Step:
    """A call without the calls below it."""

    #: Offset of the callee or caller in the graph.
    offset: int
    sites: tuple[Site, ...]
    form: str
    #: Offset of the nested function of the caller that contains the sites; None if the caller contains them directly.
    within: int | None


@dataclass(slots=True)
class _Node:
    step: _Step
    parent: _Node | None
    level: int
    children: list[_Node]
    cyclic: bool = False
    depth_limited: bool = False
    repeated: bool = False


#: Returns the calls of one hop from a symbol.
_Steps = Callable[[int], Sequence[_Step]]


def grow_callees(seen: Walk, seeds: Collection[int], whole: Container[int], depth: int) -> tuple[Call, ...]:
    """Return the tree of outgoing calls of the seeds. Calls from a symbol in `whole` to symbols nested in it are left out."""

    @cache
    def steps(offset: int) -> Sequence[_Step]:
        own = running_as(seen, offset, whole)
        inside = own[1:] if offset in whole else ()
        return _callees(
            (link for inner in own for link in seen.links.get(inner, ()) if link.cost and link.target not in inside), offset
        )

    return _grow(seen, seeds, steps, depth)


def grow_callers(seen: Walk, seeds: Collection[int], depth: int) -> tuple[Call, ...]:
    """Return the tree of incoming calls of the seeds."""

    @cache
    def steps(offset: int) -> Sequence[_Step]:
        found = _callers(seen.links.get(offset, ()))
        return sorted(found, key=lambda step: _place(seen.symbols[step.offset])) if _are_named(seen, found) else found

    return _grow(seen, seeds, steps, depth)


def _are_named(seen: Walk, steps: Iterable[_Step]) -> bool:
    """Return whether all symbols are loaded. Symbols beyond the depth are not loaded."""
    return all(step.offset in seen.symbols for step in steps)


def _place(symbol: SymbolRef) -> tuple[str, int, str]:
    return symbol.relative_path, symbol.start_line, symbol.id


def running_as(seen: Walk, offset: int, whole: Container[int]) -> list[int]:
    """Return a symbol and the nested symbols that run with it; for a symbol in `whole`, all nested symbols."""
    held = _nested_symbols(seen, offset)
    return [offset, *held] if offset in whole else _symbols_that_run(seen, offset, held)


def _nested_symbols(seen: Walk, offset: int) -> list[int]:
    """Return all symbols nested in a symbol, outer before inner."""
    found, queue = [], [offset]
    while queue:
        nested = [link.target for link in seen.links.get(queue.pop(0), ()) if link.cost == 0]
        found += nested
        queue += nested
    return found


def _symbols_that_run(seen: Walk, offset: int, held: Sequence[int]) -> list[int]:
    """Return a symbol and its nested symbols that it does not call by name."""
    if not held:
        return [offset]
    parents = {link.target: source for source in (offset, *held) for link in seen.links.get(source, ()) if link.cost == 0}
    calls = {inner: {link.target for link in seen.links.get(inner, ()) if link.cost} - {inner} for inner in (offset, *held)}
    own = [offset]
    while True:
        called = set(reachable(own, calls))
        rest = [inner for inner in held if parents[inner] in own and inner not in own and inner not in called]
        if not rest:
            return own
        among = set().union(*(calls[inner] for inner in rest))
        own += [inner for inner in rest if inner not in among] or rest[:1]


def _callees(links: Iterable[Link], caller: int) -> list[_Step]:
    """Return a step for each callee and each nested function that calls it, in the order of the first sites."""
    groups: dict[tuple[int, int], list[Link]] = {}
    for link in links:
        groups.setdefault((link.target, link.source), []).append(link)
    steps = [
        _Step(target, _sites(group), "call", holder if holder != caller else None) for (target, holder), group in groups.items()
    ]
    return sorted(steps, key=lambda step: (step.sites[0].line, step.sites[0].column, step.offset))


def _callers(links: Iterable[Link]) -> list[_Step]:
    groups: dict[int, list[Link]] = {}
    for link in links:
        groups.setdefault(link.target, []).append(link)
    return [_Step(target, _sites(group), group[0].form, None) for target, group in groups.items()]


def _sites(links: Iterable[Link]) -> tuple[Site, ...]:
    """Return the sites of all forms of a call, in source order."""
    sites = [
        Site(line, column, link.form, link.evidence, link.variant)
        for link in links
        for line, column in zip(link.lines, link.columns, strict=True)
    ]
    return tuple(sorted(sites, key=lambda site: (site.line, site.column)))


def _grow(seen: Walk, seeds: Collection[int], steps: _Steps, depth: int) -> tuple[Call, ...]:
    roots: list[_Node] = []
    grown = set(seeds)
    count = 0
    queue: list[_Node | None] = [None]
    for node in queue:
        if node is not None and not _has_children(node, seen, seeds, steps, depth, grown, count):
            continue
        origins = [node.step.offset] if node is not None else list(seeds)
        level = node.level + 1 if node is not None else 1
        children = [_Node(step, node, level, []) for origin in origins for step in steps(origin)]
        (node.children if node is not None else roots).extend(children)
        queue += children
        count += len(children)
    return tuple(_frozen(seen, roots, queue))


def _has_children(
    node: _Node, seen: Walk, seeds: Collection[int], steps: _Steps, depth: int, grown: set[int], count: int
) -> bool:
    """Return whether a node has children in the tree. If children are left out, the node is marked with the reason."""
    offset = node.step.offset
    if offset in seeds or any(above.step.offset == offset for above in _above(node)):
        node.cyclic = True
        return False
    if offset in seen.unexplored or (node.level == depth and steps(offset)):
        node.depth_limited = True
        return False
    if node.level == depth or not steps(offset):
        return False
    if offset in grown and count > MAX_NODES:
        node.repeated = True
        return False
    grown.add(offset)
    return True


def _above(node: _Node) -> Iterable[_Node]:
    while node.parent is not None:
        node = node.parent
        yield node


def _frozen(seen: Walk, roots: Sequence[_Node], order: Sequence[_Node | None]) -> list[Call]:
    """Return the tree as records, created from the leaves to the root.

    Branches may exceed Python's recursion limit.
    """
    made: dict[int, Call] = {}
    for node in reversed(order):
        if node is not None:
            step = node.step
            made[id(node)] = Call(
                seen.symbols[step.offset],
                step.sites,
                "closure" if step.form == "closure" else "call",
                seen.symbols[step.within] if step.within is not None else None,
                tuple(made[id(child)] for child in node.children),
                node.cyclic,
                node.depth_limited,
                node.repeated,
            )
    return [made[id(root)] for root in roots]
