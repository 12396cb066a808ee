"""Find where a program begins: files that something outside the sources runs, loads or publishes.

Such files are named in package.json (`main`, `exports`, `bin`, scripts and others), in HTML pages or in workflow commands. Tests,
configuration files, and files that frameworks find by path or name are also entry points.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ....schema.entry_reasons import HOSTED_SCRIPT, RUN_BY, TYPE_TEST
from ....schema.languages import is_resolved_path
from ....schema.paths import COMPONENT_EXTENSIONS, folders_above, is_within, parent_of
from ...files.configuration_digest import is_configuration_name
from ...files.jsonc import parse_object
from ...files.path_roles import is_test_path
from ...files.tool_configurations import DENO_NAMES, tool_of
from ...files.workspace_files import WorkspaceFiles, listing
from .frameworks.hosts import cocos_files, hosted_files, script_files
from .frameworks.loaded import dependencies_of, framework_files
from .frameworks.mini_programs import mini_program_files
from .module_resolution import ModuleResolver
from .named_files import (
    EXTENSION_MANIFEST,
    configured_by_scripts,
    loaded_by_extensions,
    loaded_by_pages,
    named_at_root,
    named_beside,
    named_by_projects,
    named_in_manifest,
    netlify_functions,
    published_places,
    run_by_scripts,
    source_named,
    text_of,
    vercel_functions,
)

#: Fields of a package.json that name files; their values may nest.
_FIELDS = (
    "main",
    "module",
    "browser",
    "types",
    "typings",
    "source",
    "exports",
    "imports",
    "bin",
    "unpkg",
    "jsdelivr",
    "react-native",
)
#: Patterns of paths at which tools find files, by the reason for the entry point.
_CONVENTIONS = {
    "configuration": re.compile(
        r"(^|/)(\.?[\w-]+(\.[\w-]+)*\.(config|conf|setup|rc)(\.[\w-]+)*|\.[\w-]+rc|(gulp|grunt|jake|web|dangerg?)file|webpack\.[\w-]+|\.[\w-]+"
        r"|vitest\.workspace|\.config/[\w.-]+|karma\.conf|setupTests|jest\.setup|\.storybook/[\w-]+)\.[cm]?[jt]sx?$",
        re.IGNORECASE,
    ),
    "user script": re.compile(r"\.user\.js$"),
    "story": re.compile(r"\.(stories|story)\.([cm]?[jt]sx?|vue|svelte|mdx)$"),
    "document": re.compile(r"\.mdx$"),
    "ambient declarations": re.compile(r"\.d\.[cm]?ts$"),
}
#: Files that check-dts compiles to test types, in packages that depend on check-dts.
_TYPE_TESTS = re.compile(r"(?:^|/)(?:[^/]+\.)?(?:types|errors)\.tsx?$")
#: Reasons of entry points whose exports code outside of the repository reads. Other entry points are only started.
_READ_OUTSIDE = frozenset(("package.json", "framework", "configuration", "story", "module with a URL"))
#: The name of a file beside a package.json that a tool reads.
_SETTINGS_AT_ROOT = re.compile(r"[\w-]+-config\.[cm]?[jt]s")
#: The end of a file name behind the name of a tool: `knexfile.js`, `migrate-mongo-config.js`.
_OF_TOOL = re.compile(r"[-_]?(?:file|config|conf|rc)$")
#: The usual entry of a package, if its package.json names none.
_HABITUAL = re.compile(r"^(src/)?(index|main|cli)\.[cm]?[jt]sx?$")


@dataclass(frozen=True, slots=True)
class EntryPoints:
    """The entry points of a workspace."""

    #: The reason for each entry point, by path.
    reasons: dict[str, str]
    #: Exports that a framework reads from an entry point, if the framework does not read all exports.
    read_exports: dict[str, frozenset[str]]
    #: The framework that runs an entry point because of its place and name.
    frameworks: dict[str, str]
    #: Folders and files that packages publish, whether or not the packages name them as entries.
    published: Sequence[str] = ()


def entry_points(
    root: Path, source_paths: Iterable[str], configuration_paths: Iterable[str], pages: Iterable[str] = ()
) -> EntryPoints:
    """Return the entry points among the sources.

    `pages` are the paths of the HTML files of the workspace, and of the manifests of browser extensions. All paths are POSIX and
    relative to `root`.
    """
    sources = sorted(source_paths)
    configurations = list(configuration_paths)
    resolver = ModuleResolver(WorkspaceFiles(root, sources, configurations))
    found: dict[str, str] = {}
    for path in sources:
        if is_test_path(path):
            found[path] = "test"
        elif reason := next((reason for reason, pattern in _CONVENTIONS.items() if pattern.search(path)), ""):
            found[path] = reason
    manifests = sorted(path for path in configurations if path.rpartition("/")[2] == "package.json")
    dependencies: dict[str, set[str]] = {}
    published: list[str] = []
    for manifest in manifests:
        folder = manifest.rpartition("/")[0]
        data, _ = parse_object((root / manifest).read_bytes() if (root / manifest).is_file() else b"{}")
        dependencies[folder] = set(dependencies_of(data))
        published += published_places(data, folder)
        for path in _published(data, folder, sources, resolver):
            found.setdefault(path, "package.json")
        for path in (*run_by_scripts(data, folder, resolver), *named_in_manifest(data, folder, resolver)):
            found.setdefault(path, "script")
        for path in sources if "check-dts" in dependencies[folder] else ():
            if is_within(path, folder) and _TYPE_TESTS.search(path):
                found.setdefault(path, TYPE_TEST)
        for path in configured_by_scripts(data, folder, sources):
            found.setdefault(path, "configuration")
        for path in cocos_files(data, folder, sources):
            found.setdefault(path, "framework")
    folders = {manifest.rpartition("/")[0] for manifest in manifests} or {""}
    folders |= {path.rpartition("/")[0] for path in configurations if tool_of(path) == "deno"}
    for path in sources:
        if any(
            _HABITUAL.match(path.removeprefix(f"{folder}/" if folder else "")) for folder in folders if is_within(path, folder)
        ):
            found.setdefault(path, "main file of a package")
    for path in loaded_by_pages(root, sorted(pages), set(sources), resolver):
        found.setdefault(path, "page")
    for path in loaded_by_extensions(root, sorted(pages), resolver):
        found.setdefault(path, "browser extension")
    for folder in sorted(folders):
        for path in _imported_by_url(root, folder, sources):
            found.setdefault(path, "module with a URL")
    for folder in sorted(folders):
        for path in (*vercel_functions(root, folder, sources), *netlify_functions(root, folder, sources)):
            found.setdefault(path, "framework")
        for path in named_beside(root, folder, resolver):
            found.setdefault(path, "configuration")
    for path in script_files(root, sources):
        found.setdefault(path, HOSTED_SCRIPT)
    for path in (*mini_program_files(root, set(sources)), *hosted_files(root, sources)):
        found.setdefault(path, "framework")
    for path in _named_after_tools(sources, dependencies):
        found.setdefault(path, "configuration")
    for path in (*named_at_root(root, resolver), *named_by_projects(root, configurations, resolver)):
        found.setdefault(path, "script")
    read: dict[str, frozenset[str]] = {}
    frameworks: dict[str, str] = {}
    for path, file in framework_files(sources, dependencies, lambda path: text_of(root / path)).items():
        if found.setdefault(path, "framework") == "framework":
            frameworks[path] = file.framework
            if file.exports is not None:
                read[path] = file.exports
    return EntryPoints(found, read, frameworks, published)


def outside_reader(root: Path, path: str, names: Collection[str]) -> str:
    """Return why code outside of the repository may use exports of a source, given by their names; "" if nothing is known.

    For a file that a framework runs, the reason names the framework: "run by SvelteKit". A framework renders a component at such
    a place, whatever else it reads there. Only the manifests and configurations in the folders around the source are read.
    """
    sources, configurations, pages = {path}, [], []
    for folder in folders_above(parent_of(path)):
        for name, is_folder in listing(f"{root}/{folder}").items():
            inner = f"{folder}/{name}" if folder else name
            if is_folder:
                continue
            if is_configuration_name(name):
                configurations.append(inner)
                if is_resolved_path(inner):
                    sources.add(inner)
            elif name.endswith(".html") or name == EXTENSION_MANIFEST:
                pages.append(inner)
    found = entry_points(root, sources, configurations, pages)
    reason = found.reasons.get(path, "")
    read = found.read_exports.get(path, frozenset(names))
    is_rendered = path.endswith(COMPONENT_EXTENSIONS) and "default" in names
    if reason not in _READ_OUTSIDE or (read.isdisjoint(names) and not is_rendered):
        return ""
    return f"{RUN_BY}{found.frameworks[path]}" if path in found.frameworks else reason


def _named_after_tools(sources: Iterable[str], dependencies: Mapping[str, Iterable[str]]) -> Iterator[str]:
    """Yield the files beside a package.json that are named after one of its dependencies or are a `tool-config.js`.

    Tools read such files.
    """
    tools = {folder: {name.rpartition("/")[2].lower() for name in names} for folder, names in dependencies.items()}
    for path in sources:
        folder, _, name = path.rpartition("/")
        stem, named = name.lstrip(".").partition(".")[0].lower(), tools.get(folder, ())
        if stem in named or _OF_TOOL.sub("", stem) in named or (folder in tools and _SETTINGS_AT_ROOT.fullmatch(name)):
            yield path


def _imported_by_url(root: Path, folder: str, sources: Iterable[str]) -> Iterator[str]:
    """Yield the sources of a library for Deno whose configuration has no `exports`: users import each of its files by URL.

    The file `mod.ts` is the usual entry of such a library.
    """
    place = root / folder
    data = next((parse_object((place / name).read_bytes())[0] for name in DENO_NAMES if (place / name).is_file()), {})
    if "exports" not in data and (place / "mod.ts").is_file() and not (place / "package.json").is_file():
        yield from (path for path in sources if is_within(path, folder))


def _published(data: Mapping[str, object], folder: str, sources: list[str], resolver: ModuleResolver) -> Iterator[str]:
    exports = data.get("exports")
    hidden = [key for key, value in exports.items() if value is None] if isinstance(exports, dict) else []
    for field in _FIELDS:
        for key, target in _targets(data.get(field), ""):
            if "*" in target:
                yield from _matching(target, key, folder, sources, resolver, hidden)
            else:
                yield from source_named(target, folder, resolver)


def _targets(value: object, key: str) -> Iterator[tuple[str, str]]:
    """Yield the subpath and the target for every string inside a value."""
    pending: list[tuple[str, object]] = [(key, value)]
    while pending:
        key, each = pending.pop()
        if isinstance(each, str):
            yield key, each
        elif isinstance(each, list):
            pending += [(key, item) for item in each]
        elif isinstance(each, dict):
            pending += [(name if str(name).startswith(".") else key, item) for name, item in each.items()]


def _matching(
    target: str, key: str, folder: str, sources: list[str], resolver: ModuleResolver, hidden: list[str]
) -> Iterator[str]:
    """Yield the sources that a pattern of `exports` publishes, except sources that another key hides."""
    concealed = [re.compile(re.escape(pattern).replace(r"\*", ".+") + "$") for pattern in hidden]
    after_star = target.rpartition("*")[2].count("/")
    for path in sources:
        if not is_within(path, folder):
            continue
        segments = re.sub(r"(\.d)?\.[cm]?[jt]sx?$", "", path).split("/")
        for first in range(len(segments) - after_star - 1, -1, -1):
            star = "/".join(segments[first : len(segments) - after_star])
            if resolver.source_of(folder, target.replace("*", star)) == path:
                if not any(pattern.match(key.replace("*", star)) for pattern in concealed):
                    yield path
                break
