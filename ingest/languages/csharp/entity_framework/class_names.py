"""The classes that names mean, by the namespaces that a file is in or imports, and those that its project imports everywhere."""

from __future__ import annotations

from collections import defaultdict
from functools import cache

from .....schema.paths import folders_above, parent_of
from ....data.schemas.model_names import Declared, nearest
from .names import USINGS


class ClassNames:
    """The classes of a repository, by name."""

    def __init__(self) -> None:
        self._classes: dict[str, list[Declared]] = defaultdict(list)
        #: The namespaces that `global using` directives import into all files of a folder.
        self._imported: dict[str, set[str]] = defaultdict(set)
        self._imported_at = cache(self._imported_above)

    def add(self, declared: Declared) -> None:
        """Add a class."""
        self._classes[declared.model.name].append(declared)

    def add_global_usings(self, declared: Declared) -> None:
        """Add the directives of a file that hold in its whole project."""
        self._imported[parent_of(declared.path)].update(declared.model.options.get(USINGS, "").split())

    def all(self) -> list[Declared]:
        """Return all classes."""
        return [each for named in self._classes.values() for each in named]

    def find(self, name: str, user: Declared) -> Declared | None:
        """Return the class that a name means in a file: one of the namespaces around it or an imported one, else the nearest."""
        found = self._classes.get(name, [])
        if len(found) > 1:
            parts = user.model.application.split(".")
            around = {".".join(parts[:length]) for length in range(1, len(parts) + 1)}
            imported = {*user.model.options.get(USINGS, "").split(), *self._imported_at(parent_of(user.path))}
            of_file = {user.model.application, *imported}
            found = (
                [each for each in found if each.model.application in of_file]
                or [each for each in found if each.model.application in around]
                or found
            )
        return nearest(found, user.path)

    def _imported_above(self, folder: str) -> frozenset[str]:
        return frozenset(space for each in folders_above(folder) for space in self._imported.get(each, ()))
