"""Questions of several workflows: sections of an answer with their chains, modules by name, and history."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from ....graphdb.queries.files import all_places
from ....graphdb.queries.references import reference_sites
from ....graphdb.symbols.symbol_table import symbols_of
from ....retrieval.lookup.fuzzy_names import like
from ..graph_tools.composition import GraphTools
from ..graph_tools.entries import commit_entries
from ..graph_tools.records import Entry, GraphAnswer
from ..scopes.running import Nothing

if TYPE_CHECKING:
    from ....retrieval.answers.answer import RankedResult
    from ...stores.readers import Readers
    from ..requests.answering_index import AnsweringIndex
    from ..scopes.rows import SymbolRow
    from ..scopes.scope import Scope

#: Maximum number of entries in a section of an answer.
ENTRIES = 40
#: Maximum number of commits of an answer.
COMMITS = 10
#: Maximum length of a chain in an answer, in characters.
_MAX_CHAIN = 600
#: Maximum number of named users of a symbol.
_NAMED_USERS = 3
#: Maximum number of search results.
_RESULTS = 12
#: Maximum number of tokens of a search.
_SEARCH_BUDGET = 1_500
#: Lowest score of a result of medium similarity. A description of code that a repository does not have scores below 0.02.
_MEDIUM_SCORE = 0.05


class Asked:
    """Collects the sections of an answer with their questions."""

    def __init__(self, workspace: AnsweringIndex, tools: GraphTools, readers: Readers) -> None:
        self.workspace = workspace
        self.repo = tools.repo
        self.readers = readers
        self._tools = tools
        self.sections: dict[str, tuple[Entry, ...]] = {}
        self.queries: dict[str, str] = {}

    def add(self, name: str, scope: Scope[Any], *, reason: str = "", with_signature: bool = False) -> tuple[Entry, ...]:
        """Add the first nodes of a scope as a section, and return them."""
        limited = scope.limit(ENTRIES)
        return self.put(name, self._tools.entries(limited, reason=reason, with_signature=with_signature), limited.chain)

    def put(self, name: str, entries: Iterable[Entry], query: str) -> tuple[Entry, ...]:
        """Add the entries that answer a question as a section, and return them."""
        found = tuple(entries)
        self.sections[name] = found
        self.queries[name] = query if len(query) <= _MAX_CHAIN else f"{query[: _MAX_CHAIN - 1]}…"
        return found

    def rows(self, scope: Scope[Any]) -> list[Any]:
        """Return the rows of a scope in the generation of the answer."""
        return scope.listed_by(self._tools.runner)

    def count(self, scope: Scope[Any]) -> int:
        """Return the number of nodes of a scope in the generation of the answer."""
        return self._tools.runner.count(scope.plan)

    def search(self, text: str, paths: Sequence[str] = ()) -> list[RankedResult]:
        """Return the search results for a text, the best first.

        Results of low similarity are included if `paths` are given. Otherwise results of medium similarity are returned if there
        are no better ones, because a description of something new is less similar to the code than a question about the code.
        """
        if not text.strip():
            return []
        words = text[:500]
        if paths:
            found = self.workspace.search(words, paths=paths, limit=_RESULTS)
        else:
            found = self.workspace.search(words, budget=_SEARCH_BUDGET)
            if not any(result.id for result in found):
                found = self.workspace.search(words, limit=_RESULTS, min_score=_MEDIUM_SCORE)
        return [result for result in found if result.id][:_RESULTS]

    def add_history(self, paths: Sequence[str], reason: str) -> None:
        """Add the newest commits that changed some files; none without a history."""
        entries = commit_entries(self.workspace, paths, COMMITS, reason)
        self.put("recentChanges", entries, f"commits of {len(paths)} files")

    def used_outside(self, symbols: Sequence[SymbolRow], own: re.Pattern[str]) -> list[Entry]:
        """Return the symbols with uses in files whose paths do not match `own`, the most used first, with the first users."""
        users: dict[str, dict[str, None]] = {}
        tests: dict[str, dict[str, None]] = {}
        for site in reference_sites(self.readers.graph, [row.id for row in symbols]):
            path = site.user.relative_path
            if site.role != "doc" and own.match(path) is None:
                (tests if self.is_test(path) else users).setdefault(site.symbol_id, {})[path] = None
        found = [
            (row, list(users.get(row.id, ())), list(tests.get(row.id, ())))
            for row in symbols
            if row.id in users or row.id in tests
        ]
        found.sort(key=lambda each: (-len(each[1]), -len(each[2]), each[0].path, each[0].start_line))
        return [
            Entry(
                row.qualified_name,
                row.kind,
                f"{row.path}:{row.start_line}",
                count=len(code),
                reason=_used_by(code, tested),
            )
            for row, code, tested in found
        ]

    def is_test(self, path: str) -> bool:
        """Return whether a file is test code."""
        place = all_places(self.readers.graph).get(path)
        return place is not None and place.is_test

    def answer(self, subject: Entry | None, summary: dict[str, int | str], nothing: Nothing | None = None) -> GraphAnswer:
        """Return the answer with the sections that have entries."""
        kept = {name: entries for name, entries in self.sections.items() if entries}
        queries = {name: query for name, query in self.queries.items() if name in kept}
        return GraphAnswer(subject=subject, summary=summary, sections=kept, queries=queries, nothing=nothing)


class Part(msgspec.Struct, frozen=True):
    """A part of the repository: a module, a folder or a file."""

    name: str
    #: module, folder or file.
    kind: str
    #: Folder or file; "." for the root.
    path: str
    own: re.Pattern[str]

    @property
    def entry(self) -> Entry:
        """The part as the subject of an answer."""
        return Entry(self.name, self.kind, self.path)

    @property
    def filters(self) -> dict[str, str]:
        """The filter of files of the part; empty for the whole repository."""
        if self.path == ".":
            return {}
        return {"path": self.path} if self.kind == "file" else {"path__startswith": f"{self.path}/"}

    @property
    def paths(self) -> tuple[str, ...]:
        """The filter of a search for the part; empty for the whole repository."""
        return () if self.path == "." else (self.path if self.kind == "file" else f"{self.path}/",)


def part_named(asked: Asked, name: str) -> Part | None:
    """Return the part of the repository with a name or a path; None if there is none."""
    written = name.strip().strip("/").removeprefix("./") or "."
    for row in asked.rows(asked.repo.modules()):
        if written in (row.name, row.path):
            return Part(row.name, "module", row.path, own_paths(row.path))
    if asked.rows(asked.repo.files(path=written)):
        return Part(written, "file", written, re.compile(f"{re.escape(written)}$"))
    files = asked.rows(asked.repo.files(path__startswith=f"{written}/").limit(1))
    if files:
        return Part(written, "folder", written, own_paths(written))
    ending = asked.rows(asked.repo.files(path__contains=f"/{written}/").sort("path").limit(1))
    if ending:
        folder = f"{ending[0].path.partition(f'/{written}/')[0]}/{written}"
        return Part(folder, "folder", folder, own_paths(folder))
    return None


def own_paths(folder: str) -> re.Pattern[str]:
    """Return the pattern of the paths in a folder."""
    return re.compile("" if folder == "." else f"{re.escape(folder)}/")


def no_part(asked: Asked, workflow: str, name: str) -> GraphAnswer:
    """Return the answer for an unknown module, with the modules of similar names."""
    rows = asked.rows(asked.repo.modules())
    scores = like({row.name for row in rows}, name.strip())
    near = sorted((row for row in rows if row.name in scores), key=lambda row: (-scores[row.name], row.path)) or rows
    entries = tuple(Entry(row.name, "module", row.path) for row in near[:ENTRIES])
    message = f'No module, folder or file is named "{name.strip()[:120]}".'
    return GraphAnswer(sections={"candidates": entries}, nothing=Nothing(workflow, "absent", message))


def by_file(results: Sequence[RankedResult]) -> list[Entry]:
    """Return the files of some results, ordered by their best result, with the names of the results in each file."""
    names: dict[str, list[str]] = {}
    scores: dict[str, float] = {}
    for result in results:
        names.setdefault(result.file, []).append(result.name or "the file")
        scores[result.file] = max(scores.get(result.file, 0.0), result.score)
    ordered = sorted(names, key=lambda path: (-scores[path], path))
    return [
        Entry(path, "file", path, score=round(scores[path], 3), reason=f"has {', '.join(dict.fromkeys(names[path]))}")
        for path in ordered
    ]


def gaps(asked: Asked, text: str) -> list[Entry]:
    """Return the words of a description that occur in no name of the repository, in the order of the description."""
    from ....retrieval.text.words import split_text, stem

    known: set[str] = set()
    table = symbols_of(asked.readers.graph)
    offsets, _, _ = table.ranked()
    for name in {ref.name for ref in table.refs_at(offsets)}:
        known.update(split_text(name))
    written = {word.lower(): None for word in re.findall(r"[^\W\d_]{4,}", text)}
    words = [word for word in written if word not in _COMMON]
    return [Entry(word, "word", reason="no name of the repository has it") for word in words if stem(word) not in known]


def _used_by(code: Sequence[str], tests: Sequence[str]) -> str:
    told = [f"used by {_files(len(code))} outside: {_first(code)}"] if code else []
    told += [f"tested by {_files(len(tests))} outside: {_first(tests)}"] if tests else []
    return "; ".join(told)


def _first(paths: Sequence[str]) -> str:
    return f"{', '.join(paths[:_NAMED_USERS])}{' and others' if len(paths) > _NAMED_USERS else ''}"


def _files(count: int) -> str:
    return "1 file" if count == 1 else f"{count:,} files"


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


#: Frequent words of descriptions that do not name code.
_COMMON = _words(
    """
    about added adding after again allow allows also always another anything application because before being between
    code could each every everything feature from give have instead into it just lets like make makes more most must
    need needs never new only other please same shall should show some something such support than that their them
    then there these they this those through users using want wants what when where which while will with without
    would your
    """
)
