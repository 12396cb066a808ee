"""The rules of all frameworks of Python, in the form that the engine uses."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ....facts.model import FileFacts
from ....facts.operations import Op
from ....files.workspace_files import WorkspaceFiles
from ...framework_rules.wiring import Declared, ImpliedImport, Wired, WiredFile
from ..modules.stub_files import BESIDE
from . import dotted_names, pytest
from .aiohttp import AIOHTTP
from .celery import CELERY, runs
from .click import CLICK
from .declared_uses import DeclaredUses
from .django import DJANGO
from .entry_points import EntryPoints
from .fastapi import FASTAPI
from .flask import FLASK
from .named_functions import named_functions
from .pydantic import PYDANTIC
from .sqlalchemy import SQLALCHEMY
from .standard_library import PYTHON, UNITTEST

_TABLE: Final = (FLASK, FASTAPI, AIOHTTP, CELERY, CLICK, SQLALCHEMY, PYDANTIC, DJANGO, UNITTEST, PYTHON)
_DEPENDENCIES: Final = frozenset(("fastapi:Depends", "fastapi:Security"))


class PythonWiring:
    """The rules of Python's frameworks for the engine."""

    def __init__(self, entry_points: EntryPoints | None = None) -> None:
        self._uses = DeclaredUses(_TABLE)
        self._entry_points = entry_points

    def of_workspace(self, files: WorkspaceFiles) -> PythonWiring:
        """Return the rules with the entry points in the manifests of a workspace."""
        return PythonWiring(EntryPoints(files))

    def implied_imports(self, facts: FileFacts) -> list[ImpliedImport]:
        """Return the modules that a file may depend on without naming them in an import statement."""
        return [ImpliedImport(BESIDE, "*", is_beside=True), *pytest.implied(facts), *dotted_names.implied(facts)]

    def wired(self, file: WiredFile) -> Iterator[Wired]:
        """Yield the declarations and names of a file that frameworks use."""
        yield from self._uses.of(file)
        yield from runs(file)
        yield from named_functions(file)
        yield from pytest.wired(file)
        yield from dotted_names.named(file)
        if self._entry_points is not None:
            yield from self._entry_points.wired(file)

    def injected(self, file: WiredFile, function: int, name: str) -> Declared | None:
        """Return the function whose result a framework injects into a parameter of a function; None for other parameters."""
        return _dependency(file, function, name) or pytest.injected(file, function, name)


def _dependency(file: WiredFile, function: int, name: str) -> Declared | None:
    """Return the function that FastAPI calls for a parameter: `session = Depends(get_session)`."""
    code = file.code
    for parameter in file.facts.functions[function].parameters:
        default = parameter.default
        if parameter.name != name or default < 0 or code[default] != Op.CALL:
            continue
        arguments = file.items(code[default + 2])
        if arguments and file.origin(code[default + 1]) in _DEPENDENCIES:
            return next(iter(file.declarations(arguments[0])), None)
    return None
