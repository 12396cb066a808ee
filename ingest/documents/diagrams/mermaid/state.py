"""State diagrams of mermaid: https://mermaid.js.org/syntax/stateDiagram.html."""

from __future__ import annotations

import re

from ..drawing import DiagramSyntaxError, Drawing
from .common import ACCESSIBILITY, TURN
from .nesting import NestedGrammar
from .preamble import MermaidSource

_STATE = re.compile(r"state\s+", re.IGNORECASE)
_QUOTED = re.compile(r"\"([^\"]*)\"\s*as\s+([^\n{]*)", re.IGNORECASE)
_PSEUDO = re.compile(r"([^\n]*?)(?:<<(fork|join|choice)>>|\[\[(fork|join|choice)\]\])", re.IGNORECASE)
_WORD = re.compile(r"[^\n\s{]+")
_ID = re.compile(r"\[\*\]|[^:\n\s\-{}]+")
_CLASS = re.compile(r":::[^:\n\s\-{]+")
#: The brace of a composite state may be on the next line.
_OPEN = re.compile(r"[^\S\n]*(?:\n[^\S\n]*)?\{")
_ARROW = re.compile(r"[^\S\n]*-->[^\S\n]*")
_DESCRIPTION = re.compile(r"[^\S\n]*:((?:[^:\n;]|:[^:\n;])+)")
_NOTE = re.compile(r"note\s+(?:left of|right of)\s+([^:\n\s\-]+)", re.IGNORECASE)
_NOTE_TEXT = re.compile(r"\s*:([^:\n;]+)")
_NOTE_END = re.compile(r"\n[^\S\n]*end note", re.IGNORECASE)
_FLOATING_NOTE = re.compile(r"note\s+\"([^\"]*)\"\s*as\s*([^\n]*)", re.IGNORECASE)
_IGNORED = re.compile(r"(?:classDef|class|style|click|scale|hide empty description)\b[^\n]*", re.IGNORECASE)
_COMMENT = re.compile(r"(?:#|%%)[^\n]*")


class _StateDiagram(NestedGrammar):
    """Reads statements one after the other."""

    group_kind = "composite state"

    def __init__(self, source: MermaidSource) -> None:
        super().__init__(source)
        self.descriptions: dict[str, str] = {}
        #: Number of regions that a separator line ended, by composite state.
        self.regions: dict[str | None, int] = {}

    def _group_name(self, name: str) -> str:
        return f"state {name!r}"

    def _read_statement(self, line: int) -> None:
        scanner = self.scanner
        if scanner.take("}"):
            self._close(line)
        elif scanner.match(_STATE) is not None:
            self._read_declaration(line)
        elif (note := scanner.match(_NOTE)) is not None:
            self._read_note(note[1], line)
        elif (floating := scanner.match(_FLOATING_NOTE)) is not None:
            self.drawing.add_note(floating[1], (), line)
        elif any(scanner.match(pattern) for pattern in (_IGNORED, TURN, ACCESSIBILITY, _COMMENT)):
            pass
        elif scanner.text.startswith("--", scanner.at) and not scanner.text.startswith("-->", scanner.at) and self.open:
            # a line that separates concurrent regions
            scanner.at += 2
            self.regions[self.group] = self.regions.get(self.group, 0) + 1
        else:
            self._read_transition(line)

    def _add(self, name: str, line: int, kind: str = "state") -> None:
        known = self.drawing.has_node(name)
        self.drawing.add_node(name, line, kind=None if known and kind == "state" else kind, group=self.group)
        if self.open:
            self.drawing.put_in_group(name, self.open[-1][0])

    def _describe(self, name: str, text: str, line: int) -> None:
        before = self.descriptions.get(name)
        self.descriptions[name] = f"{before}\n{text.strip()}" if before else text.strip()
        self.drawing.add_node(name, line, self.descriptions[name])

    def _read_declaration(self, line: int) -> None:
        scanner = self.scanner
        pseudo = scanner.match(_PSEUDO)
        if pseudo is not None:
            self._add(pseudo[1].strip(), line, (pseudo[2] or pseudo[3]).lower())
            return
        quoted = scanner.match(_QUOTED)
        if quoted is not None:
            name, _, more = quoted[2].partition("%%")[0].partition(":")
            name, label = name.strip(), quoted[1]
            if self._opens_composite(name, label, line):
                return
            self._add(name, line)
            self._describe(name, label, line)
            if more:
                self._describe(name, more, line)
            return
        word = scanner.match(_WORD)
        if word is None:
            raise scanner.failure("the name of a state")
        if not self._opens_composite(word[0], "", line):
            rest = scanner.rest_of_line()
            if "{" in rest:
                raise DiagramSyntaxError(line, f"expected `{{` after the name of the state, but found {rest.strip()[:40]!r}")

    def _opens_composite(self, name: str, label: str, line: int) -> bool:
        if self.scanner.match(_OPEN) is None:
            return False
        self.drawing.add_group(
            name,
            line,
            label=label or self.descriptions.get(name, "") or name,
            kind="state",
            parent=self.group or self.drawing.group_of(name),
        )
        self.open.append((name, line))
        return True

    def _read_note(self, about: str, line: int) -> None:
        scanner = self.scanner
        text = scanner.match(_NOTE_TEXT)
        if text is not None:
            self.drawing.add_note(text[1], (about,), line)
        else:
            end = _NOTE_END.search(scanner.text, scanner.at)
            if end is None:
                raise DiagramSyntaxError(line, "the note has no `end note`")
            self.drawing.add_note(scanner.text[scanner.at : end.start()], (about,), line)
            scanner.at = end.end()
        self._add(about, line)

    def _read_state(self, line: int, is_source: bool) -> str:
        scanner = self.scanner
        match = scanner.match(_ID)
        if match is None:
            raise scanner.failure("a state")
        name = match[0].partition("%%")[0] or match[0]
        scanner.at = match.start() + len(name)
        scanner.match(_CLASS)
        if name == "[*]":
            kind = "start" if is_source else "end"
            region = self.regions.get(self.group, 0)
            name = f"{self.group or 'root'}_{kind}" + (f" {region + 1}" if region else "")
            if not self.drawing.has_node(name):
                self.drawing.add_node(name, line, "", kind)
                if self.open:
                    self.drawing.put_in_group(name, self.open[-1][0])
            return name
        self._add(name, line)
        return name

    def _read_transition(self, line: int) -> None:
        scanner = self.scanner
        source = self._read_state(line, True)
        if scanner.match(_ARROW) is not None:
            target = self._read_state(line, False)
            description = scanner.match(_DESCRIPTION)
            self.drawing.add_edge(source, target, line, label=description[1] if description else "", style="arrow")
        else:
            description = scanner.match(_DESCRIPTION)
            if description is not None:
                self._describe(source, description[1], line)
        scanner.skip_space()
        scanner.take(";")
        scanner.skip_space()
        scanner.match(_COMMENT)
        if not scanner.is_done and scanner.text[scanner.at] not in "\n}" and scanner.text[scanner.at - 1] not in " \t":
            raise scanner.failure("`-->`, `:` or the end of the line")


def read_state_diagram(source: MermaidSource) -> Drawing:
    """Read a state diagram.

    Raises DiagramSyntaxError if the text does not follow the grammar.
    """
    return _StateDiagram(source).read()
