"""Migrations of TypeORM that run statements of SQL: https://typeorm.io/docs/migrations/creating."""

from __future__ import annotations

from typing import Final

from .....data.sql.embedded_changes import changes_of_text
from .....facts.data import SchemaChange
from .....facts.model import MemberKind, Shape
from .....facts.operations import Op
from ..declared import DeclaredNames

_INTERFACE: Final = "typeorm#MigrationInterface"
#: Methods of a migration, and whether each takes it back.
_DIRECTIONS: Final = {"up": False, "down": True}


def add_migrations(names: DeclaredNames) -> None:
    """Add the changes that the migrations of a file make to its facts about data. What code computes is left out."""
    changes: list[SchemaChange] = []
    for shape in names.classes():
        if any(_reference(names, each) == _INTERFACE for each in shape.implements):
            changes += _changes(names, shape)
    if changes:
        names.facts.own_data().changes += changes


def _reference(names: DeclaredNames, node: int) -> str:
    return names.reference(names.code[node + 1] if names.code[node] == Op.T_REFERENCE else node)


def _changes(names: DeclaredNames, shape: Shape) -> list[SchemaChange]:
    found: list[SchemaChange] = []
    for member in shape.members:
        if member.kind != MemberKind.METHOD or member.name not in _DIRECTIONS or member.symbol < 0:
            continue
        for call in names.decorators(member.symbol):
            text = names.text(call.argument(0)) if call.name.endswith(".query") and not call.module else ""
            if not text:
                continue
            made = changes_of_text(text, member.symbol, names.line(call.node))
            for change in made:
                change.is_down = _DIRECTIONS[member.name]
            found += made
    return found
