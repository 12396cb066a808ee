"""The names of the modules in Python's standard library."""

from __future__ import annotations

import sys
from typing import Final

#: Modules of older or newer versions of Python than the running one, and modules that exist only for type checkers.
_OTHER: Final = frozenset(
    [
        "_typeshed",
        "annotationlib",
        "compression",
        "__main__",
        "aifc",
        "asynchat",
        "asyncore",
        "audioop",
        "cgi",
        "cgitb",
        "chunk",
        "crypt",
        "distutils",
        "imghdr",
        "imp",
        "lib2to3",
        "mailcap",
        "msilib",
        "nis",
        "nntplib",
        "ossaudiodev",
        "pipes",
        "smtpd",
        "sndhdr",
        "spwd",
        "sunau",
        "telnetlib",
        "uu",
        "xdrlib",
    ]
)
_STANDARD: Final = sys.stdlib_module_names | _OTHER
#: Modules that are part of the interpreter, so that no file can replace them.
_BUILT_IN: Final = frozenset(
    ["__main__", "atexit", "builtins", "errno", "faulthandler", "gc", "itertools", "marshal", "posix", "signal", "sys", "time"]
)


def is_standard(module: str) -> bool:
    """Return whether a module, by the first part of its dotted name, belongs to the standard library."""
    return module in _STANDARD


def is_built_in(module: str) -> bool:
    """Return whether a module is part of the interpreter. The interpreter finds such a module before any file of that name."""
    return module in _BUILT_IN
