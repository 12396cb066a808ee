"""A cache of the answers of workflows. The key has all that an answer depends on, such as the generation and the settings."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from .....ingest.files.git_head import git_head
from .....schema.errors import WorkspaceError
from .....schema.version import __version__
from ....environment.data_folder import WORKFLOWS_FOLDER
from ....environment.file_change import FileChange
from ...graph_tools.records import GraphAnswer
from .template import Template

if TYPE_CHECKING:
    from ....stores.readers import Readers
    from ...requests.answering_index import AnsweringIndex

#: Maximum number of cached answers.
MAX_ANSWERS = 64
_SUFFIX = ".json"


def kept_or_made(
    workspace: AnsweringIndex, readers: Readers, template: Template, values: Mapping[str, str], make: Callable[[], GraphAnswer]
) -> GraphAnswer:
    """Return the answer of a workflow, from the cache or from `make`, with the time of its computation.

    If the cache cannot be written, as in a read-only folder, the next call computes the answer again.
    """
    if not template.is_kept:
        return _dated(make())
    path = workspace.data_dir / WORKFLOWS_FOLDER / f"{_key(workspace, readers, template, values)}{_SUFFIX}"
    kept = _read(path)
    if kept is not None:
        return kept
    answer = _dated(make())
    with suppress(WorkspaceError):  # the answer is valid even if the cache cannot be written
        FileChange(path, None, msgspec.json.encode(answer)).apply()
        _remove_oldest(path.parent)
    return answer


def _dated(answer: GraphAnswer) -> GraphAnswer:
    return msgspec.structs.replace(answer, made_at=datetime.now(UTC).isoformat(timespec="seconds"))


def _key(workspace: AnsweringIndex, readers: Readers, template: Template, values: Mapping[str, str]) -> str:
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
        template.outside(workspace, values) if template.outside is not None else "",
        sorted(values.items()),
    ]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:40]


def _read(path: Path) -> GraphAnswer | None:
    try:
        return msgspec.json.decode(path.read_bytes(), type=GraphAnswer)
    except (OSError, msgspec.DecodeError):  # the answer is not cached, or its file damaged
        return None


def _remove_oldest(folder: Path) -> None:
    """Remove the oldest answers above `MAX_ANSWERS`. Another process may remove the same answers at the same time."""
    times: list[tuple[float, Path]] = []
    for path in folder.glob(f"*{_SUFFIX}"):
        with suppress(OSError):
            times.append((path.stat().st_mtime, path))
    for _, path in sorted(times)[: max(len(times) - MAX_ANSWERS, 0)]:
        with suppress(OSError):
            path.unlink()
