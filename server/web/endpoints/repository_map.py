"""The whole repository as a map: files with their sizes, and imports between folders."""

from __future__ import annotations

import msgspec

from ....schema.process.git import GitFailed
from ...api.scopes.given_sets import hotspots_of, partners_of
from ...api.scopes.rows import FileRow
from ...api.workspace import Workspace
from .endpoint import Endpoint, Nothing


class RepositoryMap(msgspec.Struct, frozen=True):
    """Every source file, and the imports as pairs of indices of the importing file and the imported file in `files`."""

    files: list[FileRow]
    imports: list[tuple[int, int]]


class ChurnAnswer(msgspec.Struct, frozen=True):
    """For each file, the number of commits that changed it and the main author; or the reason why they are unknown."""

    commits: dict[str, int]
    authors: dict[str, str]
    reason: str = ""


class TogetherAnswer(msgspec.Struct, frozen=True):
    """The files that change together most often, or the reason why they are unknown."""

    pairs: list[dict[str, str | int | float]]
    reason: str = ""


#: Maximum number of pairs of files that change together.
MAX_PAIRS = 500


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
    known = {row.path for row in workspace.files()}
    try:
        pairs = workspace.analyse(lambda readers: partners_of(workspace, readers.graph, known))
    except GitFailed as error:
        return TogetherAnswer([], str(error))
    return TogetherAnswer([pair._asdict() for pair in pairs[:MAX_PAIRS]])


ENDPOINTS = (Endpoint("map", Nothing, _map), Endpoint("churn", Nothing, _churn), Endpoint("together", Nothing, _together))
