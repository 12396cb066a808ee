"""Reads YAML and JSON into a tree whose nodes have line numbers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .declarations import ContractSyntaxError

#: Maximum depth of nested collections.
MAX_DEPTH = 100
#: Maximum number of characters that are read from a text.
_MAX_TEXT = 4_000


class YamlNode:
    """A mapping, a sequence or a scalar. Lines count from 1."""

    __slots__ = ("end_line", "entries", "items", "line", "repeated", "text")

    def __init__(self, line: int, text: str | None = None) -> None:
        self.line = line
        #: The last line with a part of the node. Later comments do not count.
        self.end_line = line
        #: The text of a scalar, else None.
        self.text = text
        #: The values of a mapping, by key; the line of an entry is the line of its key.
        self.entries: dict[str, tuple[int, YamlNode]] = {}
        #: The first repeated key of a mapping, with the line of its repetition. The last value of a repeated key counts.
        self.repeated: tuple[str, int] | None = None
        self.items: list[YamlNode] = []

    def get(self, *keys: str) -> YamlNode | None:
        """Return the value at a path of keys, or None if a key is missing."""
        node = self
        for key in keys:
            entry = node.entries.get(key)
            if entry is None:
                return None
            node = entry[1]
        return node

    def text_of(self, key: str) -> str:
        """Return the text of an entry in one line, or an empty text. A long text is cut, because many entries may share it."""
        node = self.get(key)
        return " ".join(node.text[:_MAX_TEXT].split()) if node is not None and node.text is not None else ""

    def entries_of(self, *keys: str) -> Iterator[tuple[str, int, YamlNode]]:
        """Yield key, line and value of the entries below keys."""
        node = self.get(*keys)
        if node is not None:
            for key, (line, value) in node.entries.items():
                yield key, line, value


def yaml_tree(text: str) -> YamlNode:
    """Return the tree of the first document of a text.

    Raises ContractSyntaxError if the text is not YAML, or if it is nested too deeply.
    """
    import yaml

    root = YamlNode(1)
    #: Open collections, each with a key without a value, and the line of the key.
    stack: list[tuple[YamlNode, bool, list[tuple[str, int]]]] = []
    anchors: dict[str, YamlNode] = {}
    try:
        for event in _events(text):
            line = event.start_mark.line + 1
            if isinstance(event, yaml.DocumentEndEvent):
                break
            if isinstance(event, yaml.MappingEndEvent | yaml.SequenceEndEvent):
                closed = stack.pop()[0]
                mark = event.end_mark
                # The end event has a width only for a closing bracket. A collection without brackets ends with its last part.
                if mark.index > event.start_mark.index:
                    closed.end_line = mark.line + 1
                if stack:
                    stack[-1][0].end_line = max(stack[-1][0].end_line, closed.end_line)
                continue
            if isinstance(event, yaml.AliasEvent):
                node = anchors.get(event.anchor, YamlNode(line, ""))
            elif isinstance(event, yaml.ScalarEvent):
                node = YamlNode(line, event.value)
                end = event.end_mark
                node.end_line = max(line, end.line + 1 if end.column else end.line)
            elif isinstance(event, yaml.MappingStartEvent | yaml.SequenceStartEvent):
                node = YamlNode(line)
            else:
                continue
            if isinstance(event, yaml.NodeEvent) and event.anchor is not None and not isinstance(event, yaml.AliasEvent):
                anchors[event.anchor] = node
            if not stack:
                root = node
            else:
                _put(*stack[-1], node, line)
                ends = line if isinstance(event, yaml.AliasEvent) else node.end_line
                stack[-1][0].end_line = max(stack[-1][0].end_line, ends)
            if isinstance(event, yaml.CollectionStartEvent):
                stack.append((node, isinstance(event, yaml.MappingStartEvent), []))
                if len(stack) > MAX_DEPTH:
                    raise ContractSyntaxError(line, f"collections are nested more than {MAX_DEPTH} times")
    except yaml.MarkedYAMLError as error:
        place = error.problem_mark
        raise ContractSyntaxError(place.line + 1 if place is not None else 1, f"this is not YAML: {error.problem}") from error
    except yaml.YAMLError as error:
        raise ContractSyntaxError(1, f"this is not YAML: {str(error).partition(chr(10))[0]}") from error
    return root


def line_of_second_document(text: str) -> int | None:
    """Return the line on which the second document of a text begins, None if the text has one document.

    Syntax errors after the first document count as a document on the line of the error.
    """
    import yaml

    begun = 0
    try:
        for event in _events(text):
            if isinstance(event, yaml.DocumentStartEvent):
                begun += 1
                if begun == 2:
                    return int(event.start_mark.line) + 1
    except yaml.MarkedYAMLError as error:
        return error.problem_mark.line + 1 if error.problem_mark is not None else 1
    return None


def _events(text: str) -> Iterator[Any]:
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    yield from yaml.parse(text, Loader=loader)  # type: ignore[no-untyped-call]


def _put(owner: YamlNode, is_mapping: bool, keys: list[tuple[str, int]], node: YamlNode, line: int) -> None:
    """Add a node to an open collection. In a mapping, a key and its value alternate."""
    if not is_mapping:
        owner.items.append(node)
    elif not keys:
        keys.append((node.text or "", line))
    else:
        key, key_line = keys.pop()
        if key in owner.entries and owner.repeated is None:
            owner.repeated = (key, key_line)
        owner.entries[key] = (key_line, node)
