"""Abstract models of Django and of packages around it, whose fields a model inherits although the packages are not read."""

from __future__ import annotations

from typing import Final

from ....facts.mapped_tables import MappedField, MappedModel

#: A field: name, class, size, and whether it is indexed, unique or a primary key. A relation has its target in place of the size.
_Field = tuple[str, str, str, str]
_MANY: Final = "ManyToManyField"
_KEY: Final = "ForeignKey"
_DATES: Final[tuple[_Field, ...]] = (("created", "DateTimeField", "", ""), ("modified", "DateTimeField", "", ""))
_NESTED: Final[tuple[_Field, ...]] = tuple(
    (name, "PositiveIntegerField", "", "index") for name in ("lft", "rgt", "tree_id", "depth")
)
_BASE_OF_USERS: Final[tuple[_Field, ...]] = (
    ("password", "CharField", "(128)", ""),
    ("last_login", "DateTimeField", "", "nullable"),
)
_PERMISSIONS: Final[tuple[_Field, ...]] = (
    ("is_superuser", "BooleanField", "", ""),
    ("groups", _MANY, "auth.Group", ""),
    ("user_permissions", _MANY, "auth.Permission", ""),
)
#: The fields of an abstract model by the last names of its module and class.
#: See https://docs.djangoproject.com/en/stable/ref/contrib/auth/, https://django-treebeard.readthedocs.io,
#: https://django-mptt.readthedocs.io, https://django-polymorphic.readthedocs.io,
#: https://django-model-utils.readthedocs.io and django-extensions.
_MODELS: Final[dict[str, tuple[_Field, ...]]] = {
    "AbstractBaseUser": _BASE_OF_USERS,
    "PermissionsMixin": _PERMISSIONS,
    "AbstractUser": (
        *_BASE_OF_USERS,
        *_PERMISSIONS,
        ("username", "CharField", "(150)", "unique"),
        ("first_name", "CharField", "(150)", ""),
        ("last_name", "CharField", "(150)", ""),
        ("email", "EmailField", "(254)", ""),
        ("is_staff", "BooleanField", "", ""),
        ("is_active", "BooleanField", "", ""),
        ("date_joined", "DateTimeField", "", ""),
    ),
    "MPTTModel": tuple(
        (name, "PositiveIntegerField", "", "index" if name == "tree_id" else "") for name in ("lft", "rght", "tree_id", "level")
    ),
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
    "PolymorphicModel": (("polymorphic_ctype", _KEY, "contenttypes.ContentType", "nullable"),),
}
#: Packages of these models.
_PACKAGES: Final = ("django.contrib.auth", "mptt", "treebeard", "model_utils", "django_extensions", "polymorphic")
#: Name by which groups and permissions refer to the users, unless the model of users states another one.
_INVERSE: Final = "user_set"


def is_library_model(base: str) -> bool:
    """Return whether a base class, by its dotted name, is an abstract model of a known package."""
    return base.rpartition(".")[2] in _MODELS and base.startswith(_PACKAGES)


def library_fields(base: str, model: MappedModel) -> list[MappedField]:
    """Return the fields that a model inherits from an abstract model of a known package."""
    found: list[MappedField] = []
    for name, kind, size, key in _MODELS[base.rpartition(".")[2]] if is_library_model(base) else ():
        field = MappedField(name, model.symbol, model.line, kind, column_type=size)
        if kind == _MANY:
            field.column_type, field.target, field.is_list, field.inverse = "", size, True, _INVERSE
        elif kind == _KEY:
            field.column_type, field.target, field.inverse = "", size, "+"
        is_indexed = key == "index" or kind == _KEY
        field.is_unique, field.is_indexed, field.is_primary = key == "unique", is_indexed, key == "primary"
        field.nullable = key == "nullable"
        found.append(field)
    return found
