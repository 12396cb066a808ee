"""Names that code composes at run time, such as `on…` for the key of ``this[`on${event}`]``."""

from __future__ import annotations

#: Stands for a computed part of a name.
COMPUTED = "…"


def fits_composed_name(name: str, composed: str) -> bool:
    """Return whether a name may be the value of a composed name: `onClose` fits `on…`."""
    if COMPUTED not in composed:
        return name == composed
    begin, *inner, end = composed.split(COMPUTED)
    if len(name) < len(begin) + len(end) or not name.startswith(begin) or not name.endswith(end):
        return False
    position, last = len(begin), len(name) - len(end)
    for text in inner:
        found = name.find(text, position, last)
        if found < 0:
            return False
        position = found + len(text)
    return True
