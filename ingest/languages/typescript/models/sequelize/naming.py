"""Names in snake case and in camel case as Sequelize writes them."""

from __future__ import annotations

import re
from typing import Final

_HUMP: Final = re.compile(r"([a-z\d])([A-Z])")
_ACRONYM: Final = re.compile(r"([A-Z]+)([A-Z][a-z])")
_SEPARATED: Final = re.compile(r"[-_\s]+(.)?")


def underscored(text: str) -> str:
    """Return a name as Sequelize writes it in snake case."""
    return _HUMP.sub(r"\1_\2", _ACRONYM.sub(r"\1_\2", text)).replace("-", "_").lower()


def camelized(text: str) -> str:
    """Return a name in camel case: `user_id` -> `userId`."""
    return _SEPARATED.sub(lambda found: (found[1] or "").upper(), text)
