"""Fetches the listed packages, and reads their symbols: the same of every registry."""

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

#: Downloads at the same time: they mostly wait.
_DOWNLOADS = 6


def fetch_package(package: Package, root: Path) -> Path:
    """Unpack the package's sources below the root unless they are there; return their folder.

    Raises ValueError when the package cannot be had, or when it states another licence than the list does.
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
    """The folders of all packages, several of which are fetched at the same time."""
    with ThreadPoolExecutor(_DOWNLOADS) as pool:
        return list(pool.map(lambda package: fetch_package(package, root), packages))


def read_package(package: Package, folder: Path) -> list[DocumentedSymbol]:
    """The symbols of an unpacked package."""
    return (package_symbols if package.registry == "npm" else outlined_symbols)(package.origin, folder)


def read_projects(
    packages: Sequence[Package], folders: Sequence[Path], workers: int
) -> Iterator[tuple[str, list[DocumentedSymbol]]]:
    """The registry of each project and the symbols of its packages, one project after the other, sorted.

    Several are read at the same time, and none is kept: all of them together may be more than fits into memory.
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
