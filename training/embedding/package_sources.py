"""Download the listed packages of all registries, and read their symbols."""

from __future__ import annotations

import shutil
from collections import defaultdict
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory

from .debian_packages import fetch_debian_package
from .documented_symbols import DocumentedSymbol, package_symbols
from .npm_packages import fetch_npm_package
from .outlined_symbols import outlined_symbols
from .packages import Package

#: Number of concurrent downloads, which mostly wait for the network.
_DOWNLOADS = 6


def fetch_package(package: Package, root: Path) -> Path:
    """Return the folder of a package's sources below the root, after a download if the folder does not exist yet.

    Raises ValueError if the package cannot be downloaded, or if it declares another license than `packages.tsv`.
    """
    target = root / package.registry / package.folder
    if target.exists():
        return target
    target.parent.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=root) as work:
        unpacked = Path(work, "unpacked")
        fetch = fetch_npm_package if package.registry == "npm" else fetch_debian_package
        fetch(package, Path(work), unpacked)
        return Path(shutil.move(unpacked, target))


def fetch_packages(packages: Sequence[Package], root: Path) -> list[Path]:
    """Download all packages, several at a time, and return their folders."""
    with ThreadPoolExecutor(_DOWNLOADS) as pool:
        return list(pool.map(lambda package: fetch_package(package, root), packages))


def read_package(package: Package, folder: Path) -> list[DocumentedSymbol]:
    """Return the symbols of an unpacked package."""
    return (package_symbols if package.registry == "npm" else outlined_symbols)(package.origin, folder)


def read_projects(
    packages: Sequence[Package], folders: Sequence[Path], workers: int
) -> Iterator[tuple[str, list[DocumentedSymbol]]]:
    """Yield the registry and the symbols of each project, sorted by registry and name.

    Projects are read in several processes. They are not collected, because all of them together may not fit into memory.
    """
    projects: dict[tuple[str, str], list[tuple[Package, Path]]] = defaultdict(list)
    for package, folder in zip(packages, folders, strict=True):
        projects[package.registry, package.origin].append((package, folder))
    ordered = sorted(projects)
    with ProcessPoolExecutor(workers) as pool:
        read = pool.map(_read_project, [projects[key] for key in ordered], chunksize=4)
        for (registry, _), symbols in zip(ordered, read, strict=True):
            yield registry, symbols


def _read_project(members: Sequence[tuple[Package, Path]]) -> list[DocumentedSymbol]:
    return [symbol for package, folder in members for symbol in read_package(package, folder)]
