"""From a module specifier to what it stands for: the algorithms of Node and TypeScript over the files of a workspace."""

from __future__ import annotations

from .modules import WorkspaceModules, read_modules
from .resolver import ModuleResolver
from .targets import AssetTarget, BuiltinTarget, MissingTarget, PackageTarget, Resolution, SourceTarget

__all__ = [
    "AssetTarget",
    "BuiltinTarget",
    "MissingTarget",
    "ModuleResolver",
    "PackageTarget",
    "Resolution",
    "SourceTarget",
    "WorkspaceModules",
    "read_modules",
]
