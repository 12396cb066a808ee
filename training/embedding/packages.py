"""Read `packages.tsv`, which lists the training packages with version, license and project of origin."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

_LIST = Path(__file__).with_name("packages.tsv")
_PERMISSIVE = {"MIT", "MIT-0", "ISC", "BSD-2-Clause", "BSD-3-Clause", "Apache-2.0", "0BSD"}


@dataclass(frozen=True, slots=True)
class Package:
    """A package at one version. A held-out package is used for evaluation only, never for training."""

    #: "npm", "debian" (a binary package with sources) or "debian-source".
    registry: str
    name: str
    version: str
    #: SPDX expression.
    licence: str
    #: Project of the package: the repository if several packages share one, else the name of the package.
    origin: str
    held_out: bool

    @property
    def folder(self) -> str:
        """Name of the folder with the unpacked sources."""
        return f"{self.name}@{self.version}".replace("/", "+")


def listed_packages() -> list[Package]:
    """Return the packages of `packages.tsv`. Raises ValueError for a license that is not permissive."""
    rows = [line.split("\t") for line in _LIST.read_text("utf-8").splitlines()[1:]]
    packages = [
        Package(registry, name, version, licence, origin, use == "held out")
        for registry, name, version, licence, origin, use in rows
    ]
    for package in packages:
        if not is_permissive(package.licence):
            raise ValueError(f"{package.name}: the licence {package.licence} is not on the list of permissive ones")
    return packages


def is_permissive(expression: str) -> bool:
    """Return whether an SPDX expression without inner parentheses allows the choice of a permissive license."""
    choices = expression.strip("()").split(" OR ")
    return any(all(licence in _PERMISSIVE for licence in choice.split(" AND ")) for choice in choices)
