"""Declarations of one name in several places: augmentations, merged namespaces, global scripts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from .....facts.model import Binding, DeclKind

if TYPE_CHECKING:
    from .binder import Linker
    from .program import Unit


def merged_declarations(linker: Linker, unit: Unit, index: int) -> list[tuple[Unit, int]]:
    """All declarations of a binding: its own, and those that other files add."""
    binding = unit.bindings[index]
    found = [(unit, declared) for declared in binding.decls]
    if binding.scope == 0:
        for other, scope in linker.program.augmentations.get(unit.path, ()):
            more = other.scopes[scope].names.get(binding.name)
            if more is not None:
                found += _added(other, more)
        for augmented, other, more in _distant_augmentations(linker, binding.name):
            if augmented is not unit and linker.is_exported_as(augmented, binding.name, unit, index):
                found += _added(other, more)
    elif binding.scope in unit.scopes:
        found += _in_merged_namespaces(linker, unit, binding)
    merged = linker.program.globals.get(binding.name)
    if merged and (unit, index) in merged:
        found += [
            (other, declared)
            for other, more in merged
            if (other, more) != (unit, index)
            for declared in other.bindings[more].decls
        ]
    return found


def _in_merged_namespaces(linker: Linker, unit: Unit, binding: Binding) -> list[tuple[Unit, int]]:
    """Declarations of a name of a namespace in other files that declare the same namespace."""
    owner = unit.namespace_of(binding.scope)
    found: list[tuple[Unit, int]] = []
    for other, decl in linker.namespaces_of(unit, owner) if owner is not None else ():
        more = other.scopes[decl.a].names.get(binding.name) if other is not unit else None
        if more is not None:
            found += _added(other, more)
    return found


def _added(unit: Unit, binding: int) -> list[tuple[Unit, int]]:
    """What a file adds to what another one offers: all but what it only brings into its scope."""
    return [(unit, index) for index in unit.bindings[binding].decls if unit.decls[index].kind != DeclKind.IMPORT]


def _distant_augmentations(linker: Linker, name: str) -> Sequence[tuple[Unit, Unit, int]]:
    """Augmentations of a name in modules that may have it from another: (module, unit, binding)."""
    known = linker.augmented
    if known is None:
        known = linker.augmented = {}
        for path, places in linker.program.augmentations.items():
            augmented = linker.program.unit_at(path)
            if augmented is None:
                continue
            for unit, scope in places:
                for added, binding in unit.scopes[scope].names.items():
                    known.setdefault(added, []).append((augmented, unit, binding))
    return known.get(name, ())
