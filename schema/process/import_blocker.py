"""Processes of our own load nothing that they do not use, whatever is installed beside us.

pyarrow and the graph engine load pandas where it is installed, only to tell whether a value is one of its frames: .4 s of each
process. A notebook that imports us uses pandas itself, so only our own commands and workers do without.
"""

from __future__ import annotations

import importlib.util
import sys
from importlib.machinery import ModuleSpec

_NAME = "pandas"


class _Absent:
    """A finder for which the module is not installed."""

    def find_spec(self, name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        if name == _NAME:
            raise ModuleNotFoundError(f"No module named {_NAME!r} in a process of Astrolabe", name=_NAME)
        return None


def be_lean() -> None:
    """Let engines that look for pandas find none, in a process that is ours alone."""
    if _NAME in sys.modules:
        return
    sys.meta_path.insert(0, _Absent())
    find_spec = importlib.util.find_spec

    def without_pandas(name: str, package: str | None = None) -> ModuleSpec | None:
        """What the graph engine asks before each statement that takes a table."""
        return None if name == _NAME else find_spec(name, package)

    importlib.util.find_spec = without_pandas
