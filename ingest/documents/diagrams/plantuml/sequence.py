"""Sequence diagrams of PlantUML: https://plantuml.com/sequence-diagram."""

from __future__ import annotations

import re

from ..drawing import DiagramSyntaxError, Drawing
from .source import plantuml_lines, title_of

_PARTICIPANT = re.compile(
    r"(?:create\s+)?(participant|actor|boundary|control|entity|database|collections|queue)\s+(.+)", re.IGNORECASE
)
_NAMED = re.compile(r"(?:\"([^\"]*)\"|([^\s\"<#]+))(?:\s+as\s+(?:\"([^\"]*)\"|([^\s\"<#]+)))?.*")
_NAME = r"(?:\"([^\"]*)\"|([\w.@:]+(?:\(\))?)|([\[\]?]))"
#: Arrows with their heads and lines: `->`, `-->`, `->>`, `<-`, `<->`, `->x`, `-\`, `-[#red]>`, with an `o` at the ends.
_MESSAGE = re.compile(
    rf"{_NAME}?\s*(?:\[#[^\]]*\])?([ox]?(?:<<?|//?|\\\\?)?[ox]?)(--?)(?:\[[^\]]*\])?(-?)([ox]?(?:>>?|//?|\\\\?)?[ox]?)\s*{_NAME}?"
    r"\s*(?:(?:\+\+|--|\*\*|!!)\s*)*(?:#\w+\s*)?(?::\s*(.*))?"
)
_BLOCK = re.compile(r"(alt|opt|loop|par2?|break|critical|group|ref|partition)\b\s*(.*)")
_BRANCH = re.compile(r"(else|also)\b\s*(.*)")
_END = re.compile(r"end(?:\s+(?:alt|opt|loop|par|break|critical|group))?")
_NOTE = re.compile(r"[rh]?note\s+(?:(left|right|over|across)\b(?:\s+of)?([^:#]*))?(?:#\w+\s*)?(?::\s*(.*))?")
_NOTE_END = re.compile(r"end\s*[rh]?note")
_BOX = re.compile(r"box\b\s*(?:\"([^\"]*)\"|([^#]*))?.*")
_LIFE = re.compile(r"(?:activate|deactivate|destroy|create|return)\b")


def _arrow_style(left: str, line: str, right: str) -> str:
    dotted = "dotted " if line.startswith("--") else ""
    if "<" in left and ">" in right:
        return f"{dotted}double arrow"
    head = left + right
    kind = (
        "cross"
        if "x" in head
        else "async"
        if "<<" in head or ">>" in head
        else "arrow"
        if "<" in head or ">" in head
        else "half arrow"
    )
    return dotted + kind


