"""The reference graph as arrays: the input for computing importance, stored beside the graph file for the next update.

Nodes are indices into the lists of files and symbols; edges are pairs of indices.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from ...schema.edges import ImportEdge, ReferenceEdge
from ...schema.graph_content import GraphContent
from ...schema.records import Symbol
from ...schema.symbol_kinds import PASSING_ON

if TYPE_CHECKING:
    import numpy as np
    import pyarrow
    from numpy.typing import NDArray

    #: Indices of the nodes where edges begin, and where they end; shape (2, edges).
    Pairs = NDArray[np.int32]

#: Kinds of symbols that pass on no weight.
_NO_USERS = frozenset(("import",))
_USES, _IS_USED = 1, 2
_SEPARATOR = "\0"


class Uses(NamedTuple):
    """The nodes that have an importance, and the edges from which importance is computed."""

    files: list[str]
    is_test: NDArray[np.bool_]
    symbols: list[str]
    #: Index of the file of each symbol.
    homes: NDArray[np.int32]
    #: Bits for each symbol: `_USES` if it may use other symbols, `_IS_USED` if other symbols may use it.
    roles: NDArray[np.uint8]
    #: References between symbols, possibly several for one pair.
    references: Pairs
    #: Edges from a symbol to its parent.
    nesting: Pairs
    #: Imports between files.
    imports: Pairs

    def write(self, path: Path, **more: NDArray[np.int64]) -> None:
        """Write the arrays, and additional arrays, to a file. Raises OSError."""
        import numpy as np

        joined = {name: _SEPARATOR.join(getattr(self, name)).encode("utf-8", "surrogatepass") for name in _LISTS}
        texts = {name: np.frombuffer(text, np.uint8) for name, text in joined.items()}
        arrays: dict[str, Any] = {name: getattr(self, name) for name in self._fields if name not in _LISTS}
        with path.open("wb") as file:
            np.savez(file, **arrays | texts | more)


_LISTS = ("files", "symbols")


def read_uses(path: Path, *more: str) -> tuple[Uses, list[NDArray[np.int64]]]:
    """Read the arrays that `Uses.write` wrote, and the additional arrays with these names.

    Raises OSError, and ValueError or KeyError if the file is damaged.
    """
    import numpy as np

    with path.open("rb") as file, np.load(file) as found:
        texts = {name: found[name].tobytes().decode("utf-8", "surrogatepass") for name in _LISTS}
        lists = {name: text.split(_SEPARATOR) if text else [] for name, text in texts.items()}
        arrays = {name: found[name] for name in Uses._fields if name not in _LISTS}
        return Uses(**lists, **arrays), [found[name] for name in more]


class UsesBuilder:
    """Builds the uses of a whole graph from its parts. Nodes must come before the edges between them."""

    def __init__(self) -> None:
        self._files: dict[str, int] = {}
        self._is_test: list[bool] = []
        self._symbols: dict[str, int] = {}
        self._homes: list[Any] = []
        self._roles: list[Any] = []
        self._references: list[Any] = []
        self._nesting: list[Any] = []
        self._imports: list[Any] = []

    def add(self, part: GraphContent) -> None:
        """Add a part of the graph."""
        import numpy as np

        self._files |= {file.relative_path: position for position, file in enumerate(part.files, len(self._files))}
        self._is_test += [file.is_test for file in part.files]
        self._symbols |= {symbol.id: position for position, symbol in enumerate(part.symbols, len(self._symbols))}
        self._homes.append(_positions_of(self._files, (symbol.relative_path for symbol in part.symbols)))
        self._roles.append(roles_of([symbol.kind for symbol in part.symbols]))
        self._nesting.append(_nesting(part.symbols, self._symbols))
        self._imports.append(_imports(part.imports, self._files))
        if part.references:
            self._references.append(_references(part, self._symbols, np.concatenate(self._roles)))

    def add_columns(self, table: str, ends: tuple[str, ...], rows: pyarrow.Table) -> None:
        """Add all rows of a table at once. Nodes must come before edges, and files before symbols."""
        if table == "File":
            self._files = {path: position for position, path in enumerate(rows["relativePath"].to_pylist())}
            self._is_test = rows["isTest"].to_pylist()
        elif table == "Symbol":
            self._symbols = {identity: position for position, identity in enumerate(rows["id"].to_pylist())}
            self._homes.append(_positions_of(self._files, rows["relativePath"].to_pylist()))
            self._roles.append(roles_of(rows["kind"].to_pylist()))
        elif (table, *ends) == ("IMPORTS", "File", "File"):
            self._imports.append(_pairs(self._files, rows["from"].to_pylist(), rows["to"].to_pylist()))
        elif (table, *ends) == ("CONTAINS", "Symbol", "Symbol"):
            self._nesting.append(_pairs(self._symbols, rows["to"].to_pylist(), rows["from"].to_pylist()))
        elif table == "REFERENCES":
            pairs = _pairs(self._symbols, rows["from"].to_pylist(), rows["to"].to_pylist())
            self._references.append(useful(pairs, self._roles[0]))

    def uses(self) -> Uses:
        """Return the uses of all parts."""
        import numpy as np

        none = np.zeros((2, 0), np.int32)
        edges = (np.concatenate([none, *parts], axis=1) for parts in (self._references, self._nesting, self._imports))
        homes, roles = (np.concatenate([none[0], *parts]) for parts in (self._homes, self._roles))
        return Uses([*self._files], np.array(self._is_test, np.bool_), [*self._symbols], homes, roles.astype(np.uint8), *edges)


def _positions_of(positions: dict[str, int], names: Iterable[str]) -> NDArray[np.int32]:
    import numpy as np

    return np.fromiter(map(positions.__getitem__, names), np.int32)


def _pairs(positions: dict[str, int], starts: Iterable[str], ends: Iterable[str]) -> Pairs:
    import numpy as np

    return np.stack([_positions_of(positions, starts), _positions_of(positions, ends)])


def roles_of(kinds: Sequence[str]) -> NDArray[np.uint8]:
    """Return the bits `_USES` and `_IS_USED` of symbols with these kinds, in the same order."""
    import numpy as np

    roles = {kind: _USES * (kind not in _NO_USERS) + _IS_USED * (kind not in PASSING_ON) for kind in set(kinds)}
    return np.fromiter(map(roles.__getitem__, kinds), np.uint8, len(kinds))


def _references(content: GraphContent, positions: dict[str, int], roles: NDArray[np.uint8]) -> Pairs:
    edges: list[ReferenceEdge] = content.references
    pairs = _pairs(positions, (edge.from_id for edge in edges), (edge.to_id for edge in edges))
    return useful(pairs, roles)


def useful(pairs: Pairs, roles: NDArray[np.uint8]) -> Pairs:
    """Return the references that begin at a symbol with the bit `_USES` and end at a symbol with the bit `_IS_USED`."""
    return pairs[:, ((roles[pairs[0]] & _USES) != 0) & ((roles[pairs[1]] & _IS_USED) != 0)]


def _nesting(symbols: Sequence[Symbol], positions: dict[str, int]) -> Pairs:
    inner = [symbol for symbol in symbols if symbol.parent_id is not None]
    return _pairs(positions, (symbol.id for symbol in inner), (symbol.parent_id or "" for symbol in inner))


def _imports(edges: Sequence[ImportEdge], positions: dict[str, int]) -> Pairs:
    return _pairs(positions, (edge.from_path for edge in edges), (edge.target for edge in edges))
