"""Imports of a file, in both directions."""

from __future__ import annotations

from dataclasses import dataclass

from ...graphdb.database import GraphDatabase
from ...graphdb.queries.files import FileImport, PackageImport, importers_of, imports_of, package_imports_of
from ...graphdb.queries.references import files_using
from .subject import Analysis, EmptyReason, FileSubject, counted, none_of

#: Maximum number of listed files that use a file without an import.
_MAX_USERS = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class FileImports(Analysis):
    """The files of the repository and the packages that a file imports, in the order of the statements."""

    subject: FileSubject
    files: tuple[FileImport, ...] = ()
    packages: tuple[PackageImport, ...] = ()

    @property
    def title(self) -> str:
        return f"{self.subject.label} imports {counted(len(self.files), 'file')} and {counted(len(self.packages), 'package')}"

    def lines(self) -> list[str]:
        files = [(found.line, found.to_path, found.names) for found in self.files]
        packages = [(found.line, found.package, found.names) for found in self.packages]
        return [f"  {line}: {target} {{{', '.join(names)}}}" for line, target, names in sorted(files + packages)]


@dataclass(frozen=True, slots=True, kw_only=True)
class FileImporters(Analysis):
    """The files that import a file, by path."""

    subject: FileSubject
    files: tuple[FileImport, ...] = ()

    @property
    def title(self) -> str:
        return f"{self.subject.label} is imported by {counted(len({found.from_path for found in self.files}), 'file')}"

    def lines(self) -> list[str]:
        return [f"  {found.from_path}:{found.line} {{{', '.join(found.names)}}}" for found in self.files]


def file_imports(graph: GraphDatabase, subject: FileSubject) -> FileImports:
    """Return the files and packages that a file imports."""
    files, packages = tuple(imports_of(graph, subject.paths)), tuple(package_imports_of(graph, subject.paths))
    empty = subject.nothing or EmptyReason("none", "It imports nothing.")
    return FileImports(subject=subject, files=files, packages=packages, nothing=None if files or packages else empty)


def file_importers(graph: GraphDatabase, subject: FileSubject) -> FileImporters:
    """Return the files that import, re-export from or require a file."""
    found = tuple(importers_of(graph, subject.paths))
    empty = subject.nothing or none_of(subject, _without_import(graph, subject) if not found else "")
    return FileImporters(subject=subject, files=found, nothing=None if found else empty)


def _without_import(graph: GraphDatabase, subject: FileSubject) -> str:
    """Return a sentence about a file that no file imports. Files of its package may use it without an import."""
    users = list(dict.fromkeys(user for user, _ in files_using(graph, subject.paths)))
    if not users:
        return "No file imports it."
    more = f" and {len(users) - _MAX_USERS:,} more" if len(users) > _MAX_USERS else ""
    listed = ", ".join(users[:_MAX_USERS])
    return f"No file imports it. {counted(len(users), 'file uses', 'files use')} it without an import: {listed}{more}."
