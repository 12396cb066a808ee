"""Git graphs of mermaid: https://mermaid.js.org/syntax/gitgraph.html."""

from __future__ import annotations

import re

from ..drawing import DiagramSyntaxError, Drawing
from .common import statements, title_of
from .preamble import MermaidSource

_HEAD = re.compile(r"[^\S\n]*(?:(?:LR|TB|BT)[^\S\n]*)?:?[^\S\n]*")
_NAME = re.compile(r"\"([^\"]*)\"|'([^']*)'|([\w./\-]+)")
_PART = re.compile(r"\s*(?:(id|msg|tag|type|parent|order)\s*:\s*)?(?:\"([^\"]*)\"|'([^']*)'|([\w./\-]+))")
_COMMAND = re.compile(r"(commit|branch|merge|checkout|switch|cherry-pick)(?![\w-])\s*")
_END = re.compile(r"\s*(?:%%.*)?\Z")


class _GitGraph:
    def __init__(self, title: str) -> None:
        self.drawing = Drawing()
        self.drawing.title = title
        self.branch = "main"
        #: The last commit of each branch, None before the first commit.
        self.heads: dict[str, str | None] = {"main": None}
        self.count = 0

    def run(self, command: str, text: str, line: int) -> None:
        if command in ("branch", "checkout", "switch", "merge"):
            match = _NAME.match(text)
            if match is None:
                raise DiagramSyntaxError(line, f"expected the name of a branch after `{command}`")
            name = match[1] or match[2] or match[3] or ""
            parts = self._parts(text[match.end() :], line)
            if command == "branch":
                self._create(name, line)
            elif name not in self.heads:
                raise DiagramSyntaxError(line, f"no branch {name!r} was created")
            elif command == "merge":
                self._merge(name, parts, line)
            else:
                self.branch = name
            return
        parts = self._parts(text, line)
        if command == "commit":
            self._commit(parts, [self.heads[self.branch]], line)
        else:
            self._pick(parts, line)

    def _parts(self, text: str, line: int) -> dict[str, list[str]]:
        parts: dict[str, list[str]] = {}
        at = 0
        while _END.match(text, at) is None:
            match = _PART.match(text, at)
            if match is None:
                raise DiagramSyntaxError(line, f'expected a part such as `id: "name"`, but found {text[at : at + 40]!r}')
            value = next(group for group in match.groups()[1:] if group is not None)
            parts.setdefault(match[1] or "msg", []).append(value)
            at = match.end()
        return parts

    def _create(self, name: str, line: int) -> None:
        if name in self.heads:
            raise DiagramSyntaxError(line, f"the branch {name!r} exists already")
        self.heads[name] = self.heads[self.branch]
        self.branch = name
        self.drawing.add_group(name, line, label=name, kind="branch")

    def _commit(self, parts: dict[str, list[str]], parents: list[str | None], line: int, kind: str = "NORMAL") -> None:
        name = parts.get("id", [f"commit{self.count}"])[-1]
        self.count += 1
        message = parts.get("msg", [""])[-1]
        self.drawing.add_node(name, line, message or name, parts.get("type", [kind])[-1].lower(), self.branch)
        for tag in parts.get("tag", ()):
            if tag:
                self.drawing.add_member(name, tag)
        for parent in parents:
            if parent is not None:
                self.drawing.add_edge(parent, name, line, style="parent")
        self.heads[self.branch] = name

    def _merge(self, other: str, parts: dict[str, list[str]], line: int) -> None:
        head, merged = self.heads[self.branch], self.heads[other]
        if merged is None or head is None or other == self.branch or head == merged:
            raise DiagramSyntaxError(line, f"the branch {other!r} has nothing to merge into {self.branch!r}")
        self._commit(parts, [head, merged], line, "MERGE")

    def _pick(self, parts: dict[str, list[str]], line: int) -> None:
        picked = parts.get("id", [""])[-1]
        if not self.drawing.has_node(picked):
            raise DiagramSyntaxError(line, f"no commit {picked!r} was made")
        parent = f"|parent:{parts['parent'][-1]}" if "parent" in parts else ""
        tags = parts.get("tag", [f"cherry-pick:{picked}{parent}"])
        self._commit({"tag": tags}, [self.heads[self.branch], picked], line, "CHERRY_PICK")


def read_gitgraph(source: MermaidSource) -> Drawing:
    """Read a Git graph. Commits are nodes, branches are groups, and edges go from parents to children.

    Raises DiagramSyntaxError if a line is not a command, or if a command names a missing branch or commit.
    """
    graph = _GitGraph(source.title)
    graph.drawing.add_group("main", source.line, label="main", kind="branch")
    for line, statement in statements(source):
        text = _HEAD.sub("", statement, count=1) if line == source.line else statement
        title = title_of(text)
        if title is not None:
            graph.drawing.title = title
            continue
        command = _COMMAND.match(text)
        if command is not None:
            graph.run(command[1], text[command.end() :], line)
        elif text:
            raise DiagramSyntaxError(line, f"expected a command such as `commit`, but found {text[:40]!r}")
    return graph.drawing
