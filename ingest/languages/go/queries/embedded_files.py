"""Files of SQL that the compiler puts into variables: `//go:embed list.sql` before `var list string`.

Functions of the file that name the variable run the statements of the file. See https://pkg.go.dev/embed.
"""

from __future__ import annotations

import re
from typing import Final

from ....facts.data import RunFile
from ....facts.model import FileFacts
from ....facts.nested_symbols import symbols_of_lines

#: A directive with one file of SQL, up to the name of its variable.
_EMBEDDED: Final = re.compile(
    r"^[ \t]*//go:embed[ \t]+\"?(?P<path>[\w./-]+\.sql)\"?[ \t]*\r?\n(?:[ \t]*//[^\n]*\n){0,4}+"
    r"[ \t]*(?:var[ \t]+)?(?P<name>[A-Za-z_]\w*)[ \t]+(?:string|\[\]byte)\b",
    re.MULTILINE,
)
_FUNCTIONS: Final = ("function", "method")


def add_embedded_files(facts: FileFacts, text: str) -> None:
    """Add the files of SQL that functions of a file run to its facts about data."""
    paths = {each["name"]: each["path"] for each in _EMBEDDED.finditer(text)}
    if not paths:
        return
    owners = symbols_of_lines(facts.symbols, facts.lines)
    line, at = 1, 0
    for found in re.finditer(rf"(?<![\w.])(?:{'|'.join(paths)})\b", text):
        line, at = line + text.count("\n", at, found.start()), found.start()
        symbol = owners[min(line, facts.lines)]
        if symbol >= 0 and facts.symbols[symbol].kind in _FUNCTIONS:
            facts.own_data().run_files.append(RunFile(symbol, line, paths[found[0]], []))
