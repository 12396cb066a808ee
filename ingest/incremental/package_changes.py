"""Find the files that changes affect in languages whose files share the scope of a package.

Changes in function bodies affect no other file. In a language that has digests of each declared name, a change affects the files
that may read the declaration (`package_names`). In other languages, any change of a file affects its package and all packages
that import it, directly or not, because imported types may contain types of the package. A change of types or methods affects all
files of such a language, because it may change which types implement an interface.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from ...schema.paths import parent_of
from ..facts.model import FileFacts
from ..languages.registry import language as language_named
from .file_links import FileLinks, target_path
from .package_names import ChangedNames, files_reading, has_names


def shares_packages(language: str) -> bool:
    """Return whether files of a language share the scopes of packages."""
    rules = language_named(language).nominal
    return rules is not None and rules.is_static


def files_of_changed_packages(
    changed: Iterable[tuple[str, FileFacts | None, FileFacts | None]],
    relinked: Mapping[str, Collection[str]],
    links: Mapping[str, FileLinks],
    rules_changed: bool,
) -> set[str]:
    """Return the files that changes affect. If rules changed, such as a manifest, names may mean other files everywhere.

    `changed` has the path, the old facts and the new facts of changed, added and removed files of a language that shares
    packages. `relinked` has the specifiers that now resolve to another target, by the path of the file.
    """
    folders: dict[str, set[str]] = {}
    names: dict[str, ChangedNames] = {}
    everything: set[str] = set()
    for path, specifiers in relinked.items():
        language = links[path].language if path in links else ""
        if language and has_names(language) and not rules_changed:
            names.setdefault(language, ChangedNames()).relink(specifiers)
        elif language and shares_packages(language):
            everything.add(language)
    for path, before, after in changed:
        known = before or after
        if known is None:
            continue
        if _types(before) != _types(after):
            everything.add(known.language)
        elif _offered(before) != _offered(after):
            folders.setdefault(known.language, set()).add(parent_of(path))
        else:
            names.setdefault(known.language, ChangedNames()).compare(before, after)
    found = {path for path, entry in links.items() if entry.language in everything}
    for language, of_language in folders.items():
        if language not in everything:
            found |= _importing(of_language, {path: entry for path, entry in links.items() if entry.language == language})
    for language, changed_names in names.items():
        if language not in everything:
            entries = {path: entry for path, entry in links.items() if entry.language == language}
            words = {path: entry.words for path, entry in entries.items()}
            found |= files_reading(changed_names, words, {path: entry.named for path, entry in entries.items()})
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
