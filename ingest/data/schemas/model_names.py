"""Which of several models a name means, and which models belong to one database."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from posixpath import commonpath
from typing import NamedTuple

from ....schema.paths import common_start, parent_of
from ...facts.mapped_tables import MappedModel


class Declared(NamedTuple):
    """A model, and the file that declares it."""

    path: str
    model: MappedModel


def common_folders(path: str, other: str) -> int:
    """Return the number of folders that two paths have in common from the root."""
    return common_start(parent_of(path).split("/"), parent_of(other).split("/"))


def nearest(candidates: Sequence[Declared], path: str) -> Declared | None:
    """Return the model whose file has most folders in common with a path: the file itself first. None of no candidates."""
    if not candidates:
        return None
    return max(candidates, key=lambda each: (each.path == path, common_folders(each.path, path), -len(each.path)))


def folder_of(models: Iterable[Declared]) -> str:
    """Return the folder that all models are in."""
    folders = [parent_of(each.path) for each in models]
    return commonpath(folders) if folders and all(folders) else ""


def databases(models: Sequence[Declared], table: Callable[[Declared], str]) -> list[Sequence[Declared]]:
    """Divide models into those of one database each: two models of one table in different folders are of different ones.

    `table` returns the name of the table of a model, or "" for a model without one of its own. A folder whose models have
    tables of different names is one database, and so are the folders around it as far as that holds.
    """
    owners: dict[str, set[str]] = defaultdict(set)
    for each in models:
        name = table(each)
        if name:
            owners[name].add(each.path)
    if all(len(paths) == 1 for paths in owners.values()):
        return [models] if models else []
    base = folder_of(models)
    parts: dict[str, list[Declared]] = defaultdict(list)
    for each in models:
        rest = parent_of(each.path)[len(base) :].strip("/")
        parts[rest.partition("/")[0]].append(each)
    if len(parts) == 1:
        return [models]
    return [found for _, part in sorted(parts.items()) for found in databases(part, table)]
