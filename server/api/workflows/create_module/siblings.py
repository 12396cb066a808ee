"""The siblings of a new module: folders or files beside its future place."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import reduce
from operator import or_
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from .....graphdb.queries.documents.sections import document_paths
from .....schema.languages import DOCUMENTS
from ..asking import Asked, part_named

if TYPE_CHECKING:
    from ...scopes.kinds import FileScope, RepoScope

#: Maximum number of siblings that are read.
MAX_SIBLINGS = 16
#: Minimum number of siblings that a convention needs.
_MIN_SIBLINGS = 2
#: Minimum share of the code in modules with manifests for which a new module becomes their sibling.
_SHARE = 0.3
#: Names of files that belong to the module of their folder, and are not separate modules.
_OF_FOLDER = re.compile(r"(?:index|main|mod|lib|__init__|__main__|setup|conftest|doc)\.[\w.]+$")
#: Files that a new module does not copy: hidden files, lock files, logs and caches.
_NOT_COPIED = re.compile(r"\..*|.*(?:lock|\.sum|-lock\.\w+|\.log|\.tsbuildinfo)$", re.IGNORECASE)
#: Maximum size in bytes of a file that is read although it is not in the index.
_MAX_BYTES = 65_536


class Siblings(msgspec.Struct, frozen=True):
    """Modules beside each other in a folder."""

    #: "" for the root.
    folder: str
    #: Paths of the files of each sibling, by its name: relative to its folder; [""] for a sibling that is a file.
    files: dict[str, list[str]]
    #: Suffix of modules that are files, such as ".py"; "" for folders.
    suffix: str

    def path(self, name: str, inner: str = "") -> str:
        """Return the path of a sibling, or of the file `inner` in its folder."""
        own = f"{self.folder}/{name}" if self.folder else name
        return f"{own}{self.suffix}" if self.suffix else f"{own}/{inner}" if inner else own

    def scope(self, repo: RepoScope, names: Iterable[str]) -> FileScope:
        """Return the files of one or more siblings as a scope, without documents."""
        return reduce(or_, (repo.files(path__under=self.path(name), language__not_in=sorted(DOCUMENTS)) for name in names))


def siblings_of(asked: Asked, indexed: Sequence[str], name: str, like: str) -> tuple[Siblings | None, str]:
    """Return the siblings of a new module, and the name of the module.

    `indexed` has the paths of all files. `like` names a sibling, or is empty.
    """
    documents = set(document_paths(asked.readers.graph))
    paths = [path for path in indexed if path not in documents]
    code = [path for path in paths if not asked.is_test(path)]
    written = name.strip().strip("/").removeprefix("./")
    folder, _, own = written.rpartition("/")
    if like.strip():
        part = part_named(asked, like)
        if part is None:
            return None, own
        is_file = part.kind == "file"
        files, suffix = (code, Path(part.path).suffix) if is_file else (paths, "")
        return _in_folder(files, part.path.rpartition("/")[0], is_file=is_file, suffix=suffix, min_count=1), own.removesuffix(
            suffix
        )
    suffix = Path(own).suffix
    if folder and suffix and any(path.rpartition("/")[0] == folder and path.endswith(suffix) for path in code):
        return _in_folder(code, folder, is_file=True, suffix=suffix), own.removesuffix(suffix)
    if folder:
        found = _in_folder(paths, folder, is_file=False, suffix="")
        return found or _in_folder(code, folder, is_file=True, suffix=""), own
    modules = [row.path for row in asked.rows(asked.repo.modules()) if row.path != "."]
    parents = Counter(path.rpartition("/")[0] for path in modules)
    if parents and (most := max(parents.values())) >= _MIN_SIBLINGS:
        chosen = min(path for path, count in parents.items() if count == most)
        names = {path.rpartition("/")[2] for path in modules if path.rpartition("/")[0] == chosen}
        found = _in_folder(paths, chosen, is_file=False, suffix="")
        inside = sum(path.startswith(f"{chosen}/" if chosen else "") for path in code)
        if found is not None and inside >= _SHARE * len(code):
            return Siblings(chosen, {each: files for each, files in found.files.items() if each in names}, ""), own
    return _most_alike(code, paths), own


def unindexed_files(root: Path, siblings: Siblings, known: set[str]) -> dict[str, list[str]]:
    """Return the names of the files of each sibling that are not in the index, such as manifests."""
    found: dict[str, list[str]] = {}
    if siblings.suffix:
        return found
    for name in siblings.files:
        folder = root / siblings.path(name)
        with os.scandir(folder) as entries:
            found[name] = sorted(
                entry.name
                for entry in entries
                if entry.is_file(follow_symlinks=False)
                and siblings.path(name, entry.name) not in known
                and _NOT_COPIED.fullmatch(entry.name) is None
                and entry.stat(follow_symlinks=False).st_size <= _MAX_BYTES
            )
    return found


def _in_folder(
    paths: Sequence[str], folder: str, *, is_file: bool, suffix: str, min_count: int = _MIN_SIBLINGS
) -> Siblings | None:
    """Return the modules in a folder: its files with a suffix, or its folders. In a folder with files, at least `min_count`
    folders are needed."""
    begin = f"{folder}/" if folder and folder != "." else ""
    folders: dict[str, list[str]] = {}
    files: dict[str, list[str]] = {}
    for path in paths:
        if not path.startswith(begin):
            continue
        first, slash, inner = path[len(begin) :].partition("/")
        if slash:
            folders.setdefault(first, []).append(inner)
        elif _OF_FOLDER.match(first) is None:
            files.setdefault(Path(first).suffix, []).append(Path(first).stem)
    if is_file and files:
        chosen = suffix if suffix in files else max(files, key=lambda each: (len(files[each]), each))
        return Siblings(begin.rstrip("/"), {stem: [""] for stem in sorted(files[chosen])[:MAX_SIBLINGS]}, chosen)
    enough = 1 if is_file or not files else min_count
    return Siblings(begin.rstrip("/"), _largest(folders), "") if len(folders) >= enough else None


def _largest(folders: Mapping[str, list[str]]) -> dict[str, list[str]]:
    ordered = sorted(folders, key=lambda name: (-len(folders[name]), name))[:MAX_SIBLINGS]
    return {name: folders[name] for name in sorted(ordered)}


def _most_alike(code: Sequence[str], paths: Sequence[str]) -> Siblings | None:
    """Return the largest group of sibling folders with a file of the same name, or with a file named after the folder."""
    alike: dict[tuple[str, str], set[str]] = {}
    for path in code:
        parts = path.split("/")
        if len(parts) < 2:
            continue
        folder, name, file = "/".join(parts[:-2]), parts[-2], parts[-1]
        alike.setdefault((folder, file.replace(name, "{name}")), set()).add(name)
    best = max(alike, key=lambda key: (len(alike[key]), -key[0].count("/"), key), default=None)
    if best is None or len(alike[best]) < _MIN_SIBLINGS:
        return None
    found = _in_folder(paths, best[0], is_file=False, suffix="")
    if found is None:
        return None
    kept = {name: files for name, files in found.files.items() if name in alike[best]}
    return Siblings(found.folder, kept, "") if len(kept) >= _MIN_SIBLINGS else None
