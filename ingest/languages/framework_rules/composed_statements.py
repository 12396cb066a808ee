"""Statements of SQL that code composes with constants of other files: `fmt.Sprintf("SELECT name FROM %s", usersTable)`.

A text alone names no table there, so the statement is read where the constants are known.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from typing import Final

from ...data.sql.embedded import parsed_text
from ...data.sql.queries import DIALECTS
from ...facts.data import TABLE_NAME, UNQUALIFIED, TableUse
from ...facts.node_scan import any_of, nodes_of
from ...facts.operations import NAME_OPS, Op
from .constant_statements import constant_values
from .queries import FoundQuery, FoundUse, QueryFile

_STRINGS: Final = any_of(Op.STRING)
_SUMS: Final = any_of(Op.BINARY)
_VERB: Final = re.compile(r"[\"'`\s]*+(?:SELECT|INSERT\s+INTO|UPDATE|DELETE\s+FROM|WITH)\s", re.IGNORECASE)
#: The end of a text before a table.
_BEFORE_TABLE: Final = re.compile(r"\b(?:FROM|JOIN|INTO|UPDATE)\s+[\"'`]?\Z", re.IGNORECASE)
#: A value that a function for formats puts into a text.
_FORMATTED: Final = re.compile(r"%(?:\[(?P<number>\d+)\])?[a-z]")
_FORMATS: Final = "fmt:Sprintf"
#: A name of a table or a column.
_NAME: Final = re.compile(r"[A-Za-z_]\w*+(?:\.[A-Za-z_]\w*+)?")
_QUOTES: Final = "\"'`"
_HOLE: Final = "%s"
#: Number of characters in which the word before a table is searched.
_MAX_BEFORE: Final = 40
#: Maximum number of parts of a statement.
_MAX_PARTS: Final = 200


def composed_statements(file: QueryFile) -> Iterator[FoundQuery]:
    """Yield the statements of a file whose tables are constants of other files."""
    strings = file.facts.strings
    begins = {each for each in nodes_of(file.facts, _STRINGS) if _VERB.match(strings[file.code[each + 2]]) is not None}
    for node, parts in _composed(file, begins) if begins else ():
        texts = [_text(file, each) for each in parts]
        if not any(
            is_of_other_file and _BEFORE_TABLE.search(before, max(0, len(before) - _MAX_BEFORE)) is not None
            for (before, _), (_, is_of_other_file) in itertools.pairwise(texts)
        ):
            continue
        parsed = parsed_text("".join(text for text, _ in texts), True, DIALECTS)
        if parsed is not None:
            statement, uses, _ = parsed
            yield FoundQuery(node, statement, [use_of(each) for each in uses])


def _composed(file: QueryFile, begins: set[int]) -> Iterator[tuple[int, list[int | str]]]:
    """Yield the expressions that begin with one of the strings, each with its parts: nodes and texts."""
    code = file.code
    for node in file.facts.calls:
        arguments = file.items(code[node + 2]) if code[node] == Op.CALL else ()
        if arguments and arguments[0] in begins and _is_format(file, code[node + 1]):
            yield node, list(_of_format(file.facts.strings[code[arguments[0] + 2]].strip(_QUOTES), arguments[1:]))
    sums = list(nodes_of(file.facts, _SUMS))
    inner = {code[each + place] for each in sums for place in (1, 2)}
    for node in sums:
        if node in inner:
            continue
        parts: list[int | str] = []
        waiting = [node]
        while waiting and len(parts) < _MAX_PARTS:
            each = waiting.pop()
            if each >= 0 and code[each] == Op.BINARY:
                waiting += [code[each + 2], code[each + 1]]
            else:
                parts.append(each)
        if parts and parts[0] in begins:
            yield node, parts


def _is_format(file: QueryFile, callee: int) -> bool:
    """Return whether a function is `fmt.Sprintf` of Go or `String.format` of Java."""
    if file.origin(callee) == _FORMATS:
        return True
    return file.code[callee] == Op.MEMBER and (file.name(callee), file.name(file.code[callee + 1])) == ("format", "String")


def _of_format(text: str, arguments: Sequence[int]) -> Iterator[int | str]:
    """Yield the texts between the values of a format, and the arguments for these values."""
    at = 0
    for number, found in enumerate(_FORMATTED.finditer(text)):
        place = int(found["number"]) - 1 if found["number"] else number
        yield text[at : found.start()]
        yield arguments[place] if 0 <= place < len(arguments) else _HOLE
        at = found.end()
    yield text[at:]


def _text(file: QueryFile, part: int | str) -> tuple[str, bool]:
    """Return the text of a part, or a placeholder, and whether a constant of another file has this text."""
    if isinstance(part, str):
        return part, False
    code = file.code
    if part >= 0 and code[part] == Op.STRING:
        return file.facts.strings[code[part + 2]].strip(_QUOTES), False
    if part >= 0 and (code[part] == Op.MEMBER or code[part] in NAME_OPS):
        for declaring, value in constant_values(file, part):
            text = declaring.facts.strings[declaring.code[value + 2]].strip(_QUOTES) if declaring.code[value] == Op.STRING else ""
            if _NAME.fullmatch(text) is not None:
                return text, declaring.path != file.path
    return _HOLE, False


def use_of(use: TableUse) -> FoundUse:
    """Return the use of a table in a statement as a use that a rule finds."""
    name = f"{use.name.schema}.{use.name.name}" if use.name.schema else use.name.name
    fields = (*((each,) for each in use.columns), *((UNQUALIFIED, each) for each in use.unqualified))
    return FoundUse(f"{TABLE_NAME}{name}", (), use.modifies, fields, use.of_condition)
