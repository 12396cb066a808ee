"""The imports of a manual: a page may use a name that only other pages import, such as `z` of `import { z } from "shop"`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from ..facts.document_facts import MentionFact
from ..facts.model import FileFacts
from ..languages.document_paths import specifier_of_module
from ..languages.import_targets import Resolution, SourceTarget
from .mentioned import imported_names, shown_import
from .named_declarations import NamedDeclarations, example_in

#: Maximum number of pages with an import of a name that are read.
_MAX_PAGES: Final = 200


class SharedImport(NamedTuple):
    """An import of a name that all pages agree on."""

    module: str
    #: The imported name; "*" for the module itself, and "default" for what it exports as such.
    imported: str
    #: The file of the module.
    file: str


class SharedImports:
    """Finds what the pages of a repository import under a name."""

    def __init__(
        self, names: NamedDeclarations, facts_at: Callable[[str], FileFacts], resolve: Callable[[str, str], Resolution]
    ) -> None:
        self._names = names
        self._facts_at = facts_at
        self._resolve = resolve
        self._found: dict[tuple[str, str], SharedImport | None] = {}
        self._imports: dict[str, Sequence[MentionFact]] = {}

    def of(self, name: str, extension: str) -> SharedImport | None:
        """Return what the pages that import a name in a language import; None without such a page, and if they differ."""
        key = (name, extension)
        if key not in self._found:
            self._found[key] = self._agreed(name, extension)
        return self._found[key]

    def imports_in(self, page: str) -> Sequence[MentionFact]:
        """Return the imports in the blocks of a page."""
        if page not in self._imports:
            self._imports[page] = [each for each in self._facts_at(page).mentions if imported_names(each)]
        return self._imports[page]

    def _agreed(self, name: str, extension: str) -> SharedImport | None:
        pages = self._names.paths(shown_import(name))
        if len(pages) > _MAX_PAGES:
            return None
        found: dict[tuple[str, str], SharedImport] = {}
        for page in pages:
            for mention in self.imports_in(page):
                if mention.extension != extension:
                    continue
                for local, imported in imported_names(mention):
                    if local == name:
                        module = self._resolve(specifier_of_module(extension, mention.text), page)
                        if not isinstance(module, SourceTarget) or mention.text.startswith(".") or example_in(module.path):
                            return None  # a name of another package, or of an example
                        found.setdefault((module.path, imported), SharedImport(mention.text, imported, module.path))
        return next(iter(found.values())) if len(found) == 1 else None
