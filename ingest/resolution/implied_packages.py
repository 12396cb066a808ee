"""The imports of packages and types that the blocks of Go and Java of a document leave to the reader."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from ...schema.paths import parent_of
from ...schema.records import Symbol
from ...schema.symbol_kinds import TYPE_KINDS
from ..documents.blocks.programs import NamedImport
from ..documents.names import CodeName
from ..facts.document_facts import BlockFact
from ..facts.model import FileFacts
from ..files.path_roles import is_test_path
from ..languages.document_paths import specifier_of_module
from ..languages.import_targets import Resolution, SourceTarget
from .block_programs import FILE, imported_modules
from .named_declarations import NamedDeclarations, example_in

_GO: Final = ".go"
_JAVA: Final = ".java"
#: A member of a package of Go: `shop.Open`.
_QUALIFIED: Final = re.compile(r"(?<![\w.\"/])(?P<package>[a-z]\w*)\.(?P<name>[A-Z]\w*)")
_TYPE: Final = re.compile(r"(?<![\w.\"$@])@?(?P<name>[A-Z]\w*)(?!\w)")
_DECLARED: Final = re.compile(r"\b(?:class|interface|enum|record)[ \t]+(?P<name>[A-Z]\w*)")
#: Maximum number of names of a package that are looked up.
_MAX_NAMES: Final = 12


class ImpliedPackages:
    """Finds the packages and types of the repository that blocks use without an import."""

    def __init__(
        self, names: NamedDeclarations, facts_at: Callable[[str], FileFacts], resolve: Callable[[str, str], Resolution]
    ) -> None:
        self._names = names
        self._facts_at = facts_at
        self._resolve = resolve

    def imports(self, blocks: Sequence[BlockFact], extension: str) -> Iterator[NamedImport]:
        """Yield the imports that the blocks in a language leave out."""
        texts = [block.text for block in blocks if block.extension == extension]
        if extension == _GO:
            yield from self._of_go(texts)
        elif extension == _JAVA:
            yield from self._of_java(texts)

    def packages(self, path: str, blocks: Sequence[BlockFact], extension: str) -> dict[str, str]:
        """Return the names of the packages of the repository that the blocks of a document in Go import, by import path."""
        found = {}
        for block in blocks:
            for module in imported_modules(block.text, extension) if block.extension == extension == _GO else ():
                target = self._resolve(specifier_of_module(extension, module), path)
                if isinstance(target, SourceTarget) and module not in found:
                    found[module] = self._facts_at(target.path).package
        return found

    def _of_go(self, texts: Sequence[str]) -> Iterator[NamedImport]:
        members: dict[str, dict[str, None]] = {}
        for text in texts:
            for found in _QUALIFIED.finditer(text):
                members.setdefault(found["package"], {})[found["name"]] = None
        for package, names in members.items():
            places: set[str] = set()
            file = ""
            for name in list(names)[:_MAX_NAMES]:
                every = self._names.candidates(CodeName((package, name), True)) or ()
                inside = [each for each in every if each.qualified_name == name and self._is_of_package(each, package)]
                places.update(parent_of(each.relative_path) for each in inside)
                file = file or next((each.relative_path for each in inside), "")
            if len(places) == 1:
                yield NamedImport(package, f'import {package} "{FILE}{file}"')

    def _is_of_package(self, symbol: Symbol, package: str) -> bool:
        path = symbol.relative_path
        return path.endswith(_GO) and not is_test_path(path) and self._facts_at(path).package == package

    def _of_java(self, texts: Sequence[str]) -> Iterator[NamedImport]:
        declared = {found["name"] for text in texts for found in _DECLARED.finditer(text)}
        used = dict.fromkeys(found["name"] for text in texts for found in _TYPE.finditer(text))
        for name in used:
            every = (self._names.candidates(CodeName((name,), False)) or ()) if name not in declared else ()
            found = [each for each in every if _is_type_for_users(each)]
            package = self._facts_at(found[0].relative_path).package if len(found) == 1 else ""
            if package:
                yield NamedImport(name, f"import {package}.{name};")


def _is_type_for_users(symbol: Symbol) -> bool:
    path = symbol.relative_path
    is_outer = symbol.kind in TYPE_KINDS and not symbol.depth and symbol.exported
    return is_outer and path.endswith(_JAVA) and not is_test_path(path) and not example_in(path)
