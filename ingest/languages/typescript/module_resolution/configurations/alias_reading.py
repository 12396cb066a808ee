"""Find aliases in a tool's configuration: in exports, in functions that change a configuration, and in calls of plugins.

`resolve: {alias: {...}}`, `config.resolve.alias["@"] = ...`, `alias({entries: [...]})` and `["module-resolver", {...}]` are read
from the syntax tree. How the object is passed to the tool does not matter.
"""

from __future__ import annotations

import posixpath
import re
from typing import TYPE_CHECKING

from .....symbols.node_text import node_text
from .aliases import Alias, exact_alias, pattern_alias, prefix_alias
from .script_names import nodes_of_kind
from .script_values import ScriptValues
from .values import UNKNOWN, LiteralObject, Location, Pattern, Value

if TYPE_CHECKING:
    from tree_sitter import Node

#: Keys whose values map specifiers, for every tool of this kind.
_ALIAS_KEYS = frozenset(("alias", "resolveAlias", "extraNodeModules"))
_JEST_KEYS = frozenset(("moduleNameMapper", "modulePaths", "moduleDirectories"))
_MODULE_RESOLVER = re.compile(r"(?:^|/)(?:babel-plugin-)?module-resolver(?:/|$)")
_ALIAS_PLACE = re.compile(r"(?:^|[.?])(?:alias|resolveAlias|extraNodeModules)$")
_ALIAS_ENTRY = re.compile(r"(?:^|[.?])(?:alias|resolveAlias|extraNodeModules)(?:!?\.([\w$]+)|!?\[(.*)\])$", re.DOTALL)
#: A call that adds folders in which webpack searches packages.
_MODULES_ADDED = re.compile(r"(?:^|[.?])resolve!?\.modules!?\.(?:push|unshift)$")
#: Packages whose functions add an object of aliases to the configuration of an application made by create-react-app.
_REWIRING = ("customize-cra", "react-app-rewire-alias")
_CHAINED_SET = re.compile(r"\balias\b")
#: Maximum length in bytes of an assignment target, such as `config.resolve.alias`.
_MAX_PLACE = 2000
#: Tools for which a relative target is relative to the folder of the project; for other tools, it is relative to the importing
#: file.
_FROM_PROJECT = frozenset(("framework", "babel", "metro", "package", "rollup"))


