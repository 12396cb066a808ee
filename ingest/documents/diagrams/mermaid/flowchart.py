"""Flowcharts of mermaid (`flowchart`, `graph`): https://mermaid.js.org/syntax/flowchart.html."""

from __future__ import annotations

import re

from ..drawing import DiagramSyntaxError, Drawing
from .common import ACCESSIBILITY, TURN, unwrapped
from .links import Link, read_link
from .preamble import MermaidSource
from .scanner import Scanner
from .shape_data import shape_data

_DIRECTION = re.compile(r"\s*(?:(?:LR|RL|TB|BT|TD|BR|v)\b|[<>^])")
_ID_START = r"[^\W_]|[_!#$%&'*+.`?\\/]|-(?=[^>\-.\n])|=(?!=)|:(?!::)|[,\ue000\ue001]"
_ID = re.compile(rf"(?:{_ID_START})(?:{_ID_START}|\")*")
_CLASS = re.compile(r":::[^\s&;@]+")
_IGNORED = re.compile(r"(?:linkStyle|classDef|class)\b[^\n;]*|click\b(?:[^\n;\"]|\"[^\"]*\")*")
_STYLE = re.compile(r"style[^\S\n]+([^\s;]+)[^\n;]*")
_SUBGRAPH = re.compile(r"subgraph\b[^\S\n]*")
_END = re.compile(r"end\b")
_GROUP_NAME = re.compile(r"[^\n\[\";(){}]+")
_NODE_PROPERTIES = re.compile(r"[\w-]+:[\w-]+\|")
#: Each entry: the sign before the text of a node, possible signs after the text, and the shape of the node. Longer signs before
#: the text come first.
_SHAPES: tuple[tuple[str, tuple[tuple[str, str], ...]], ...] = (
    ("(((", ((")))", "doublecircle"),)),
    ("((", (("))", "circle"),)),
    ("([", (("])", "stadium"),)),
    ("(-", (("-)", "ellipse"),)),
    ("(", ((")", "round"),)),
    ("[[", (("]]", "subroutine"),)),
    ("[(", ((")]", "cylinder"),)),
    ("[/", (("/]", "lean_right"), ("\\]", "trapezoid"))),
    ("[\\", (("\\]", "lean_left"), ("/]", "inv_trapezoid"))),
    ("[|", (("]", "rect"),)),
    ("[", (("]", "square"),)),
    ("{{", (("}}", "hexagon"),)),
    ("{", (("}", "diamond"),)),
    (">", (("]", "odd"),)),
)
_PLAIN_TEXT = re.compile(r"[^\[\](){}|\"]+")
_SLANTED_TEXT = re.compile(r"(?:[^\\/\[\](){}]|[\\/](?!\]))+")
_ELLIPSE_TEXT = re.compile(r"(?:[^()\[\]{}\-/]|[-/](?!\)))+")


class _OpenGroup:
    """A subgraph that has not ended."""

    def __init__(self, name: str | None, label: str, line: int) -> None:
        self.name = name
        self.label = label
        self.line = line
        #: Ids of the nodes and groups that the statements of the subgraph mention.
        self.content: list[str] = []


