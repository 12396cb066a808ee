"""Answers of workflows that are kept by generation, last commit and parameters: the same question is answered once."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from ....ingest.files.git_head import git_head
from ....schema.errors import WorkspaceError
from ....schema.version import __version__
from ...environment.data_folder import WORKFLOWS_FOLDER
from ...environment.file_change import FileChange
from ..graph_tools.records import GraphAnswer
from .records import Template

if TYPE_CHECKING:
    from ...stores.readers import Readers
    from ..workspace import Workspace

#: Most answers that are kept.
MAX_ANSWERS = 64
_SUFFIX = ".json"


def kept_or_made(
    workspace: Workspace, readers: Readers, template: Template, values: Mapping[str, str], make: Callable[[], GraphAnswer]
) -> GraphAnswer:
    """Return the answer of a workflow with the time at which it was made, from the cache or by `make`.

    An answer that cannot be cached, such as in a read-only folder, is made again the next time.
    """
    if not template.is_kept:
        return _dated(make())
    path = workspace.data_dir / WORKFLOWS_FOLDER / f"{_key(workspace, readers, template, values)}{_SUFFIX}"
    kept = _read(path)
    if kept is not None:
        return kept
    answer = _dated(make())
    with suppress(WorkspaceError):  # the answer itself does not depend on being kept
        FileChange(path, None, msgspec.json.encode(answer)).apply()
        _remove_oldest(path.parent)
    return answer


def _dated(answer: GraphAnswer) -> GraphAnswer:
    return msgspec.structs.replace(answer, made_at=datetime.now(UTC).isoformat(timespec="seconds"))


def _key(workspace: Workspace, readers: Readers, template: Template, values: Mapping[str, str]) -> str:
    """Return a name for everything that an answer depends on."""
    source = ""
    if template.origin:
        source = hashlib.sha256((workspace.root / template.origin).read_bytes()).hexdigest()
    parts = [
        __version__,
        repr(workspace.settings),
        list(readers.generation.name),
        git_head(workspace.root),
        template.name,
        source,
        sorted(values.items()),
    ]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:40]


def _read(path: Path) -> GraphAnswer | None:
    try:
        return msgspec.json.decode(path.read_bytes(), type=GraphAnswer)
    except (OSError, msgspec.DecodeError):  # there is none, or its file is damaged: it is made anew
        return None


def _remove_oldest(folder: Path) -> None:
    """Remove the oldest answers beyond the number that is kept. Another process may remove the same ones."""
    times: list[tuple[float, Path]] = []
    for path in folder.glob(f"*{_SUFFIX}"):
        with suppress(OSError):
            times.append((path.stat().st_mtime, path))
    for _, path in sorted(times)[: max(len(times) - MAX_ANSWERS, 0)]:
        with suppress(OSError):
            path.unlink()
