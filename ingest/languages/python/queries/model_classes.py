"""Which classes are models of Django, and what their bases tell about them."""

from __future__ import annotations

from typing import Final

from ...framework_rules.queries import KnownType
from ...framework_rules.wiring import SymbolPlace

#: The class of models, by its name in our declarations.
MODEL: Final = "django.db.models.Model"
_CONTRIBUTED: Final = "django.contrib."
#: Packages whose classes work with a model that a derived class names.
_BINDING: Final = ("django.", "rest_framework.", "django_filters.", "import_export.", "tastypie.", "factory.")
#: Package whose classes of models have the methods of query sets.
_TORTOISE: Final = "tortoise:"
#: Package whose classes make rows of the model that a class names.
_FACTORIES: Final = "factory:"
#: Attributes that every model has for its queries.
MANAGERS: Final = frozenset(("objects", "_default_manager", "_base_manager"))
#: Names in a file whose classes without bases may be parts of models.
_OF_MODELS: Final = frozenset((*MANAGERS, "_meta", "full_clean", "refresh_from_db"))


def is_of_tortoise(model: SymbolPlace | str) -> bool:
    """Return whether a class derives from a class of Tortoise ORM."""
    return not isinstance(model, str) and any(each.startswith(_TORTOISE) for each in model.base_origins)


def makes_rows(model: SymbolPlace | str) -> bool:
    """Return whether a class is a factory of rows of the model that the class names."""
    return not isinstance(model, str) and any(each.startswith(_FACTORIES) for each in model.base_origins)


def is_above(above: SymbolPlace | str, model: SymbolPlace | str) -> bool:
    """Return whether a class is above another class of the repository."""
    if isinstance(above, str) or isinstance(model, str) or above == model:
        return False
    shape = model.shape
    ancestors = model.file.ancestors(shape) if shape >= 0 else ()
    return any(file.path == above.file.path and file.facts.shapes[each].symbol == above.symbol for file, each in ancestors)


def has_bases(model: SymbolPlace | str) -> bool:
    """Return whether a class has base classes; True if the class is not known."""
    shape = -1 if isinstance(model, str) else model.shape
    return isinstance(model, str) or shape < 0 or bool(model.file.facts.shapes[shape].extends)


def _mentions_managers(place: SymbolPlace) -> bool:
    """Return whether the file of a class uses names of models, so that models may derive from a class without bases."""
    memory = place.file.memory
    known = memory.get(_mentions_managers.__name__)
    if known is None:
        known = memory[_mentions_managers.__name__] = not _OF_MODELS.isdisjoint(place.file.facts.strings)
    return bool(known)


def model_in(kind: KnownType) -> SymbolPlace | str | None:
    """Return the class of a type that may be a model, or the name of a model of Django itself; None for other types."""
    libraries = kind.libraries
    if kind.declared is not None:
        may_be = MODEL in libraries or kind.is_open or any(each.startswith(_BINDING) for each in libraries)
        may_be = may_be or (not libraries[1:] and _mentions_managers(kind.declared))
        return kind.declared if may_be else None
    if MODEL in libraries and libraries[0].startswith(_CONTRIBUTED):
        return f"library:{libraries[0].removeprefix(_CONTRIBUTED).replace('.models.', '.').lower()}"
    return None