class _Sequence:
    """Reads lines one after the other."""

    def __init__(self) -> None:
        self.drawing = Drawing()
        #: Open blocks: position of the block, position of the current branch, and line.
        self.open: list[tuple[int, int, int]] = []
        self.box: str | None = None
        self.aliases: dict[str, str] = {}
        self.note: tuple[tuple[str, ...], list[str], int] | None = None
        self.last: tuple[str, str] | None = None

    def read_line(self, text: str, line: int) -> None:
        """Read one line.

        Raises DiagramSyntaxError if the line is not a statement.
        """
        if self.note is not None:
            self._read_note_line(text)
        elif (title := title_of(text)) is not None:
            self.drawing.title = title
        elif (participant := _PARTICIPANT.fullmatch(text)) is not None:
            self._declare(participant[1].lower(), participant[2], line)
        elif text in ("end box", "endbox"):
            self.box = None
        elif _END.fullmatch(text) is not None:
            if not self.open:
                raise DiagramSyntaxError(line, "`end` without a block")
            self.open.pop()
        elif (branch := _BRANCH.fullmatch(text)) is not None:
            if not self.open:
                raise DiagramSyntaxError(line, f"`{branch[1]}` stands outside of a block")
            position, _, opened = self.open.pop()
            self.open.append((position, self.drawing.add_block(branch[1], branch[2], position, line), opened))
        elif (block := _BLOCK.fullmatch(text)) is not None:
            self._open_block(block[1], block[2], line)
        elif (note := _NOTE.fullmatch(text)) is not None:
            self._read_note(note, line)
        elif (box := _BOX.fullmatch(text)) is not None:
            self.box = f"box{len(self.drawing.group_ids)}"
            self.drawing.add_group(self.box, line, label=(box[1] or box[2] or "").strip(), kind="box")
        elif _LIFE.match(text) is not None:
            self._read_life(text, line)
        else:
            self._read_message(text, line)

    @property
    def _block(self) -> int | None:
        return self.open[-1][1] if self.open else None

    def _open_block(self, kind: str, label: str, line: int) -> None:
        if kind == "ref":
            about, _, text = label.removeprefix("over").partition(":")
            self.drawing.add_note(text, tuple(name.strip() for name in about.split(",") if name.strip()), line)
            return
        position = self.drawing.add_block(kind, label, self._block, line)
        self.open.append((position, position, line))

    def _read_life(self, text: str, line: int) -> None:
        word, _, rest = text.partition(" ")
        if word == "return" and self.last is not None:
            source, target = self.last
            self.drawing.add_message(target, source, line, label=rest, style="dotted arrow", block=self._block)
        elif word == "create" and rest.strip():
            self._mention(rest.strip().strip('"'), line)

    def _declare(self, kind: str, text: str, line: int) -> None:
        match = _NAMED.fullmatch(text)
        if match is None:
            raise DiagramSyntaxError(line, f"expected the name of a participant, but found {text[:40]!r}")
        first = match[1] if match[1] is not None else match[2]
        second = match[3] if match[3] is not None else match[4]
        # `participant "Long name" as id`, and `participant id as "Long name"`
        name, label = (first, first) if second is None else (first, second) if match[3] is not None else (second, first)
        self.drawing.add_node(name, line, label.replace("\\n", "\n"), kind, self.box)

    def _mention(self, name: str, line: int) -> str:
        if not self.drawing.has_node(name):
            self.drawing.add_node(name, line, name.replace("\\n", "\n"), "participant", self.box)
        return name

    def _read_note(self, note: re.Match[str], line: int) -> None:
        named = tuple(name.strip().strip('"') for name in (note[2] or "").split(",") if name.strip())
        about = named or (self.last if self.last is not None and note[1] != "across" else ())
        if note[3] is not None:
            self.drawing.add_note(note[3].replace("\\n", "\n"), about, line)
        else:
            self.note = (about, [], line)

    def _read_note_line(self, text: str) -> None:
        assert self.note is not None
        about, lines, line = self.note
        if _NOTE_END.fullmatch(text) is not None:
            self.drawing.add_note("\n".join(lines), about, line)
            self.note = None
        else:
            lines.append(text)

    def _read_message(self, text: str, line: int) -> None:
        match = _MESSAGE.fullmatch(text)
        if match is None or not (match[4] or match[7]):
            raise DiagramSyntaxError(line, f"expected a message or another statement, but found {text[:40]!r}")
        left = next((group for group in (match[1], match[2], match[3]) if group is not None), "[")
        right = next((group for group in (match[8], match[9], match[10]) if group is not None), "]")
        source, target = self._mention(left, line), self._mention(right, line)
        arrow = _arrow_style(match[4], match[5] + match[6], match[7])
        if "<" in match[4] and ">" not in match[7]:
            source, target = target, source
        self.drawing.add_message(
            source, target, line, label=(match[11] or "").replace("\\n", "\n"), style=arrow, block=self._block
        )
        self.last = (source, target)


def read_plantuml_sequence(text: str) -> Drawing:
    """Read a sequence diagram of PlantUML.

    Raises DiagramSyntaxError if the text does not follow the grammar.
    """
    sequence = _Sequence()
    for line, statement in plantuml_lines(text):
        sequence.read_line(statement, line)
    if sequence.open:
        raise DiagramSyntaxError(sequence.open[-1][2], "the block has no `end`")
    if sequence.note is not None:
        raise DiagramSyntaxError(sequence.note[2], "the note has no `end note`")
    return sequence.drawing
