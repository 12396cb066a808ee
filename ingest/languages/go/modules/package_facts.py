"""Read a file of a module outside of the workspace for its types: without symbols, chunks and bodies of functions."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Final

import msgspec

from ....facts.cache import FactKey, pack_facts
from ....facts.model import FileFacts, int_cells
from ....files.source_text import decode_source
from ....symbols.lowering_state import LoweringState
from ...deep_stack import call_deeply
from .declarations import declarations_of

if TYPE_CHECKING:
    from ....facts.cache import FactCache

#: Tells the facts of such a file apart from those of the same file in a repository.
_APART: Final = b"installed\n"


def package_facts(data: bytes, cache: FactCache | None) -> FileFacts | None:
    """Return the facts of a file; None if it is not text or nests too deeply. Raises `StoreError`."""
    key = FactKey.of(sha256(_APART + data).hexdigest(), "go")
    known = cache.get(key) if cache is not None else None
    if known is None:
        known = _read(data)
        if cache is not None and known is not None:
            cache.put(key, pack_facts(msgspec.msgpack.encode(known)))
    return known


def _read(data: bytes) -> FileFacts | None:
    from ...syntax_only.parsing import parse
    from .. import READER
    from ..lowering import lower_file

    source = decode_source(data)
    if source.is_binary:
        return None
    parsed = parse(declarations_of(source.data), READER.rules)
    if parsed.root.has_error:  # the layout misled
        parsed = parse(source.data, READER.rules)
    state = LoweringState(parsed.data, parsed.data, "go", mended=False, joins_overloads=True)
    try:
        lowered = call_deeply(lambda: lower_file(state, parsed.root))
    except RecursionError:
        return None
    facts = FileFacts(
        language="go",
        lines=1,
        line_starts=int_cells([0]),
        symbols=[],
        chunks=[],
        problems=[],
        is_module=True,
    )
    lowered.fill(facts)
    return facts
