"""Facts about sources from other files of a workspace: programs that start, name or generate the sources."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from ...ingest.files.discovery import discover
from ...ingest.files.generated_marks import marked_generated
from ...ingest.files.unread_files import read_unread_files
from ...ingest.languages.typescript.entry_points import EntryPoints, entry_points, outside_reader
from ...ingest.languages.typescript.named_files import EXTENSION_MANIFEST
from ...schema.languages import BY_NAME, is_resolved_path, language_of
from ...schema.settings import Settings
from ...schema.unread_files import UnreadFile

_PAGES = (".html", ".htm", ".xhtml")


@dataclass(frozen=True, slots=True)
class OutsideFacts:
    """Facts about the sources that are not in their code."""

    entries: EntryPoints
    #: Names in unresolved files.
    unread: Sequence[UnreadFile]
    #: Sources that `.gitattributes` marks as generated or vendored.
    marked_generated: Collection[str]


def read_outside_facts(root: Path, settings: Settings, sources: Iterable[str]) -> OutsideFacts:
    """Read the facts about sources, which are indexed paths, in the files below `root`."""
    known = list(sources)
    found = discover(root, settings)
    naming = found.naming_files
    pages = [path for path in naming if path.endswith(_PAGES)]
    pages += [path for path in found.data_files if path.rpartition("/")[2] == EXTENSION_MANIFEST]
    unread = {*naming, *(path for path in known if not is_resolved_path(path))}
    return OutsideFacts(
        entry_points(root, known, found.configuration_files, pages),
        read_unread_files(root, unread),
        marked_generated(root, found.folders, known),
    )


def reader_outside(root: Path, path: str, names: Collection[str]) -> str:
    """Return why code outside of the repository may use exports of a file; "" if nothing is known, as for other languages."""
    language = BY_NAME.get(language_of(path) or "")
    if language is None or "typescript" not in (language.folder, *language.builds_on):
        return ""
    return outside_reader(root, path, names)
