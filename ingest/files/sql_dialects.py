"""The dialects of SQL that the setting `sql_dialect` states for files, by patterns of their paths."""

from __future__ import annotations

import re
from collections.abc import Iterable

from .ignore_rules import glob_to_regex, parse_ignore_line


class SqlDialects:
    """The dialect of each file. If several entries match a file, the last entry counts."""

    def __init__(self, entries: Iterable[str]) -> None:
        """An entry is a dialect, or a pattern in the syntax of ignore files and a dialect: `reports/=bigquery`."""
        self._default = ""
        #: Patterns and dialects, in reverse order.
        self._patterns: list[tuple[re.Pattern[str], str]] = []
        for entry in entries:
            pattern, is_pattern, dialect = entry.rpartition("=")
            if not is_pattern:
                self._default = dialect
            elif (expression := _path_expression(pattern)) is not None:
                self._patterns.insert(0, (expression, dialect))

    def of(self, path: str) -> str:
        """Return the dialect of a file, or "" if the settings state none."""
        return next((dialect for pattern, dialect in self._patterns if pattern.fullmatch(path) is not None), self._default)


def _path_expression(pattern: str) -> re.Pattern[str] | None:
    """Return an expression for the paths of files that a pattern of ignore files matches, or None for a malformed pattern."""
    rule = parse_ignore_line(pattern, "sql_dialect")
    expression = glob_to_regex(rule.pattern) if rule is not None and not rule.negated else None
    if rule is None or expression is None:
        return None
    before = "" if rule.anchored else "(?:.*/)?"
    below = "/.*" if rule.folders_only else "(?:/.*)?"
    return re.compile(f"{before}(?:{expression}){below}", re.DOTALL)
