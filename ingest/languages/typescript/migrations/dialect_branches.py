"""The parts of a migration that run in one dialect only: `switch (type) { case "postgres": … case "mysql": … }`."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import Final

#: Text of strings and comments, and what begins and ends a branch. A string may not end, as in a file that is cut off.
_TOKENS: Final = re.compile(
    rb"'(?:\\.|[^'\\\n])*'?|\"(?:\\.|[^\"\\\n])*\"?|`(?:\\.|[^`\\])*`?|//[^\n]*|/\*(?s:.*?)(?:\*/|\Z)|(?P<open>\{)|(?P<close>\})"
    rb"|\bcase\b(?P<case>(?:[^:\n]|::){1,120}):|\b(?P<default>default)[ \t]*:"
)
#: Names of dialects in the order in which one is chosen.
_DIALECTS: Final = tuple(
    (name, re.compile(pattern, re.IGNORECASE))
    for name, pattern in (
        ("postgres", rb"postgres|cockroach|\bpg\b"), ("mysql", rb"mysql|maria"), ("sqlite", rb"sqlite"),
        ("tsql", rb"mssql|sqlserver"), ("oracle", rb"oracle"),
    )
)  # fmt: skip


class DialectBranches:
    """The branches of `switch` statements whose cases name dialects."""

    def __init__(self, source: bytes) -> None:
        #: The offsets where branches begin and end, and the dialect from there; "" for code of all dialects.
        self._offsets = [0]
        self._dialects = [""]
        depth, outer = 0, list[tuple[int, str]]()
        for token in _TOKENS.finditer(source) if b"case" in source else ():
            if token["open"]:
                depth += 1
            elif token["close"]:
                depth -= 1
                while outer and depth < outer[-1][0]:
                    self._begin(token.end(), outer.pop()[1])
            elif token["case"] or token["default"]:
                dialect = _dialect_of(token["case"]) if token["case"] else ""
                is_branch = bool(outer) and outer[-1][0] == depth
                if is_branch or dialect:
                    if not is_branch:
                        outer.append((depth, self._dialects[-1]))
                    self._begin(token.end(), dialect)
        found = set(self._dialects)
        self._chosen = next((name for name, _ in _DIALECTS if name in found), "")

    def _begin(self, offset: int, dialect: str) -> None:
        self._offsets.append(offset)
        self._dialects.append(dialect)

    def is_chosen(self, offset: int) -> bool:
        """Return whether code at an offset runs in the chosen dialect, the first one of `_DIALECTS`."""
        return self._dialects[bisect_right(self._offsets, offset) - 1] in ("", self._chosen)


def _dialect_of(label: bytes) -> str:
    return next((name for name, pattern in _DIALECTS if pattern.search(label)), "")
