"""Our own declarations of a language's standard library: stub files in its folder, read like code of the language.

A build of the package reads them once, and writes the facts of `java.util.stub` into `java.util.facts` beside it. Loading these
takes a fifteenth of the time of parsing. They begin with their key, which covers the code that extracts facts and the versions of
the grammars. Where the key differs, and in a checkout, which has no such files, the declarations are parsed.
"""

from __future__ import annotations

from hashlib import sha256
from importlib.resources import files
from typing import TYPE_CHECKING, Final

import msgspec

from ..facts.cache import FactKey, FactReader, kept_facts, pack_facts, unpack_facts
from ..facts.model import FileFacts
from ..files.source_text import decode_source
from .registry import language as record_of

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable
    from pathlib import Path

_STUB: Final = ".stub"
_FACTS: Final = ".facts"


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

        Facts that the build of the package wrote are loaded. Otherwise, facts in `cache` are reused. The file of the module `a/b`
        is `a.b`. Raises `StoreError`.
        """
        if module not in self._known:
            name = module.replace("/", ".")
            path = files(self._folder).joinpath(f"{name}{_STUB}")
            self._known[module] = self._read(name, path.read_bytes(), cache) if path.is_file() else None
        return self._known[module]

    def build(self, folder: Path) -> None:
        """Write the facts of all declarations below `folder`, the folder of the language."""
        target = folder / self._folder.rpartition(".")[2]
        for path in files(self._folder).iterdir():
            if path.name.endswith(_STUB):
                source = path.read_bytes()
                write_built(target / f"{path.name.removesuffix(_STUB)}{_FACTS}", self._key(source), self._parse(source))

    def _read(self, name: str, source: bytes, cache: FactReader | None) -> FileFacts:
        key = self._key(source)
        built = built_facts(files(self._folder).joinpath(f"{name}{_FACTS}"), key)
        return built if built is not None else kept_facts(cache, key, lambda: self._parse(source))

    def _key(self, source: bytes) -> FactKey:
        return FactKey.of(sha256(source).hexdigest(), self._language)

    def _parse(self, source: bytes) -> FileFacts:
        return record_of(self._language).read(decode_source(source), self._language)


def built_facts(file: Traversable, key: FactKey) -> FileFacts | None:
    """Return the facts that `write_built` wrote into a file; None if the file is missing or damaged, or has another key."""
    try:
        content = file.read_bytes()
    except OSError:
        return None
    return unpack_facts(content[len(key.digest) :]) if content.startswith(key.digest) else None


def write_built(file: Path, key: FactKey, facts: FileFacts) -> None:
    """Write facts with their key into a file, whose folder is created if necessary."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(key.digest + pack_facts(msgspec.msgpack.encode(facts), 9))
