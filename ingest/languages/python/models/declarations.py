"""Resolves dotted names to the classes and values that object mappers use."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from .....schema.paths import common_folders, parent_of
from ....facts.mapped_tables import MappedModel, ModelKind


class DeclaredModel(NamedTuple):
    """A class, or another declaration that may represent a table or a part of a table."""

    path: str
    #: Dotted path of the module.
    module: str
    model: MappedModel


class Declarations:
    """The declarations of a repository by their names."""

    def __init__(self) -> None:
        self._by_name: dict[str, list[DeclaredModel]] = defaultdict(list)

    def add(self, path: str, model: MappedModel) -> DeclaredModel:
        """Add a declaration of a file."""
        declared = DeclaredModel(path, _module_of(path), model)
        self._by_name[model.name].append(declared)
        return declared

    def all(self) -> list[DeclaredModel]:
        """Return all declarations, grouped by name."""
        return [each for found in self._by_name.values() for each in found]

    def named(self, dotted: str, path: str) -> DeclaredModel | None:
        """Return the target of a dotted name in a file: in the named module, in a module below it, or in the same file.

        A name that neither stands in the file nor names a module comes from `from .module import *`.
        """
        module, name = _split(dotted)
        candidates = self._by_name.get(name, ())
        if not module:
            own = next((each for each in reversed(candidates) if each.path == path), None)
            folder = f"{parent_of(path)}/"
            near = [each for each in candidates if each.path.startswith(folder)] if own is None else []
            return near[0] if len(near) == 1 else own
        if module.startswith("."):
            module = absolute_module(module, path)
        ends = [each for each in candidates if f".{each.module}.".endswith(f".{module}.")]
        inside = [each for each in candidates if f".{module}." in f".{each.module}."]
        return _nearest(ends or inside, path)

    def nested(self, name: str, outer: DeclaredModel) -> DeclaredModel | None:
        """Return the class with a name directly inside another class."""
        inner = self._by_name.get(f"{outer.model.name}.{name}", ())
        return next((each for each in inner if each.path == outer.path), None)

    def exported(self, dotted: str, path: str) -> DeclaredModel | None:
        """Return the target of a dotted name. The module may import the name from another module of its package."""
        found = self.named(dotted, path)
        module, name = _split(dotted)
        if found is not None or not module:
            return found
        if module.startswith("."):
            module = absolute_module(module, path)
        package = module.partition(".")[0]
        candidates = [each for each in self._by_name.get(name, ()) if f".{package}." in f".{each.module}."]
        if len(candidates) > 1:
            candidates = [each for each in candidates if each.model.kind != ModelKind.BOUND]
        return candidates[0] if len(candidates) == 1 else None


class Hierarchy:
    """The classes of a repository with their ancestors."""

    def __init__(self) -> None:
        self.declarations = Declarations()
        self._bases: dict[int, list[DeclaredModel]] = {}

    def named(self, dotted: str, declared: DeclaredModel) -> DeclaredModel | None:
        """Return the target of a dotted name in the file of a declaration."""
        return self.declarations.named(dotted, declared.path)

    def bases_of(self, declared: DeclaredModel) -> list[DeclaredModel]:
        """Return the classes of the repository directly above a class."""
        key = id(declared.model)
        known = self._bases.get(key)
        if known is None:
            found = [self.named(base, declared) for base in declared.model.bases]
            known = [each for each in found if each is not None and each.model is not declared.model]
            self._bases[key] = known
        return known

    def above(
        self, declared: DeclaredModel, passes: Callable[[DeclaredModel], bool] = lambda base: True
    ) -> Iterator[DeclaredModel]:
        """Yield each ancestor of a class once, the nearest first.

        The bases of an ancestor are followed only if `passes` returns True for it.
        """
        seen = {id(declared.model)}
        waiting = self.bases_of(declared)[::-1]
        while waiting:
            base = waiting.pop()
            if id(base.model) not in seen:
                seen.add(id(base.model))
                yield base
                if passes(base):
                    waiting += reversed(self.bases_of(base))


def _split(dotted: str) -> tuple[str, str]:
    """Split a dotted name into module and name. The dots of a relative import belong to the module: `..` and `db` for `..db`."""
    dots = len(dotted) - len(dotted.lstrip("."))
    module, _, name = dotted[dots:].rpartition(".")
    return dotted[:dots] + module, name


def _nearest(candidates: Sequence[DeclaredModel], path: str) -> DeclaredModel | None:
    """Return the first declaration whose file has the most folders in common with a path."""
    return max(candidates, key=lambda each: common_folders(each.path, path), default=None)


def _module_of(path: str) -> str:
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def absolute_module(module: str, path: str) -> str:
    """Return the absolute name of a relative module: `..base` in `shop.models.order` is `shop.base`."""
    dots = len(module) - len(module.lstrip("."))
    parts = _module_of(path).split(".")
    if not path.endswith("__init__.py"):
        parts = parts[:-1]
    kept = parts[: len(parts) - (dots - 1)] if dots > 1 else parts
    return ".".join([*kept, *filter(None, [module[dots:]])])
