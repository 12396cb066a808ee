"""Files of SQL on the class path that code of the JVM runs: `new EmbeddedDatabaseBuilder().addScript("schema.sql")`.

See https://docs.spring.io/spring-framework/reference/data-access/jdbc/initializing-datasource.html and
https://docs.spring.io/spring-framework/reference/testing/testcontext-framework/executing-sql.html.
"""

from __future__ import annotations

import re
from typing import Final

from ...facts.data import RunFile
from ...facts.model import FileFacts
from ...facts.nested_symbols import symbols_of_lines

_HINT: Final = b".sql"
#: A call or an annotation that runs files, up to its last text. Texts may have options and annotations between them.
_RUNNING: Final = re.compile(
    r"(?:\.addScripts?|@Sql|\bClassPathResource|\bgetResourceAsReader|\bgetResourceAsStream)\s*\("
    r"(?P<arguments>(?:[^()\"';]|\"[^\"\\\n]{0,300}\"){0,2000})"
)
_PATH: Final = re.compile(r"\"(?:classpath\*?:)?/*([^\":\\\n]+\.sql)\"")
#: Folders of the class path, beside the folders with code.
_FOLDERS: Final = ("main/resources", "test/resources")
_BESIDE: Final = ("main", "test")


def add_script_files(facts: FileFacts, source: bytes) -> None:
    """Add the files of SQL that the functions of a file run to its facts about data."""
    if _HINT not in source or not facts.lines:
        return
    text = source.decode("utf-8", "replace")
    owners = symbols_of_lines(facts.symbols, facts.lines)
    line, at = 1, 0
    for running in _RUNNING.finditer(text):
        for path in _PATH.finditer(text, running.start("arguments"), running.end("arguments")):
            line, at = line + text.count("\n", at, path.start()), path.start()
            symbol = owners[min(line, facts.lines)]
            if symbol >= 0:
                facts.own_data().run_files += [RunFile(symbol, line, f"{each}/{path[1]}", list(_BESIDE)) for each in _FOLDERS]
