"""Keep parsed facts on disk by content, so that known bytes are not parsed again.

One file contains all entries, each appended as a whole:

    magic, key (16 bytes), size and CRC-32 of the body     one `_HEAD`
    body                                                   MessagePack of `FileFacts`, deflated

The key is a digest of the bytes, the language, the stated dialect of SQL and the version of everything that turns bytes into
facts, so an entry is always valid. A damaged entry counts as missing. Everything after a damaged head of an entry is dropped.
Only the holder of the writer's lock appends entries. The caches of other worktrees are only read.
"""

from __future__ import annotations

import os
import shutil
import struct
import zlib
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import cache, lru_cache
from hashlib import blake2b
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from tempfile import TemporaryFile
from types import TracebackType
from typing import IO, Final, NamedTuple, Self, TypeVar

import msgspec

from ...schema.errors import StoreError
from ...schema.languages import BY_NAME, LANGUAGES
from .installed_version import installed_version
from .model import FileFacts

_HEAD = struct.Struct("<4s16sII")
_MAGIC: Final = b"AFC1"
_NAME: Final = "facts.bin"
#: Number of bytes of unused entries that are always kept, because users switch between branches.
_LEEWAY: Final = 4 << 20
#: Folders of `ingest` whose code does not influence facts, because it finds files or reads facts.
_NO_EXTRACTORS = frozenset(
    (
        "resolve",
        "module_resolution",
        "runtime",
        "libraries",
        "queries",
        "changes",
        "incremental",
        "resolution",
        "nominal",
        "schemas",
    )
)
#: Maximum number of kept keys of facts, of about 350 bytes each.
_MAX_KEYS: Final = 20_000
#: File extensions of the code and queries that determine the facts.
_EXTRACTING: Final = (".py", ".scm")
#: The folder of `ingest` with the folders of languages, and with code that languages share.
_LANGUAGES: Final = "languages"
_DECODER: Final = msgspec.msgpack.Decoder(FileFacts)

MaybeFacts = TypeVar("MaybeFacts", bound=FileFacts | None)


class FactKey(NamedTuple):
    """Identifies facts by everything that determines them."""

    digest: bytes

    @classmethod
    def of(cls, content_hash: str, language: str, sql_dialect: str = "") -> FactKey:
        """Return the key of the facts of a file, from the SHA-256 of its bytes, its language and its stated SQL dialect."""
        return _key(extraction_version(language), content_hash, language, sql_dialect)


@lru_cache(maxsize=_MAX_KEYS)  # an update asks for most keys many times
def _key(version: str, content_hash: str, language: str, sql_dialect: str) -> FactKey:
    named = f"{version} {language} {content_hash} {sql_dialect}".rstrip()
    return FactKey(blake2b(named.encode(), digest_size=16).digest())


def extraction_version(language: str) -> str:
    """Return a digest of everything that determines the facts of a language: shared code, the folders of the language and its
    grammars.
    """
    return _version(BY_NAME[language].folder if language in BY_NAME else "")


@cache
def _version(folder: str) -> str:
    digest = blake2b(digest_size=16)
    own = [language for language in LANGUAGES if language.folder == folder]
    folders = [folder, *sorted({name for language in own for name in language.builds_on})] if folder else []
    grammars = {language.grammar for language in LANGUAGES if language.folder in folders}
    for package in ("tree-sitter", "sqlglot", *sorted(grammars - {""})):
        digest.update(f"{package} {installed_version(package)}\n".encode())
    ingest = files(__package__.rpartition(".")[0])
    parts = [_shared_digest(), *(_digest(ingest.joinpath(_LANGUAGES, name)) for name in folders)]
    digest.update(b"".join(parts))
    return digest.hexdigest()


@cache
def _shared_digest() -> bytes:
    """Return a digest of the code that all languages share."""
    folders = {folder for language in LANGUAGES for folder in (language.folder, *language.builds_on)}
    return _digest(files(__package__.rpartition(".")[0]), frozenset(f"{_LANGUAGES}/{folder}/" for folder in folders))


def _digest(folder: Traversable, without: Collection[str] = ()) -> bytes:
    digest = blake2b(digest_size=16)
    for name, source in sorted(_sources(folder, "", without)):
        digest.update(f"{name} {len(source)}\n".encode())
        digest.update(source)
    return digest.digest()


