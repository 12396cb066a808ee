"""Reads contents of a repository from Git, and Git's rows of differences. The work tree is not read."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import NamedTuple, Self

from ...schema.process.git import GitFailed

#: Modes of regular files. Links and submodules have other modes.
REGULAR_MODES = ("100644", "100755")
#: Mode of a submodule.
SUBMODULE_MODE = "160000"
#: Mode of a symbolic link.
LINK_MODE = "120000"


class Difference(NamedTuple):
    """A row of `git diff --raw --no-renames`. Paths are relative to the top of the repository."""

    old_mode: str
    new_mode: str
    old_id: str
    new_id: str
    #: "U" for a path with unresolved conflicts.
    status: str
    path: bytes

    @property
    def was_file(self) -> bool:
        """Whether the old state has a regular file at the path."""
        return self.old_mode in REGULAR_MODES

    @property
    def is_file(self) -> bool:
        """Whether the new state has a regular file at the path."""
        return self.new_mode in REGULAR_MODES


def differences(output: bytes) -> Iterator[Difference]:
    """Yield the rows that `git diff --raw --no-renames -z` printed."""
    fields = output.split(b"\0")
    for head, path in zip(fields[::2], fields[1::2], strict=False):
        old_mode, new_mode, old_id, new_id, status = head.decode().removeprefix(":").split(" ")
        yield Difference(old_mode, new_mode, old_id, new_id, status, path)


def path_text(name: bytes) -> str | None:
    """Return a path as text; None if it is not UTF-8, since such files are not indexed."""
    try:
        return name.decode()
    except UnicodeDecodeError:
        return None


class ContentReader:
    """Reads the contents of Git objects by id, through one Git process. Use it in a `with` block."""

    def __init__(self, top: Path, max_size: int, environment: Mapping[str, str]) -> None:
        """Contents that are larger than `max_size` bytes are not returned. Git runs in `environment`."""
        self._top = top
        self._max_size = max_size
        self._environment = environment
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None) -> None:
        if self._process is not None:
            self._process.communicate()

    def files(self, ids: Mapping[str, str]) -> Callable[[str], bytes | None]:
        """Return a function that reads files by their paths, with the ids of their contents."""

        def read(path: str) -> bytes | None:
            content_id = ids.get(path)
            return self._read(content_id) if content_id is not None else None

        return read

    def _read(self, content_id: str) -> bytes | None:
        """Return the content with an id; None if it is too large. Raises GitFailed."""
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
            raise GitFailed(f"Git has no content with the id {content_id}. A partial clone may lack it.")
        data = process.stdout.read(int(head[2]))
        process.stdout.read(1)
        return data if len(data) <= self._max_size else None

    def _start(self) -> subprocess.Popen[bytes]:
        command = ["git", "cat-file", "--batch"]
        self._process = subprocess.Popen(
            command, cwd=self._top, env=self._environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        return self._process
