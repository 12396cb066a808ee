"""Facts of the runtime's own declarations: what `Array`, `Promise` and `document` are."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from .extraction import extract_facts
from .facts import FileFacts


@cache
def runtime_facts() -> FileFacts:
    """The declaration files of `ingest/runtime`, read as one."""
    folder = files(f"{__package__}.runtime")
    sources = sorted((entry for entry in folder.iterdir() if entry.name.endswith(".d.ts")), key=lambda entry: entry.name)
    return extract_facts(b"\n".join(entry.read_bytes() for entry in sources), "typescript")