def _sources(folder: Traversable, prefix: str, without: Collection[str]) -> Iterable[tuple[str, bytes]]:
    for entry in folder.iterdir():
        name = f"{prefix}{entry.name}"
        if entry.is_dir():
            if entry.name not in _NO_EXTRACTORS and f"{name}/" not in without:
                yield from _sources(entry, f"{name}/", without)
        elif entry.name.endswith(_EXTRACTING):
            yield name, entry.read_bytes()


def pack_facts(encoded: bytes, level: int = 1) -> bytes:
    """Return the body of an entry for the MessagePack of `FileFacts`, compressed at a level of zlib.

    Compression at level 1 leaves a third of the size and costs a hundredth of the time of parsing.
    """
    return zlib.compress(encoded, level)


def unpack_facts(body: bytes) -> FileFacts | None:
    """Return the facts in the body of an entry; None if it is damaged."""
    try:
        return _DECODER.decode(zlib.decompress(body))
    except (zlib.error, msgspec.DecodeError):
        return None


class _Place(NamedTuple):
    offset: int
    size: int
    checksum: int


class KnownPack:
    """The complete entries of a cache file, kept from one opening of the file to the next, which reads only later entries."""

    def __init__(self) -> None:
        #: Device and number of the file; a file that replaces another one has another number.
        self.identity = (-1, -1)
        self.places: dict[bytes, _Place] = {}
        #: End of the last complete entry, and the key of this entry.
        self.end = 0
        self.last = b""


class _Pack:
    """The complete entries of one cache file."""

    def __init__(self, path: Path, mode: str, known: KnownPack | None = None) -> None:
        """`mode` is a mode of `open`, and `known` are entries of an earlier opening. From now on, the pack extends `known`.

        Bytes after the last complete entry are ignored, and overwritten by the next entry.
        """
        self._file = path.open(mode, buffering=0)
        self._known = known or KnownPack()
        status = os.fstat(self._file.fileno())
        identity, size = (status.st_dev, status.st_ino), status.st_size
        if self._known.identity != identity or not self._holds_last(size):
            self._known.places, self._known.end, self._known.last = {}, 0, b""
        self._known.identity = identity
        while self.end + _HEAD.size <= size:
            self._file.seek(self.end)
            magic, key, length, checksum = _HEAD.unpack(self._file.read(_HEAD.size))
            start = self.end + _HEAD.size
            if magic != _MAGIC or start + length > size:
                break
            self._add({key: _Place(start, length, checksum)}, start + length)

    @property
    def places(self) -> dict[bytes, _Place]:
        """The place of each entry, in the order of the file."""
        return self._known.places

    @property
    def end(self) -> int:
        """The end of the last complete entry."""
        return self._known.end

    def _add(self, places: dict[bytes, _Place], end: int) -> None:
        self._known.places.update(places)
        self._known.end = end
        self._known.last = next(reversed(places), self._known.last)

    def _holds_last(self, size: int) -> bool:
        """Return whether the known end lies in the file, and the file still has the last known entry there."""
        known = self._known
        place = known.places.get(known.last)
        if place is None or known.end > size:
            return known.end == 0
        self._file.seek(place.offset - _HEAD.size)
        head: bytes = self._file.read(_HEAD.size)
        return head == _HEAD.pack(_MAGIC, known.last, place.size, place.checksum)

    def read(self, key: bytes) -> bytes | None:
        """Return the body of an entry, or None if it is missing or damaged."""
        place = self.places.get(key)
        if place is None:
            return None
        self._file.seek(place.offset)
        body = self._file.read(place.size)
        return body if len(body) == place.size and zlib.crc32(body) == place.checksum else None

    def append(self, entries: Iterable[tuple[bytes, bytes]]) -> None:
        """Add entries after the last complete entry."""
        self._file.seek(self.end)
        places, parts, end = {}, [], self.end
        for key, body in entries:
            checksum = zlib.crc32(body)
            parts += [_HEAD.pack(_MAGIC, key, len(body), checksum), body]
            places[key] = _Place(end + _HEAD.size, len(body), checksum)
            end += _HEAD.size + len(body)
        rest = memoryview(b"".join(parts))
        while rest:
            rest = rest[self._file.write(rest) :]
        self._file.truncate()
        self._add(places, end)

    def close(self) -> None:
        self._file.close()


