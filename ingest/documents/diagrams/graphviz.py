"""Graphs of Graphviz in the language dot: https://graphviz.org/doc/info/lang.html."""

from __future__ import annotations

import re

from .diagram_parts import Diagram
from .drawing import DiagramSyntaxError, Drawing

#: The tokens of a graph; space and comments come first. The last alternative matches any other character.
_TOKEN = re.compile(
    r"(?P<skip>\s+|//[^\n]*|/\*(?:[^*]|\*(?!/))*(?:\*/)?|(?<![^\n])#[^\n]*)"
    r"|(?P<string>\"(?:[^\"\\]|\\.)*\")"
    r"|(?P<word>[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*|-?(?:\.\d+|\d+(?:\.\d*)?))"
    r"|(?P<edge>->|--)"
    r"|(?P<other>.)",
    re.DOTALL,
)
_STRING = re.compile(r"\"(?:[^\"\\]|\\.)*\"", re.DOTALL)
_KEYWORDS = frozenset(("node", "edge", "graph", "digraph", "subgraph", "strict"))
_LINE_BREAK = re.compile(r"\\[nlr]")


class _Token:
    """A token with its kind: `id`, `edge`, or the character itself."""

    __slots__ = ("at", "kind", "text")

    def __init__(self, kind: str, text: str, at: int) -> None:
        self.kind = kind
        self.text = text
        self.at = at


class _OpenGraph:
    """A graph or a subgraph that has not ended."""

    def __init__(self, name: str | None, line: int) -> None:
        self.name = name
        self.line = line
        #: Nodes in the statements of the graph, in order.
        self.nodes: dict[str, None] = {}
        #: For an edge to the subgraph: the source nodes, the line, and the position of the first edge of the chain.
        self.pending: tuple[list[str], int, int] | None = None


