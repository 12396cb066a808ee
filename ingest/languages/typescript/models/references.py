"""Resolves the name of a model in a file: to a model of the imported module, or to the nearest model with the name."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from posixpath import normpath

from .....schema.paths import parent_of
from ....data.schemas.model_names import Declared, nearest


class ModelReferences:
    """All models of a mapper by their names."""

    def __init__(self, models: Iterable[Declared]) -> None:
        self._by_name: dict[str, list[Declared]] = defaultdict(list)
        for each in models:
            self._by_name[each.model.name].append(each)

    def find(self, reference: str, path: str) -> Declared | None:
        """Return the model that a reference in a file refers to: `./user#User`, `#User` or `User`; None if it is unknown."""
        module, _, name = reference.rpartition("#")
        candidates = self._by_name.get(name) or self._by_name.get(name.rpartition(".")[2], [])
        if module.startswith("."):
            target = normpath(f"{parent_of(path)}/{module}" if parent_of(path) else module)
            exact = [each for each in candidates if _is_module(each.path, target)]
            if exact:
                return exact[0]
        if not module and "#" in reference:
            own = [each for each in candidates if each.path == path]
            if own:
                return own[0]
        return nearest(candidates, path)


def _is_module(path: str, target: str) -> bool:
    """Return whether a module without an extension names a file."""
    stem = path.rpartition(".")[0]
    for ending in (".js", ".ts", ".mjs", ".cjs"):
        target = target.removesuffix(ending)
    return stem in (target, f"{target}/index")
