"""Generations: complete graphs side by side on disk. CURRENT contains the number of the live generation.

    data_dir/
      .gitignore         `*`
      CURRENT            number of the live generation
      generations/N/     graph.kuzu with the log of later changes beside it, graph.ranking, graph.symbols, links.bin, edges.bin
                         if there is a log, and manifest.json, which is written last

A writer fills a new folder and then replaces CURRENT in one step, so a crash at any time leaves the last generation whole.
A reader holds a shared lock on the manifest that it opened; the system releases the lock when the process ends.
The next writer removes folders that CURRENT does not name and that no process holds. Callers of this module acquire the writer's
lock of the data folder before they write. Compaction writes a new generation in a folder without a number, and holds the writer's
lock only at the beginning and for the publication.
"""

from __future__ import annotations

import os
import shutil
import tempfile
import weakref
from collections.abc import Iterator
from pathlib import Path
from stat import S_IMODE

import msgspec

from ...schema.errors import IndexCorrupt, IndexTooNew, StoreError
from ...schema.manifest import FileCheck, LoggedChanges, Manifest
from .file_checks import check_of, is_intact
from .reader_lock import lock_shared, try_lock_exclusive

#: Version of the on-disk format, graph schema included. Increased whenever an older reader or writer would fail or read wrong
#: values.
FORMAT_VERSION = 38

GRAPH_NAME = "graph.kuzu"
_MANIFEST_NAME = "manifest.json"
#: Name of the file that ingest needs for the next update. The store does not read its contents.
_LINKS_NAME = "links.bin"
#: Name of the file with the resolved edges of the files in the log. It only makes the next update faster.
_EDGES_NAME = "edges.bin"
#: Suffix of a folder that is being removed, so that its remains after a crash do not look like a generation.
_DISCARDED = ".discarded"
#: Prefix of folders that are written without the writer's lock.
_APART = "apart-"
#: Name of the lock file in a folder that is written without the writer's lock.
_HELD = "held"


class _Header(msgspec.Struct):
    """The fields that every version of the manifest has."""

    format_version: int
    astrolabe_version: str = "unknown"


class Generation:
    """A published generation, protected from removal until `release`, or while this object lives."""

    def __init__(self, folder: Path, manifest: Manifest, descriptor: int) -> None:
        self.number = int(folder.name)
        self.folder = folder
        self.graph_path = folder / GRAPH_NAME
        self.manifest = manifest
        self._release = weakref.finalize(self, os.close, descriptor)

    @property
    def name(self) -> tuple[int, str]:
        """A unique name.

        The number alone is not unique, because numbers start again after a data folder was deleted.
        """
        return self.number, self.manifest.created_at

    def graph_identity(self) -> tuple[int, ...]:
        """Return the identity of the graph file: equal for generations that share the file by hard links. Raises OSError."""
        status = self.graph_path.stat()
        return status.st_dev, status.st_ino, status.st_mtime_ns, status.st_size

    def links(self) -> bytes:
        """Return the content of the file of links that was published with the generation; empty if the file cannot be read."""
        return self._content(_LINKS_NAME)

    def edges(self) -> bytes:
        """Return the edges that were published with the generation; empty if there are none, or if they cannot be read."""
        return self._content(_EDGES_NAME)

    def _content(self, name: str) -> bytes:
        path = self.folder / name
        try:
            return path.read_bytes() if self.holds(path) else b""
        except OSError:
            return b""

    def holds(self, path: Path) -> bool:
        """Return whether a file of the generation is unchanged since it was published."""
        check = self.manifest.checks.get(path.name)
        return check is None or is_intact(path, check)

    def release(self) -> None:
        """Permit removal of the generation. Files that are already open stay readable."""
        self._release()

    def __enter__(self) -> Generation:
        return self

    def __exit__(self, *_: object) -> None:
        self.release()


