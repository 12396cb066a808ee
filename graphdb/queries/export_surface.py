"""The names under which files export symbols: by symbol, and by file."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from ...schema.records import SymbolRef
from ..database import GraphDatabase
from ..symbols.id_batches import rows_for_ids
from ..traversal.walk import refs_by_offset


class OfferedName(msgspec.Struct, frozen=True, gc=False):
    """A name under which a file exports a symbol."""

    path: str
    #: The name for importers; "default" for the default export.
    name: str
    type_only: bool
    #: Paths of the files between the exporting and the declaring file; empty if the two are the same file.
    via: tuple[str, ...]
    symbol: SymbolRef


_OFFER = "e.name, e.typeOnly, e.via, offset(id(s))"


def offers_of(database: GraphDatabase, ids: Iterable[str]) -> list[OfferedName]:
    """Return the names under which any file exports the symbols: declaring files first, then by path and name."""
    statement = f"MATCH (s:Symbol)<-[e:EXPORTS]-(f:File) WHERE s.id IN $ids RETURN f.relativePath, {_OFFER}"
    found = _offers(database, rows_for_ids(database, statement, ids))
    return sorted(found, key=lambda offer: (bool(offer.via), offer.path, offer.name))


def offers_by(database: GraphDatabase, paths: Iterable[str]) -> list[OfferedName]:
    """Return the names that the files export, by path and in the order of the declarations."""
    statement = f"MATCH (f:File)-[e:EXPORTS]->(s:Symbol) WHERE f.relativePath IN $ids RETURN f.relativePath, {_OFFER}"
    found = _offers(database, rows_for_ids(database, statement, paths))
    return sorted(
        found, key=lambda offer: (offer.path, bool(offer.via), offer.symbol.relative_path, offer.symbol.start_line, offer.name)
    )


def _offers(database: GraphDatabase, rows: Sequence[tuple[Any, ...]]) -> list[OfferedName]:
    symbols = refs_by_offset(database, {row[-1] for row in rows})
    return [OfferedName(path, name, type_only, via, symbols[offset]) for path, name, type_only, via, offset in rows]
