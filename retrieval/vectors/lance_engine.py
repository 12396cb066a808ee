"""Import LanceDB without unnecessary parts. Only this module imports LanceDB.

A table in a folder does not need the client of remote catalogs and the checks of LanceDB's classes, which take two thirds of the
import time.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec, module_from_spec
from types import ModuleType
from typing import Any

#: Package of which only modules with records are used. Its `__init__` loads interfaces, which takes 0.5 s.
_REMOTE_CLIENT = "lance_namespace_urllib3_client"


def load_lancedb() -> Any:
    """Return the module `lancedb`."""
    # LanceDB prints a warning for each new table to standard error. Errors are still raised as exceptions.
    os.environ.setdefault("LANCEDB_LOG", "error")
    if "lancedb" not in sys.modules:
        _defer_package(_REMOTE_CLIENT)
    with _unchecked_overrides():
        import lancedb
    return lancedb


def _defer_package(name: str) -> None:
    """Make the modules of a package importable without its `__init__`, which runs when an attribute of the package is needed."""
    spec = find_spec(name)
    if name in sys.modules or spec is None or spec.loader is None:
        return
    package, loader = module_from_spec(spec), spec.loader

    def load(attribute: str) -> Any:
        del package.__dict__["__getattr__"]
        loader.exec_module(package)
        return getattr(package, attribute)

    package.__dict__["__getattr__"] = load
    sys.modules[name] = package


@contextmanager
def _unchecked_overrides() -> Iterator[None]:
    """Skip a check of LanceDB on import before Python 3.12: the comparison of overriding methods with overridden methods."""
    if sys.version_info >= (3, 12) or "overrides" in sys.modules:
        yield
        return
    stand_in = ModuleType("overrides")
    # From Python 3.12 on, LanceDB uses the same replacements.
    stand_in.__dict__.update(override=lambda method: method, EnforceOverrides=type("EnforceOverrides", (), {}))
    sys.modules["overrides"] = stand_in
    try:
        yield
    finally:
        del sys.modules["overrides"]