class _Flowchart:
    """Reads statements one after the other."""

    def __init__(self, source: MermaidSource) -> None:
        self.scanner = Scanner(source.text, source.start)
        self.drawing = Drawing()
        self.drawing.title = source.title
        self.open: list[_OpenGroup] = []
        self.group_count = 0
        self.edge_ids: set[str] = set()

    def read(self) -> Drawing:
        self._read_direction()
        scanner = self.scanner
        while True:
            while scanner.skip_all_space() or scanner.take(";"):
                pass
            if scanner.is_done:
                break
            self._read_statement()
        if self.open:
            raise DiagramSyntaxError(self.open[-1].line, "the subgraph has no `end`")
        return self.drawing

    def _read_direction(self) -> None:
        scanner = self.scanner
        if scanner.match(_DIRECTION) is not None:
            scanner.skip_space()
            if not scanner.is_done and scanner.text[scanner.at] not in "\n;":
                raise scanner.failure("a line break or `;` after the direction")
            return
        rest = scanner.rest_of_line().strip()
        if rest:
            raise DiagramSyntaxError(scanner.line, f"expected a direction such as `TD` or `LR`, but found {rest[:40]!r}")

    def _read_statement(self) -> None:
        scanner = self.scanner
        if scanner.match(_SUBGRAPH) is not None:
            self._open_group()
        elif scanner.match(_END) is not None:
            self._close_group()
        elif scanner.match(TURN) is None and scanner.match(_IGNORED) is None and scanner.match(ACCESSIBILITY) is None:
            styled = scanner.match(_STYLE)
            if styled is None:
                self._read_chain()
            elif not self.drawing.has_group(styled[1]):
                self.drawing.add_node(styled[1], scanner.line)

    def _open_group(self) -> None:
        scanner = self.scanner
        line = scanner.line
        name: str | None
        if scanner.take('"'):
            quoted = scanner.until('"')
            if quoted is None:
                raise scanner.failure("the end of a quoted title")
            name = label = unwrapped(quoted).strip()
        else:
            written = scanner.match(_GROUP_NAME)
            name = label = written[0].strip() if written is not None else ""
        scanner.skip_space()
        if scanner.take("["):
            label = self._text(_PLAIN_TEXT)
            if not scanner.take("]"):
                raise scanner.failure("`]` after the title of the subgraph")
        elif any(character.isspace() for character in name):
            name = None
        scanner.skip_space()
        if not scanner.is_done and scanner.text[scanner.at] not in "\n;":
            raise scanner.failure("a line break after the title of the subgraph")
        self.open.append(_OpenGroup(name or None, label, line))

    def _close_group(self) -> None:
        if not self.open:
            raise self.scanner.failure("`subgraph` before `end`")
        group = self.open.pop()
        name = group.name if group.name is not None else f"subGraph{self.group_count}"
        self.group_count += 1
        outer = self.drawing.group_of(name)  # an earlier subgraph may name a subgraph that follows it
        self.drawing.add_group(name, group.line, label=group.label, kind="subgraph", parent=outer)
        for inner in group.content:
            self.drawing.put_in_group(inner, name)
        if self.open:
            self.open[-1].content.append(name)

    def _read_chain(self) -> None:
        """Read nodes and the links between them: `A & B --> C -- text --> D`."""
        scanner = self.scanner
        sources = self._read_nodes()
        while True:
            before = scanner.at
            link = read_link(scanner)
            if link is None:
                scanner.at = before
                break
            line = scanner.line
            targets = self._read_nodes()
            self._connect(sources, targets, link, line)
            sources = targets
        scanner.skip_space()
        if not scanner.is_done and scanner.text[scanner.at] not in "\n;":
            raise scanner.failure("an arrow or the end of the line")

    def _connect(self, sources: list[str], targets: list[str], link: Link, line: int) -> None:
        if link.id:
            self.edge_ids.add(link.id)
        for source in sources:
            for target in targets:
                self.edge_ids.add(f"L_{source}_{target}_0")  # the id that mermaid gives the first edge between two nodes
                self.drawing.add_edge(source, target, line, label=link.label, style=link.style)

    def _read_nodes(self) -> list[str]:
        """Read one node, or several nodes with `&` between them."""
        scanner = self.scanner
        nodes = [self._read_node()]
        while True:
            before = scanner.at
            if not scanner.skip_space() or not scanner.take("&") or not scanner.skip_space():
                scanner.at = before
                break
            nodes.append(self._read_node())
        if self.open:
            self.open[-1].content.extend(nodes)
        return nodes

    def _read_node(self) -> str:
        scanner = self.scanner
        line = scanner.line
        match = scanner.match(_ID)
        if match is None:
            raise scanner.failure("a node")
        node = match[0]
        label, shape = self._read_shape()
        scanner.match(_CLASS)
        data: dict[str, str] = {}
        if scanner.take("@{"):
            data = shape_data(scanner)
        if node in self.edge_ids:
            return node
        if "label" in data:
            label = data["label"]
        elif label is None and ("icon" in data or "img" in data) and not self.drawing.has_node(node):
            label = ""
        self.drawing.add_node(node, line, label, data.get("shape") or shape)
        return node

    def _read_shape(self) -> tuple[str | None, str | None]:
        """Read the text of a node with the signs around it, and return the text and the shape."""
        scanner = self.scanner
        for opening, endings in _SHAPES:
            if not scanner.text.startswith(opening, scanner.at):
                continue
            scanner.at += len(opening)
            if opening == "[|":
                scanner.match(_NODE_PROPERTIES)
            pattern = _SLANTED_TEXT if len(endings) == 2 else _ELLIPSE_TEXT if opening == "(-" else _PLAIN_TEXT
            label = self._text(pattern)
            for ending, shape in endings:
                if scanner.take(ending):
                    return label, shape
            raise scanner.failure(f"`{endings[0][0]}` after the text of the node")
        return None, None

    def _text(self, pattern: re.Pattern[str]) -> str:
        """Read text that is quoted, or that ends at a bracket."""
        scanner = self.scanner
        before = scanner.at
        scanner.skip_all_space()
        if scanner.take('"'):
            quoted = scanner.until('"')
            if quoted is None:
                raise scanner.failure("the end of a quoted text")
            scanner.skip_all_space()
            return unwrapped(quoted)
        scanner.at = before
        match = scanner.match(pattern)
        return match[0] if match is not None else ""


def read_flowchart(source: MermaidSource) -> Drawing:
    """Read a flowchart.

    Raises DiagramSyntaxError if the text does not follow the grammar.
    """
    return _Flowchart(source).read()
