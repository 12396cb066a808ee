"""Read commits, and the files and lines that they changed, in one pass of `git log`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import IO

from .commits import Commit, FileChange
from .git import NO_PROGRAMS, GitRepository

#: Fields of a commit. A message may contain any character except NUL, so NULs separate the fields.
_FORMAT = "--format=%x1e%H%x00%P%x00%aN%x00%aE%x00%at%x00%B%x00"
_FIELDS = 6
#: Number of bytes that are read at once.
_BLOCK = 1 << 20
#: Maximum length of a stored message, in characters.
MAX_MESSAGE = 4000


def read_commits(git: GitRepository, commits: str, depth: int | None) -> Iterator[Commit]:
    """Yield the commits of a revision or range, the newest first, at most `depth` of them. Raises GitFailed."""
    yield from _read(git, ("-M", "--numstat"), commits, depth)


def read_commits_without_lines(git: GitRepository, commits: str, depth: int | None) -> Iterator[Commit]:
    """Yield commits as `read_commits` does, but without reading contents of files.

    Numbers of lines are not known, and only a file with unchanged content counts as renamed. Raises GitFailed.
    """
    yield from _read(git, ("-M100%", "--raw"), commits, depth)


def _read(git: GitRepository, form: Sequence[str], commits: str, depth: int | None) -> Iterator[Commit]:
    limit = [] if depth is None else [f"--max-count={depth}"]
    with git.stream("log", "-z", *form, "--use-mailmap", *NO_PROGRAMS, _FORMAT, *limit, commits, "--") as stream:
        yield from parsed(stream)


def parsed(stream: IO[bytes]) -> Iterator[Commit]:
    """Parse the output of `git log -z` with `_FORMAT` and `--numstat` or `--raw`, and yield its commits."""
    fields: list[str] = []
    changes: list[FileChange] = []
    tokens = _tokens(stream)
    for written in tokens:
        # Git writes a line break before changes, even if it then counts no changed line.
        token = written.lstrip(b"\n")
        if token.startswith(b"\x1e"):
            if fields:
                yield _commit(fields, changes)
            rest = [next(tokens, b"") for _ in range(_FIELDS - 1)]
            fields, changes = [_decoded(part) for part in (token[1:], *rest)], []
        elif token.startswith(b":"):
            old_name = _decoded(next(tokens, b"")) if token.rpartition(b" ")[2].startswith(b"R") else None
            changes.append(FileChange(_decoded(next(tokens, b"")), old_name, None, None))
        elif token:
            added, deleted, path = token.split(b"\t", 2)
            old_path = None if path else _decoded(next(tokens, b""))
            changes.append(FileChange(_decoded(path or next(tokens, b"")), old_path, _count(added), _count(deleted)))
    if fields:
        yield _commit(fields, changes)


def _commit(fields: list[str], changes: list[FileChange]) -> Commit:
    name, parents, author, email, time, message = fields
    return Commit(name, tuple(parents.split()), author, email, int(time or 0), message.strip()[:MAX_MESSAGE], tuple(changes))


def _tokens(stream: IO[bytes]) -> Iterator[bytes]:
    """Yield the texts between NULs. The stream is read in blocks."""
    rest: list[bytes] = []
    while block := stream.read(_BLOCK):
        first, *more = block.split(b"\0")
        rest.append(first)
        if more:
            yield b"".join(rest)
            yield from more[:-1]
            rest = [more[-1]]
    if last := b"".join(rest):
        yield last


def _count(digits: bytes) -> int | None:
    return None if digits == b"-" else int(digits)


def _decoded(text: bytes) -> str:
    """Return a path or a name as text. Bytes that are not UTF-8 are escaped, so that two paths stay distinct."""
    return text.decode("utf-8", "backslashreplace")
