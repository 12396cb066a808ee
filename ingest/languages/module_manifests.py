"""Records for the content of the manifests of packages, in all languages."""

from __future__ import annotations

import msgspec

from ...schema.records import Problem


class DeclaredDependency(msgspec.Struct, frozen=True, gc=False):
    """One entry of a dependency section, as written."""

    package: str
    version_range: str
    section: str


class ModuleManifest(msgspec.Struct, frozen=True):
    """A package with its own folder."""

    #: "" for the root of the workspace.
    folder: str
    #: "" if the manifest does not name it.
    name: str
    #: Manifest family: "npm", "python", "maven", "gradle" or "go".
    kind: str
    path: str
    #: "" if it is not written as a literal.
    version: str
    dependencies: tuple[DeclaredDependency, ...]


class FoundManifests(msgspec.Struct, frozen=True):
    """The packages of a workspace that one language finds."""

    modules: list[ModuleManifest]
    #: Problems of manifests, by path.
    problems: dict[str, Problem]
