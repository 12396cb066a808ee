"""What the paths in documents lead to: links, and paths in spans of code."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import unquote

from ...schema.paths import parent_of
from ..files.workspace_files import join_path
from .import_targets import Resolution, SourceTarget
from .path_imports import PathImports

#: Begins the specifier of a link, and of a path in a span of code.
LINK: Final = "link:"
CODE: Final = "code:"
#: A target with a scheme, of a template or of a site's own syntax: it is no path.
_NO_PATH: Final = re.compile(r"[a-zA-Z][\w+.-]*:|//|.*[{}<>$|\s]")
#: Paths of two parts at least, or names of files; a line may follow.
_PATH: Final = re.compile(r"(?P<path>(?:\.{1,2}/)*[\w@.+-]+(?:/[\w@.+\[\]()-]+)*)/?(?::\d+(?:[-:]\d+)?)?")
#: What a site or a renderer of documents appends to a path without an extension.
_PAGES: Final = ("", ".md", ".mdx", ".rst", ".adoc", "/README.md", "/index.md", "/index.mdx", "/index.rst")


def path_of_link(target: str) -> str | None:
    """Return the path of a link without what follows it, "" for the document itself; None for what is no path."""
    if _NO_PATH.match(target) is not None:
        return None
    return unquote(target.partition("#")[0].partition("?")[0])


def path_in_code(text: str) -> str | None:
    """Return the path that a span of code is; None for other code."""
    found = _PATH.fullmatch(text.strip()) if "/" in text or "." in text else None
    return found["path"] if found is not None else None


class DocumentPaths(PathImports):
    """Resolves the paths of documents to indexed files."""

    def own(self, specifier: str, from_path: str) -> Resolution:
        """A document may name itself."""
        return SourceTarget(from_path)

    def find(self, specifier: str, from_path: str) -> str | None:
        """Return the indexed file that a path means."""
        form, path = specifier[: len(LINK)], specifier[len(LINK) :]
        beside = join_path(parent_of(from_path), path) if not path.startswith("/") else None
        at_root = join_path("", path.lstrip("/"))
        if form == LINK:
            bases = [beside] if beside is not None else self._roots_above(from_path, path)
            return self.source(*(f"{base.rstrip('/')}{end}" for base in bases for end in _PAGES))
        exact = self.source(beside, at_root)
        return exact if exact is not None or "/" not in path else self._by_ending(path)

    def _roots_above(self, from_path: str, path: str) -> list[str]:
        """Return what a path from the root of a site may mean: a site lies in any folder around its documents."""
        found = []
        folder = parent_of(from_path)
        while folder:
            found.append(f"{folder}{path}")
            folder = parent_of(folder)
        return [*found, path.lstrip("/")]

    def _by_ending(self, path: str) -> str | None:
        """Return the only indexed file whose path ends with a path."""
        ending = f"/{path.removeprefix('./')}"
        found = [each for each in self.by_name.get(path.rpartition("/")[2], ()) if each.endswith(ending)]
        return found[0] if len(found) == 1 else None
