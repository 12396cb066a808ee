"""The versions of installed packages."""

from __future__ import annotations

import os
import sys
from functools import cache

_ENDING = ".dist-info"


def installed_version(package: str) -> str:
    """Return the version of an installed package, from the name of its folder of metadata.

    `importlib.metadata` also finds packages that have no such folder, but loads the parsers of e-mails and archives, for which a
    check before a commit would wait.
    """
    found = _versions().get(_normalized(package))
    if found is not None:
        return found
    from importlib.metadata import version

    return version(package)


@cache
def _versions() -> dict[str, str]:
    """Return the versions by the normalized name of the package. The first folder of `sys.path` with a package counts."""
    found: dict[str, str] = {}
    for folder in sys.path:
        try:
            names = os.listdir(folder or ".")
        except OSError:  # a folder that does not exist, or an archive
            continue
        for entry in names:
            if entry.endswith(_ENDING):
                name, _, version = entry.removesuffix(_ENDING).partition("-")
                found.setdefault(_normalized(name), version)
    return found


def _normalized(name: str) -> str:
    """Return a name as package indexes compare it: https://packaging.python.org/en/latest/specifications/name-normalization/."""
    return name.replace("-", "_").replace(".", "_").lower()
