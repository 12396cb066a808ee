"""The properties in `@{ … }` after a node, a participant or an edge of mermaid."""

from __future__ import annotations

import re

from .scanner import Scanner

_ENTRY = re.compile(
    r"\s*(?:,\s*)?\"?([\w-]+)\"?[ \t]*:[ \t]*(?:\"((?:[^\"\\]|\\.)*)\"|'([^'\n]*)'|([^,\n}\"']*))",
    re.DOTALL,
)
_END = re.compile(r"\s*(?:,\s*)?\}")
#: A sign with a backslash between double quotes, as in YAML.
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_ESCAPED = {"n": "\n", "t": "\t", "r": ""}
_INDENTED_BREAK = re.compile(r"\n[ \t]*")


def shape_data(scanner: Scanner) -> dict[str, str]:
    """Read the entries up to `}`. The current position is after `@{`."""
    entries: dict[str, str] = {}
    while scanner.match(_END) is None:
        entry = scanner.match(_ENTRY)
        if entry is None:
            raise scanner.failure("an entry `name: value` or `}`")
        if entry[2] is not None:
            value = _INDENTED_BREAK.sub("\n", entry[2])
            entries[entry[1]] = _ESCAPE.sub(lambda sign: _ESCAPED.get(sign[1], sign[1]), value)
        else:
            entries[entry[1]] = entry[3] if entry[3] is not None else entry[4].strip()
    return entries
