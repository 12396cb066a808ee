"""Exports of a symbol and of a file, including re-exports."""

from __future__ import annotations

from dataclasses import dataclass

from ...graphdb.database import GraphDatabase
from ...graphdb.queries.export_surface import OfferedName, offers_by, offers_of
from .subject import Analysis, FileSubject, Subject, counted, none_of


@dataclass(frozen=True, slots=True, kw_only=True)
class SymbolExports(Analysis):
    """The files that export a symbol: its own file first, then the files that re-export the symbol."""

    subject: Subject
    offers: tuple[OfferedName, ...] = ()

    @property
    def title(self) -> str:
        return f"{self.subject.label} is offered by {counted(len({offer.path for offer in self.offers}), 'file')}"

    def lines(self) -> list[str]:
        return [f"  {offer.path} as {_named(offer)}" for offer in self.offers]


@dataclass(frozen=True, slots=True, kw_only=True)
class FileExports(Analysis):
    """The exports of a file: its own declarations first, then its re-exports."""

    subject: FileSubject
    offers: tuple[OfferedName, ...] = ()

    @property
    def title(self) -> str:
        return f"{self.subject.label} offers {counted(len(self.offers), 'name')}"

    def lines(self) -> list[str]:
        return [
            f"  {_named(offer)}: {offer.symbol.kind} {offer.symbol.qualified_name} ({offer.symbol.place})"
            for offer in self.offers
        ]


def exports(graph: GraphDatabase, subject: Subject) -> SymbolExports:
    """Return the files and names under which a symbol can be imported."""
    found = tuple(offers_of(graph, subject.ids))
    empty = subject.nothing or none_of(subject, "No file exports it.")
    return SymbolExports(subject=subject, offers=found, nothing=None if found else empty)


def file_exports(graph: GraphDatabase, subject: FileSubject) -> FileExports:
    """Return the names that a file exports, including re-exports and `export *`."""
    found = tuple(offers_by(graph, subject.paths))
    empty = subject.nothing or none_of(subject, "It exports nothing of the repository.")
    return FileExports(subject=subject, offers=found, nothing=None if found else empty)


def _named(offer: OfferedName) -> str:
    return f"{offer.name}{' (type only)' if offer.type_only else ''}"
