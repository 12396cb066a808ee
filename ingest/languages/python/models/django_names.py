"""The names that Django gives to tables, indexes and keys, and the PostgreSQL types of columns.

See https://docs.djangoproject.com/en/stable/ref/models/options/#table-names and `BaseDatabaseSchemaEditor`.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from hashlib import md5
from typing import Final

#: Maximum length of a name in PostgreSQL.
_MAX_NAME: Final = 63
#: Type and size of a column by the class of the field.
TYPES: Final = {
    "AutoField": ("integer", ""),
    "BigAutoField": ("bigint", ""),
    "SmallAutoField": ("smallint", ""),
    "BigIntegerField": ("bigint", ""),
    "PositiveBigIntegerField": ("bigint", ""),
    "BinaryField": ("bytea", ""),
    "BooleanField": ("boolean", ""),
    "NullBooleanField": ("boolean", ""),
    "CharField": ("varchar", ""),
    "CommaSeparatedIntegerField": ("varchar", ""),
    "DateField": ("date", ""),
    "DateTimeField": ("timestamp with time zone", ""),
    "DecimalField": ("numeric", ""),
    "DurationField": ("interval", ""),
    "EmailField": ("varchar", "(254)"),
    "FileField": ("varchar", "(100)"),
    "FilePathField": ("varchar", "(100)"),
    "ImageField": ("varchar", "(100)"),
    "FloatField": ("double precision", ""),
    "GenericIPAddressField": ("inet", ""),
    "IPAddressField": ("inet", ""),
    "IntegerField": ("integer", ""),
    "PositiveIntegerField": ("integer", ""),
    "PositiveSmallIntegerField": ("smallint", ""),
    "SmallIntegerField": ("smallint", ""),
    "JSONField": ("jsonb", ""),
    "SlugField": ("varchar", "(50)"),
    "TextField": ("text", ""),
    "TimeField": ("time", ""),
    "URLField": ("varchar", "(200)"),
    "UUIDField": ("uuid", ""),
    "HStoreField": ("hstore", ""),
    "SearchVectorField": ("tsvector", ""),
    "DateRangeField": ("daterange", ""),
    "DateTimeRangeField": ("tstzrange", ""),
    "DecimalRangeField": ("numrange", ""),
    "IntegerRangeField": ("int4range", ""),
    "BigIntegerRangeField": ("int8range", ""),
    "CITextField": ("citext", ""),
    "InetAddressField": ("inet", ""),  # of django-netfields, like the following three
    "CidrAddressField": ("cidr", ""),
    "MACAddressField": ("macaddr", ""),
    "MACAddress8Field": ("macaddr8", ""),
    "CIEmailField": ("citext", ""),
    "I18nCharField": ("text", ""),  # of django-i18nfield, which writes all languages into one text
}
#: Classes of fields, the longest names first: packages name theirs after them, such as `EncryptedTextField`.
_ENDINGS: Final = tuple(sorted(TYPES, key=len, reverse=True))
#: Tables of Django's own models, to which many models refer. The primary keys of these tables are integers named `id`.
CONTRIBUTED: Final = {
    "auth.user": "auth_user",
    "auth.group": "auth_group",
    "auth.permission": "auth_permission",
    "contenttypes.contenttype": "django_content_type",
    "sites.site": "django_site",
}


def type_of_field(name: str) -> tuple[str, str]:
    """Return the type and size of a column by the name of a field class that the repository does not declare."""
    found = TYPES.get(name)
    if found is None:
        ending = next((each for each in _ENDINGS if name.endswith(each)), "")
        found = TYPES.get(ending, ("", ""))
    return found


def _digest(names: Sequence[str], length: int) -> str:
    return md5("".join(names).encode(), usedforsecurity=False).hexdigest()[:length]


def fitted_name(name: str) -> str:
    """Return the name of a table, shortened to the database's limit as Django does."""
    return name if len(name) <= _MAX_NAME else name[: _MAX_NAME - 4] + _digest([name], 4)


def index_name(table: str, columns: Sequence[str], suffix: str) -> str:
    """Return the name of an index, of a unique key over several columns (`_uniq`) or of a foreign key."""
    end = f"{_digest([table, *columns], 8)}{suffix}"
    joined = "_".join(columns)
    name = f"{table}_{joined}_{end}"
    if len(name) <= _MAX_NAME:
        return name
    end = end[: _MAX_NAME // 3]
    room = (_MAX_NAME - len(end)) // 2 - 1
    name = f"{table[:room]}_{joined[:room]}_{end}"
    return f"D{name[:-1]}" if name[0] == "_" or name[0].isdigit() else name


def option_index_name(table: str, columns: Sequence[str], descending: Collection[str], method: str) -> str:
    """Return the name that Django generates for an index without a name in `Meta.indexes`, such as one of the method `gin`."""
    suffix = method or "idx"
    parts = [table, *(f"-{each}" if each in descending else each for each in columns), suffix]
    return f"{table[:11]}_{columns[0][:7]}_{_digest(parts, 6)}_{suffix}" if columns else ""
