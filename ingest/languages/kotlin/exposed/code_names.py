"""The code of a Kotlin file without comments and texts, and the qualified names that its names may have."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from .....schema.blank_text import blanked

_HIDDEN: Final = re.compile(
    r"//[^\n]*+|/\*(?:[^*]++|\*(?!/))*+(?:\*/)?|\"\"\"(?:[^\"]++|\"(?!\"\"))*+(?:\"\"\")?|\"(?:[^\"\\\n]++|\\.)*+\"?"
    r"|'(?:\\[^\n]{1,9}?|[^'\\\n])'"
)
_PACKAGE: Final = re.compile(r"^[ \t]*package[ \t]+([\w.]+)", re.MULTILINE)
_IMPORT: Final = re.compile(r"^[ \t]*import[ \t]+([\w.]+?)(\.\*)?(?:[ \t]+as[ \t]+(\w+))?[ \t]*;?[ \t\r]*$", re.MULTILINE)


def plain_code(text: str) -> str:
    """Return code in which comments and texts are blank. Offsets stay the same."""
    return _HIDDEN.sub(blanked, text)


class CodeNames:
    """The names that a file declares, imports, or shares with the other files of its package."""

    def __init__(self, code: str) -> None:
        found = _PACKAGE.search(code)
        self.package = found[1] if found is not None else ""
        self._imported: dict[str, str] = {}
        self._packages = [self.package]
        for path, star, alias in _IMPORT.findall(code):
            if star:
                self._packages.append(path)
            else:
                self._imported[alias or path.rpartition(".")[2]] = path
        #: Names of nested declarations of the file, by their last parts.
        self.nested: dict[str, str] = {}

    def uses(self, library: str) -> bool:
        """Return whether the file imports a part of a library."""
        every = [*self._imported.values(), *self._packages]
        return any(each == library or each.startswith(f"{library}.") for each in every)

    def candidates(self, written: str) -> Sequence[str]:
        """Return the qualified names that a written name may have, the most likely first."""
        first, dot, rest = written.partition(".")
        if first in self.nested:
            return [f"{self.nested[first]}{dot}{rest}"]
        if first in self._imported:
            return [f"{self._imported[first]}{dot}{rest}"]
        return [*(f"{package}.{written}" if package else written for package in self._packages), written]
