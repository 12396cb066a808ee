"""Evaluate the literal parts of a configuration that is code.

Literal parts are strings, lists, objects, regular expressions, and calls that build paths.

No code is run. Any other expression, such as an access to the environment, is `UNKNOWN`.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

import msgspec

from .....symbols.node_text import node_text
from .script_names import ScriptNames, nodes_of_kind, unescaped

if TYPE_CHECKING:
    from tree_sitter import Node


class Unknown(msgspec.Struct, frozen=True):
    """A value that cannot be evaluated."""


class Pattern(msgspec.Struct, frozen=True):
    """A regular expression, as JavaScript writes it."""

    source: str
    flags: str = ""


class Location(msgspec.Struct, frozen=True):
    """A URL of a file: its absolute path."""

    path: str


class LiteralObject(msgspec.Struct, frozen=True):
    """An object: its entries in order, and whether an unknown part of the object may contain further entries."""

    entries: dict[str, Value]
    is_open: bool = False


UNKNOWN = Unknown()
Value = Unknown | Pattern | Location | LiteralObject | list["Value"] | str | float | bool | None
#: Values of names that are declared elsewhere: a function from a name to its value.
Names = Mapping[str, Value]

#: Maximum depth of nested expressions, and of calls of local functions, that are evaluated.
_MAX_DEPTH = 40
#: Maximum number of expressions that are evaluated in one file.
_MAX_STEPS = 50_000
#: Maximum length in bytes of a chain of names that is compared as text.
_MAX_CHAIN = 500
_WRAPPERS = frozenset(
    (
        "parenthesized_expression",
        "as_expression",
        "satisfies_expression",
        "non_null_expression",
        "type_assertion",
        "await_expression",
    )
)
_FUNCTIONS = frozenset(("arrow_function", "function_expression", "function_declaration"))
_COPY_OF_ALIASES = re.compile(r"\.alias\b[^.]*$")


class ScriptValues:
    """Evaluates expressions of one configuration file."""

    def __init__(
        self, root: Node, path: str, working_folder: str, imported: Callable[[str, str], Value] = lambda specifier, name: UNKNOWN
    ) -> None:
        """`path` and `working_folder` are absolute. `imported(specifier, name)` evaluates an export of another file."""
        self._path = path
        self._folder = posixpath.dirname(path)
        self._working_folder = working_folder
        self._imported = imported
        self._steps_left = _MAX_STEPS
        names = ScriptNames(root)
        self._declared, self._imports = names.declared, names.imports
        #: The syntax tree of the file.
        self.root = root

    def value(self, node: Node | None, names: Names | None = None, depth: int = 0) -> Value:
        """Return the value of an expression, where `names` are the parameters of the function around it."""
        self._steps_left -= 1
        if node is None or depth > _MAX_DEPTH or self._steps_left < 0:
            return UNKNOWN
        names = names or {}
        if node.type in _WRAPPERS:
            return self.value(next(iter(node.named_children), None), names, depth + 1)
        match node.type:
            case "string":
                return unescaped(node_text(node)[1:-1])
            case "template_string":
                return self._template(node, names, depth)
            case "number":
                return _number(node_text(node))
            case "true" | "false":
                return node.type == "true"
            case "null" | "undefined":
                return None
            case "regex":
                pattern, flags = node.child_by_field_name("pattern"), node.child_by_field_name("flags")
                return (
                    Pattern(node_text(pattern), node_text(flags) if flags is not None else "") if pattern is not None else UNKNOWN
                )
            case "array":
                return self._list(node, names, depth)
            case "object":
                return self._object(node, names, depth)
            case "identifier":
                return self._name(node_text(node), names, depth)
            case "member_expression" | "subscript_expression":
                return self._member(node, names, depth)
            case "binary_expression":
                return self._sum(node, names, depth)
            case "call_expression":
                return self._call(node, names, depth)
            case "new_expression":
                return self._construction(node, names, depth)
            case _:
                return UNKNOWN

    def exported(self, name: str) -> Value:
        """Return the value that the file exports under a name."""
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

    # Expressions

    def _template(self, node: Node, names: Names, depth: int) -> Value:
        parts: list[str] = []
        for child in node.named_children:
            if child.type == "template_substitution":
                value = self.value(next(iter(child.named_children), None), names, depth + 1)
                if not isinstance(value, str):
                    return UNKNOWN
                parts.append(value)
            else:
                parts.append(unescaped(node_text(child)))
        return "".join(parts)

    def _list(self, node: Node, names: Names, depth: int) -> Value:
        found: list[Value] = []
        for child in node.named_children:
            if child.type == "comment":
                continue
            if child.type == "spread_element":
                value = self.value(child.named_children[0], names, depth + 1)
                found += value if isinstance(value, list) else [UNKNOWN]
            else:
                found.append(self.value(child, names, depth + 1))
        return found

    def _object(self, node: Node, names: Names, depth: int) -> Value:
        entries: dict[str, Value] = {}
        is_open = False
        for child in node.named_children:
            if child.type == "shorthand_property_identifier":
                entries[node_text(child)] = self._name(node_text(child), names, depth + 1)
            elif child.type == "spread_element":
                value = self.value(child.named_children[0], names, depth + 1)
                if isinstance(value, LiteralObject):
                    entries |= value.entries
                    is_open |= value.is_open
                else:
                    # A copy of the existing aliases of the tool: `...config.resolve.alias`.
                    is_open |= not _COPY_OF_ALIASES.search(node_text(child))
            elif child.type == "pair":
                key = self._key(child.child_by_field_name("key"), names, depth)
                if key is None:
                    is_open = True
                else:
                    entries[key] = self.value(child.child_by_field_name("value"), names, depth + 1)
        return LiteralObject(entries, is_open)

    def _key(self, key: Node | None, names: Names, depth: int) -> str | None:
        if key is None:
            return None
        if key.type == "computed_property_name":
            value = self.value(next(iter(key.named_children), None), names, depth + 1)
            return value if isinstance(value, str) else None
        return unescaped(node_text(key)[1:-1]) if key.type == "string" else node_text(key)

    def _name(self, name: str, names: Names, depth: int) -> Value:
        if name in names:
            return names[name]
        if name == "__dirname":
            return self._folder
        if name == "__filename":
            return self._path
        if name in self._declared:
            node = self._declared[name]
            return UNKNOWN if node is None or node.type in _FUNCTIONS else self.value(node, None, depth + 1)
        if name in self._imports:
            module, export = self._imports[name]
            return self._imported(module, export) if module.startswith(".") else UNKNOWN
        return UNKNOWN

    def _member(self, node: Node, names: Names, depth: int) -> Value:
        if node.end_byte - node.start_byte > _MAX_CHAIN:
            return UNKNOWN
        text = node_text(node)
        if text == "import.meta.url":
            return Location(self._path)
        if text in ("import.meta.dirname", "import.meta.dir"):
            return self._folder
        if text in ("import.meta.filename", "import.meta.path"):
            return self._path
        holder_node = node.child_by_field_name("object")
        if text.endswith((".sep", ".posix.sep")) and self._function(node)[0] in ("path", "node:path"):
            return "/"
        holder = self.value(holder_node, names, depth + 1)
        if node.type == "subscript_expression":
            key = self.value(node.child_by_field_name("index"), names, depth + 1)
        else:
            prop = node.child_by_field_name("property")
            key = node_text(prop) if prop is not None else UNKNOWN
        if isinstance(holder, Location):
            return holder.path if key in ("pathname", "href") else UNKNOWN
        if isinstance(holder, LiteralObject) and isinstance(key, str):
            return holder.entries.get(key, UNKNOWN)
        return UNKNOWN

    def _sum(self, node: Node, names: Names, depth: int) -> Value:
        operator = node.child_by_field_name("operator")
        left = self.value(node.child_by_field_name("left"), names, depth + 1)
        right = self.value(node.child_by_field_name("right"), names, depth + 1)
        if operator is not None and operator.type == "+" and isinstance(left, str) and isinstance(right, str):
            return left + right
        return UNKNOWN

    def _function(self, node: Node) -> tuple[str, str]:
        """Return module and name of the function that is called: `path.join` -> ("path", "join"); ("", name) for other
        callees.
        """
        if node.type == "member_expression":
            holder, prop = node.child_by_field_name("object"), node.child_by_field_name("property")
            name = node_text(prop) if prop is not None else ""
            if holder is not None and holder.type == "member_expression":
                holder = holder.child_by_field_name("object")  # `path.posix.join`
            local = node_text(holder) if holder is not None and holder.end_byte - holder.start_byte <= _MAX_CHAIN else ""
            module, export = self._imports.get(local, ("", ""))
            return (module, name) if export in ("*", "default", "path", "posix") else ("", f"{local}.{name}")
        name = node_text(node)
        return self._imports.get(name, ("", name))

    def _call(self, node: Node, names: Names, depth: int) -> Value:
        callee, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
        if callee is None or arguments is None or callee.end_byte - callee.start_byte > _MAX_CHAIN:
            return UNKNOWN
        given = self._list(arguments, names, depth)
        values = given if isinstance(given, list) else []
        module, name = self._function(callee)
        if module.removeprefix("node:") in ("path", "path/posix", "pathe", "upath"):
            return self._path_call(name, values)
        if module.removeprefix("node:") in ("url", "fs") or (module == "" and name == "fileURLToPath"):
            target = values[0] if values else UNKNOWN
            if name == "fileURLToPath" and isinstance(target, Location):
                return target.path
            return target if name in ("realpathSync", "normalizePath") and isinstance(target, str) else UNKNOWN
        if (module, name) == ("", "process.cwd"):
            return self._working_folder
        if name in ("require.resolve", "meta.resolve") or node_text(callee) == "import.meta.resolve":
            target = values[0] if values else UNKNOWN
            if not isinstance(target, str):
                return UNKNOWN
            return posixpath.normpath(posixpath.join(self._folder, target)) if target.startswith(".") else target
        if name in ("Object.assign", "Object.freeze"):
            return _merged(values)
        if name in ("normalizePath", "slash", "String"):
            return values[0] if len(values) == 1 and isinstance(values[0], str) else UNKNOWN
        return self._local_call(callee, values, depth)

    def _path_call(self, name: str, values: list[Value]) -> Value:
        texts = [value for value in values if isinstance(value, str)]
        if len(texts) != len(values):
            return UNKNOWN
        match name:
            case "resolve":
                return posixpath.normpath(posixpath.join(self._working_folder, *texts))
            case "join":
                return posixpath.normpath("/".join(text for text in texts if text) or ".")
            case "normalize" | "toNamespacedPath" if len(texts) == 1:
                return posixpath.normpath(texts[0])
            case "dirname" if len(texts) == 1:
                return posixpath.dirname(texts[0])
            case "basename" if len(texts) == 1:
                return posixpath.basename(texts[0])
            case _:
                return UNKNOWN

    def _local_call(self, callee: Node, values: list[Value], depth: int) -> Value:
        """Return the result of a function of the file that only returns an expression: `(name) => join(root, name)`."""
        function = self._declared.get(node_text(callee)) if callee.type == "identifier" else None
        if function is None or function.type not in _FUNCTIONS:
            return UNKNOWN
        body = function.child_by_field_name("body")
        if body is not None and body.type == "statement_block":
            statements = [child for child in body.named_children if child.type != "comment"]
            if len(statements) != 1 or statements[0].type != "return_statement":
                return UNKNOWN
            body = next(iter(statements[0].named_children), None)
        return self.value(body, self._parameters(function, values), depth + 8)

    def _parameters(self, function: Node, values: list[Value]) -> dict[str, Value]:
        single = function.child_by_field_name("parameter")
        if single is not None:
            return {node_text(single): values[0] if values else None}
        found: dict[str, Value] = {}
        listed = function.child_by_field_name("parameters")
        for place, parameter in enumerate(listed.named_children if listed is not None else ()):
            pattern = parameter.child_by_field_name("pattern") or parameter
            if pattern.type == "rest_pattern" and pattern.named_children:
                found[node_text(pattern.named_children[0])] = values[place:]
            elif pattern.type == "identifier":
                found[node_text(pattern)] = values[place] if place < len(values) else UNKNOWN
        return found

    def _construction(self, node: Node, names: Names, depth: int) -> Value:
        constructor, arguments = node.child_by_field_name("constructor"), node.child_by_field_name("arguments")
        children = arguments.named_children if arguments is not None else []
        values = [self.value(child, names, depth + 1) for child in children if child.type != "comment"]
        name = node_text(constructor) if constructor is not None else ""
        if name == "RegExp" and values and isinstance(values[0], str):
            return Pattern(values[0])
        if name in ("URL", "url.URL") and len(values) == 2:
            relative, base = values
            if isinstance(relative, str) and isinstance(base, Location) and ":" not in relative:
                joined = posixpath.normpath(posixpath.join(posixpath.dirname(base.path), relative))
                return Location(f"{joined}/" if relative.endswith("/") and relative != "/" else joined)
        return UNKNOWN


def _merged(values: list[Value]) -> Value:
    entries: dict[str, Value] = {}
    is_open = False
    for value in values:
        if isinstance(value, LiteralObject):
            entries |= value.entries
            is_open |= value.is_open
        else:
            is_open = True
    return LiteralObject(entries, is_open)


def _declared_names(node: Node) -> list[str]:
    names = (each.child_by_field_name("name") for each in nodes_of_kind(node, "variable_declarator"))
    return [node_text(name) for name in names if name is not None]


def _number(text: str) -> Value:
    try:
        return float(text)
    except ValueError:
        return UNKNOWN
