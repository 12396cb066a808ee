"""Read which files Git tracks from the index of Git, without running Git.

Git applies ignore patterns only to untracked files. The format is described in gitformat-index(5).
"""

from __future__ import annotations

import os
import struct
from bisect import bisect_left
from collections.abc import Sequence
from functools import lru_cache

_HEADER = struct.Struct(">4sII")
_FLAGS = struct.Struct(">H")
#: Bytes of an entry before its flags: times, numbers, mode and size, then a SHA-1 hash.
_FIXED = 60
_MODE_AT = 24
#: Mode of an entry that is the commit of a submodule.
_GITLINK = 0o16
#: Mode of an entry that is a symbolic link.
_SYMBOLIC_LINK = 0o12
_EXTENDED = 0x4000
#: Maximum size in bytes of an index that is read: enough for about three million files.
_MAX_SIZE = 300_000_000


class TrackedPaths:
    """The paths that an index lists, as the bytes of POSIX paths relative to the root of the work tree."""

    def __init__(
        self, paths: list[bytes], submodules: frozenset[bytes] = frozenset(), symbolic_links: Sequence[bytes] = ()
    ) -> None:
        """`paths` are sorted."""
        self._paths = paths
        self._submodules = submodules
        self.symbolic_links = symbolic_links

    def names(self) -> frozenset[str]:
        """Return the names of the tracked files, without their folders."""
        return frozenset(os.fsdecode(path.rpartition(b"/")[2]) for path in self._paths)

    def has_file(self, path: str) -> bool:
        """Return whether a file is tracked."""
        wanted = os.fsencode(path)
        at = bisect_left(self._paths, wanted)
        return at < len(self._paths) and self._paths[at] == wanted

    def has_below(self, folder: str) -> bool:
        """Return whether a file at any depth of a folder is tracked."""
        prefix = os.fsencode(folder) + b"/"
        at = bisect_left(self._paths, prefix)
        return at < len(self._paths) and self._paths[at].startswith(prefix)

    def is_submodule(self, folder: str) -> bool:
        """Return whether a folder is a submodule."""
        return os.fsencode(folder) in self._submodules


NOTHING = TrackedPaths([])


def tracked_paths(root: str) -> TrackedPaths:
    """Return the paths that Git tracks in the work tree at `root`; empty without Git, and for an unreadable index."""
    path = f"{_git_folder(root)}/index"
    try:
        status = os.stat(path)
    except (OSError, ValueError):
        return NOTHING
    if status.st_size > _MAX_SIZE:
        return NOTHING
    return _read(path, status.st_mtime_ns, status.st_size, status.st_ino)


def symbolic_links(root: str) -> list[str]:
    """Return the symbolic links that Git tracks in the work tree at `root`."""
    return [os.fsdecode(path) for path in tracked_paths(root).symbolic_links]


def _git_folder(root: str) -> str:
    """Return the folder with the index of a work tree. In a linked worktree or submodule, a file names the folder."""
    folder = f"{root}/.git"
    try:
        with open(folder, "rb") as handle:
            named = handle.read(4096)
    except OSError:
        return folder
    target = named.removeprefix(b"gitdir:").strip()
    return os.path.join(root, os.fsdecode(target)) if named.startswith(b"gitdir:") else folder


@lru_cache(maxsize=4)
def _read(path: str, modified: int, size: int, inode: int) -> TrackedPaths:
    try:
        with open(path, "rb") as handle:
            content = handle.read()
        return _parse(content)
    except (OSError, struct.error, IndexError, ValueError):
        return NOTHING


def _parse(content: bytes) -> TrackedPaths:
    """Parse an index of version 2, 3 or 4 with SHA-1 hashes. Raises struct.error, IndexError or ValueError for any other data."""
    signature, version, count = _HEADER.unpack_from(content)
    if signature != b"DIRC" or version not in (2, 3, 4):
        raise ValueError("no index of Git")
    paths: list[bytes] = []
    submodules: list[bytes] = []
    links: list[bytes] = []
    at, previous = _HEADER.size, b""
    for _ in range(count):
        (flags,) = _FLAGS.unpack_from(content, at + _FIXED)
        name_at = at + _FIXED + (4 if flags & _EXTENDED else 2)
        if version == 4:
            dropped, name_at = _number(content, name_at)
            end = content.index(b"\0", name_at)
            name = previous[: len(previous) - dropped] + content[name_at:end]
            next_at = end + 1
        else:
            end = content.index(b"\0", name_at)
            name = content[name_at:end]
            next_at = at + (end - at + 8) // 8 * 8
        if content[at + _MODE_AT + 2] >> 4 == _GITLINK:
            submodules.append(name)
        elif content[at + _MODE_AT + 2] >> 4 == _SYMBOLIC_LINK:
            links.append(name)
        paths.append(name)
        at, previous = next_at, name
    paths.sort()
    return TrackedPaths(paths, frozenset(submodules), links)


def _number(content: bytes, at: int) -> tuple[int, int]:
    """Return a number of variable length, in the encoding of offsets in Git's packs, and the position after the number."""
    byte = content[at]
    value = byte & 127
    while byte & 128:
        at += 1
        byte = content[at]
        value = ((value + 1) << 7) | (byte & 127)
    return value, at + 1
