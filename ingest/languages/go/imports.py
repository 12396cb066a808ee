"""Imports of Go: packages by the path of their module and their folder in it."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cached_property
from typing import Final

from ....schema.paths import parent_of
from ...files.workspace_files import join_path
from ..path_imports import PathImports
from ..syntax_only.import_statements import SLASH_COMMENT, Specifier

_IMPORT: Final = re.compile(r"(?P<alias>[\w.]+[ \t]+)?\"(?P<path>[^\"]+)\"")
_VERSION: Final = re.compile(r"v\d+")
_MODULE: Final = re.compile(rb"^module\s+(\S+)", re.MULTILINE)
#: A module that a folder of the repository replaces: `replace example.com/a v1.2.3 => ../a`, also in a block.
_REPLACED: Final = re.compile(
    rb"^[ \t]*(?:replace[ \t]+)?([^\s(/][^\s]*)(?:[ \t]+v[^\s]+)?[ \t]+=>[ \t]+(\.{1,2}/?[^\s]*)", re.MULTILINE
)


def read_specifiers(statement: str) -> Iterator[Specifier]:
    """Read the packages that an import statement names."""
    for spec in _IMPORT.finditer(SLASH_COMMENT.sub("", statement)):
        parts = [part for part in spec["path"].split("/") if not _VERSION.fullmatch(part)]
        alias = (spec["alias"] or "").strip()
        name = alias if alias not in ("", "import") else parts[-1].removeprefix("go-").partition(".")[0] if parts else ""
        yield Specifier(spec["path"], (), (name,) if name not in ("", "_", ".") else ())


class GoImports(PathImports):
    """Packages of the modules that the `go.mod` files of the repository name."""

    def find(self, specifier: str, from_path: str) -> str | None:
        """Return the file that stands for a package: the one of its name, or the first."""
        for module, folder in self._modules:
            if specifier == module or specifier.startswith(module + "/"):
                package = join_path(folder, specifier[len(module) :].lstrip("/"))
                files = self._packages.get(package or "", [])
                named = f"{package}/" * bool(package) + f"{specifier.rpartition('/')[2]}.go"
                return named if named in files else files[0] if files else None
        return None

    @cached_property
    def _modules(self) -> list[tuple[str, str]]:
        """The path and the folder of each module, longest paths first. A folder may replace a module of another name."""
        found: dict[str, str] = {}
        replaced: dict[str, str] = {}
        for path in sorted(self.files.configurations):
            if path.rpartition("/")[2] != "go.mod":
                continue
            text, folder = self.files.read(path) or b"", parent_of(path)
            match = _MODULE.search(text)
            if match:
                found.setdefault(_unquoted(match[1]), folder)
            for old, new in _REPLACED.findall(text):
                target = join_path(folder, _unquoted(new))
                if target is not None:
                    replaced.setdefault(_unquoted(old), target)
        return sorted({**replaced, **found}.items(), key=lambda module: -len(module[0]))

    @cached_property
    def _packages(self) -> dict[str, list[str]]:
        """The files of each folder of Go, tests aside, in order."""
        found: dict[str, list[str]] = defaultdict(list)
        for path in sorted(self.files.sources):
            if path.endswith(".go") and not path.endswith("_test.go"):
                found[parent_of(path)].append(path)
        return found


def _unquoted(text: bytes) -> str:
    return text.decode("utf-8", "replace").strip('"')
