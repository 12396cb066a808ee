"""Options of many commands, and the workspace that these options select."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..environment.terminal import print_message, progress_on

if TYPE_CHECKING:
    from ..api.workspace import Workspace

Root = Annotated[
    Path | None,
    typer.Option(
        "--root",
        metavar="PATH",
        help="Folder of the repository. Default: the nearest folder upward with .astrolabe, else .git, else the current one.",
    ),
]
DataDir = Annotated[
    Path | None, typer.Option("--data-dir", metavar="PATH", help="Folder of the index. Default: .astrolabe in the root.")
]
At = Annotated[
    str,
    typer.Option("--at", metavar="REF", help="Read a commit, a branch or a tag instead of the work tree."),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]
Budget = Annotated[int | None, typer.Option("--budget", metavar="T", help="Maximum number of tokens of the answer.")]


@contextmanager
def opened_workspace(root: Path | None, data_dir: Path | None, at: str = "") -> Iterator[Workspace]:
    """Yield the workspace that the options select, at the commit `at` if given. Indexing shows a progress bar."""
    from ..api.workspace import Workspace

    with (
        progress_on(sys.stderr) as progress,
        Workspace.locate(root, data_dir, progress=progress, notify=print_message) as workspace,
    ):
        if not at:
            yield workspace
            return
        with workspace.at(at) as past:
            yield past
