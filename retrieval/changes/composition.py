"""Compose the effects of a change, within a budget."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import msgspec

from ...graphdb.database import GraphDatabase
from ...graphdb.queries.files import all_places, has_tests
from ...graphdb.queries.wiring import framework_uses
from ...graphdb.symbols.symbol_table import symbols_of
from ...ingest.changes.changed_symbols import KINDS_OF_CHANGE, ChangedFile, ChangedSymbol
from ...ingest.changes.comparison import ChangeSet, compare_states
from ...ingest.changes.states import States, compared_states
from ...ingest.history.git import GitRepository
from ...schema.languages import DOCUMENTS
from ...schema.settings import Settings
from ...schema.symbol_kinds import CALLABLE_KINDS, PASSING_ON
from ..analyses.impact import MAX_SYMBOLS, Dependant, reached
from ..text.json_budget import json_length
from ..text.tokens import tokens_of_characters
from .data import altered_data, changed_statements_told
from .documents import documents_of
from .past import past_of
from .records import (
    Affected,
    BrokenPlace,
    ChangesAnswer,
    ChangesRequest,
    EntryPoint,
    FileChange,
    SymbolChange,
)
from .risk import Evidence, risk_of
from .test_runners import commands_for
from .tests_by_text import changed_words
from .tests_to_run import TestEvidence, tests_to_run
from .text import changes_text

#: Maximum number of test files in the commands of an answer.
_COMMANDED: Final = 20
#: Lists of an answer, in the order in which they are shortened. First, each list is shortened to its number of entries here.
#: If the answer is still too long, the lists are shortened further.
_LISTS: Final = (
    ("affected", 10),
    ("statements", 5),
    ("files", 10),
    ("documents", 3),
    ("owners", 2),
    ("partners", 3),
    ("entry_points", 5),
    ("symbols", 15),
    ("data", 5),
    ("tests", 10),
    ("broken", 10),
    ("commands", 1),
)


@dataclass(frozen=True, slots=True)
class Sources:
    """The graph and folders from which an answer is computed."""

    root: Path
    #: Folder with the databases of read commits.
    folder: Path
    graph: GraphDatabase
    settings: Settings
    #: Folders with cached facts of the repository's files.
    caches: Sequence[Path]


def compose_changes(sources: Sources, request: ChangesRequest) -> ChangesAnswer:
    """Return the effects of a change. Raises GitFailed without a repository, and UsageError for unknown states."""
    git = GitRepository(sources.root)
    settings = sources.settings
    with compared_states(git, request.comparison, settings.max_file_size, settings.sql_dialect, sources.caches) as states:
        changes = compare_states(states, sources.root.as_posix())
        answer = _Composition(sources, request, git, states, changes).answer()
    return _fitted(answer, request.budget)


class _Composition:
    def __init__(self, sources: Sources, request: ChangesRequest, git: GitRepository, states: States, changes: ChangeSet) -> None:
        self._sources = sources
        self._graph = sources.graph
        self._request = request
        self._git = git
        self._changes = changes
        self._states = states
        self._notes = list(changes.notes)

    def answer(self) -> ChangesAnswer:
        changes = self._changes
        if not changes.files and not self._states.has_other_differences:
            self._notes.append(f"No file differs between {changes.old_name} and {changes.new_name}.")
            if self._states.is_work_tree and ".gitmodules" in self._states.every_path:
                self._notes.append("Changes inside of submodules are not compared: name the submodule with --root.")
        code = [each for each in changes.symbols if each.changes != ("layout",)]
        data, altered = altered_data(self._graph, code)
        dependants, users = self._dependants(code, altered)
        tests_changed = {file.path for file in changes.files if file.is_test}
        symbols = _symbols(changes.symbols, users, tests_changed)
        paths = [file.path for file in changes.files]
        present = [file.path for file in changes.files if file.status != "removed"]
        depth = self._sources.settings.history_depth
        past = past_of(self._sources.folder, self._git, self._states, paths, changes.symbols, depth)
        broken = Counter(place.path for place in changes.broken)
        shown = [each for each in dependants if each.symbol.kind not in PASSING_ON]
        affected = self._affected(shown)
        entry_points = self._entry_points(code, shown)
        routes = [(each.text, each.distance) for each in entry_points if each.role == "route"]
        sides = [side for each in code for side in (each.old, each.new) if side is not None]
        called = {side.name for side in sides if side.kind in CALLABLE_KINDS}
        named = {(side.name, side.path) for side in sides if side.path not in tests_changed}
        test_evidence = TestEvidence(dependants, called, named, broken, routes, self._words(), past.together)
        tests = tests_to_run(self._graph, self._sources.root, paths, present, test_evidence)
        self._note_graph()
        has_any_tests = has_tests(self._graph)
        if has_any_tests and code and not tests:
            self._notes.append("No test is known to reach the change.")
        evidence = Evidence(
            broken=len(changes.broken),
            symbols=symbols,
            direct=sum(each.distance == 1 for each in affected),
            affected=len(affected),
            modules=len({each.module for each in affected}),
            entry_points=len(entry_points),
            has_tests=has_any_tests,
            tests=sum(each.distance <= self._request.depth for each in tests),
            hot=past.hot,
            partners=past.partners,
        )
        counts = Counter(kind for each in changes.symbols for kind in each.changes)
        return ChangesAnswer(
            old=changes.old_name,
            new=changes.new_name,
            risk=risk_of(evidence),
            summary={kind: counts[kind] for kind in KINDS_OF_CHANGE if counts[kind]},
            broken=tuple(BrokenPlace(at=f"{each.path}:{each.line}", reason=each.reason) for each in changes.broken),
            files=tuple(_files(changes)),
            symbols=tuple(symbols),
            data=tuple(data),
            statements=tuple(changed_statements_told(self._graph, changes.uses)),
            affected=tuple(affected),
            modules=dict(Counter(each.module or "." for each in affected).most_common()),
            entry_points=tuple(entry_points),
            documents=tuple(documents_of(self._graph, code, changes.mentions)),
            tests=tuple(tests),
            commands=tuple(commands_for(self._sources.root, [test.file for test in tests[:_COMMANDED]])),
            partners=past.partners,
            owners=past.owners,
            notes=(*self._notes, *past.notes),
        )

    def _words(self) -> frozenset[str]:
        """Return the words of the changed lines of code, without tests."""
        found: set[str] = set()
        for file in self._changes.files:
            if not file.is_test and file.language and not file.not_compared:
                old = self._states.read_old(file.old_path or file.path) if file.status != "added" else None
                new = self._states.read_new(file.path) if file.status != "removed" else None
                found |= changed_words(old or b"", new or b"")
        return frozenset(found)

    def _dependants(self, code: Sequence[ChangedSymbol], altered: Sequence[str]) -> tuple[list[Dependant], dict[str, int]]:
        """Return the dependants of the change, and the number of direct users by id of each changed symbol.

        `altered` has the ids of the tables and columns that the change alters.
        """
        table = symbols_of(self._graph)
        ids = [side.id for each in code for side in (each.new, each.old) if side is not None]
        seeds = table.offsets(dict.fromkeys([*ids, *altered]))
        if not seeds:
            return [], {}
        found, truncated = reached(self._graph, seeds, self._request.depth)
        if truncated:
            self._notes.append(f"The search for dependants ended after {MAX_SYMBOLS:,} symbols: ask for a smaller depth.")
        by_name: Counter[str] = Counter(
            name for each in found if each.distance == 1 and each.symbol.kind not in PASSING_ON for name in each.on
        )
        refs = table.refs(ids)
        return found, {id: by_name[ref.qualified_name] for id, ref in refs.items()}

    def _affected(self, dependants: Iterable[Dependant]) -> list[Affected]:
        places = all_places(self._graph)
        return [
            Affected(
                symbol=each.symbol.qualified_name,
                at=f"{each.symbol.relative_path}:{next(iter(each.lines), each.symbol.declaration_line)}",
                distance=each.distance,
                through=each.through,
                module=places[each.symbol.relative_path].module,
            )
            for each in dependants
            if each.symbol.relative_path in places and not places[each.symbol.relative_path].is_test
        ]

    def _entry_points(self, code: Iterable[ChangedSymbol], dependants: Iterable[Dependant]) -> list[EntryPoint]:
        places = all_places(self._graph)
        distances = {side.id: 0 for each in code if (side := each.new) is not None}
        for found in dependants:
            distances.setdefault(found.symbol.id, found.distance)
        names = symbols_of(self._graph).refs(distances)
        return sorted(
            (
                EntryPoint(
                    symbol=names[use.symbol_id].qualified_name,
                    at=names[use.symbol_id].place,
                    framework=use.framework,
                    role=use.role,
                    text=use.text,
                    distance=distances[use.symbol_id],
                )
                for use in framework_uses(self._graph, distances)
                if use.symbol_id in names and not (use.path in places and places[use.path].is_test)
            ),
            key=lambda one: (one.distance, one.at),
        )

    def _note_graph(self) -> None:
        """Add a note if the graph, from which dependants are read, describes another state than the requested state."""
        if self._changes.files and not self._states.is_work_tree and self._states.new_commit != self._git.head:
            self._notes.append("Dependants and tests are those of the indexed work tree.")


def _files(changes: ChangeSet) -> Iterator[FileChange]:
    """Yield the changed files, with what changed in those whose declarations are the same."""
    with_symbols = {side.path for each in changes.symbols for side in (each.old, each.new) if side is not None}
    for file in changes.files:
        is_code = file.language and file.language not in DOCUMENTS
        is_layout = is_code and file.status == "changed" and file.path not in with_symbols
        is_layout = is_layout and not (file.root_changed or file.not_compared)
        yield _file(file, "mode" if file.is_same_content else "layout" if is_layout else "")


def _file(file: ChangedFile, only: str) -> FileChange:
    return FileChange(
        file=file.path,
        status=file.status,
        old_file=file.old_path,
        language=file.language,
        is_test=file.is_test,
        statements_changed=file.root_changed,
        not_compared=file.not_compared,
        only=only,
    )


def _symbols(changed: Sequence[ChangedSymbol], users: dict[str, int], tests: Collection[str]) -> list[SymbolChange]:
    """Return the changed symbols, the most important first, and symbols of tests last.

    Members that were added or removed with their class are only counted.
    """
    members: Counter[tuple[str, str, str]] = Counter()
    roots = [(each.shown.path, each.changes[0], each.shown.qualified_name) for each in changed if not each.with_parent]
    known = set(roots)
    for each in changed:
        if each.with_parent:
            name = each.shown.qualified_name
            while name and (each.shown.path, each.changes[0], name) not in known:
                name = name.rpartition(".")[0]
            members[each.shown.path, each.changes[0], name] += 1
    found = []
    for each in changed:
        if each.with_parent:
            continue
        side, old, new = each.shown, each.old, each.new
        differs = old is not None and new is not None and old.signature != new.signature
        moved = old is not None and new is not None and (old.path, old.qualified_name) != (new.path, new.qualified_name)
        found.append(
            SymbolChange(
                symbol=side.qualified_name,
                kind=side.kind,
                at=f"{side.path}:{side.line}",
                changes=each.changes,
                old_symbol=old.qualified_name if moved and old else "",
                old_at=f"{old.path}:{old.line}" if moved and old else "",
                old_signature=old.signature if differs and old else "",
                signature=new.signature if differs and new else "",
                exported=side.path not in tests and (side.exported or (old is not None and old.exported)),
                is_test=side.path in tests,
                users=max((users.get(one.id, 0) for one in (old, new) if one is not None), default=0),
                members=members[side.path, each.changes[0], side.qualified_name],
            )
        )
    rank = {kind: at for at, kind in enumerate(KINDS_OF_CHANGE)}
    return sorted(found, key=lambda one: (one.is_test, one.changes == ("layout",), -one.users, rank[one.changes[0]], one.at))


def _fitted(answer: ChangesAnswer, budget: int) -> ChangesAnswer:
    """Return the answer with shortened lists, so that text and JSON have at most `budget` tokens each."""
    left_out: Counter[str] = Counter()
    while _tokens(answer) > budget:
        name = next((name for name, least in _LISTS if len(getattr(answer, name)) > least), "")
        name = name or next((name for name, _ in _LISTS if getattr(answer, name)), "")
        if not name:
            break
        kept = getattr(answer, name)
        dropped = max(1, len(kept) // 4)
        left_out[name] += dropped
        answer = msgspec.structs.replace(answer, left_out=dict(left_out), **{name: kept[:-dropped]})
    return answer


def _tokens(answer: ChangesAnswer) -> int:
    return tokens_of_characters(max(len(changes_text(answer)), json_length(answer)))
