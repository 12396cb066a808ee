"""The elements of a changelog in one form, whether the changelog is written in XML, YAML or JSON."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from ...contracts.yaml_tree import YamlNode, yaml_tree
from ...data.xml_elements import Element, read_elements

ROOT: Final = "databaseChangeLog"
#: Keys of YAML whose lists stand for the elements in them. XML has these elements without an element around them.
_LISTS: Final = frozenset(("changes", "columns"))
#: Maximum depth of elements, and maximum number of elements of a file. Anchors of YAML may repeat elements without end.
_MAX_DEPTH: Final = 30
_MAX_NODES: Final = 200_000
_PARAMETER: Final = re.compile(r"\$\{([\w.:-]+)\}")


@dataclass(slots=True)
class ChangeNode:
    """An element of a changelog. Lines count from 1."""

    name: str
    line: int
    end_line: int
    attributes: dict[str, str] = field(default_factory=dict)
    children: list[ChangeNode] = field(default_factory=list)
    text: str = ""

    def get(self, *names: str) -> str:
        """Return the first attribute of some names that has a value; "" if there is none."""
        return next((value for name in names if (value := self.attributes.get(name, "").strip())), "")

    def is_set(self, name: str) -> bool:
        """Return whether an attribute is true."""
        return self.get(name).lower() == "true"

    def named(self, name: str) -> list[ChangeNode]:
        """Return the elements directly inside that have a name."""
        return [each for each in self.children if each.name == name]


def read_changelog(text: str, starts: Sequence[int]) -> ChangeNode | None:
    """Return the root of a changelog, in which the parameters that the file sets have values; None for another file.

    `starts` are the offsets of the lines. Raises ContractSyntaxError if the text is neither XML nor YAML.
    """
    if text.lstrip("\ufeff \t\r\n").startswith("<"):
        elements = read_elements(text).elements()
        found = next((_of_element(each, starts) for each in elements if _plain(each.name) == ROOT), None)
    else:
        found = _YamlReading().root(yaml_tree(text))
    if found is not None:
        _fill_in(found, _parameters(found))
    return found


def _of_element(element: Element, starts: Sequence[int]) -> ChangeNode:
    made = ChangeNode(
        _plain(element.name),
        bisect_right(starts, element.start),
        bisect_right(starts, max(element.end - 1, element.start)),
        dict(element.attributes),
        [_of_element(each, starts) for each in element.elements()],
    )
    made.text = "".join(each for each in element.children if isinstance(each, str))
    return made


def _plain(name: str) -> str:
    """Return the name of an element without its namespace."""
    return name.rpartition(":")[2]


class _YamlReading:
    def __init__(self) -> None:
        self._left = _MAX_NODES

    def root(self, tree: YamlNode) -> ChangeNode | None:
        entry = tree.entries.get(ROOT)
        return self._node(ROOT, entry[0], entry[1], 0) if entry is not None else None

    def _node(self, name: str, line: int, value: YamlNode, depth: int) -> ChangeNode:
        made = ChangeNode(name, line, max(line, value.end_line))
        self._fill(made, value, depth)
        return made

    def _fill(self, node: ChangeNode, value: YamlNode, depth: int) -> None:
        if depth > _MAX_DEPTH:
            return
        node.text = value.text or node.text
        for item in value.items:
            for key, line, inner in item.entries_of():
                self._add(node, key, line, inner, depth)
        for key, line, inner in value.entries_of():
            if inner.text is not None:
                node.attributes[key] = inner.text
            elif key in _LISTS:
                self._fill(node, inner, depth + 1)
            else:
                self._add(node, key, line, inner, depth)

    def _add(self, node: ChangeNode, key: str, line: int, value: YamlNode, depth: int) -> None:
        self._left -= 1
        if self._left >= 0:
            node.children.append(self._node(key, line, value, depth + 1))


def _parameters(root: ChangeNode) -> dict[str, str]:
    """Return the values of the parameters that are equal in all databases."""
    return {each.get("name"): each.get("value") for each in root.named("property") if not each.get("dbms")}


def filled(text: str, values: Mapping[str, str]) -> str:
    """Return a text with the values of the parameters in it. A parameter without a value stays as it is."""
    return _PARAMETER.sub(lambda match: values.get(match[1], match[0]), text) if "${" in text else text


def _fill_in(node: ChangeNode, values: Mapping[str, str]) -> None:
    """Replace the parameters in an element by their values."""
    if not values:
        return
    node.attributes = {name: filled(text, values) for name, text in node.attributes.items()}
    node.text = filled(node.text, values)
    for each in node.children:
        _fill_in(each, values)
