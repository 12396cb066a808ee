"""Find the folders in which Maven and Gradle keep downloaded archives, and digest their state."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from .manifest_names import manifest_language
from .workspace_files import listing


def maven_repository() -> Path:
    """Return the folder of Maven's local repository. The folder need not exist."""
    return Path.home() / ".m2" / "repository"


def gradle_cache() -> Path:
    """Return the folder of the archives that Gradle downloaded. The folder need not exist."""
    home = os.environ.get("GRADLE_USER_HOME")
    return (Path(home) if home else Path.home() / ".gradle") / "caches" / "modules-2" / "files-2.1"


def downloaded_names(manifests: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return the data that determine which downloaded archives a workspace can use, as bytes.

    The result has each Java manifest by its path, and the list of downloaded groups by the folder of the groups. The result is
    empty without a Java manifest or without archives.
    """
    builds = {path: content for path, content in manifests.items() if manifest_language(path.rpartition("/")[2]) == "java"}
    if not builds:
        return {}
    groups = {str(folder): sorted(listing(str(folder))) for folder in (maven_repository(), gradle_cache())}
    if not any(groups.values()):
        return {}
    return builds | {folder: "\n".join(names).encode("utf-8", "surrogateescape") for folder, names in groups.items()}
