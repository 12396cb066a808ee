"""Our own declarations of Go's types and standard library, and the names of what is outside of the repository."""

from __future__ import annotations

from hashlib import sha256
from importlib.resources import files
from typing import TYPE_CHECKING

import msgspec

from ...facts.cache import FactCache, FactKey, pack_facts
from ...files.source_text import decode_source
from .build_constraints import is_of_another_platform

if TYPE_CHECKING:
    from ...facts.model import FileFacts
    from ...files.workspace_files import WorkspaceFiles
    from ..installed_files import InstalledFiles


class GoRules:
    """What the nominal engine asks about Go."""

    is_static = True

    def runtime_name(self, module: str) -> str:
        """Return the package that declares what a package of the runtime gives: always itself."""
        return module

    def runtime(self, module: str, cache: FactCache | None = None) -> FileFacts | None:
        """Return the facts of our own declarations of a package, or None. Raises `StoreError`."""
        return runtime_facts(module, cache)

    def packages(self, files: WorkspaceFiles, installed: InstalledFiles) -> None:
        """Read no types of modules that are downloaded: they stay unknown."""

    def external(self, name: str) -> str:
        """Return the id of something outside of the repository by its import path and its name: `fmt.Println`.

        The packages of the standard library are those without a dot in the first part of their path.
        """
        package, dot, rest = _split(name)
        if package == "builtins":
            return f"go:{rest}"
        return f"gomod:{package}{'#' if dot else ''}{rest}" if "." in package.partition("/")[0] else f"go:{name}"

    def is_of_another_platform(self, path: str) -> bool:
        """Return whether the name of a file says that it is for another platform."""
        return is_of_another_platform(path)


def _split(name: str) -> tuple[str, str, str]:
    """Split a dotted name behind its import path, whose last part has no dot but that of a version: `gopkg.in/yaml.v3`."""
    folder, slash, last = name.rpartition("/")
    first, dot, rest = last.partition(".")
    version, more, inner = rest.partition(".")
    if version[:1] == "v" and version[1:].isdigit():
        return f"{folder}{slash}{first}.{version}", more, inner
    return f"{folder}{slash}{first}", dot, rest


#: Facts of the packages that were asked for; None for those that we do not declare.
_known: dict[str, FileFacts | None] = {}


def runtime_facts(module: str, cache: FactCache | None = None) -> FileFacts | None:
    """Return the facts of a package's declarations, or None if there are none. A cache saves most of the time.

    Raises `StoreError`.
    """
    if module not in _known:
        path = files(f"{__package__}.runtime").joinpath(f"{module.replace('/', '.')}.stub")
        _known[module] = _read(path.read_bytes(), cache) if path.is_file() else None
    return _known[module]


def _read(source: bytes, cache: FactCache | None) -> FileFacts:
    from . import READER

    key = FactKey.of(sha256(source).hexdigest(), "go")
    known = cache.get(key) if cache is not None else None
    if known is None:
        known = READER.read(decode_source(source), "go")
        if cache is not None:
            cache.put(key, pack_facts(msgspec.msgpack.encode(known)))
    return known
