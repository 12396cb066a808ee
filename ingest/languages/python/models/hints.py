"""Tell which readers of models and migrations a file of Python needs. Most files need none, so the readers are not loaded."""

from __future__ import annotations

import re
from typing import Final

from ....facts.model import DeclKind, FileFacts

#: Setting of Django that names the class of automatic keys.
_AUTO_FIELD: Final = "DEFAULT_AUTO_FIELD"
#: End of the names of settings that name a model, such as `AUTH_USER_MODEL`.
_MODEL_SETTING: Final = "_MODEL"
#: Modules of Django and of packages around it.
DJANGO: Final = re.compile(
    r"^\.*\w*django|^(?:rest_framework|import_export|tastypie|factory|wagtail|extra_views|polymorphic|mptt|treebeard|model_utils)\b"
)
#: Beginning of the names of abstract models from which functions make models.
ABSTRACT: Final = "Abstract"
#: Modules of Peewee and of packages around it.
PEEWEE: Final = re.compile(r"(?:peewee|playhouse|aiopeewee|peewee_async)\b")
#: Modules of Tortoise ORM, whose models look like those of Peewee, and whose queries look like those of Django.
TORTOISE: Final = re.compile(r"tortoise\b")
#: Modules of Piccolo, and of the mappers for documents in MongoDB: MongoEngine, and Beanie with its twin that does not await.
PICCOLO: Final = re.compile(r"piccolo\b")
MONGOENGINE: Final = re.compile(r"(?:\w+_)?mongoengine\b")
BEANIE: Final = re.compile(r"(?:beanie|bunnet)\b")
#: Names in a file with documents whose base class comes from another file of the repository.
_DOCUMENTS: Final = frozenset(("Document", "StringField", "ReferenceField", "ListField", "DictField", "EmbeddedDocumentField"))
#: Functions of SQLAlchemy that map a class to a table, and the prefix of the name in place of such a class in queries.
MAPPING_CALLS: Final = frozenset(("mapper", "map_imperatively"))
MAPPED: Final = "mapped:"
#: Names of SQLAlchemy and of packages around it, of which a file with tables has at least one.
_SQLALCHEMY: Final = frozenset(
    ("Column", "mapped_column", "Mapped", "Table", "SQLModel", "DeclarativeBase", "declarative_base", "as_declarative",
     "SQLAlchemy", "MetaData", "TypeDecorator", "UserDefinedType", "__tablename__", "__mapper_args__", "__abstract__",
     "registry", "naming_convention", *MAPPING_CALLS)
)  # fmt: skip
#: Names in a file with a base class of models that declares no columns, but adds rows to a session.
_SESSION: Final = frozenset(("session", "add", "commit"))
#: Attributes in which a class of a repository pattern names its model.
MODEL_ATTRIBUTES: Final = frozenset(
    f"{prefix}{name}"
    for prefix in ("", "_")
    for name in ("model", "model_class", "model_cls", "model_type", "db_model", "orm_model", "orm_class", "entity",
                 "entity_class", "entity_cls", "entity_type", "class_type", "classtype", "klass", "mapped_class",
                 "record_class", "table_class")
)  # fmt: skip
#: Attributes in which a class around Django names its model or its query set.
BOUND_ATTRIBUTES: Final = frozenset(("model", "queryset", "model_class"))
#: Modules whose object `g`, or whose requests, carry rows from one function to others.
_CARRYING: Final = re.compile(r"(?:flask|quart|starlette|fastapi)\b")
#: Objects that carry rows as attributes for a request, by the end of their dotted names: `g.user`, `request.state.user`.
CARRIERS: Final = {"flask.g": "g", "quart.g": "g", "request": "request", "request.state": "request.state"}
#: Prefix of the name in place of a model for such an attribute.
CARRIED: Final = "attribute:"
#: Names of classes that usually work with a model which their type argument or an argument of their constructor names.
HOLDER: Final = re.compile(
    r"[A-Z]\w*(?:Repo|DAO|Dao|CRUD|Crud|Service|Store|Gateway|Manager|Controller)\w*|(?:Repo|CRUD|Crud|DAO)\w*"
)
#: Name of the revision before an Alembic migration, which each migration states.
PREVIOUS_REVISION: Final = "down_revision"
#: Name of the class of a Django migration.
MIGRATION: Final = "Migration"


def is_model_setting(name: str) -> bool:
    """Return whether a name may be that of a setting of Django that names a model."""
    return name.endswith(_MODEL_SETTING) and name.isupper()


def is_setting(name: str) -> bool:
    """Return whether a name may be that of a setting of Django on which models depend."""
    return name == _AUTO_FIELD or is_model_setting(name)


def may_have_django_models(facts: FileFacts) -> bool:
    """Return whether a file may declare models, applications or settings of Django, or a class that names a model."""
    if any(is_setting(decl.name) or (decl.name in BOUND_ATTRIBUTES and decl.symbol >= 0) for decl in facts.decls):
        return True
    if any(name.startswith(ABSTRACT) for name in facts.strings):
        return True
    return any(DJANGO.search(each.specifier) for each in facts.imports)


def may_have_peewee_models(facts: FileFacts) -> bool:
    """Return whether a file may declare models of Peewee or Tortoise."""
    return any(PEEWEE.match(each.specifier) or TORTOISE.match(each.specifier) for each in facts.imports)


def may_have_piccolo_models(facts: FileFacts) -> bool:
    """Return whether a file may declare tables of Piccolo."""
    return any(PICCOLO.match(each.specifier) for each in facts.imports)


def may_have_documents(facts: FileFacts) -> bool:
    """Return whether a file may declare documents of MongoEngine or Beanie."""
    if not _DOCUMENTS.isdisjoint(facts.strings) and facts.shapes:
        return True
    return any(MONGOENGINE.match(each.specifier) or BEANIE.match(each.specifier) for each in facts.imports)


def may_have_sqlalchemy_tables(facts: FileFacts) -> bool:
    """Return whether a file may declare tables for SQLAlchemy, or base classes of models.

    A class with keywords such as `table=True` may be a table. A class such as `UserRepository` may name a model.
    """
    names = set(facts.strings)
    if any(decl.kind == DeclKind.VARIABLE and decl.name in MODEL_ATTRIBUTES for decl in facts.decls):
        return True
    if not _SQLALCHEMY.isdisjoint(names) or names >= _SESSION or any(shape.implements for shape in facts.shapes):
        return True
    if ("g" in names or "request" in names) and any(_CARRYING.match(each.specifier) for each in facts.imports):
        return True
    return any(map(HOLDER.fullmatch, names)) and not any(DJANGO.search(each.specifier) for each in facts.imports)


def may_be_alembic_migration(facts: FileFacts) -> bool:
    """Return whether a file may be a migration of Alembic."""
    return PREVIOUS_REVISION in facts.strings or any(decl.name == PREVIOUS_REVISION for decl in facts.decls)


def may_be_django_migration(facts: FileFacts) -> bool:
    """Return whether a file may be a migration of Django."""
    has_class = any(shape.name == MIGRATION for shape in facts.shapes)
    return has_class and any(each.specifier.startswith("django.db") for each in facts.imports)
