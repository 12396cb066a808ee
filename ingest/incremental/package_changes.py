"""Find the files that changes affect in languages whose files share the scope of a package.

Changes in function bodies affect no other file. Other changes affect the files that may read a changed declaration: in a language
in which types name their interfaces, by `package_names`, and in other languages, by `implementing_names`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from ...schema.languages import DOCUMENTS
from ..facts.model import FileFacts
from ..languages.registry import has_overloads
from .file_links import FileLinks
from .implementing_names import ChangedPackages, files_of_changes
from .package_names import ChangedNames, documents_reading, files_reading, shares_packages


def files_of_changed_packages(
    changed: Iterable[tuple[str, FileFacts | None, FileFacts | None]],
    relinked: Mapping[str, Collection[str]],
    links_before: Mapping[str, FileLinks],
    links: Mapping[str, FileLinks],
    rules_changed: bool,
) -> set[str]:
    """Return the files that changes affect. If rules changed, such as a manifest, names may mean other files everywhere.

    `changed` has the path, the old facts and the new facts of changed, added and removed files of a language that shares
    packages. `relinked` has the specifiers that now resolve to another target, by the path of the file.
    """
    names: dict[str, ChangedNames] = {}
    packages: dict[str, ChangedPackages] = {}
    everything: set[str] = set()
    for path, specifiers in relinked.items():
        language = links[path].language if path in links else ""
        if language and shares_packages(language):
            if rules_changed:
                everything.add(language)
            elif has_overloads(language):
                names.setdefault(language, ChangedNames()).relink(specifiers)
    for path, before, after in changed:
        known = before or after
        if known is None:
            continue
        if _digest(before) != _digest(after):
            everything.add(known.language)
        elif has_overloads(known.language):
            names.setdefault(known.language, ChangedNames()).compare(before, after)
        else:
            packages.setdefault(known.language, ChangedPackages()).compare(path, before, after)
    found = {path for path, entry in links.items() if entry.language in everything}
    for language, changed_names in names.items():
        if language not in everything:
            entries = {path: entry for path, entry in links.items() if entry.language == language}
            words = {path: entry.words for path, entry in entries.items()}
            found |= files_reading(changed_names, words, {path: entry.named for path, entry in entries.items()})
    for language, changed_packages in packages.items():
        if language not in everything:
            of_language = [
                {path: entry for path, entry in state.items() if entry.language == language} for state in (links_before, links)
            ]
            found |= files_of_changes(changed_packages, *of_language)
    return found


def documents_of_changed_packages(
    changed: Iterable[tuple[str, FileFacts | None, FileFacts | None]],
    relinked: Mapping[str, Collection[str]],
    links: Mapping[str, FileLinks],
) -> set[str]:
    """Return the documents whose blocks may read what changed in files of languages that share packages.

    The arguments are those of `files_of_changed_packages`.
    """
    words = {path: entry.words for path, entry in links.items() if entry.words and entry.language in DOCUMENTS}
    if not words:
        return set()
    if any(path in links and shares_packages(links[path].language) for path in relinked):
        return set(words)
    names: dict[str, ChangedNames] = {}
    for _, before, after in changed:
        known = before or after
        if known is None:
            continue
        if _digest(before) != _digest(after):
            return set(words)
        names.setdefault(known.language, ChangedNames()).compare(before, after)
    found: set[str] = set()
    for language, changed_names in names.items():
        named = {path: entry.named for path, entry in links.items() if entry.language == language}
        found |= documents_reading(changed_names, words, named)
    return found


def _digest(facts: FileFacts | None) -> bytes:
    return facts.package_digest if facts is not None else b""
