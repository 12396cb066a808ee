"""Lower a file of an installed package for its types, without bodies of functions that show no types."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...symbols.lowering_state import LoweringState
from ..syntax_only.package_facts import package_facts
from ..syntax_only.parsing import parse
from . import READER
from .lowering import lower_declarations

if TYPE_CHECKING:
    from ...facts.cache import FactReader
    from ...facts.model import FileFacts
    from ...files.source_text import SourceText


def python_package_facts(data: bytes, cache: FactReader | None) -> FileFacts | None:
    """Return the facts of a file of a package; None if it is not text or nests too deeply. Raises `StoreError`."""
    return package_facts(data, "python", cache, _lower)


def _lower(source: SourceText) -> tuple[LoweringState, list[int]]:
    parsed = parse(source.data, READER.rules)
    state = LoweringState(source.data, source.data, "python", is_repaired=False, joins_overloads=True)
    return lower_declarations(state, parsed.root), source.line_starts
