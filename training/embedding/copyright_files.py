"""Read machine-readable copyright files of Debian packages: the license of a project, and the files with another license.

The format is described in the Debian Policy, "Machine-readable debian/copyright file", version 1.0.
"""

from __future__ import annotations

import re
from fnmatch import fnmatchcase

from .packages import is_permissive

#: SPDX identifiers by the lower-case short names of Debian.
_SPDX = {
    "expat": "MIT", "mit": "MIT", "mit/x11": "MIT", "mit/expat": "MIT", "mit-0": "MIT-0", "isc": "ISC", "0bsd": "0BSD",
    "bsd-2-clause": "BSD-2-Clause", "bsd-2": "BSD-2-Clause", "bsd-2-clauses": "BSD-2-Clause", "bsd-3-clause": "BSD-3-Clause",
    "bsd-3": "BSD-3-Clause", "bsd-3-clauses": "BSD-3-Clause", "apache-2.0": "Apache-2.0", "apache-2": "Apache-2.0",
    "apache2": "Apache-2.0", "apache2.0": "Apache-2.0", "asl-2.0": "Apache-2.0", "llvm-exception": "LLVM-exception",
    "bsl-1.0": "BSL-1.0", "cc0-1.0": "CC0-1.0", "cpl-1.0": "CPL-1.0", "epl-1.0": "EPL-1.0", "gpl": "GPL-1.0-or-later",
    "gpl-2": "GPL-2.0-only", "gpl-2+": "GPL-2.0-or-later", "gpl-3": "GPL-3.0-only", "gpl-3+": "GPL-3.0-or-later",
    "lgpl-2+": "LGPL-2.0-or-later", "lgpl-2.1": "LGPL-2.1-only", "lgpl-2.1+": "LGPL-2.1-or-later", "lgpl-3": "LGPL-3.0-only",
    "lgpl-3+": "LGPL-3.0-or-later", "lgpl-3.0-or-later": "LGPL-3.0-or-later", "mpl-2.0": "MPL-2.0", "ruby": "Ruby",
    "rubylicense": "Ruby", "unlicense": "Unlicense", "upl-1.0": "UPL-1.0", "wtfpl": "WTFPL", "zlib": "Zlib",
}  # fmt: skip
_OPERATORS = {"or": "OR", "and": "AND", "and/or": "OR", "with": "WITH"}


def spdx_expression(name: str) -> str:
    """Return the SPDX expression for a short license name of Debian; an unknown license becomes a `LicenseRef`."""
    return " ".join(
        _OPERATORS.get(word) or _SPDX.get(word) or _reference(word) for word in name.lower().replace(",", " ").split()
    )


def _reference(word: str) -> str:
    return "LicenseRef-" + re.sub(r"[^a-z0-9.-]+", "-", word).strip("-")


class CopyrightFile:
    """The licenses that a copyright file declares."""

    def __init__(self, text: str) -> None:
        #: SPDX expression for all files without a license of their own; "" if the copyright file is not machine-readable.
        self.licence = ""
        self._restricted: list[str] = []
        if "Format:" not in text[:3000]:
            return
        for paragraph in re.split(r"\n[ \t]*\n", text):
            patterns = _field(paragraph, "Files").split()
            licence = spdx_expression(_field(paragraph, "License").partition("\n")[0])
            if "*" in patterns:
                self.licence = licence
            elif patterns and not is_permissive(licence):
                self._restricted += [pattern.lstrip("./") for pattern in patterns if not pattern.startswith("debian")]

    def is_restricted(self, path: str) -> bool:
        """Return whether the copyright file declares a license for this path that is not permissive.

        The ends of the path are compared too, because a binary package lacks some of the project's folders.
        """
        parts = path.split("/")
        ends = ["/".join(parts[start:]) for start in range(len(parts))] if self._restricted else []
        return any(fnmatchcase(end, pattern) for pattern in self._restricted for end in ends)


def _field(paragraph: str, name: str) -> str:
    found = re.search(rf"^{name}:[ \t]*(.*(?:\n[ \t].*)*)", paragraph, re.MULTILINE)
    return found[1] if found else ""
