"""Find the files that a text may name."""

from __future__ import annotations

import posixpath
import re
from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import takewhile

from ....schema.languages import LANGUAGE_BY_EXTENSION, extension_of, is_resolved_path
from ....schema.paths import PLATFORMS, folders_above
from ...query.path_filter import path_filter

#: First parts of paths that are not source folders: aliases, and folders of builds and servers.
OUTER = frozenset(
    ("@", "~", "#", "dist", "build", "lib", "out", "output", "public", "static", "assets", "www", "app", "src", "es", "cjs")
)
#: Folders of built files, and the folders of their sources.
_BUILT = frozenset(("dist", "build", "lib", "out", "output", "es", "cjs", "esm"))
_SOURCES = (("src",), ("source",), ("lib",), ())
#: Folders whose files a server serves at its root.
_SERVED = ("public", "static", "www", "assets")
_VARIANT = re.compile(rf"\.(?:{'|'.join(PLATFORMS)}|server|client|browser|d)$")
#: A name such as `spawn.core.js`: the name without the suffix, and the suffix.
_SUFFIXED = re.compile(r"(?P<name>.+)(?P<suffix>\.[\w-]+(?P<extension>\.[cm]?[jt]sx?))")
#: Folders that contain all packages of a workspace.
_OF_PACKAGES = frozenset(("packages", "apps", "libs", "source", "node_modules"))
#: A glob of paths, whose braces may hold words with dots.
_GLOB = re.compile(r"(?:[\w@./*-]|\{[\w.,-]*\})+")
#: The extension of scripts at the end of a glob: `.js`, `{.ts,.js}`, `.{j,t}s` or `.*`.
_GLOB_EXTENSION = re.compile(r"(?:\.(?:\*|[cm]?[jt]sx?|\{[\w,]+\}s?x?)|\{[.\w,]+\})$")
#: A part of a path that a program fills in: `${name}`, `{{name}}`, `{name}`, `<%= name %>` or `%s`.
_FILLED_IN = re.compile(r"\$?\{\{?[^{},]{1,100}\}?\}|<%=?[^<>%]{1,100}%>|%[sd]")
_RESOLVED_EXTENSIONS = tuple(each for each in LANGUAGE_BY_EXTENSION if is_resolved_path(f"x{each}"))


def without_extension(path: str) -> str:
    """Return a path without the extension of a resolved language, if it has one."""
    extension = extension_of(path)
    return path[: -len(extension)] if extension and is_resolved_path(path) else path


def specific_pattern(text: str) -> str | None:
    """Return the part of a glob of scripts that tells its matches from other sources, with any extension; None if there is none.

    That part begins behind the folders of sources and builds: `dist/jobs/*.js` gives `jobs/*.*`, and `src/**/*.ts` gives None.
    In a path with a part that a program fills in, such as `texts/words_{{language}}.js`, that part stands for any name.
    """
    text = _FILLED_IN.sub("*", text)
    if "*" not in text:
        return None
    if not _GLOB.fullmatch(text) or not (extension := _GLOB_EXTENSION.search(text)):
        return None
    parts = text[: extension.start()].split("/")
    general = takewhile(lambda part: part in ("", ".", "..", "**") or part in OUTER, parts[:-1])
    parts = parts[sum(1 for _ in general) :]
    folders = [part for part in parts[:-1] if "*" not in part]
    is_specific = re.search(r"\w", parts[-1]) or (folders and folders[-1] not in OUTER and folders[-1] not in _OF_PACKAGES)
    return "/".join(parts) + ".*" if is_specific else None


