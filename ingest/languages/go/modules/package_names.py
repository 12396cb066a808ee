"""The likely names of packages, derived from their import paths."""

from __future__ import annotations

import re
from typing import Final

_VERSION: Final = re.compile(r"v\d+")
_VERSION_SUFFIX: Final = re.compile(r"\.v\d+$")


def likely_names(path: str) -> list[str]:
    """Return the names that the package of an import path may have: "github.com/x/go-y/v2" -> "y" and others.

    The name that the package declares is not known when an importing file is lowered.
    """
    parts = [part for part in path.split("/") if part]
    while len(parts) > 1 and _VERSION.fullmatch(parts[-1]):
        parts.pop()
    if not parts:
        return []
    last = _VERSION_SUFFIX.sub("", parts[-1])
    bare = last.removeprefix("go-").removesuffix("-go").removesuffix(".go")
    found = [last, bare, bare.replace("-", "_"), bare.replace("-", ""), bare.rpartition("-")[2], bare.partition("-")[0]]
    if len(parts) > 1 and _VERSION.fullmatch(path.rpartition("/")[2]):
        found.append(path.rpartition("/")[2])
    return [name for name in dict.fromkeys(found) if name.isidentifier()]
