"""Selects the model that a name denotes, and groups the models of one database."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from posixpath import commonpath
from typing import Final, NamedTuple

from ....schema.paths import common_folders, parent_of
from ...facts.data import DataFacts
from ...facts.mapped_tables import MappedModel

#: Maximum number of ancestors of a class.
_MAX_CLASSES: Final = 50
#: Maximum number of models that a model inherits from by names.
_MAX_ANCESTORS: Final = 20


class Declared(NamedTuple):
    """A model, and the file that declares it."""

    path: str
    model: MappedModel


def declared_models(facts: Mapping[str, DataFacts], framework: str) -> list[Declared]:
    """Return the models of an object mapper in all files, in the order of their paths."""
    return [Declared(path, each) for path in sorted(facts) for each in facts[path].models if each.framework == framework]


def classes_above(declared: Declared, find: Callable[[str, str], Declared | None]) -> Iterator[Declared]:
    """Yield the classes that a class extends, the nearest first, in a language with single inheritance.

    `find` returns the target of a name in a file.
    """
    seen = {id(declared.model)}
    at: Declared | None = declared
    while at is not None and at.model.bases and len(seen) < _MAX_CLASSES:
        at = find(at.model.bases[0], at.path)
        if at is None or id(at.model) in seen:
            return
        seen.add(id(at.model))
        yield at


def with_ancestors(declared: Declared, by_name: Mapping[str, Declared], roots: Container[str] = ()) -> list[Declared]:
    """Return a model and the models above it, the nearest first, up to a class of the library (`roots`).

    `bases` of each model has the qualified names that its only base may have, the most likely first.
    """
    found = [declared]
    while len(found) < _MAX_ANCESTORS:
        base = next((by_name[name] for name in found[-1].model.bases if name in by_name), None)
        if base is None or base in found or base.model.name in roots:
            break
        found.append(base)
    return found


def nearest(candidates: Sequence[Declared], path: str) -> Declared | None:
    """Return the model in the file at a path, or else in the nearest folder; None without candidates."""
    if not candidates:
        return None
    return max(candidates, key=lambda each: (each.path == path, common_folders(each.path, path), -len(each.path)))


def folder_of(models: Iterable[Declared]) -> str:
    """Return the innermost folder that contains all models."""
    folders = [parent_of(each.path) for each in models]
    return commonpath(folders) if folders and all(folders) else ""


def databases_of_dialects(
    models: Sequence[Declared], table: Callable[[Declared], str], dialects: Mapping[str, str]
) -> list[Sequence[Declared]]:
    """Group models by database, as `databases` does, and also by the dialects of their files, whose paths are the keys.

    A program for several systems declares its tables once for each of them, often in one folder. Files without a dialect belong
    to the dialect with the most models.
    """
    parts: dict[str, list[Declared]] = defaultdict(list)
    names: dict[str, set[str]] = defaultdict(set)
    for each in models:
        dialect = dialects.get(each.path, "")
        parts[dialect].append(each)
        if dialect and (name := table(each)):
            names[name].add(dialect)
    if all(len(each) == 1 for each in names.values()):
        return databases(models, table)
    if parts.pop("", None):
        largest = max(sorted(parts), key=lambda dialect: len(parts[dialect]))
        parts[largest] = [each for each in models if dialects.get(each.path, "") in ("", largest)]
    return [found for _, part in sorted(parts.items()) for found in databases(part, table)]


def databases(models: Sequence[Declared], table: Callable[[Declared], str]) -> list[Sequence[Declared]]:
    """Group models by database. Two models of one table in different folders belong to different databases.

    `table` returns the name of the table of a model, or "" for a model without a table. A database is a largest folder in which
    no two files declare the same table.
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
