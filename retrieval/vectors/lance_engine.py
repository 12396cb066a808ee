"""Import LanceDB without unnecessary parts. Only this module imports LanceDB.

A table in a folder needs neither the client and the records of remote catalogs nor the checks of LanceDB's classes, which take
three quarters of the import time.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec, module_from_spec
from types import ModuleType
from typing import Any

#: Package of which only modules with records are used. Its `__init__` loads interfaces, which takes 0.5 s.
_REMOTE_CLIENT = "lance_namespace_urllib3_client"
#: Package with 150 records of remote catalogs. LanceDB imports the records, but a table in a folder does not use them. Creating
#: their classes takes 0.2 s.
_REMOTE_RECORDS = f"{_REMOTE_CLIENT}.models"


def load_lancedb() -> Any:
    """Return the module `lancedb`."""
    # LanceDB prints a warning for each new table to standard error. Errors are still raised as exceptions.
    os.environ.setdefault("LANCEDB_LOG", "error")
    if "lancedb" not in sys.modules:
        _defer_package(_REMOTE_CLIENT)
    with _unchecked_overrides(), _deferred_records():
        import lancedb
    return lancedb


def _defer_package(name: str) -> ModuleType | None:
    """Make the modules of a package importable without its `__init__`, which runs when an attribute of the package is needed.

    Return None if the package is missing or loaded already.
    """
    spec = find_spec(name) if name not in sys.modules else None
    if spec is None or spec.loader is None:
        return None
    package, loader = module_from_spec(spec), spec.loader

    def load(attribute: str) -> Any:
        package.__dict__.pop("__getattr__", None)
        loader.exec_module(package)
        return getattr(package, attribute)

    package.__dict__["__getattr__"] = load
    sys.modules[name] = package
    return package


class _DeferredRecord:
    """Stands for a record of a remote catalog, whose package is loaded when the record is used."""

    def __init__(self, name: str, load: Callable[[str], Any]) -> None:
        self._name = name
        self._load = load

    def _loaded(self) -> Any:
        known = vars(sys.modules[_REMOTE_RECORDS])
        return known[self._name] if self._name in known else self._load(self._name)

    def __getattr__(self, name: str) -> Any:
        if name in ("_name", "_load"):  # a copy that is not initialized yet
            raise AttributeError(name)
        return getattr(self._loaded(), name)

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        return self._loaded()(*arguments, **named)

    def __instancecheck__(self, instance: object) -> bool:
        return isinstance(instance, self._loaded())

    def __subclasscheck__(self, subclass: type) -> bool:
        return issubclass(subclass, self._loaded())

    def __mro_entries__(self, bases: tuple[object, ...]) -> tuple[type, ...]:
        return (self._loaded(),)

    def __or__(self, other: Any) -> Any:
        return self._loaded() | other

    def __ror__(self, other: Any) -> Any:
        return other | self._loaded()


@contextmanager
def _deferred_records() -> Iterator[None]:
    """Import stand-ins instead of records within the block. After the block, the first use of an attribute loads the package of
    the records."""
    package = _defer_package(_REMOTE_RECORDS)
    if package is None:
        yield
        return
    load = package.__dict__["__getattr__"]
    package.__dict__["__getattr__"] = lambda name: _record(name, load)
    try:
        yield
    finally:
        if "__getattr__" in package.__dict__:  # a record that was used in the block has loaded the package
            package.__dict__["__getattr__"] = load


def _record(name: str, load: Callable[[str], Any]) -> _DeferredRecord:
    if not name[:1].isupper():
        raise AttributeError(name)
    return _DeferredRecord(name, load)


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
