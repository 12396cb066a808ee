"""The two compared states of a repository, and the contents of their files: commits, the index of Git, or the work tree."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from ...schema.errors import UsageError
from ...schema.languages import language_of
from ...schema.process.git import GitFailed
from ..facts.cache import FactReader
from ..files.api_descriptions import may_describe_api
from ..files.configuration_digest import is_configuration_name
from ..files.path_roles import DATA_EXTENSION
from ..files.sql_dialects import SqlDialects
from ..history.git import NO_PROGRAMS, GitRepository
from .git_objects import LINK_MODE, REGULAR_MODES, SUBMODULE_MODE, ContentReader, Difference, differences, path_text

#: Seconds that a comparison of states may take.
_LONG: Final = 120.0
#: Number of paths that a note names.
_SHOWN: Final = 5

ReadFile = Callable[[str], bytes | None]


@dataclass(frozen=True, slots=True)
class Comparison:
    """Selects the states to compare. If no field is set, the last commit is compared with the work tree."""

    #: Compare the staged files with the last commit.
    staged: bool = False
    #: Name of a commit, such as `origin/main`: compare the work tree with the common ancestor of this commit and the current
    #: branch.
    base: str = ""
    #: Compare two commits, `A..B` or `A...B`, or one commit with its first parent.
    range: str = ""

    def __post_init__(self) -> None:
        if self.staged + bool(self.base) + bool(self.range) > 1:
            raise UsageError("--staged, --base and a range exclude each other. Give one of them.")
        for name in (self.base, self.range):
            if name.startswith("-"):
                raise UsageError(f'"{name}" is no commit. Names of commits do not begin with a dash.')


@dataclass(slots=True)
class States:
    """Two states, and the differences between them. Paths are relative to the compared folder."""

    #: Names of the two states for people: "HEAD" and "the work tree".
    old_name: str
    new_name: str
    #: Paths of all files of each state that may affect code.
    old_paths: list[str]
    new_paths: list[str]
    read_old: ReadFile
    read_new: ReadFile
    #: Paths with different contents, and paths of files in only one state.
    changed: list[str]
    added: list[str]
    removed: list[str]
    #: Maps the new path to the old path of each file that Git considers renamed.
    renamed: dict[str, str]
    #: Whether the new state is the work tree.
    is_work_tree: bool
    #: Commit of the old state; "" if there is no commit yet.
    old_commit: str
    #: Commit of the new state; "" if the new state is not a commit.
    new_commit: str
    notes: list[str] = field(default_factory=list)
    #: Whether something differs that is not compared: a submodule, a link, or a file whose name is not UTF-8.
    has_other_differences: bool = False
    #: Paths of all files of the new state, including files that are not code.
    every_path: Iterable[str] = ()
    #: Returns the paths of the files of the new state that contain at least one of the given words.
    files_with: Callable[[Iterable[str]], list[str]] = list
    #: Returns the paths among some paths that Git ignores.
    ignored: Callable[[Iterable[str]], set[str]] = set
    #: The dialects of SQL that the settings state for files.
    dialects: SqlDialects = field(default_factory=lambda: SqlDialects(()))
    #: Facts of files that were indexed.
    stored: FactReader | None = None


@contextmanager
def compared_states(
    git: GitRepository, comparison: Comparison, max_size: int, sql_dialect: Iterable[str] = (), caches: Iterable[Path] = ()
) -> Iterator[States]:
    """Yield the states to compare. Files of more than `max_size` bytes are not read.

    `sql_dialect` is the setting with this name, and `caches` are folders with cached facts of the repository's files. Raises
    GitFailed if a Git command fails, and UsageError for a name that denotes no commit.
    """
    notes: list[str] = []
    if comparison.range:
        old, new, names = _of_range(git, comparison.range, notes)
    else:
        old, names = _of_base(git, comparison, notes)
        new = ""
    prefix = os.fsencode(git.prefix)
    rows = [row for row in _rows(git, comparison, old, new) if row.path.startswith(prefix)]
    old_ids = tree_of(git, old, prefix)
    new_ids = dict(old_ids)
    states = States(*names, [], [], _read_nothing, _read_nothing, [], [], [], {}, not (new or comparison.staged), old, new, notes)
    loose: set[str] = set()
    kept: list[str] = []
    unnamed: list[str] = []
    links: list[str] = []
    conflicts = _conflicts(git) if states.is_work_tree else set()
    for row in rows:
        path = path_text(row.path[len(prefix) :])
        if path is None:
            unnamed.append(row.path[len(prefix) :].decode("utf-8", "backslashreplace"))
            continue
        if SUBMODULE_MODE in (row.old_mode, row.new_mode):
            notes.append(_submodule_note(path, row))
            states.has_other_differences = True
        if row.status == "U":
            conflicts.add(path)
            continue
        if not (row.was_file or row.is_file):
            if LINK_MODE in (row.old_mode, row.new_mode):
                links.append(path)
            continue
        new_ids.pop(path, None)
        if row.is_file:
            new_ids[path] = row.new_id
            if states.is_work_tree:
                loose.add(path)
        (states.changed if row.was_file and row.is_file else states.added if row.is_file else states.removed).append(path)
    if states.is_work_tree:
        for path in _untracked(git):
            if path not in new_ids and path not in conflicts:
                loose.add(path)
                new_ids[path] = ""
                (kept if path in old_ids else states.added).append(path)
        states.added.sort()
        untracked = frozenset(kept)
        states.removed = [path for path in states.removed if path not in untracked]
    notes += [f"{path} has conflicts that are not resolved." for path in sorted(conflicts)]
    notes += [f"Files whose names are not UTF-8 differ and are not compared: {_listed(unnamed)}."] if unnamed else []
    notes += [f"Links differ and are not compared: {_listed(links)}."] if links else []
    states.has_other_differences |= bool(unnamed or links)
    states.old_paths = [path for path in sorted(old_ids) if _affects_code(path)]
    states.new_paths = [path for path in sorted(new_ids) if _affects_code(path)]
    states.every_path = new_ids.keys()
    states.renamed = _renamed(git, comparison, old, new, states) if states.removed and states.added else {}
    with ContentReader(git.top, max_size, git.environment) as contents, FactReader(caches) as stored:
        states.read_old = contents.files(old_ids)
        read_new = contents.files({path: id for path, id in new_ids.items() if path not in loose})
        folder = git.top / git.prefix

        def read(path: str) -> bytes | None:
            if path not in loose:
                return read_new(path)
            try:
                file = folder / path
                return file.read_bytes() if file.stat().st_size <= max_size else None
            except OSError:  # the file was removed while the states were compared
                return None

        def files_with(words: Iterable[str]) -> list[str]:
            where = [new] if new else ["--cached"] if comparison.staged else ["--untracked"]
            marked = prefix if not new else os.fsencode(f"{new}:") + prefix
            found = git.files_with(words, *where)
            texts = [path_text(name[len(marked) :]) for name in found if name.startswith(marked)]
            return [path for path in texts if path is not None]

        states.read_new, states.files_with, states.ignored = read, files_with, git.ignored
        states.dialects, states.stored = SqlDialects(sql_dialect), stored
        # If a file is missing only from the index, Git lists it twice: as removed and as untracked.
        states.changed = sorted([*states.changed, *(path for path in kept if states.read_old(path) != read(path))])
        yield states


def _submodule_note(path: str, row: Difference) -> str:
    """Return a note about a submodule that differs, with the command that compares its files."""
    if row.new_mode != SUBMODULE_MODE:
        return f"The submodule {path} was removed."
    if row.old_mode != SUBMODULE_MODE:
        return f"The submodule {path} was added. Its files belong to another repository and are not compared."
    new = row.new_id[:10] if row.new_id.strip("0") else ""  # the work tree has no id
    command = f"astrolabe changes --root {shlex.quote(path)} {row.old_id[:10]}..{new}"
    return f"The submodule {path} changed. Its files belong to another repository: `{command}` compares them."


def _listed(paths: Sequence[str]) -> str:
    """Return the first paths as text, and how many more there are."""
    more = f" and {len(paths) - _SHOWN:,} more" if len(paths) > _SHOWN else ""
    return ", ".join(paths[:_SHOWN]) + more


def _read_nothing(_: str) -> bytes | None:
    return None


def _affects_code(path: str) -> bool:
    """Return whether an import may resolve to a file, or a file may affect the resolution of imports."""
    is_known = language_of(path) is not None or may_describe_api(path)
    return is_known or path.endswith(DATA_EXTENSION) or is_configuration_name(path.rpartition("/")[2])


def _of_range(git: GitRepository, text: str, notes: list[str]) -> tuple[str, str, tuple[str, str]]:
    """Return both commits of a range, and their names for people."""
    if "..." in text:
        left, right = (part or "HEAD" for part in text.split("...", 1))
        old, new = _merge_base(git, commit_named(git, left), commit_named(git, right), left, right), commit_named(git, right)
        return old, new, (f"{old[:10]} (where {right} left {left})", right)
    if ".." in text:
        left, right = (part or "HEAD" for part in text.split("..", 1))
        return commit_named(git, left), commit_named(git, right), (left, right)
    new = commit_named(git, text)
    parents = git.text("rev-list", "--parents", "-n", "1", new).split()[1:]
    if len(parents) > 1:
        notes.append(f"{text} merges {len(parents)} commits. It is compared with the first of them.")
    if not parents:
        notes.append(f"{text} has no parent here, so all of its files count as added.")
        return _empty_tree(git), new, ("nothing", text)
    return parents[0], new, (f"{parents[0][:10]} (its parent)", text)


def _of_base(git: GitRepository, comparison: Comparison, notes: list[str]) -> tuple[str, tuple[str, str]]:
    """Return the commit to compare with the work tree or the staged files, and the names of the compared states for people."""
    new_name = "what is staged" if comparison.staged else "the work tree"
    if not git.head:
        if comparison.base:
            raise GitFailed("The current branch has no commit yet, so it left no base. Without --base, all files count as added.")
        notes.append("The current branch has no commit yet, so all files count as added.")
        return _empty_tree(git), ("nothing", new_name)
    if not comparison.base:
        return git.head, ("HEAD", new_name)
    old = _merge_base(git, commit_named(git, comparison.base), git.head, comparison.base, "HEAD")
    return old, (f"{old[:10]} (where HEAD left {comparison.base})", new_name)


def _empty_tree(git: GitRepository) -> str:
    """Return the id of the empty tree. Git accepts this id even if the repository does not contain the tree."""
    return git.text("hash-object", "-t", "tree", "--stdin").strip()


def commit_named(git: GitRepository, name: str) -> str:
    """Return the id of the commit with a name. Raises UsageError."""
    if name.startswith("-"):
        raise UsageError(f'"{name}" is no commit. Names of commits do not begin with a dash.')
    try:
        return git.commit(name)
    except GitFailed as failure:
        advice = " This clone is shallow: fetch more of it, as with `git fetch --unshallow`." if git.shallow_commits else ""
        raise UsageError(f'There is no commit "{name}" in this repository.{advice}') from failure


def _merge_base(git: GitRepository, first: str, second: str, first_name: str, second_name: str) -> str:
    try:
        return git.text("merge-base", first, second).strip()
    except GitFailed as failure:
        advice = "fetch its history, as with `git fetch --unshallow`" if git.shallow_commits else "compare them as A..B"
        raise UsageError(f"{first_name} and {second_name} have no common commit here: {advice}.") from failure


def _arguments(comparison: Comparison, old: str, new: str) -> list[str]:
    cached = ["--cached"] if comparison.staged else []
    return [*cached, *NO_PROGRAMS, "--ignore-submodules=dirty", "-z", old, *([new] if new else []), "--"]


def _rows(git: GitRepository, comparison: Comparison, old: str, new: str) -> Iterator[Difference]:
    arguments = _arguments(comparison, old, new)
    return differences(git.output("diff", "--raw", "--no-renames", "--abbrev=64", "--no-relative", *arguments, seconds=_LONG))


def _renamed(git: GitRepository, comparison: Comparison, old: str, new: str, states: States) -> dict[str, str]:
    """Map the new path to the old path of each file that Git considers renamed."""
    arguments = _arguments(comparison, old, new)
    output = git.output("diff", "--name-status", "-M", "--diff-filter=R", "--relative", *arguments, seconds=_LONG)
    fields = [os.fsdecode(each) for each in output.split(b"\0")]
    pairs = zip(fields[1::3], fields[2::3], strict=False)
    removed, added = frozenset(states.removed), frozenset(states.added)
    return {after: before for before, after in pairs if before in removed and after in added}


def tree_of(git: GitRepository, commit: str, prefix: bytes) -> dict[str, str]:
    """Return the ids of the contents of a commit's regular files, by path."""
    found: dict[str, str] = {}
    for row in git.output("ls-tree", "-r", "-z", "--full-tree", commit, seconds=_LONG).split(b"\0"):
        head, _, name = row.partition(b"\t")
        if name.startswith(prefix) and (path := path_text(name[len(prefix) :])):
            mode, _, content_id = head.decode().split(" ")
            if mode in REGULAR_MODES:
                found[path] = content_id
    return found


def _conflicts(git: GitRepository) -> set[str]:
    """Return the paths of the files whose conflicts are not resolved."""
    rows = git.output("ls-files", "--unmerged", "-z", seconds=_LONG).split(b"\0")
    return {path for row in rows if (path := path_text(row.partition(b"\t")[2]))}


def _untracked(git: GitRepository) -> list[str]:
    """Return the paths of the files that Git neither tracks nor ignores, without links."""
    output = git.output("ls-files", "--others", "--exclude-standard", "-z", seconds=_LONG)
    paths = [path for name in output.split(b"\0") if (path := path_text(name)) and not path.endswith("/")]
    return [path for path in paths if not (git.folder / path).is_symlink()]
