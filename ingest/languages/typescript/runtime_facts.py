"""Facts of the runtime's own declarations: what `Array`, `Promise` and `document` are."""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from importlib.resources import files

import msgspec

from ...facts.cache import FactCache, FactKey, pack_facts
from ...facts.model import FileFacts
from ..extraction import extract_facts

_LANGUAGE = "typescript"
#: What `cached_runtime_facts` gave, for the life of the process.
_known: list[FileFacts] = []


@cache
def runtime_facts() -> FileFacts:
    """The declaration files of `ingest/runtime`, read as one."""
    return extract_facts(_source(), _LANGUAGE)


@cache
def runtime_key() -> FactKey:
    """The key under which a cache has these facts."""
    return FactKey.of(sha256(_source()).hexdigest(), _LANGUAGE)


def cached_runtime_facts(facts: FactCache | None) -> FileFacts:
    """The same from a cache, which reads them ten times as fast, or else for it. Raises StoreError."""
    if not _known:
        known = facts.get(runtime_key()) if facts is not None else None
        _known.append(runtime_facts() if known is None else known)
        if facts is not None and known is None:
            facts.put(runtime_key(), pack_facts(msgspec.msgpack.encode(_known[0])))
    return _known[0]


def _source() -> bytes:
    folder = files(f"{__package__}.runtime")
    sources = sorted((entry for entry in folder.iterdir() if entry.name.endswith(".d.ts")), key=lambda entry: entry.name)
    return b"\n".join(entry.read_bytes() for entry in sources)
