"""The content of one file about a package."""

from __future__ import annotations

import msgspec

from .....schema.records import Problem
from ...module_manifests import DeclaredDependency


class Declared(msgspec.Struct, frozen=True, kw_only=True):
    """The declarations of one manifest. Paths are relative to the folder of the manifest and not normalized."""

    #: Whether the manifest declares a package: it has dependencies, or a name, which may be computed and thus unknown.
    is_package: bool = False
    name: str = ""
    version: str = ""
    #: Dotted name of a constant that is the version: "shop.__version__"; "" for none.
    version_constant: str = ""
    #: File with the version, or "".
    version_path: str = ""
    dependencies: tuple[DeclaredDependency, ...] = ()
    #: Whether code computes dependencies, or a setting reads them from another file.
    has_other_dependencies: bool = False
    #: Folders that contain packages, apart from the folder of the manifest.
    source_folders: tuple[str, ...] = ()
    #: Folders of packages whose folder names differ from the package names, by package name.
    package_folders: dict[str, str] = {}
    #: Entry points: pairs of a name and an object of a module, such as "shop.cli:main".
    entry_points: tuple[tuple[str, str], ...] = ()
    problem: Problem | None = None


def folders_of_packages(value: object) -> tuple[tuple[str, ...], dict[str, str]]:
    """Read `package_dir`: the key "" has a folder of packages, other keys are packages with their folder."""
    if not isinstance(value, dict):
        return (), {}
    named = {name: folder for name, folder in value.items() if isinstance(name, str) and isinstance(folder, str)}
    root = named.pop("", None)
    return (root,) if root is not None else (), {name: folder for name, folder in named.items() if name.isidentifier()}
