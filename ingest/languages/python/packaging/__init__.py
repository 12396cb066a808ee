"""Read manifests of Python for the packages of a repository, their dependencies, and their source folders."""

from __future__ import annotations

from .manifests import ManifestReader, PythonManifest, read_manifests
from .requirements import normalized

__all__ = ["ManifestReader", "PythonManifest", "normalized", "read_manifests"]
