"""Macros of sqlx that run the statements of a file: `query_file!("queries/find.sql", id)`, `query_file_as!(Boat, "find.sql")`.

The path is relative to the manifest of the crate: https://docs.rs/sqlx/latest/sqlx/macro.query_file.html.
"""

from __future__ import annotations

import re
from typing import Final

from ....facts.data import RunFile
from ....facts.model import FileFacts
from ....facts.nested_symbols import symbols_of_lines
from .plain_code import plain_code

_MACRO: Final = re.compile(r"\bquery_file(?P<typed>_as|_scalar)?(?:_unchecked)?\s*!\s*[(\[{]")
#: The text at the beginning of the arguments, and behind the type of the rows.
_PATH: Final = re.compile(r"\s*+(?:r\#*)?\"([^\"\\\n]++)\"")
_TYPED_PATH: Final = re.compile(r"(?:[^,;\"()]|,(?!\s*(?:r\#*)?\"))*+,\s*+(?:r\#*)?\"([^\"\\\n]++)\"")
#: The folders of a crate with code, beside its manifest.
_FOLDERS: Final = ["src", "tests", "examples", "benches"]


def add_query_files(facts: FileFacts, text: str) -> None:
    """Add the files of SQL that the functions of a file run to its facts about data."""
    owners = symbols_of_lines(facts.symbols, facts.lines)
    line, at = 1, 0
    for macro in _MACRO.finditer(plain_code(text)):
        line, at = line + text.count("\n", at, macro.start()), macro.start()
        found = (_TYPED_PATH if macro["typed"] == "_as" else _PATH).match(text, macro.end())
        symbol = owners[min(line, facts.lines)]
        if found is not None and symbol >= 0:
            facts.own_data().run_files.append(RunFile(symbol, line, found[1], _FOLDERS))
