"""Prefixes of the names by which statements find entities."""

from __future__ import annotations

from typing import Final

#: Prefix of the name of a class: `entity-framework: Order`.
ENTITY: Final = "entity-framework: "
#: Prefix of the name of a set with its context: `entity-framework set: ShopContext.Orders`. Without the name of the context, it
#: is a set whose name no other context has.
SET: Final = "entity-framework set: "
