"""Find the files that code loads by a glob: `import.meta.glob("./stores/*.ts")`, `require.context("./modules", true, /\\.js$/)`.

Lowering writes such a call as an import whose specifier has the globs: `glob:./stores/*.ts|!./stores/index.ts`.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

from .....schema.paths import parent_of
from ....files.ignore_rules import pattern_with_choices, without_classes
from ....files.workspace_files import WorkspaceFiles

#: Beginning of the specifiers of globs. No import contains such a specifier.
GLOB: Final = "glob:"
#: Maximum number of stars in a glob that is followed.
_MAX_STARS: Final = 8
#: Maximum number of files that one glob loads.
_MAX_FILES: Final = 2000
_GLOB_SIGNS: Final = re.compile(r"[*?{]")


def files_of_glob(
    specifier: str, own: Iterable[str], files: WorkspaceFiles, folders: Callable[[str], Sequence[str]]
) -> list[str]:
    """Return the sources that a specifier with globs means, in order.

    `folders` returns the folders of the workspace that the fixed beginning of a glob may mean, best first. `own` are files that
    are left out.
    """
    wanted: list[str] = []
    refused = set(own)
    ordered = files.once(_ordered)
    for written in specifier.removeprefix(GLOB).split("|"):
        matches = list(_matches(written.removeprefix("!"), ordered, folders))
        if written.startswith("!"):
            refused.update(matches)
        else:
            wanted += matches
    return sorted(path for path in set(wanted) if path not in refused)[:_MAX_FILES]


def name_of_loaded(path: str) -> str:
    """Return the name that a file has among the files of a glob: of the file, or of its folder if the file is an index."""
    stem = path.rpartition("/")[2].partition(".")[0]
    return parent_of(path).rpartition("/")[2] if stem == "index" else stem


def _ordered(files: WorkspaceFiles) -> list[str]:
    return sorted(files.sources)


def _matches(glob: str, ordered: Sequence[str], folders: Callable[[str], Sequence[str]]) -> Iterator[str]:
    sign = _GLOB_SIGNS.search(glob)
    fixed = glob[: sign.start()].rpartition("/")[0] if sign is not None else parent_of(glob)
    pattern = _compiled(glob[len(fixed) :].lstrip("/"))
    for folder in folders(fixed) if pattern is not None else ():
        prefix = f"{folder}/" if folder else ""
        found = []
        for path in ordered[bisect_left(ordered, prefix) :]:
            if not path.startswith(prefix):
                break
            if pattern is not None and pattern.fullmatch(path, len(prefix)):
                found.append(path)
        if found:
            yield from found
            return


def _compiled(glob: str) -> re.Pattern[str] | None:
    """Return the pattern of a glob, or None for an empty one and for one with too many stars."""
    return pattern_with_choices(without_classes(glob)) if glob and glob.count("*") <= _MAX_STARS else None
