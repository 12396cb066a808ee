"""The npm packages whose sources the model learns from: listed with version and licence in packages.tsv."""

from __future__ import annotations

import json
import re
import subprocess
import tarfile
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

_LIST = Path(__file__).with_name("packages.tsv")
_PERMISSIVE = {"MIT", "MIT-0", "ISC", "BSD-2-Clause", "BSD-3-Clause", "Apache-2.0", "0BSD"}
_KEPT = re.compile(r"\.[cm]?[jt]sx?$|^package\.json$")
_MAX_BYTES = 600_000


@dataclass(frozen=True, slots=True)
class Package:
    """A package at one version. Held-out ones are for evaluation: nothing that they say is trained on."""

    name: str
    version: str
    #: SPDX expression.
    licence: str
    held_out: bool

    @property
    def folder(self) -> str:
        """Name of the folder that holds the unpacked sources."""
        return f"{self.name}@{self.version}".replace("/", "+")


def listed_packages() -> list[Package]:
    """The packages of packages.tsv. Raises ValueError for a licence that is not permissive."""
    rows = [line.split("\t") for line in _LIST.read_text("utf-8").splitlines()[1:]]
    packages = [Package(name, version, licence, use == "held out") for name, version, licence, use in rows]
    for package in packages:
        if not is_permissive(package.licence):
            raise ValueError(f"{package.name}: the licence {package.licence} is not on the list of permissive ones")
    return packages


def is_permissive(expression: str) -> bool:
    """Whether an SPDX expression (without brackets inside) leaves a permissive choice."""
    choices = expression.strip("()").split(" OR ")
    return any(all(licence in _PERMISSIVE for licence in choice.split(" AND ")) for choice in choices)


def fetch_package(package: Package, root: Path) -> Path:
    """Unpack the package's sources below the root unless they are there; return their folder.

    Raises ValueError when the package states another licence than the list does.
    """
    target = root / package.folder
    if target.exists():
        return target
    root.mkdir(parents=True, exist_ok=True)
    command = ["npm", "pack", "--silent", "--pack-destination", str(root), f"{package.name}@{package.version}"]
    archive = root / subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()[-1]
    partial = root / "unpacking"
    _unpack(archive, partial)
    archive.unlink()
    stated = json.loads((partial / "package.json").read_text("utf-8")).get("license", "")
    if str(stated).strip("()") != package.licence:
        raise ValueError(f"{package.name}: the list says {package.licence}, the package {stated}")
    return partial.rename(target)


def _unpack(archive: Path, target: Path) -> None:
    with tarfile.open(archive) as members:
        for member in members:
            path = PurePosixPath(*PurePosixPath(member.name).parts[1:])
            if not member.isfile() or member.size > _MAX_BYTES or not _KEPT.search(str(path)):
                continue
            if ".." in path.parts or "node_modules" in path.parts:
                continue
            content = members.extractfile(member)
            if content is not None:
                (target / path).parent.mkdir(parents=True, exist_ok=True)
                (target / path).write_bytes(content.read())
