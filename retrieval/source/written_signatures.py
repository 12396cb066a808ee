"""The parts of a symbol's signature in the languages whose types are resolved, except TypeScript and JavaScript."""

from __future__ import annotations

from ...ingest.languages.registry import language
from ...schema.languages import language_of
from ...schema.records import Symbol
from ...schema.signatures import SignatureParts


def written_parts(symbol: Symbol) -> SignatureParts | None:
    """Return the parts of the signature of a callable, field or variable by the rules of its language; None without rules."""
    name = language_of(symbol.relative_path)
    read = language(name).signature_parts if name is not None else None
    return read(symbol.signature) if read is not None else None
