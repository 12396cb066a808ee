"""Find the tests that a change may affect.

The evidence for a test is an edge to a changed symbol, an import, a name in a string, a common package, or a similar name.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from math import log2
from pathlib import Path
from typing import Final, NamedTuple

from ...graphdb.database import GraphDatabase
from ...graphdb.queries.calls import unresolved_callers_named
from ...graphdb.queries.files import all_places, importers_of
from ...graphdb.queries.references import files_using
from ...ingest.files.path_roles import declaration_of
from ...schema.languages import language_of
from ...schema.paths import folders_above, parent_of
from ..analyses.impact import Dependant
from ..analyses.subject import counted
from .named_tests import is_marked, named_after_files, named_after_symbols, named_in_words
from .records import TestToRun
from .tests_by_text import shared_words, tests_naming

#: Maximum number of test files of an answer.
MAX_TESTS: Final = 200
# Tests are ordered by the sum of their points. Most points are multiplied by a weight, such as a likeness of names or a share.
#: Points if the test is named like a changed file.
_NAMED: Final = 4.0
#: Points if the test is named like a changed symbol.
_SUBJECT: Final = 2.0
#: Points if the test uses a changed symbol, or requests a changed route.
_USED: Final = 2.0
#: Points if an unresolved call of the test has the name of a changed symbol.
_UNSEEN: Final = 1.0
#: Points if the test imports a changed file, or has the path of a changed file in a string.
_IMPORTED: Final = 0.5
#: Points if the test is in the folder of a changed file.
_BESIDE: Final = 0.5
#: Points if the change breaks a place in the test.
_BROKEN: Final = 4.0
#: Points for a test that changed in all commits of a changed file; a smaller share of the commits gives fewer points.
_TOGETHER: Final = 4.0
#: Points if the text of the test contains all words of the changed lines; a smaller share of the words gives fewer points.
_WORDED: Final = 2.0
#: Like `_WORDED`, for the titles of the test's cases.
_TITLED: Final = 3.0
#: Points if all words in the name of the test are in the changed lines; a smaller share of the words gives fewer points.
_SPELLED: Final = 1.0
#: Maximum number of imports between a test and a changed file.
_MAX_STEPS: Final = 12
#: Files that a test runner loads for all tests in their folder and below it.
_SETUP_FILES: Final = frozenset(("conftest.py",))
#: Languages whose test runners only load files whose names mark them as tests.
_MARKED: Final = frozenset(("python", "go"))
#: Languages in which the files of a folder use each other without imports, and tests run by folder.
_BY_FOLDER: Final = frozenset(("go",))
#: Languages in which the files of a package use each other without imports.
_WITHOUT_IMPORTS: Final = frozenset(("java",))
#: Minimum weighted share of common commits for a test without any other evidence.
_CONFIDENCE: Final = 0.2


class TestEvidence(NamedTuple):
    """Evidence that a change affects tests, other than the names and imports of tests."""

    dependants: Sequence[Dependant]
    #: Names of the changed symbols that code can call.
    called: Collection[str]
    #: Names of the changed symbols outside of tests, with the paths of their files.
    symbols: Collection[tuple[str, str]]
    #: Number of places that the change breaks, by file.
    broken: Mapping[str, int]
    #: The text of each route through which the change is reached, with the number of steps from the route to the change.
    routes: Sequence[tuple[str, int]]
    #: The words of the changed lines of code.
    words: frozenset[str]
    #: For each file that usually changes with a changed file, by its path: the share of common commits, and the path of the
    #: changed file.
    together: Mapping[str, tuple[float, str]]


def tests_to_run(
    graph: GraphDatabase,
    root: Path | None,
    changed: Collection[str],
    touched: Iterable[str],
    evidence: TestEvidence,
) -> list[TestToRun]:
    """Return the test files that a change may affect, the files with most evidence first.

    `changed` are the paths of the changed files, and `touched` the files among them that still exist. The texts of tests are read
    from the files under `root`. Without `root`, the texts of tests are not used as evidence.
    """
    places = all_places(graph)
    tests = {path for path, place in places.items() if place.is_test}
    sources = [path for path in changed if path not in tests]
    scores: defaultdict[str, float] = defaultdict(float)
    distances: dict[str, int] = {}
    reasons: dict[str, str] = {}
    uses = _uses(evidence.dependants, tests)
    for path, names in uses.items():
        distances[path] = min(use.distance for use in names.values())
        nearest = [name for name, use in names.items() if use.distance == distances[path]]
        how = "uses" if distances[path] == 1 else f"reaches in {counted(distances[path], 'step')}, through"
        reasons[path] = f"{how} {', '.join(nearest[:3])}" + (f" and {len(nearest) - 3} more" if len(nearest) > 3 else "")
        scores[path] += sum(_USED * use.weight for use in names.values())
    for path, name, weight in _with_unresolved_calls(graph, evidence.called, tests):
        scores[path] += _UNSEEN * weight
        if path not in distances:
            distances[path] = 1
            reasons[path] = f"calls {name} of something unknown"
    importing, hops = _importing(graph, changed, tests)
    for path, (distance, through) in importing.items():
        scores[path] += _IMPORTED / distance**2
        if path not in distances:
            distances[path] = distance
            reasons[path] = through if distance == 1 else f"{through}, which depends on what changed"
    for path, distance, reason in _set_up(importing, tests):
        scores[path] += _IMPORTED / distance**2
        if path not in distances:
            distances[path], reasons[path] = distance, reason
    naming = tests_naming(root, tests, hops, evidence.routes) if root is not None else ()
    for path, distance, reason, is_request in naming:
        scores[path] += (_USED if is_request else _IMPORTED) / distance**2
        if distances.get(path, distance + 1) > distance:
            distances[path], reasons[path] = distance, reason
    for path, (distance, source) in _of_packages(hops, tests).items():
        scores.setdefault(path, 0.0)
        if path not in distances:
            distances[path] = distance
            reasons[path] = f"is in the package of {source}" + (", which imports what changed" if distance > 1 else "")
    alike = named_after_files(sources, tests)
    subjects = named_after_symbols(evidence.symbols, tests)
    for points, named in ((_NAMED, alike), (_SUBJECT, subjects)):
        for path, (likeness, source) in named.items():
            scores[path] += points * likeness
            if path not in distances:
                distances[path], reasons[path] = 1, f"is named after {source}"
    for path, count in evidence.broken.items():
        if path in tests:
            scores[path] += _BROKEN * _weight(count, 1)
            distances[path], reasons[path] = 1, f"has {counted(count, 'place')} that the change breaks"
    for path, (confidence, source) in evidence.together.items():
        if path in tests and (path in scores or confidence >= _CONFIDENCE):
            scores[path] += _TOGETHER * confidence
            if path not in distances:
                distances[path], reasons[path] = 1, f"changed in {confidence:.0%} of the commits of {source}"
    folders = {parent_of(source) for source in sources}
    for path in scores:
        if parent_of(path) in folders:
            scores[path] += _BESIDE
    shares = shared_words(root, scores, evidence.words) if root is not None else {}
    for path, shared in shares.items():
        scores[path] += _WORDED * shared.of_text + _TITLED * shared.of_titles
    for path, share in named_in_words(evidence.words, scores).items():
        scores[path] += _SPELLED * share
    helpers = _helpers(graph, {*scores, *touched} & tests, tests)
    ordered = sorted(scores.keys() - helpers, key=lambda path: (-scores[path], distances[path], path))
    own = tests.intersection(touched) - helpers
    found_tests = [TestToRun(file=path, distance=0, reason="is part of the change") for path in sorted(own)]
    found_tests += [TestToRun(file=path, distance=distances[path], reason=reasons[path]) for path in ordered if path not in own]
    return found_tests[:MAX_TESTS]


class _Use(NamedTuple):
    """How a test file uses a symbol."""

    distance: int
    #: The weight grows with the number of uses, and is higher if few other tests use the symbol.
    weight: float


def _uses(dependants: Iterable[Dependant], tests: Collection[str]) -> dict[str, dict[str, _Use]]:
    """Return how test files use changed symbols and their dependants, by the path of the test file and the name of the symbol."""
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    distances: dict[tuple[str, str], int] = {}
    for found in dependants:
        path = found.symbol.relative_path
        if path in tests:
            counts[path].update(found.on)
            for name in found.on:
                distances[path, name] = min(distances.get((path, name), found.distance), found.distance)
    spread = Counter(name for names in counts.values() for name in names)
    return {
        path: {
            name: _Use(distances[path, name], _weight(count, spread[name]) / distances[path, name] ** 2)
            for name, count in names.items()
        }
        for path, names in counts.items()
    }


def _weight(count: int, spread: int) -> float:
    return (1 + log2(count)) / (1 + log2(spread))


def _with_unresolved_calls(
    graph: GraphDatabase, names: Collection[str], tests: Collection[str]
) -> Iterator[tuple[str, str, float]]:
    """Yield the test files in which an unresolved call has the name of a changed symbol, each with the name and a weight.

    Most of these calls are method calls on fixtures without a type.
    """
    if not names:
        return
    rows = [(name, path, count) for name, path, count in unresolved_callers_named(graph, names) if path in tests]
    spread = Counter(name for name, _, _ in rows)
    for name, path, count in sorted(rows):
        yield path, name, _weight(count, spread[name])


def _importing(
    graph: GraphDatabase, changed: Collection[str], tests: Collection[str]
) -> tuple[dict[str, tuple[int, str]], dict[str, int]]:
    """Return the tests that import changed files directly or through other files, each with the number of steps and a clause that
    names the file that the test imports. Also return the changed files and their importers that are not tests, each with the
    number of steps.

    If `x.d.ts` is beside `x.js`, the edge of an import of `x.js` points to `x.d.ts`. In a language whose files use each other
    without imports, a use counts as an import.
    """
    found: dict[str, tuple[int, str]] = {}
    hops = dict.fromkeys(changed, 0)
    frontier = set(changed)
    for distance in range(1, _MAX_STEPS + 1):
        further: set[str] = set()
        declarations = {declaration for path in frontier if (declaration := declaration_of(path)) and declaration not in hops}
        hops.update(dict.fromkeys(declarations, distance - 1))
        frontier |= declarations
        for user, through in _users(graph, frontier) if frontier else ():
            if user in tests:
                found.setdefault(user, (distance, through))
            if user not in hops:
                further.add(user)
        hops.update(dict.fromkeys(further, distance))
        frontier = further
    return found, {path: count for path, count in hops.items() if path not in tests}


def _users(graph: GraphDatabase, paths: Collection[str]) -> Iterator[tuple[str, str]]:
    """Yield each file that depends on one of `paths`, with a clause that names this path: "imports src/cart.ts"."""
    for entry in importers_of(graph, paths):
        yield entry.from_path, f"imports {entry.to_path}"
    for user, path in files_using(graph, [path for path in paths if language_of(path) in _WITHOUT_IMPORTS]):
        yield user, f"uses {path}"


def _set_up(importing: Mapping[str, tuple[int, str]], tests: Iterable[str]) -> Iterator[tuple[str, int, str]]:
    """Yield the tests for which a test runner loads a file that imports changed files, with the number of steps and a reason."""
    folders = {parent_of(path): path for path in importing if path.rpartition("/")[2] in _SETUP_FILES}
    for path in tests if folders else ():
        setup = next((folders[folder] for folder in folders_above(parent_of(path)) if folder in folders), None)
        if setup is not None and setup != path and language_of(path) == language_of(setup):
            yield path, importing[setup][0] + 1, f"runs with {setup}, which imports what changed"


def _helpers(graph: GraphDatabase, paths: Collection[str], tests: Collection[str]) -> set[str]:
    """Return the files among `paths` that only help tests.

    The name of a helper does not mark it as a test. In addition, either a test imports it, or the test runners of its language
    load only files whose names mark tests.
    """
    unmarked = {path for path in paths if not is_marked(path)}
    imported = {entry.to_path for entry in importers_of(graph, unmarked) if entry.from_path in tests} if unmarked else set()
    return imported | {path for path in unmarked if language_of(path) in _MARKED}


def _of_packages(hops: Mapping[str, int], tests: Iterable[str]) -> dict[str, tuple[int, str]]:
    """Return the tests whose package contains a changed file or imports a changed file, with the number of steps and the file.
    This holds only for languages in which a folder is a package.
    """
    nearest: dict[tuple[str | None, str], tuple[int, str]] = {}
    for path, count in hops.items():
        if (language := language_of(path)) in _BY_FOLDER:
            package = language, parent_of(path)
            nearest[package] = min(nearest.get(package, (count + 1, path)), (count + 1, path))
    packages = ((path, (language_of(path), parent_of(path))) for path in tests)
    return {path: nearest[package] for path, package in packages if package in nearest}
