"""The whole repository as a map: files with their sizes, and imports between folders."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from weakref import WeakKeyDictionary

import msgspec

from ....schema.errors import AstrolabeError
from ....schema.process.git import GitFailed
from ...api.scopes.given_sets import hotspots_of, partners_of
from ...api.scopes.rows import FileRow
from ...api.scopes.running import Runner
from ...api.workspace import Workspace
from ...stores.readers import Readers
from .endpoint import Endpoint, Nothing


class RepositoryMap(msgspec.Struct, frozen=True, rename="camel"):
    """Every source file, in columns that have a value for each file, and the imports.

    The text of a path appears once for the files of its folder, so that a map of 10,000 files is small.
    """

    #: Paths of folders without a slash at the end; "" is the root.
    folders: list[str]
    languages: list[str]
    #: Index of the file's folder in `folders`.
    folder: list[int]
    name: list[str]
    #: Index of the file's language in `languages`.
    language: list[int]
    lines: list[int]
    importance: list[int]
    #: Indices of the test files.
    tests: list[int]
    #: Indices of the importing files, and of the file that each of them imports.
    importers: list[int]
    imported: list[int]


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
#: Name of the last generation that was asked for and its map, by workspace. Reading the map of 10,500 files takes .25 s.
_KEPT: WeakKeyDictionary[Workspace, tuple[tuple[int, str], RepositoryMap]] = WeakKeyDictionary()
#: A request waits for the map that another thread is reading, and does not read it a second time.
_READING = threading.Lock()


def prepare(workspace: Workspace) -> bool:
    """Read the map of an existing index in advance. Returns whether there is a map.

    Errors of the index are ignored, because the first request reports them.
    """
    try:
        if not workspace.is_indexed():
            return False
        _map(workspace, Nothing())
    except AstrolabeError:
        return False
    return True


def _map(workspace: Workspace, _: Nothing) -> RepositoryMap:
    # The page asks again as soon as there is a new generation, so the first view need not wait for a search for changes.
    with _READING:
        kept, live = _KEPT.get(workspace), workspace.live_generation()
        if kept is not None and live is not None and kept[0] == live.name:
            return kept[1]
        _KEPT[workspace] = named = workspace.published(lambda readers: _named_map(workspace, readers))
        return named[1]


def _named_map(workspace: Workspace, readers: Readers) -> tuple[tuple[int, str], RepositoryMap]:
    """Return the name of a generation and its map."""
    graph = workspace.files().graph_by(Runner(workspace, readers.graph))
    files = [row for row in graph.nodes if isinstance(row, FileRow)]
    return readers.generation.name, _in_columns(files, [(edge.start, edge.end) for edge in graph.edges])


def _in_columns(files: Sequence[FileRow], imports: Sequence[tuple[str, str]]) -> RepositoryMap:
    """Return the map of files and of imports between their paths."""
    split = [row.path.rpartition("/") for row in files]
    folders = {folder: place for place, folder in enumerate(dict.fromkeys(folder for folder, _, _ in split))}
    languages = {language: place for place, language in enumerate(dict.fromkeys(row.language for row in files))}
    places = {row.path: place for place, row in enumerate(files)}
    return RepositoryMap(
        folders=list(folders),
        languages=list(languages),
        folder=[folders[folder] for folder, _, _ in split],
        name=[name for _, _, name in split],
        language=[languages[row.language] for row in files],
        lines=[row.lines for row in files],
        importance=[row.importance for row in files],
        tests=[place for place, row in enumerate(files) if row.is_test],
        importers=[places[start] for start, _ in imports],
        imported=[places[end] for _, end in imports],
    )


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
