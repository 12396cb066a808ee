"""Resolves the name of a model in a file: to a model of the imported module, or to the nearest model with the name."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from posixpath import normpath
from typing import Final

from .....schema.paths import parent_of
from ....data.schemas.model_names import Declared, nearest

_ENDINGS: Final = (".js", ".ts", ".mjs", ".cjs")


class ModelReferences:
    """All models of a mapper by their names."""

    def __init__(self, models: Iterable[Declared]) -> None:
        self._by_name: dict[str, list[Declared]] = defaultdict(list)
        #: Models by the names that they have in their mapper, where these differ from the names of their classes.
        self._by_entity: dict[str, list[Declared]] = defaultdict(list)
        self._by_file: dict[str, list[Declared]] = defaultdict(list)
        for each in models:
            self._by_name[each.model.name].append(each)
            if each.model.entity not in ("", each.model.name):
                self._by_entity[each.model.entity].append(each)
            self._by_file[each.path.rpartition(".")[0]].append(each)

    def find(self, reference: str, path: str) -> Declared | None:
        """Return the model that a reference in a file refers to: `./user#User`, `#User` or `User`; None if it is unknown.

        `./user#` refers to the only model of a module.
        """
        module, _, name = reference.rpartition("#")
        target = _module(module, path) if module.startswith(".") else ""
        if target and not name:
            found = self._by_file.get(target) or self._by_file.get(f"{target}/index", [])
            return found[0] if len(found) == 1 else None
        last = name.rpartition(".")[2]
        candidates = self._by_name.get(name) or self._by_name.get(last) or self._by_entity.get(last, [])
        if target:
            exact = [each for each in candidates if each.path.rpartition(".")[0] in (target, f"{target}/index")]
            if exact:
                return exact[0]
        if not module and "#" in reference:
            own = [each for each in candidates if each.path == path]
            if own:
                return own[0]
        return nearest(candidates, path)


def _module(written: str, path: str) -> str:
    """Return the path of a relative module, as a file names it, without an extension."""
    target = normpath(f"{parent_of(path)}/{written}" if parent_of(path) else written)
    for ending in _ENDINGS:
        target = target.removesuffix(ending)
    return target
