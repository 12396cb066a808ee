"""Resolve module specifiers with the algorithms of Node and TypeScript over the files of a workspace."""

from __future__ import annotations

from ...import_targets import AssetTarget, BuiltinTarget, GlobTarget, MissingTarget, PackageTarget, Resolution, SourceTarget
from .resolver import ModuleResolver

__all__ = [
    "AssetTarget",
    "BuiltinTarget",
    "GlobTarget",
    "MissingTarget",
    "ModuleResolver",
    "PackageTarget",
    "Resolution",
    "SourceTarget",
]
