"""Store the text of each indexed file once; chunks are ranges of lines in these texts.

A version of the texts consists of one or two files:

    texts-3.bin    the texts of all indexed files at version 3
    texts-5.bin    the texts that changed between versions 3 and 5, and the paths of indexed files that were removed

So an update writes little more than the changed texts, and written files never change. If the size of the second file would
exceed a quarter of the size of the first file, all texts are written into one new file. Each file starts with a header in JSON
(`_Head`), followed by blocks. A block is a compressed sequence of adjacent texts. Similar texts compress better together.
"""

from __future__ import annotations

import mmap
from bisect import bisect_right
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

import msgspec

from ...schema.errors import IndexCorrupt

_PREFIX = "texts-"
_MAGIC = b"astrolabe-texts 1\n"
#: Compression level of zstd. It reduces source to a fifth, at 130 MB per second.
_LEVEL = 6
#: Maximum number of bytes in a block of several texts. To read one text, the whole block is decompressed.
_MAX_BLOCK = 64 << 10
#: Maximum size of the second file, as a share of the size of the first file.
_MAX_CHANGED = 0.25


class _Block(NamedTuple):
    """Texts that are compressed together."""

    #: Path of each text, and its number of bytes.
    texts: Sequence[tuple[str, int]]
    frame: bytes | memoryview


class _Place(NamedTuple):
    """The block of a text, and the offsets at which the text begins and ends in the decompressed block."""

    block: _Block
    begin: int
    end: int


class _Head(msgspec.Struct, frozen=True):
    """The header of a file of texts."""

    #: Version whose file has the unchanged texts; None if this file has all texts.
    base: int | None
    #: Paths of indexed files that were removed since the base version.
    gone: list[str]
    #: For each block, path and size of its texts, and the compressed size in bytes. A later text of a path replaces earlier
    #: texts.
    blocks: list[tuple[list[tuple[str, int]], int]]


class FileTexts(Mapping[str, bytes]):
    """The texts of all files of one version, by path, in order of path. Instances never change, so threads may share them."""

    def __init__(self, whole: Sequence[_Block], changed: Sequence[_Block], gone: Collection[str], base: int | None) -> None:
        """Callers use `of` or `open` instead.

        `whole` is the content of the file of version `base`; `base` is None if there is no file yet.
        """
        #: Places of the texts in `changed`, by path. The places in `whole` are found when they are needed, because a reader of
        #: one text does not need the places of 100,000 others.
        self._renewed: dict[str, _Place] = {}
        for block in changed:
            self._renewed.update(_places_in(block))
        for path in gone:
            self._renewed.pop(path, None)
        used = {id(place.block) for place in self._renewed.values()}
        self._whole = whole
        #: First path in each block of `whole`. The blocks and their texts are in order of path.
        self._first_paths = [block.texts[0][0] for block in whole]
        #: Places in the blocks of `whole` that were read, by number of the block.
        self._read_places: dict[int, dict[str, _Place]] = {}
        self._changed = [block for block in changed if id(block) in used]
        self._gone = frozenset(gone)
        self._base = base
        #: The last block that was read, with its decompressed texts. Callers often read texts in order.
        self._last: tuple[_Block | None, bytes] = None, b""

    @classmethod
    def of(cls, texts: Mapping[str, bytes]) -> FileTexts:
        """Pack the texts of all files."""
        return cls(list(_packed(texts)), (), (), None)

    @classmethod
    def open(cls, directory: Path, version: int) -> FileTexts:
        """Map the files of a version into memory. Raises IndexCorrupt if a file is missing or damaged."""
        head, blocks = _read(texts_path(directory, version))
        if head.base is None:
            return cls(blocks, (), (), version)
        return cls(_read(texts_path(directory, head.base))[1], blocks, head.gone, head.base)

    def replaced(self, paths: Collection[str], texts: Mapping[str, bytes]) -> FileTexts:
        """Return a version with new texts for the files `paths`. Files without a new text are removed."""
        gone = {*self._gone, *paths} - texts.keys()
        renewed = FileTexts(self._whole, [*self._changed, *_packed(texts)], gone, self._base)
        return renewed if _size(renewed._changed) <= _MAX_CHANGED * _size(self._whole) else FileTexts.of(renewed)

    def write(self, path: Path) -> None:
        """Write the file of a version. Raises OSError."""
        blocks = self._whole if self._base is None else self._changed
        head = _Head(self._base, sorted(self._gone), [([*block.texts], len(block.frame)) for block in blocks])
        with path.open("wb") as file:
            file.write(_MAGIC + msgspec.json.encode(head) + b"\n")
            file.writelines(block.frame for block in blocks)

    def __getitem__(self, path: str) -> bytes:
        place = self._place(path)
        if place is None:
            raise KeyError(path)
        read, data = self._last
        if read is not place.block:
            data = _unpacked(place.block)
            self._last = place.block, data
        return data[place.begin : place.end]

    def __contains__(self, path: object) -> bool:
        return isinstance(path, str) and self._place(path) is not None

    def __iter__(self) -> Iterator[str]:
        return iter(self._paths)

    def __len__(self) -> int:
        return len(self._paths)

    @cached_property
    def _paths(self) -> list[str]:
        """The paths of all texts, in order."""
        unchanged = (path for block in self._whole for path, _ in block.texts if path not in self._gone)
        return sorted({*unchanged, *self._renewed})

    def _place(self, path: str) -> _Place | None:
        place = self._renewed.get(path)
        if place is not None or path in self._gone:
            return place
        number = bisect_right(self._first_paths, path) - 1
        if number < 0:
            return None
        places = self._read_places.get(number)
        if places is None:
            places = self._read_places[number] = _places_in(self._whole[number])
        return places.get(path)


