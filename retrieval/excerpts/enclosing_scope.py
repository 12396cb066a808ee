"""The enclosing scope of a declaration: the lines that open and close an outer declaration.

The opening lines of a class end with the brace of its body, which may be several lines later. The closing lines of a call such as
`const x = useMemo(() => { … }, [a])` contain the rest of the call.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from ...schema.languages import is_resolved_path
from ...schema.records import SymbolRef
from ...schema.source_regions import Part, Region, Role
from ...schema.symbol_kinds import CALLABLE_KINDS, MEMBER_KINDS
from ..source.regions import HOLDERS, Step, outermost, path_to
from ..source.source_lines import SourceLines


@dataclass(frozen=True, slots=True)
class Shell:
    """The lines that open and close an enclosing scope, as ranges of first and last line."""

    #: Ranges in source order; the lines between the ranges are left out.
    opening: tuple[tuple[int, int], ...]
    #: Ranges, outermost first; empty if the scope has no closing line, as in Python.
    closing: tuple[tuple[int, int], ...]


def shell_of(source: SourceLines, outer: SymbolRef, inner: SymbolRef) -> Shell | None:
    """Return the enclosing lines of a symbol around a nested symbol; doc comments of the outer symbol are left out.

    The result is None if the outer symbol must be shown whole. This is the case if both symbols share a line, or if the inner
    symbol is part of an expression, such as a callback.
    """
    if not is_resolved_path(outer.relative_path) and outer.kind in CALLABLE_KINDS:
        # Captured variables are not known in these languages.
        return None
    steps = [step for step in path_to(source, inner.start_line, inner.end_line) if step.region.first >= outer.declaration_line]
    is_tail = bool(steps) and all(step.region.role is Role.TAIL for step in steps)
    if is_tail and outer.kind in CALLABLE_KINDS and inner.kind == "class" and inner.end_line == outer.end_line:
        # A mixin: `(Base) =>`, whose result is the class.
        return Shell(((statement_line(source, outer), inner.start_line - 1),), ((outer.end_line, outer.end_line),))
    regions = [step.region for step in _without_tails(steps)]
    body = next((place for place, region in enumerate(regions) if region.role in HOLDERS), None)
    if body is None or not _begins_part(steps, inner):
        return None
    block, *within = regions[body:]
    is_member = within and within[-1].role is Role.MEMBERS
    if any(region.role not in HOLDERS for region in within) or (is_member and outer.kind not in MEMBER_KINDS):
        return None
    # The inner symbol is a member of an object that a function returns, or a function in the expression that a class extends.
    if (outer.kind in CALLABLE_KINDS and block.role is Role.MEMBERS) or (outer.kind in MEMBER_KINDS and body > 0):
        return None
    opening = list(_without_earlier_blocks(source, statement_line(source, outer), block))
    closing = [(block.last, outer.end_line)] if block.is_closed else []
    # Regions between both symbols that are not symbols, such as a companion object.
    for before, step in pairwise(steps[body:]) if is_member else ():
        if before.part is not None:
            opening.append((before.part.first, step.region.first))
            closing.append((step.region.last, before.part.last))
    return Shell(tuple(opening), tuple(closing))


def _without_tails(steps: Sequence[Step]) -> Sequence[Step]:
    while steps and steps[-1].region.role is Role.TAIL:
        steps = steps[:-1]
    return steps


def _begins_part(steps: Sequence[Step], inner: SymbolRef) -> bool:
    """Return whether a symbol covers a whole part of a region, such as a statement, or the end of a part that begins above it."""
    if steps and steps[-1].region.role is Role.TAIL:
        return True
    part = steps[-1].part if steps else None
    if part is None:
        return True
    return part.last <= inner.end_line and (inner.start_line <= part.first or _goes_on(part, inner.declaration_line))


def _without_earlier_blocks(source: SourceLines, first: int, block: Region) -> Iterator[tuple[int, int]]:
    """Yield the lines up to the brace of a block, without earlier blocks: of `try { … } catch (e) {`, two lines remain."""
    may_be_empty = not source.tree(first).empty_statement
    earlier: list[Region] = []
    begins = block.first
    for region in reversed(outermost(source, first, block.first)):
        if (
            may_be_empty
            and region.role is Role.BLOCK
            and region.is_closed
            and begins - 1 <= region.last <= begins
            and region.inner
        ):
            earlier.append(region)
            begins = region.first
    at = first
    for region in reversed(earlier):
        yield at, region.first
        at = region.last
    yield at, block.first


def statement_line(source: SourceLines, symbol: SymbolRef) -> int:
    """Return the declaration line, or the first line above it in the same expression: `return () =>`."""
    first = symbol.declaration_line
    steps = path_to(source, first, symbol.end_line) if symbol.depth > 0 and symbol.kind in CALLABLE_KINDS else []
    around = _without_tails(steps)
    part = around[-1].part if around else None
    if part is None or part.first >= first:
        return first
    return part.first if len(around) < len(steps) or _goes_on(part, first) else first


def _goes_on(part: Part, line: int) -> bool:
    """Return whether a region of the part begins above a line and ends on the line, such as the text in `each`…`("title", () =>
    {`.
    """
    return any(region.first < line == region.last for region in part.regions)
