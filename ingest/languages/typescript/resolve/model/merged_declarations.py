"""Merge the declarations of a name in several places: augmentations, namespaces, global scripts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from .....facts.model import Binding, DeclKind
from .....files.path_roles import is_declaration_file
from ...libraries.component_properties import INSTANCE
from .unit import is_value

if TYPE_CHECKING:
    from .binder import Binder
    from .unit import Unit

#: Interfaces of Vue with the properties of all components, to which assignments in programs add (`vue_registrations.py`).
_OF_ALL_COMPONENTS: Final = frozenset(
    (("npm:@vue/runtime-core", "ComponentCustomProperties"), ("npm:vue", "ComponentCustomProperties"), ("npm:vue", "Vue"))
)


def merged_declarations(binder: Binder, unit: Unit, index: int) -> list[tuple[Unit, int]]:
    """Return all declarations of a binding: its own declarations, and the declarations that other files add."""
    binding = unit.bindings[index]
    found = [(unit, declared) for declared in binding.decls]
    if binding.scope == 0:
        for other, scope in binder.program.augmentations.get(unit.path, ()):
            more = other.scopes[scope].names.get(binding.name)
            if more is not None:
                found += _added_declarations(other, more)
        for augmented, other, more in _distant_augmentations(binder, binding.name):
            if augmented is not unit and binder.is_exported_as(augmented, binding.name, unit, index):
                found += _added_declarations(other, more)
        if (unit.external, binding.name) in _OF_ALL_COMPONENTS:
            for other, more in binder.program.globals_of(unit, INSTANCE):
                found += _added_declarations(other, more)
    elif binding.scope in unit.scopes:
        found += _in_merged_namespaces(binder, unit, binding)
    merged = binder.program.globals_of(unit, binding.name)
    if (unit, index) in merged:
        found += [
            (other, declared)
            for other, more in merged
            if (other, more) != (unit, index) and not _hides(binder, unit, index, other, more)
            for declared in other.bindings[more].decls
        ]
    return found


def _hides(binder: Binder, unit: Unit, index: int, other: Unit, more: int) -> bool:
    """Return whether a value in a script replaces a value of the runtime, and is not merged with it."""
    return other is binder.program.lib and is_value(unit, index) and is_value(other, more) and not is_declaration_file(unit.path)


def declarations_in_blocks(binder: Binder, unit: Unit, index: int) -> list[tuple[Unit, int]]:
    """Return the other declarations of a name in the module of a `declare module` block.

    These declarations are in the augmented file, and in other blocks that augment the same file or declare the same module.
    """
    binding = unit.bindings[index]
    scope = unit.scopes.get(binding.scope)
    if scope is None or not scope.ambient or scope.ambient == "global":
        return []
    path = binder.program.augmented_paths.get((unit.index, binding.scope))
    found: list[tuple[Unit, int]] = []
    augmented = binder.program.augmented_unit(path) if path is not None else None
    if path is None or augmented is None:
        places = binder.program.ambient_modules.get(scope.ambient, [])
    else:
        places = binder.program.augmentations.get(path, [])
        if (own := augmented.scopes[0].names.get(binding.name) if 0 in augmented.scopes else None) is not None:
            found += merged_declarations(binder, augmented, own)
    for other, place in places:
        more = other.scopes[place].names.get(binding.name)
        if more is not None:
            found += _added_declarations(other, more)
    return found


def _in_merged_namespaces(binder: Binder, unit: Unit, binding: Binding) -> list[tuple[Unit, int]]:
    """Return the declarations of a namespace's member in other files that declare the same namespace."""
    owner = unit.namespace_of(binding.scope)
    found: list[tuple[Unit, int]] = []
    for other, decl in binder.namespaces_of(unit, owner) if owner is not None else ():
        more = other.scopes[decl.a].names.get(binding.name) if other is not unit else None
        if more is not None:
            found += _added_declarations(other, more)
    return found


def _added_declarations(unit: Unit, binding: int) -> list[tuple[Unit, int]]:
    """Return the declarations that a file adds to a name of another file: all declarations except imports."""
    return [(unit, index) for index in unit.bindings[binding].decls if unit.decls[index].kind != DeclKind.IMPORT]


def _distant_augmentations(binder: Binder, name: str) -> Sequence[tuple[Unit, Unit, int]]:
    """Return the augmentations of a name in modules that may re-export the name: (module, unit, binding)."""
    known = binder.augmented
    if known is None:
        known = binder.augmented = {}
        for path, places in binder.program.augmentations.items():
            augmented = binder.program.augmented_unit(path)
            if augmented is None:
                continue
            for unit, scope in places:
                for added, binding in unit.scopes[scope].names.items():
                    known.setdefault(added, []).append((augmented, unit, binding))
    return known.get(name, ())
