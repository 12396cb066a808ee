"""Lower a file of an external module for its types, without bodies of functions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...symbols.lowering_state import LoweringState
from ..syntax_only.package_facts import package_facts
from ..syntax_only.parsing import parse
from . import READER
from .lowering import lower_file
from .modules.declarations import declarations_of

if TYPE_CHECKING:
    from ...facts.cache import FactReader
    from ...facts.model import FileFacts
    from ...files.source_text import SourceText


def go_package_facts(data: bytes, cache: FactReader | None) -> FileFacts | None:
    """Return the facts of a file; None if it is not text or nests too deeply. Raises `StoreError`."""
    return package_facts(data, "go", cache, _lower)


def _lower(source: SourceText) -> tuple[LoweringState, list[int]]:
    """Return the lowered declarations of a file. The declarations have no line numbers, because the lowered text differs from the
    file.
    """
    parsed = parse(declarations_of(source.data), READER.rules)
    if parsed.root.has_error:  # the removal failed, because the file is not in the layout of `gofmt`
        parsed = parse(source.data, READER.rules)
    state = LoweringState(parsed.data, parsed.data, "go", is_repaired=False, joins_overloads=True)
    return lower_file(state, parsed.root), [0]