class AliasReader:
    """Collects the aliases of one configuration."""

    def __init__(self, tool: str, root: str, config_folder: str, project_folder: str) -> None:
        """`tool` is one of `tool_of`, or "package" for a package.json. Folders are absolute."""
        self.tool = tool
        self._root = root
        self._config_folder = config_folder
        self._project_folder = project_folder
        #: The folder that a bundler serves (option `root`).
        self.served_folder = project_folder
        #: `rootDir` of Jest.
        self._jest_folder = config_folder
        self.aliases: list[Alias] = []
        #: Aliases for tests only.
        self.test_aliases: list[Alias] = []
        #: Absolute paths of folders in which packages are searched.
        self.module_folders: list[str] = []
        #: True if the configuration has computed aliases.
        self.is_open = False

    # Scripts

    def read_script(self, tree: Node, values: ScriptValues) -> None:
        """Collect the aliases of a configuration that is written as code."""
        pending, nodes = [tree], []
        while pending:
            node = pending.pop()
            pending += reversed(node.named_children)
            if node.type in ("pair", "shorthand_property_identifier", "assignment_expression", "call_expression", "array"):
                nodes.append(node)
        pairs = [(_key_of(node), node) for node in nodes if node.type == "pair"]
        for key, node in pairs:
            if key in ("root", "rootDir") and not _is_in_list(node):
                self._read_folder(key, values.value(node.child_by_field_name("value")))
        for key, node in pairs:
            self._read_pair(key, node, values)
        for node in nodes:
            if node.type == "shorthand_property_identifier" and node_text(node) in _ALIAS_KEYS | _JEST_KEYS:
                self._read_key(node_text(node), values.named(node_text(node)))
            elif node.type == "assignment_expression":
                self._read_assignment(node, values)
            elif node.type == "call_expression":
                self._read_call(node, values)
            elif node.type == "array":
                self._read_plugin(values.value(node) if _names_resolver(node) else None)

    def _read_folder(self, key: str, value: Value) -> None:
        if not isinstance(value, str):
            return
        if key == "root" and self.tool in ("vite", "framework"):
            self.served_folder = posixpath.normpath(posixpath.join(self._project_folder, value))
        elif key == "rootDir" and self.tool in ("jest", "package"):
            self._jest_folder = posixpath.normpath(posixpath.join(self._config_folder, self._jest_path(value)))

    def _read_pair(self, key: str, node: Node, values: ScriptValues) -> None:
        value = node.child_by_field_name("value")
        if value is None:
            return
        if key in _ALIAS_KEYS | _JEST_KEYS:
            if not _within_resolver(node):
                self._read_key(key, values.value(value), values.value(_beside(node, "rootDir")) if _is_in_list(node) else None)
        elif key == "resolve" and value.type not in ("object", "arrow_function", "function_expression"):
            resolve = values.value(value)
            if isinstance(resolve, LiteralObject) and "alias" in resolve.entries and value.type != "identifier":
                self.add_aliases(resolve.entries["alias"])
        elif key == "modules" and _key_of(_pair_around(node)) == "resolve":
            self._add_folders(values.value(value))

    def _read_key(self, key: str, value: Value, jest_folder: Value = None) -> None:
        """Read the value of a key; `jest_folder` is the `rootDir` of one project in a list of projects."""
        if key in _ALIAS_KEYS:
            self.add_aliases(value)
        elif self.tool in ("jest", "package"):
            self.read_jest(LiteralObject({"rootDir": jest_folder, key: value}))

    def _read_assignment(self, node: Node, values: ScriptValues) -> None:
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if left is None or right is None or left.type == "identifier" or left.end_byte - left.start_byte > _MAX_PLACE:
            return
        place = node_text(left)
        entry = _ALIAS_ENTRY.search(place)
        if _ALIAS_PLACE.search(place):
            self.add_aliases(values.value(right))
        elif entry is not None:
            index = left.child_by_field_name("index")
            key = entry[1] if entry[1] else values.value(index)
            if isinstance(key, str):
                self.add_aliases(LiteralObject({key: values.value(right)}))
            else:
                self.is_open = True

    def _read_call(self, node: Node, values: ScriptValues) -> None:
        callee, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
        if callee is None or arguments is None or callee.end_byte - callee.start_byte > _MAX_PLACE:
            return
        given = [child for child in arguments.named_children if child.type != "comment"]
        name = node_text(callee)
        if callee.type == "identifier" and "plugin-alias" in values.imported_module(name) and given:
            options = values.value(given[0])
            if isinstance(options, LiteralObject):
                self.add_aliases(options.entries.get("entries", UNKNOWN), plugin=True)
        elif callee.type == "identifier" and "alias" in name.lower() and values.imported_module(name).startswith(_REWIRING):
            self.add_aliases(values.value(given[0]) if given else UNKNOWN)
        elif _MODULES_ADDED.search(name):
            self._add_folders([values.value(each) for each in given])
        elif name == "Object.assign" and len(given) > 1 and _ALIAS_PLACE.search(node_text(given[0])):
            for each in given[1:]:
                self.add_aliases(values.value(each))
        elif name.endswith(".set") and _CHAINED_SET.search(name) and len(given) == 2:
            key = values.value(given[0])
            if isinstance(key, str):
                self.add_aliases(LiteralObject({key: values.value(given[1])}))

    def _read_plugin(self, value: Value) -> None:
        if isinstance(value, list) and len(value) > 1 and isinstance(value[1], LiteralObject):
            self.add_module_resolver(value[1])

    # Values

    def add_aliases(self, value: Value, *, plugin: bool = False) -> None:
        """Add an object of names and targets, or a list of `{find, replacement}` or `{name, alias}`."""
        if isinstance(value, LiteralObject):
            self.is_open |= value.is_open
            for key, target in value.entries.items():
                if target is False or target is None:
                    continue  # the tool replaces the module by an empty one
                self.aliases.append(prefix_alias(key, self._targets(target, from_project=not plugin)))
        elif isinstance(value, list):
            for each in value:
                self._add_entry(each, plugin)
        else:
            self.is_open = True

    def _add_entry(self, entry: Value, plugin: bool) -> None:
        if not isinstance(entry, LiteralObject):
            self.is_open = True
            return
        find = entry.entries.get("find", entry.entries.get("name", UNKNOWN))
        targets = self._targets(entry.entries.get("replacement", entry.entries.get("alias", UNKNOWN)), from_project=not plugin)
        if isinstance(find, Pattern):
            alias = pattern_alias(find, targets, replaces_all=False)
            self.is_open |= alias is None
            self.aliases += [alias] if alias is not None else []
        elif isinstance(find, str):
            only = entry.entries.get("onlyModule") is True
            self.aliases.append(exact_alias(find, targets) if only else prefix_alias(find, targets))
        else:
            self.is_open = True

    def add_module_resolver(self, options: LiteralObject) -> None:
        """Add the options of Babel's module resolver: `alias` and `root`."""
        working = options.entries.get("cwd")
        base = self._project_folder
        if isinstance(working, str) and working.startswith("/"):
            base = working
        elif working == "babelrc":
            base = self._config_folder
        for root in _as_list(options.entries.get("root")):
            if isinstance(root, str) and "*" not in root:
                self.module_folders.append(posixpath.normpath(posixpath.join(base, root)))
        written = options.entries.get("alias")
        for holder in _as_list(written):
            if not isinstance(holder, LiteralObject):
                self.is_open |= holder is not None
                continue
            self.is_open |= holder.is_open
            for key, target in holder.entries.items():
                targets = tuple(
                    posixpath.normpath(posixpath.join(base, each)) if each.startswith(".") else each
                    for each in self._targets(target, from_project=False)
                )
                if key.startswith("^") or key.endswith("$"):
                    alias = pattern_alias(Pattern(key), targets, replaces_all=True)
                    self.aliases += [alias] if alias is not None else []
                else:
                    self.aliases.append(prefix_alias(key, targets))

    def read_jest(self, options: LiteralObject) -> None:
        """Add the mappings of a configuration of Jest: `moduleNameMapper`, `modulePaths` and `moduleDirectories`."""
        around = self._jest_folder
        self._read_folder("rootDir", options.entries.get("rootDir"))
        mapper = options.entries.get("moduleNameMapper")
        if isinstance(mapper, LiteralObject):
            for key, target in mapper.entries.items():
                targets = tuple(self._jest_path(each) for each in self._targets(target, from_project=False))
                alias = pattern_alias(Pattern(key), targets, replaces_all=True)
                self.test_aliases += [alias] if alias is not None else []
        for key in ("modulePaths", "moduleDirectories"):
            for folder in _as_list(options.entries.get(key)):
                if isinstance(folder, str) and folder != "node_modules":
                    self.module_folders.append(posixpath.normpath(posixpath.join(self._jest_folder, self._jest_path(folder))))
        for project in _as_list(options.entries.get("projects")):
            if isinstance(project, LiteralObject):
                self.read_jest(project)
        self._jest_folder = around

    def _jest_path(self, target: str) -> str:
        return target.replace("<rootDir>", self._jest_folder)

    def _add_folders(self, value: Value) -> None:
        for folder in _as_list(value):
            if isinstance(folder, str) and folder != "node_modules":
                self.module_folders.append(posixpath.normpath(posixpath.join(self._project_folder, folder)))

    def _targets(self, value: Value, *, from_project: bool) -> tuple[str, ...]:
        """Return the targets in a value, in order of preference."""
        found: list[str] = []
        pending = list(_as_list(value))[::-1]
        while pending:
            each = pending.pop()
            if isinstance(each, Location):
                found.append(each.path)
            elif isinstance(each, LiteralObject):
                # Targets by condition, as Turbopack has them: `{browser: "./a", default: "./b"}`.
                entries = each.entries
                pending += reversed([entries["default"], *entries.values()] if "default" in entries else [*entries.values()])
            elif isinstance(each, str) and each:
                found += self._placed(each, from_project=from_project)
        return tuple(found)

    def _placed(self, target: str, *, from_project: bool) -> list[str]:
        if target.startswith("/") and target != self._root and not target.startswith(self._root + "/"):
            # The bundler serves "/src" from its root folder.
            return list(dict.fromkeys([self.served_folder + target, self._project_folder + target]))
        in_project = posixpath.normpath(posixpath.join(self._project_folder, target))
        if from_project and self.tool in _FROM_PROJECT and target.startswith("."):
            return [in_project]
        # Frameworks read a name without a dot as a path, or as a package if there is no such path.
        return [in_project, target] if self.tool == "framework" and not target.startswith("/") else [target]


