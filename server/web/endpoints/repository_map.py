"""The whole repository as a map: files with their sizes, and imports between folders."""

from __future__ import annotations

import msgspec

from ....ingest.history.git import GitRepository
from ....schema.process.git import GitFailed
from ...api.scopes.given_sets import hotspots_of
from ...api.scopes.rows import FileRow
from ...api.workspace import Workspace
from ..endpoint import Endpoint, Nothing


class RepositoryMap(msgspec.Struct, frozen=True):
    """Every source file, and the imports as pairs of indices of the importing file and the imported file in `files`."""

    files: list[FileRow]
    imports: list[tuple[int, int]]


class ChurnAnswer(msgspec.Struct, frozen=True):
    """For each file, the number of commits that changed it and the main author; or the reason why they are unknown."""

    commits: dict[str, int]
    authors: dict[str, str]
    reason: str = ""


class Together(msgspec.Struct, frozen=True):
    """Two files that the same commits changed."""

    one: str
    other: str
    #: Number of the common commits.
    support: int
    #: Share in thousandths of the commits of `one` that also changed `other`.
    confidence: int


class TogetherAnswer(msgspec.Struct, frozen=True):
    """The files that change together most often, or the reason why they are unknown."""

    pairs: list[Together]
    reason: str = ""


#: Maximum number of pairs of files that change together.
MAX_PAIRS = 500
_TOGETHER = f"""
MATCH (one:File)-[changes:CO_CHANGES]->(other:File)
RETURN one.relativePath, other.relativePath, changes.support, changes.confidence
ORDER BY changes.support DESC, changes.confidence DESC, one.relativePath, other.relativePath LIMIT {MAX_PAIRS}
"""


def _map(workspace: Workspace, _: Nothing) -> RepositoryMap:
    graph = workspace.files().to_graph()
    files = [row for row in graph.nodes if isinstance(row, FileRow)]
    places = {row.path: place for place, row in enumerate(files)}
    return RepositoryMap(files, [(places[edge.start], places[edge.end]) for edge in graph.edges])


def _churn(workspace: Workspace, _: Nothing) -> ChurnAnswer:
    try:
        spots = workspace.analyse(lambda readers: hotspots_of(workspace, readers.graph))
    except GitFailed as error:
        return ChurnAnswer({}, {}, str(error))
    return ChurnAnswer({spot.file: spot.commits for spot in spots}, {spot.file: spot.author for spot in spots})


def _together(workspace: Workspace, _: Nothing) -> TogetherAnswer:
    try:
        GitRepository(workspace.root)
    except GitFailed as error:
        return TogetherAnswer([], str(error))
    return TogetherAnswer([Together(*row) for row in workspace.cypher(_TOGETHER).rows])


ENDPOINTS = (Endpoint("map", Nothing, _map), Endpoint("churn", Nothing, _churn), Endpoint("together", Nothing, _together))