class FileNames:
    """Files of an index that a text may name."""

    def __init__(self, paths: Iterable[str], all_paths: Collection[str]) -> None:
        """`paths` are the files to find. A text may also refer to other indexed files, which `all_paths` includes."""
        self._all = all_paths
        self._ordered = sorted(paths)
        self._folders = {each for path in self._ordered for each in folders_above(posixpath.dirname(path)) if each}
        self._wanted: dict[str, list[tuple[str, tuple[str, ...]]]] = {}
        self._by_folder: dict[str, list[str]] = {}
        #: Files by their paths without the extension and without the name of a platform.
        self._variants: dict[str, list[str]] = {}
        #: Files beside a file without their suffix, by this suffix: `spawn.core.js` beside `spawn.js` is under ".core.js".
        self._substitutes: dict[str, list[str]] = {}
        for path in self._ordered:
            parts = tuple(_VARIANT.sub("", without_extension(path)).split("/"))
            self._wanted.setdefault(parts[-1], []).append((path, parts))
            if (plain := "/".join(parts)) != without_extension(path):
                self._variants.setdefault(plain, []).append(path)
            if parts[-1] == "index" and len(parts) > 1:
                self._wanted.setdefault(parts[-2], []).append((path, parts[:-1]))
            suffixed = _SUFFIXED.fullmatch(path)
            if suffixed is not None and suffixed["name"] + suffixed["extension"] in all_paths:
                self._substitutes.setdefault(suffixed["suffix"], []).append(path)
            folder = posixpath.dirname(path)
            self._by_folder.setdefault(folder, []).append(path)
            if parts[-1] == "index" and folder:
                self._by_folder.setdefault(posixpath.dirname(folder), []).append(path)
        self._folders_by_name: dict[str, list[str]] = {}
        for folder in self._by_folder:
            self._folders_by_name.setdefault(posixpath.basename(folder), []).append(folder)

    def may_concern(self, text: str) -> bool:
        """Return whether the last part of a text is the name of a file to find, or the folder of an index file to find."""
        return without_extension(text.rstrip("/")).rpartition("/")[2] in self._wanted

    def exactly(self, text: str, folder: str) -> str | None:
        """Return the file at a path relative to a folder or to a folder above it.

        Returns None if there is no file, or if the file is not among the files to find.
        """
        served = ("", *_SERVED) if text.startswith("/") else ("",)
        for base in folders_above(folder):
            for each in served:
                if found := self._at(posixpath.normpath(posixpath.join(base, each, text.lstrip("/")))):
                    return found if self._is_wanted(found) else None
            if text.startswith("../"):
                break
        return None

    def variants_of(self, path: str) -> Sequence[str]:
        """Return a file and its variants for other platforms."""
        return self._variants.get(_VARIANT.sub("", without_extension(path)), (path,))

    def substitutes(self, suffix: str) -> Sequence[str]:
        """Return the files with a suffix such as ".core.js" that stand beside the file without the suffix."""
        return self._substitutes.get(suffix, ())

    def loosely(self, text: str, *, least: int) -> Iterator[str]:
        """Yield the files whose paths end with the parts of a text, if there are at least `least` parts.

        A first part that a build or an alias adds does not count. A text may also be longer than the path of a file, as in
        `/opt/app/jobs/report.js`.
        """
        parts = tuple(part for part in without_extension(text).split("/") if part not in ("", ".", ".."))
        if not parts or not (parts[-1] != "index" or len(parts) > 1):
            return
        for path, known in self._wanted.get(parts[-1], ()):
            is_outer = parts[0].lstrip("@~#") == "" or parts[0] in OUTER or parts[0].startswith("$")
            shortened = parts[1:] if is_outer else parts
            is_end = any(len(each) >= least and known[-len(each) :] == each for each in (parts, shortened) if each)
            if is_end or (1 < len(known) < len(parts) and parts[-len(known) :] == known):
                yield path

    def sources_of(self, text: str, folder: str) -> list[str]:
        """Return the source of a built file that a relative path names: `src/shop.ts` for `../dist/shop` in `typings`."""
        parts = posixpath.normpath(posixpath.join(folder, text)).split("/")
        for place, part in enumerate(parts[:-1]):
            if part in _BUILT:
                paths = ("/".join((*parts[:place], *source, *parts[place + 1 :])) for source in _SOURCES)
                found = next((file for path in paths if (file := self._at(path))), None)
                return [found] if found and self._is_wanted(found) else []
        return []

    def nearby(self, text: str, folder: str) -> Iterator[str]:
        """Yield the files in the project around a folder that a relative path of two or more parts may mean from another folder.

        The path may be that of a built file, such as `./out/worker.js`.
        """
        if text.removeprefix("./").count("/") and not text.startswith("../"):
            prefix = posixpath.join(posixpath.dirname(folder) or folder, "") if folder else ""
            yield from (path for path in self.loosely(text, least=1) if path.startswith(prefix))

    def aliased(self, specifier: str) -> Iterator[str]:
        """Yield the files to which an import specifier may resolve if its first part is or begins with an alias."""
        parts = tuple(part for part in without_extension(specifier).split("/") if part not in ("", ".", ".."))
        if not parts:
            return
        bare = parts[-1].lstrip("@~#$") or parts[-1]
        for path, known in self._wanted.get(bare, ()):
            rest = (*parts[1:-1], bare)
            if known[-len(rest) :] == rest or known[-len(parts) :] == (*parts[:-1], bare):
                yield path

    def folder_named(self, text: str, folder: str) -> str | None:
        """Return the folder that a text names by a path relative to a folder or to a folder above it."""
        for base in folders_above(folder):
            joined = posixpath.normpath(posixpath.join(base, text.lstrip("/")))
            if joined in self._folders:
                return joined
            if text.startswith("../"):
                break
        return None

    def served_folder(self, text: str, folder: str) -> str | None:
        """Return the folder that a server may offer at a URL, such as `/decoders/`, in a page of `folder`."""
        for base in folders_above(folder):
            for each in _SERVED:
                joined = posixpath.normpath(posixpath.join(base, each, text.strip("/")))
                if joined in self._folders:
                    return joined
        return None

    def below(self, folder: str) -> Sequence[str]:
        """Return the files in a folder, and the index files of its subfolders."""
        return self._by_folder.get(folder, ())

    def all_below(self, folder: str) -> Iterator[str]:
        """Yield the files in a folder and in its subfolders."""
        prefix = f"{folder}/" if folder else ""
        for path in self._ordered[bisect_left(self._ordered, prefix) :]:
            if not path.startswith(prefix):
                return
            yield path

    def matching(self, pattern: re.Pattern[str]) -> Iterator[str]:
        """Yield the files whose path contains a match of a pattern."""
        return filter(pattern.search, self._ordered)

    def fitting(self, pattern: str) -> Iterator[str]:
        """Yield the files whose path, or the end of whose path, matches a glob."""
        return filter(path_filter(f"**/{pattern}"), self._ordered)

    def in_folders_named(self, name: str) -> Iterator[str]:
        """Yield the files directly in the folders with this name."""
        for folder in self._folders_by_name.get(name, ()):
            yield from self._by_folder[folder]

    def _is_wanted(self, path: str) -> bool:
        return path in self._by_folder.get(posixpath.dirname(path), ())

    def _at(self, path: str) -> str | None:
        if path in self._all and is_resolved_path(path):
            return path
        stem = re.sub(r"\.([cm]?)jsx?$", "", path)
        for each in _RESOLVED_EXTENSIONS:
            if stem + each in self._all:
                return stem + each
        if stem in self._variants:
            return self._variants[stem][0]
        return next((f"{path}/index{each}" for each in _RESOLVED_EXTENSIONS if f"{path}/index{each}" in self._all), None)
