"""Reads two states of a repository from Git: the last commit, and what is staged for the next one. The work tree is not read."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Iterable
from pathlib import Path
from types import TracebackType
from typing import NamedTuple, Self

from ...schema.process.git import GitFailed
from ..environment.git_process import git_output

#: Modes of regular files. Links and submodules have others.
_REGULAR = ("100644", "100755")


class StagedTree(NamedTuple):
    """Both states: the id of each file's content by its path, and the paths whose content differs."""

    committed: dict[str, str]
    staged: dict[str, str]
    changed: tuple[str, ...]


def staged_tree(top: Path, inside: str) -> StagedTree:
    """Return the states of the folder `inside` ("." for all) of the repository at `top`. Raises GitFailed.

    Git gives its hooks variables with paths relative to `top`, so it must run there.
    """
    prefix = b"" if inside == "." else os.fsencode(f"{inside}/")
    staged: dict[str, str] = {}
    for row in git_output(top, "ls-files", "--stage", "-z").split(b"\0"):
        head, _, name = row.partition(b"\t")
        if name and name.startswith(prefix) and (path := _text(name[len(prefix) :])) is not None:
            mode, content_id, _ = head.decode().split(" ")
            if mode in _REGULAR:
                staged[path] = content_id
    committed = dict(staged)
    fields = git_output(top, "diff", "--cached", "--raw", "--no-renames", "--abbrev=64", "-z", _last_commit(top)).split(b"\0")
    changed: list[str] = []
    for head, name in zip(fields[::2], fields[1::2], strict=False):
        if not name.startswith(prefix) or (path := _text(name[len(prefix) :])) is None:
            continue
        old_mode, new_mode, old_id, _, _ = head.decode().removeprefix(":").split(" ")
        if old_mode in _REGULAR:
            committed[path] = old_id
        else:
            committed.pop(path, None)
        if old_mode in _REGULAR or new_mode in _REGULAR:
            changed.append(path)
    return StagedTree(committed, staged, tuple(changed))


def staged_files_with(top: Path, inside: str, words: Iterable[str]) -> list[str]:
    """Return the paths of the staged files that have one of the words. Raises GitFailed."""
    patterns = "\n".join(sorted(words))
    if not patterns:
        return []
    prefix = b"" if inside == "." else os.fsencode(f"{inside}/")
    arguments = ("grep", "--cached", "-l", "-z", "-I", "-w", "-F", "--full-name", "-f", "-")
    found = git_output(top, *arguments, stdin=patterns.encode("utf-8", "surrogateescape"), accepted=(0, 1))
    names = [_text(name[len(prefix) :]) for name in found.split(b"\0") if name and name.startswith(prefix)]
    return [name for name in names if name is not None]


def ignored_paths(top: Path, inside: str, paths: Iterable[str]) -> set[str]:
    """Return those of the paths that Git ignores, such as files that a build makes. Raises GitFailed."""
    prefix = "" if inside == "." else f"{inside}/"
    asked = "\0".join(prefix + path for path in paths).encode("utf-8", "surrogateescape")
    if not asked:
        return set()
    found = git_output(top, "check-ignore", "--no-index", "-z", "--stdin", stdin=asked, accepted=(0, 1))
    return {os.fsdecode(name)[len(prefix) :] for name in found.split(b"\0") if name}


class ContentReader:
    """Reads contents by their ids from one Git process. Use it in a `with` block."""

    def __init__(self, top: Path, max_size: int) -> None:
        """Contents that are larger than `max_size` bytes are not returned."""
        self._top = top
        self._max_size = max_size
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None) -> None:
        if self._process is not None:
            self._process.communicate()

    def files(self, ids: dict[str, str]) -> Callable[[str], bytes | None]:
        """Return what reads files by their paths, with the ids of their contents."""

        def read(path: str) -> bytes | None:
            content_id = ids.get(path)
            return self._read(content_id) if content_id is not None else None

        return read

    def _read(self, content_id: str) -> bytes | None:
        """Return a content; None if it is too large. Raises GitFailed."""
        process = self._process or self._start()
        assert process.stdin is not None  # both are pipes
        assert process.stdout is not None
        try:
            process.stdin.write(content_id.encode() + b"\n")
            process.stdin.flush()
        except OSError as error:
            raise GitFailed(f"git cat-file ended early: {error.strerror}.") from error
        head = process.stdout.readline().split()
        if len(head) != 3:
            raise GitFailed(f"Git has no content with the id {content_id}.")
        data = process.stdout.read(int(head[2]))
        process.stdout.read(1)
        return data if len(data) <= self._max_size else None

    def _start(self) -> subprocess.Popen[bytes]:
        command = ["git", "cat-file", "--batch"]
        self._process = subprocess.Popen(command, cwd=self._top, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        return self._process


def _last_commit(top: Path) -> str:
    """Return "HEAD", or the id of the empty tree where there is no commit yet."""
    try:
        git_output(top, "rev-parse", "--verify", "-q", "HEAD^{commit}")
    except GitFailed:
        return git_output(top, "hash-object", "-t", "tree", os.devnull).decode().strip()
    return "HEAD"


def _text(name: bytes) -> str | None:
    """Return a path as text; None if it is not UTF-8, since such files are not indexed."""
    try:
        return name.decode()
    except UnicodeDecodeError:
        return None
