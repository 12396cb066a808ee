"""Answer a lookup of a data file with the importing files, because a data file has no symbols."""

from __future__ import annotations

from ...graphdb.database import GraphDatabase
from ...graphdb.queries.files import data_files_named, importers_of

#: Maximum number of data files in an explanation, and of importers of each file.
_MAX_FILES = 5


def about_data_file(graph: GraphDatabase, name: str) -> str | None:
    """Return a sentence about the data files with a name or path, or None if no file imports such a data file."""
    paths = data_files_named(graph, name, _MAX_FILES)
    importers: dict[str, dict[str, None]] = {path: {} for path in paths}
    for found in importers_of(graph, paths):
        importers[found.to_path][found.from_path] = None
    sentences = [f"{path} is imported by {_listed(list(files))}" for path, files in importers.items()]
    return f"A data file has no symbols: {'; '.join(sentences)}." if sentences else None


def _listed(files: list[str]) -> str:
    more = f" and {len(files) - _MAX_FILES:,} more" if len(files) > _MAX_FILES else ""
    return f"{', '.join(files[:_MAX_FILES])}{more}"
