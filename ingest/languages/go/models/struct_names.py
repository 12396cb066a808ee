"""The structs of all files by their names."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Final

from .....schema.paths import parent_of
from ....data.schemas.model_names import Declared, nearest

#: Maximum number of structs around an embedded struct.
_MAX_DEPTH: Final = 20


class StructNames:
    """The structs and types of one object mapper."""

    def __init__(self, structs: Sequence[Declared]) -> None:
        self.structs = structs
        self._by_name: dict[str, list[Declared]] = defaultdict(list)
        for each in structs:
            self._by_name[each.model.name].append(each)

    def find(self, name: str, path: str) -> Declared | None:
        """Return the struct or type that a name means.

        The declaration is in a folder with the name of its package, or in the same folder.
        """
        package, _, last = name.rpartition(".")
        candidates = self._by_name.get(last, [])
        if package:
            folder = package.rpartition("/")[2]
            return nearest([each for each in candidates if f"/{parent_of(each.path)}".endswith(f"/{folder}")], path)
        return nearest([each for each in candidates if parent_of(each.path) == parent_of(path)], path)

    def inner(self, name: str, path: str, around: frozenset[int]) -> Declared | None:
        """Return the struct that a struct embeds; None for one of the structs around it, whose ids are given."""
        found = self.find(name, path) if len(around) <= _MAX_DEPTH else None
        return found if found is not None and id(found.model) not in around else None

    def embedded(self, structs: Sequence[Declared]) -> set[int]:
        """Return the ids of the structs that some structs embed."""
        found = (self.find(base, each.path) for each in structs for base in each.model.bases)
        return {id(each.model) for each in found if each is not None}
