"""Component, deployment and use case diagrams of PlantUML, which share one grammar.

See https://plantuml.com/component-diagram, https://plantuml.com/deployment-diagram and https://plantuml.com/use-case-diagram.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from ..drawing import DiagramSyntaxError, Drawing
from .grouped_statements import GroupedStatements

_KEYWORD: Final = re.compile(
    r"(action|actor|agent|artifact|boundary|card|circle|cloud|collections|component|control|database|entity|file|folder|frame"
    r"|hexagon|interface|label|node|package|person|portin|portout|port|process|queue|rectangle|stack|storage|usecase)/?(?=[\s\"\[(:{]|$)\s*"
)
_ELEMENT: Final = re.compile(
    r"\[(?!\[)(?P<component>[^\]]*)\]|\(\)\s*(?:\"(?P<quoted_interface>[^\"]*)\"|(?P<interface>[\w.]+))"
    r"|\((?P<usecase>[^()]+)\)/?|:(?P<actor>[^:]+):/?|\"(?P<quoted>[^\"]*)\"|(?P<word>[\w.$@]+)"
)
#: The kinds of elements whose form shows the kind.
_SHOWN_KINDS: Final = {
    "component": "component",
    "quoted_interface": "interface",
    "interface": "interface",
    "usecase": "usecase",
    "actor": "actor",
}
_AS: Final = re.compile(r"\s*as\s+(?:\"([^\"]*)\"|\[([^\]]*)\]|\(([^()]*)\)|:([^:]*):|([\w.$@]+))")
#: Stereotypes, colors, links and tags behind an element.
_MARKS: Final = re.compile(r"(?:\s*(?:<<[^>]*>>|#[\w;:.,|/\\-]+|\[\[[^\]]*\]\]|\$\w+|order\s+\d+))*\s*")
_LEFT_HEAD: Final = r"(?:<\|\|?|<<|<_?|\^|\*|\+|#|\}|@|0\)|0|\(0?|\)|[ox](?=[-.=~]))?"
_RIGHT_HEAD: Final = r"(?:\|?\|>|>>|_?>|\^|\*|\+|#|\{|@|\(0|0\)|0|\(|\)|[ox](?!\w))?"
_DIRECTION: Final = r"(?:left|right|up|down|le|ri|do|[lrud])?"
_ARROW: Final = re.compile(
    rf"\s*(?:\"([^\"]*)\"\s*)?({_LEFT_HEAD})([-.=~]+(?:\[[^\]]*\])?{_DIRECTION}(?:\[[^\]]*\])?"
    rf"(?:(?:\(0\)|\(0|0\)|0)(?=[-.=~]))?[-.=~]*)({_RIGHT_HEAD})\s*(?:\"([^\"]*)\"\s*)?"
)
_LABEL: Final = re.compile(r"\s*:\s*(.*)")
_HEADS: Final = {
    "<|": "inheritance",
    "|>": "inheritance",
    "^": "inheritance",
    "*": "composition",
    "o": "aggregation",
    "+": "nesting",
    "x": "cross",
    "#": "square",
}
#: Elements that occur in deployment diagrams rather than in component diagrams.
_OF_DEPLOYMENTS: Final = frozenset(("artifact", "cloud", "node"))


class _Element(NamedTuple):
    """An element as written, and the offset behind it."""

    name: str
    #: The kind that the form or a keyword shows, else an empty text.
    kind: str
    end: int


def _element_at(text: str, at: int) -> _Element | None:
    match = _ELEMENT.match(text, at)
    if match is None or match.lastgroup is None:
        return None
    return _Element(match[match.lastgroup].strip(), _SHOWN_KINDS.get(match.lastgroup, ""), match.end())


def _after_marks(text: str, at: int) -> int:
    marks = _MARKS.match(text, at)
    return marks.end() if marks is not None else at


def _style(left: str, stroke: str, right: str) -> str:
    dotted = "dotted " if stroke[0] in ".~" or (stroke.startswith("--") and "." in stroke) else ""
    heads = [_HEADS[head] for head in (left, right) if head in _HEADS]
    if heads:
        return f"{dotted}{' and '.join(heads)}{' at source' if left in _HEADS and right not in _HEADS else ''}"
    if "<" in left and ">" in right:
        return f"{dotted}double arrow"
    return f"{dotted}{'arrow' if '<' in left or '>' in right else 'link'}"


class _Components(GroupedStatements):
    expected = "an element, a relation or a group"

    def __init__(self) -> None:
        super().__init__()
        #: The element whose long description is open, and its line.
        self.description: tuple[str, int] | None = None
        self.kinds: dict[str, str] = {}
        self.group_kinds: set[str] = set()

    def read_inside(self, text: str) -> bool:
        if self.description is None:
            return False
        self._describe(text)
        return True

    def read_statement(self, text: str, line: int) -> bool:
        if text in ("{", "together {"):
            self.open.append((None, line))
            return True
        return self._read_declaration(text, line) or self._read_relation(text, line)

    def _describe(self, text: str) -> None:
        assert self.description is not None
        inside = text.removesuffix("]").strip()
        if inside:
            self.drawing.add_member(self.description[0], inside)
        if text.endswith("]"):
            self.description = None

    def _read_declaration(self, text: str, line: int) -> bool:
        """Read an element or the head of a group. Return False for other statements."""
        keyword = _KEYWORD.match(text)
        at = keyword.end() if keyword is not None else 0
        kind = keyword[1] if keyword is not None else ""
        element = _element_at(text, at)
        if element is None:
            if keyword is None or text[at:] != "{":
                return False
            self.open.append((None, line))
            return True
        if keyword is None and not element.kind:
            return False
        name, label = element.name, element.name
        end = element.end
        alias = _AS.match(text, end) or _AS.match(text, _after_marks(text, end))
        if alias is not None:
            other = next(part for part in alias.groups() if part is not None).strip()
            # `component "Long name" as id`, and `component id as "Long name"`
            name, label = (name, other) if alias[1] is not None and text[at] != '"' else (other, label)
            end = alias.end()
        rest = text[_after_marks(text, end) :].strip()
        if rest not in ("", "{", "[") and not (keyword is not None and rest.startswith("[") and "]" not in rest):
            return False
        kind = kind or element.kind
        if kind in ("port", "portin", "portout"):
            kind = "port"
        if rest == "{":
            if not self.drawing.has_group(name):
                self.drawing.add_group(name, line, label=label.replace("\\n", "\n"), kind=kind, parent=self.group)
            self.open.append((name, line))
            self.group_kinds.add(kind)
        else:
            self._add(name, label, kind, line)
            if rest:
                self.description = (name, line)
                self._describe(rest[1:])
        return True

    def _add(self, name: str, label: str, kind: str, line: int) -> None:
        self.drawing.add_node(name, line, label.replace("\\n", "\n"), kind, self.group)
        self.kinds[name] = kind
        self.last = name

    def _mention(self, element: _Element, line: int) -> str:
        name = element.name
        if not self.drawing.has_group(name) and (not self.drawing.has_node(name) or (element.kind and not self.kinds[name])):
            self._add(name, name, element.kind, line)
        self.last = name
        return name

    def _read_relation(self, text: str, line: int) -> bool:
        source = _element_at(text, 0)
        arrow = _ARROW.match(text, source.end) if source is not None else None
        target = _element_at(text, arrow.end()) if arrow is not None else None
        if source is None or arrow is None or target is None:
            return False
        end = _after_marks(text, target.end)
        label = _LABEL.match(text, end)
        if label is None and text[end:].strip():
            return False
        if self.notes.connects(source.name, target.name):
            return True
        first, second = self._mention(source, line), self._mention(target, line)
        left, stroke, right = arrow[2], arrow[3], arrow[4]
        ends = (arrow[1] or "", arrow[5] or "")
        if "<" in left and left not in _HEADS and ">" not in right:
            first, second, ends = second, first, (ends[1], ends[0])
        written = label[1].strip() if label is not None else ""
        self.drawing.add_edge(
            first, second, line, label=written.replace("\\n", "\n"), style=_style(left, stroke, right), ends=ends
        )
        return True

    def finish(self) -> None:
        if self.description is not None:
            raise DiagramSyntaxError(self.description[1], "the description has no `]`")

    def complete(self) -> str:
        """Complete the diagram, and return its kind: `component`, `deployment` or `usecase`.

        An element that the text only mentions is an actor in a diagram with actors or use cases, else an interface.
        """
        kinds = set(self.kinds.values())
        unknown = "actor" if kinds & {"actor", "usecase"} else "interface"
        for name, kind in self.kinds.items():
            if not kind:
                self.drawing.add_node(name, 0, kind=unknown)
        if "usecase" in kinds:
            return "usecase"
        kinds |= self.group_kinds
        return "deployment" if kinds & _OF_DEPLOYMENTS and "component" not in kinds else "component"


def read_plantuml_components(text: str) -> tuple[Drawing, str]:
    """Read a component, deployment or use case diagram of PlantUML, and return it with its kind.

    Raises DiagramSyntaxError if the text does not follow the grammar.
    """
    components = _Components()
    components.read(text)
    return components.drawing, components.complete()
