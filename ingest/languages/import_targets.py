"""The targets of module specifiers: six kinds of records."""

from __future__ import annotations

import msgspec


class SourceTarget(msgspec.Struct, frozen=True, gc=False, tag=True):
    """An indexed source file, or a declaration file (`.d.ts`) if TypeScript prefers that file."""

    path: str
    #: True if the target is the source of a built file that is not indexed. The specifier or the manifest of the package names
    #: the built file, such as `../dist/x.js` for the source `src/x.ts`.
    built: bool = False


class PackageTarget(msgspec.Struct, frozen=True, gc=False, tag=True):
    """A package outside the repository, installed or not.

    A package of Python has its name in imports: "yaml" for the distribution "PyYAML".
    """

    #: "react", "@scope/name"; for a URL or a virtual module of a bundler, the specifier.
    package: str
    #: Path after the package's name, without the slash: "jsx-runtime"; "" for the package itself.
    subpath: str
    #: The installed file that declares the imported module, below a node_modules folder of the workspace; None if there is none.
    declaration_path: str | None


class BuiltinTarget(msgspec.Struct, frozen=True, gc=False, tag=True):
    """A module of the runtime. `name` is "fs/promises" for a module of Node, and has the scheme for other runtimes:
    "bun:test".
    """

    name: str
    #: "node", "python", "go" or "java".
    runtime: str = "node"

    @property
    def package(self) -> str:
        """The name in the graph: "node:fs", "python:os.path"."""
        return f"{self.runtime}:{self.name}"


class AssetTarget(msgspec.Struct, frozen=True, gc=False, tag=True):
    """A file of the workspace without symbols: JSON, styles, images, a source imported as text, a source that is not indexed.

    The target may also be the folder of a Python package without a file.
    """

    path: str
    #: True for a data file of a `Discovery`, which the graph shows.
    known: bool = False


class MissingTarget(msgspec.Struct, frozen=True, gc=False, tag=True):
    """The target of a relative, absolute, `#` or mapped specifier for which there is no file."""

    specifier: str
    #: The reason: "" for a missing file, "alias" if a configuration maps the specifier to a missing or computed target,
    #: "configuration" if a configuration has computed aliases.
    reason: str = ""


class GlobTarget(msgspec.Struct, frozen=True, gc=False, tag=True):
    """The indexed files that code loads by a glob."""

    paths: tuple[str, ...]


Resolution = SourceTarget | PackageTarget | BuiltinTarget | AssetTarget | MissingTarget | GlobTarget
