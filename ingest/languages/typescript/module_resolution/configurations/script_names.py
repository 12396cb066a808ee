"""Find the values of the names in a configuration that is written as code."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from .....symbols.node_text import node_text

if TYPE_CHECKING:
    from tree_sitter import Node

_ESCAPE = re.compile(r"\\(?:u\{([0-9a-fA-F]+)\}|u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|(\r?\n)|(.))", re.DOTALL)
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r", "0": "\0", "b": "\b", "f": "\f", "v": "\v"}


class ScriptNames:
    """The constants, functions and imports of one file."""

    def __init__(self, root: Node) -> None:
        #: Declared name -> its expression or function; None for a name that is declared twice.
        self.declared: dict[str, Node | None] = {}
        #: Local name -> module and name of its export; "default", or "*" for the whole module.
        self.imports: dict[str, tuple[str, str]] = {}
        #: Name of an object -> the assignments to its keys, in the order of the file: `paths[name] = …`.
        self.assigned: dict[str, list[Node]] = {}
        self._collect(root)

    def _collect(self, root: Node) -> None:
        """Find the values of the names in the file: constants, functions and imports."""
        pending = [root]
        while pending:
            node = pending.pop()
            pending += reversed(node.named_children)
            if node.type == "assignment_expression":
                left = node.child_by_field_name("left")
                holder = left.child_by_field_name("object") if left is not None else None
                if holder is not None and holder.type == "identifier":
                    self.assigned.setdefault(node_text(holder), []).append(node)
            elif node.type == "variable_declarator":
                name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
                if name is None:
                    continue
                required = required_module(value)
                if name.type == "identifier" and required:
                    self.imports[node_text(name)] = (required, "*")
                elif name.type == "identifier":
                    self._declare(node_text(name), value)
                elif name.type == "object_pattern" and required:
                    self._import_pattern(name, required)
            elif node.type == "function_declaration" and (name := node.child_by_field_name("name")) is not None:
                self._declare(node_text(name), node)
            elif node.type == "import_statement":
                self._import_statement(node)

    def _declare(self, name: str, node: Node | None) -> None:
        self.declared[name] = None if name in self.declared else node

    def _import_pattern(self, pattern: Node, module: str) -> None:
        for entry in pattern.named_children:
            if entry.type == "shorthand_property_identifier_pattern":
                self.imports[node_text(entry)] = (module, node_text(entry))
            elif entry.type == "pair_pattern":
                key, value = entry.child_by_field_name("key"), entry.child_by_field_name("value")
                if key is not None and value is not None:
                    self.imports[node_text(value)] = (module, node_text(key))

    def _import_statement(self, node: Node) -> None:
        source = node.child_by_field_name("source")
        clause = next((child for child in node.named_children if child.type == "import_clause"), None)
        if source is None or clause is None:
            return
        module = unescaped(node_text(source)[1:-1])
        for child in clause.named_children:
            if child.type == "identifier":
                self.imports[node_text(child)] = (module, "default")
            elif child.type == "namespace_import" and child.named_children:
                self.imports[node_text(child.named_children[0])] = (module, "*")
            elif child.type == "named_imports":
                for specifier in nodes_of_kind(child, "import_specifier"):
                    name = specifier.child_by_field_name("name")
                    local = specifier.child_by_field_name("alias") or name
                    if name is not None and local is not None:
                        self.imports[node_text(local)] = (module, node_text(name))


def required_module(node: Node | None) -> str:
    """Return the specifier of `require("x")` or `await import("x")`, or ""."""
    if node is not None and node.type == "await_expression":
        node = next(iter(node.named_children), None)
    if node is None or node.type != "call_expression":
        return ""
    callee, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
    if callee is None or arguments is None or node_text(callee) not in ("require", "import"):
        return ""
    first = next(iter(arguments.named_children), None)
    return unescaped(node_text(first)[1:-1]) if first is not None and first.type == "string" else ""


def nodes_of_kind(node: Node, kind: str) -> list[Node]:
    """Return the nodes of a kind among the children of a node and their children."""
    nearby = [*node.named_children, *(inner for child in node.named_children for inner in child.named_children)]
    return [each for each in nearby if each.type == kind]


def unescaped(text: str) -> str:
    """Return the value of a string of JavaScript, given the text between its quotes."""
    return _ESCAPE.sub(_unescaped_match, text) if "\\" in text else text


def _unescaped_match(match: re.Match[str]) -> str:
    code = match[1] or match[2] or match[3]
    if code:
        return chr(int(code, 16)) if int(code, 16) < 0x110000 else ""
    return "" if match[4] else _ESCAPED.get(match[5], match[5])
