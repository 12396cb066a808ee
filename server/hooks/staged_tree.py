"""Reads two states of a repository from Git: the last commit, and what is staged for the next one. The work tree is not read."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from ...ingest.changes.git_objects import REGULAR_MODES, differences, path_text
from ...schema.process.git import GitFailed
from ..environment.git_process import git_output


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
        if name and name.startswith(prefix) and (path := path_text(name[len(prefix) :])) is not None:
            mode, content_id, _ = head.decode().split(" ")
            if mode in REGULAR_MODES:
                staged[path] = content_id
    committed = dict(staged)
    output = git_output(top, "diff", "--cached", "--raw", "--no-renames", "--abbrev=64", "-z", _last_commit(top))
    changed: list[str] = []
    for found in differences(output):
        if not found.path.startswith(prefix) or (path := path_text(found.path[len(prefix) :])) is None:
            continue
        if found.was_file:
            committed[path] = found.old_id
        else:
            committed.pop(path, None)
        if found.was_file or found.is_file:
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
    names = [path_text(name[len(prefix) :]) for name in found.split(b"\0") if name and name.startswith(prefix)]
    return [name for name in names if name is not None]


def ignored_paths(top: Path, inside: str, paths: Iterable[str]) -> set[str]:
    """Return those of the paths that Git ignores, such as files that a build makes. Raises GitFailed."""
    prefix = "" if inside == "." else f"{inside}/"
    asked = "\0".join(prefix + path for path in paths).encode("utf-8", "surrogateescape")
    if not asked:
        return set()
    found = git_output(top, "check-ignore", "--no-index", "-z", "--stdin", stdin=asked, accepted=(0, 1))
    return {os.fsdecode(name)[len(prefix) :] for name in found.split(b"\0") if name}


def _last_commit(top: Path) -> str:
    """Return "HEAD", or the id of the empty tree where there is no commit yet."""
    try:
        git_output(top, "rev-parse", "--verify", "-q", "HEAD^{commit}")
    except GitFailed:
        return git_output(top, "hash-object", "-t", "tree", os.devnull).decode().strip()
    return "HEAD"
