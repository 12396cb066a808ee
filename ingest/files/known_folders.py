"""Keep what a scan found in the folders of a workspace, so that the next scan does not list unchanged folders again.

A folder has a new time if an entry is added, removed or renamed. So names, kinds of entries and decisions of rules stay, and
the next scan examines only the source files of the folder, whose contents may change. This is not true of file systems that
other machines write, so the caller must know that the file system is local.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Final, Generic, NamedTuple, Protocol, Self, TypeVar

import msgspec

from ...schema.manifest import Exclusion
from .ignore_rules import RuleSet


class Comparable(Protocol):
    """Rules that apply in a folder."""

    def equals(self, other: Self) -> bool:
        """Return whether the rules decide alike."""


#: The rules that apply in a folder.
Rules = TypeVar("Rules", bound=Comparable)
#: A folder that changed less than this time before a scan may change again at the same time, in nanoseconds.
_SETTLED: Final = 2_000_000_000


class FolderState(NamedTuple):
    """The properties of a folder that differ after an entry was added, removed or renamed, or after the folder was replaced."""

    mtime: int
    ctime: int
    inode: int
    device: int

    def is_settled(self, seen_at: int) -> bool:
        """Return whether a later change leads to another state, for a folder seen at a time in nanoseconds since the epoch."""
        return max(self.mtime, self.ctime) + _SETTLED <= seen_at


def state_of(folder: str) -> FolderState | None:
    """Return the state of a folder; None if it cannot be examined."""
    try:
        found = os.lstat(folder)
    except OSError:
        return None
    return FolderState(found.st_mtime_ns, found.st_ctime_ns, found.st_ino, found.st_dev)


class Source(NamedTuple):
    """A source file that the rules admit."""

    path: str
    name: str
    language: str


class FolderContent(msgspec.Struct, Generic[Rules]):
    """What the entries of a folder contribute to a scan, besides the content of files."""

    sources: list[Source]
    #: The folders in it that are read, each with the rules that apply there.
    folders: list[tuple[str, Rules]]
    excluded: list[Exclusion]
    data_files: list[str]
    other_files: list[str]
    #: Paths of configuration files.
    configuration: list[str]
    has_supported: bool


class _Known(msgspec.Struct, Generic[Rules]):
    state: FolderState
    rules: Rules
    is_in_project: bool
    content: FolderContent[Rules]


class KnownFolders(Generic[Rules]):
    """The folders of the last scan of one workspace. Not thread-safe."""

    def __init__(self) -> None:
        self._known: dict[str, _Known[Rules]] = {}
        #: The folders of the scan that is running.
        self._seen: dict[str, _Known[Rules]] = {}
        self._ignore_files: dict[str, tuple[bytes, RuleSet]] = {}
        self._of_settings: tuple[RuleSet, ...] | None = None

    def content(self, prefix: str, state: FolderState, rules: Rules, is_in_project: bool) -> FolderContent[Rules] | None:
        """Return the content of a folder if its state and all that decides about its entries are as before."""
        known = self._known.get(prefix)
        if known is None or known.state != state or known.is_in_project != is_in_project or not known.rules.equals(rules):
            return None
        self._seen[prefix] = known
        return known.content

    def keep(self, prefix: str, state: FolderState, rules: Rules, is_in_project: bool, content: FolderContent[Rules]) -> None:
        """Keep the content of a folder for the next scan."""
        self._seen[prefix] = _Known(state, rules, is_in_project, content)

    def rules_of(self, content: bytes, path: str, base: str) -> RuleSet:
        """Return the rules of an ignore file. They are the same object for the same content."""
        known = self._ignore_files.get(path)
        if known is None or known[0] != content:
            known = self._ignore_files[path] = content, RuleSet.of_file(content, path, base)
        return known[1]

    def of_settings(self, make: Callable[[], tuple[RuleSet, ...]]) -> tuple[RuleSet, ...]:
        """Return the rules of the settings, which the first scan makes."""
        if self._of_settings is None:
            self._of_settings = make()
        return self._of_settings

    def end_scan(self) -> None:
        """Forget the folders that the scan did not find."""
        self._known, self._seen = self._seen, {}
