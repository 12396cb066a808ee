"""Find what plugins of a bundler import: `unplugin-vue-components` components, and `unplugin-auto-import` functions.

The literal options count: `dirs`, `directoryAsNamespace` and `prefix` of `Components({…})`, and `imports` and `dirs` of
`AutoImport({…})`. Files that the plugins generate, such as `components.d.ts`, need not exist.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from ......schema.paths import path_in
from .....files.workspace_files import WorkspaceFiles, join_path
from .....symbols.node_text import node_text
from .auto_imports import ROUTER, VUE, ProjectNames, add_exports, files_below, pascal_words
from .script_values import ScriptValues
from .values import LiteralObject, Value

if TYPE_CHECKING:
    from tree_sitter import Node

#: A configuration without this text has no such plugins.
PLUGIN_WORDS: Final = re.compile(rb"unplugin-(?:vue-components|auto-import)")
_COMPONENTS: Final = "unplugin-vue-components"
_FUNCTIONS: Final = "unplugin-auto-import"
_PINIA: Final = "defineStore storeToRefs mapState mapActions mapStores mapWritableState createPinia acceptHMRUpdate"
_REACT: Final = "useState useCallback useMemo useEffect useRef useContext useReducer useId useTransition lazy memo forwardRef"
#: Names that `imports: ["vue"]` takes from packages.
_PRESETS: Final = {"vue": VUE, "vue-router": ROUTER, "pinia": _PINIA, "react": _REACT}
#: Folder of components without the option `dirs`.
_USUAL: Final = "src/components"


def plugin_names(script: ScriptValues, files: WorkspaceFiles, folder: str) -> ProjectNames | None:
    """Return the names that the plugins in a configuration import into all files of a project, or None without such plugins."""
    names: dict[str, str] = {}
    packages: dict[str, str] = {}
    sources = sorted(path for path in files.sources if not folder or path.startswith(f"{folder}/"))
    is_used = False
    for plugin, options in _plugins(script):
        is_used = True
        if plugin == _COMPONENTS:
            for each in _listed(options.get("dirs", _USUAL)):
                _add_components(names, sources, _folder(folder, each), options)
        else:
            for each in _listed(options.get("dirs")):
                place = _folder(folder, each)
                add_exports(names, files, sources, place, is_deep=each.rstrip("/").endswith("**"))
            for given in _values(options.get("imports")):
                packages.update(_imported(given))
    return ProjectNames(names, {}, (), packages) if is_used else None


def _plugins(script: ScriptValues) -> Iterator[tuple[str, dict[str, Value]]]:
    """Yield the calls of both plugins with their options."""
    pending: list[Node] = [script.root]
    while pending:
        node = pending.pop()
        pending += reversed(node.named_children)
        callee = node.child_by_field_name("function") if node.type == "call_expression" else None
        if callee is None:
            continue
        package = script.imported_module(node_text(callee).split(".")[0]).partition("/")[0]
        if package in (_COMPONENTS, _FUNCTIONS):
            arguments = node.child_by_field_name("arguments")
            first = next(iter(arguments.named_children), None) if arguments is not None else None
            options = script.value(first) if first is not None else None
            yield package, options.entries if isinstance(options, LiteralObject) else {}


def _values(value: Value) -> list[Value]:
    return value if isinstance(value, list) else [value]


def _listed(value: Value) -> list[str]:
    return [each for each in _values(value) if isinstance(each, str) and not each.startswith("!")]


def _folder(base: str, written: str) -> str:
    """Return the folder that an option names: `src/components`, `./src/stores/**`."""
    return join_path(base, written.partition("*")[0].strip("/")) or path_in(base, written)


def _add_components(names: dict[str, str], sources: list[str], folder: str, options: dict[str, Value]) -> None:
    extensions = tuple(f".{each}" for each in _listed(options.get("extensions", "vue")))
    prefix = options.get("prefix")
    has_path = options.get("directoryAsNamespace") is True
    is_deep = options.get("deep") is not False
    for path in files_below(sources, folder):
        *folders, last = path.removeprefix(f"{folder}/").split("/")
        stem, dot, ending = last.partition(".")
        if f"{dot}{ending}" not in extensions or (folders and not is_deep):
            continue
        parts = [*folders, stem] if has_path else [folders[-1] if stem == "index" and folders else stem]
        name = "".join(pascal_words(part) for part in parts)
        names.setdefault(f"<{pascal_words(prefix) if isinstance(prefix, str) else ''}{name}>", path)


def _imported(given: Value) -> dict[str, str]:
    """Return the packages of the names that an entry of `imports` lists: `"vue"`, or `{ "naive-ui": ["useDialog"] }`."""
    if isinstance(given, str):
        return dict.fromkeys(_PRESETS.get(given, "").split(), given)
    if not isinstance(given, LiteralObject):
        return {}
    entries = given.entries
    if isinstance(source := entries.get("from"), str):
        entries = {source: entries.get("imports")}
    return {
        name: package
        for package, listed in entries.items()
        for each in _values(listed)
        if (name := _local_name(each)) and not package.startswith((".", "/", "@/", "~/"))
    }


def _local_name(value: Value) -> str:
    """Return the name that an entry imports under its own name; "" for renamed exports: `["default", "axios"]`."""
    if isinstance(value, list) and len(value) > 1 and value[0] == value[1]:
        value = value[0]
    return value if isinstance(value, str) else ""
