"""Entries of files in a map, with as many exports as fit."""

from __future__ import annotations

from collections.abc import Sequence
from posixpath import basename, dirname
from typing import TypeVar

from ...graphdb.database import GraphDatabase
from ...graphdb.queries.map import (
    Declaration,
    ExportEntry,
    FileEntry,
    exports_by_file,
    import_specifiers,
    internals_by_file,
)
from ...graphdb.symbols.symbol_table import symbols_of
from ...schema.records import Symbol
from ..text.json_budget import characters
from ..text.tokens import shortened
from .records import KINDS, MappedFile, MappedFolder, MappedReExport, MappedSymbol, MapRequest

#: Depth of a map from which exports are shown.
EXPORTS = 1
#: Depth of a map from which signatures are shown.
SIGNATURES = 2
#: Depth of a map from which doc comments are shown.
DOCS = 3
#: Limits for the number of exports and re-exports of a file, in the order in which they are tried. If files do not fit with
#: the last limit, they are left out.
_LIMITS = (1_000_000, 80, 40, 20, 10, 5)
#: Maximum number of characters of a signature or doc comment.
_MAX_TEXT_LENGTH = 300


Listed = TypeVar("Listed", ExportEntry, Declaration)


class FileEntries:
    """Fetches the entries of several files together."""

    def __init__(self, graph: GraphDatabase, request: MapRequest, files: Sequence[FileEntry]) -> None:
        self._graph = graph
        self._request = request
        self._files = files
        self._kinds = KINDS[request.kind]
        self._exports = exports_by_file(graph) if request.depth >= EXPORTS else {}
        self._internal = internals_by_file(graph) if request.depth >= SIGNATURES else {}
        self._imports = import_specifiers(graph, [file.path for file in files]) if request.include_imports else {}
        #: Symbols with their texts, by offset. Texts are long, so only the texts of symbols that may be shown are read.
        self._texts: dict[int, Symbol] = {}

    def fitting(self, room: int) -> list[tuple[FileEntry, MappedFile]]:
        """Return the first files that fit, with the highest limit of exports for which all files fit."""
        shown: list[tuple[FileEntry, MappedFile]] = []
        for limit in _LIMITS:
            # Entries without texts are shorter, and limit the number of files that may fit.
            candidates = [file for file, _ in self._first_that_fit(self._files, limit, room)]
            if len(candidates) < len(self._files) and limit != _LIMITS[-1]:
                continue
            self._read_texts(candidates, limit)
            shown = self._first_that_fit(candidates, limit, room)
            if len(shown) == len(self._files):
                break
        return shown

    def _read_texts(self, files: Sequence[FileEntry], limit: int) -> None:
        if self._request.depth < SIGNATURES:
            return
        shown = [symbol.offset for file in files for symbol in self._own(file, limit)]
        shown += [symbol.offset for file in files for symbol in self._internals(file, limit)]
        missing = [offset for offset in dict.fromkeys(shown) if offset not in self._texts]
        self._texts.update(zip(missing, symbols_of(self._graph).symbols_at(missing), strict=True))

    def _first_that_fit(self, files: Sequence[FileEntry], limit: int, room: int) -> list[tuple[FileEntry, MappedFile]]:
        shown: list[tuple[FileEntry, MappedFile]] = []
        folders: set[str] = set()
        for file in files:
            entry = self._entry(file, limit)
            folder = dirname(file.path)
            room -= characters(entry) if self._request.depth else characters(entry.file)
            room -= 0 if folder in folders else characters(MappedFolder(folder, ("",)))
            if room < 0:
                break
            folders.add(folder)
            shown.append((file, entry))
        return shown

    def _own(self, file: FileEntry, limit: int) -> list[ExportEntry]:
        own = [export for export in self._offered(file) if export.declared_in == file.path]
        return _most_important(own, limit)

    def _internals(self, file: FileEntry, limit: int) -> list[Declaration]:
        return _most_important(self._of_kinds(self._internal.get(file.path, ())), limit)

    def _offered(self, file: FileEntry) -> list[ExportEntry]:
        return self._of_kinds(self._exports.get(file.path, ()))

    def _of_kinds(self, symbols: Sequence[Listed]) -> list[Listed]:
        return [symbol for symbol in symbols if not self._kinds or symbol.kind in self._kinds]

    def _entry(self, file: FileEntry, limit: int) -> MappedFile:
        request = self._request
        offered = self._offered(file)
        passed_on = [export for export in offered if export.declared_in != file.path]
        shown_re_exports = passed_on[:limit] if request.depth >= SIGNATURES else []
        return MappedFile(
            basename(file.path) if request.format == "tree" else file.path,
            exports=tuple(self._symbol(export) for export in self._own(file, limit)),
            more_exports=max(0, len(offered) - len(passed_on) - limit),
            internal=tuple(self._symbol(symbol) for symbol in self._internals(file, limit)),
            re_exports=tuple(MappedReExport(export.name, export.declared_in) for export in shown_re_exports),
            more_re_exports=len(passed_on) - len(shown_re_exports),
            imports=self._imports.get(file.path, ())[:limit],
            lines=file.lines if request.include_stats else 0,
            problems=file.problems if request.include_stats else 0,
            test=file.is_test,
        )

    def _symbol(self, symbol: ExportEntry | Declaration) -> MappedSymbol:
        request = self._request
        detailed = request.depth >= SIGNATURES
        texts = self._texts.get(symbol.offset)
        return MappedSymbol(
            symbol.name,
            symbol.kind,
            signature=shortened(texts.signature, _MAX_TEXT_LENGTH) if texts and request.include_types else "",
            line=symbol.line if detailed else 0,
            is_default=isinstance(symbol, ExportEntry) and symbol.is_default,
            jsdoc=shortened(texts.doc.split("\n\n")[0], _MAX_TEXT_LENGTH)
            if texts and request.depth >= DOCS and request.include_jsdoc
            else "",
        )


def _most_important(symbols: Sequence[Listed], limit: int) -> list[Listed]:
    """Return the most important exports, in the order of the file."""
    if len(symbols) <= limit:
        return list(symbols)
    chosen = sorted(symbols, key=lambda symbol: (-symbol.importance, symbol.line))[:limit]
    return sorted(chosen, key=lambda symbol: symbol.line)
