"""Build the symbol tree of a file: offsets become lines, overloads are joined, and root statements on one line are grouped."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from ..facts.model import Export, SymbolFact
from ..files.source_text import SourceText
from .byte_ranges import between
from .headers import MAX_NAME_LENGTH, MAX_SIGNATURE_LENGTH
from .lowering_state import LoweringState
from .states import SymbolState

#: A tag that inherits the comment of another declaration.
_INHERITED = re.compile(r"\{?@inheritdoc\b[^}\n]*\}?", re.IGNORECASE)
#: Tags with a description after them.
_DESCRIBED = re.compile(r"^@(?:description|desc|summary|remarks)\s+\S", re.MULTILINE)

_BETWEEN_STATEMENTS = b"; \t\r\n\f\v"
_OVERLOADABLE = frozenset(("function", "method", "constructor"))
_TYPES = frozenset(("interface", "type", "enum"))


class SymbolTree:
    """The places of a file's symbols. The constructor renumbers the symbols of the context, so it runs only once per file."""

    def __init__(self, cx: LoweringState, source: SourceText) -> None:
        self._cx = cx
        self.line_starts = source.line_starts
        self._join_overloads()
        self._exclude_leading_semicolons()
        if cx.is_repaired:
            self._attach_uncovered_code()
        self._place()
        self._group_shared_lines()
        self._link_children()
        if any(len(siblings) > 1 and siblings != sorted(siblings) for siblings in (self.roots, *self.children)):
            self._renumber(self._in_source_order())
            self._place()
            self._link_children()
        self.depths = self._depths()
        self.holders = self._holders()
        self.chunked = [state.parent < 0 or holder >= 0 for state, holder in zip(cx.symbols, self.holders, strict=True)]

    def _place(self) -> None:
        """Find the first and last line of each symbol."""
        symbols, starts = self._cx.symbols, self.line_starts
        self.start_lines = [bisect_right(starts, state.start) for state in symbols]
        self.end_lines = [
            bisect_right(starts, max(state.end - 1, state.start), line - 1)
            for state, line in zip(symbols, self.start_lines, strict=True)
        ]

    def _link_children(self) -> None:
        """Find the children of each symbol, and the roots, in source order."""
        symbols = self._cx.symbols
        self.children: list[list[int]] = [[] for _ in symbols]
        self.roots: list[int] = []
        for index, state in enumerate(symbols):
            (self.children[state.parent] if state.parent >= 0 else self.roots).append(index)
        for siblings in (self.roots, *self.children):
            if len(siblings) > 1:
                siblings.sort(key=lambda index: (symbols[index].start, -symbols[index].end))

    def _in_source_order(self) -> list[int]:
        """Return the symbols in an order in which a symbol follows its parent and its earlier siblings."""
        order: list[int] = []
        stack = self.roots[::-1]
        while stack:
            order.append(stack.pop())
            stack += self.children[order[-1]][::-1]
        return order

    def _line(self, offset: int) -> int:
        return bisect_right(self.line_starts, offset)

    def _line_within(self, index: int, offset: int) -> int:
        return bisect_right(self.line_starts, offset, self.start_lines[index] - 1, self.end_lines[index])

    def _exclude_leading_semicolons(self) -> None:
        """End a symbol before a semicolon that begins the line of the next statement, as in `;[1].map(f)`."""
        source = self._cx.source
        for state in self._cx.symbols:
            above, below = state.end - 1, state.end
            if between(source, above, below) != b";" or not between(source, above - 1, above).isspace():
                continue
            while between(source, above - 1, above).isspace():
                above -= 1
            while between(source, below, below + 1) in (b" ", b"\t", b"\r"):
                below += 1
            if b"\n" in between(source, above, state.end) and between(source, below, below + 1) not in (b"", b"\n"):
                state.end = above

    def _attach_uncovered_code(self) -> None:
        """Add code that is missing from the tree, because it is broken or blanked, to the next root symbol."""
        cx, end = self._cx, 0
        roots = sorted((state for state in cx.symbols if state.parent < 0), key=lambda state: state.start)
        for state in roots:
            state.start -= len(between(cx.source, end, state.start).lstrip(_BETWEEN_STATEMENTS))
            end = max(end, state.end)
        left = cx.source[end:].strip(_BETWEEN_STATEMENTS)
        if left and roots:
            roots[-1].end = len(cx.source.rstrip())
        elif left:
            name = left.split(b"\n", 1)[0].decode("utf-8", "replace").strip()[:MAX_NAME_LENGTH]
            start = cx.source.index(left)
            cx.leaf_symbol(SymbolState(name, "expression", -1, start, start + len(left), start, start, signature=name))

    def _join_overloads(self) -> None:
        """Join adjacent signatures of one name into one symbol: the implementation, or else the first signature.

        Comments between the signatures become part of the joined symbol. In most languages each signature is a separate
        function, and nothing is joined.
        """
        cx = self._cx
        if not cx.joins_overloads:
            return
        last: dict[int, int] = {}
        joined: dict[int, int] = {}
        for index, state in enumerate(cx.symbols):
            if state.kind == "comment":
                continue
            before = last.get(state.parent, -1)
            last[state.parent] = index
            if before < 0 or state.kind not in _OVERLOADABLE:
                continue
            earlier = cx.symbols[before]
            if earlier.has_body or (earlier.name, earlier.kind) != (state.name, state.kind) or self._are_separate(earlier, state):
                continue
            joined[before] = index
        if joined:
            self._merge(joined)

    def _are_separate(self, earlier: SymbolState, later: SymbolState) -> bool:
        static = ("static" in earlier.modifiers) != ("static" in later.modifiers)
        return static or "callback" in later.modifiers

    def _merge(self, joined: dict[int, int]) -> None:
        cx = self._cx
        target: dict[int, int] = {}
        for first in sorted(joined, reverse=True):
            end = target.get(joined[first], joined[first])
            target[first] = end
        groups: dict[int, list[int]] = {}
        for first, end in target.items():
            groups.setdefault(end, []).append(first)
        survivors: dict[int, int] = {}
        for end, earlier in groups.items():
            members = [*sorted(earlier), end]
            keep = end if cx.symbols[end].has_body else members[0]
            state, signatures = cx.symbols[keep], [cx.symbols[member] for member in members if member != keep]
            state.start = min(cx.symbols[member].start for member in members)
            state.end = max(cx.symbols[member].end for member in members)
            if cx.declared_by_signature:
                state.declaration = cx.symbols[members[0]].declaration
            state.doc = _informative_doc([cx.symbols[member].doc for member in members])
            state.exported = any(cx.symbols[member].exported for member in members)
            if state.has_body and signatures:
                state.stub = state.signature
                state.signature = signatures[0].signature
            for member in range(members[0], members[-1] + 1):
                other = cx.symbols[member]
                if member in members or (other.kind == "comment" and other.parent == state.parent):
                    survivors[member] = keep
        self._renumber([index for index in range(len(cx.symbols)) if survivors.get(index, index) == index], survivors)

    def _renumber(self, kept: list[int], survivors: Mapping[int, int] = MappingProxyType({})) -> None:
        """Keep symbols in a new order. References to a merged symbol become references to the symbol that remains."""
        cx = self._cx
        place = {old: new for new, old in enumerate(kept)}
        new = [place[survivors.get(index, index)] for index in range(len(cx.symbols))]
        new.append(-1)  # so that -1 maps to itself
        cx.symbols = [cx.symbols[index] for index in kept]
        for state in cx.symbols:
            state.parent = new[state.parent]
        for decl in cx.decls:
            decl.symbol = new[decl.symbol]
        for function in cx.functions:
            function.symbol = new[function.symbol]
        for shape in cx.shapes:
            shape.symbol = new[shape.symbol]
            for member in shape.members:
                member.symbol = new[member.symbol]
        for imported in cx.imports:
            imported.symbol = new[imported.symbol]
        for exported in (*cx.exports, *(entry for scope in cx.scopes for entry in scope.exports)):
            exported.symbol = new[exported.symbol]
        for expando in cx.expandos:
            expando.symbol = new[expando.symbol]
        cx.owners[1::2] = [new[owner] for owner in cx.owners[1::2]]

    def _group_shared_lines(self) -> None:
        """Put one symbol around root symbols that share a line, so that each line belongs to one symbol of depth 0."""
        cx = self._cx
        roots = sorted((index for index, state in enumerate(cx.symbols) if state.parent < 0), key=lambda i: cx.symbols[i].start)
        group: list[int] = []
        last_line = 0
        for index in [*roots, -1]:
            if index >= 0 and group and self.start_lines[index] <= last_line:
                group.append(index)
                last_line = max(last_line, self.end_lines[index])
                continue
            if len(group) > 1:
                self._wrap(group)
            group, last_line = [index], self.end_lines[index] if index >= 0 else 0

    def _wrap(self, group: list[int]) -> None:
        cx = self._cx
        states = [cx.symbols[index] for index in group]
        first = states[0]
        kinds = {state.kind for state in states}
        made = SymbolState(
            ", ".join(state.name for state in states)[:80],
            first.kind if len(kinds) == 1 else "expression",
            -1,
            first.start,
            max(state.end for state in states),
            first.declaration,
            first.name_position,
            signature="; ".join(state.signature.rstrip("; ") for state in states)[:MAX_SIGNATURE_LENGTH],
        )
        for state in states:
            state.parent = len(cx.symbols)
        cx.symbols.append(made)
        self.start_lines.append(self._line(made.start))
        self.end_lines.append(self._line(max(made.end - 1, made.start)))

    def _depths(self) -> list[int]:
        depths = [0] * len(self._cx.symbols)
        stack = list(self.roots)
        while stack:
            index = stack.pop()
            for child in self.children[index]:
                depths[child] = depths[index] + 1
            stack += self.children[index]
        return depths

    def _holders(self) -> list[int]:
        """Return the enclosing chunk of each chunk below the root, and -1 for all other symbols.

        Symbols of depth 0 are chunks. A deeper symbol is a chunk if it has its own lines, and is a type in a namespace or has a
        body. The content of other symbols, such as the callback of `describe` or a property with an object, belongs to the chunk
        around them.
        """
        symbols, starts, ends = self._cx.symbols, self.start_lines, self.end_lines
        holders = [-1] * len(symbols)
        covered_until = [0] * len(symbols)
        stack = [(child, root) for root in reversed(self.roots) for child in reversed(self.children[root])]
        while stack:
            index, holder = stack.pop()
            is_folded = starts[index] == starts[holder] and ends[index] == ends[holder]
            if self._can_stand_alone(symbols[index]) and not is_folded and starts[index] > covered_until[holder]:
                holders[index] = holder
                covered_until[holder] = ends[index]
                holder = index
            stack += [(child, holder) for child in reversed(self.children[index])]
        return holders

    def _can_stand_alone(self, state: SymbolState) -> bool:
        return state.has_body or (state.kind in _TYPES and self._cx.symbols[state.parent].kind == "namespace")

    def symbol_facts(self, exports: Sequence[Export]) -> list[SymbolFact]:
        """Return the symbols as facts, in the order of indices.

        A symbol in an export, and its members, count as exported.
        """
        cx = self._cx
        bound = {
            binding
            for export in exports
            for binding in (export.binding, cx.code[export.value + 1] if self._names_binding(export) else -1)
            if binding >= 0
        }
        exported = {export.symbol for export in exports} | {
            cx.decls[decl].symbol for binding in bound for decl in cx.bindings[binding].decls
        }
        for index in sorted(range(len(cx.symbols)), key=self.depths.__getitem__):
            state = cx.symbols[index]
            is_member = state.parent >= 0 and cx.symbols[state.parent].kind in ("class", "interface", "enum", "type")
            state.exported = state.exported or index in exported or (is_member and cx.symbols[state.parent].exported)
        return [
            SymbolFact(
                state.name,
                cx.kind_of(state),
                state.parent,
                self.depths[index],
                self.start_lines[index],
                self.end_lines[index],
                self._line_within(index, state.declaration),
                self._line_within(index, state.name_position),
                state.signature,
                state.doc,
                state.modifiers,
                state.exported,
                self.chunked[index],
                owner=state.owner,
            )
            for index, state in enumerate(cx.symbols)
        ]

    def _names_binding(self, export: Export) -> bool:
        return export.value >= 0 and self._cx.code[export.value] == 1


def _informative_doc(docs: Sequence[str]) -> str:
    """Return the first comment above signatures of one name that contains more than tags such as `@deprecated`."""
    written = [doc for doc in docs if doc]
    return next((doc for doc in written if _says_more_than_tags(doc)), written[0] if written else "")


def _says_more_than_tags(doc: str) -> bool:
    words = _INHERITED.sub("", doc).strip()
    return bool(words) and (not words.startswith("@") or _DESCRIBED.search(words) is not None)
