"""Prevent the processes of Astrolabe from loading pandas.

pyarrow and the graph engine load pandas, which takes 0.4 s, only to test whether a value is a data frame. A notebook that imports
Astrolabe may use pandas, so only the commands and workers of Astrolabe block it.
"""

from __future__ import annotations

import importlib.util
import sys
from importlib.machinery import ModuleSpec

_NAME = "pandas"


class _Absent:
    """An import finder that reports that pandas is not installed."""

    def find_spec(self, name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        if name == _NAME:
            raise ModuleNotFoundError(f"No module named {_NAME!r} in a process of Astrolabe", name=_NAME)
        return None


def be_lean() -> None:
    """Hide pandas from the libraries of this process. Call this function only in processes that run only Astrolabe."""
    if _NAME in sys.modules or is_lean():
        return
    sys.meta_path.insert(0, _Absent())
    find_spec = importlib.util.find_spec

    def without_pandas(name: str, package: str | None = None) -> ModuleSpec | None:
        """Replace `find_spec`, which the graph engine calls before each statement that has a table as a parameter."""
        return None if name == _NAME else find_spec(name, package)

    importlib.util.find_spec = without_pandas


def is_lean() -> bool:
    """Return whether this process runs only Astrolabe."""
    return any(isinstance(finder, _Absent) for finder in sys.meta_path)
