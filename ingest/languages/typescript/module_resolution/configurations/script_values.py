"""Find what a configuration that is code exports."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from .....symbols.node_text import node_text
from .literal_values import MAX_CHAIN, ExpressionValues
from .script_names import nodes_of_kind
from .values import UNKNOWN, LiteralObject, Value

if TYPE_CHECKING:
    from tree_sitter import Node

#: `exports.x = …`, with the name.
_ASSIGNED_EXPORT = re.compile(r"(?:module\.)?exports\.([\w$]+)[ \t]*=[^=]")


class ScriptValues(ExpressionValues):
    """The values that one configuration file exports."""

    def exported(self, name: str) -> Value:
        """Return the value that the file exports under a name; "*" is an object of all that the file exports."""
        if name == "*":
            return self._all_exports()
        for statement in self.root.named_children:
            if statement.type == "export_statement":
                declaration = statement.child_by_field_name("declaration")
                if name == "default" and (value := statement.child_by_field_name("value")) is not None:
                    return self.value(value)
                if declaration is not None and name in _declared_names(declaration):
                    return self._name(name, {}, 0)
                for specifier in nodes_of_kind(statement, "export_specifier"):
                    local = specifier.child_by_field_name("name")
                    alias = specifier.child_by_field_name("alias") or local
                    if local is not None and alias is not None and node_text(alias) == name:
                        return self._name(node_text(local), {}, 0)
            elif statement.type == "expression_statement" and statement.named_children:
                found = self._assigned_export(statement.named_children[0], name)
                if found is not None:
                    return found
        return UNKNOWN

    def _all_exports(self) -> Value:
        """Return what `require` of the file returns: the value of `module.exports`, or an object of the named exports."""
        names: list[str] = []
        for statement in self.root.named_children:
            if statement.type == "export_statement":
                declaration = statement.child_by_field_name("declaration")
                names += _declared_names(declaration) if declaration is not None else []
                for specifier in nodes_of_kind(statement, "export_specifier"):
                    local = specifier.child_by_field_name("alias") or specifier.child_by_field_name("name")
                    names += [node_text(local)] if local is not None else []
            elif statement.type == "expression_statement" and statement.named_children:
                written = _ASSIGNED_EXPORT.match(node_text(statement)[:MAX_CHAIN])
                names += [written[1]] if written is not None else []
        whole = self.exported("default")
        entries = {name: self.exported(name) for name in dict.fromkeys(names)}
        if isinstance(whole, LiteralObject):
            return LiteralObject({**whole.entries, **entries}, whole.is_open)
        return LiteralObject(entries) if entries else whole

    def named(self, name: str) -> Value:
        """Return the value of a name in the file."""
        return self._name(name, {}, 0)

    def configuration(self) -> Value:
        """Return the exported object, or the argument of a call such as `defineConfig({...})`."""
        value = self.exported("default")
        if isinstance(value, LiteralObject):
            return value
        for statement in self.root.named_children:
            exported = statement.child_by_field_name("value") if statement.type == "export_statement" else None
            if exported is not None and exported.type == "identifier":
                exported = self._declared.get(node_text(exported))
            arguments = exported.child_by_field_name("arguments") if exported is not None else None
            if arguments is not None and arguments.named_children:
                return self.value(arguments.named_children[0])
        return UNKNOWN

    def imported_modules(self) -> list[str]:
        """Return the specifiers of the modules that the file imports names from."""
        return [module for module, _ in self._imports.values()]

    def imported_module(self, local: str) -> str:
        """Return the specifier that a local name is imported from, or ""."""
        return self._imports.get(local, ("", ""))[0]

    def _assigned_export(self, node: Node, name: str) -> Value | None:
        """Return the value that `module.exports = …` or `exports.x = …` exports under a name, or None for other statements."""
        if node.type != "assignment_expression":
            return None
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        target = node_text(left) if left is not None else ""
        if target == "module.exports":
            value = self.value(right)
            if name == "default":
                return value
            return value.entries.get(name, UNKNOWN) if isinstance(value, LiteralObject) else UNKNOWN
        return self.value(right) if target in (f"exports.{name}", f"module.exports.{name}") else None


def _declared_names(node: Node) -> list[str]:
    names = (each.child_by_field_name("name") for each in nodes_of_kind(node, "variable_declarator"))
    return [node_text(name) for name in names if name is not None]
