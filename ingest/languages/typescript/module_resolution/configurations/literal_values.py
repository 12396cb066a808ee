"""Evaluate the literal expressions of a configuration that is code.

Literal parts are strings, lists, objects, regular expressions, and calls that build paths.

No code is run. Any other expression, such as an access to the environment, is `UNKNOWN`.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from .....symbols.node_text import node_text
from .script_names import ScriptNames, nodes_of_kind, required_module, unescaped
from .value_operations import LIST_METHODS, bindings, called_on_list, called_on_object, called_on_path, either, jest_patterns
from .values import UNKNOWN, LiteralObject, Location, Pattern, Value

if TYPE_CHECKING:
    from tree_sitter import Node


#: Values of names that are declared elsewhere: a function from a name to its value.
Names = Mapping[str, Value]

#: Maximum depth of nested expressions, and of calls of local functions, that are evaluated.
_MAX_DEPTH = 40
#: Maximum number of expressions that are evaluated in one file.
_MAX_STEPS = 50_000
#: Maximum length in bytes of a chain of names that is compared as text.
MAX_CHAIN = 500
#: Maximum number of rounds of the loops around one assignment.
_MAX_ROUNDS = 500
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


class ExpressionValues:
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
        self._declared, self._imports, self._assigned = names.declared, names.imports, names.assigned
        #: Names whose later assignments are being evaluated.
        self._being_filled: set[str] = set()
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
                return self._operation(node, names, depth)
            case "ternary_expression":
                parts = (node.child_by_field_name(each) for each in ("consequence", "alternative"))
                return either(*(self.value(part, names, depth + 1) for part in parts))
            case "call_expression":
                return self._call(node, names, depth)
            case "new_expression":
                return self._construction(node, names, depth)
            case _:
                return UNKNOWN

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

    def _list(self, node: Node, names: Names, depth: int) -> list[Value]:
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
            if node is None or node.type in _FUNCTIONS:
                return UNKNOWN
            value = self.value(node, None, depth + 1)
            return self._filled(name, value, depth) if isinstance(value, LiteralObject) and name in self._assigned else value
        if name in self._imports:
            module, export = self._imports[name]
            return self._imported(module, export) if module.startswith(".") else UNKNOWN
        return UNKNOWN

    def _filled(self, name: str, value: LiteralObject, depth: int) -> LiteralObject:
        """Return an object with the entries that the file assigns to it later: `paths[`@${name}`] = …`, also in a loop."""
        if name in self._being_filled:
            return value
        self._being_filled.add(name)
        try:
            entries, is_open = dict(value.entries), value.is_open
            for assignment in self._assigned[name]:
                if self._steps_left < 0:
                    return LiteralObject(entries, True)
                left, right = assignment.child_by_field_name("left"), assignment.child_by_field_name("right")
                for names in self._rounds(assignment, depth):
                    key = self._assigned_key(left, names, depth)
                    is_open |= key is None
                    if key is not None:
                        entries[key] = self.value(right, names, depth + 1)
        finally:
            self._being_filled.discard(name)
        return LiteralObject(entries, is_open)

    def _assigned_key(self, left: Node | None, names: Names, depth: int) -> str | None:
        """Return the key to which an assignment writes: "x" in `paths.x = …` and in `paths["x"] = …`."""
        if left is None:
            return None
        prop, index = left.child_by_field_name("property"), left.child_by_field_name("index")
        key = node_text(prop) if prop is not None else self.value(index, names, depth + 1)
        return key if isinstance(key, str) else None

    def _rounds(self, node: Node, depth: int) -> list[dict[str, Value]]:
        """Return the values of the loop variables around a node, for each round of the loops: `for (const x of ["a", "b"])`."""
        loops: list[tuple[Node, Node | None]] = []
        above = node.parent
        while above is not None:
            self._steps_left -= 1
            if above.type == "for_in_statement" and (left := above.child_by_field_name("left")) is not None:
                loops.append((left, above.child_by_field_name("right")))
            elif above.type in _FUNCTIONS and (called := _iterated_by(above)) is not None:
                loops.append((above, called))
            above = above.parent
        rounds: list[dict[str, Value]] = [{}]
        for variable, items in reversed(loops):
            found: list[dict[str, Value]] = []
            for names in rounds:
                values = self.value(items, names, depth + 1)
                for item in values if isinstance(values, list) else []:
                    bound = self._parameters(variable, [item]) if variable.type in _FUNCTIONS else bindings(variable, item)
                    found.append({**names, **bound})
            rounds = found[:_MAX_ROUNDS]
            self._steps_left -= len(rounds)
        return rounds

    def _member(self, node: Node, names: Names, depth: int) -> Value:
        if node.end_byte - node.start_byte > MAX_CHAIN:
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

    def _operation(self, node: Node, names: Names, depth: int) -> Value:
        """Return the value of `a + b`, and the possible values of `a || b`, `a ?? b` and `a && b`."""
        operator = node.child_by_field_name("operator")
        left = self.value(node.child_by_field_name("left"), names, depth + 1)
        right = self.value(node.child_by_field_name("right"), names, depth + 1)
        match operator.type if operator is not None else "":
            case "+":
                return left + right if isinstance(left, str) and isinstance(right, str) else UNKNOWN
            case "||" | "??":
                return right if left is None or left is False else either(left, right)
            case "&&":
                return left if left is None or left is False else right
            case _:
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
            local = node_text(holder) if holder is not None and holder.end_byte - holder.start_byte <= MAX_CHAIN else ""
            module, export = self._imports.get(local, ("", ""))
            if holder is not None and holder.type == "call_expression" and (required := required_module(holder)):
                module, export = required, "*"  # `require("path").join`
            return (module, name) if export in ("*", "default", "path", "posix") else ("", f"{local}.{name}")
        name = node_text(node)
        return self._imports.get(name, ("", name))

    def _call(self, node: Node, names: Names, depth: int) -> Value:
        callee, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
        if callee is None or arguments is None:
            return UNKNOWN
        if callee.type == "member_expression":
            found = self._list_call(callee, arguments, names, depth)
            if found is not None:
                return found
        if callee.end_byte - callee.start_byte > MAX_CHAIN:
            return UNKNOWN
        if required := required_module(node):
            return self._imported(required, "*") if required.startswith(".") else UNKNOWN
        values = self._list(arguments, names, depth)
        module, name = self._function(callee)
        if module.removeprefix("node:") in ("path", "path/posix", "pathe", "upath"):
            return called_on_path(name, values, self._working_folder)
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
        if name.startswith("Object."):
            return called_on_object(name, values)
        if name == "pathsToModuleNameMapper":
            return jest_patterns(values)
        if name in ("normalizePath", "slash", "String"):
            return values[0] if len(values) == 1 and isinstance(values[0], str) else UNKNOWN
        return self._local_call(callee, values, names, depth)

    def _list_call(self, callee: Node, arguments: Node, names: Names, depth: int) -> Value | None:
        """Return the result of a method of a list, such as `["a", "b"].map(f)`, or None for other calls."""
        prop, holder = callee.child_by_field_name("property"), callee.child_by_field_name("object")
        method = node_text(prop) if prop is not None else ""
        if method not in LIST_METHODS or holder is None or holder.type == "this":
            return None
        receiver = self.value(holder, names, depth + 1)
        if not isinstance(receiver, list):
            return None
        given = [child for child in arguments.named_children if child.type != "comment"]
        function = self._function_of(given[0]) if given else None

        def apply(values: list[Value]) -> Value:
            return self._applied(function, values, names, depth) if function is not None else UNKNOWN

        others = [self.value(each, names, depth + 1) for each in given if self._function_of(each) is None]
        return called_on_list(method, receiver, apply, others)

    def _function_of(self, node: Node) -> Node | None:
        """Return the function that an expression stands for: a function itself, or the name of a function of the file."""
        if node.type == "identifier":
            found = self._declared.get(node_text(node))
            return found if found is not None and found.type in _FUNCTIONS else None
        return node if node.type in _FUNCTIONS else None

    def _local_call(self, callee: Node, values: list[Value], names: Names, depth: int) -> Value:
        """Return the result of a function of the file: `(name) => join(root, name)`."""
        function = self._function_of(callee) if callee.type == "identifier" else None
        return self._applied(function, values, names, depth) if function is not None else UNKNOWN

    def _applied(self, function: Node, values: list[Value], names: Names, depth: int) -> Value:
        """Return the result of a function whose statements declare constants, assign to keys, or return."""
        body = function.child_by_field_name("body")
        inner = {**names, **self._parameters(function, values)}
        if body is None or body.type != "statement_block":
            return self.value(body, inner, depth + 8)
        for statement in body.named_children:
            match statement.type:
                case "comment":
                    continue
                case "return_statement":
                    return self.value(next(iter(statement.named_children), None), inner, depth + 8)
                case "lexical_declaration" | "variable_declaration":
                    for each in nodes_of_kind(statement, "variable_declarator"):
                        name, value = each.child_by_field_name("name"), each.child_by_field_name("value")
                        inner |= bindings(name, self.value(value, inner, depth + 8)) if name is not None else {}
                case "expression_statement" if statement.named_children:
                    self._assign(statement.named_children[0], inner, depth + 8)
                case _:
                    return UNKNOWN
        return UNKNOWN

    def _assign(self, node: Node, names: dict[str, Value], depth: int) -> None:
        """Add the key that a statement of a function assigns to one of its objects: `all[name] = …`."""
        left = node.child_by_field_name("left") if node.type == "assignment_expression" else None
        holder = left.child_by_field_name("object") if left is not None else None
        name = node_text(holder) if holder is not None and holder.type == "identifier" else ""
        value = names.get(name)
        if isinstance(value, LiteralObject):
            key = self._assigned_key(left, names, depth)
            added = {key: self.value(node.child_by_field_name("right"), names, depth + 1)} if key is not None else {}
            names[name] = LiteralObject({**value.entries, **added}, value.is_open or key is None)

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
            elif pattern.type == "assignment_pattern" or place < len(values):
                found |= bindings(pattern, values[place] if place < len(values) else UNKNOWN)
            elif (default := parameter.child_by_field_name("value")) is not None:
                found |= bindings(pattern, self.value(default))
            else:
                found |= bindings(pattern, UNKNOWN)
        return found

    def _construction(self, node: Node, names: Names, depth: int) -> Value:
        constructor, arguments = node.child_by_field_name("constructor"), node.child_by_field_name("arguments")
        children = arguments.named_children if arguments is not None else []
        values = [self.value(child, names, depth + 1) for child in children if child.type != "comment"]
        name = node_text(constructor) if constructor is not None else ""
        if name == "RegExp" and values and isinstance(values[0], str):
            flags = values[1] if len(values) > 1 and isinstance(values[1], str) else ""
            return Pattern(values[0], flags)
        if name in ("URL", "url.URL") and len(values) == 2:
            relative, base = values
            if isinstance(relative, str) and isinstance(base, Location) and ":" not in relative:
                joined = posixpath.normpath(posixpath.join(posixpath.dirname(base.path), relative))
                return Location(f"{joined}/" if relative.endswith("/") and relative != "/" else joined)
        return UNKNOWN


def _iterated_by(function: Node) -> Node | None:
    """Return the list in `list.forEach(function)`, or None for other functions."""
    call = function.parent.parent if function.parent is not None and function.parent.type == "arguments" else None
    callee = call.child_by_field_name("function") if call is not None else None
    prop = callee.child_by_field_name("property") if callee is not None else None
    if callee is None or prop is None or node_text(prop) != "forEach":
        return None
    return callee.child_by_field_name("object")


def _number(text: str) -> Value:
    try:
        return float(text)
    except ValueError:
        return UNKNOWN
