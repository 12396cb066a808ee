"""Find the Python environments of a workspace: folders with installed packages.

An environment is beside a manifest, or a setting names it. Nothing in an environment is run or indexed. Paths are relative to the
root of the workspace, or absolute for an environment outside of the workspace.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import Final

from ...schema.paths import path_in
from .manifest_names import manifest_language

#: Names of folders beside a manifest that may be environments, the preferred names first.
_NAMES: Final = (".venv", "venv", "env", ".conda")
#: Marks of an environment: a file of `venv`, or a folder of conda.
_MARKS: Final = ("pyvenv.cfg", "conda-meta")
#: Folders of an environment that contain a folder for each version of Python.
_LIBRARIES: Final = ("lib", "lib64")
#: Names of the folders that contain packages.
_PACKAGES: Final = ("site-packages", "dist-packages")
#: Maximum size of a file that links a package, in bytes.
MAX_LINK_SIZE: Final = 200_000


def package_folders(root: str, configurations: Iterable[str], setting: str) -> dict[str, list[str]]:
    """Return the folders with installed packages, by the folder of their project.

    `configurations` are paths of configuration files, including manifests. `setting` names an environment, an interpreter or a
    folder of packages for all projects; with "", each project has the environment beside its manifest.
    """
    if setting:
        return {"": _folders_of_setting(root, setting)}
    projects = {path.rpartition("/")[0] for path in configurations if _is_manifest(path)} | {""}
    found: dict[str, list[str]] = {}
    for project in sorted(projects):
        for name in _NAMES:
            prefix = path_in(project, name)
            if any(os.path.exists(f"{root}/{prefix}/{mark}") for mark in _MARKS):
                found[project] = _folders_of_environment(root, prefix)
                break
    return found


def installed_names(root: str, folders: Iterable[str]) -> dict[str, bytes]:
    """Return the state of some folders with packages, by name: the entries and the content of links."""
    found: dict[str, bytes] = {}
    for folder in folders:
        names = sorted(name for name in names_in(os.path.join(root, folder)) if name != "__pycache__")
        found[folder] = "\n".join(names).encode("utf-8", "surrogateescape")
        for name in names:
            if is_link(name):
                found[f"{folder}/{name}"] = read_link(os.path.join(root, folder, name))
    return found


def is_link(name: str) -> bool:
    """Return whether a file among packages contains the location of editable packages."""
    return name.endswith(".pth") or (name.startswith("__editable__") and name.endswith(".py"))


def read_link(path: str) -> bytes:
    """Return the content of a file that links packages; b"" if it cannot be read or is too large."""
    try:
        with open(path, "rb") as handle:
            content = handle.read(MAX_LINK_SIZE + 1)
    except OSError:
        return b""
    return content if len(content) <= MAX_LINK_SIZE else b""


def names_in(folder: str) -> list[str]:
    """Return the names in a folder; empty if the folder cannot be read."""
    try:
        return os.listdir(folder)
    except OSError:
        return []


def project_of(path: str, projects: Mapping[str, list[str]]) -> str | None:
    """Return the innermost of some projects that contains a file of the workspace."""
    folder = path
    while folder:
        folder = folder.rpartition("/")[0]
        if folder in projects:
            return folder
    return None


def _is_manifest(path: str) -> bool:
    return manifest_language(path.rpartition("/")[2]) == "python"


def _folders_of_setting(root: str, setting: str) -> list[str]:
    """Return the folders with packages at the place that a setting names."""
    place = os.path.abspath(os.path.join(root, os.path.expanduser(setting)))
    if os.path.isfile(place):  # an interpreter, in the `bin` folder of an environment
        place = os.path.dirname(os.path.dirname(place))
    prefix = inside(root, place) or place
    return _folders_of_environment(root, prefix) or ([prefix] if os.path.isdir(place) else [])


def inside(root: str, place: str) -> str | None:
    """Return an absolute path relative to the root of a workspace, or None for a path outside of the workspace."""
    start = root.rstrip(os.sep) + os.sep
    normal = os.path.normpath(place)
    return normal.removeprefix(start).replace(os.sep, "/") if normal.startswith(start) else None


def _folders_of_environment(root: str, prefix: str) -> list[str]:
    """Return the folders with packages of an environment, without repetition."""
    found: dict[str, str] = {}
    candidates = [f"{prefix}/Lib"]
    for library in _LIBRARIES:
        versions = [name for name in names_in(os.path.join(root, prefix, library)) if name.startswith(("python3", "pypy3"))]
        candidates += [f"{prefix}/{library}/{name}" for name in sorted(versions)]
    for candidate in candidates:
        for name in _PACKAGES:
            folder = os.path.join(root, candidate, name)
            if os.path.isdir(folder):
                found.setdefault(os.path.realpath(folder), f"{candidate}/{name}")
    return list(found.values())
