"""Find lines of a declaration that belong together, from the regions of its syntax tree."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from ...schema.source_regions import Part, Region, Role
from .source_lines import SourceLines

#: Regions that hold statements or members.
HOLDERS = frozenset((Role.BLOCK, Role.BODY, Role.MEMBERS))
#: Regions without brackets of their own.
_BARE = frozenset((Role.TAIL, Role.DECLARATORS))
#: Regions whose parts are all shown if any is shown.
_WHOLE = frozenset((Role.GROUP, Role.TAIL))


class Step(NamedTuple):
    """A region around a range of lines, and the part of the region that contains the range; None if there is no such part."""

    region: Region
    part: Part | None


def path_to(source: SourceLines, first: int, last: int) -> list[Step]:
    """Return the regions that begin before a range of lines and contain it, outermost first. The first region is the whole
    text.
    """
    steps: list[Step] = []
    regions: Sequence[Region] = [source.tree(first).whole]
    while held := next((region for region in regions if region.first < first and last <= region.last), None):
        part = next((part for part in held.parts if part.first <= first and last <= part.last), None)
        steps.append(Step(held, part))
        regions = part.regions if part else ()
    return steps


def outermost(source: SourceLines, first: int, last: int) -> list[Region]:
    """Return the outermost regions within a range of lines, in source order."""
    return list(_outermost([source.tree(first).whole], first, last))


def _outermost(regions: Sequence[Region], first: int, last: int) -> Iterator[Region]:
    for region in regions:
        if first <= region.first and region.last <= last:
            yield region
        elif region.first <= last and first <= region.last:
            for part in region.parts:
                if part.first <= last and first <= part.last:
                    yield from _outermost(part.regions, first, last)


def _closing(source: SourceLines, first: int, last: int) -> list[Region]:
    """Return the regions within a range of lines that end on its last line, outermost first."""
    found: list[Region] = []
    regions: Sequence[Region] = outermost(source, first, last)
    while regions and regions[-1].last == last:
        found.append(regions[-1])
        parts = regions[-1].parts
        regions = parts[-1].regions if parts and parts[-1].last == last else ()
    return found


def body_of(source: SourceLines, first: int, last: int) -> Region | None:
    """Return the body of a declaration: a region of statements or members that ends on the last line, and whose first line ends
    with the opening bracket.

    So the lines up to the first line of the body, and the last line, are valid source: `it("works", () => {` and `});`.
    """
    bodies = (region for region in _closing(source, first, last) if region.role in HOLDERS and region.opens_line_end)
    return next(bodies, None)


def body_line(source: SourceLines, first: int, last: int) -> int | None:
    """Return the line that opens the body of a declaration; None if it has no body."""
    body = body_of(source, first, last)
    return body.first if body is not None and body.first < last else None


def head_line(source: SourceLines, first: int, last: int) -> int | None:
    """Return the last line of the head of a declaration. The last line of the declaration closes all brackets that the head
    opens. The result is None if the last brackets open in the middle of a line, contain a value in parentheses, or close before
    the last line.
    """
    closing = [region for region in _closing(source, first, last) if region.role not in _BARE]
    on_one_line = [region for region in closing if region.first == closing[0].first]
    innermost = on_one_line[-1] if on_one_line else None
    if innermost is None or not innermost.opens_line_end or innermost.role in (Role.GROUP, Role.FIXED):
        return None
    return innermost.first


def widest_body(source: SourceLines, first: int, last: int) -> Region | None:
    """Return the region of statements or members with the most lines, at any depth of a declaration."""
    bodies = (
        region
        for region in _all_within(outermost(source, first, last))
        if region.role in HOLDERS and region.is_closed and region.opens_line_end and region.closes_line_start
    )
    return max(bodies, key=lambda region: region.last - region.first, default=None)


def _all_within(regions: Sequence[Region]) -> Iterator[Region]:
    waiting = list(regions)
    while waiting:
        region = waiting.pop()
        yield region
        waiting += [inner for part in region.parts for inner in part.regions]


def is_closed(source: SourceLines, first: int, last: int) -> bool:
    """Return whether a range of lines closes exactly the brackets that it opens."""
    waiting = [source.tree(first).whole]
    while waiting:
        region = waiting.pop()
        opens, closes = first <= region.first <= last, first <= region.last <= last
        # A text of several lines that begins above the range may end on the first line.
        is_text = region.role is Role.FIXED and region.last == first
        if opens != closes and region.role not in _BARE and (opens or region.is_closed) and not is_text:
            return False
        if not (opens and closes):
            parts = [part for part in region.parts if part.first <= last and first <= part.last]
            waiting += [inner for part in parts for inner in part.regions if inner.first <= last and first <= inner.last]
    return True


def kept_lines(source: SourceLines, first: int, last: int, wanted: Collection[int]) -> set[int]:
    """Return the wanted lines of a declaration, and all lines that they require."""
    return _kept(Part(first, last, outermost(source, first, last)), sorted(wanted), None)


def beginning(source: SourceLines, first: int, last: int, furthest: int) -> set[int]:
    """Return the lines of a declaration up to a line, without incomplete parts, and all lines that they require."""
    return _kept(Part(first, last, outermost(source, first, last)), range(first, furthest + 1), furthest)


def _kept(part: Part, wanted: Sequence[int], furthest: int | None) -> set[int]:
    lines = set(range(part.first, part.last + 1))
    for region in part.regions:
        if region.role is not Role.FIXED:
            lines.difference_update(region.inner)
            lines |= _kept_inside(region, wanted, furthest)
    return lines


def _kept_inside(region: Region, wanted: Sequence[int], furthest: int | None) -> set[int]:
    """Return the kept lines between the first and last line of a region, if the part around the region is shown."""
    inside, lines = set(region.inner), set[int]()
    for group in _groups(region):
        own = range(group.first, group.last + 1)
        inside.difference_update(own)
        # A part on the line of the opening or closing bracket is always shown.
        is_at_end = group.first <= region.first or (region.is_closed and group.last >= region.last)
        is_wanted = _any_within(wanted, group.first, group.last) and (furthest is None or _has_begun(group, furthest))
        if is_at_end or region.role in _WHOLE or is_wanted:
            lines |= _kept(group, wanted, furthest)
    return lines | (inside if region.role in _WHOLE else inside.intersection(wanted))


def _any_within(lines: Sequence[int], first: int, last: int) -> bool:
    """Return whether any of the sorted lines is within a range."""
    return bisect_left(lines, first) < bisect_right(lines, last)


def _has_begun(part: Part, furthest: int) -> bool:
    """Return whether a part ends at or before a line, or has a region around the line. Later lines of the region may be left
    out.
    """
    return part.last <= furthest or any(
        region.first <= furthest < region.last and region.role is not Role.FIXED for region in part.regions
    )


def _groups(region: Region) -> Iterator[Part]:
    """Yield the parts of a region; parts that share a line are merged."""
    group: Part | None = None
    for part in region.parts:
        if group is not None and part.first <= group.last:
            group = Part(group.first, max(group.last, part.last), [*group.regions, *part.regions])
            continue
        if group is not None:
            yield group
        group = part
    if group is not None:
        yield group


def declarators_of(source: SourceLines, first: int, last: int) -> Region | None:
    """Return the region of variables if a statement declares variables on several lines, else None."""
    found = outermost(source, first, last)
    if len(found) != 1 or found[0].role is not Role.DECLARATORS or (found[0].first, found[0].last) != (first, last):
        return None
    return found[0] if len(found[0].parts) > 1 else None


def has_bodiless_form(source: SourceLines, first: int, last: int) -> bool:
    """Return whether a one-line signature may replace a declaration: it has a body, and line ends in its head are not
    significant.
    """
    body = next((region for region in _closing(source, first, last) if region.role is Role.BODY), None)
    return body is not None and not any(region.is_parted_by_lines for region in _all_within(outermost(source, first, body.first)))


def holds_statements(source: SourceLines, first: int, last: int) -> bool:
    """Return whether a range of lines consists of statements or members, not of arguments or elements."""
    steps = path_to(source, first, last)
    return not steps or steps[-1].region.role in HOLDERS
