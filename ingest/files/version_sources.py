"""Find the source files in which the version of a Python package is a constant, and the lines of the constant.

An index contains the version, so the digest of the configuration covers these lines, but no other line of such a file.
"""

from __future__ import annotations

import re
from typing import Final

from ...schema.paths import path_in

#: The name of the constant or of the file with the version, in pyproject.toml and setup.cfg. A text search is enough, because a
#: false match only adds a line to the digest.
_ATTRIBUTE: Final = re.compile(rb"""\battr\s*[=:]\s*["']?([A-Za-z_][\w.]*)\.\w""")
_PATH: Final = re.compile(rb"""\bpath\s*=\s*["']([^"'\n]+\.py)["']""")
_NAME: Final = re.compile(rb"""^[ \t]*(?:name|module)\s*=\s*["']([\w.-]+)["']""", re.MULTILINE)
_FLIT: Final = b"flit_core"
#: Folders beside a manifest that usually contain the package.
_FOLDERS: Final = ("", "src/", "lib/", "source/", "python/")
_LINE: Final = re.compile(rb"^\w*version\w*[ \t]*(?::[^=\n]+)?=[^\n]*", re.IGNORECASE | re.MULTILINE)


def version_candidates(path: str, content: bytes) -> list[str]:
    """Return the paths of the source files that may contain the version of the package of a manifest."""
    folder, _, name = path.rpartition("/")
    if name not in ("pyproject.toml", "setup.cfg"):
        return []
    modules = [found.decode() for found in _ATTRIBUTE.findall(content)]
    if _FLIT in content:
        modules += [re.sub(r"[-.]+", "_", found.decode()) for found in _NAME.findall(content)]
    stems = [f"{root}{module.replace('.', '/')}" for module in modules for root in _FOLDERS]
    files = [*(f"{stem}{ending}" for stem in stems for ending in (".py", "/__init__.py"))]
    files += [found.decode("utf-8", "replace").removeprefix("./") for found in _PATH.findall(content)]
    return [path_in(folder, file) for file in dict.fromkeys(files) if ".." not in file and file[0] != "/"]


def version_lines(content: bytes) -> list[bytes]:
    """Return the lines at the root of a source file that assign a version."""
    return _LINE.findall(content)
