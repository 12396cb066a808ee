"""Check that the files of an index are unchanged. The engines read damaged bytes without an error.

A file with the recorded size and modification time counts as unchanged. If only the time differs, as in a copied index, the
checksums of the file's bytes are compared.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Mapping
from pathlib import Path

from ...schema.manifest import FileCheck

_BLOCK = 1 << 20
#: Checksums by path, inode, size and time, so that a copied index is read once per process.
_compared: dict[tuple[str, int, int, int], int] = {}


def check_of(path: Path, known: FileCheck | None = None) -> FileCheck:
    """Return the check of a file. If the file still has the size and time of `known`, the file is not read. Raises OSError."""
    status = path.stat()
    if known is not None and (known.size, known.mtime) == (status.st_size, status.st_mtime_ns):
        return known
    return FileCheck(status.st_size, status.st_mtime_ns, _checksum(path))


def is_intact(path: Path, check: FileCheck) -> bool:
    """Return whether the contents of a file agree with its check. False if the file cannot be read."""
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
    """Return the checks of files below a folder, by their paths relative to it; see `check_of`. Raises OSError."""
    names = [path.relative_to(folder).as_posix() for path in paths]
    return {name: check_of(folder / name, known.get(name)) for name in names}


def changed_below(folder: Path, checks: Mapping[str, FileCheck]) -> list[str]:
    """Return the files below a folder whose contents differ from their checks. Missing files are left out."""
    return [name for name, check in checks.items() if (folder / name).exists() and not is_intact(folder / name, check)]


def _checksum(path: Path) -> int:
    checksum = 0
    with path.open("rb") as file:
        while block := file.read(_BLOCK):
            checksum = zlib.crc32(block, checksum)
    return checksum
