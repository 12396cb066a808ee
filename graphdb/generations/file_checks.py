"""Whether the files of an index are those that were written: engines read changed bytes without a word.

A file of the size and modification time that were noted is taken for what it was. Only where the time differs, as in a copied
index, do its bytes decide. So the check costs one look at the folder, and finds whatever writes to a file.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Mapping
from pathlib import Path

from ...schema.manifest import FileCheck

_BLOCK = 1 << 20
#: Files whose bytes were compared, with the state in which they were: a copied index is read once in a process.
_compared: dict[tuple[str, int, int, int], int] = {}


def check_of(path: Path, known: FileCheck | None = None) -> FileCheck:
    """What a file is known by; the bytes of one that is `known` in its present size and time are not read. Raises OSError."""
    status = path.stat()
    if known is not None and (known.size, known.mtime) == (status.st_size, status.st_mtime_ns):
        return known
    return FileCheck(status.st_size, status.st_mtime_ns, _checksum(path))


def is_intact(path: Path, check: FileCheck) -> bool:
    """Whether a file holds what it held when the check was made. False where it cannot be read."""
    try:
        status = path.stat()
        if status.st_size != check.size:
            return False
        if status.st_mtime_ns == check.mtime:
            return True
        state = (str(path), status.st_ino, status.st_size, status.st_mtime_ns)
        if state not in _compared:
            _compared[state] = _checksum(path)
        return _compared[state] == check.checksum
    except OSError:
        return False


def checks_below(folder: Path, paths: Iterable[Path], known: Mapping[str, FileCheck]) -> dict[str, FileCheck]:
    """What files below a folder are known by, by their paths from there; see `check_of`. Raises OSError."""
    names = [path.relative_to(folder).as_posix() for path in paths]
    return {name: check_of(folder / name, known.get(name)) for name in names}


def changed_below(folder: Path, checks: Mapping[str, FileCheck]) -> list[str]:
    """Which files below a folder hold something else than noted; those that are gone are not among them."""
    return [name for name, check in checks.items() if (folder / name).exists() and not is_intact(folder / name, check)]


def _checksum(path: Path) -> int:
    checksum = 0
    with path.open("rb") as file:
        while block := file.read(_BLOCK):
            checksum = zlib.crc32(block, checksum)
    return checksum
