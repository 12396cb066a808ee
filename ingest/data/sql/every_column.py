"""Statements for all columns of a table: `SELECT * FROM users`. The type of their rows says which columns code uses."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from typing import Final

_STATEMENT: Final = re.compile(
    r"\s*SELECT\s+(?:DISTINCT\s+)?(?:[`\"]?(?P<of>\w+)[`\"]?\.)?\*\s+FROM\s+[`\"]?(?P<table>\w++(?:\.\w++)?+)[`\"]?"
    r"(?:\s+(?:AS\s+)?(?!(?:WHERE|JOIN|LEFT|RIGHT|INNER|CROSS|FULL|ORDER|GROUP|LIMIT|FOR|UNION|HAVING|USE|FORCE|IGNORE)\b)"
    r"(?P<alias>\w++))?+(?!\s*,)",
    re.IGNORECASE,
)
#: A name as an argument.
_NAME: Final = re.compile(r"\s*+&?(?P<name>\w+)\s*[,)]")
_JOIN: Final = re.compile(r"\b(?:JOIN|UNION)\b", re.IGNORECASE)


def table_of_rows(text: str) -> str:
    """Return the table whose columns are those of the rows of a statement; "" if rows may have other columns."""
    found = _STATEMENT.match(text)
    if found is None:
        return ""
    if found["of"] is not None:
        return found["table"] if found["of"] in (found["alias"], found["table"]) else ""
    return found["table"] if _JOIN.search(text, found.end()) is None else ""


class ArgumentTexts:
    """The texts that calls of a file get as arguments: as a literal, or in a variable or a constant of the file."""

    def __init__(self, text: str, code: str, literal: re.Pattern[str], variable: re.Pattern[str]) -> None:
        """`code` is the text with blanks in place of comments and texts.

        The last group of `literal` is the content of the literal at an offset. `variable` matches the beginning of a declaration
        up to its literal, with the groups `name` and, for a declaration that holds in the whole file, `constant`.
        """
        self._text = text
        self._literal = literal
        self._constants: dict[str, re.Match[str]] = {}
        self._variables: dict[str, list[re.Match[str]]] = defaultdict(list)
        for found in variable.finditer(code):
            if found["constant"]:
                self._constants[found["name"]] = found
            else:
                self._variables[found["name"]].append(found)

    def at(self, offset: int) -> tuple[str, bool]:
        """Return the text of the argument at an offset, and whether a constant holds it; "" if the text is not known."""
        found, is_constant = self._literal.match(self._text, offset), False
        if found is None and (named := _NAME.match(self._text, offset)) is not None:
            variable, constant = self._last(named["name"], offset), self._constants.get(named["name"])
            declared, is_constant = variable or constant, variable is None
            found = self._literal.match(self._text, declared.end()) if declared is not None else None
        return (found[found.lastindex or 0], is_constant) if found is not None else ("", False)

    def _last(self, name: str, offset: int) -> re.Match[str] | None:
        """Return the last declaration of a variable before an offset."""
        declared = self._variables.get(name, [])
        place = bisect_left(declared, offset, key=re.Match.start)
        return declared[place - 1] if place else None
