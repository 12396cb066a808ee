"""Prepare a workspace for a long-lived server. This module does not import the protocol library."""

from __future__ import annotations

import os
import sys
import threading
from typing import NoReturn

from ..api.workspace import Workspace
from ..environment.gc_freeze import settle


def live_long(workspace: Workspace) -> None:
    """Keep the memory of a workspace small between questions, and its graph compact."""
    workspace.on_built = settle
    workspace.release_memory_when_idle()
    workspace.write_in_another_process()
    workspace.keep_compact(workspace.warm_up)


def warm_up(workspace: Workspace) -> None:
    """Load the engines in the background, and bring an existing index up to date. Never builds a first index."""
    threading.Thread(target=workspace.warm_up, name="warm-up", daemon=True).start()


def end_process() -> NoReturn:
    """End this process at once with the exit code 0. The workspace must be closed.

    A normal exit would run destructors of the engines while background threads still use the engines, and a refresh that started
    late would print a traceback.
    """
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)
