"""Trees and their errors: parse, parse again after edits, and measure the errors of a tree."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple

from tree_sitter import Node, Point, Tree

from ...parse_budget import BoundedParser
from .edits import Edit, apply_edits

#: Maximum number of edits that are applied to an old tree. Each edit may take time in proportion to the tree, so a new parse is
#: faster after many edits.
_MAX_TREE_EDITS: Final = 300
#: Number of nodes around an edit whose types must be equal in the edited and the original source.
_COMPARED_ANCESTORS: Final = 4


class ErrorSite(NamedTuple):
    """An ERROR or MISSING node, and its parent."""

    node: Node
    parent: Node


@dataclass(frozen=True, slots=True)
class Attempt:
    """A source, its tree, and the cost of the errors in the tree: 0 if it has no error."""

    data: bytes
    tree: Tree
    cost: int
    errors: tuple[ErrorSite, ...]


class Grammar:
    """A tree-sitter language with a parser for one source. Only one thread may use it at a time."""

    def __init__(self, parser: BoundedParser) -> None:
        self._parser = parser

    def attempt(self, data: bytes) -> Attempt:
        """Parse `data` and measure the errors. Raises SlowSource, as all attempts do."""
        return _weighed(data, self._parser.parse(data))

    def next_attempt(self, last: Attempt, edits: Collection[Edit]) -> Attempt:
        """Apply edits to the data of `last` and parse it. The parts of the tree outside the edits are reused."""
        data = apply_edits(last.data, edits)
        if len(edits) > _MAX_TREE_EDITS:
            return self.attempt(data)
        tree = last.tree.copy()
        for edit, start, end in _with_points(last.data, edits):
            tree.edit(edit.start, edit.end, edit.end, start, end, end)
        return _weighed(data, self._parser.parse(data, tree))

    def put_back(self, best: Attempt, original: bytes, edits: Iterable[Edit]) -> Attempt:
        """Return the tree of `best` over the original bytes, or `best` if the original bytes would be read differently.

        A parse with an old tree that has no edits reuses the tree without comparing bytes. It parses only code around errors and
        ambiguous code again.
        """
        if best.data is original:
            return best
        attempt = _weighed(original, self._parser.parse(original, best.tree))
        if attempt.cost > best.cost or not _is_same_reading(attempt.tree.root_node, best.tree.root_node, edits):
            return best
        return attempt


def _is_same_reading(one: Node, other: Node, edits: Iterable[Edit]) -> bool:
    return one.descendant_count == other.descendant_count and all(
        _kinds_at(one, edit) == _kinds_at(other, edit) for edit in edits
    )


def _kinds_at(root: Node, edit: Edit) -> list[str]:
    """Return the types of the nodes around an edit, from the innermost to a statement."""
    kinds: list[str] = []
    node = root.descendant_for_byte_range(edit.start, edit.end)
    while node is not None and len(kinds) < _COMPARED_ANCESTORS:
        kinds.append(node.type)
        node = node.parent
    return kinds


def _weighed(data: bytes, tree: Tree) -> Attempt:
    errors = tuple(_errors(tree.root_node))
    return Attempt(data, tree, sum(map(_weight, errors)), errors)


def _errors(root: Node) -> Iterator[ErrorSite]:
    """Yield the ERROR and MISSING nodes of a tree with their parents, in order of their start, outer ones first."""
    # `Node.parent` walks down from the root, past all siblings, so parents are remembered instead.
    waiting = [ErrorSite(root, root)] if root.has_error else []
    while waiting:
        site = waiting.pop()
        node = site.node
        if node.is_error or node.is_missing:
            yield site
        waiting += [ErrorSite(child, node) for child in reversed(node.children) if child.has_error or child.is_missing]


def _with_points(data: bytes, edits: Iterable[Edit]) -> Iterator[tuple[Edit, Point, Point]]:
    row = line_start = last = 0
    for edit in sorted(edits):
        points: list[Point] = []
        for offset in (edit.start, edit.end):
            row += data.count(b"\n", last, offset)
            line_start = max(line_start, data.rfind(b"\n", last, offset) + 1)
            last = max(last, offset)
            points.append(Point(row, offset - line_start))
        yield edit, points[0], points[1]


def _weight(site: ErrorSite) -> int:
    """Return the cost of an error: 10 plus the number of its bytes that are in no subtree."""
    error = site.node
    if error.is_missing:
        return 10
    children = error.children
    if not children:
        return 10 + error.end_byte - error.start_byte
    return 10 + sum(child.end_byte - child.start_byte for child in children if child.child_count == 0 and not child.is_extra)
