"""The version ranges of packages in the manifests of modules."""

from __future__ import annotations

from collections.abc import Iterable

from ...database import GraphDatabase


def version_ranges(database: GraphDatabase, packages: Iterable[str]) -> dict[str, list[str]]:
    """Return the ranges of versions of some packages, by package; the range that occurs in most manifests comes first."""
    statement = """
        MATCH (:Module)-[d:DEPENDS_ON]->(p:Package) WHERE p.name IN $packages
        RETURN p.name, d.versionRange, count(*) AS manifests ORDER BY p.name, manifests DESC, d.versionRange"""
    found: dict[str, list[str]] = {}
    for name, version, _ in database.rows(statement, {"packages": list(packages)}):
        found.setdefault(name, []).append(version)
    return found
