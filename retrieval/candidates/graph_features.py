"""Where each row and file stands in the graph: how much rests on it, and what calls and imports what.

Read once for each generation; a question then looks at its own candidates only.
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

#: Importance of the mean symbol and file.
_MEAN = np.float32(1000)
#: Stands for the best neighbour of what has none among the candidates.
ALONE = -1.0
#: A file of such a name is known by its folder's.
NAMELESS_FILES = frozenset(("index", "mod", "main", "__init__", "__main__"))

#: What names of tests add to that of what they test: `test_cli.py`, `cli_test.go`, `CliTest.java`, `cli_spec.rb`.
_OF_TEST = re.compile(r"^tests?[_-]|[_-](?:tests?|specs?|unittest)$|(?<=[a-z0-9])(?:Tests?|TestCase|IT|Spec|Specs|Suite)$")

Values = NDArray[np.float32]
Numbers = NDArray[np.int64]


class Pairs(NamedTuple):
    """Directed pairs of numbers, parallel arrays."""

    starts: Numbers
    ends: Numbers

    def across(self, groups: Numbers) -> Pairs:
        """The pairs whose ends belong to different groups; `groups` is that of each number."""
        other = groups[self.starts] != groups[self.ends]
        return Pairs(self.starts[other], self.ends[other])

    def among(self, chosen: Numbers, size: int) -> Pairs:
        """The pairs of which both ends are chosen; all numbers are below `size`."""
        is_chosen = np.zeros(size, np.bool_)
        is_chosen[chosen] = True
        both = is_chosen[self.starts] & is_chosen[self.ends]
        return Pairs(self.starts[both], self.ends[both])

    def best_neighbours(self, values: Values) -> tuple[Values, Values]:
        """For each number the best value of those it leads to, and of those that lead to it. ALONE counts for none."""
        both = (values[self.starts] > ALONE) & (values[self.ends] > ALONE)
        starts, ends = self.starts[both], self.ends[both]
        return Pairs(starts, ends).best_ends(values), Pairs(ends, starts).best_ends(values)

    def best_ends(self, values: Values) -> Values:
        """For each number the best value of those it leads to; ALONE where it leads to none."""
        found = np.full(len(values), ALONE, np.float32)
        np.maximum.at(found, self.starts, values[self.ends])
        return found


@dataclass(frozen=True, slots=True)
class GraphFeatures:
    """The standing of the rows of one generation. Arrays of rows have shape (rows.limit,), those of files (files,)."""

    #: Logarithm of importance by that of the mean.
    importance: Values
    file_importance: Values
    calls: Pairs
    imports: Pairs
    #: Calls out of a file.
    calls_across: Pairs
    #: From files to the tests that are named as they are, and to those that import them.
    own_tests: Pairs
    using_tests: Pairs

    @classmethod
    def read(cls, graph: GraphDatabase, rows: CandidateRows) -> GraphFeatures:
        """What the graph of a generation says of its rows. Symbols that are no rows count for nothing."""
        ids, numbers = rows.ids()
        importance, symbols = _placed(ranked_symbols(graph), ids, numbers, rows.limit)
        paths = np.arange(len(rows.paths))
        file_importance, files = _placed(ranked_files(graph), rows.paths, paths, len(paths))
        calls, imports = _between(call_ends(graph), symbols), _between(import_ends(graph), files)
        is_use = rows.test_files[imports.starts] & ~rows.test_files[imports.ends]
        using = Pairs(imports.ends[is_use], imports.starts[is_use])
        return cls(importance, file_importance, calls, imports, calls.across(rows.files), _own_tests(rows), using)


def _own_tests(rows: CandidateRows) -> Pairs:
    """Each file with the tests of the same bare name, of which those count that share the most of its path."""
    named: dict[str, list[int]] = defaultdict(list)
    for number in np.flatnonzero(~rows.test_files).tolist():
        named[_bare_name(rows.paths[number])].append(number)
    starts, ends = [], []
    for test in np.flatnonzero(rows.test_files).tolist():
        folders = set(rows.paths[test].split("/")[:-1])
        bare = _bare_name(rows.paths[test])
        found = next((named[name] for name in (bare, _OF_TEST.sub("", bare)) if name in named), [])
        shared = [len(folders.intersection(rows.paths[number].split("/")[:-1])) for number in found]
        best = [number for number, common in zip(found, shared, strict=True) if common == max(shared)]
        starts += best
        ends += [test] * len(best)
    return Pairs(np.array(starts, np.int64), np.array(ends, np.int64))


def _bare_name(path: str) -> str:
    """That of a file without what follows the first dot, or that of its folder."""
    folder, _, name = path.rpartition("/")
    stem = name.partition(".")[0]
    return folder.rpartition("/")[2] if stem in NAMELESS_FILES else stem


def _placed(nodes: RankedNodes, keys: pa.Array | list[str], numbers: Numbers, size: int) -> tuple[Values, Numbers]:
    """The importance of each number, and the number of each node by its offset; -1 for nodes that have none."""
    import pyarrow as pa
    from pyarrow import compute

    # Of no keys at all pyarrow cannot tell the type. Its kernels come without type hints.
    wanted = pa.array(keys, type=nodes.keys.type)
    found = compute.index_in(nodes.keys, value_set=wanted).fill_null(-1).to_numpy()  # type: ignore[attr-defined]
    known = found >= 0
    own = numbers[found[known]]
    importance = np.zeros(size, np.float32)
    importance[own] = nodes.importances[known]
    by_offset = np.full(int(nodes.offsets.max(initial=-1)) + 1, -1, np.int64)
    by_offset[nodes.offsets[known]] = own
    return np.log1p(importance / _MEAN), by_offset


def _between(edges: EdgeEnds, by_offset: Numbers) -> Pairs:
    starts, ends = by_offset[edges.starts], by_offset[edges.ends]
    useful = (starts >= 0) & (ends >= 0) & (starts != ends)
    return Pairs(starts[useful], ends[useful])