def _places_in(block: _Block) -> dict[str, _Place]:
    """Return the places of the texts in a block, by path."""
    places, end = {}, 0
    for path, size in block.texts:
        places[path] = _Place(block, end, (end := end + size))
    return places


def texts_path(directory: Path, version: int | str) -> Path:
    """Return the file of a version."""
    return directory / f"{_PREFIX}{version}.bin"


def files_of_texts(directory: Path, version: int) -> list[Path]:
    """Return the one or two files of a version. Raises IndexCorrupt if the header of the version cannot be read."""
    path = texts_path(directory, version)
    base = _read(path)[0].base
    return [path] if base is None else [texts_path(directory, base), path]


def remove_texts(directory: Path, oldest_needed: int) -> None:
    """Remove the files that no version from `oldest_needed` on needs. Raises OSError."""
    found = {int(path.stem.removeprefix(_PREFIX)): path for path in directory.glob(f"{_PREFIX}[0-9]*.bin")}
    needed = set()
    for version, path in found.items():
        if version >= oldest_needed:
            with suppress(IndexCorrupt):  # a file of an interrupted writer, or a damaged file that the next reader will report
                needed |= {path, *files_of_texts(directory, version)}
    for path in {*found.values()} - needed:
        path.unlink()


def _packed(texts: Mapping[str, bytes]) -> Iterator[_Block]:
    """Yield the blocks of texts, in order of path."""
    gathered: list[str] = []
    size = 0
    for path in sorted(texts):
        if gathered and size + len(texts[path]) > _MAX_BLOCK:
            yield _block(gathered, texts)
            gathered, size = [], 0
        gathered.append(path)
        size += len(texts[path])
    if gathered:
        yield _block(gathered, texts)


def _block(paths: Sequence[str], texts: Mapping[str, bytes]) -> _Block:
    import pyarrow as pa

    data = b"".join(texts[path] for path in paths)
    return _Block([(path, len(texts[path])) for path in paths], pa.Codec("zstd", _LEVEL).compress(data, asbytes=True))


def _unpacked(block: _Block) -> bytes:
    import pyarrow as pa

    try:
        data: bytes = pa.decompress(block.frame, sum(size for _, size in block.texts), codec="zstd", asbytes=True)
    except (OSError, ValueError) as error:
        raise IndexCorrupt(
            f"The indexed text of {block.texts[0][0]} cannot be read ({error}); index again with --full."
        ) from error
    return data


def _size(blocks: Sequence[_Block]) -> int:
    """Return the compressed size of blocks in bytes."""
    return sum(len(block.frame) for block in blocks)


def _read(path: Path) -> tuple[_Head, list[_Block]]:
    try:
        with path.open("rb") as file:
            mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        if mapped[: len(_MAGIC)] != _MAGIC:
            raise ValueError("it has another format")
        end = mapped.find(b"\n", len(_MAGIC))
        head = msgspec.json.decode(mapped[len(_MAGIC) : max(end, 0)], type=_Head)
        blocks, at = [], end + 1
        for texts, size in head.blocks:
            if not texts:
                raise ValueError("a block has no texts")
            blocks.append(_Block(texts, memoryview(mapped)[at : at + size]))
            at += size
        if at != len(mapped):
            raise ValueError(f"it has {len(mapped):,} bytes instead of {at:,}")
    except (OSError, ValueError, msgspec.MsgspecError) as error:
        raise IndexCorrupt(f"The indexed texts {path} cannot be read ({error}); index again with --full.") from error
    return head, blocks
