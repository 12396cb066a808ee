"""Whether anything in some folders has changed, from the kernel's events (inotify(7)), without reading the folders.

An event is in the queue of this process before the system call that caused it returns. So a question needs no other thread, and
an empty queue means that nothing has changed. Two kinds of changes cause no event: changes by other machines to a network file
system, and writes through a memory mapping or another hard link. Folders on file systems that other machines may write are
therefore not watched; editors and build tools do not write sources in the other two ways.

This module works on Linux. On other systems, no folder can be watched.
"""

from __future__ import annotations

import ctypes
import errno
import os
import struct
import sys
from collections.abc import Iterable
from typing import Final

#: Flags of `inotify.h`: the events that a change of an entry, of a file's bytes or of its permissions causes.
_MODIFY, _ATTRIBUTES, _MOVED, _CREATE, _DELETE = 0x2, 0x4, 0xC0, 0x100, 0x200
_SELF_DELETED, _SELF_MOVED, _UNMOUNTED, _OVERFLOW, _FORGOTTEN = 0x400, 0x800, 0x2000, 0x4000, 0x8000
_ONLY_FOLDERS, _NO_LINKS = 0x1000000, 0x2000000
_WANTED: Final = _MODIFY | _ATTRIBUTES | _MOVED | _CREATE | _DELETE | _SELF_DELETED | _SELF_MOVED | _ONLY_FOLDERS | _NO_LINKS
#: Events after which the set of watched folders is not known.
_LOST: Final = _SELF_DELETED | _SELF_MOVED | _UNMOUNTED | _OVERFLOW | _FORGOTTEN
#: An event without its name: the watch, the flags, a cookie and the length of the name.
_EVENT: Final = struct.Struct("iIII")
_READ_SIZE: Final = 1 << 16
#: Magic numbers of file systems that only this machine writes, from `statfs(2)`: ext2 to ext4, XFS, Btrfs, F2FS, tmpfs, ZFS,
#: bcachefs and overlayfs.
_LOCAL: Final = frozenset((0xEF53, 0x58465342, 0x9123683E, 0xF2F52010, 0x01021994, 0x2FC12FC1, 0xCA451A4E, 0x794C7630))


def is_local(path: bytes) -> bool:
    """Return whether it is known that only this machine writes the file system of a path."""
    if sys.platform != "linux":
        return False
    # The first field of `struct statfs` is the magic number, as a word; the whole structure has fewer than 32 words.
    status = (ctypes.c_ulong * 32)()
    return ctypes.CDLL(None).statfs(path, status) == 0 and status[0] & 0xFFFFFFFF in _LOCAL


class FolderEvents:
    """The events of watched folders. Not thread-safe. A folder is watched without the folders in it."""

    def __init__(self) -> None:
        #: The watch of each folder by its absolute path.
        self._watches: dict[str, int] = {}
        self._device: int | None = None
        #: A forked process shares the queue, and must not take the events of the process that opened it.
        self._process = os.getpid()
        self._library = ctypes.CDLL(None, use_errno=True) if sys.platform == "linux" else None
        self._descriptor = -1 if self._library is None else self._opened()
        self._works = self._descriptor >= 0

    @property
    def works(self) -> bool:
        """Whether folders can be watched. Once False, it stays False."""
        return self._works

    def watch(self, folders: Iterable[str]) -> bool:
        """Watch exactly these folders from now on, by their absolute paths. Returns whether no folder was added.

        A folder that does not exist, that cannot be read, or that is a symbolic link, is left out: an event of the folder around
        it tells when that changes. If another folder cannot be watched, `works` becomes False.
        """
        wanted = set(folders)
        before = len(self._watches.keys() & wanted)
        for folder in self._watches.keys() - wanted:
            self._forget(folder)
        for folder in wanted - self._watches.keys():
            if not self._add(folder):
                self.close()
                return False
        return len(self._watches) == before

    def take(self) -> bool:
        """Return whether there were events since the last call, and remove them from the queue."""
        found = False
        if self._works and self._process != os.getpid():
            self._start_again()
            found = True
        while self._works:
            try:
                events = os.read(self._descriptor, _READ_SIZE)
            except BlockingIOError:
                break
            except OSError:
                self.close()
                break
            found = True
            if self._is_lost(events):
                self._start_again()
        return found or not self._works

    def close(self) -> None:
        """Stop watching. The object cannot be used again."""
        self._works = False
        self._watches.clear()
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1

    def __del__(self) -> None:
        self.close()

    def _opened(self) -> int:
        assert self._library is not None
        return int(self._library.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC))

    def _start_again(self) -> None:
        """Forget all folders, for example because the queue was too short for all events."""
        os.close(self._descriptor)
        self._process = os.getpid()
        self._watches.clear()
        self._descriptor = self._opened()
        self._works = self._descriptor >= 0

    def _add(self, folder: str) -> bool:
        """Watch a folder. Returns False if its changes would go unnoticed."""
        assert self._library is not None
        path = os.fsencode(folder)
        try:
            device = os.lstat(path).st_dev
        except OSError:
            return True
        if device != self._device:
            if self._device is not None or not is_local(path):
                return False
            self._device = device
        watch = int(self._library.inotify_add_watch(self._descriptor, path, _WANTED))
        if watch >= 0:
            self._watches[folder] = watch
            return True
        # Other errors mean, for example, that the system has too few watches.
        return ctypes.get_errno() in (errno.ENOENT, errno.ENOTDIR, errno.ELOOP, errno.EACCES)

    def _forget(self, folder: str) -> None:
        assert self._library is not None
        self._library.inotify_rm_watch(self._descriptor, self._watches.pop(folder))

    def _is_lost(self, events: bytes) -> bool:
        at, watched = 0, set(self._watches.values())
        while at < len(events):
            watch, flags, _, length = _EVENT.unpack_from(events, at)
            # The kernel also confirms that a watch was removed by `_forget`.
            if flags & _LOST and (watch in watched or flags & _OVERFLOW):
                return True
            at += _EVENT.size + length
        return False
