"""Sequence diagrams of mermaid: https://mermaid.js.org/syntax/sequenceDiagram.html."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..drawing import DiagramSyntaxError, Drawing
from .colors import without_color
from .preamble import MermaidSource
from .scanner import Scanner
from .shape_data import shape_data

_PARTICIPANT = re.compile(r"(?:(create)\s+)?(participant|actor)\b\s*", re.IGNORECASE)
_ALIASED = re.compile(r"([^<>:,;@\s]+)\s+as\s+(.*)", re.IGNORECASE | re.DOTALL)
_CONFIGURED = re.compile(r"([^<>:,;@\s]+)@\{")
_AS = re.compile(r"\s+as\s+(.*)", re.IGNORECASE | re.DOTALL)
_NAME = re.compile(r"[^<>:,;@]+")
_BLOCK = re.compile(r"(loop|rect|opt|alt|par_over|par|critical|break)\b[^\S\n]*(.*)", re.IGNORECASE | re.DOTALL)
_BRANCH = re.compile(r"(else|and|option)\b[^\S\n]*(.*)", re.IGNORECASE | re.DOTALL)
_BOX = re.compile(r"box\b(.*)", re.IGNORECASE | re.DOTALL)
_END = re.compile(r"end\b", re.IGNORECASE)
_NOTE = re.compile(r"note\s+(left of|right of|over)\s+([^\s:][^:]*):(.*)", re.IGNORECASE | re.DOTALL)
_ACTIVATION = re.compile(r"(activate|deactivate)\b\s*(.*)", re.IGNORECASE | re.DOTALL)
_DESTROY = re.compile(r"destroy\b\s*(.*)", re.IGNORECASE | re.DOTALL)
_TITLE = re.compile(r"title(?::\s|\s+)(.*)", re.IGNORECASE | re.DOTALL)
_IGNORED = re.compile(r"(?:autonumber(?:\s+(?:off|[\d.]+(?:\s+[\d.]+)?))?\s*$|accTitle\s*:|accDescr\s*:)", re.IGNORECASE)
_DATA = re.compile(r"(?:links|link|properties|details)\b\s*([^\s:][^:]*):", re.IGNORECASE)
_DESCRIPTION = re.compile(r"accDescr\s*\{[^{}]*\}", re.IGNORECASE)
#: A participant of a message: everything up to an arrow. A hyphen belongs to the name unless an arrow begins with it.
_ACTOR = re.compile(
    r"[^/\\+()<\->:\n,;]+(?:(?!-x|--|-\)|-\|\\|-\\|-/|-\|/|/\|-|\\\|-|//-|\\\\-|\(\))-*[^+<\->:\n,;]+)*",
    re.IGNORECASE,
)
#: Longer arrows come first.
_ARROWS = (
    ("<<-->>", "dotted double arrow"),
    ("<<->>", "double arrow"),
    ("-->>", "dotted arrow"),
    ("->>", "arrow"),
    ("-->", "dotted open"),
    ("->", "open"),
    ("--x", "dotted cross"),
    ("-x", "cross"),
    ("--)", "dotted async"),
    ("-)", "async"),
    ("--|\\", "dotted half arrow top"),
    ("--|/", "dotted half arrow bottom"),
    ("--\\\\", "dotted half stick top"),
    ("--//", "dotted half stick bottom"),
    ("/|--", "dotted reverse half arrow top"),
    ("\\|--", "dotted reverse half arrow bottom"),
    ("//--", "dotted reverse half stick top"),
    ("\\\\--", "dotted reverse half stick bottom"),
    ("-|\\", "half arrow top"),
    ("-|/", "half arrow bottom"),
    ("-\\\\", "half stick top"),
    ("-//", "half stick bottom"),
    ("/|-", "reverse half arrow top"),
    ("\\|-", "reverse half arrow bottom"),
    ("//-", "reverse half stick top"),
    ("\\\\-", "reverse half stick bottom"),
)
_BRANCHES = {"alt": "else", "par": "and", "par_over": "and", "critical": "option"}
_WRAP = re.compile(r":?(?:no)?wrap:", re.IGNORECASE)
#: Words that begin a statement other than a message.
_KEYWORD = re.compile(
    r"(?:note|loop|rect|opt|alt|par|critical|break|else|and|option|box|end|over|off|left of|right of)\b", re.IGNORECASE
)


def _message_text(text: str) -> str:
    return _WRAP.sub("", text.strip(), count=1) if _WRAP.match(text.strip()) else text.strip()


class _Sequence:
    """Reads statements one after the other."""

    def __init__(self, source: MermaidSource) -> None:
        self.source = source
        self.drawing = Drawing()
        self.drawing.title = source.title
        #: Open blocks, each with its position (-1 for a box), the position of the branch that gets the messages, and its keyword.
        self.open: list[tuple[int, int, str]] = []
        self.box: str | None = None
        self.box_line = 0
        self.active: dict[str, int] = {}

    def read(self) -> Drawing:
        for line, statement in self._statements():
            self._read_statement(statement, line)
        if self.box is not None:
            raise DiagramSyntaxError(self.box_line, "the box has no `end`")
        if self.open:
            position, _, kind = self.open[-1]
            raise DiagramSyntaxError(self.drawing.blocks[position].line, f"the block `{kind}` has no `end`")
        return self.drawing

    def _statements(self) -> Iterator[tuple[int, str]]:
        """Yield statements with their lines. A statement ends at a line break or `;`, and `#` begins a comment."""
        text = self.source.text[self.source.start :]
        if "accDescr" in text:
            text = _DESCRIPTION.sub(lambda match: "\n" * match[0].count("\n"), text)
        for number, line in enumerate(text.split("\n"), self.source.line):
            for statement in line.partition("#")[0].split(";"):
                stripped = statement.strip()
                if stripped and not stripped.startswith("%%"):
                    yield number, stripped

    def _read_statement(self, text: str, line: int) -> None:
        if (match := _PARTICIPANT.match(text)) is not None:
            self._read_participant(text[match.end() :], match[2].lower(), line)
            return
        if self.box is not None:
            if _END.match(text) is None:
                raise DiagramSyntaxError(line, f"expected a participant or `end` in the box, but found {text[:40]!r}")
            self.box = None
            return
        if (match := _DESTROY.match(text)) is not None:
            self._mention(match[1].strip(), line)
        elif (match := _BLOCK.match(text)) is not None:
            kind = match[1].lower()
            position = self.drawing.add_block(kind, _message_text(match[2]), self._block, line)
            self.open.append((position, position, kind))
        elif (match := _BRANCH.match(text)) is not None:
            self._read_branch(match[1].lower(), match[2], line)
        elif (match := _BOX.match(text)) is not None:
            self._open_box(match[1], line)
        elif _END.match(text) is not None:
            if not self.open:
                raise DiagramSyntaxError(line, "`end` without a block")
            self.open.pop()
        elif _IGNORED.match(text) is None:
            self._read_line_of_life(text, line)

    def _read_line_of_life(self, text: str, line: int) -> None:
        if (match := _NOTE.match(text)) is not None:
            about = tuple(name.strip() for name in match[2].split(",")) if match[1].lower() == "over" else (match[2].strip(),)
            for name in about:
                self._mention(name, line)
            self.drawing.add_note(_message_text(match[3]), about, line)
        elif (match := _ACTIVATION.match(text)) is not None:
            name = match[2].strip()
            self._mention(name, line)
            self._activate(name, 1 if match[1].lower() == "activate" else -1, line)
        elif (match := _DATA.match(text)) is not None:
            self._mention(match[1].strip(), line)
        elif (match := _TITLE.match(text)) is not None:
            self.drawing.title = match[1]
        else:
            self._read_message(text, line)

    @property
    def _block(self) -> int | None:
        return self.open[-1][1] if self.open else None

    def _read_branch(self, kind: str, label: str, line: int) -> None:
        if not self.open or _BRANCHES.get(self.open[-1][2]) != kind:
            raise DiagramSyntaxError(line, f"`{kind}` stands outside of the block that it belongs to")
        position, _, opened = self.open.pop()
        branch = self.drawing.add_block(kind, _message_text(label), position, line)
        self.open.append((position, branch, opened))

    def _open_box(self, text: str, line: int) -> None:
        label = without_color(_message_text(text))
        name = f"box{len(self.drawing.group_ids)}"
        self.drawing.add_group(name, line, label=label, kind="box")
        self.box = name
        self.box_line = line

    def _mention(self, name: str, line: int) -> None:
        if not name:
            raise DiagramSyntaxError(line, "expected the name of a participant")
        if not self.drawing.has_node(name):
            self.drawing.add_node(name, line, kind="participant", group=self.box)

    def _read_participant(self, text: str, kind: str, line: int) -> None:
        label: str | None = None
        configured = _CONFIGURED.match(text)
        if configured is not None:
            scanner = Scanner(text, configured.end())
            data = shape_data(scanner)
            kind = data.get("type", kind)
            alias = _AS.fullmatch(text, scanner.at)
            label = alias[1] if alias is not None else data.get("alias")
            name = configured[1]
        elif (aliased := _ALIASED.fullmatch(text)) is not None:
            name, label = aliased[1], _message_text(aliased[2])
        else:
            match = _NAME.fullmatch(text.strip())
            if match is None:
                raise DiagramSyntaxError(line, f"expected the name of a participant, but found {text[:40]!r}")
            name = match[0].strip()
        if not self.drawing.has_node(name) or label is not None:
            self.drawing.add_node(name, line, label, kind, None)
        if self.box is not None:
            self.drawing.put_in_group(name, self.box)

    def _read_message(self, text: str, line: int) -> None:
        scanner = Scanner(text)
        source = scanner.match(_ACTOR)
        if source is None or _KEYWORD.match(text) is not None:
            raise DiagramSyntaxError(line, f"expected a message or another statement, but found {text[:40]!r}")
        scanner.take("()")
        style = next((style for arrow, style in _ARROWS if self._takes(scanner, arrow)), None)
        if style is None:
            raise DiagramSyntaxError(line, f"expected an arrow in {text[:60]!r}")
        scanner.skip_space()
        is_activating, is_ending = scanner.take("+"), scanner.take("-")
        scanner.take("()")
        scanner.skip_space()
        target = scanner.match(_ACTOR)
        if target is None:
            raise DiagramSyntaxError(line, f"expected a participant after the arrow in {text[:60]!r}")
        if not scanner.take(":"):
            raise DiagramSyntaxError(line, f"expected `:` and a text after the participant in {text[:60]!r}")
        sender, receiver = source[0].strip(), target[0].strip()
        self._mention(sender, line)
        self._mention(receiver, line)
        label = _message_text(scanner.rest_of_line())
        self.drawing.add_message(sender, receiver, line, label=label, style=style, block=self._block)
        if is_activating:
            self._activate(receiver, 1, line)
        if is_ending:
            self._activate(sender, -1, line)

    @staticmethod
    def _takes(scanner: Scanner, arrow: str) -> bool:
        before = scanner.at
        if scanner.text[before : before + len(arrow)].lower() != arrow:
            return False
        scanner.at = before + len(arrow)
        return True

    def _activate(self, name: str, change: int, line: int) -> None:
        count = self.active.get(name, 0) + change
        if count < 0:
            raise DiagramSyntaxError(line, f"the participant {name!r} is deactivated, but not active")
        self.active[name] = count


def read_sequence(source: MermaidSource) -> Drawing:
    """Read a sequence diagram.

    Raises DiagramSyntaxError if the text does not follow the grammar.
    """
    return _Sequence(source).read()
