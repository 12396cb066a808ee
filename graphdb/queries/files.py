"""Files by path or similar path, their imports, and their problems."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import msgspec
from msgspec.structs import replace

from ...schema.languages import imported_folder
from ...schema.records import FileRecord
from ..database import GraphDatabase
from ..symbols.id_batches import rows_for_ids
from ..symbols.record_properties import property_list


class FileDetails(msgspec.Struct, frozen=True, gc=False):
    """All properties of a file; `graph.cypher` documents each property."""

    relative_path: str
    language: str
    content_hash: str
    mtime: int
    size: int
    lines: int
    parse_status: str
    problem_lines: tuple[int, ...]
    problem_reasons: tuple[str, ...]
    is_test: bool


class FileImport(msgspec.Struct, frozen=True, gc=False):
    """One import of a file by another file."""

    from_path: str
    to_path: str
    specifier: str
    names: tuple[str, ...]
    form: str
    type_only: bool
    line: int


class PackageImport(msgspec.Struct, frozen=True, gc=False):
    """One import of a package by a file."""

    from_path: str
    package: str
    specifier: str
    names: tuple[str, ...]
    form: str
    type_only: bool
    line: int


class FileProblem(msgspec.Struct, frozen=True, gc=False):
    """A part of a file that could not be parsed."""

    file: str
    line: int
    reason: str


class FilePlace(msgspec.Struct, frozen=True, gc=False):
    """A file, its module, and whether it is test code."""

    path: str
    #: Id of the innermost enclosing module, which is its folder; "" outside of every module.
    module: str
    is_test: bool


_DETAILS = property_list(FileDetails, "f")
_IMPORT = "r.specifier, r.names, r.form, r.typeOnly, r.line"


def files_by_path(database: GraphDatabase, paths: Iterable[str]) -> dict[str, FileDetails]:
    """Return the files that exist, by path."""
    rows = rows_for_ids(database, f"MATCH (f:File) WHERE f.relativePath IN $ids RETURN {_DETAILS}", paths)
    return {row[0]: FileDetails(*row) for row in rows}


def file_places(database: GraphDatabase, paths: Iterable[str]) -> list[FilePlace]:
    """Return the module of each file and whether it is test code, by path."""
    every = database.once(_file_places)
    return [every[path] for path in sorted(set(paths)) if path in every]


def _file_places(database: GraphDatabase) -> dict[str, FilePlace]:
    statement = "MATCH (f:File) OPTIONAL MATCH (m:Module)-[:CONTAINS]->(f) RETURN f.relativePath, m.id, f.isTest"
    rows = zip(*(column.to_pylist() for column in database.columns(statement).columns), strict=True)
    return {path: FilePlace(path, module or "", is_test) for path, module, is_test in rows}


def all_places(database: GraphDatabase) -> Mapping[str, FilePlace]:
    """Return the module of every file and whether it is test code, by path."""
    return database.once(_file_places)


def has_tests(database: GraphDatabase) -> bool:
    """Return whether the repository has test code."""
    return any(place.is_test for place in database.once(_file_places).values())


def files_of_name(database: GraphDatabase, name: str, limit: int = 5) -> list[str]:
    """Return the paths of the files whose name without the extension is this name, the shortest path first."""
    rows = database.rows(
        """
        MATCH (f:File) WHERE starts_with(list_extract(string_split(f.relativePath, '/'), -1), $name + '.')
        RETURN f.relativePath ORDER BY size(f.relativePath), f.relativePath LIMIT $limit""",
        {"name": name, "limit": limit},
    )
    return [row[0] for row in rows]


def similar_paths(database: GraphDatabase, path: str, limit: int = 5) -> list[str]:
    """Return the indexed paths that end with this path or with which this path ends.

    If there are none, return paths with a similar spelling; paths with the same file name come first.
    """
    whole = """
        MATCH (f:File) WHERE ends_with('/' + f.relativePath, '/' + $path) OR ends_with('/' + $path, '/' + f.relativePath)
        RETURN f.relativePath ORDER BY size(f.relativePath), f.relativePath LIMIT $limit"""
    if found := database.rows(whole, {"path": path.strip("/"), "limit": limit}):
        return [row[0] for row in found]
    rows = database.rows(
        """
        MATCH (f:File)
        WITH f.relativePath AS path, lower(f.relativePath) AS known, lower($path) AS wanted
        WITH path, known, wanted, list_extract(string_split(known, '/'), -1) AS file,
            list_extract(string_split(wanted, '/'), -1) AS name
        WITH path, known, wanted, levenshtein(file, name) AS changes, file CONTAINS name OR name CONTAINS file AS within
        WHERE changes <= $tolerance OR within OR known CONTAINS wanted
        RETURN path
        ORDER BY CASE WHEN known ENDS WITH wanted THEN 0 WHEN changes = 0 THEN 1 WHEN known CONTAINS wanted THEN 2 ELSE 3 END,
            changes, levenshtein(known, wanted), path
        LIMIT $limit
        """,
        {"path": path, "limit": limit, "tolerance": max(1, len(path.rpartition("/")[2]) // 3)},
    )
    return [row[0] for row in rows]


def imports_of(database: GraphDatabase, paths: Iterable[str]) -> list[FileImport]:
    """Return imports of source and data files by the given files, in the order of the statements."""
    statement = f"""
        MATCH (f:File)-[r:IMPORTS]->(t:File:DataFile) WHERE f.relativePath IN $ids
        RETURN f.relativePath, t.relativePath, {_IMPORT} ORDER BY f.relativePath, r.line, t.relativePath
        """
    return [FileImport(*row) for row in rows_for_ids(database, statement, paths)]


def importers_of(database: GraphDatabase, paths: Iterable[str]) -> list[FileImport]:
    """Return the imports of the given files, ordered by path. The given files may be data files.

    In Go, an import names a folder, and its edge leads to one file of the folder. It counts as an import of each of them.
    """
    statement = f"""
        MATCH (t:File:DataFile)<-[r:IMPORTS]-(f:File) WHERE t.relativePath IN $ids
        RETURN f.relativePath, t.relativePath, {_IMPORT}
        """
    wanted = set(paths)
    named = {path: folder for path in wanted if (folder := imported_folder(path)) is not None}
    folders = database.once(_imported_folders) if named else {}
    siblings = (folders.get(folder, ()) for folder in named.values())  # the whole folder of a removed file may be gone
    found = [FileImport(*row) for row in rows_for_ids(database, statement, wanted.union(*siblings))]
    of_folders: dict[tuple[str, str], list[FileImport]] = {}
    for each in found:
        folder = imported_folder(each.to_path)
        if folder is not None:
            of_folders.setdefault(folder, []).append(each)
    made = [each for each in found if each.to_path not in named and each.to_path in wanted]
    made += [replace(each, to_path=path) for path, folder in named.items() for each in of_folders.get(folder, ())]
    return sorted(made, key=lambda each: (each.to_path, each.from_path, each.line))


def _imported_folders(database: GraphDatabase) -> dict[tuple[str, str], list[str]]:
    """Return the files of each folder that imports name as a whole."""
    found: dict[tuple[str, str], list[str]] = {}
    for path in all_places(database):
        folder = imported_folder(path)
        if folder is not None:
            found.setdefault(folder, []).append(path)
    return found


def data_files_named(database: GraphDatabase, name: str, limit: int) -> list[str]:
    """Return the data file at a path; if there is none, data files whose path ends with it, in order."""
    rows = database.rows(
        """
        MATCH (d:DataFile) WHERE d.relativePath = $name OR d.relativePath ENDS WITH $ending
        RETURN d.relativePath, d.relativePath = $name ORDER BY d.relativePath
        """,
        {"name": name, "ending": f"/{name}"},
    )
    exact = [path for path, is_exact in rows if is_exact]
    return exact or [path for path, _ in rows[:limit]]


def package_imports_of(database: GraphDatabase, paths: Iterable[str]) -> list[PackageImport]:
    """Return imports of packages by the given files, in the order of the statements."""
    statement = f"""
        MATCH (f:File)-[r:IMPORTS_EXTERNAL]->(p:Package) WHERE f.relativePath IN $ids
        RETURN f.relativePath, p.name, {_IMPORT} ORDER BY f.relativePath, r.line, p.name
        """
    return [PackageImport(*row) for row in rows_for_ids(database, statement, paths)]


def problems_of(files: Iterable[FileRecord]) -> list[FileProblem]:
    """Return every problem of some files, by path and line, as `file_problems` returns the problems of all files."""
    failed = sorted((file for file in files if file.parse_status != "ok"), key=lambda file: file.relative_path)
    return [FileProblem(file.relative_path, problem.line, problem.reason) for file in failed for problem in file.problems]


def file_problems(database: GraphDatabase) -> list[FileProblem]:
    """Return every problem of every file, by path and line."""
    rows = database.rows(
        """
        MATCH (f:File) WHERE f.parseStatus <> 'ok'
        RETURN f.relativePath, f.problemLines, f.problemReasons ORDER BY f.relativePath
        """
    )
    return [FileProblem(path, line, reason) for path, lines, reasons in rows for line, reason in zip(lines, reasons, strict=True)]
