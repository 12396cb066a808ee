"""Read the folders that tools add to the search path of Python: `pythonpath` of pytest, `PYTHONPATH` in tox.ini and Makefiles.

Only literal folders below the folder of the file count. The folder itself is searched anyway.
"""

from __future__ import annotations

import configparser
import re
from collections.abc import Iterable, Iterator
from typing import Final

from .declared import Declared

#: `PYTHONPATH = {toxinidir}/src:lib`, also before a command: `PYTHONPATH=src pytest`.
_VARIABLE: Final = re.compile(r"\bPYTHONPATH[ \t]*[:?+]?=[ \t]*(?P<folders>\"[^\"\n]*\"|'[^'\n]*'|[^\s;&|#]+)")
#: The folder of the file, as tox and make write it.
_HERE: Final = re.compile(r"(?:\{toxinidir\}|\{tox_root\}|\$[({](?:CURDIR|PWD)[)}]|\$\$?PWD|\$\$\{PWD\}|\.)/")
_FOLDER: Final = re.compile(r"(?!\.+/?$)\w[\w./-]*")


def read_pytest_ini(content: bytes) -> Declared:
    """Read a pytest.ini or tox.ini. A damaged file sets nothing."""
    text = content.decode("utf-8-sig", "replace")
    parser = configparser.ConfigParser(interpolation=None, strict=False, delimiters=("=", ":"))
    try:
        parser.read_string(text)
    except configparser.Error:
        return Declared()
    written = parser.get("pytest", "pythonpath", fallback="").split()
    return Declared(source_folders=tuple(dict.fromkeys([*_folders(written), *_of_variable(text)])))


def read_makefile(content: bytes) -> Declared:
    """Read the search path that the commands of a Makefile set."""
    return Declared(source_folders=tuple(dict.fromkeys(_of_variable(content.decode("utf-8", "replace")))))


def _of_variable(text: str) -> Iterator[str]:
    for found in _VARIABLE.finditer(text):
        yield from _folders(found["folders"].strip("\"'").split(":"))


def _folders(written: Iterable[str]) -> Iterator[str]:
    """Yield the folders below the folder of the file, without variables."""
    for each in written:
        folder = _HERE.sub("", each.strip(), count=1)
        if _FOLDER.fullmatch(folder) is not None:
            yield folder
