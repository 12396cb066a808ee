"""C4 diagrams of mermaid: https://mermaid.js.org/syntax/c4.html."""

from __future__ import annotations

import re

from ..drawing import DiagramSyntaxError, Drawing
from .common import ACCESSIBILITY, TURN
from .nesting import NestedGrammar
from .preamble import MermaidSource

_MACRO = re.compile(r"([A-Za-z]\w*)[^\S\n]*\(")
_ARGUMENT = re.compile(r"\s*(?:(\$\w+)\s*=\s*)?(?:\"([^\"]*)\"|([^,)\"]*))\s*")
_TITLE = re.compile(r"title[^\S\n]+([^\n#;]+)")
_IGNORED = re.compile(r"(?:accDescription[^\S\n][^\n]*|#[^\n]*)")
_OPEN = re.compile(r"\s*\{")
_ELEMENT = re.compile(r"(Person|System|Container|Component)(Db|Queue)?(_Ext)?")
_BOUNDARIES = frozenset(
    ("Boundary", "Enterprise_Boundary", "System_Boundary", "Container_Boundary", "Deployment_Node", "Node", "Node_L", "Node_R")
)
_RELATION = re.compile(r"(?:Bi)?Rel(?:Index|_\w+)?")
_STYLES = frozenset(("UpdateElementStyle", "UpdateRelStyle", "UpdateLayoutConfig", "UpdateBoundaryStyle"))


class _C4(NestedGrammar):
    """Reads macros one after the other."""

    group_kind = "boundary"

    def __init__(self, source: MermaidSource) -> None:
        super().__init__(source)
        #: Positions of edges by nodes, because a second relation of two nodes replaces the first relation.
        self.relations: dict[tuple[str, str], int] = {}

    def _read_statement(self, line: int) -> None:
        scanner = self.scanner
        if scanner.take("}"):
            self._close(line)
        elif (title := scanner.match(_TITLE)) is not None:
            self.drawing.title = title[1]
        elif not any(scanner.match(pattern) for pattern in (_IGNORED, TURN, ACCESSIBILITY)):
            self._read_macro(line)

    def _read_macro(self, line: int) -> None:
        macro = self.scanner.match(_MACRO)
        if macro is None:
            raise self.scanner.failure("a macro such as `Person(`")
        name = macro[1]
        arguments = self._arguments()
        element = _ELEMENT.fullmatch(name)
        if element is not None:
            self._add_element(element, arguments, line)
        elif name in _BOUNDARIES:
            self._open_boundary(name, arguments, line)
        elif _RELATION.fullmatch(name) is not None:
            self._add_relation(name, arguments[1:] if name == "RelIndex" else arguments, line)
        elif name not in _STYLES:
            raise DiagramSyntaxError(line, f"{name!r} is no macro of C4 diagrams")

    def _arguments(self) -> list[str]:
        """Read positional arguments up to `)`. Named arguments are skipped."""
        scanner = self.scanner
        values: list[str] = []
        while True:
            argument = scanner.match(_ARGUMENT)
            if argument is not None and argument[1] is None:
                values.append(argument[2] if argument[2] is not None else argument[3].strip())
            if scanner.take(")"):
                return values
            if not scanner.take(","):
                raise scanner.failure("`,` or `)` after an argument")

    def _add_element(self, element: re.Match[str], arguments: list[str], line: int) -> None:
        kind = element[1].lower() + (f"_{element[2].lower()}" if element[2] else "")
        group = self.group
        name = arguments[0]
        self.drawing.add_node(
            name, line, arguments[1] if len(arguments) > 1 else None, f"external_{kind}" if element[3] else kind, group
        )
        for text in arguments[2:4]:
            if text:
                self.drawing.add_member(name, text)

    def _open_boundary(self, name: str, arguments: list[str], line: int) -> None:
        parent = self.group
        label = arguments[1] if len(arguments) > 1 else arguments[0]
        self.drawing.add_group(arguments[0], line, label=label, kind=name.lower(), parent=parent)
        if self.scanner.match(_OPEN) is None:
            raise self.scanner.failure("`{` after the boundary")
        self.open.append((arguments[0], line))

    def _add_relation(self, name: str, arguments: list[str], line: int) -> None:
        if len(arguments) < 2:
            raise DiagramSyntaxError(line, f"`{name}` needs where the relation begins and where it ends")
        source, target = arguments[0], arguments[1]
        label = arguments[2] if len(arguments) > 2 else ""
        style = "double arrow" if name.startswith("Bi") else "arrow"
        technology = arguments[3] if len(arguments) > 3 else ""
        before = self.relations.get((source, target))
        self.relations[source, target] = len(self.drawing.edges) if before is None else before
        self.drawing.add_edge(source, target, line, label=label, style=style, ends=("", technology))
        if before is not None:
            self.drawing.edges[before] = self.drawing.edges.pop()


def read_c4(source: MermaidSource) -> Drawing:
    """Read a C4 diagram.

    Raises DiagramSyntaxError if the text does not follow the grammar.
    """
    return _C4(source).read()