class Staging:
    """A generation that is being written, to be published or abandoned. After a crash, the next writer removes it."""

    def __init__(self, store: GenerationStore, number: int) -> None:
        self._store = store
        self.number = number
        self.folder = store.generations_dir / str(number)
        self.graph_path = self.folder / GRAPH_NAME
        self._links_check: FileCheck | None = None

    def copy_graph(self, base: Generation) -> None:
        """Copy the graph file of a generation, without its log, to this folder, where it will be changed. Raises StoreError."""
        try:
            shutil.copyfile(base.graph_path, self.graph_path)
        except OSError as error:
            raise StoreError(f"The graph of generation {base.number} cannot be copied: {error.strerror}") from error

    def share_graph(self, base: Generation) -> None:
        """Replace the copy of the graph file by a hard link, because all changes are in the log beside the graph file. Share its
        ranking and its symbols, too.

        If the file system has no hard links, the files are copied. Raises StoreError.
        """
        if base.graph_path.stat().st_size != self.graph_path.stat().st_size:
            raise StoreError(f"The graph of generation {base.number} was changed beside its log.")
        try:
            _share(base.graph_path, self.graph_path)
            for beside in (ranking_of, symbols_beside):
                source, target = beside(base.graph_path), beside(self.graph_path)
                # An index of an earlier version has no file of symbols, and a damaged file must not get a new check.
                is_shared = beside is ranking_of or (source.exists() and base.holds(source))
                if is_shared and not _share(source, target):
                    shutil.copyfile(source, target)
        except OSError as error:
            raise StoreError(f"The graph of generation {base.number} cannot be shared: {error.strerror}") from error

    def write_links(self, links: bytes) -> None:
        """Write the links for the next update, which the store does not read. Other threads may write the graph meanwhile.

        Raises StoreError.
        """
        path = self.folder / _LINKS_NAME
        try:
            path.write_bytes(links)
            _sync(path)
        except OSError as error:
            raise StoreError(f"{path} cannot be written: {error.strerror}") from error
        self._links_check = check_of(path)

    def publish(self, manifest: Manifest, edges: bytes = b"") -> Generation:
        """Make the written graph the live generation, and fill in its number, sizes and checks. Raises StoreError.

        `edges` are for the next update; the store does not read them.
        """
        known = {self.graph_path, ranking_of(self.graph_path), symbols_beside(self.graph_path), self.folder / _LINKS_NAME}
        if manifest.logged != LoggedChanges():
            known.add(log_of(self.graph_path))
        leftovers = [path.name for path in self.folder.iterdir() if path not in known]
        if leftovers or not self.graph_path.is_file():
            raise StoreError(f"Generation {self.number} is not finished: {', '.join(leftovers) or 'it has no graph file'}.")
        try:
            if edges:
                (self.folder / _EDGES_NAME).write_bytes(edges)
            complete = self._write_manifest(manifest)
            descriptor = os.open(self.folder / _MANIFEST_NAME, os.O_RDONLY)
            lock_shared(descriptor)
            generation = Generation(self.folder, complete, descriptor)
            self._store.make_current(self.number)
        except OSError as error:
            raise StoreError(f"Generation {self.number} cannot be written: {error.strerror}") from error
        return generation

    def abandon(self) -> None:
        """Remove the written files."""
        _discard(self.folder)

    def _write_manifest(self, manifest: Manifest) -> Manifest:
        log = log_of(self.graph_path)
        beside = ranking_of(self.graph_path), symbols_beside(self.graph_path)
        for written in (self.graph_path, *beside, log, self.folder / _EDGES_NAME):
            if written.exists():
                _sync(written)
        known = dict(manifest.checks)
        if self._links_check is not None:
            known[_LINKS_NAME] = self._links_check
        complete = msgspec.structs.replace(
            manifest,
            generation=self.number,
            graph_bytes=self.graph_path.stat().st_size,
            log_bytes=_size(log),
            checks={path.name: check_of(path, known.get(path.name)) for path in sorted(self.folder.iterdir())},
        )
        path = self.folder / _MANIFEST_NAME
        path.write_bytes(msgspec.json.encode(complete))
        for written in (path, self.folder, self._store.generations_dir):
            _sync(written)
        return complete


