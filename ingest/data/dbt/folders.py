"""Decides which folders of a dbt project contain models."""

from __future__ import annotations

from typing import Final

#: Default folders of tests and analyses, whose queries create no relation.
_OTHERS: Final = frozenset(("tests", "data-tests", "analyses", "analysis", "macros"))


def makes_relation(path: str) -> bool:
    """Return whether the query of a template creates a view or a table, judged by the folders around the template."""
    folders = path.split("/")[:-1]
    return "models" in folders or _OTHERS.isdisjoint(folders)
