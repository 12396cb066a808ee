"""The identity of symbols: a pure function of path, kind and name."""

from __future__ import annotations

from hashlib import blake2b


def symbol_id(relative_path: str, kind: str, qualified_name: str, ordinal: int) -> str:
    """Return the id of a symbol: 16 hexadecimal digits. Edits above a symbol do not change its id.

    `ordinal` counts the symbols of the same path, kind and qualified name, in source order, from 0.
    """
    place = f"{relative_path}\0{kind}\0{qualified_name}\0{ordinal}"
    return blake2b(place.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