#: Number of bytes of entries that are written at once.
_BUFFER: Final = 1 << 20
#: Maximum number of bytes of facts that wait for compression. The first indexing run compresses these facts while the stores
#: finish, because until then all cores are busy.
_MAX_UNPACKED: Final = 256 << 20
#: Minimum number of free bytes of the disk for a file of such facts. With less space, facts are compressed at once.
_MIN_FREE: Final = 1 << 30


class _Unpacked:
    """MessagePack of facts that wait for compression. They wait in a file, because memory is scarce while names are resolved."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        #: The file, without a name in the folder; None before the first use.
        self._file: IO[bytes] | None = None
        self._places: dict[bytes, tuple[int, int]] = {}
        self._end = 0

    def add(self, key: bytes, encoded: bytes) -> bool:
        """Keep facts. Returns False if there is no space for them."""
        try:
            if self._file is None:
                if shutil.disk_usage(self._folder).free < _MIN_FREE:
                    return False
                self._file = TemporaryFile(dir=self._folder, buffering=0)  # noqa: SIM115 - open until `clear`
            self._file.seek(self._end)
            if self._end + len(encoded) > _MAX_UNPACKED or self._file.write(encoded) != len(encoded):
                return False
        except OSError:
            return False
        self._places[key] = self._end, len(encoded)
        self._end += len(encoded)
        return True

    def get(self, key: bytes) -> bytes | None:
        """Return facts, or None. Raises OSError."""
        place = self._places.get(key)
        return self._read(*place) if place is not None else None

    def take(self) -> Iterator[tuple[bytes, bytes]]:
        """Yield all facts with their keys, and remove them. Raises OSError."""
        for key, place in self._places.items():
            yield key, self._read(*place)
        self.clear()

    def clear(self) -> None:
        """Remove all facts."""
        self._places, self._end = {}, 0
        if self._file is not None:
            self._file.close()
            self._file = None

    def _read(self, start: int, size: int) -> bytes:
        assert self._file is not None
        self._file.seek(start)
        found: bytes = self._file.read(size)
        return found


class FactReader:
    """The facts of some indexes, for reading only. Entries never change, so no lock is needed. It is not thread-safe."""

    def __init__(self, folders: Iterable[Path]) -> None:
        self._relatives = [path / _NAME for path in folders]
        #: The opened files of `_relatives`; None before the first use.
        self._borrowed: list[_Pack] | None = None

    def get(self, key: FactKey) -> FileFacts | None:
        """Return facts, or None."""
        body = self._borrow(key.digest)
        return unpack_facts(body) if body is not None else None

    def put(self, key: FactKey, body: bytes) -> None:
        """Forget the packed facts of a key: only the holder of the writer's lock keeps facts."""

    def close(self) -> None:
        """Close the files."""
        for pack in self._borrowed or ():
            pack.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def _borrow(self, key: bytes) -> bytes | None:
        if self._borrowed is None:
            self._borrowed = [pack for path in self._relatives if (pack := _opened(path)) is not None]
        return next((body for pack in self._borrowed if (body := pack.read(key)) is not None), None)


