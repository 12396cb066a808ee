"""The surface of a file of a nominal language: digests of everything that resolution may read through names of the module."""

from __future__ import annotations

from typing import Final

from ..facts.model import FileFacts
from .item_walk import ItemWalk
from .nominal_imports import NominalImports
from .operands import BINDING
from .surface import Slicer, Surface

#: Name for the result of `from … import *`.
_ALL: Final = "__all__"


def nominal_surface_of(facts: FileFacts, symbols: list[str]) -> Surface:
    """Return the surface of a file; `symbols` are the ids of its symbols.

    If the files of a package share one scope, the surface has no names; see `package_changes`.
    """
    if facts.package:
        return Surface({}, frozenset(), facts.package_digest, None, {}, None, {}, None)
    slicer = _NominalSlicer(facts, symbols)
    names = facts.scopes[0].names if 0 in facts.scopes else {}
    found = {}
    for name, binding in names.items():
        if name != "*":
            walk = ItemWalk(slicer)
            walk.put(name)
            walk.push(BINDING, binding)
            walk.take((number, name) for number in slicer.imports.beside)
            walk.run()
            found[name] = slicer.closed(walk.done())
    stars = slicer.imports.stars
    public = found[_ALL].digest.hex() if _ALL in found else ""
    form = repr(([slicer.imports.specifiers[star] for star in sorted(stars)], public))
    return Surface(found, stars, form.encode(), None, {}, None, {}, None)


class _NominalSlicer(Slicer):
    """Computes the slices of a file. Values with annotations, and decorators, are parts of slices."""

    imports: NominalImports

    def __init__(self, facts: FileFacts, symbols: list[str]) -> None:
        super().__init__(facts, symbols)
        self.imports = NominalImports(facts)
        self.annotated_values_matter = True
        self.lists_decorators = True
