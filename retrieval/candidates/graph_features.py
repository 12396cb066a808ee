"""Graph features of rows and files: their centrality, and the edges of calls and imports.

These features are read once for each generation.
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...graphdb.database import GraphDatabase
from ...graphdb.queries.centrality import EdgeEnds, RankedNodes, call_ends, import_ends, ranked_files, ranked_symbols
from ..vectors.candidate_rows import CandidateRows

if TYPE_CHECKING:
    import pyarrow as pa

#: Mean importance of symbols, and of files.
_MEAN_IMPORTANCE = np.float32(1000)
#: Value for rows and files without neighbors.
ALONE = -1.0
#: Stems of files that are named after their folder.
NAMELESS_FILES = frozenset(("index", "mod", "main", "__init__", "__main__"))

#: Affix that distinguishes the name of a test from the name of the tested file: `test_cli.py`, `cli_test.go`, `CliTest.java`,
#: `cli_spec.rb`.
_TEST_AFFIX = re.compile(r"^tests?[_-]|[_-](?:tests?|specs?|unittest)$|(?<=[a-z0-9])(?:Tests?|TestCase|IT|Spec|Specs|Suite)$")

Values = NDArray[np.float32]
Numbers = NDArray[np.int64]


class Pairs(NamedTuple):
    """Directed edges between rows or files, which are identified by their numbers; parallel arrays."""

    starts: Numbers
    ends: Numbers

    def across(self, groups: Numbers) -> Pairs:
        """Return the edges between different groups; `groups` has the group of each row or file."""
        other = groups[self.starts] != groups[self.ends]
        return Pairs(self.starts[other], self.ends[other])

    def among(self, chosen: Numbers, size: int) -> Pairs:
        """Return the edges between chosen rows or files; all numbers are below `size`."""
        is_chosen = np.zeros(size, np.bool_)
        is_chosen[chosen] = True
        both = is_chosen[self.starts] & is_chosen[self.ends]
        return Pairs(self.starts[both], self.ends[both])

    def best_neighbors(self, values: Values) -> tuple[Values, Values]:
        """Return for each row or file the highest value of its successors, and of its predecessors; ALONE if there are none.

        Edges to and from rows or files with the value ALONE are ignored.
        """
        both = (values[self.starts] > ALONE) & (values[self.ends] > ALONE)
        starts, ends = self.starts[both], self.ends[both]
        return Pairs(starts, ends).best_ends(values), Pairs(ends, starts).best_ends(values)

    def best_ends(self, values: Values) -> Values:
        """Return for each row or file the highest value of its successors; ALONE if there are none."""
        found = np.full(len(values), ALONE, np.float32)
        np.maximum.at(found, self.starts, values[self.ends])
        return found


@dataclass(frozen=True, slots=True)
class GraphFeatures:
    """Centrality and edges of the rows and files of one generation."""

    #: ln(1 + importance / mean importance) of each row, of shape (rows.limit,).
    importance: Values
    #: ln(1 + importance / mean importance) of each file, of shape (files,).
    file_importance: Values
    #: Calls between rows.
    calls: Pairs
    #: Imports between files.
    imports: Pairs
    #: Calls between rows of different files.
    calls_across: Pairs
    #: Edges from files to the tests that are named after them.
    own_tests: Pairs
    #: Edges from files to the tests that import them.
    using_tests: Pairs

    @classmethod
    def read(
        cls, graph: GraphDatabase, rows: CandidateRows, earlier: tuple[CandidateRows, GraphFeatures] | None = None
    ) -> GraphFeatures:
        """Read the features of the rows of a generation. Symbols without a row are ignored.

        `earlier` are the rows and features of another generation. If both have the same files, the names of files are not
        compared again.
        """
        ids, numbers = rows.ids()
        importance, symbols = _importance_and_numbers(ranked_symbols(graph), ids, numbers, rows.limit)
        paths = np.arange(len(rows.paths))
        file_importance, files = _importance_and_numbers(ranked_files(graph), rows.paths, paths, len(paths))
        calls, imports = _between(call_ends(graph), symbols), _between(import_ends(graph), files)
        is_use = rows.test_files[imports.starts] & ~rows.test_files[imports.ends]
        using = Pairs(imports.ends[is_use], imports.starts[is_use])
        own_tests = earlier[1].own_tests if earlier is not None and _have_same_files(earlier[0], rows) else _own_tests(rows)
        return cls(importance, file_importance, calls, imports, calls.across(rows.files), own_tests, using)


def _have_same_files(earlier: CandidateRows, rows: CandidateRows) -> bool:
    """Return whether the files have the same numbers, and the same files are tests."""
    return earlier.paths == rows.paths and np.array_equal(earlier.test_files, rows.test_files)


def _own_tests(rows: CandidateRows) -> Pairs:
    """Return edges from files to the tests with the same bare name.

    If several files have the name of a test, only the files that share the most folders with the test have edges.
    """
    named: dict[str, list[int]] = defaultdict(list)
    for number in np.flatnonzero(~rows.test_files).tolist():
        named[_bare_name(rows.paths[number])].append(number)
    sharing = {name: _FoldersShared(numbers, rows.paths) for name, numbers in named.items()}
    starts, ends = [], []
    for test in np.flatnonzero(rows.test_files).tolist():
        bare = _bare_name(rows.paths[test])
        found = next((sharing[name] for name in (bare, _TEST_AFFIX.sub("", bare)) if name in sharing), None)
        if found is not None:
            starts.append(found.nearest(rows.paths[test]))
            ends.append(np.full(len(starts[-1]), test, np.int64))
    nothing = np.empty(0, np.int64)
    return Pairs(np.concatenate([nothing, *starts]), np.concatenate([nothing, *ends]))


class _FoldersShared:
    """Files of one name, and for each folder name the files below such a folder.

    A repository may contain thousands of files and tests of one name, so a test is not compared with the files one by one.
    """

    def __init__(self, numbers: list[int], paths: list[str]) -> None:
        self._numbers: Numbers = np.array(numbers, np.int64)
        below: dict[str, list[int]] = defaultdict(list)
        for place, number in enumerate(numbers):
            for folder in set(paths[number].split("/")[:-1]):
                below[folder].append(place)
        self._below = {folder: np.array(places, np.int64) for folder, places in below.items()}

    def nearest(self, path: str) -> Numbers:
        """Return the files that share the most folder names with a path."""
        shared = np.zeros(len(self._numbers), np.int64)
        for folder in set(path.split("/")[:-1]) & self._below.keys():
            shared[self._below[folder]] += 1
        nearest: Numbers = self._numbers[shared == shared.max()]
        return nearest


def _bare_name(path: str) -> str:
    """Return the name of a file up to its first dot, or the name of the folder if the file is named after its folder."""
    folder, _, name = path.rpartition("/")
    stem = name.partition(".")[0]
    return folder.rpartition("/")[2] if stem in NAMELESS_FILES else stem


def _importance_and_numbers(
    nodes: RankedNodes, keys: pa.Array | list[str], numbers: Numbers, size: int
) -> tuple[Values, Numbers]:
    """Return the importance of each row or file by its number, and the number of each node by its offset; -1 for nodes without
    a number.
    """
    import pyarrow as pa
    from pyarrow import compute

    # pyarrow cannot infer the type of an empty list. Its compute functions have no type hints.
    wanted = pa.array(keys, type=nodes.keys.type)
    found = compute.index_in(nodes.keys, value_set=wanted).fill_null(-1).to_numpy()  # type: ignore[attr-defined]
    known = found >= 0
    own = numbers[found[known]]
    importance = np.zeros(size, np.float32)
    importance[own] = nodes.importances[known]
    by_offset = np.full(int(nodes.offsets.max(initial=-1)) + 1, -1, np.int64)
    by_offset[nodes.offsets[known]] = own
    return np.log1p(importance / _MEAN_IMPORTANCE), by_offset


def _between(edges: EdgeEnds, by_offset: Numbers) -> Pairs:
    starts, ends = by_offset[edges.starts], by_offset[edges.ends]
    useful = (starts >= 0) & (ends >= 0) & (starts != ends)
    return Pairs(starts[useful], ends[useful])
