"""Compute digests of everything except sources that affects an index.

The first digest covers settings and installed packages, because types of packages are read, and files that change what sources
declare. Installed packages are found in the records of package managers, the names of downloaded archives and Go modules, and
Python environments. If the first digest changes, the index is built again. The second digest covers the rules: ignore files,
tsconfigs and manifests. The rules decide which files belong to the workspace and how specifiers resolve. An update checks their
effect file by file.
"""

from __future__ import annotations

import os
import posixpath
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from hashlib import sha256
from typing import NamedTuple

import msgspec

from ...schema.paths import path_in
from ...schema.settings import Settings
from .downloaded_archives import downloaded_names
from .go_modules import go_installations
from .manifest_names import manifest_language
from .python_environments import installed_names, package_folders
from .tool_configurations import MAX_IMPORTS, script_candidates, tool_of
from .version_sources import version_candidates, version_lines

#: Version of the built-in rules and of the meaning of configuration files. A new version causes old indexes to be rebuilt.
_MEANING_VERSION = b"9"

#: Files besides the manifests of packages. `go.work`, `Cargo.toml` and `composer.json` determine how imports resolve.
_CONFIGURATION_NAMES = frozenset(
    ("pnpm-workspace.yaml", ".yarnrc.yml", "go.work", "Cargo.toml", "composer.json", "Makefile", "pytest.ini", "tox.ini")
)
#: Files that change what the sources of a folder declare, so that every edge may change.
_DECLARING_NAMES = frozenset(("lombok.config",))
_COMPILER_CONFIGURATION = re.compile(r"[tj]sconfig.*\.json$")
#: Files in `node_modules` in which npm, both versions of yarn, and pnpm record the installed packages.
_INSTALLED = (".package-lock.json", ".yarn-integrity", ".yarn-state.yml", ".modules.yaml")
#: A text search is enough, because a file from a commented-out `extends` in the digest is harmless.
_EXTENDS = re.compile(rb'"(?:extends|importMap)"\s*:\s*("[^"]*"|\[[^\]]*\])')
#: A project that a compiler configuration references by its file, which may have any name.
_REFERENCED = re.compile(rb'"path"\s*:\s*"([^"]*\.json)"')

#: Maximum number of files that are searched for imports. A program may have a file whose name is that of a configuration, such
#: as `build.ts`, and its imports would lead to all files.
_MAX_IMPORTED = 100
#: An import in a configuration that is code. The imported file may define aliases in constants.
_IMPORTED = re.compile(rb"""(?:\bfrom|\brequire\(|\bimport\(|\bimport)\s*["'](\.\.?/[^"'\n]*)["']""")


class ConfigurationDigests(NamedTuple):
    """Digests of the configuration, as SHA-256 in hexadecimal."""

    #: Digest of settings and installations.
    settings: str
    #: Digest of ignore files, workspace definitions, tsconfigs, manifests and symbolic links.
    rules: str
    #: Paths of the files in `rules`, sorted.
    paths: list[str]
    #: Paths at which no file was found. A file there would belong to `rules`.
    missing: list[str]


def is_configuration_name(name: str) -> bool:
    """Return whether a file name is the name of a manifest, a workspace definition or a configuration.

    Configurations belong to compilers, bundlers, test runners and frameworks.
    """
    if name in _CONFIGURATION_NAMES or manifest_language(name) is not None:
        return True
    return is_compiler_configuration(name) or tool_of(name) is not None


def is_compiler_configuration(name: str) -> bool:
    """Return whether a file name is tsconfig.json, jsconfig.json or a variant such as tsconfig.app.json."""
    return name.endswith(".json") and _COMPILER_CONFIGURATION.match(name) is not None


def digest_configuration(
    root: str,
    settings: Settings,
    contents: Mapping[str, bytes | None],
    links: Mapping[str, str],
    data_files: Iterable[str],
    report: Callable[[str, str], None],
) -> ConfigurationDigests:
    """Return the digests, and the paths of the files that the second digest covers.

    `contents` maps relative paths to bytes, or to None for files that are not read yet. The second digest also covers files with
    any name that a tsconfig extends or references, files that the configuration of a tool imports, directly or through other
    files, and the lines of sources that contain the version of a package. `links` has the targets of symbolic links.
    `data_files` are the paths among which the configurations of packages are.
    `report(path, reason)` receives files that cannot be read.
    """
    known: dict[str, bytes] = {}
    missing: set[str] = set()
    imported: set[str] = set()
    packaged = _PackagedFiles(data_files)
    #: Each path with the number of imports that lead from a configuration to it; the list grows while it is read.
    pending = [(path, 0) for path in contents]
    for path, imports in pending:
        if path in known or path in missing:
            continue
        content = contents.get(path)
        if content is None:
            content = read_configuration(root, path, report if path in contents else None)
        if content is None:
            missing.add(path)
            continue
        known[path] = content
        if path.endswith((".json", ".jsonc")):
            pending += [(each, 0) for each in _extended_paths(path, content, packaged)]
        elif tool_of(path) is not None or (imports and imports < MAX_IMPORTS and len(imported) < _MAX_IMPORTED):
            imported.add(path)
            pending += [(each, imports + 1) for each in _imported_paths(path, content)]
        for source in version_candidates(path, content):
            if source in contents:
                continue
            code = read_configuration(root, source)
            if code is None:
                missing.add(source)
            else:
                known[source] = b"\n".join(version_lines(code))
    linked = {f"{path}\0": os.fsencode(target) for path, target in links.items()}
    rules = _digest(b"", {**known, **linked})
    return ConfigurationDigests(installation_digest(root, settings, known), rules, sorted(known), sorted(missing))


