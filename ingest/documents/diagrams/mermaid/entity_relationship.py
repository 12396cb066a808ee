"""Entity relationship diagrams of mermaid: https://mermaid.js.org/syntax/entityRelationshipDiagram.html."""

from __future__ import annotations

import re

from ..drawing import DiagramSyntaxError, Drawing
from .common import ACCESSIBILITY, TURN
from .preamble import MermaidSource
from .scanner import Scanner

_NAME = re.compile(r"\"([^\"\n]+)\"|((?:[^\x00-\x7f]|\w|[-*.])+)")
_ALIAS = re.compile(r"[^\S\n]*\[\s*(?:\"([^\"\n]+)\"|((?:[^\x00-\x7f]|\w|[-*.])+))\s*\]")
_CLASS = re.compile(r"[^\S\n]*:::[^\S\n]*[\w,-]+")
_IGNORED = re.compile(r"(?:style|classDef|class|title)\b[^\n]*", re.IGNORECASE)
_OPEN = re.compile(r"\s*\{")
#: Cardinalities in words and in signs. Longer forms come first.
_CARDINALITIES = (
    (r"one or zero|zero or one|\|o|o\|", "zero or one"),
    (r"one or more|one or many|many\(1\)|1\+|\}\||\|\{", "one or more"),
    (r"zero or more|zero or many|many\(0\)|many|0\+|\}o|o\{", "zero or more"),
    (r"only one|one|1|\|\|", "only one"),
    (r"u", "parent"),
)
_CARDINALITY = "|".join(f"({pattern})" for pattern, _ in _CARDINALITIES)
_START = re.compile(rf"[^\S\n]*(?:{_CARDINALITY})[^\S\n]*", re.IGNORECASE)
_END = re.compile(rf"[^\S\n]*(?:{_CARDINALITY})[^\S\n]*", re.IGNORECASE)
_LINE = re.compile(r"(--|to\b)|(\.\.|\.-|-\.|optionally to\b)", re.IGNORECASE)
_ROLE = re.compile(r"[^\S\n]*:[^\S\n]*(?:\"([^\"]*)\"|((?:[^\x00-\x7f]|\w|[-*.])+))")
_ATTRIBUTE_WORD = re.compile(r"\s*([^\s{}\"]*~[^\n~]*~[^\s{}\"]*|[*A-Za-z_\u00c0-\uffff][A-Za-z0-9\-_\[\]()\u00c0-\uffff*.]*)")
_KEYS = re.compile(r"[^\S\n]*((?:PK|FK|UK)\b(?:\s*,\s*(?:PK|FK|UK)\b)*)", re.IGNORECASE)
_COMMENT = re.compile(r"[^\S\n]*\"([^\"]*)\"")


def _cardinality(match: re.Match[str]) -> str:
    return next(name for (_, name), group in zip(_CARDINALITIES, match.groups(), strict=True) if group is not None)


class _EntityDiagram:
    """Reads statements one after the other."""

    def __init__(self, source: MermaidSource) -> None:
        self.scanner = Scanner(source.text, source.start)
        self.drawing = Drawing()
        self.drawing.title = source.title

    def read(self) -> Drawing:
        scanner = self.scanner
        while True:
            scanner.skip_all_space()
            if scanner.is_done:
                return self.drawing
            if not any(scanner.match(pattern) for pattern in (TURN, ACCESSIBILITY, _IGNORED)):
                self._read_entity()

    def _name(self) -> str:
        match = self.scanner.match(_NAME)
        if match is None:
            raise self.scanner.failure("the name of an entity")
        return match[1] or match[2]

    def _read_entity(self) -> None:
        """Read an entity with its attributes, or a relationship."""
        scanner = self.scanner
        line = scanner.line
        name = self._name()
        alias = scanner.match(_ALIAS)
        scanner.match(_CLASS)
        self.drawing.add_node(name, line, (alias[1] or alias[2]) if alias else None, "entity")
        start = scanner.match(_START)
        if start is not None:
            self._read_relationship(name, start, line)
        else:
            before = scanner.at
            if scanner.match(_OPEN) is not None:
                self._read_attributes(name, line)
            else:
                scanner.at = before
        scanner.skip_space()
        if not scanner.is_done and scanner.text[scanner.at] != "\n":
            raise scanner.failure("a relationship, `{` or the end of the line")

    def _read_relationship(self, source: str, start: re.Match[str], line: int) -> None:
        scanner = self.scanner
        kind = scanner.match(_LINE)
        if kind is None:
            raise scanner.failure("`--` or `..`")
        end = scanner.match(_END)
        if end is None:
            raise scanner.failure("how many entities there are, such as `o{`")
        target = self._name()
        scanner.match(_CLASS)
        role = scanner.match(_ROLE)
        if role is None:
            raise scanner.failure("`:` and the name of the relationship")
        self.drawing.add_node(target, line, kind="entity")
        self.drawing.add_edge(
            source,
            target,
            line,
            label=role[1] if role[1] is not None else role[2],
            style="identifying" if kind[1] else "non-identifying",
            ends=(_cardinality(start), _cardinality(end)),
        )

    def _read_attributes(self, name: str, line: int) -> None:
        scanner = self.scanner
        while True:
            scanner.skip_all_space()
            if scanner.take("}"):
                return
            if scanner.is_done:
                raise DiagramSyntaxError(line, f"the entity {name!r} has no `}}`")
            kind, attribute = scanner.match(_ATTRIBUTE_WORD), scanner.match(_ATTRIBUTE_WORD)
            if kind is None or attribute is None:
                raise scanner.failure("the type and the name of an attribute")
            keys, comment = scanner.match(_KEYS), scanner.match(_COMMENT)
            parts = [kind[1], attribute[1], keys[1] if keys else "", f'"{comment[1]}"' if comment else ""]
            self.drawing.add_member(name, " ".join(part for part in parts if part))


def read_entity_diagram(source: MermaidSource) -> Drawing:
    """Read an entity relationship diagram.

    Raises DiagramSyntaxError if the text does not follow the grammar.
    """
    return _EntityDiagram(source).read()
