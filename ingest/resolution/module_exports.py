"""Follows the exports of modules to the declarations that other modules and users see."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Final

from ...schema.paths import parent_of
from ...schema.records import Symbol
from ...schema.symbol_kinds import STATEMENTS
from ..facts.model import FileFacts
from ..languages.import_targets import Resolution, SourceTarget
from .module_names import DEFAULT, ModuleNames, module_names
from .named_declarations import out_of_group

_DEFAULT_EXPORT: Final = re.compile(r"export default (\w+);?$")
_NAMESPACE: Final = "namespace"
#: Maximum number of modules through which a name is followed to its declaration.
_MAX_MODULES: Final = 40
#: Files that are the module of their folder, from which users import, by the ending of the files in the folder.
_INDEXES: Final = {
    ".py": ("__init__.py",),
    ".ts": ("index.ts", "index.tsx"),
    ".tsx": ("index.ts", "index.tsx"),
    ".js": ("index.js",),
    ".jsx": ("index.js",),
    ".mjs": ("index.mjs", "index.js"),
}


class ModuleExports:
    """Finds the declarations behind the names that modules export."""

    def __init__(
        self,
        paths: Callable[[], Collection[str]],
        facts_at: Callable[[str], FileFacts],
        symbols_at: Callable[[str], Sequence[Symbol]],
        resolve: Callable[[str, str], Resolution],
    ) -> None:
        """`paths` returns the paths of all files."""
        self._paths = paths
        self._facts_at = facts_at
        self._symbols_at = symbols_at
        self._resolve = resolve
        #: The names of the modules that were searched, by path.
        self._modules: dict[str, ModuleNames] = {}
        #: The folder of the outermost module that exports a name of a file, by the file and the name.
        self._packages: dict[tuple[str, str], str] = {}
        #: The answers of `find`, by the file and the name.
        self._found: dict[tuple[str, str], tuple[Symbol | None, bool]] = {}

    def names(self, path: str) -> ModuleNames:
        """Return the names that a module imports and exports."""
        known = self._modules.get(path)
        if known is None:
            known = self._modules[path] = module_names(self._facts_at(path))
        return known

    def has_default(self, module: str) -> bool:
        """Return whether a module of ECMAScript has a default export, which a script gets from the built package."""
        names = {export.name for export in self._facts_at(module).exports}
        return DEFAULT in names and "=" not in names

    def find(self, module: str, name: str) -> tuple[Symbol | None, bool]:
        """Return the declaration of a name that a module declares or exports, and whether the module takes the name from another
        one.
        """
        key = (module, name)
        if key not in self._found:
            self._found[key] = self._followed(module, name)
        return self._found[key]

    def _followed(self, module: str, name: str) -> tuple[Symbol | None, bool]:
        waiting = [(module, name)]
        seen = set(waiting)
        while waiting and len(seen) <= _MAX_MODULES:
            path, wanted = waiting.pop(0)
            names = self.names(path)
            if (place := names.members.get(wanted, -1)) >= 0:
                return self._symbols_at(path)[place], True
            own = names.local_names(wanted) | self._default(path, wanted)
            if names.is_complete and wanted not in names.exports:
                own = set()  # what has the name in the file is not exported
            named = (symbol for symbol in self._symbols_at(path) if symbol.name in own and symbol.kind not in STATEMENTS)
            # A method of Go is declared outside of its type.
            declared = [each for symbol in named if not (each := out_of_group(symbol)).depth and "." not in each.qualified_name]
            if declared:
                # A namespace may repeat the name of a class, whose types it has.
                return next((each for each in declared if each.kind != _NAMESPACE), declared[0]), True
            # A stub declares what a module of Python takes from a compiled one.
            stub = [(f"{path}i", wanted)] if path.endswith(".py") and f"{path}i" in self._paths() else []
            for step in (*self._taken_from(path, own, wanted), *stub):
                if step not in seen:
                    seen.add(step)
                    waiting.append(step)
        return None, len(seen) > 1

    def public(self, symbols: list[Symbol], parts: Sequence[str]) -> list[Symbol]:
        """Return the only one of several symbols that the outermost module exports, with its members; else all symbols.

        Users import a name of several classes from the package: `shop.Lock` is what `shop/__init__.py` takes from
        `shop/_core/locks.py`, and not the class in `shop/_backends/memory.py`. `parts` are the parts of the written name.
        """
        visible: dict[str, list[Symbol]] = {}
        for symbol in symbols:
            root = symbol.qualified_name.partition(".")[0]
            package = self._package(symbol.relative_path, root) if root in parts else ""
            if package:
                visible.setdefault(package, []).append(symbol)
        outermost = min(visible, key=len, default="")
        is_one = outermost and all(symbol.relative_path.startswith(f"{outermost}/") for symbol in symbols)
        return visible[outermost] if is_one and len(visible[outermost]) == 1 else symbols

    def _package(self, path: str, name: str) -> str:
        """Return the outermost folder whose module exports a name of a file; "" for no such module."""
        key = (path, name)
        if key not in self._packages:
            self._packages[key] = self._outermost(path, name)
        return self._packages[key]

    def _outermost(self, path: str, name: str) -> str:
        indexes = _INDEXES.get(f".{path.rpartition('.')[2]}", ())
        package, folder = "", parent_of(path)
        while folder and indexes:
            modules = [module for each in indexes if (module := f"{folder}/{each}") in self._paths()]
            if modules and (found := self.find(modules[0], name)[0]) is not None and found.relative_path == path:
                package = folder
            elif not modules and path.endswith(".py"):
                break  # a package of Python has a module in each folder
            folder = parent_of(folder)
        return package

    def _default(self, path: str, wanted: str) -> set[str]:
        """Return the name that a module exports as its default: `got` of `export default got`."""
        exports = (symbol.name for symbol in self._symbols_at(path) if symbol.kind == "export") if wanted == DEFAULT else ()
        return {found[1] for name in exports if (found := _DEFAULT_EXPORT.match(name)) is not None}

    def _taken_from(self, path: str, names: set[str], exported: str) -> Iterator[tuple[str, str]]:
        """Yield the modules from which a module may take an export with these local names, each with the name in that module."""
        for name, specifier, imported in self.names(path).imports:
            if name in names or name == "*":
                found = self._resolve(specifier, path)
                if isinstance(found, SourceTarget):
                    taken = sorted({*names, exported} - {DEFAULT}) if name == "*" else {imported} - {"", "*"}
                    yield from ((found.path, each) for each in taken)
