"""Find the files that entry points reach or may reach."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import NamedTuple

from ....graphdb.database import GraphDatabase
from ....graphdb.queries.lint import (
    augmenting_files,
    declared_for_all,
    export_names,
    known_specifiers,
    script_uses,
    written_imports,
)
from ....graphdb.queries.map import ImportLink, import_links
from ....graphdb.traversal.reachability import reachable
from ...text_search.indexed_text import IndexedTexts
from ..model.request import LintRequest
from .companions import Companions, companion_links, companions, stand_ins
from .file_names import FileNames
from .global_names import global_uses
from .loaded_files import loading_links, reference_links, written_links
from .possible_uses import PossibleUses, Use
from .published_files import published_files
from .started_programs import started_programs

#: Reasons why a file that tools read, or that tests, is an entry point.
CONFIGURATION = "configuration"
TEST = "test"


class Reached(NamedTuple):
    """The reached files of an index."""

    #: Files that an entry point reaches.
    live: Collection[str]
    #: Files that may be loaded, with the reason.
    possible: Mapping[str, str]
    #: Possible uses of each file, live or not.
    uses: Mapping[str, list[Use]]
    #: Links from files to files that they load by path, without an import.
    loaded: Collection[ImportLink]
    companions: Companions


def reached_files(graph: GraphDatabase, texts: IndexedTexts, request: LintRequest, paths: Collection[str]) -> Reached:
    """Return the files that the entry points reach, among the given paths."""
    configurations = [path for path, reason in request.entries.items() if reason == CONFIGURATION]
    may_use = PossibleUses(texts, FileNames(paths, paths), known_specifiers(graph), request.unread, configurations)
    groups = companions(paths)
    loaded = [
        *loading_links(texts, paths, configurations),
        *written_links(paths, written_imports(graph)),
        *reference_links(texts, paths),
        *may_use.loads,
    ]
    scripts = [ImportLink(user, path) for user, path in script_uses(graph)]
    links = [*import_links(graph), *loaded, *scripts, *companion_links(groups)]
    targets = targets_by_file(links)
    live = set(reachable([*request.entries, *augmenting_files(graph)], targets))
    uses: dict[str, list[Use]] = {}
    outside = [*may_use.unread, *_published(request, paths, targets)]
    for path, use in outside:
        uses.setdefault(path, []).append(use)
    possible: dict[str, str] = {}
    pending = list(live)
    _admit([(path, use.reason) for path, use in outside], live, possible, pending)
    _admit(global_uses(texts, declared_for_all(graph), live), live, possible, pending)
    unreached = sorted(path for path in paths if path not in live)
    _admit(stand_ins(sorted(request.entries), unreached), live, possible, pending)
    _admit(started_programs(texts, unreached, export_names(graph)), live, possible, pending)
    while pending:
        path = pending.pop()
        for target, use in may_use.by_file.get(path, ()):
            uses.setdefault(target, []).append(use)
        _admit([(target, use.reason) for target, use in may_use.by_file.get(path, ())], live, possible, pending)
        if path in possible:
            through = f"only {path} loads it, and it is not known whether that file is loaded"
            _admit([(target, through) for target in targets.get(path, ())], live, possible, pending)
    return Reached(live, possible, uses, loaded, groups)


def _published(request: LintRequest, paths: Collection[str], targets: Mapping[str, Collection[str]]) -> Iterator[tuple[str, Use]]:
    """Yield the files in folders that packages publish beside the code of their entry points, each with its possible use."""
    if request.published:
        run = set(reachable([path for path, reason in request.entries.items() if reason != TEST], targets))
        yield from published_files(request.published, paths, run)


def _admit(found: Iterable[tuple[str, str]], live: Collection[str], possible: dict[str, str], pending: list[str]) -> None:
    for path, reason in found:
        if path not in live and path not in possible:
            possible[path] = reason
            pending.append(path)


def targets_by_file(links: Iterable[ImportLink]) -> dict[str, list[str]]:
    """Return the targets of the links of each file, by path."""
    found: dict[str, list[str]] = {}
    for link in links:
        found.setdefault(link.from_path, []).append(link.to_path)
    return found
