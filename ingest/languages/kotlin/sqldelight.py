"""Calls of the queries that SQLDelight generates for files of SQL: `database.playerQueries.insert(name)` for `Player.sq`.

See https://sqldelight.github.io/sqldelight/.
"""

from __future__ import annotations

import re
from typing import Final

from ...facts.data import NAMED_QUERY, WrittenQuery, WrittenUse
from ...facts.model import FileFacts
from ...facts.nested_symbols import symbols_of_lines
from .exposed.code_names import plain_code

#: A call of a query, on the generated object or on a variable.
_CALL: Final = re.compile(
    r"\b(?P<receiver>[a-z]\w*)\s*(?:\?|!!)?\s*\.\s*(?P<label>[A-Za-z_]\w*)\s*(?:<[\w.,?\s]{0,80}>\s*)?(?=[({])"
)
#: A variable that holds a generated object.
_VARIABLE: Final = re.compile(
    r"\b(?P<name>[a-z]\w*)\s*(?::\s*(?P<type>\w+Queries)\b|=\s*(?:[\w()]+\s*\.\s*){0,4}(?P<value>\w+Queries)\b(?!\s*\.|[ \t]*\())"
)


def add_queries(facts: FileFacts, text: str) -> None:
    """Add the calls of generated queries in a file to its facts about data."""
    code = plain_code(text)
    variables = {each["name"]: each["type"] or each["value"] for each in _VARIABLE.finditer(code)}
    owners = symbols_of_lines(facts.symbols, facts.lines)
    line, at = 1, 0
    for call in _CALL.finditer(code):
        receiver = variables.get(call["receiver"], call["receiver"])
        if not receiver.endswith("Queries"):
            continue
        line, at = line + code.count("\n", at, call.start()), call.start()
        symbol = owners[min(line, facts.lines)]
        if symbol >= 0:
            name = f"{NAMED_QUERY}{receiver[:1].lower()}{receiver[1:]}.{call['label']}"
            facts.own_data().written.append(WrittenQuery(symbol, line, "", [WrittenUse([name], False)]))
