"""Class diagrams of PlantUML: https://plantuml.com/class-diagram."""

from __future__ import annotations

import re

from ..drawing import DiagramSyntaxError, Drawing
from .grouped_statements import GroupedStatements

_NAME = r"(?:\"([^\"]*)\"|((?:::)?[\w$]+(?:(?:::|[.:])[\w$]+)*(?:<[^>\n]*>)?))"
_CLASS = re.compile(
    r"(?:[-+#~]\s*)?"
    r"(abstract class|abstract|class|interface|enum|annotation|entity|struct|exception|protocol|object|circle|diamond)"
    rf"\s+{_NAME}(?:\s+as\s+{_NAME})?(.*)"
)
_HERITAGE = re.compile(r"\b(extends|implements)\b")
_GROUP = re.compile(
    r"(package|namespace|together|rectangle|folder|node|frame|cloud|database)\b\s*"
    r"(?:\"([^\"]*)\"|([\w.:$-]*)(?![\w.:$-]))[^{]*\{"
)
_DIRECTION = "(?:left|right|up|down|[lrud])"
_STROKE = rf"([-.]+(?:\[[^\]]*\]{_DIRECTION}?[-.]+|{_DIRECTION}[-.]+)?)"
_RELATION = re.compile(
    rf"{_NAME}\s*(?:\"([^\"]*)\"\s*)?((?:\}}[o|]|\|[o|]|<\||<|\*|o|\+|#|x|\}}|\^)?){_STROKE}((?:[o|]\{{|[o|]\||\|>|>|\*|o|\+|#|x|\{{|\^)?)"
    rf"\s*(?:\"([^\"]*)\"\s*)?{_NAME}\s*(?::\s*(.*))?"
)
_MEMBER = re.compile(rf"{_NAME}\s*:\s*(.+)")
_HEADS = {
    "<|": "inheritance",
    "|>": "inheritance",
    "^": "inheritance",
    "<": "dependency",
    ">": "dependency",
    "*": "composition",
    "o": "aggregation",
    "+": "nesting",
    "x": "cross",
    "#": "square",
    "{": "many",
    "}": "many",
}
#: Heads of arrows in the crow's foot notation, which denote a cardinality.
_CARDINALITIES = {
    "}o": "zero or more",
    "o{": "zero or more",
    "}|": "one or more",
    "|{": "one or more",
    "|o": "zero or one",
    "o|": "zero or one",
    "||": "only one",
}


def _either(first: str | None, second: str | None) -> str:
    return first if first is not None else second or ""


def _without_parameters(name: str) -> str:
    """Return the name of a class without its type parameters."""
    return name.partition("<")[0] if name[:1] != "<" else name


class _Classes(GroupedStatements):
    expected = "a class, a relation or a group"

    def __init__(self) -> None:
        super().__init__()
        #: The class whose body is open, and its line.
        self.body: tuple[str, int] | None = None

    def read_inside(self, text: str) -> bool:
        if self.body is None:
            return False
        if text == "}":
            self.body = None
        elif text.strip("-._=") and not text.startswith(("--", "..", "==", "__")):
            self.drawing.add_member(self.body[0], text)
        return True

    def read_statement(self, text: str, line: int) -> bool:
        if (declared := _CLASS.fullmatch(text)) is not None:
            self._declare(declared, line)
        elif (group := _GROUP.fullmatch(text)) is not None:
            self._open_group(group, line)
        elif (relation := _RELATION.fullmatch(text)) is not None:
            self._relate(relation, line)
        elif (member := _MEMBER.fullmatch(text)) is not None:
            self.drawing.add_member(self._mention(_either(member[1], member[2]), line), member[3])
        else:
            return False
        return True

    def finish(self) -> None:
        if self.body is not None:
            raise DiagramSyntaxError(self.body[1], "the body of the class has no `}`")

    def _declare(self, declared: re.Match[str], line: int) -> None:
        first, second = _either(declared[2], declared[3]), _either(declared[4], declared[5])
        # `class "Long name" as Id`, and `class Id as "Long name"`
        name, label = (first, first) if not second else (first, second) if declared[4] is not None else (second, first)
        name = _without_parameters(name)
        kind = "abstract class" if declared[1] == "abstract" else declared[1]
        self.drawing.add_node(name, line, label, kind, self.group)
        self.last = name
        rest = declared[6].strip()
        _, *heritage = _HERITAGE.split(rest.partition("{")[0])
        for word, parents in zip(heritage[::2], heritage[1::2], strict=True):
            style = "inheritance" if word == "extends" else "dotted inheritance"
            for parent in parents.split(","):
                if parent.strip():
                    self.drawing.add_edge(name, self._mention(parent.split()[0], line), line, style=style)
        _, brace, inside = rest.partition("{")
        if brace and inside.rstrip().endswith("}"):
            if inside.strip() != "}":
                self.drawing.add_member(name, inside.rstrip()[:-1])
        elif brace:
            self.body = (name, line)

    def _open_group(self, group: re.Match[str], line: int) -> None:
        name = _either(group[2], group[3])
        if not name:
            self.open.append((None, line))
            return
        if not self.drawing.has_group(name):
            self.drawing.add_group(name, line, label=name, kind=group[1], parent=self.group)
        self.open.append((name, line))

    def _mention(self, written: str, line: int) -> str:
        name = _without_parameters(written)
        if not self.drawing.has_node(name):
            self.drawing.add_node(name, line, written, "class", self.group)
        self.last = name
        return name

    def _relate(self, relation: re.Match[str], line: int) -> None:
        first, second = _either(relation[1], relation[2]), _either(relation[8], relation[9])
        if self.notes.connects(first, second):
            return
        source, target = self._mention(first, line), self._mention(second, line)
        start, stroke, end = relation[4], relation[5], relation[6]
        heads = [_HEADS[head] for head in (start, end) if head in _HEADS]
        kind = " and ".join(heads) or "link"
        side = " at source" if start in _HEADS and end not in _HEADS else ""
        self.drawing.add_edge(
            source,
            target,
            line,
            label=relation[10] or "",
            style=f"{'dotted ' if stroke[0] == '.' else ''}{kind}{side}",
            ends=(relation[3] or _CARDINALITIES.get(start, ""), relation[7] or _CARDINALITIES.get(end, "")),
        )


def read_plantuml_classes(text: str) -> Drawing:
    """Read a class diagram of PlantUML.

    Raises DiagramSyntaxError if the text does not follow the grammar.
    """
    classes = _Classes()
    classes.read(text)
    return classes.drawing
