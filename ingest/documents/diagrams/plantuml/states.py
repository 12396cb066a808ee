"""State diagrams of PlantUML: https://plantuml.com/state-diagram."""

from __future__ import annotations

import re
from typing import Final

from ..drawing import Drawing
from .grouped_statements import GroupedStatements

_NAME: Final = r"(?:\[\*\]|\[H\*?\]|[\w.]+(?:\[H\*?\])?|\"[^\"]*\")"
_STATE: Final = re.compile(
    r"(?:state|frame)\s+(?:\"([^\"]*)\"\s+as\s+([\w.]+)|([\w.]+)\s+as\s+\"([^\"]*)\"|\"([^\"]*)\"|([\w.]+))"
    r"\s*(?:<<([^>]*)>>)?\s*(?:\[\[[^\]]*\]\])?\s*(?:#[\w;:.,|/\\-]+\s*)*(?:##\[?\w*\]?\w*\s*)?(?:(\{)|:\s*(.*))?"
)
_TRANSITION: Final = re.compile(
    rf"({_NAME})\s*(?:(<)|[xo](?=-))?-(?:\[[^\]]*\])?(?:left|right|up|down|le|ri|do|[lrud])?(?:\[[^\]]*\])?-*(?:(>)|[xo](?=\s))?\s*({_NAME})"
    r"\s*(?:#[\w;:.,|/\\-]+\s*)?(?:<<[^>]*>>\s*)?(?::\s*(.*))?"
)
_DESCRIPTION: Final = re.compile(r"([\w.]+|\"[^\"]*\")\s*:\s*(.*)")
_REGION: Final = re.compile(r"(?:--+|\|\|)(?:\s.*)?")
#: Stereotypes that are a shape of a state.
_SHAPES: Final = frozenset(
    ("start", "end", "choice", "fork", "join", "history", "history*", "entrypoint", "exitpoint", "inputpin", "outputpin")
)


class _States(GroupedStatements):
    group_name = "composite state"
    expected = "a state or a transition"

    def __init__(self) -> None:
        super().__init__()
        #: Number of regions that a separator line ended, by composite state.
        self.regions: dict[str | None, int] = {}

    def read_statement(self, text: str, line: int) -> bool:
        if (state := _STATE.fullmatch(text)) is not None:
            self._declare(state, line)
        elif _REGION.fullmatch(text) is not None and self.open:
            self.regions[self.group] = self.regions.get(self.group, 0) + 1
        elif (transition := _TRANSITION.fullmatch(text)) is not None:
            self._add_transition(transition, line)
        elif (description := _DESCRIPTION.fullmatch(text)) is not None:
            self.drawing.add_member(self._mention(description[1].strip('"'), line), description[2])
        else:
            return False
        return True

    def _declare(self, state: re.Match[str], line: int) -> None:
        name = next(part for part in (state[2], state[3], state[5], state[6]) if part is not None)
        label = next((part for part in (state[1], state[4], state[5]) if part is not None), None)
        label = label.replace("\\n", "\n") if label is not None else None
        shape = (state[7] or "").strip().lower()
        if state[8] is not None:
            self.drawing.add_group(name, line, label=label or name, kind="state", parent=self.group)
            self.open.append((name, line))
            return
        self.drawing.add_node(name, line, label, shape if shape in _SHAPES else "state", self.group)
        self.last = name
        if state[9]:
            self.drawing.add_member(name, state[9])

    def _mention(self, name: str, line: int) -> str:
        if not self.drawing.has_node(name) and not self.drawing.has_group(name):
            self.drawing.add_node(name, line, name, "state", self.group)
        self.last = name
        return name

    def _end(self, written: str, line: int, *, is_source: bool) -> str:
        name = written.strip('"')
        if name == "[*]":
            kind = "start" if is_source else "end"
            region = self.regions.get(self.group, 0)
            name = f"{self.group or 'root'}_{kind}" + (f" {region + 1}" if region else "")
            if not self.drawing.has_node(name):
                self.drawing.add_node(name, line, "", kind, self.group)
            return name
        if name.endswith(("[H]", "[H*]")):
            owner = name.partition("[")[0] or self.group or "root"
            name = f"{owner}_history"
            if not self.drawing.has_node(name):
                self.drawing.add_node(name, line, "", "history", owner if self.drawing.has_group(owner) else self.group)
            return name
        return self._mention(name, line)

    def _add_transition(self, transition: re.Match[str], line: int) -> None:
        first, second = transition[1], transition[4]
        if transition[2] is not None and transition[3] is None:
            first, second = second, first
        if self.notes.connects(first, second):
            return
        source, target = self._end(first, line, is_source=True), self._end(second, line, is_source=False)
        self.drawing.add_edge(source, target, line, label=(transition[5] or "").replace("\\n", "\n"), style="arrow")


def read_plantuml_states(text: str) -> Drawing:
    """Read a state diagram of PlantUML.

    Raises DiagramSyntaxError if the text does not follow the grammar.
    """
    states = _States()
    states.read(text)
    return states.drawing
