"""Stored paths: POSIX, relative to the workspace root. The root is ""."""

from __future__ import annotations

from collections.abc import Sequence

#: Extensions of single-file components with a script.
COMPONENT_EXTENSIONS = (".vue", ".svelte", ".astro")
#: Suffixes, before the extension, of files for platforms of React Native; "native" means several platforms.
PLATFORMS = ("native", "ios", "android", "web", "windows", "macos", "tvos", "visionos")


def parent_of(path: str) -> str:
    """Return the folder of a path; "" for a path at the root."""
    return path[: max(path.rfind("/"), 0)]


def stem_of(path: str) -> str:
    """Return the name of a file up to its first dot: `src/cart.test.ts` -> `cart`."""
    return path.rpartition("/")[2].partition(".")[0]


def path_in(folder: str, name: str) -> str:
    """Return the path that a name or a relative path has in a folder."""
    return f"{folder}/{name}" if folder else name


def is_within(path: str, folder: str) -> bool:
    """Return whether a path is a folder or lies below it; "" is the root."""
    return not folder or path == folder or path.startswith(f"{folder}/")


def folders_above(folder: str) -> list[str]:
    """Return the folder, its parent and so on up to the root ""."""
    found = [folder]
    while folder:
        folder = parent_of(folder)
        found.append(folder)
    return found


def common_start(one: Sequence[str], other: Sequence[str]) -> int:
    """Return the number of common first names of two sequences, such as the folders of two paths."""
    count = 0
    for left, right in zip(one, other, strict=False):
        if left != right:
            break
        count += 1
    return count


def common_parts(path: str, other: str) -> int:
    """Return the number of common parts of two paths, counted from the root."""
    return common_start(path.split("/"), other.split("/"))


def common_folders(path: str, other: str) -> int:
    """Return the number of common folders of two files, counted from the root, which counts if both files lie there."""
    return common_parts(parent_of(path), parent_of(other))
