"""SQLAlchemy and related packages: models, events, validators, revisions of Alembic."""

from __future__ import annotations

from .conventions import Bases, Calls, Framework, Places, names

SQLALCHEMY = Framework(
    "SQLAlchemy",
    (
        "sqlalchemy",
        "flask_sqlalchemy",
        "sqlmodel",
        "alembic",
        "flask_appbuilder",
        "peewee",
        "tortoise",
        "mongoengine",
        "odmantic",
        "beanie",
    ),
    {
        "handler": names("listens_for|observes|event"),
        "validator": names("validates|reconstructor"),
        "model": names(r"(?:registry\(\)\.)?(?:mapped|mapped_as_dataclass|as_declarative)"),
        "hook": names("declared_attr(?:\\.\\w+)?|compiles|expression|comparator"),
    },
    (
        Bases(
            names(
                r"""declarative_base\(\) | automap_base\(\) | DeclarativeBase(?:NoMeta)? | SQLAlchemy\(\)\.Model
                | SQLModel | Model | Document
                | registry\(\)\.generate_base\(\) | EmbeddedDocument"""
            ),
            "model",
            names("__\\w+__"),
        ),
        Bases(
            names("TypeDecorator|UserDefinedType"),
            "",
            names("process_\\w+|load_dialect_impl|get_col_spec|coerce_\\w+|compare_values|copy"),
        ),
    ),
    (Calls(names("listen"), "handler", takes_functions=True),),
    (
        Places(
            names(r"(?:.*/)?versions/[^/]+\.py"),
            names("upgrade|downgrade|revision|down_revision|branch_labels|depends_on"),
            "hook",
        ),
        Places(names(r"(?:.*/)?env\.py"), names("run_migrations_\\w+|target_metadata"), "hook"),
    ),
)
