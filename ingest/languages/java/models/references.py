"""Resolve names in a file to model classes: by the package, or to the nearest class with the name."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from ....data.schemas.model_names import Declared, nearest


class ClassReferences:
    """All models by the names of their classes."""

    def __init__(self, models: Iterable[Declared]) -> None:
        self._by_name: dict[str, list[Declared]] = defaultdict(list)
        for each in models:
            self._by_name[each.model.name].append(each)

    def find(self, name: str, path: str) -> Declared | None:
        """Return the class that a name means in a file: `shop.Order`, `Order`; None if it is not known."""
        package, _, last = name.rpartition(".")
        candidates = self._by_name.get(last, [])
        if package:
            wanted = "/" + name.replace(".", "/")
            outer = "/" + package.replace(".", "/")
            stems = [(each, "/" + each.path.rpartition(".")[0]) for each in candidates]
            exact = [each for each, stem in stems if stem.endswith((wanted, outer))]
            return nearest(exact, path) if exact else None
        return nearest(candidates, path)