class _Dot:
    """Reads statements one after the other."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.drawing = Drawing()
        self.tokens = self._tokens()
        self.at = 0
        self.open: list[_OpenGraph] = []
        self.is_directed = True
        self.unnamed = 0
        self._lines_at = 0
        self._line = 1

    def _tokens(self) -> list[_Token]:
        tokens: list[_Token] = []
        text, at = self.text, 0
        while at < len(text):
            if text[at] == '"' and _STRING.match(text, at) is None:
                raise DiagramSyntaxError(text.count("\n", 0, at) + 1, "the quoted text has no end")
            if text[at] == "<":
                end = self._html_end(at)
                if end is not None:
                    tokens.append(_Token("id", re.sub(r"<[^<>]*>", " ", text[at + 1 : end - 1]).strip(), at))
                    at = end
                    continue
            match = _TOKEN.match(text, at)
            assert match is not None
            kind = match.lastgroup
            if kind == "string":
                text_of_string = match[0][1:-1].replace('\\"', '"').replace("\\\n", "")
                if len(tokens) > 1 and tokens[-1].kind == "+":  # `"a" + "b"`
                    tokens.pop()
                    tokens[-1].text += text_of_string
                else:
                    tokens.append(_Token("id", text_of_string, at))
            elif kind == "word":
                tokens.append(_Token(match[0].lower() if match[0].lower() in _KEYWORDS else "id", match[0], at))
            elif kind != "skip":
                tokens.append(_Token("edge" if kind == "edge" else match[0], match[0], at))
            at = match.end()
        return tokens

    def _html_end(self, at: int) -> int | None:
        """Return the end of a text in angle brackets. The brackets may be nested."""
        depth = 0
        for position in range(at, len(self.text)):
            if self.text[position] == "<":
                depth += 1
            elif self.text[position] == ">":
                depth -= 1
                if not depth:
                    return position + 1
        raise DiagramSyntaxError(self.text.count("\n", 0, at) + 1, "the text in angle brackets has no end")

    def _kind(self) -> str:
        return self.tokens[self.at].kind if self.at < len(self.tokens) else ""

    def _line_of(self, token: _Token) -> int:
        if token.at >= self._lines_at:
            self._line += self.text.count("\n", self._lines_at, token.at)
            self._lines_at = token.at
        return self._line

    @property
    def _here(self) -> int:
        if not self.tokens:
            return 1
        return self._line_of(self.tokens[min(self.at, len(self.tokens) - 1)])

    def _take(self, kind: str) -> str | None:
        if self._kind() != kind:
            return None
        self.at += 1
        return self.tokens[self.at - 1].text

    def _expect(self, kind: str, what: str) -> str:
        taken = self._take(kind)
        if taken is None:
            found = self.tokens[self.at].text[:40] if self.at < len(self.tokens) else "the end"
            raise DiagramSyntaxError(self._here, f"expected {what}, but found {found!r}")
        return taken

    def read(self) -> Drawing:
        self._take("strict")
        self.is_directed = self._take("digraph") is not None
        if not self.is_directed:
            self._expect("graph", "`graph` or `digraph`")
        self._take("id")
        self.open.append(_OpenGraph(None, self._here))
        self._expect("{", "`{`")
        while self.open:
            if self._kind() == "":
                raise DiagramSyntaxError(self.open[-1].line, "the graph has no `}`")
            if self._take("}") is not None:
                self._close()
            elif self._take(";") is None and self._take(",") is None:
                self._read_statement()
        return self.drawing

    def _close(self) -> None:
        graph = self.open.pop()
        if not self.open:
            return
        names = list(graph.nodes)
        outer = self.open[-1]
        outer.nodes.update(graph.nodes)
        if graph.name is not None:
            for node in names:
                self.drawing.put_in_group(node, graph.name)
        if graph.pending is not None:
            sources, line, first = graph.pending
            self._connect(sources, names, line)
            self._read_edges(names, first)
        elif self._kind() == "edge":
            self._read_edges(names, len(self.drawing.edges))

    def _read_statement(self) -> None:
        for word in ("node", "edge", "graph"):
            if self._take(word) is not None:
                attributes = self._attributes()
                if word == "graph":
                    self._label_group(attributes)
                return
        if self._kind() in ("subgraph", "{"):
            self._open_subgraph(None)
            return
        line = self._here
        name = self._expect("id", "a node, an edge or a subgraph")
        if self._take("=") is not None:
            value = self._expect("id", "a value")
            self._label_group({name: value})
            return
        self._port()
        self._mention(name, line)
        if self._kind() == "edge":
            self._read_edges([name], len(self.drawing.edges))
            return
        attributes = self._attributes()
        if "label" in attributes or "shape" in attributes:
            self.drawing.add_node(name, line, self._shown(attributes, name), attributes.get("shape"))

    def _open_subgraph(self, pending: tuple[list[str], int, int] | None) -> None:
        line = self._here
        name = None
        if self._take("subgraph") is not None:
            name = self._take("id")
        self._expect("{", "`{`")
        # Only a cluster is drawn as a group.
        cluster = name if name is not None and name.startswith("cluster") else None
        graph = _OpenGraph(cluster, line)
        graph.pending = pending
        if cluster is not None:
            parent = next((outer.name for outer in reversed(self.open) if outer.name is not None), None)
            self.drawing.add_group(cluster, line, kind="cluster", parent=parent)
        self.open.append(graph)

    def _label_group(self, attributes: dict[str, str]) -> None:
        label = attributes.get("label")
        if label is None:
            return
        if len(self.open) == 1:
            self.drawing.title = _LINE_BREAK.sub("\n", label)
        elif self.open[-1].name is not None:
            self.drawing.add_group(self.open[-1].name, self._here, label=_LINE_BREAK.sub("\n", label))

    def _read_edges(self, sources: list[str], first: int) -> None:
        """Read the rest of a chain of edges and its attributes, given the position of the first edge."""
        while True:
            line = self._here
            if self._take("edge") is None:
                break
            if self._kind() in ("subgraph", "{"):
                self._open_subgraph((sources, line, first))
                return
            name = self._expect("id", "a node or a subgraph")
            self._port()
            self._mention(name, line)
            self._connect(sources, [name], line)
            sources = [name]
        attributes = self._attributes()
        label = self._shown(attributes, "")
        style = attributes.get("style", "")
        for index in range(first, len(self.drawing.edges)):
            edge = self.drawing.edges[index]
            kind = f"{style} {edge.style}" if style in ("dotted", "dashed", "bold") else edge.style
            self.drawing.edges[index] = edge._replace(label=label, style=kind)

    def _connect(self, sources: list[str], targets: list[str], line: int) -> None:
        if len(sources) * len(targets) > 10_000:
            raise DiagramSyntaxError(line, "an edge connects more than 10,000 pairs of nodes")
        for source in sources:
            for target in targets:
                self.drawing.add_edge(source, target, line, style="arrow" if self.is_directed else "open")

    def _mention(self, name: str, line: int) -> None:
        self.drawing.add_node(name, line)
        self.open[-1].nodes[name] = None

    def _port(self) -> None:
        while self._take(":") is not None:
            self._expect("id", "a port")

    def _attributes(self) -> dict[str, str]:
        attributes: dict[str, str] = {}
        while self._take("[") is not None:
            while self._take("]") is None:
                name = self._expect("id", "an attribute or `]`")
                attributes[name] = self._expect("id", "a value") if self._take("=") is not None else "true"
                while self._take("+") is not None:
                    attributes[name] += self._expect("id", "a text")
                if self._take(",") is None:
                    self._take(";")
        return attributes

    @staticmethod
    def _shown(attributes: dict[str, str], name: str) -> str:
        return _LINE_BREAK.sub("\n", attributes.get("label", name)).replace("\\N", name)


def read_dot(text: str) -> Diagram:
    """Read a graph in the language dot.

    Raises DiagramSyntaxError if the text does not follow the grammar.
    """
    try:
        return _Dot(text).read().as_diagram("dot", "graph", text)
    except DiagramSyntaxError as error:
        error.kind = "graph"
        raise
