"""Imports of Python: what statements name, and the packages that files lie in."""

from __future__ import annotations

import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from functools import cached_property
from typing import Final

from ....schema.paths import parent_of
from ..path_imports import PathImports, nearest
from ..syntax_only.import_statements import Specifier, items

_COMMENT: Final = re.compile(r"#[^\n]*")
_FROM: Final = re.compile(r"from\s+(?P<module>[.\w]+)\s+import\b\s*\(?(?P<names>[^)]*)")
_IMPORT: Final = re.compile(r"import\s+(?P<names>.+)", re.DOTALL)


def read_specifiers(statement: str) -> Iterator[Specifier]:
    """Read what an import statement names: of `from a import b` both `a` and `a.b`, since either may be a file."""
    text = _COMMENT.sub("", statement).replace("\\\n", " ").strip()
    if found := _FROM.match(text):
        module, named = found["module"], [item for item in items(found["names"]) if item[0] != "*"]
        yield Specifier(module, tuple(name for name, _ in named), tuple(local for _, local in named))
        separator = "" if module.endswith(".") else "."
        yield from (Specifier(f"{module}{separator}{name}") for name, _ in named)
    elif found := _IMPORT.match(text):
        for name, local in items(found["names"]):
            yield Specifier(name, (), (local.partition(".")[0],))


class PythonImports(PathImports):
    """Relative imports by folders, others by the dotted names that packages give their files."""

    def find(self, specifier: str, from_path: str) -> str | None:
        """Return the file of a module."""
        name = specifier.lstrip(".")
        if dots := len(specifier) - len(name):
            folder: str | None = parent_of(from_path)
            for _ in range(dots - 1):
                folder = parent_of(folder) if folder else None
            if folder is None:
                return None
            stem = "/".join(part for part in (folder, *name.split(".")) if part)
            return self.source(f"{stem}.py", f"{stem}/__init__.py", f"{stem}.pyi", f"{stem}/__init__.pyi")
        modules = self._modules.get(name, [])
        known = [path for path in modules if path.endswith(".py")] or modules
        if not known:
            stem, folder = name.replace(".", "/"), parent_of(from_path)
            # A file that is run as a script imports its neighbours by their plain names.
            below = f"{folder}/{stem}" if folder and name.partition(".")[0] not in sys.stdlib_module_names else stem
            return self.source(f"{stem}.py", f"{stem}/__init__.py", f"{below}.py", f"{below}/__init__.py")
        return nearest(known, from_path)

    @cached_property
    def _modules(self) -> dict[str, list[str]]:
        """Files by the dotted name that their packages give them: from the topmost folder above that has an `__init__.py`."""
        found: dict[str, list[str]] = defaultdict(list)
        for path in self.files.sources:
            if path.endswith((".py", ".pyi")):
                found[self._dotted_name(path)].append(path)
        return found

    def _dotted_name(self, path: str) -> str:
        stem = path.rpartition(".")[0]
        folder, parts = parent_of(path), [stem.rpartition("/")[2]]
        while folder and self.source(f"{folder}/__init__.py", f"{folder}/__init__.pyi"):
            parts.insert(0, folder.rpartition("/")[2])
            folder = parent_of(folder)
        if parts[-1] == "__init__" and len(parts) > 1:
            parts.pop()
        return ".".join(parts)
