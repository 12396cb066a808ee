"""The targets of import specifiers in a workspace of several languages: each language resolves its own files."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property
from typing import Final

from ...schema.languages import BY_NAME, DOCUMENTS, language_of
from ...schema.paths import parent_of, path_in
from ..documents.programs import PROGRAM, SCRIPT
from ..files.workspace_files import WorkspaceFiles
from .base import ImportRules
from .document_paths import CODE, LINK, URL, DocumentPaths
from .import_targets import MissingTarget, Resolution
from .registry import language as language_named

#: Specifiers that come from the prose of a file that is not a document, such as MDX: a path, or a module in a block of code.
_OF_PROSE: Final = re.compile(rf"{LINK}|{CODE}|{URL}|{PROGRAM}|{SCRIPT}|\.\w+:")


class ImportResolver:
    """Resolves specifiers over one state of a workspace. A change of files or configurations requires a new resolver."""

    def __init__(self, files: WorkspaceFiles, known: Mapping[str, ImportRules] | None = None) -> None:
        """`known` maps folders of languages to existing import rules."""
        self._files = files
        self._rules: dict[str, ImportRules | None] = {**(known or {})}

    def resolve(self, specifier: str, from_path: str) -> Resolution:
        """Return the target of a specifier in a file. The target may also be a declaration file of an installed package."""
        name = language_of(from_path)
        if name in DOCUMENTS or _OF_PROSE.match(specifier) is not None:
            return self._in_document(specifier, from_path)
        rules = self._rules_of(name) if name is not None else None
        return rules.resolve(specifier, from_path) if rules is not None else MissingTarget(specifier)

    def _in_document(self, specifier: str, from_path: str) -> Resolution:
        """Return the target of a name in a document: a path, or a module in a block of code, as `.py:` and the specifier."""
        form, _, named = specifier.partition(":")
        if form.startswith("."):
            return self.resolve(named, path_in(parent_of(from_path), f"_{form}"))
        return self._paths.resolve(specifier, from_path)

    @cached_property
    def _paths(self) -> DocumentPaths:
        return DocumentPaths(self._files)

    def _rules_of(self, name: str) -> ImportRules | None:
        folder = BY_NAME[name].folder
        if folder not in self._rules:
            record = language_named(name)
            if record.imports_like:
                self._rules[folder] = self._rules_of(record.imports_like)
            else:
                self._rules[folder] = record.import_rules(self._files) if record.import_rules is not None else None
        return self._rules[folder]
