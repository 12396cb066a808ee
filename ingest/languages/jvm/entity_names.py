"""The names of entities among the models of a repository, which Java and Kotlin share."""

from __future__ import annotations

from typing import Final

#: Prefix of the name of an entity.
ENTITY: Final = "jpa:"
#: Prefix of the name of a repository, which stands for its entity.
REPOSITORY: Final = "jpa repository:"


def snake_case(name: str) -> str:
    """Return a name in the naming strategy of Spring: `firstName` -> `first_name`."""
    made = (
        f"_{letter}" if place and letter.isupper() and not name[place - 1].isupper() else letter
        for place, letter in enumerate(name)
    )
    return "".join(made).lower()
