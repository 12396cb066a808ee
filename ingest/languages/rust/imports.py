"""Imports of Rust: `use` and `mod`, and the modules of a crate by their files."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property
from typing import Final

from ....schema.paths import parent_of
from ...documents.use_trees import branches
from ..path_imports import PathImports
from ..syntax_only.import_statements import Specifier, one_line

_MOD: Final = re.compile(r"(?:pub(?:\([^)]*\))? )?mod (?P<name>\w+)")
_USE: Final = re.compile(r"\buse (?P<tree>.+)")
#: Maximum number of branches of one `use`. A macro or a prelude may have hundreds.
MAX_BRANCHES: Final = 200
_CRATE_NAME: Final = re.compile(rb"^\[(?:package|lib)\][^\[]*?^name\s*=\s*\"([^\"]+)\"", re.MULTILINE | re.DOTALL)
_CRATE_ROOTS: Final = ("lib.rs", "main.rs")


def read_specifiers(statement: str) -> Iterator[Specifier]:
    """Read the paths of a `use`, one for each branch, or the module of a `mod x;` as "mod x"."""
    text = one_line(statement).rstrip(";")
    if found := _MOD.match(text):
        yield Specifier(f"mod {found['name']}", (), (found["name"],))
    elif found := _USE.search(text):
        for _, path in zip(range(MAX_BRANCHES), branches(found["tree"]), strict=False):
            module, _, alias = path.partition(" as ")
            name = module.rpartition("::")[2].strip()
            yield Specifier(module.replace(" ", ""), (name,), () if name == "*" else (alias.strip() or name,))


class RustImports(PathImports):
    """Resolves the paths of modules to the files of their crate, or of another crate of the repository."""

    def place_of(self, path: str) -> str:
        """Return the path itself, because each Rust file has its own folder of submodules."""
        return path

    def find(self, specifier: str, from_path: str) -> str | None:
        """Return the file of a module, or the file of the innermost module in a path."""
        if specifier.startswith("mod "):
            return self._child(from_path, specifier.removeprefix("mod "))
        first, *rest = specifier.split("::")
        if first == "crate":
            start = self._crate_root(from_path)
        elif first == "self":
            start = from_path
        elif first == "super":
            start = self._parent(from_path)
            while start is not None and rest[:1] == ["super"]:
                start, rest = self._parent(start), rest[1:]
        elif child := self._child(from_path, first):
            start = child
        else:
            start = self._crates.get(first)
        if start is None:
            return None
        for name in rest:
            child = self._child(start, name)
            if child is None:
                break
            start = child
        return start

    @cached_property
    def _crates(self) -> dict[str, str]:
        """The root file of each library crate, by the name of the crate in code."""
        found = {}
        for path in self.files.configurations:
            if path.rpartition("/")[2] == "Cargo.toml":
                folder = parent_of(path)
                root = self.source(f"{folder}/src/lib.rs" if folder else "src/lib.rs")
                for match in _CRATE_NAME.finditer(self.files.read(path) or b"") if root else ():
                    found[match[1].decode("utf-8", "replace").replace("-", "_")] = root or ""
        return found

    def _child(self, path: str, name: str) -> str | None:
        """Return the file of a module within the module of a file."""
        folder, stem = parent_of(path), path.rpartition("/")[2].removesuffix(".rs")
        if stem not in ("mod", "lib", "main"):
            folder = f"{folder}/{stem}" if folder else stem
        prefix = f"{folder}/" if folder else ""
        return self.source(f"{prefix}{name}.rs", f"{prefix}{name}/mod.rs")

    def _parent(self, path: str) -> str | None:
        folder, stem = parent_of(path), path.rpartition("/")[2].removesuffix(".rs")
        if stem == "mod":
            folder = parent_of(folder)
        own = f"{folder}/" if folder else ""
        return self.source(f"{own}mod.rs", f"{own}lib.rs", f"{own}main.rs", f"{folder}.rs")

    def _crate_root(self, path: str) -> str | None:
        folder = parent_of(path)
        while True:
            prefix = f"{folder}/" if folder else ""
            if root := self.source(*(prefix + name for name in _CRATE_ROOTS)):
                return root
            if not folder:
                return None
            folder = parent_of(folder)
