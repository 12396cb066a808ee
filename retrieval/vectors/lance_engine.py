"""The vector engine's door: the one module that imports LanceDB, and less of it than LanceDB does itself.

A table in a folder needs neither the client of remote catalogues nor the checks of its own class hierarchy that LanceDB
runs when it is imported. Together they take two thirds of the time of loading it.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec, module_from_spec
from types import ModuleType
from typing import Any

#: Its modules of records are used, its interfaces, which the package loads first, are not: 0.5 s.
_REMOTE_CLIENT = "lance_namespace_urllib3_client"


def load_lancedb() -> Any:
    """Return the module `lancedb`, with everything that local tables need."""
    # LanceDB warns on standard error about every new table; errors reach us as exceptions.
    os.environ.setdefault("LANCEDB_LOG", "error")
    if "lancedb" not in sys.modules:
        _defer_package(_REMOTE_CLIENT)
    with _unchecked_overrides():
        import lancedb
    return lancedb


def _defer_package(name: str) -> None:
    """Let modules of a package be imported without the package's own code, which runs when something of it is asked for."""
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
    """Skip a check of LanceDB, which before Python 3.12 compares the signatures of its methods with overridden ones on import."""
    if sys.version_info >= (3, 12) or "overrides" in sys.modules:
        yield
        return
    stand_in = ModuleType("overrides")
    # What LanceDB itself has in their place from Python 3.12 on.
    stand_in.__dict__.update(override=lambda method: method, EnforceOverrides=type("EnforceOverrides", (), {}))
    sys.modules["overrides"] = stand_in
    try:
        yield
    finally:
        del sys.modules["overrides"]
