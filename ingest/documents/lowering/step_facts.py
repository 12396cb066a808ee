"""The steps of the workflows of a document as facts: a symbol for each step, and the transitions between steps."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import Final

from ...facts.document_facts import NextStepFact
from ...facts.model import SymbolFact
from ..sections import Item, Section, symbol_name
from ..structures.parts import Part
from ..structures.workflow import STEP_HEADING, condition_of, is_checklist, is_optional, is_step, transitions_of

#: Maximum depth of nested steps; deeper items are not steps.
_MAX_DEPTH: Final = 6


class SymbolAt:
    """Finds the innermost symbol at a line of a document: a section or a step."""

    def __init__(self, sections: Sequence[Section]) -> None:
        self._starts = [section.start_line for section in sections]
        self._steps: dict[int, int] = {}

    def add(self, item: Item, symbol: int) -> None:
        """Add a step. The nested steps of the step follow."""
        for line in range(item.line, item.end_line + 1):
            self._steps[line] = symbol

    def section(self, line: int) -> int:
        """Return the symbol of the section at a line; -1 for none."""
        return max(bisect_right(self._starts, line) - 1, 0) if self._starts else -1

    def line(self, line: int) -> int:
        """Return the symbol of the innermost step or section at a line; -1 for none."""
        return self._steps.get(line, self.section(line))


class StepFacts:
    """Collects the steps of one document. The symbols of the steps follow the existing symbols of the document."""

    def __init__(self, symbols: list[SymbolFact], symbol_at: SymbolAt) -> None:
        self._symbols = symbols
        self._symbol_at = symbol_at
        #: Steps by their numbers, for each list. The key of a list is the enclosing symbol and the count of earlier restarts of
        #: the numbering in the symbol.
        self._numbered: dict[tuple[int, int], dict[str, int]] = {}
        #: The steps in order, each with its list and its text.
        self._steps: list[tuple[int, tuple[int, int], str]] = []

    def add(self, section: int, part: Part) -> None:
        """Add the steps in the lists of a section of a workflow; `section` is its symbol."""
        if self._symbols[section].kind == "step":
            title = STEP_HEADING.match(part.section.title)
            if title is not None:
                number = title["step"] or title["number"]
                self._enter(section, (self._symbols[section].parent, 0), number, part.first_paragraph())
        by_boxes = is_checklist(part.items)
        #: The open steps: the depth of the item, and its symbol.
        path: list[tuple[int, int]] = []
        runs: dict[int, int] = {}
        for item in part.items:
            while path and path[-1][0] >= item.depth:
                path.pop()
            has_box = by_boxes or len(path) > 0
            if len(path) == item.depth and len(path) < _MAX_DEPTH and is_step(item, is_checklist=has_box):
                outer = path[-1][1] if path else section
                if item.number == 1 and outer in runs and self._begins_anew(outer, runs[outer]):
                    runs[outer] += 1
                run = (outer, runs.setdefault(outer, 0))
                place = len(self._symbols)
                self._symbol_at.add(item, place)
                self._symbols.append(_step(item, outer, self._symbols[outer].depth + 1))
                number = str(item.number or len(self._numbered.get(run, ())) + 1)
                self._enter(place, run, number, item.text)
                path.append((item.depth, place))

    def next_steps(self) -> list[NextStepFact]:
        """Return the transitions between steps: to the next step of the list, and to the steps to which the text refers."""
        found = []
        last: dict[tuple[int, int], int] = {}
        for place, run, text in self._steps:
            symbol = self._symbols[place]
            if run in last:
                found.append(NextStepFact(last[run], place, condition_of(text), symbol.declaration_line))
            last[run] = place
        for place, run, text in self._steps:
            for transition in transitions_of(text):
                target = self._numbered[run].get(transition.to)
                if target is not None and target != place:
                    line = self._symbols[place].declaration_line
                    found.append(NextStepFact(place, target, transition.condition, line))
        return found

    def _begins_anew(self, outer: int, run: int) -> bool:
        """Return whether an item with the number 1 begins another list. In many documents, all items have the number 1."""
        return len(self._numbered.get((outer, run), ())) > 1

    def _enter(self, place: int, run: tuple[int, int], number: str, text: str) -> None:
        self._numbered.setdefault(run, {}).setdefault(number, place)
        self._steps.append((place, run, text))


def _step(item: Item, parent: int, depth: int) -> SymbolFact:
    name = symbol_name(item.text)
    modifiers = ["workflow"]
    if item.is_done is not None:
        modifiers.append("done" if item.is_done else "open")
    if is_optional(item.text):
        modifiers.append("optional")
    return SymbolFact(
        name, "step", parent, depth, item.line, item.end_line, item.line, item.line, name, "", modifiers, False, False
    )
