"""The properties in `@{ … }` after a node, a participant or an edge of mermaid."""

from __future__ import annotations

import re

from .scanner import Scanner

_ENTRY = re.compile(r"\s*(?:,\s*)?\"?([\w-]+)\"?[ \t]*:[ \t]*(?:\"([^\"]*)\"|'([^'\n]*)'|([^,\n}\"']*))")
_END = re.compile(r"\s*(?:,\s*)?\}")
_INDENTED_BREAK = re.compile(r"\n[ \t]*")


def shape_data(scanner: Scanner) -> dict[str, str]:
    """Read the entries up to `}`. The current position is after `@{`."""
    entries: dict[str, str] = {}
    while scanner.match(_END) is None:
        entry = scanner.match(_ENTRY)
        if entry is None:
            raise scanner.failure("an entry `name: value` or `}`")
        value = entry[2] if entry[2] is not None else entry[3] if entry[3] is not None else entry[4].strip()
        entries[entry[1]] = _INDENTED_BREAK.sub("\n", value)
    return entries
