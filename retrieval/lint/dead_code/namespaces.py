"""Find the used exports of wholly imported modules: after `import * as styles`, `styles.name` uses `name`."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence

from ....graphdb.queries.lint import WholeImport
from ...text_search.indexed_text import IndexedTexts


class WholeImports:
    """Imports of whole files, which may use any export of these files."""

    def __init__(
        self, texts: IndexedTexts, imports: Mapping[str, Sequence[WholeImport]], loaded_by_path: Collection[str]
    ) -> None:
        self._texts = texts
        self._imports = imports
        self._loaded_by_path = loaded_by_path
        self._members_by_import = texts.once(_no_members)

    def forms_of(self, path: str, name: str) -> list[str]:
        """Return the forms of import that may use an export without naming it: "namespace", "dynamic", "require", "by its
        path".
        """
        forms = {each.form for each in self._imports.get(path, ()) if self._may_take(each, name)}
        return sorted(forms | ({"by its path"} if path in self._loaded_by_path else set()))

    def _may_take(self, imported: WholeImport, name: str) -> bool:
        if imported.form != "namespace":
            return True
        if imported not in self._members_by_import:
            self._members_by_import[imported] = self._members(imported)
        members = self._members_by_import[imported]
        return members is None or name in members

    def _members(self, imported: WholeImport) -> frozenset[str] | None:
        if imported.importer not in self._texts:
            return None
        return used_members(self._texts[imported.importer].text, imported.specifiers)


def _no_members(_: IndexedTexts) -> dict[WholeImport, frozenset[str] | None]:
    """Return an empty cache of used members, by import of a whole file."""
    return {}


def used_members(source: bytes, specifiers: Iterable[str]) -> frozenset[str] | None:
    """Return the used members of namespaces that a source imports from the given specifiers; None if the source uses a namespace
    as a value.
    """
    found: set[str] = set()
    for specifier in specifiers:
        statement = rb"""\*\s*as\s+([\w$]+)\s+from\s*['"]""" + re.escape(specifier.encode()) + rb"""['"]"""
        names = set(re.findall(statement, source))
        if not names:
            return None
        rest = re.sub(statement, b"", source)
        for name in names:
            use = (
                rb"""(?:(?<![\w$.#'"`-])|(?<=\.\.\.))"""
                + re.escape(name)
                + rb"""(?![\w$'"`-])(?:\s*\??\.\s*([A-Za-z_$][\w$]*))?"""
            )
            members = re.findall(use, rest)
            if b"" in members:
                return None
            found.update(member.decode() for member in members)
    return frozenset(found)
