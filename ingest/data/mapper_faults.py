"""Isolates faults in the rules of object mappers: after a fault, only the models of one mapper in one file are missing."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from ...schema.records import Problem
from ..facts.data import DataFacts
from ..facts.model import FileFacts
from .schemas.mapped import MappedSchema

#: A function that returns the databases of the models in files of one language, by path.
Link = Callable[[Mapping[str, DataFacts]], Sequence[MappedSchema]]
#: Beginning of a problem that a fault in Astrolabe causes.
_FAULT: Final = "models were not read because of a fault in Astrolabe"


def read_models(facts: FileFacts, read: Callable[[FileFacts], None]) -> None:
    """Add the models of one mapper in a file to its facts.

    A fault is reported as a problem of the file, and its other facts are kept.
    """
    try:
        read(facts)
    except Exception as fault:  # noqa: BLE001 - the file is indexed without these models, and says so
        facts.problems.append(Problem(1, f"{_FAULT}: {_description(fault)}"))


def link_models(link: Link, files: Mapping[str, DataFacts]) -> list[MappedSchema]:
    """Return the databases of the models in files. Files whose models alone cause a fault are excluded and reported."""
    found, reason = _linked(link, files)
    if not reason:
        return found
    failing = {path: own for path, data in files.items() if (own := _linked(link, {path: data})[1])}
    for path, own in (failing or {min(files): reason}).items():
        logging.getLogger("astrolabe").warning("%s: %s: %s. Please report this.", path, _FAULT, own)
    rest = {path: data for path, data in files.items() if path not in failing}
    return link_models(link, rest) if failing and rest else []


def _linked(link: Link, files: Mapping[str, DataFacts]) -> tuple[list[MappedSchema], str]:
    """Return the databases of the models in files, and "". After a fault, return no databases, and the text of the fault."""
    try:
        return list(link(files)), ""
    except Exception as fault:  # noqa: BLE001 - the index is made without these models, and a warning says so
        return [], _description(fault)


def _description(fault: Exception) -> str:
    return f"{type(fault).__name__}: {fault}"
