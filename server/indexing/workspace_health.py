"""Facts of `astrolabe status` other than freshness: gaps of the graph, the size of the history, and clients."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from ...graphdb.queries.unknown import UnresolvedCalls, UnresolvedImport, unresolved_calls, unresolved_imports
from ...ingest.history.git import GitRepository
from ...ingest.history.store import ReadHistory, read_history
from ...ingest.languages.module_manifests import ManifestGap
from ...schema.process.git import GitFailed
from ..clients.client_entries import has_entry
from ..clients.clients import CLIENTS

if TYPE_CHECKING:
    from ...graphdb.database import GraphDatabase
    from ...ingest.files.discovery import Discovery


class Health(msgspec.Struct, frozen=True, rename="camel"):
    """The gaps of an index, the read history, and the clients that use the index."""

    #: Imports that are resolved neither to a file nor to a package.
    unresolved_imports: tuple[UnresolvedImport, ...]
    #: Problems of manifests, and packages that manifests require and that are not on this machine.
    manifest_gaps: tuple[ManifestGap, ...]
    #: Unresolved calls, counted by language and reason.
    unresolved_calls: tuple[UnresolvedCalls, ...]
    #: The read commits; None if no commits were read.
    history: ReadHistory | None
    #: Names of the clients whose files in the project start the server.
    clients: tuple[str, ...]


def gather_gaps(root: Path, discovery: Discovery) -> list[ManifestGap]:
    """Return what the manifests among the discovered files leave unknown."""
    from ...ingest.files.workspace_files import WorkspaceFiles
    from ...ingest.languages.workspace_modules import manifest_gaps

    paths = [file.relative_path for file in discovery.files]
    return manifest_gaps(WorkspaceFiles(root, paths, discovery.configuration_files, discovery.data_files))


def gather_health(root: Path, history_folder: Path, discovery: Discovery, graph: GraphDatabase) -> Health:
    """Return the health of an index. A workspace outside of a repository has no history."""
    history: ReadHistory | None = None
    with suppress(GitFailed):  # outside of a repository, or without Git
        history = read_history(history_folder, GitRepository(root))
    return Health(
        unresolved_imports=tuple(unresolved_imports(graph)),
        manifest_gaps=tuple(gather_gaps(root, discovery)),
        unresolved_calls=tuple(unresolved_calls(graph)),
        history=history,
        clients=tuple(client.name for client in CLIENTS if has_entry(root, client)),
    )
