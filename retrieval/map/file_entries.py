"""Files as a map shows them, with as many of their exports as there is room for."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from posixpath import basename, dirname
from typing import TypeVar

from ...graphdb.database import GraphDatabase
from ...graphdb.map_queries import (
    Declaration,
    ExportEntry,
    FileEntry,
    Texts,
    declarations_of,
    exports_of,
    import_specifiers,
)
from ..json_budget import characters
from .records import KINDS, MappedFile, MappedFolder, MappedReExport, MappedSymbol, MapRequest

#: Depths at which something appears.
EXPORTS, SIGNATURES, DOCS = 1, 2, 3
#: Exports and re-exports of a file that are shown, from the largest number by which all files fit down to the one
#: at which files are left out.
_LIMITS = (1_000_000, 80, 40, 20, 10, 5)
#: Characters of a signature or doc comment. Whoever needs more of one symbol asks for its source.
_LONGEST_TEXT = 300


Listed = TypeVar("Listed", ExportEntry, Declaration)


class FileEntries:
    """Entries of some files, fetched together."""

    def __init__(self, graph: GraphDatabase, request: MapRequest, files: Sequence[FileEntry]) -> None:
        self._request = request
        self._files = files
        paths = [file.path for file in files]
        kinds = KINDS[request.kind]
        self._exports: dict[str, list[ExportEntry]] = defaultdict(list)
        self._internal: dict[str, list[Declaration]] = defaultdict(list)
        texts: Texts = "none" if request.depth < SIGNATURES else "signatures" if request.depth < DOCS else "docs"
        if request.depth >= EXPORTS:
            for export in exports_of(graph, paths, kinds, texts):
                self._exports[export.path].append(export)
        if request.depth >= SIGNATURES:
            for declaration in declarations_of(graph, paths, kinds, texts):
                self._internal[declaration.path].append(declaration)
        self._imports = import_specifiers(graph, paths) if request.include_imports else {}

    def fitting(self, room: int) -> list[tuple[FileEntry, MappedFile]]:
        """As many of the files as fit, from the front, with as many of their exports as let all of them fit."""
        taken: list[tuple[FileEntry, MappedFile]] = []
        for limit in _LIMITS:
            taken = self._taken(limit, room)
            if len(taken) == len(self._files):
                break
        return taken

    def _taken(self, limit: int, room: int) -> list[tuple[FileEntry, MappedFile]]:
        taken: list[tuple[FileEntry, MappedFile]] = []
        folders: set[str] = set()
        for file in self._files:
            entry = self._entry(file, limit)
            folder = dirname(file.path)
            room -= characters(entry) if self._request.depth else characters(entry.file)
            room -= 0 if folder in folders else characters(MappedFolder(folder, ("",)))
            if room < 0:
                break
            folders.add(folder)
            taken.append((file, entry))
        return taken

    def _entry(self, file: FileEntry, limit: int) -> MappedFile:
        request = self._request
        own = [export for export in self._exports[file.path] if export.declared_in == file.path]
        passed_on = [export for export in self._exports[file.path] if export.declared_in != file.path]
        shown_re_exports = passed_on[:limit] if request.depth >= SIGNATURES else []
        return MappedFile(
            basename(file.path) if request.format == "tree" else file.path,
            exports=tuple(self._symbol(export) for export in _most_important(own, limit)),
            more_exports=max(0, len(own) - limit),
            internal=tuple(self._symbol(symbol) for symbol in _most_important(self._internal[file.path], limit)),
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
        return MappedSymbol(
            symbol.name,
            symbol.kind,
            signature=_shortened(symbol.signature) if detailed and request.include_types else "",
            line=symbol.line if detailed else 0,
            is_default=symbol.name == "default",
            jsdoc=_shortened(symbol.doc.split("\n\n")[0]) if request.depth >= DOCS and request.include_jsdoc else "",
        )


def _most_important(symbols: Sequence[Listed], limit: int) -> list[Listed]:
    """The most important, in their order in the file."""
    if len(symbols) <= limit:
        return list(symbols)
    chosen = sorted(symbols, key=lambda symbol: (-symbol.importance, symbol.line))[:limit]
    return sorted(chosen, key=lambda symbol: symbol.line)


def _shortened(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= _LONGEST_TEXT else flat[: _LONGEST_TEXT - 1] + "…"
