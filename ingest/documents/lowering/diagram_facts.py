"""Facts of the diagrams in a file: symbols for diagrams, groups and nodes, their connections, and the code that nodes name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from ....schema.records import Problem
from ...facts.document_facts import MentionFact, MessageFact
from ...facts.model import SymbolFact
from ..diagrams.diagram_parts import Diagram, DiagramBlock, DiagramGroup
from ..names import CodeName, read_name
from ..sections import symbol_name

#: Names of diagrams without a title.
_TITLES: Final = {
    "flowchart": "flowchart",
    "mindmap": "mindmap",
    "timeline": "timeline",
    "journey": "user journey",
    "gitgraph": "git graph",
    "er": "entity relationship diagram",
    "c4": "C4 diagram",
    "component": "component diagram",
    "deployment": "deployment diagram",
    "usecase": "use case diagram",
    "pie": "pie chart",
    "quadrant": "quadrant chart",
    "graph": "graph",
    "digraph": "graph",
}
#: Kinds of diagrams whose nodes are types.
_OF_TYPES: Final = frozenset(("class",))
#: Maximum depth of nested groups. Deeper groups become siblings.
_MAX_DEPTH: Final = 16
#: Maximum length of the signature of a node, in characters.
_MAX_SIGNATURE: Final = 200
#: Opening brackets and signs at the end of a line that was cut.
_OPENERS: Final = "{:;,\\ "


class DiagramFacts:
    """Collects the facts of the diagrams of one file. The symbols of the diagrams follow the existing symbols of the file."""

    def __init__(self, symbols: list[SymbolFact], lines: Sequence[str]) -> None:
        self._symbols = symbols
        self._lines = lines
        self.mentions: list[MentionFact] = []
        self.messages: list[MessageFact] = []
        self.problems: list[Problem] = []

    def add(self, diagram: Diagram, first_line: int, parent: int) -> None:
        """Add a diagram whose text begins at a line. `parent` is the enclosing symbol, or -1."""
        if not diagram.text.strip():
            return
        _DiagramReading(self, self._symbols, self._lines, diagram, first_line).run(parent)


class _DiagramReading:
    """Computes the facts of one diagram."""

    def __init__(
        self, found: DiagramFacts, symbols: list[SymbolFact], lines: Sequence[str], diagram: Diagram, first_line: int
    ) -> None:
        self._found = found
        self._symbols = symbols
        self._lines = lines
        self._diagram = diagram
        self._first_line = first_line
        self._last_line = min(first_line + diagram.text.rstrip().count("\n"), max(len(lines), first_line))
        #: The symbols of nodes and groups, by their ids in the diagram.
        self._places: dict[str, int] = {}

    def run(self, parent: int) -> None:
        diagram = self._diagram
        # A PlantUML diagram without a grammar for its kind is not a problem of the document.
        if diagram.problem is not None and (diagram.kind or diagram.language != "plantuml"):
            self._found.problems.append(Problem(self._line(diagram.problem.line), f"diagram: {diagram.problem.reason}"))
        depth = self._symbols[parent].depth + 1 if parent >= 0 else 0
        title = symbol_name(diagram.title) if diagram.title else _TITLES.get(diagram.kind, f"{diagram.kind} diagram".strip())
        words = [word for word in (diagram.language, diagram.kind) if word]
        place = self._add(title, "diagram", parent, depth, (self._first_line, self._last_line), self._first_line, title, words)
        self._add_groups(place, depth + 1)
        for node in diagram.nodes:
            outer = self._places.get(node.group or "", place)
            line = self._line(node.line)
            label = node.label or node.id
            shown = self._shown(line)
            words = [node.kind] if node.kind else []
            own = self._add(
                symbol_name(label), "diagramNode", outer, self._symbols[outer].depth + 1, (line, line), line, shown, words
            )
            self._places.setdefault(node.id, own)
            self._mention(own, (node.id, label), line, node.group)
        self._connect()

    def _line(self, line: int) -> int:
        return min(max(self._first_line + line - 1, self._first_line), self._last_line)

    def _shown(self, line: int) -> str:
        return self._lines[line - 1][:_MAX_SIGNATURE].strip().rstrip(_OPENERS) if line <= len(self._lines) else ""

    def _add(
        self,
        name: str,
        kind: str,
        parent: int,
        depth: int,
        span: tuple[int, int],
        line: int,
        signature: str,
        modifiers: list[str],
    ) -> int:
        start, end = span
        is_root = parent < 0
        self._symbols.append(
            SymbolFact(name, kind, parent, depth, start, end, line, line, signature, "", modifiers, is_root, is_root)
        )
        return len(self._symbols) - 1

    def _add_groups(self, diagram_place: int, depth: int) -> None:
        """Add the symbols of groups, an outer group before its inner groups. The lines of a group include all its content."""
        groups = {group.id: group for group in self._diagram.groups}
        parents = _acyclic_parents(self._diagram.groups)
        depths = {name: len(outer) for name, outer in parents.items()}
        spans = {name: [self._line(group.line)] * 2 for name, group in groups.items()}
        for node in self._diagram.nodes:
            if node.group in spans:
                _widen(spans[node.group], self._line(node.line), self._line(node.line))
        ordered = sorted(groups, key=lambda name: depths[name])
        for name in reversed(ordered):
            if parents[name]:
                _widen(spans[parents[name][-1]], *spans[name])
        for name in ordered:
            group = groups[name]
            outer = self._places[parents[name][-1]] if parents[name] else diagram_place
            line = self._line(group.line)
            label = group.label or group.id
            start, end = spans[name]
            self._places[name] = self._add(
                symbol_name(label),
                "diagramNode",
                outer,
                depth + depths[name],
                (start, end),
                line,
                self._shown(line),
                ["group", *([group.kind] if group.kind else [])],
            )
            self._mention(self._places[name], (group.id, label), line)

    def _connect(self) -> None:
        diagram = self._diagram
        labels = {node.id: node.label for node in diagram.nodes}
        position = 0
        for edge in diagram.edges:
            self._message(edge.source, edge.target, edge.label, edge.style, "", position, edge.line)
            position += 1
        for message in diagram.messages:
            frame = _frame(diagram.blocks[message.block]) if message.block is not None else ""
            self._message(message.source, message.target, message.label, message.style, frame, position, message.line)
            position += 1
            receiver = self._places.get(message.target)
            called = read_name(message.label.partition("\n")[0])
            if receiver is not None and called is not None and called.is_call:
                owner = read_name(labels.get(message.target, "")) or read_name(message.target)
                self._name_call(receiver, owner, called, self._line(message.line))

    def _message(self, source: str, target: str, label: str, style: str, frame: str, position: int, line: int) -> None:
        start, end = self._places.get(source), self._places.get(target)
        if start is not None and end is not None:
            text = " ".join(label.split())
            self._found.messages.append(MessageFact(start, end, text, style, frame, position, self._line(line)))

    def _name_call(self, receiver: int, owner: CodeName | None, called: CodeName, line: int) -> None:
        """Add a mention of the called code of a message: a method of the receiver, if the text looks like a name of code."""
        name = ".".join(called.parts)
        qualifier = [".".join(owner.parts)] if owner is not None and len(called.parts) == 1 else []
        column = self._column(called.parts[-1], line)
        self._found.mentions.append(MentionFact(receiver, "message", f"{name}()", line, column, qualifier))

    def _mention(self, symbol: int, texts: tuple[str, str], line: int, group: str | None = None) -> None:
        """Add a mention of the code that the id or the label of a node names. For a class, the group may be the package."""
        form = "class" if self._diagram.kind in _OF_TYPES else "diagram"
        package = read_name(group) if group is not None and form == "class" else None
        qualifier = [".".join(package.parts)] if package is not None else []
        for text in dict.fromkeys(text.strip("`\"' ") for text in texts):
            if text and "\n" not in text and (read_name(text) is not None or "/" in text or "." in text):
                self._found.mentions.append(MentionFact(symbol, form, text, line, self._column(text, line), qualifier))

    def _column(self, text: str, line: int) -> int:
        """Return the column of a text in a line of the file; 1 if the line contains the text in another form."""
        return max(self._lines[line - 1].find(text), 0) + 1 if line <= len(self._lines) else 1


def _frame(block: DiagramBlock) -> str:
    return " ".join(f"{block.kind} {block.label}".split())


def _widen(span: list[int], start: int, end: int) -> None:
    span[0], span[1] = min(span[0], start), max(span[1], end)


def _acyclic_parents(groups: Sequence[DiagramGroup]) -> dict[str, tuple[str, ...]]:
    """Return the groups around each group, the outermost first. In a damaged diagram, two groups may be nested in each other."""
    parents = {group.id: group.parent for group in groups}
    found: dict[str, tuple[str, ...]] = {}
    for name in parents:
        for each in reversed(list(_unfinished(name, parents, found))):
            outer = parents[each]
            found[each] = (*found[outer], outer)[:_MAX_DEPTH] if outer is not None and outer in found else ()
    return found


def _unfinished(name: str, parents: dict[str, str | None], found: dict[str, tuple[str, ...]]) -> Iterator[str]:
    """Yield a group and its enclosing groups, up to the first group with a known result."""
    seen: set[str] = set()
    at: str | None = name
    while at is not None and at in parents and at not in found and at not in seen:
        seen.add(at)
        yield at
        at = parents[at]
