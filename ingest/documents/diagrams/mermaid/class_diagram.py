"""Class diagrams of mermaid: https://mermaid.js.org/syntax/classDiagram.html."""

from __future__ import annotations

import re

from ..drawing import DiagramSyntaxError, Drawing
from .common import ACCESSIBILITY, TURN
from .nesting import NestedGrammar
from .preamble import MermaidSource

_NAME = re.compile(r"(`[^`]+`|(?:\w|-(?!-))+(?:\.(?:\w|-(?!-))+)*)(?:~([^~\n]*)~)?")
_CLASS = re.compile(r"class(?=\s)[^\S\n]+")
_NAMESPACE = re.compile(r"namespace(?=\s)[^\S\n]+")
_LABEL = re.compile(r"[^\S\n]*\[\s*\"([^\"]*)\"\s*\]")
_STYLE = re.compile(r"[^\S\n]*:::[^\S\n]*[\w-]+")
_ANNOTATION = re.compile(r"[^\S\n]*<<([^>\n]+)>>")
_OPEN = re.compile(r"\s*\{")
_BODY = re.compile(r"[^{}\n]*")
_NOTE = re.compile(r"note(?:[^\S\n]+for[^\S\n]+(`[^`]+`|[\w.-]+))?[^\S\n]*\"([^\"]*)\"")
_IGNORED = re.compile(r"(?:style|classDef|cssClass|callback|link|click)\b[^\n]*")
_QUOTED = re.compile(r"[^\S\n]*\"([^\"\n]*)\"")
_RELATION = re.compile(r"[^\S\n]*(?:(<\||\|>|>|<|\*|o|\(\))[^\S\n]*)?(--|\.\.)[^\S\n]*(<\||\|>|>|<|\*|o(?!\w)|\(\))?[^\S\n]*")
_TEXT = re.compile(r"[^\S\n]*:([^:\n;][^\n;]*)")
#: Maximum depth of nested namespaces.
MAX_DEPTH = 32
_HEADS = {
    "<|": "inheritance",
    "|>": "inheritance",
    ">": "dependency",
    "<": "dependency",
    "*": "composition",
    "o": "aggregation",
    "()": "lollipop",
}


def relation_style(start: str | None, line: str, end: str | None) -> str:
    """Return the style of a relation: the kinds of its heads, followed by "at source" if only the source has a head."""
    heads = [_HEADS[head] for head in (start, end) if head]
    kind = " and ".join(heads) if heads else "link"
    side = "" if not heads or (start and end) else " at source" if start else ""
    return f"{'dotted ' if line == '..' else ''}{kind}{side}"


