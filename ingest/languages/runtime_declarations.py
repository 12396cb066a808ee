"""Our own declarations of a language's standard library: stub files in its folder, read like code of the language."""

from __future__ import annotations

from hashlib import sha256
from importlib.resources import files
from typing import TYPE_CHECKING

from ..facts.cache import FactKey, FactReader, kept_facts
from ..files.source_text import decode_source
from .registry import language as record_of

if TYPE_CHECKING:
    from ..facts.model import FileFacts


class RuntimeDeclarations:
    """The declarations of one language. Each file is read once in the lifetime of the process."""

    def __init__(self, folder: str, language: str) -> None:
        """`folder` is the package that contains the stub files."""
        self._folder = folder
        self._language = language
        #: Facts by module; None for modules that we do not declare.
        self._known: dict[str, FileFacts | None] = {}

    def facts(self, module: str, cache: FactReader | None = None) -> FileFacts | None:
        """Return the facts of a module's declarations, or None if there are none.

        With `cache`, stored facts are reused, which saves most of the time. The file of the module `a/b` is `a.b`. Raises
        `StoreError`.
        """
        if module not in self._known:
            path = files(self._folder).joinpath(f"{module.replace('/', '.')}.stub")
            self._known[module] = self._read(path.read_bytes(), cache) if path.is_file() else None
        return self._known[module]

    def _read(self, source: bytes, cache: FactReader | None) -> FileFacts:
        key = FactKey.of(sha256(source).hexdigest(), self._language)
        return kept_facts(cache, key, lambda: record_of(self._language).read(decode_source(source), self._language))
