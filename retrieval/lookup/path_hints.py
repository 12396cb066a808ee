"""Explain filters that admit no file: suggest similar paths, or describe the content of the index."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase

from ...graphdb.database import GraphDatabase
from ...graphdb.queries.files import similar_paths
from ...graphdb.queries.map import all_files
from ...schema.languages import names_of
from ...schema.manifest import Exclusion

#: Maximum number of similar paths in a hint.
_MAX_SIMILAR = 3
#: Maximum number of folders at the root in a hint.
_MAX_FOLDERS = 12
#: Maximum number of files at the root in a hint.
_MAX_FILES = 5
#: Message for an index without code.
NO_CODE = "The index holds no code: `astrolabe status` lists what was left out."


def why_left_out(path: str, exclusions: Iterable[Exclusion]) -> str:
    """Return the reason why discovery excluded a path; "" if the path is not excluded."""
    wanted = path.removeprefix("./").rstrip("/")
    excluded = next((each for each in exclusions if _covers(each.path, wanted)), None)
    return f"{path} is not indexed: {excluded.path} is left out ({excluded.reason})." if excluded is not None else ""


def _covers(excluded: str, path: str) -> bool:
    folder = excluded.rstrip("/")
    return path == folder or path.startswith(f"{folder}/") or fnmatchcase(path, excluded)


def what_would_match(
    graph: GraphDatabase, paths: Sequence[str], languages: Sequence[str] = (), exclusions: Sequence[Exclusion] = ()
) -> str:
    """Return a sentence that begins with a blank and explains why the filters match nothing.

    The sentence contains the reasons for excluded paths, similar paths, the content of the root, or the indexed languages.
    """
    if left_out := " ".join(filter(None, (why_left_out(path, exclusions) for path in paths))):
        return f" {left_out}"
    files = all_files(graph)
    held = sorted({file.language for file in files})
    if not files:
        return f" {NO_CODE}"
    if languages and not any(language in held for name in languages for language in names_of(name)):
        return f" The index holds {', '.join(held)}."
    requested = [path.strip("/") for path in paths if path.strip("/")]
    similar = [found for path in requested for found in similar_paths(graph, path, _MAX_SIMILAR)]
    if similar:
        return f" Similar paths: {', '.join(similar[:_MAX_SIMILAR])}."
    folders = sorted({f"{file.path.split('/')[0]}/" for file in files if "/" in file.path})
    if folders:
        return f" Folders at the root: {', '.join(folders[:_MAX_FOLDERS])}."
    return f" Files at the root: {', '.join(sorted(file.path for file in files)[:_MAX_FILES])}."
