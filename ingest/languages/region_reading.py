"""Reads the regions of a text from its syntax tree."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

from tree_sitter import Node

from ...schema.import_clauses import ImportClause
from ...schema.source_regions import Part, Region, Role, SourceTree
from .base import SyntaxTree
from .excerpt_rules import ExcerptSyntax
from .registry import language as language_named

#: Signs that open a region after the start of a node.
_OPENERS: Final = frozenset(("{", "(", "[", "{|"))
#: Signs and words that close a region.
_CLOSERS: Final = frozenset(("}", ")", "]", "|}", "end", "done"))

#: Maximum depth of nested regions. Deeper regions are shown with their enclosing region.
MAX_DEPTH: Final = 120


def read_source(text: str, language: str, first_line: int = 1) -> SourceTree:
    """Return the regions of a text in a language. The text begins on the line `first_line` of its file.

    There are no regions at syntax errors.
    """
    named = language_named(language)
    rules = named.excerpts
    if named.parse is None:
        return SourceTree(paragraphs(text, first_line), rules.bodiless, rules.empty_statement)
    root, _ = _parsed(text, named.parse, language, rules)
    return SourceTree(_Reading(rules, first_line).whole(root), rules.bodiless, rules.empty_statement)


def read_imports(text: str, language: str) -> list[ImportClause]:
    """Return the import statements at the root of a text; none for a language whose imports are shown unchanged."""
    named = language_named(language)
    rules = named.excerpts
    return list(rules.imports(*_parsed(text, named.parse, language, rules))) if rules.imports and named.parse else []


def paragraphs(text: str, first_line: int) -> Region:
    """Return the region of a text without syntax. The parts of the region are the paragraphs that span several lines."""
    parts: list[Part] = []
    lines = text.split("\n")
    begin = -1
    for number, line in enumerate([*lines, ""], first_line):
        if line.strip():
            begin = number if begin < 0 else begin
            continue
        if 0 <= begin < number - 1:
            parts.append(Part(begin, number - 1, []))
        begin = -1
    return Region(Role.BLOCK, first_line - 1, first_line + len(lines), is_closed=True, parts=parts)


def _parsed(text: str, parse: Callable[[bytes, str], SyntaxTree], language: str, rules: ExcerptSyntax) -> tuple[Node, bytes]:
    """Return the root of the syntax tree of a text, and the bytes of the text."""
    data = (text if text.lstrip().startswith("<?") else rules.preamble + text).encode("utf-8", "replace")
    return parse(data, language).root, data


class _Reading:
    """Reads one tree. Pending nodes are kept on a stack, because code nests deeper than Python's stack allows."""

    def __init__(self, syntax: ExcerptSyntax, first_line: int) -> None:
        self._syntax = syntax
        self._first_line = first_line
        #: Stack of pending entries, the next entry last: a node to read or a finished region, the list for regions, and the
        #: depth.
        self._pending: list[tuple[Node | Region, list[Region], int]] = []

    def whole(self, root: Node) -> Region:
        """Return the region of the whole text. The region begins one line above the text and ends one line below it, so that no
        part shares a line with its ends.
        """
        last = self._first_line + root.end_point.row + 1
        whole = Region(Role.BLOCK, self._first_line - 1, last, is_closed=True, parts=self._parts(root.children, 0))
        while self._pending:
            node, regions, depth = self._pending.pop()
            if isinstance(node, Region):
                regions.append(node)
            elif depth < MAX_DEPTH:
                self._read(node, regions, depth)
        return whole

    def _read(self, node: Node, regions: list[Region], depth: int) -> None:
        role = self._syntax.roles.get(node.type)
        if role is Role.DECLARATORS:
            role = role if sum(child.type in self._syntax.declarators for child in node.children) > 1 else None
        if role is Role.DECLARATORS:
            regions.append(self._declarators(node, depth + 1))
            return
        region = self._region(node, role, depth + 1) if role else None
        if region is not None:
            if region.first < region.last or region.role is Role.BODY:
                regions.append(region)
            return
        inside = node.children
        if node.type in self._syntax.tails and (tail := _tail(inside)):
            behind: list[Region] = []
            part = Part(self._first(tail), self._last(tail), behind)
            before = inside.index(tail)
            region = Region(Role.TAIL, self._last(inside[before - 1]), part.last, is_closed=False, parts=[part])
            self._pending += [(tail, behind, depth + 1), (region, regions, depth)]
            inside = inside[:before]
        self._later(inside, regions, depth)

    def _later(self, nodes: Sequence[Node], regions: list[Region], depth: int) -> None:
        self._pending += [(node, regions, depth) for node in reversed(nodes) if self._may_hold_lines(node)]

    def _may_hold_lines(self, node: Node) -> bool:
        """Return whether a node has or may have a region of several lines.

        A body on one line counts, because the other parts of its declaration may span lines.
        """
        if node.end_point.row > node.start_point.row or node.type in self._syntax.bare:
            return True
        return node.type in self._syntax.declarations or self._is_body(node)

    def _is_body(self, node: Node) -> bool:
        is_block = self._syntax.roles.get(node.type) is Role.BLOCK
        return is_block and node.parent is not None and node.parent.type in self._syntax.declarations

    def _region(self, node: Node, role: Role, depth: int) -> Region | None:
        """Return the region of a node; None for a node that needs brackets and has none."""
        content = node.children
        last, is_closed = self._last(node), True
        if node.type in self._syntax.bare:
            first, last, is_closed = self._bare_lines(node)
        else:
            is_labelled = node.type in self._syntax.labelled
            openers = (":",) if is_labelled else _OPENERS
            opener = next((place for place, child in enumerate(content) if child.type in openers), -1)
            if opener < 0 and role is not Role.FIXED and node.type not in self._syntax.unbracketed:
                return None
            first = self._first(content[opener]) if opener >= 0 else self._first(node)
            is_open = role in (Role.BLOCK, Role.MEMBERS) and content[-1].is_named
            is_closed = not is_labelled and not is_open
            content = content[opener + 1 :]
            content = content[:-1] if content and content[-1].type in _CLOSERS else content
        role = Role.BODY if self._is_body(node) else role
        code = [child for child in content if child.is_named and not _is_comment(child)]
        return Region(
            role,
            first,
            last,
            is_closed,
            self._parts(content, depth),
            opens_line_end=not code or self._first(code[0]) > first,
            closes_line_start=not code or self._last(code[-1]) < last,
            is_parted_by_lines=node.type in self._syntax.line_separated
            and sum(child.type in (";", ",") for child in content) < len(code) - 1,
        )

    def _parts(self, nodes: Iterable[Node], depth: int) -> list[Part]:
        """Return the children of a region that span several lines, as parts."""
        parts: list[Part] = []
        prefixes: list[Node] = []
        for node in self._unwrapped(nodes):
            if not node.is_named:
                continue
            if node.type in self._syntax.prefixes:
                prefixes.append(node)
            elif not (prefixes and _is_comment(node)):
                first, last = self._lines(node)
                first = self._first(prefixes[0]) if prefixes else first
                if first < last:
                    parts.append(Part(first, last, inside := list[Region]()))
                    self._later([*prefixes, node], inside, depth)
                prefixes = []
        return parts

    def _unwrapped(self, nodes: Iterable[Node]) -> Iterator[Node]:
        for node in nodes:
            yield from node.children if node.type in self._syntax.wrappers else (node,)

    def _declarators(self, node: Node, depth: int) -> Region:
        """Return the region of a statement that declares several variables.

        The parts of the region are the variables, each with the comments above and the blank lines below. A line with only the
        keyword is also a part.
        """
        groups: list[tuple[int, int, list[Region]]] = [(self._first(node), self._first(node), [])]
        begun = 0
        for child in node.children[1:]:
            first, last = self._lines(child)
            if first > groups[-1][1]:
                begun = begun or first
            if child.type in self._syntax.declarators:
                begin, inside = (begun, list[Region]()) if begun else (groups[-1][0], groups.pop()[2])
                groups.append((begin, last, inside))
                self._later([child], inside, depth)
                begun = 0
        ends = [first - 1 for first, _, _ in groups[1:]] + [self._last(node)]
        parts = [Part(first, end, inside) for (first, _, inside), end in zip(groups, ends, strict=True)]
        return Region(Role.DECLARATORS, self._first(node), self._last(node), is_closed=True, parts=parts)

    def _bare_lines(self, node: Node) -> tuple[int, int, bool]:
        """Return first and last line of a region whose brackets belong to its parent, and whether the region is closed."""
        before, behind = _code_beside(node, -1), _code_beside(node, 1)
        is_closed = behind is not None and behind.type in _CLOSERS
        first = self._last(before) if before else self._first(node)
        return first, self._first(behind) if behind is not None and is_closed else self._last(node), is_closed

    def _lines(self, node: Node) -> tuple[int, int]:
        """Return the first and last line of a part. Blank lines around text in markup do not count."""
        if node.type in self._syntax.bare:
            first, last, _ = self._bare_lines(node)
            return first, last
        first = self._first(node)
        if node.type not in self._syntax.texts or node.text is None:
            return first, self._last(node)
        text = node.text.decode("utf-8", "replace")
        begin = first + text[: len(text) - len(text.lstrip())].count("\n")
        return begin, begin + text.strip().count("\n")

    def _first(self, node: Node) -> int:
        return node.start_point.row + self._first_line

    def _last(self, node: Node) -> int:
        last = node.children[-1] if node.child_count > 1 and node.end_point.row > node.start_point.row else None
        if last is not None and last.type == ";" and last.prev_sibling is not None:
            # A semicolon at the beginning of a line belongs to the statement after it.
            node = last.prev_sibling if last.prev_sibling.end_point.row < last.start_point.row else node
        end = node.end_point
        return end.row + self._first_line - (1 if end.column == 0 and end.row > node.start_point.row else 0)


def _tail(children: Sequence[Node]) -> Node | None:
    """Return the expression at the end of a node, if a line end separates it from the code before it."""
    named = [child for child in children if child.is_named and not _is_comment(child)]
    before = named[-1].prev_sibling if named else None
    return named[-1] if before is not None and before.end_point.row < named[-1].start_point.row else None


def _code_beside(node: Node, step: int) -> Node | None:
    """Return the sibling before or after a node, without comments."""
    beside = node.prev_sibling if step < 0 else node.next_sibling
    while beside is not None and _is_comment(beside):
        beside = beside.prev_sibling if step < 0 else beside.next_sibling
    return beside


def _is_comment(node: Node) -> bool:
    return "comment" in node.type