def installation_digest(root: str, settings: Settings, known: Mapping[str, bytes]) -> str:
    """Return the digest of settings and installations, as SHA-256 in hexadecimal.

    `known` has the contents of the configuration files by path.
    """
    environments = package_folders(root, known, settings.python_environment).values()
    packages = installed_names(root, [folder for folders in environments for folder in folders])
    modules = go_installations(known, lambda path: read_configuration(root, path))
    declaring = {path: content for path, content in known.items() if path.rpartition("/")[2] in _DECLARING_NAMES}
    installed = _installed(root, known) | packages | downloaded_names(known) | modules | declaring
    return _digest(_MEANING_VERSION + _settings_that_matter(settings), installed)


def _digest(start: bytes, contents: Mapping[str, bytes]) -> str:
    digest = sha256(start)
    for path in sorted(contents):
        name = path.encode("utf-8", "surrogateescape")
        digest.update(b"%d:%s%d:" % (len(name), name, len(contents[path])))
        digest.update(contents[path])
    return digest.hexdigest()


def _installed(root: str, known: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return the package managers' records beside the manifests, by path.

    If there is no record, as after an installation by bun, the entry of `node_modules` lists the packages.
    """
    found: dict[str, bytes] = {}
    for path in known:
        folder, _, name = path.rpartition("/")
        packages = path_in(folder, "node_modules")
        # In a workspace with thousands of manifests, most have no folder of installed packages, and one check is enough for it.
        if name == "package.json" and os.path.isdir(f"{root}/{packages}"):
            places = (path_in(packages, record) for record in _INSTALLED)
            records = {place: content for place in places if (content := read_configuration(root, place)) is not None}
            found |= records or {packages: _listed_packages(f"{root}/{packages}")}
    return found


def _listed_packages(folder: str) -> bytes:
    """Return the names of the packages in a folder, with the times when they were installed."""
    found: list[str] = []
    pending = [folder]
    for each in pending:
        try:
            with os.scandir(each) as entries:
                for entry in entries:
                    if entry.name.startswith("@"):
                        pending.append(entry.path)
                    elif not entry.name.startswith("."):
                        installed = entry.stat(follow_symlinks=False).st_mtime_ns
                        found.append(f"{entry.path[len(folder) :]} {installed}")
        except OSError:
            continue
    return os.fsencode("\n".join(sorted(found)))


def _settings_that_matter(settings: Settings) -> bytes:
    provider, environment = settings.embedding_provider, settings.python_environment
    return msgspec.json.encode((settings.max_file_size, settings.exclude, provider, environment, settings.sql_dialect))


def read_configuration(root: str, path: str, report: Callable[[str, str], None] | None = None) -> bytes | None:
    """Return the bytes of a file of the workspace; None if there is none. `report(path, reason)` receives an unreadable file."""
    try:
        with open(f"{root}/{path}", "rb") as handle:
            return handle.read()
    except FileNotFoundError:
        return None
    except OSError as error:
        if report is not None:
            report(path, f"cannot be read: {error.strerror}")
        return None


class _PackagedFiles:
    """The files among which the configurations in packages of the workspace are."""

    def __init__(self, paths: Iterable[str]) -> None:
        self._paths = paths

    def that_may_be(self, name: str) -> list[str]:
        """Return the files that a name such as `@acme/tsconfig/base` may mean. The folder of a package may have any name."""
        file = posixpath.basename(name)
        return self._by_name[file if file.endswith(".json") else f"{file}.json"]

    @cached_property
    def _by_name(self) -> defaultdict[str, list[str]]:
        found: defaultdict[str, list[str]] = defaultdict(list)
        for path in self._paths:
            found[path.rpartition("/")[2]].append(path)
        return found


def _extended_paths(path: str, content: bytes, packaged: _PackagedFiles) -> list[str]:
    """Return the paths in the workspace that a configuration extends or references, with and without the implied extension."""
    names = [os.fsdecode(name) for value in _EXTENDS.findall(content) for name in re.findall(rb'"([^"]*)"', value)]
    found = [each for name in names if not name.startswith((".", "/")) for each in packaged.that_may_be(name)]
    relative = [name for name in names if name.startswith(".")]
    for name in (*relative, *map(os.fsdecode, _REFERENCED.findall(content))):
        target = posixpath.normpath(posixpath.join(posixpath.dirname(path), name))
        if not target.startswith(("..", "/")):
            found += [target] if target.endswith(".json") else [target, f"{target}.json"]
    return found


def _imported_paths(path: str, content: bytes) -> list[str]:
    """Return the paths inside the workspace that a configuration imports, with the extensions that may be omitted."""
    found: list[str] = []
    for name in _IMPORTED.findall(content):
        target = posixpath.normpath(posixpath.join(posixpath.dirname(path), os.fsdecode(name)))
        if not target.startswith(".."):
            found += script_candidates(target)
    return found
