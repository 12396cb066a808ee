"""Find the files that changes affect in languages whose files share the scope of a package.

Changes in function bodies affect no other file. A change of members that only matter to files that contain their names affects
these files. Any other change of a file affects its package and all packages that import it,
directly or not, because imported types may contain types of the package. A change of types or methods affects all files of the
language, because it may change which types implement an interface.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping

from ...schema.paths import parent_of
from ..facts.model import FileFacts
from ..languages.registry import language as language_named
from .file_links import FileLinks, target_path


def shares_packages(language: str) -> bool:
    """Return whether files of a language share the scopes of packages."""
    rules = language_named(language).nominal
    return rules is not None and rules.is_static


def files_of_changed_packages(
    changed: Iterable[tuple[str, FileFacts | None, FileFacts | None]],
    relinked: Collection[str],
    links: Mapping[str, FileLinks],
    contains: Callable[[str, frozenset[str]], bool],
) -> set[str]:
    """Return the files that changes affect. `contains` tells whether a file contains any of some names.

    `changed` has the path, the old facts and the new facts of changed, added and removed files of a language that shares
    packages. `relinked` are files whose imports now resolve to another target.
    """
    folders: dict[str, set[str]] = {}
    names: dict[str, set[str]] = {}
    everything: set[str] = {links[path].language for path in relinked if path in links and shares_packages(links[path].language)}
    for path, before, after in changed:
        known = before or after
        if known is None:
            continue
        if _types(before) != _types(after):
            everything.add(known.language)
        elif _offered(before) != _offered(after):
            folders.setdefault(known.language, set()).add(parent_of(path))
        elif before is not None and after is not None:
            old, new = before.package_members, after.package_members
            names.setdefault(known.language, set()).update(name for name in {*old, *new} if old.get(name) != new.get(name))
    found = {path for path, entry in links.items() if entry.language in everything}
    for language, of_language in folders.items():
        if language not in everything:
            found |= _importing(of_language, {path: entry for path, entry in links.items() if entry.language == language})
    for language, changed_names in names.items():
        if language not in everything and changed_names:
            wanted = frozenset(changed_names)
            found |= {path for path, entry in links.items() if entry.language == language and contains(path, wanted)}
    return found


def _types(facts: FileFacts | None) -> bytes:
    return facts.package_types if facts is not None else b""


def _offered(facts: FileFacts | None) -> bytes:
    return facts.package_names if facts is not None else b""


def _importing(folders: set[str], links: Mapping[str, FileLinks]) -> set[str]:
    """Return the files in some folders, and in all folders that import these folders, directly or not."""
    importers: dict[str, set[str]] = {}
    for path, entry in links.items():
        for target in entry.resolved.values():
            source = target_path(target)
            if source is not None:
                importers.setdefault(parent_of(source), set()).add(parent_of(path))
    waiting, seen = list(folders), set(folders)
    while waiting:
        for folder in importers.get(waiting.pop(), ()):
            if folder not in seen:
                seen.add(folder)
                waiting.append(folder)
    return {path for path in links if parent_of(path) in seen}
