"""Run git on an untrusted repository: no hook, filter, pager or other program from the configuration of the repository runs."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryFile
from threading import Timer
from typing import IO

from ...schema.process.git import GitFailed, failure_text, reason_of, run_git

#: Overrides of settings that would start programs, and of settings that would change the output.
_SETTINGS = (
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "core.pager=cat",
    # On machines with 64 bits, Git maps whole packs and keeps 96 MB of delta bases.
    "core.packedGitWindowSize=16m",
    "core.packedGitLimit=128m",
    "core.deltaBaseCacheLimit=32m",
    "core.quotePath=false",
    "log.showSignature=false",
    "diff.external=",
    "blame.ignoreRevsFile=",
    "color.ui=false",
)
#: Arguments of every command that compares files.
NO_PROGRAMS = ("--no-ext-diff", "--no-textconv")
#: Seconds after which a short command of git is stopped.
_SHORT = 20.0
#: Seconds after which a search through all files is stopped.
_LONG = 120.0
#: Exit code of Git for errors that end a command.
_FATAL = 128
#: Maximum number of bytes of a message of Git that are read.
_MAX_MESSAGE = 4096
#: Part of Git's message about content that a partial clone lacks.
_OF_PARTIAL = "from promisor remote"


class GitRepository:
    """A repository around a folder. Raises GitFailed if there is none, or if git is not installed."""

    def __init__(self, folder: Path, environment: Mapping[str, str] | None = None) -> None:
        """`environment` is the environment of Git: `safe_environment()` by default, or `hook_environment(…)` inside a hook."""
        self.folder = folder
        self.environment = safe_environment() if environment is None else environment
        facts = self.text("rev-parse", "--show-toplevel", "--show-prefix", "--git-common-dir").split("\n")
        self.top = Path(facts[0])
        #: Path of the folder within the repository: "" or with a slash at its end.
        self.prefix = facts[1]
        self._shallow = folder / facts[2] / "shallow"

    @property
    def head(self) -> str:
        """Return the commit of HEAD, or "" before the first commit. Raises GitFailed."""
        found = self._resolved("HEAD^{commit}")
        if not found and (named := self._resolved("HEAD")):
            raise GitFailed(f"HEAD is {named[:10]}, which is no commit of this repository. Run `git fsck`.")
        return found

    @property
    def shallow_commits(self) -> str:
        """Return the commits at which a shallow clone ends, or "" for a complete clone."""
        return self._shallow.read_text("ascii", "replace") if self._shallow.is_file() else ""

    @property
    def is_partial(self) -> bool:
        """Whether the clone is partial: Git fetches contents of old files only when a command needs them. Raises GitFailed."""
        wanted = r"^(remote\..*\.promisor|extensions\.partialclone)$"
        return self._finished(_SHORT, "config", "--get-regexp", wanted).returncode == 0

    def commit(self, name: str) -> str:
        """Return the id of the commit with a name. Raises GitFailed if there is none."""
        return self.text("rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}").strip()

    def has_path(self, path: str) -> bool:
        """Return whether the last commit contains a path, relative to the top. Raises GitFailed."""
        return self._finished(_SHORT, "cat-file", "-e", f"HEAD:{path}").returncode == 0

    def _resolved(self, name: str) -> str:
        return self._finished(_SHORT, "rev-parse", "--verify", "--quiet", name).stdout.decode("ascii").strip()

    def text(self, *arguments: str) -> str:
        """Return the output of a short command. Raises GitFailed."""
        return self.output(*arguments).decode("utf-8", "backslashreplace")

    def output(self, *arguments: str, seconds: float = _SHORT) -> bytes:
        """Return the output of a command as bytes. Raises GitFailed if the command fails or exceeds its time."""
        done = self._finished(seconds, *arguments)
        if done.returncode != 0:
            raise GitFailed(_reason(arguments[0], done))
        return done.stdout

    def files_with(self, words: Iterable[str], *state: str) -> list[bytes]:
        """Return the paths, relative to the top, of the text files of a state that contain one of the words.

        `state` are the arguments of `git grep` for the state. Raises GitFailed.
        """
        patterns = "\n".join(sorted(words)).encode("utf-8", "surrogateescape")
        if not patterns:
            return []
        arguments = ("grep", "-l", "-z", "-I", "-w", "-F", "--full-name", "--no-recurse-submodules", "-f", "-", *state)
        done = self._finished(_LONG, *arguments, stdin=patterns)
        if done.returncode > 1:
            raise GitFailed(_reason("grep", done))
        return [name for name in done.stdout.split(b"\0") if name]

    def words_in_files(self, words: Iterable[str]) -> Iterator[tuple[str, str]]:
        """Yield the paths of tracked text files of the folder, each with the words that it contains. Raises GitFailed."""
        patterns = "\n".join(sorted(words)).encode("utf-8", "surrogateescape")
        if not patterns:
            return
        arguments = ("grep", "-o", "-z", "-I", "-w", "-F", "--no-line-number", "--no-color", "--no-recurse-submodules", "-f", "-")
        done = self._finished(_LONG, *arguments, stdin=patterns)
        if done.returncode > 1:
            raise GitFailed(_reason("grep", done))
        for line in done.stdout.split(b"\n"):
            path, _, word = line.partition(b"\0")
            if word:
                yield os.fsdecode(path), word.decode("utf-8", "surrogateescape")

    def lines_with(self, words: Iterable[str], commit: str, seconds: float) -> Iterator[tuple[str, str]]:
        """Yield the paths of text files of the folder at a commit, each with a line that contains one of the words.

        Raises GitFailed if the search takes longer than `seconds`.
        """
        patterns = "\n".join(sorted(words)).encode("utf-8", "surrogateescape")
        options = ("-z", "-I", "-w", "-F", "--no-line-number", "--no-color", "--no-recurse-submodules")
        done = self._finished(seconds, "grep", *options, "-f", "-", commit, stdin=patterns)
        if done.returncode > 1:
            raise GitFailed(_reason("grep", done))
        for row in done.stdout.split(b"\n"):
            path, _, line = row.removeprefix(f"{commit}:".encode("ascii")).partition(b"\0")
            if line:
                yield os.fsdecode(path), line.decode("utf-8", "replace")

    def ignored(self, paths: Iterable[str]) -> set[str]:
        """Return the paths, relative to the folder, that Git ignores. The paths need not exist. Raises GitFailed."""
        # This command does not accept `--literal-pathspecs`. A path after "./" has no magic meaning.
        asked = "\0".join(f"./{path}" for path in paths).encode("utf-8", "surrogateescape")
        if not asked:
            return set()
        done = self._finished(_LONG, "--no-literal-pathspecs", "check-ignore", "--no-index", "-z", "--stdin", stdin=asked)
        if done.returncode > 1:
            raise GitFailed(_reason("check-ignore", done))
        return {os.fsdecode(name.removeprefix(b"./")) for name in done.stdout.split(b"\0") if name}

    def _finished(
        self, seconds: float, *arguments: str, folder: Path | None = None, stdin: bytes = b""
    ) -> subprocess.CompletedProcess[bytes]:
        """Run a command that may fail. Raises GitFailed if the command cannot start or exceeds its time."""
        return run_git(
            _without_programs(arguments), folder or self.folder, stdin=stdin, environment=self.environment, seconds=seconds
        )

    def differences(self, old: Path, new: Path) -> bytes:
        """Return the hunks between two files of one folder outside of the repository. Raises GitFailed."""
        arguments = ("diff", "--no-index", "-U0", *NO_PROGRAMS, "--", old.name, new.name)
        done = self._finished(_SHORT, *arguments, folder=old.parent)
        if done.returncode > 1:
            raise GitFailed(_reason("diff", done))
        return done.stdout

    def contains(self, old: str, new: str) -> bool:
        """Return whether a commit is an ancestor of another commit; False for a commit that no longer exists.

        Raises GitFailed.
        """
        return self._finished(_SHORT, "merge-base", "--is-ancestor", old, new).returncode == 0

    @contextmanager
    def stream(self, *arguments: str, stdin: bytes = b"", seconds: float | None = None) -> Iterator[IO[bytes]]:
        """Yield the output of a long command while it runs. Raises GitFailed if the command fails, or exceeds its seconds, which
        ends its output.
        """
        with TemporaryFile() as given, TemporaryFile() as told:
            with subprocess.Popen(
                ["git", *_without_programs(arguments)],
                cwd=self.folder,
                env=self.environment,
                stdin=_rewound(given, stdin),
                stdout=subprocess.PIPE,
                stderr=told,
            ) as process:
                assert process.stdout is not None
                try:
                    with _killed_after(process, seconds):
                        yield process.stdout
                except BaseException:
                    process.kill()
                    raise
            if process.returncode == 0:
                return
            if process.returncode == _FATAL and self.is_partial:
                raise GitFailed(_lacking_contents(arguments[0]))
            told.seek(0)
            done = subprocess.CompletedProcess(arguments, process.returncode, b"", told.read(_MAX_MESSAGE))
        raise GitFailed(_reason(arguments[0], done))


@contextmanager
def _killed_after(process: subprocess.Popen[bytes], seconds: float | None) -> Iterator[None]:
    """Kill a process that takes longer than `seconds`. A reader that waits for its output then reads the end of the output."""
    if seconds is None:
        yield
        return
    timer = Timer(seconds, process.kill)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _rewound(file: IO[bytes], content: bytes) -> IO[bytes]:
    """Return a temporary file with `content`, positioned at its beginning for another process."""
    file.write(content)
    file.seek(0)
    return file


def _without_programs(arguments: tuple[str, ...]) -> list[str]:
    """Return the arguments after settings that prevent programs of the repository from running."""
    settings = [part for setting in _SETTINGS for part in ("-c", setting)]
    return ["--no-pager", "--literal-pathspecs", *settings, *arguments]


def safe_environment() -> dict[str, str]:
    """Return the environment without git's variables, which inside a hook may name another index or folder."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    # Older versions of Git do not know GIT_NO_LAZY_FETCH, but may fetch only by the listed protocols, and none is listed.
    offline = {"GIT_NO_LAZY_FETCH": "1", "GIT_ALLOW_PROTOCOL": "none"}
    return kept | offline | {"GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C"}


def hook_environment(top: Path) -> dict[str, str]:
    """Return the safe environment with the index and the folders that git passes to its hooks.

    A commit of single files has a separate index. Paths that are relative to `top`, the root of the work tree, become absolute.
    """
    named = {name: str(top / os.environ[name]) for name in ("GIT_INDEX_FILE", "GIT_DIR", "GIT_WORK_TREE") if name in os.environ}
    if "GIT_DIR" in named:
        named.setdefault("GIT_WORK_TREE", str(top))
    return safe_environment() | named


def _reason(command: str, done: subprocess.CompletedProcess[bytes]) -> str:
    told = reason_of(done)
    if _OF_PARTIAL in told:
        return _lacking_contents(command)
    return failure_text(command, told)


def _lacking_contents(command: str) -> str:
    return f"This clone is partial, and git {command} needs contents of old files that it has not fetched."
