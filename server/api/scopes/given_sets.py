"""Sets for chains that are not in the graph: changed files, hot files and dead code."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from ....graphdb.scopes.plan import Given
from ....ingest.history.git import NO_PROGRAMS, GitRepository
from ....schema.errors import UsageError
from ....schema.process.git import GitFailed

if TYPE_CHECKING:
    from ....graphdb.database import GraphDatabase
    from ....retrieval.history.co_change import Together
    from ....retrieval.history.records import Hotspot
    from ..requests.answering_index import AnsweringIndex

#: Maximum number of findings of dead code in a chain.
_MAX_DEAD = 1_000
#: Budget of the check that finds dead code, in tokens.
_DEAD_BUDGET = 400_000


def members_of(workspace: AnsweringIndex, graph: GraphDatabase, given: Given) -> Sequence[str]:
    """Return the members of a set: paths of files, or "path:line" of dead code. Raises UsageError and WorkspaceError."""
    argument = given.argument
    if given.source == "changed_since":
        return _changed_since(GitRepository(workspace.root), str(argument))
    if given.source == "hot":
        assert isinstance(argument, int)
        return [spot.file for spot in hotspots_of(workspace, graph)[:argument]]
    if given.source == "dead":
        found = workspace.lint(checks=("dead-code",), limit=_MAX_DEAD, budget=_DEAD_BUDGET).answer
        return [f"{each.file}:{each.line}" for each in found.dead_code or ()]
    from .commits import CommitScope

    if isinstance(argument, CommitScope):
        return argument.paths()
    raise TypeError(f"not a set: {given}")


def _changed_since(git: GitRepository, ref: str) -> list[str]:
    """Return the files that differ from a commit, branch or tag, including uncommitted files.

    A file with a new time but the same content counts as changed, because a comparison of contents could run a filter program of
    the repository.
    """
    try:
        commit = git.commit(ref)
    except GitFailed as error:
        raise UsageError(f'changed_since: "{ref}" is no commit, branch or tag of this repository.') from error
    names = ("--name-only", "-z", "--relative", "--no-renames")
    committed = git.text("diff-tree", "-r", *names, *NO_PROGRAMS, commit, git.head, "--", ".")
    staged = git.text("diff-index", "--cached", *names, *NO_PROGRAMS, git.head, "--", ".")
    edited = git.text("diff-files", *names, *NO_PROGRAMS, "--", ".")
    new = git.text("ls-files", "-z", "--others", "--exclude-standard", "--", ".")
    return sorted({path for path in f"{committed}{staged}{edited}{new}".split("\0") if path})


def partners_of(workspace: AnsweringIndex, graph: GraphDatabase, known: Collection[str]) -> list[Together]:
    """Return the pairs of known files that the same commits changed. Raises GitFailed and StoreError."""
    from ....retrieval.history.composition import Sources, partners

    sources = Sources(workspace.root, workspace.history_folder, graph, dict, ())
    return partners(sources, workspace.settings.history_depth, known)


def hotspots_of(workspace: AnsweringIndex, graph: GraphDatabase) -> list[Hotspot]:
    """Return the files with commits, ordered by the product of commits and lines, the highest first. Raises GitFailed and
    StoreError.
    """
    from ....retrieval.history.composition import Sources, hotspots

    sources = Sources(workspace.root, workspace.history_folder, graph, dict, ())
    return hotspots(sources, workspace.settings.history_depth)
