"""Records for the content of the manifests of packages, in all languages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec

from ...schema.records import Problem

#: Missing packages of a manifest that are named.
_MAX_NAMES: Final = 3


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


class ManifestGap(msgspec.Struct, frozen=True, gc=False):
    """What is not known of a package: its manifest is damaged, or packages that it requires are not on this machine."""

    file: str
    line: int
    reason: str


def missing_packages(path: str, required: int, missing: Sequence[str], remedy: str) -> ManifestGap:
    """Return the gap of a manifest that requires packages of which some are not on this machine; `remedy` downloads them."""
    shown = ", ".join(missing[:_MAX_NAMES]) + (", …" if len(missing) > _MAX_NAMES else "")
    text = f"{len(missing)} of {required} required packages are not on this machine ({shown})"
    return ManifestGap(path, 1, f"{text}, so that the types of their values are not known; `{remedy}` downloads them")
