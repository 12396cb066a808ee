"""The databases that result from the changelogs of a repository, each read from a changelog that no other includes."""

from __future__ import annotations

import posixpath
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from msgspec.structs import replace

from ....schema.paths import folders_above, parent_of
from ...data.schemas.mapped import MappedChange, MappedSchema
from ...data.schemas.migrations import common_folder, in_order
from ...data.sql.dialects import NAMED
from ...facts.data import DataFacts, IncludedFile, MigrationParameter, MigrationStep, SchemaChange
from .change_nodes import filled
from .file_facts import FRAMEWORK

#: Databases whose changes count if change sets are for different databases, the first that occurs.
_PREFERRED: Final = ("postgres", "mysql", "sqlite", "tsql", "oracle")
#: Maximum depth of files that include each other.
_MAX_DEPTH: Final = 50


def changelog_schemas(facts: Mapping[str, DataFacts]) -> list[MappedSchema]:
    """Return the databases that changelogs define. `facts` also has the files of SQL that changelogs may include."""
    return list(_Changelogs(facts).schemas())


class _Changelogs:
    def __init__(self, facts: Mapping[str, DataFacts]) -> None:
        self._facts = facts
        self._paths = sorted(facts)
        self._steps: dict[str, Sequence[MigrationStep]] = {}
        self._parameters: dict[str, Sequence[MigrationParameter]] = {}
        for path, data in facts.items():
            if data.migration is not None and data.migration.framework == FRAMEWORK:
                self._steps[path], self._parameters[path] = data.migration.steps, data.migration.parameters
        #: The files below each folder, and the paths with each name.
        self._below: dict[str, list[str]] = defaultdict(list)
        self._named: dict[str, list[str]] = defaultdict(list)
        for path in self._paths:
            self._named[path.rpartition("/")[2]].append(path)
            for folder in folders_above(parent_of(path)):
                self._below[folder].append(path)

    def schemas(self) -> Iterator[MappedSchema]:
        """Yield a database for each changelog that no other includes. Those of a folder that include no changelog are one."""
        including: dict[str, set[str]] = {}
        for path, steps in self._steps.items():
            files = {each for step in steps if step.included is not None for each in self._files(path, step.included)}
            including[path] = (files & self._steps.keys()) - {path}
        single: dict[str, list[str]] = defaultdict(list)
        for path in sorted(self._steps.keys() - set().union(*including.values())):
            if including[path]:
                yield from self._schema([path])
            else:
                single[parent_of(path)].append(path)
        for _, paths in sorted(single.items()):
            yield from self._schema(in_order(paths))

    def _schema(self, roots: Sequence[str]) -> Iterator[MappedSchema]:
        reached: list[tuple[str, SchemaChange, Sequence[str]]] = []
        seen: set[str] = set()
        for root in roots:
            reached += self._changes(root, (), seen)
        parameters = [each for path in sorted(seen) for each in self._parameters.get(path, ())]
        chosen = _chosen(databases for _, _, databases in reached) or _chosen(each.databases for each in parameters)
        values = {each.name: each.value for each in reversed(parameters) if _applies(each.databases, chosen)}
        changes = [
            MappedChange(path, _filled(change, values)) for path, change, databases in reached if _applies(databases, chosen)
        ]
        if changes:
            yield MappedSchema(FRAMEWORK, common_folder(sorted(seen)), changes, is_migrations=True)

    def _changes(
        self, path: str, databases: Sequence[str], seen: set[str], depth: int = 0
    ) -> Iterator[tuple[str, SchemaChange, Sequence[str]]]:
        """Yield the changes of a file and of the files that it includes, each with the databases for which it is.

        Each file counts once.
        """
        seen.add(path)
        yield from ((path, change, databases) for change in self._facts[path].changes if not change.is_down)
        for step in self._steps.get(path, ()):
            own = step.databases or databases
            yield from ((path, change, own) for change in step.changes if not change.is_down)
            if step.included is not None and depth < _MAX_DEPTH:
                for each in self._files(path, step.included):
                    if each not in seen:
                        yield from self._changes(each, own, seen, depth + 1)

    def _files(self, path: str, included: IncludedFile) -> Sequence[str]:
        """Return the files that a file includes, in order."""
        written = included.path.strip("/")
        folder = parent_of(path)
        for base in [folder] if included.is_relative else folders_above(folder):
            target = posixpath.normpath(posixpath.join(base, written)).removeprefix("./")
            if included.is_folder and target in self._below:
                return [each for each in self._below[target] if each != path]
            if not included.is_folder and target in self._facts:
                return [target]
        if included.is_relative or included.is_folder:
            return []
        others = [each for each in self._named.get(written.rpartition("/")[2], ()) if each.endswith(f"/{written}")]
        return others if len(others) == 1 else []


def _filled(change: SchemaChange, values: Mapping[str, str]) -> SchemaChange:
    """Return a change with the values of the parameters in the type and the default of a column."""
    if "${" not in f"{change.type}{change.default}":
        return change
    default = filled(change.default, values) if change.default is not None else None
    return replace(change, type=filled(change.type, values), default=default)


def _chosen(databases: Iterable[Sequence[str]]) -> str:
    """Return the database whose changes count; "" if no change is for certain databases only."""
    named = {NAMED.get(each, each) for one in databases for each in one if not each.startswith("!")}
    return next((each for each in (*_PREFERRED, *sorted(named)) if each in named), "")


def _applies(databases: Sequence[str], chosen: str) -> bool:
    """Return whether a change with these databases is for the chosen one."""
    wanted = {NAMED.get(each, each) for each in databases if not each.startswith("!")}
    excluded = {NAMED.get(each[1:], each[1:]) for each in databases if each.startswith("!")}
    return chosen in wanted if wanted else not chosen or chosen not in excluded
