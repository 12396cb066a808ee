"""Archives of class files: the packages in an archive, and the bytes of single classes, within limits."""

from __future__ import annotations

import struct
import zipfile
import zlib
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from .....schema.records import Problem

#: Maximum size of a class file, in bytes.
MAX_CLASS_SIZE: Final = 1_000_000
#: Maximum number of entries of an archive.
_MAX_ENTRIES: Final = 120_000
#: Maximum size of an archive, in bytes.
_MAX_ARCHIVE_SIZE: Final = 300_000_000
#: Size of the header before an entry, in bytes.
_HEADER: Final = 30
#: Offset in the header of the lengths of the name and of the extra field.
_LENGTHS: Final = 26
_SUFFIX: Final = ".class"


class _Entry(NamedTuple):
    offset: int
    packed: int
    size: int
    method: int


class Archive(msgspec.Struct):
    """A jar.

    Its table of contents is read when the archive is opened, and again at the first look-up, for the offsets of classes.
    """

    path: str
    #: Names of the packages with classes, with slashes.
    packages: frozenset[str]
    problem: Problem | None = None
    entries: dict[str, _Entry] | None = None

    def _places(self) -> dict[str, _Entry]:
        if self.entries is None:
            self.entries = {
                each.filename.removesuffix(_SUFFIX): _Entry(
                    each.header_offset, each.compress_size, each.file_size, each.compress_type
                )
                for each in _listed(self.path)[0]
                if each.filename.endswith(_SUFFIX) and not each.flag_bits & 1
            }
        return self.entries

    def has(self, name: str) -> bool:
        """Return whether the archive contains a class, given its name with slashes."""
        return name in self._places()

    def read(self, name: str) -> bytes | None:
        """Return the class file of a class by its name with slashes; None if it is missing, unreadable or above the limits.

        An entry whose unpacked size is above its declared size is not read.
        """
        entry = self._places().get(name)
        if entry is None or entry.size > MAX_CLASS_SIZE or entry.packed > MAX_CLASS_SIZE:
            return None
        # The file is opened for each read, because processes that share an open file also share its position.
        try:
            with open(self.path, "rb") as file:
                file.seek(entry.offset)
                head = file.read(_HEADER)
                file.seek(sum(struct.unpack_from("<HH", head, _LENGTHS)), 1)
                packed = file.read(entry.packed)
            if entry.method == zipfile.ZIP_STORED:
                data = packed
            elif entry.method == zipfile.ZIP_DEFLATED:
                data = zlib.decompressobj(-zlib.MAX_WBITS).decompress(packed, entry.size + 1)
            else:
                return None
        except (OSError, struct.error, zlib.error, ValueError):
            return None
        return data if len(data) == entry.size else None


def open_archive(path: str) -> Archive:
    """Return an archive with its packages. An unreadable archive has no packages, but a problem."""
    listed, problem = _listed(path)
    names = {each.filename.rpartition("/")[0] for each in listed if each.filename.endswith(_SUFFIX)}
    return Archive(path, frozenset(names), problem)


def _listed(path: str) -> tuple[list[zipfile.ZipInfo], Problem | None]:
    try:
        if Path(path).stat().st_size > _MAX_ARCHIVE_SIZE:
            return [], Problem(1, f"larger than {_MAX_ARCHIVE_SIZE:,} bytes")
        with zipfile.ZipFile(path) as archive:
            entries = archive.infolist()
    except (OSError, zipfile.BadZipFile, NotImplementedError, struct.error, ValueError, UnicodeDecodeError) as error:
        return [], Problem(1, f"not a readable archive: {error}")
    if len(entries) > _MAX_ENTRIES:
        return [], Problem(1, f"more than {_MAX_ENTRIES:,} entries")
    return entries, None
