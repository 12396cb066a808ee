"""Stored paths: POSIX, relative to the workspace root. The root itself is ""."""

from __future__ import annotations

#: What names of files have before the extension for one platform of React Native; "native" is for several.
PLATFORMS = ("native", "ios", "android", "web", "windows", "macos", "tvos", "visionos")


def parent_of(path: str) -> str:
    """Return the folder of a path; "" for a path at the root."""
    return path[: max(path.rfind("/"), 0)]


def folders_above(folder: str) -> list[str]:
    """Return the folder, its parent and so on up to the root ""."""
    found = [folder]
    while folder:
        folder = parent_of(folder)
        found.append(folder)
    return found
