"""Prefixes of the names by which statements find entities, and the names of settings."""

from __future__ import annotations

from typing import Final

#: Prefix of the name of a class: `entity-framework: Order`.
ENTITY: Final = "entity-framework: "
#: Prefix of the name of a set with its context: `entity-framework set: ShopContext.Orders`. Without the name of the context, it
#: is a set whose name no other context has.
SET: Final = "entity-framework set: "
#: Names of settings: of a naming convention, and of the namespaces that a project imports everywhere. The latter is also the name
#: of the option of models with the namespaces that their file imports.
SNAKE_CASE: Final = "snake case"
GLOBAL_USINGS: Final = "global usings"
USINGS: Final = "usings"
#: Name of the option of a context with the schema of all tables without a schema of their own.
SCHEMA: Final = "schema"