def _as_list(value: Value) -> list[Value]:
    if isinstance(value, list):
        return value
    return [] if value is None else [value]


def _key_of(node: Node | None) -> str:
    key = node.child_by_field_name("key") if node is not None else None
    return node_text(key).strip("'\"") if key is not None else ""


def _pair_around(node: Node) -> Node | None:
    """Return the enclosing pair: for `b: 1` in `{a: {b: 1}}`, the pair of `a`."""
    holder = node.parent.parent if node.parent is not None else None
    return holder if holder is not None and holder.type == "pair" else None


def _beside(pair: Node, key: str) -> Node | None:
    """Return the value of another key in the same object literal."""
    around = pair.parent.named_children if pair.parent is not None else []
    found = next((each for each in around if each.type == "pair" and _key_of(each) == key), None)
    return found.child_by_field_name("value") if found is not None else None


def _is_in_list(pair: Node) -> bool:
    """Return whether the object literal of a pair is an item of an array, such as one of the projects of Jest."""
    holder = pair.parent.parent if pair.parent is not None else None
    return holder is not None and holder.type == "array"


def _names_resolver(array: Node) -> bool:
    first = next((child for child in array.named_children if child.type != "comment"), None)
    if first is None or first.end_byte - first.start_byte > _MAX_PLACE:
        return False
    if first.type == "call_expression":
        # `require.resolve("babel-plugin-module-resolver")`
        first = next(iter(nodes_of_kind(first, "string")), first)
    return _MODULE_RESOLVER.search(node_text(first).strip("'\"`()")) is not None


def _within_resolver(pair: Node) -> bool:
    """Return whether a pair is in the options of Babel's module resolver."""
    around = pair.parent.parent if pair.parent is not None else None
    return around is not None and around.type == "array" and _names_resolver(around)