class FactCache(FactReader):
    """The facts of one index, and read-only facts of related indexes.

    It is not thread-safe; the caller holds the writer's lock.
    """

    def __init__(self, folder: Path, relatives: Iterable[Path] = (), known: KnownPack | None = None) -> None:
        """`relatives` are folders of other caches that may have facts of the same sources.

        `known` are the entries that the last cache object of this folder had; this object extends them.

        Raises `StoreError`.
        """
        super().__init__(relatives)
        self._path = folder / _NAME
        self._waiting: dict[bytes, bytes] = {}
        self._unpacked = _Unpacked(folder)
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._path.touch()
            self._pack = _Pack(self._path, "r+b", known)
        except OSError as error:
            raise self._unwritable(error) from error

    @property
    def knows_nothing(self) -> bool:
        """Whether this cache and the related caches are empty."""
        return not self._pack.places and not any(path.exists() for path in self._relatives)

    def get(self, key: FactKey) -> FileFacts | None:
        """Return facts from this cache or from a related cache, or None."""
        try:
            if (encoded := self._unpacked.get(key.digest)) is not None:
                return _DECODER.decode(encoded)
        except (OSError, msgspec.DecodeError):  # the facts in the file cannot be read
            return None
        own = self._waiting.get(key.digest) or self._pack.read(key.digest)
        body = own or self._borrow(key.digest)
        if body is None:
            return None
        facts = unpack_facts(body)
        if own is None and facts is not None:
            self.put(key, body)
        return facts

    def put(self, key: FactKey, body: bytes) -> None:
        """Keep the packed facts of a key.

        Raises `StoreError`.
        """
        self._waiting[key.digest] = body
        if sum(map(len, self._waiting.values())) > _BUFFER:
            self._write()

    def put_encoded(self, key: FactKey, encoded: bytes) -> None:
        """Keep the MessagePack of the facts of a key, to be packed later.

        Raises `StoreError`.
        """
        if not self._unpacked.add(key.digest, encoded):
            self.put(key, pack_facts(encoded))

    def flush(self) -> None:
        """Write all facts that were put.

        Raises `StoreError`.
        """
        try:
            for digest, encoded in self._unpacked.take():
                self.put(FactKey(digest), pack_facts(encoded))
        except OSError as error:
            raise self._unwritable(error) from error
        self._write()

    def _write(self) -> None:
        try:
            self._pack.append(self._waiting.items())
        except OSError as error:
            raise self._unwritable(error) from error
        self._waiting.clear()

    def collect(self, used: Collection[FactKey]) -> None:
        """Drop the oldest unused entries if all unused entries need more space than the used entries.

        Raises `StoreError`.
        """
        self.flush()
        wanted = {key.digest for key in used}
        sizes = {key: place.size + _HEAD.size for key, place in self._pack.places.items()}
        live = sum(size for key, size in sizes.items() if key in wanted)
        if self._pack.end - live <= max(live, _LEEWAY):
            return
        room = max(live, _LEEWAY) // 2
        kept = []
        for key in reversed(self._pack.places):
            if key not in wanted:
                room -= sizes[key]
            if key in wanted or room >= 0:
                kept.append(key)
        self._rewrite(kept[::-1])

    def _rewrite(self, keys: Sequence[bytes]) -> None:
        draft = self._path.with_suffix(".draft")
        try:
            pack = _Pack(draft, "w+b")
            for key in keys:
                if (body := self._pack.read(key)) is not None:
                    pack.append([(key, body)])
            os.replace(draft, self._path)
        except OSError as error:
            raise self._unwritable(error) from error
        self._pack.close()
        self._pack = pack

    def keep(self, used: Collection[FactKey]) -> None:
        """Drop all unused entries.

        Raises `StoreError`.
        """
        self.flush()
        wanted = {key.digest for key in used}
        self._rewrite([key for key in self._pack.places if key in wanted])

    def clear(self) -> None:
        """Remove all entries.

        Raises `StoreError`.
        """
        self._waiting.clear()
        self._unpacked.clear()
        self._rewrite([])

    def close(self) -> None:
        """Close the files. Facts that were put but not written are lost."""
        self._unpacked.clear()
        self._pack.close()
        super().close()

    def _unwritable(self, error: OSError) -> StoreError:
        return StoreError(f"The cache of facts {self._path} cannot be written: {error.strerror}.")


def _opened(path: Path) -> _Pack | None:
    """Open the cache of another index for reading. Return None for an unreadable cache, whose files are then parsed again."""
    try:
        return _Pack(path, "rb")
    except OSError:
        return None


def kept_facts(cache: FactReader | None, key: FactKey, read: Callable[[], MaybeFacts]) -> FileFacts | MaybeFacts:
    """Return facts from the cache, if there is one. Missing facts are read and added to the cache. Raises `StoreError`."""
    known = cache.get(key) if cache is not None else None
    if known is not None:
        return known
    made = read()
    if cache is not None and made is not None:
        cache.put(key, pack_facts(msgspec.msgpack.encode(made)))
    return made
