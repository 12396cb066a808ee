"""Rank a graph again after a part of it was replaced, based on the ranking of the loaded graph file.

Nodes of the loaded graph keep their indices; removed nodes lose their weight and links, and new nodes follow at the end. So
sorted arrays stay sorted, and an update takes little more time than the iterations of PageRank.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING, NamedTuple

from ...schema.graph_content import GraphContent
from .pagerank import Links, Ranking, Ranks, distinct_links, initial_weights, ranks
from .reference_graph import roles_of, useful

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from .reference_graph import Pairs


class _Nodes(NamedTuple):
    """Files or symbols, by index in `keys` and by key in `positions`."""

    keys: list[str]
    positions: dict[str, int]
    #: False for removed nodes.
    is_there: NDArray[np.bool_]


class RankingRenewal:
    """Computes the ranking after each of several changes to the same loaded graph."""

    def __init__(self, ranking: Ranking) -> None:
        self._ranking = ranking
        self._files = {path: position for position, path in enumerate(ranking.uses.files)}
        self._symbols = {identity: position for position, identity in enumerate(ranking.uses.symbols)}
        self._file_links, self._symbol_links = ranking.links()

    def home(self, symbol_id: str) -> str:
        """Return the path of the file of a symbol in the loaded graph."""
        uses = self._ranking.uses
        return uses.files[int(uses.homes[self._symbols[symbol_id]])]

    def ranks(self, content: GraphContent, gone: Collection[str], resolved: Collection[str]) -> tuple[Ranks, Ranks]:
        """Return the importance of files and symbols after a change.

        The content replaces the nodes of the files `gone`, and the edges of the files `gone` and `resolved`.
        """
        import numpy as np

        uses = self._ranking.uses
        files = _renewed(uses.files, self._files, self._marked(gone), [file.relative_path for file in content.files])
        is_gone, is_changed = (_extended(self._marked(paths), len(files.keys), False) for paths in (gone, {*gone, *resolved}))
        symbols = _renewed(uses.symbols, self._symbols, is_gone[uses.homes], [symbol.id for symbol in content.symbols])
        own = _positions_of(symbols.positions, (symbol.id for symbol in content.symbols))
        homes, roles = (_extended(known, len(symbols.keys), 0) for known in (uses.homes, uses.roles))
        homes[own] = _positions_of(files.positions, (symbol.relative_path for symbol in content.symbols))
        roles[own] = roles_of([symbol.kind for symbol in content.symbols])
        is_test = _extended(uses.is_test, len(files.keys), False)
        is_test[_positions_of(files.positions, (file.relative_path for file in content.files))] = [
            file.is_test for file in content.files
        ]
        weights = np.where(files.is_there, initial_weights(is_test), 0)

        references = useful(_pairs(symbols.positions, ((edge.from_id, edge.to_id) for edge in content.references)), roles)
        imports = _pairs(files.positions, ((edge.from_path, edge.target) for edge in content.imports))
        inner = _pairs(symbols.positions, ((symbol.id, symbol.parent_id) for symbol in content.symbols if symbol.parent_id))
        # The nesting is unchanged if only references of symbols are new.
        stays = uses.nesting[:, (is_changed & ~is_gone)[uses.homes[uses.nesting[0]]]]
        new = np.concatenate([references, inner, stays], axis=1)
        links = self._symbol_links.kept(~is_changed[homes], symbols.is_there).joined(distinct_links(new, len(symbols.keys)))
        pairs = np.concatenate([homes[references], imports], axis=1)
        of_files = self._kept_file_links(is_changed, files, symbols).joined(distinct_links(pairs, len(files.keys)))
        return (
            self._ranks(files, ranks(of_files, weights), self._ranking.files),
            self._ranks(symbols, ranks(links.unweighted(), np.where(symbols.is_there, weights[homes], 0)), self._ranking.symbols),
        )

    def _kept_file_links(self, is_changed: NDArray[np.bool_], files: _Nodes, symbols: _Nodes) -> Links:
        """Return the links of unchanged files, without references to removed symbols."""
        import numpy as np

        uses = self._ranking.uses
        stays = ~is_changed[uses.homes[uses.references[0]]]
        is_there = symbols.is_there[uses.references[1]]
        if not (stays & ~is_there).any():
            return self._file_links.kept(~is_changed, files.is_there)
        own = uses.imports[:, ~is_changed[uses.imports[0]] & files.is_there[uses.imports[1]]]
        return distinct_links(np.concatenate([uses.homes[uses.references[:, stays & is_there]], own], axis=1), len(files.keys))

    def _marked(self, paths: Iterable[str]) -> NDArray[np.bool_]:
        import numpy as np

        marked = np.zeros(len(self._files), np.bool_)
        marked[[self._files[path] for path in paths if path in self._files]] = True
        return marked

    def _ranks(self, nodes: _Nodes, values: NDArray[np.int64], before: NDArray[np.int64]) -> Ranks:
        import numpy as np

        stored = _extended(before, len(nodes.keys), 0)
        return Ranks(nodes.keys, values, np.where(nodes.is_there, stored, values))


def _renewed(keys: list[str], known: dict[str, int], is_gone: NDArray[np.bool_], own: list[str]) -> _Nodes:
    """Return the nodes after an update. Kept nodes of changed files keep their indices, and new nodes follow at the end."""
    added = [key for key in dict.fromkeys(own) if key not in known]
    positions = known
    if added:
        positions = known | {key: position for position, key in enumerate(added, len(keys))}
    is_there = _extended(~is_gone, len(keys) + len(added), True)
    is_there[_positions_of(positions, own)] = True
    return _Nodes([*keys, *added], positions, is_there)


def _extended(values: NDArray, length: int, rest: object) -> NDArray:  # type: ignore[type-arg]
    """Return a copy that is extended to a length; new elements have the value `rest`."""
    import numpy as np

    return np.concatenate([values, np.full(length - len(values), rest, values.dtype)])


def _positions_of(positions: dict[str, int], keys: Iterable[str]) -> NDArray[np.int64]:
    import numpy as np

    return np.fromiter(map(positions.__getitem__, keys), np.int64)


def _pairs(positions: dict[str, int], edges: Iterable[tuple[str, str]]) -> Pairs:
    import numpy as np

    found = [(positions[start], positions[end]) for start, end in edges]
    return np.array(found, np.int32).reshape(-1, 2).T
