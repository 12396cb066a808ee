"""Which folders of a project of dbt hold models."""

from __future__ import annotations

from typing import Final

#: Folders whose queries make nothing: those of tests and analyses, where a project does not name others.
_OTHERS: Final = frozenset(("tests", "data-tests", "analyses", "analysis", "macros"))


def makes_relation(path: str) -> bool:
    """Return whether the query of a template makes a view or a table, by the folders around it."""
    folders = path.split("/")[:-1]
    return "models" in folders or _OTHERS.isdisjoint(folders)
