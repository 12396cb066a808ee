"""The manifests of Python: which packages a repository has, what they depend on, and where their sources are."""

from __future__ import annotations

from .manifests import ManifestReader, PythonManifest, read_manifests
from .requirements import normalized

__all__ = ["ManifestReader", "PythonManifest", "normalized", "read_manifests"]
