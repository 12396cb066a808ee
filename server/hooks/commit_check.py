"""Checks what is staged: what does the commit break by itself?

Only what the commit changes can break something, so no index is needed. Files that import what is gone have its name, or the
name of its file, and Git finds these words in the staged content.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from ...ingest.changes.comparison import files_naming
from ...ingest.changes.git_objects import ContentReader
from ...ingest.files.workspace_files import join_path
from ...ingest.incremental.broken_imports import Breakage, broken_by_change, lost_names
from ...ingest.incremental.tree_state import TreeState
from ...schema.languages import BY_NAME, LANGUAGES, language_of
from ...schema.paths import parent_of
from ...schema.settings import Settings
from .staged_tree import ignored_paths, staged_files_with, staged_tree

#: Seconds after which no more files are looked at, those that the commit changes first.
PATIENCE = 5.0
#: Maximum number of findings that are printed.
MAX_FINDINGS = 20


class CheckedCommit(NamedTuple):
    """What a commit breaks."""

    findings: list[Breakage]
    #: Number of files that the commit may break and that were not looked at.
    skipped: int = 0


def check_staged(top: Path, inside: str, settings: Settings) -> CheckedCommit:
    """Check what is staged in the folder `inside` ("." for all) of the repository at `top`. Raises GitFailed."""
    deadline = time.monotonic() + PATIENCE
    tree = staged_tree(top, inside)
    changed = [path for path in tree.changed if language_of(path) is not None]
    if not changed:
        return CheckedCommit([])
    root = (top / inside).resolve().as_posix()
    with ContentReader(top, settings.max_file_size) as contents:
        before = TreeState(root, tree.committed, contents.files(tree.committed))
        after = TreeState(root, tree.staged, contents.files(tree.staged), before)
        lost: dict[str, frozenset[str]] = {}
        for path in changed:
            if time.monotonic() < deadline:
                lost[path] = lost_names(before, after, path)
        naming = files_naming(lost, before, after, lambda words: staged_files_with(top, inside, words))
        others = [path for path in sorted(naming) if language_of(path) is not None]
        all_lost = frozenset[str]().union(*lost.values())
        findings: list[Breakage] = []
        pending = [path for path in others if path not in tree.changed and path in tree.staged] + changed
        while pending and time.monotonic() < deadline:
            path = pending.pop()
            of_change, of_others = ([path], ()) if path in tree.changed else ((), [path])
            findings += broken_by_change(before, after, of_change, of_others, all_lost)
    return CheckedCommit(_without_made(top, inside, tree.staged, sorted(findings)), len(pending))


def report(checked: CheckedCommit) -> str:
    """Return the findings for people; "" if there are none and all files were looked at."""
    shown = checked.findings[:MAX_FINDINGS]
    skipped = f"{checked.skipped:,} files were not looked at, because the check took more than {PATIENCE:g} seconds."
    count = len(checked.findings)
    if not shown:
        return f"astrolabe: {skipped}" if checked.skipped else ""
    lines = [f"astrolabe: this commit breaks {count:,} {'place' if count == 1 else 'places'}:"]
    lines += [f"  {found.path}:{found.line} {found.reason}" for found in shown]
    if count > len(shown):
        lines.append(f"  … and {count - len(shown):,} more")
    if checked.skipped:
        lines.append(f"  {skipped}")
    return "\n".join(lines)


def _without_made(top: Path, inside: str, staged: Iterable[str], findings: list[Breakage]) -> list[Breakage]:
    """Return the findings without imports of files that a build makes: Git ignores them, or they have a source of the same
    name in another language."""
    places = {found: _places(found) for found in findings if found.missing}
    if not places:
        return findings
    ignored = ignored_paths(top, inside, sorted({place for several in places.values() for place in several}))
    stems = {_stem(path) for path in staged}
    made = {
        found for found, several in places.items() if not {*several}.isdisjoint(ignored) or not {*several[:1]}.isdisjoint(stems)
    }
    return [found for found in findings if found not in made]


def _stem(path: str) -> str:
    """`native/fast.pyx` -> `native/fast`."""
    folder, slash, name = path.rpartition("/")
    return folder + slash + name.partition(".")[0]


def _places(found: Breakage) -> list[str]:
    """Return where the file of a specifier may lie, first without any extension; [] if outside of the workspace.

    Specifiers are paths (`./a/b`), or names of modules with dots alone (`..a.b`).
    """
    specifier = found.missing.partition("?")[0]
    if "/" not in specifier and specifier.strip("."):
        name = specifier.lstrip(".")
        specifier = "../" * (len(specifier) - len(name) - 1) + name.replace(".", "/")
    place = join_path(parent_of(found.path), specifier)
    if place is None:
        return []
    language = BY_NAME[language_of(found.path) or ""]
    endings = [ending for other in LANGUAGES if other.folder == language.folder for ending in other.extensions]
    bases = [place, *(place.removesuffix(ending) for ending in endings if place.endswith(ending))]
    return [
        _stem(place),
        *bases,
        *(f"{base}{middle}{ending}" for base in bases for middle in ("", "/index") for ending in endings),
    ]
