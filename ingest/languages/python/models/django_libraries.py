"""Abstract models of packages around Django, whose fields a model inherits although the packages are not read."""

from __future__ import annotations

from typing import Final

from ....facts.mapped_tables import MappedField, MappedModel

#: A field: name, class, size, and whether it is indexed, unique or a primary key.
_Field = tuple[str, str, str, str]
_DATES: Final[tuple[_Field, ...]] = (("created", "DateTimeField", "", ""), ("modified", "DateTimeField", "", ""))
_NESTED: Final[tuple[_Field, ...]] = tuple(
    (name, "PositiveIntegerField", "", "index") for name in ("lft", "rgt", "tree_id", "depth")
)
#: The fields of an abstract model by the last names of its module and class.
#: See https://django-treebeard.readthedocs.io, https://django-model-utils.readthedocs.io and django-extensions.
_MODELS: Final[dict[str, tuple[_Field, ...]]] = {
    "MP_Node": (
        ("path", "CharField", "(255)", "unique"),
        ("depth", "PositiveIntegerField", "", ""),
        ("numchild", "PositiveIntegerField", "", ""),
    ),
    "NS_Node": _NESTED,
    "AL_Node": (),
    "TimeStampedModel": _DATES,
    "SoftDeletableModel": (("is_removed", "BooleanField", "", ""),),
    "StatusModel": (("status", "CharField", "(100)", ""), ("status_changed", "DateTimeField", "", "")),
    "TimeFramedModel": (("start", "DateTimeField", "", "nullable"), ("end", "DateTimeField", "", "nullable")),
    "UUIDModel": (("id", "UUIDField", "", "primary"),),
}
#: Packages of these models.
_PACKAGES: Final = ("treebeard", "model_utils", "django_extensions")


def is_library_model(base: str) -> bool:
    """Return whether a base class, by its dotted name, is an abstract model of a known package."""
    return base.rpartition(".")[2] in _MODELS and base.partition(".")[0] in _PACKAGES


def library_fields(base: str, model: MappedModel) -> list[MappedField]:
    """Return the fields that a model inherits from an abstract model of a known package."""
    found: list[MappedField] = []
    for name, kind, size, key in _MODELS[base.rpartition(".")[2]] if is_library_model(base) else ():
        field = MappedField(name, model.symbol, model.line, kind, column_type=size)
        field.is_unique, field.is_indexed, field.is_primary = key == "unique", key == "index", key == "primary"
        field.nullable = key == "nullable"
        found.append(field)
    return found
