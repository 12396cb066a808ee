"""Read the manifests of Python: the packages of a repository, their dependencies, and the folders of their sources."""

from __future__ import annotations

from .manifests import ManifestReader, PythonManifest, read_manifests
from .requirements import normalized

__all__ = ["ManifestReader", "PythonManifest", "normalized", "read_manifests"]