class ApartFolder:
    """A folder in which a generation is written without the writer's lock.

    `admit` makes the folder a generation. Otherwise the folder's writer removes the folder; after a crash, the next writer
    removes it.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.graph_path = folder / GRAPH_NAME
        descriptor = os.open(folder / _HELD, os.O_CREAT | os.O_RDWR)
        lock_shared(descriptor)
        self._release = weakref.finalize(self, os.close, descriptor)

    def secure(self) -> dict[str, FileCheck]:
        """Force all written data onto the disk. Returns the checks of the files, so that the publication does not read the
        files.
        """
        written = sorted(path for path in self.folder.iterdir() if path.name != _HELD)
        for path in written:
            _sync(path)
        return {path.name: check_of(path) for path in written}

    def release(self) -> None:
        """Release the lock, so that the folder can be renamed or removed."""
        self._release()

    def remove(self) -> None:
        """Remove the folder if it still exists. Another writer may remove files of the folder at the same time."""
        shutil.rmtree(self.folder, ignore_errors=True)
        if self.folder.exists():  # Windows removes no file that is open
            self.release()
            shutil.rmtree(self.folder, ignore_errors=True)
        self.release()


class GenerationStore:
    """The generations of one data folder."""

    def __init__(self, data_dir: Path) -> None:
        self.data_dir = data_dir
        self.generations_dir = data_dir / "generations"
        self._current_path = data_dir / "CURRENT"
        #: The last manifest that was read, and the state of its file. A manifest lists all files, and each request needs it.
        self._read: tuple[tuple[str, int, int, int], Manifest] | None = None

    def current_number(self) -> int | None:
        """Return the number in CURRENT; None if nothing was ever published.

        The call reads only this small file, so callers can poll for a newer generation.

        Raises IndexCorrupt if CURRENT contains no number, and StoreError if it cannot be read.
        """
        try:
            text = self._current_path.read_text(encoding="ascii").strip()
        except FileNotFoundError:
            return None
        except (UnicodeDecodeError, IsADirectoryError) as error:
            raise IndexCorrupt(f"{self._current_path} is damaged.") from error
        except OSError as error:
            raise StoreError(f"{self._current_path} cannot be read: {error.strerror}") from error
        if not text.isdecimal():
            raise IndexCorrupt(f"{self._current_path} does not hold the number of a generation.")
        return int(text)

    def current(self) -> Generation | None:
        """Return the live generation, locked against removal; None if no generation is published, or if its format is older.

        Raises IndexTooNew if a newer version wrote it, and IndexCorrupt if its manifest or graph file is missing or damaged.
        """
        number = self.current_number()
        while number is not None:
            folder = self.generations_dir / str(number)
            descriptor = self._hold(folder)
            newest = self.current_number()
            if newest == number:
                return self._opened(folder, descriptor)
            # Another process published a generation in the meantime, and may be removing the folder that this process has
            # locked.
            if descriptor is not None:
                os.close(descriptor)
            number = newest
        return None

    def begin(self) -> Staging:
        """Create an empty folder for the next generation, and the data folder if it is missing. Raises StoreError."""
        try:
            self.generations_dir.mkdir(parents=True, exist_ok=True)
            ignore = self.data_dir / ".gitignore"
            if not ignore.exists():
                ignore.write_text("*\n", encoding="ascii")
            numbers = [int(path.name.removesuffix(_DISCARDED)) for path in self._folders()]
            staging = Staging(self, 1 + max([*numbers, self._published_number()], default=0))
            staging.folder.mkdir()
        except OSError as error:
            raise StoreError(f"The index cannot be written to {self.data_dir}: {error.strerror}") from error
        return staging

    def begin_apart(self) -> ApartFolder:
        """Create an empty folder, with a new name, for a generation that is written without the writer's lock."""
        try:
            return ApartFolder(Path(tempfile.mkdtemp(prefix=_APART, dir=self.generations_dir)))
        except OSError as error:
            raise StoreError(f"The index cannot be written to {self.data_dir}: {error.strerror}") from error

    def admit(self, apart: ApartFolder) -> Staging:
        """Turn a folder that was written apart into the next generation, to be published. Raises StoreError."""
        staging = self.begin()
        try:
            apart.release()
            (apart.folder / _HELD).unlink()
            staging.folder.rmdir()
            apart.folder.rename(staging.folder)
            staging.folder.chmod(S_IMODE(self.generations_dir.stat().st_mode))  # `mkdtemp` lets only the owner read the folder
        except OSError as error:
            raise StoreError(f"Generation {staging.number} cannot be written: {error.strerror}") from error
        return staging

    def collect(self) -> list[int]:
        """Remove old generations that no process holds, and all files of crashed writers.

        Returns the numbers of the removed generations.
        """
        live = self._published_number()
        for leftover in self.data_dir.glob("CURRENT.*"):
            leftover.unlink(missing_ok=True)
        for apart in self.generations_dir.glob(f"{_APART}*"):
            if _unheld(apart / _HELD):
                shutil.rmtree(apart, ignore_errors=True)  # the folder's writer may remove it at the same time
        removed = []
        for folder in self._folders():
            if folder.name.endswith(_DISCARDED):
                shutil.rmtree(folder)
            elif int(folder.name) != live and _unheld(folder / _MANIFEST_NAME) and _discard(folder):
                removed.append(int(folder.name))
        return removed

    def numbers(self) -> list[int]:
        """Return the numbers of the generations on disk, including unpublished and outdated generations."""
        return sorted(int(path.name) for path in self._folders() if path.name.isdecimal())

    def make_current(self, number: int) -> None:
        """Point CURRENT at a generation, atomically and durably."""
        draft = self._current_path.with_name(f"CURRENT.{os.getpid()}")
        draft.write_text(f"{number}\n", encoding="ascii")
        _sync(draft)
        os.replace(draft, self._current_path)
        _sync(self.data_dir)

    def _published_number(self) -> int:
        """Return the number in CURRENT; 0 if CURRENT is missing or damaged.

        A writer may ignore the damage, because it replaces CURRENT.
        """
        try:
            return self.current_number() or 0
        except IndexCorrupt:
            return 0

    def _folders(self) -> Iterator[Path]:
        if self.generations_dir.is_dir():
            for path in sorted(self.generations_dir.iterdir()):
                if path.is_dir() and path.name.removesuffix(_DISCARDED).isdecimal():
                    yield path

    def _hold(self, folder: Path) -> int | None:
        try:
            descriptor = os.open(folder / _MANIFEST_NAME, os.O_RDONLY)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise StoreError(f"{folder / _MANIFEST_NAME} cannot be read: {error.strerror}") from error
        lock_shared(descriptor)
        return descriptor

    def _opened(self, folder: Path, descriptor: int | None) -> Generation | None:
        if descriptor is None:
            raise IndexCorrupt(f"Generation {folder.name} of {self.data_dir} has no manifest.")
        try:
            manifest = self._manifest(folder, descriptor)
            if manifest is not None:
                _check_graph(folder / GRAPH_NAME, manifest)
        except BaseException:
            os.close(descriptor)
            raise
        if manifest is None:
            os.close(descriptor)
            return None
        return Generation(folder, manifest, descriptor)

    def _manifest(self, folder: Path, descriptor: int) -> Manifest | None:
        """Return the manifest, which `descriptor` holds open; see `_read_manifest`."""
        status = os.fstat(descriptor)
        state = folder.name, status.st_ino, status.st_mtime_ns, status.st_size
        known = self._read
        if known is not None and known[0] == state:
            return known[1]
        manifest = _read_manifest(folder)
        if manifest is not None:
            self._read = state, manifest
        return manifest


