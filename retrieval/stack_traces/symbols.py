"""Find the files and symbols of the repository for the frames of a stack trace.

Traces come from other machines and often from other versions, so only the ends of paths are equal, and lines differ. A file is
found by the longest common end of the paths, and a symbol by the name of the function, or else by the line. A frame in built
JavaScript without a source map is found in the source that has the path of the built file. In a bundle, it is found only by the
name of its function.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cached_property
from os.path import splitext
from pathlib import Path
from typing import NamedTuple

from ...graphdb.database import GraphDatabase
from ...graphdb.queries.files import all_places
from ...graphdb.symbols.symbol_table import symbols_of
from ...schema.records import SymbolRef
from ...schema.symbol_kinds import CALLABLE_KINDS, STATEMENTS, TYPE_KINDS
from .frames import Frame
from .source_maps import built_file, components, source_place

#: Folders of installed packages, up to the path inside the packages.
_PACKAGES = re.compile(r"(?:^|/)(?:site-packages|dist-packages)/(?=[^/])")
_NODE_PACKAGE = re.compile(r".*(?:^|/)node_modules/((?:@[^/]+/)?[^/]+)/")
#: Paths of the runtimes' own sources.
_RUNTIME = re.compile(
    r"^(?:/rustc/|node:|internal/[\w/-]+\.js$|<)|(?:^|/)lib/python[23][\d.]*/(?!(?:site|dist)-packages)|/go[\d.]*/src/(?:runtime|testing|net|reflect|fmt)/"
)
#: Extensions of built JavaScript.
_BUILT_EXTENSIONS = frozenset((".js", ".mjs", ".cjs"))
#: Extensions of the sources of built JavaScript.
_SOURCE_EXTENSIONS = frozenset((".ts", ".tsx", ".mts", ".cts", ".jsx", ".vue", ".svelte"))
#: Corresponding folders of sources and of built files.
_ROOTS = frozenset(("src", "source", "lib", "dist", "build", "out", "output", "es", "esm", "cjs", "umd", "node", "dist-node"))
#: Kinds of symbols that are named in frames.
_CALLABLE = frozenset(("function", "method", "constructor"))
#: Maximum number of symbols with the name in a frame. A choice among more symbols would be a guess.
_MAX_NAMESAKES = 2
#: The name that TypeScript gives to a default export without a name.
_WRITTEN_DEFAULT = re.compile(r"default_\d+")
#: The name of such an export in the index.
_DEFAULT = "default"
#: The name of an installed package after its folder: `node_modules/@scope/name/`, `site-packages/name/`.
_INSTALLED = re.compile(
    r".*(?:^|/)(?:node_modules/(?P<node>(?:@[^/]+/)?[^/@]+)|(?:site|dist)-packages/(?P<python>\w+))(?:/|\.py$)"
)
#: The version of a module in a path of the module cache of Go: `cobra@v1.9.1`.
_VERSION = re.compile(r"@[^/]+")


#: The possible files of a frame, the likeliest first, and its line.
_Place = tuple[list[str], int]


class FoundFrame(NamedTuple):
    """A frame with its place in the repository."""

    frame: Frame
    path: str
    #: Line in `path` according to the trace, from which the code may have moved; 0 if the trace has only a line of a built
    #: file.
    line: int
    #: Innermost function or declaration; None for code at the root of the file.
    symbol: SymbolRef | None


class FrameFinder:
    """Finds frames in one generation of the index."""

    def __init__(self, graph: GraphDatabase, root: Path, package_names: Collection[str]) -> None:
        """`root` is the folder with built files and their source maps. `package_names` are the package names in its manifests."""
        self._table = symbols_of(graph)
        self._paths = all_places(graph)
        self._root = root
        self._package_names = package_names
        self._by_name: dict[str, list[str]] = {}
        for path in self._paths:
            self._by_name.setdefault(path.rpartition("/")[2], []).append(path)

    def find(self, frames: Sequence[Frame]) -> list[FoundFrame]:
        """Return the frames that are in the repository, in the given order."""
        places = self._below_roots(frames, [self._place(frame) or self._place_of_name(frame) for frame in frames])
        paths = {path for place in places if place is not None for path in place[0]}
        symbols: dict[str, list[SymbolRef]] = {}
        for symbol in self._table.in_files(paths):
            symbols.setdefault(symbol.relative_path, []).append(symbol)
        return [self._found(frame, *place, symbols) for frame, place in zip(frames, places, strict=True) if place is not None]

    def _below_roots(self, frames: Sequence[Frame], places: Sequence[_Place | None]) -> list[_Place | None]:
        """Add the places of frames in files with frequent names: other frames tell the root folder on the other machine."""
        roots = {
            frame.path.removesuffix(f"/{place[0][0]}")
            for frame, place in zip(frames, places, strict=True)
            if place is not None and len(place[0]) == 1 and frame.path.endswith(f"/{place[0][0]}")
        }
        found = list(places)
        for number, frame in enumerate(frames):
            if found[number] is None:
                below = {frame.path.removeprefix(f"{root}/") for root in roots} & self._paths.keys()
                found[number] = ([below.pop()], frame.line) if len(below) == 1 else None
        return found

    def packages(self, frames: Sequence[Frame]) -> list[str]:
        """Return the names of the installed packages of frames, in the order of the frames, without packages of the
        repository.
        """
        found = [match["node"] or match["python"] for frame in frames if (match := _INSTALLED.match(frame.path))]
        return [name for name in dict.fromkeys(found) if name not in self._package_names]

    def _found(self, frame: Frame, paths: Sequence[str], line: int, symbols: Mapping[str, Sequence[SymbolRef]]) -> FoundFrame:
        choices = [(path, _symbol_of(symbols.get(path, ()), frame.names, line)) for path in paths]
        named = [each for each in choices if each[1] is not None and frame.names and each[1].name == frame.names[-1]]
        path, symbol = (named or choices)[0]
        return FoundFrame(frame, path, line, symbol)

    def _place(self, frame: Frame) -> tuple[list[str], int] | None:
        """Return the possible files of a frame, the likeliest first, and its line; None for a frame outside of the repository."""
        if _RUNTIME.search(frame.path):
            return None
        if frame.column and (built := built_file(self._root, frame.path)) is not None:
            mapped = source_place(self._root, built, frame.line, frame.column)
            if mapped is not None and (paths := self._files(mapped[0])):
                return paths, mapped[1]
        if paths := self._files(frame.path):
            return paths, frame.line
        paths = self._sources_of_built(frame.path)
        return (paths, 0) if paths else None

    @cached_property
    def _sources_by_stem(self) -> dict[str, list[str]]:
        """The sources that a build may convert to JavaScript, by their names without extension."""
        found: dict[str, list[str]] = {}
        for name, paths in self._by_name.items():
            stem, extension = splitext(name)
            if extension in _SOURCE_EXTENSIONS and not stem.endswith(".d"):
                found.setdefault(stem, []).extend(paths)
        return found

    def _place_of_name(self, frame: Frame) -> tuple[list[str], int] | None:
        """Return the files that declare the function of a frame in a bundle of a package of the repository."""
        package = _NODE_PACKAGE.match(frame.path)
        if package is None or package[1] not in self._package_names or not frame.names:
            return None
        if splitext(frame.path)[1] not in _BUILT_EXTENSIONS:
            return None
        named = [
            symbol
            for symbol in self._table.named([frame.names[-1]])
            if symbol.kind in _CALLABLE and not self._paths[symbol.relative_path].is_test
        ]
        paths = sorted({symbol.relative_path for symbol in _of_owner(named, frame.names)})
        return (paths, 0) if 0 < len(paths) <= _MAX_NAMESAKES else None

    def _sources_of_built(self, written: str) -> list[str]:
        """Return the sources whose paths equal the path of a built file, apart from the extension and the root folders."""
        stem, extension = splitext(written)
        package = _NODE_PACKAGE.match(written)
        if extension not in _BUILT_EXTENSIONS or (package and package[1] not in self._package_names):
            return []
        parts = _without_roots(stem)
        scored = []
        for path in self._sources_by_stem.get(parts[-1], ()) if parts else ():
            own = _without_roots(splitext(path)[0])
            shared = _shared_end(parts, own)
            if shared == len(own) or shared >= 2:
                scored.append((shared, path))
        return _nearest(scored)

    def _files(self, written: str) -> list[str]:
        parts = components(written)
        if not parts:
            return []
        candidates = self._by_name.get(parts[-1], ())
        within = _PACKAGES.split(written)[-1] if _PACKAGES.search(written) else ""
        if (package := _NODE_PACKAGE.match(written)) and self._package_names and package[1] not in self._package_names:
            return []
        scored = []
        for path in candidates:
            own = path.split("/")
            shared = _shared_end(parts, own)
            if within and shared < len(within.split("/")):
                continue
            if shared == len(own) or shared == len(parts) or shared >= 2:
                scored.append((shared, path))
        best = max((shared for shared, _ in scored), default=0)
        # A single equal component is no evidence, because files of different packages have the same names.
        if best == 1 and len(parts) > 2 and package is None and len(candidates) > 1:
            return []
        return _nearest(scored)


def is_in_package(frame: Frame, package: str) -> bool:
    """Return whether a frame is in a package: a name in npm or PyPI, the path of a package of Go, or a package of the JVM.

    A frame of a bundle without a folder for the package counts if its type has the name of the package.
    """
    if (match := _INSTALLED.match(frame.path)) is not None:
        return package == (match["node"] or match["python"])
    folder = _VERSION.sub("", frame.path.rpartition("/")[0])
    if folder == package.replace(".", "/") or f"/{folder}".endswith(f"/{package}"):
        return True
    return len(frame.names) > 1 and frame.names[-2].lower() == package.rpartition("/")[2].lower()


def _nearest(scored: Sequence[tuple[int, str]]) -> list[str]:
    """Return the paths with the highest number of shared components; paths with the fewest folders come first."""
    best = max((shared for shared, _ in scored), default=0)
    return sorted((path for shared, path in scored if shared == best), key=lambda path: (path.count("/"), path))


def _without_roots(path: str) -> list[str]:
    """Return the components of a path without root folders of sources and of built files; the last component stays."""
    *folders, name = components(path) or [""]
    return [*(part for part in folders if part not in _ROOTS), name] if name else []


def _shared_end(one: Sequence[str], other: Sequence[str]) -> int:
    shared = 0
    for left, right in zip(reversed(one), reversed(other), strict=False):
        if left != right:
            break
        shared += 1
    return shared


def _symbol_of(symbols: Sequence[SymbolRef], names: Sequence[str], line: int) -> SymbolRef | None:
    """Return the nearest symbol to the line with the name of the frame, or else the innermost symbol around the line.

    If the name is the name of a type, a member around the line is more precise. `new Cart` calls a constructor, and Python
    evaluates decorators and annotations of methods in the body of a class.
    """
    declared = [symbol for symbol in symbols if symbol.kind not in STATEMENTS]
    if names and (chosen := _of_owner(_named(declared, names[-1]), names)):
        named = min(chosen, key=lambda symbol: (_distance(symbol, line), symbol.end_line - symbol.start_line))
        if named.kind not in TYPE_KINDS or _distance(named, line) > 0:
            return named
        members = [one for one in declared if one.depth > named.depth and one.kind in CALLABLE_KINDS]
        inner = [one for one in members if named.start_line <= one.start_line and one.end_line <= named.end_line]
        return _innermost(inner, line) or named
    return _innermost(declared, line)


def _named(symbols: Sequence[SymbolRef], name: str) -> list[SymbolRef]:
    """Return the symbols with the name of a function in a trace."""
    named = [symbol for symbol in symbols if symbol.name == name]
    if not named and _WRITTEN_DEFAULT.fullmatch(name):
        return [symbol for symbol in symbols if symbol.name == _DEFAULT]
    return named


def _innermost(symbols: Iterable[SymbolRef], line: int) -> SymbolRef | None:
    around = [symbol for symbol in symbols if symbol.start_line <= line <= symbol.end_line]
    return min(around, key=lambda symbol: (symbol.end_line - symbol.start_line, -symbol.depth), default=None)


def _of_owner(named: Sequence[SymbolRef], names: Sequence[str]) -> Sequence[SymbolRef]:
    """Return the symbols inside the type that a frame names before its function, or all symbols if there are none inside."""
    owner = names[-2] if len(names) > 1 else ""
    return [each for each in named if owner and owner in each.qualified_name.replace(" > ", ".").split(".")] or named


def _distance(symbol: SymbolRef, line: int) -> int:
    return max(symbol.start_line - line, line - symbol.end_line, 0) if line else 0