class _ClassDiagram(NestedGrammar):
    """Reads statements one after the other."""

    group_kind = "namespace"

    def __init__(self, source: MermaidSource) -> None:
        super().__init__(source)
        self.interface_count = 0

    def _skip_to_statement(self) -> None:
        while self.scanner.skip_all_space() or self.scanner.take(";"):
            pass

    def _read_statement(self, line: int) -> None:
        scanner = self.scanner
        if scanner.take("}"):
            self._close(line)
        elif scanner.match(_CLASS) is not None:
            self._read_class(line)
        elif scanner.match(_NAMESPACE) is not None:
            self._open_namespace(line)
        elif (note := scanner.match(_NOTE)) is not None:
            self.drawing.add_note(note[2].replace("\\n", "\n"), (note[1].strip("`"),) if note[1] else (), line)
        elif (annotation := scanner.match(_ANNOTATION)) is not None:
            scanner.skip_space()
            self.drawing.add_node(self._class_name(line), line, kind=annotation[1].strip())
        elif not any(scanner.match(pattern) for pattern in (_IGNORED, TURN, ACCESSIBILITY)):
            self._read_relation(line)

    def _class_name(self, line: int) -> str:
        """Read the name of a class and add the class."""
        name, label = self._written_name()
        self._add(name, label, line)
        return name

    def _written_name(self) -> tuple[str, str | None]:
        match = self.scanner.match(_NAME)
        if match is None:
            raise self.scanner.failure("the name of a class")
        name = match[1].strip("`")
        return name, f"{name}<{match[2]}>" if match[2] else None

    def _add(self, name: str, label: str | None, line: int) -> None:
        if not self.drawing.has_node(name):
            self.drawing.add_node(name, line, label, "class")

    def _read_class(self, line: int) -> None:
        scanner = self.scanner
        name = self._class_name(line)
        if self.open:
            self.drawing.put_in_group(name, self.open[-1][0])
        label = scanner.match(_LABEL)
        if label is not None:
            self.drawing.add_node(name, line, label[1])
        scanner.match(_STYLE)
        annotation = scanner.match(_ANNOTATION)
        if annotation is not None:
            self.drawing.add_node(name, line, kind=annotation[1].strip())
        before = scanner.at
        if scanner.match(_OPEN) is not None:
            if "\n" in scanner.text[before : scanner.at]:
                scanner.at = before
            else:
                self._read_members(name, line)
        self._end_of_line()

    def _read_members(self, name: str, line: int) -> None:
        scanner = self.scanner
        while True:
            scanner.skip_all_space()
            if scanner.take("}"):
                return
            member = scanner.match(_BODY)
            text = member[0].strip() if member is not None else ""
            if not text:
                raise DiagramSyntaxError(line, f"the body of the class {name!r} has no `}}`")
            self._add_member(name, text, line)

    def _add_member(self, name: str, text: str, line: int) -> None:
        if text.startswith("<<") and text.endswith(">>"):
            self.drawing.add_node(name, line, kind=text[2:-2].strip())
        else:
            self.drawing.add_member(name, text)

    def _open_namespace(self, line: int) -> None:
        scanner = self.scanner
        match = scanner.match(_NAME)
        if match is None:
            raise scanner.failure("the name of a namespace")
        name = match[1].strip("`")
        parent = self.group
        full = f"{parent}.{name}" if parent else name
        label = scanner.match(_LABEL)
        if full.count(".") > MAX_DEPTH:
            raise DiagramSyntaxError(line, f"namespaces are nested more than {MAX_DEPTH} times")
        for cut in [index for index, character in enumerate(full) if character == "."]:
            outer = full[:cut]
            if not self.drawing.has_group(outer):
                above = outer.rpartition(".")[0] or None
                self.drawing.add_group(outer, line, label=outer.rpartition(".")[2], kind="namespace", parent=above)
        self.drawing.add_group(
            full,
            line,
            label=label[1] if label is not None else full.rpartition(".")[2],
            kind="namespace",
            parent=full.rpartition(".")[0] or None,
        )
        if scanner.match(_OPEN) is None:
            raise scanner.failure("`{` after the name of the namespace")
        self.open.append((full, line))

    def _read_relation(self, line: int) -> None:
        """Read a relation, a member of a class (`Cart : +total()`) or the name of a class alone."""
        scanner = self.scanner
        if scanner.take("()"):
            scanner.skip_space()
        name, label = self._written_name()
        source_label = scanner.match(_QUOTED)
        relation = scanner.match(_RELATION)
        if relation is None:
            scanner.match(_STYLE)
            text = scanner.match(_TEXT)
            if text is not None:
                self._add(name, label, line)
                self._add_member(name, text[1].strip(), line)
            self._end_of_line()
            return
        target_label = scanner.match(_QUOTED)
        scanner.skip_space()
        target, other_label = self._written_name()
        text = scanner.match(_TEXT)
        start, end = relation[1], relation[3]
        source = self._end_of_relation(name, label, start, line)
        target = self._end_of_relation(target, other_label, end, line)
        self.drawing.add_edge(
            source,
            target,
            line,
            label=text[1].strip() if text is not None else "",
            style=relation_style(start, relation[2], end),
            ends=(source_label[1] if source_label else "", target_label[1] if target_label else ""),
        )
        self._end_of_line()

    def _end_of_relation(self, name: str, label: str | None, head: str | None, line: int) -> str:
        if head != "()":
            self._add(name, label, line)
            return name
        interface = f"interface{self.interface_count}"
        self.interface_count += 1
        self.drawing.add_node(interface, line, name, "interface")
        return interface

    def _end_of_line(self) -> None:
        scanner = self.scanner
        scanner.skip_space()
        if not scanner.is_done and scanner.text[scanner.at] not in "\n;}":
            raise scanner.failure("a relation or the end of the line")


def read_class_diagram(source: MermaidSource) -> Drawing:
    """Read a class diagram.

    Raises DiagramSyntaxError if the text does not follow the grammar.
    """
    return _ClassDiagram(source).read()