def _read_manifest(folder: Path) -> Manifest | None:
    """Return the manifest; None for an older format. An index with an older format counts as missing."""
    path = folder / _MANIFEST_NAME
    data = path.read_bytes()
    try:
        header = msgspec.json.decode(data, type=_Header)
        if header.format_version > FORMAT_VERSION:
            raise IndexTooNew(
                f"The index in {folder.parent.parent} was written by Astrolabe {header.astrolabe_version} in format "
                f"{header.format_version}; this version reads up to format {FORMAT_VERSION}. Update Astrolabe, or give "
                f"another --data-dir."
            )
        return msgspec.json.decode(data, type=Manifest) if header.format_version == FORMAT_VERSION else None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise IndexCorrupt(f"{path} is damaged ({error}).") from error


def _check_graph(path: Path, manifest: Manifest) -> None:
    try:
        size = path.stat().st_size
    except FileNotFoundError as error:
        raise IndexCorrupt(f"The graph file {path} is missing.") from error
    for file, found, wanted in ((path, size, manifest.graph_bytes), (log_of(path), _size(log_of(path)), manifest.log_bytes)):
        if found != wanted:
            raise IndexCorrupt(f"The graph file {file} has {found:,} bytes instead of {wanted:,}.")
        if (check := manifest.checks.get(file.name)) is not None and not is_intact(file, check):
            raise IndexCorrupt(f"The graph file {file} was changed after it was written.")


def log_of(graph_path: Path) -> Path:
    """Return the path of the engine's log beside a graph file. The log contains the changes that are not merged into the graph
    file.
    """
    return graph_path.with_name(f"{graph_path.name}.wal")


def ranking_of(graph_path: Path) -> Path:
    """Return the path of the file with the reference graph and the ranking of a graph file, without the changes in the log."""
    return graph_path.with_name(f"{graph_path.stem}.ranking")


def symbols_beside(graph_path: Path) -> Path:
    """Return the path of the file with the symbols of a graph file, without the changes in the log. An index of an earlier
    version has no such file.
    """
    return graph_path.with_name(f"{graph_path.stem}.symbols")


def _size(path: Path) -> int:
    """Return the size of a file in bytes; 0 if it does not exist."""
    return path.stat().st_size if path.exists() else 0


def _share(source: Path, target: Path) -> bool:
    """Replace a file by a hard link to `source`; return False if the file system has no hard links."""
    shared = target.with_suffix(".shared")
    try:
        os.link(source, shared)
    except OSError:
        return False
    os.replace(shared, target)
    return True


def _unheld(path: Path) -> bool:
    """Return whether no process holds the lock file of a folder. A missing file means that the folder was never published."""
    try:
        descriptor = os.open(path, os.O_RDWR)
    except FileNotFoundError:
        return True
    try:
        return try_lock_exclusive(descriptor)
    finally:
        os.close(descriptor)


def _discard(folder: Path) -> bool:
    """Remove the folder of a generation; return False if Windows refuses because a file in it is open."""
    discarded = folder.with_name(folder.name + _DISCARDED)
    try:
        os.replace(folder, discarded)
    except PermissionError:
        if os.name != "nt":
            raise
        return False
    shutil.rmtree(discarded)
    return True


def _sync(path: Path) -> None:
    """Force a file, or the entries of a folder, onto the disk."""
    if os.name == "nt" and path.is_dir():
        return  # Windows cannot open folders; on Windows, renames are durable without this call.
    descriptor = os.open(path, os.O_RDONLY if path.is_dir() else os.O_RDWR)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
