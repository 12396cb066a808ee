"""Make symbols for the rest of a file's root: statements, comments, directives, and parts that the grammar could not read.

Each line that is not blank then belongs to one symbol of depth 0.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from tree_sitter import Node

from ...files.source_text import SourceText
from ...symbols.byte_ranges import between, decoded
from ...symbols.headers import MAX_NAME_LENGTH, first_line
from ...symbols.license_comments import comment_name
from ...symbols.lowering_state import LoweringState
from ...symbols.states import SymbolState
from ..comments import BLANKS, Lead, comment_text, leads_of
from .definitions import Found
from .rules import SyntaxRules

#: Fields that describe a group, and not its content.
_ABOUT_GROUPS: Final = ("name", "condition", "value")
#: Characters that frame the text of comments.
_RULERS: Final = " \t/*#!-=~_+\"'"
#: Maximum number of lines of a short statement; consecutive short statements are joined.
_MAX_SHORT_LINES: Final = 2
#: Maximum number of lines of joined statements.
_MAX_RUN_LENGTH: Final = 40
#: Lines that only configure how the code around them is read.
_DIRECTIVE: Final = re.compile(
    rb"#[ \t]*(?:if|ifdef|ifndef|elif|elseif|else|endif|define|undef|pragma|region|endregion|nullable|warning|error)\b"
    rb"|(?:package|namespace|declare)\b|<\?php|\?>|@file:|extern \"C|\}"
)
#: Directives with the name of the package or namespace of the file.
_NAMES_FILE: Final = re.compile(rb"(?:package|namespace)\b")


@dataclass(slots=True)
class _Piece:
    """A part of the root without a declaration of its own."""

    start: int
    end: int
    #: The offset of the code after the comments.
    code: int
    doc: str = ""
    #: Indices of the declarations inside.
    inside: list[int] = field(default_factory=list)


class RootUnits:
    """Makes symbols for the parts of the root that are not declarations, and adds them to the context's list."""

    def __init__(self, cx: LoweringState, source: SourceText, found: Found, rules: SyntaxRules) -> None:
        self._cx = cx
        self._data = source.data
        self._line_starts = source.line_starts
        self._found = found
        self._rules = rules
        self._symbols: list[SymbolState] = cx.symbols
        self._pieces: list[_Piece] = []

    def read(self, root: Node, outermost: list[int]) -> None:
        """Fill the list; `outermost` are the declarations that are not nested, in order."""
        for state in self._symbols:
            state.end = self._end_of_text(state.start, state.end)
        self._statements(root, outermost)
        self._comments()
        self._add_remaining_lines()
        for run in self._runs():
            self._run(run)

    def _end_of_text(self, start: int, end: int) -> int:
        """Return the offset at which the text between two offsets ends, without trailing blanks."""
        while end > start + 1 and self._data[end - 1] in BLANKS:
            end -= 1
        return end

    # ------------------------------------------------------------------ statements

    def _statements(self, root: Node, outermost: list[int]) -> None:
        """Make a piece for each statement at the root that is not a declaration.

        The piece has the declarations inside the statement.
        """
        waiting = outermost[::-1]
        for unit in self._units(root):
            start, end = unit.start_byte, self._end_of_text(unit.start_byte, unit.end_byte)
            while waiting and self._symbols[waiting[-1]].end <= start:
                waiting.pop()
            if waiting and self._symbols[waiting[-1]].start < start and end <= self._symbols[waiting[-1]].declaration:
                continue  # a directive between a declaration and its comment
            inside = []
            while waiting and self._symbols[waiting[-1]].declaration < end:
                inside.append(waiting.pop())
            if inside and self._symbols[inside[0]].declaration <= start and self._symbols[inside[-1]].end >= start:
                # `_add_remaining_lines` later finds the text after a declaration, in a unit with several declarations.
                waiting += [number for number in reversed(inside) if self._symbols[number].end > end]
                continue
            if (unit.start_byte, unit.end_byte) in self._found.imports:
                self._import(start, end)
            elif self._data[start:end].strip(BLANKS + b";"):
                leads = leads_of(self._found.leads, self._data, start, self._rules.directive)
                doc = comment_text([decoded(self._data, lead.start, lead.end) for lead in leads if lead.is_comment])
                self._pieces.append(_Piece(leads[0].start if leads else start, end, start, doc, inside))

    def _units(self, root: Node) -> Iterator[Node]:
        """Yield the nodes at the root, including the nodes in directives and other groups at the root."""
        leads = {lead.start for lead in self._found.leads}
        cursor = root.walk()
        depth, is_inside = 0, cursor.goto_first_child()
        while is_inside:
            node = cursor.node
            if node is not None and node.is_named and node.end_byte > node.start_byte:
                is_about = depth > 0 and cursor.field_name in _ABOUT_GROUPS
                if (node.start_byte, node.end_byte) in self._found.groups and not is_about:
                    if cursor.goto_first_child():
                        depth += 1
                        continue
                elif node.start_byte not in leads and not is_about:
                    yield node
            while not cursor.goto_next_sibling():
                depth -= 1
                if depth < 0 or not cursor.goto_parent():
                    return

    def _import(self, start: int, end: int) -> None:
        text = " ".join(decoded(self._data, start, end).split()).rstrip("; ")
        state = SymbolState("import:" + text[:MAX_NAME_LENGTH], "import", -1, start, end, start, start)
        state.signature = decoded(self._data, start, end).strip()
        self._symbols.append(state)

    # ------------------------------------------------------------------ comments

    def _comments(self) -> None:
        """Make a symbol of each block of adjacent root comments that belong to no declaration.

        A comment after code on its line becomes part of that code.
        """
        roots = self._roots()
        roots.sort(key=lambda each: each.start)
        starts = [each.start for each in roots]
        group: list[Lead] = []
        for lead in self._found.leads:
            if not lead.is_comment:
                continue
            end = self._end_of_text(lead.start, lead.end)
            before = roots[place] if (place := bisect_right(starts, lead.start) - 1) >= 0 else None
            if before is not None and lead.start < before.end:
                continue
            if before is not None and self._data.find(b"\n", before.end, lead.start) < 0:
                before.end = max(before.end, end)
                continue
            if self._trails(lead.start):
                continue
            if group and not self._adjoins(group[-1].end, lead.start):
                self._comment(group)
                group = []
            group.append(Lead(lead.start, end, True))
        if group:
            self._comment(group)

    def _roots(self) -> list[SymbolState | _Piece]:
        """Return the known parts of the root."""
        held = {number for piece in self._pieces for number in piece.inside}
        roots: list[SymbolState | _Piece] = [*self._pieces]
        roots += [state for number, state in enumerate(self._symbols) if state.parent < 0 and number not in held]
        return roots

    def _trails(self, start: int) -> bool:
        """Return whether unknown code, such as `#endif`, precedes a comment on its line."""
        while start > 0 and self._data[start - 1] in b" \t":
            start -= 1
        return start > 0 and self._data[start - 1] not in b"\r\n/"

    def _adjoins(self, end: int, start: int) -> bool:
        gap = between(self._data, end, start)
        return gap.count(b"\n") <= 1 and not gap.strip(BLANKS)

    def _comment(self, group: list[Lead]) -> None:
        start, end = group[0].start, group[-1].end
        lines = decoded(self._data, start, end).splitlines()
        texts = [line.strip(_RULERS) for line in lines if not line.startswith("#!")]
        name = comment_name(texts if any(texts) else [lines[0].strip(_RULERS)])[:MAX_NAME_LENGTH]
        self._symbols.append(SymbolState(name, "comment", -1, start, end, start, start))

    # ------------------------------------------------------------------ remaining lines

    def _add_remaining_lines(self) -> None:
        """Make pieces of the remaining lines, such as directives around other code, and parts that the grammar could not read."""
        covered = bytearray(len(self._line_starts))
        for each in self._roots():
            first = bisect_right(self._line_starts, each.start) - 1
            last = bisect_right(self._line_starts, max(each.end - 1, each.start)) - 1
            covered[first : last + 1] = b"\1" * (last + 1 - first)
        ends = [*self._line_starts[1:], len(self._data)]
        begun = filled = -1
        for line in range(len(covered) + 1):
            is_free = line < len(covered) and not covered[line]
            if is_free and self._data[self._line_starts[line] : ends[line]].strip(BLANKS):
                begun, filled = (line if begun < 0 else begun), line
            elif not is_free and begun >= 0:
                self._left(self._line_starts[begun], ends[filled])
                begun = -1

    def _left(self, start: int, end: int) -> None:
        text = self._data[start:end]
        start += len(text) - len(text.lstrip(BLANKS))
        self._pieces.append(_Piece(start, start + len(text.strip(BLANKS)), start))

    # ------------------------------------------------------------------ runs

    def _runs(self) -> Iterator[list[_Piece]]:
        """Yield the pieces of the root. Consecutive short pieces are joined."""
        run: list[_Piece] = []
        lines = 0
        for piece in sorted(self._pieces, key=lambda piece: piece.start):
            own = self._data.count(b"\n", piece.start, piece.end) + 1
            if run and not (lines + own <= _MAX_RUN_LENGTH and self._follows(run[-1], piece)):
                yield run
                run, lines = [], 0
            run.append(piece)
            lines += own
        if run:
            yield run

    def _follows(self, above: _Piece, piece: _Piece) -> bool:
        gap = between(self._data, above.end, piece.start)
        if gap.strip(BLANKS + b";"):
            return False
        if self._is_directive(above) and self._is_directive(piece):
            return True
        return gap.count(b"\n") <= 1 and not piece.doc and self._is_short(above) and self._is_short(piece)

    def _is_short(self, piece: _Piece) -> bool:
        return not piece.inside and self._data.count(b"\n", piece.start, piece.end) < _MAX_SHORT_LINES

    def _is_directive(self, piece: _Piece) -> bool:
        return self._is_short(piece) and _DIRECTIVE.match(self._data, piece.code) is not None

    def _run(self, run: list[_Piece]) -> None:
        code_pieces = [piece for piece in run if not self._is_directive(piece)]
        name_pieces = [piece for piece in run if _NAMES_FILE.match(self._data, piece.code)]
        named = (name_pieces or code_pieces or run)[0]
        line = decoded(self._data, named.code, min(named.end, named.code + 4 * MAX_NAME_LENGTH)).split("\n", 1)[0]
        name = " ".join(line.split())[:MAX_NAME_LENGTH].rstrip("; ")
        first, end = run[0], run[-1].end
        state = SymbolState(name or "statement", "expression", -1, first.start, end, first.code, named.code, doc=first.doc)
        state.signature = first_line(self._cx, named.code, named.code, min(named.end, named.code + 200)) or state.name
        for number in first.inside if len(run) == 1 else ():
            self._symbols[number].parent = len(self._symbols)
        self._symbols.append(state)
