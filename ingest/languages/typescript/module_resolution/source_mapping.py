"""Map a package's built files back to their sources.

A package.json names what is published, such as `./dist/types/index.d.ts`. In the repository, this file is absent or a copy, and
an import of the package refers to `src/index.ts`. But a declaration file outside build folders is written by hand, and the
compiler reads it. There are four ways to find the source, the most certain first: the path may be a source itself, the
configuration of a bundler may build it from an entry, `outDir` and `rootDir` may map it, or it may begin with the usual name of
an output folder.
"""

from __future__ import annotations

from collections.abc import Iterator

from .....schema.paths import COMPONENT_EXTENSIONS, folders_above, is_within, parent_of
from ....files.path_roles import JAVASCRIPT_EXTENSIONS, TYPESCRIPT_EXTENSIONS
from ....files.workspace_files import WorkspaceFiles, join_path
from ...import_targets import SourceTarget
from .configurations.tool_rules import ToolConfigurations
from .packages.package_exports import all_targets, is_hidden, matching_targets
from .packages.package_manifest import PackageManifest
from .packages.path_probe import split_extension
from .projects import Projects

#: Folders that builds write to, at the start of a published path.
_OUTPUT_FOLDER_NAMES = """
    dist lib build out output es esm esm5 es6 es2015 es2020 esnext cjs commonjs umd iife module modules types typings dts
    prod production dev development browser node bundles bundle release publish pkg _esm _cjs _types lib-esm lib-cjs dist-types
"""
#: The package of `svelte-package`.
_SVELTE_PACKAGE = "@sveltejs/package"
#: Output folders that may also hold declarations written by hand.
_FOLDERS_OF_TYPES = frozenset(("types", "typings"))
_DECLARATIONS = frozenset((".d.ts", ".d.mts", ".d.cts"))
_OUTPUT_FOLDERS = frozenset(_OUTPUT_FOLDER_NAMES.split())


class PackageSources:
    """Finds the source file of a specifier that names a workspace package."""

    def __init__(self, files: WorkspaceFiles, projects: Projects, tools: ToolConfigurations) -> None:
        self._files = files
        self._projects = projects
        self._tools = tools
        #: The answer does not depend on the importing file, so a common package is looked up once.
        self._answers: dict[tuple[str, str, frozenset[str]], SourceTarget | None] = {}

    def find(self, manifest: PackageManifest, subpath: str, conditions: frozenset[str]) -> SourceTarget | None:
        """Return the indexed file for a package's subpath ("" for the package itself), or None if it has no source.

        TypeScript is preferred for all targets of the package, because JavaScript beside it is built, or a stub.
        """
        key = (manifest.folder, subpath, conditions)
        if key not in self._answers:
            found = self._find_source(manifest, _published_targets(manifest, subpath, conditions))
            named = _named_targets(manifest, subpath, conditions)
            self._answers[key] = SourceTarget(found, self._is_built(found, manifest, named)) if found is not None else None
        return self._answers[key]

    def find_target(self, manifest: PackageManifest, target: str) -> str | None:
        """Return the indexed file for one path that the manifest names, such as a target of `imports`."""
        return self._find_source(manifest, [target])

    def find_built(self, manifest: PackageManifest, path: str) -> str | None:
        """Return the indexed source of a missing built file of the package; `path` is relative to the workspace.

        A file at the top of an output folder with the package's name is a bundle, and its source is the package's
        entry.
        """
        target = path.removeprefix(f"{manifest.folder}/") if manifest.folder else path
        folder, _, name = target.rpartition("/")
        is_module = "." not in name or bool(split_extension(name)[1])  # the extension tells stylesheets
        if not is_module or (folder.partition("/")[0] not in _OUTPUT_FOLDERS and not self._is_output(manifest, path)):
            return None
        found = self._find_source(manifest, [target])
        if found is not None or name.partition(".")[0] not in (
            manifest.name.rpartition("/")[2].partition(".")[0],
            "index",
            "main",
        ):
            return found
        return self._find_source(manifest, [entry for entry in (manifest.source, "src/index") if entry])

    def _is_built(self, source: str, manifest: PackageManifest, targets: list[str]) -> bool:
        """Return whether the targets are built: none is indexed, and none differs from the source in its extension alone."""
        stem = split_extension(source)[0].removesuffix("/index")
        paths = [path for target in targets if (path := join_path(manifest.folder, target)) is not None]
        return bool(paths) and not any(
            self._files.is_source(path) or stem in (path, split_extension(path)[0].removesuffix("/index")) for path in paths
        )

    def _is_output(self, manifest: PackageManifest, path: str) -> bool:
        outputs = (output for config in self._projects.in_folder(manifest.folder) for output in config.output_folders)
        return any(path.startswith(f"{output}/") for output in outputs)

    def _find_source(self, manifest: PackageManifest, targets: list[str]) -> str | None:
        if targets and (declared := self._declared_by_hand(manifest, targets[0])):
            return declared
        stems = [list(self._stems(manifest, target)) for target in targets]
        if found := self._first(stems, TYPESCRIPT_EXTENSIONS):
            return found
        # Without a source in TypeScript, the compiler reads the types that are written for JavaScript.
        if targets and (declared := self._declarations_of_javascript(manifest, targets[0])):
            return declared
        if found := self._first(stems, JAVASCRIPT_EXTENSIONS):
            return self._declaration_beside(found) or found
        exact = (join_path(manifest.folder, target) for target in targets)
        return next((path for path in exact if path is not None and self._files.is_source(path)), None)

    def _first(self, stems: list[list[str]], extensions: tuple[str, ...]) -> str | None:
        """Return the first indexed file at one of the paths without extension."""
        for candidates in stems:
            for stem in candidates:
                if found := self._with_extension(stem, extensions):
                    return found
        return None

    def _declarations_of_javascript(self, manifest: PackageManifest, target: str) -> str | None:
        """Return the indexed declaration file that a target names, or None if it is in a folder that a build writes to."""
        stem, extension = split_extension(target)
        path = join_path(manifest.folder, target)
        if extension not in _DECLARATIONS or path is None or not self._files.is_source(path) or self._is_output(manifest, path):
            return None
        return path if (_OUTPUT_FOLDERS - _FOLDERS_OF_TYPES).isdisjoint(stem.split("/")[:-1]) else None

    def _declaration_beside(self, path: str) -> str | None:
        """Return the indexed declaration file that the compiler reads in place of a JavaScript file."""
        stem, extension = split_extension(path)
        declaration = f"{stem}.d.{extension[1:].replace('j', 't').removesuffix('x')}"
        return declaration if self._files.is_source(declaration) else None

    def _declared_by_hand(self, manifest: PackageManifest, target: str) -> str | None:
        """Return the indexed declaration file that a target names, or None.

        The file must not be beside a source or in an output folder.
        """
        stem, extension = split_extension(target)
        path = join_path(manifest.folder, target)
        if extension not in _DECLARATIONS or path is None or not self._files.is_source(path):
            return None
        if not _OUTPUT_FOLDERS.isdisjoint(stem.split("/")[:-1]) or self._is_output(manifest, path):
            return None
        beside = split_extension(path)[0]
        partners = (*TYPESCRIPT_EXTENSIONS, *JAVASCRIPT_EXTENSIONS)
        return None if any(self._files.is_source(beside + each) for each in partners) else path

    def _with_extension(self, stem: str, extensions: tuple[str, ...]) -> str | None:
        if stem.endswith(COMPONENT_EXTENSIONS) and self._files.is_source(stem):
            return stem  # `x.svelte` from `x.svelte.d.ts`
        for path in (*(stem + each for each in extensions), *(f"{stem}/index{each}" for each in extensions)):
            if self._files.is_source(path):
                return path
        return None

    def _stems(self, manifest: PackageManifest, target: str) -> Iterator[str]:
        """Yield paths without extension where the source of a published path may be, best first."""
        path = join_path(manifest.folder, target)
        if path is None:
            return
        # "." is the folder of the package.
        stem = split_extension(path)[0] if path != manifest.folder else f"{path}/index".removeprefix("/")
        yield stem
        for source in self._tools.sources_of_bundle(stem):
            entry = split_extension(source)[0]
            yield entry
            yield from self._unbuilt(manifest, entry)  # a bundler may read what the compiler has built
        yield from self._unbuilt(manifest, stem)

    def _unbuilt(self, manifest: PackageManifest, stem: str) -> Iterator[str]:
        """Yield paths without extension from which the compiler may build a path."""
        yield from self._by_output_folder(manifest, stem)
        prefix = f"{manifest.folder}/" if manifest.folder else ""
        if stem.startswith(prefix):
            yield from _by_habit(prefix, stem[len(prefix) :], manifest)

    def _by_output_folder(self, manifest: PackageManifest, stem: str) -> Iterator[str]:
        """Yield paths below `rootDir` for paths below `outDir` or `declarationDir` of a project of the package.

        If `rootDir` is not set, it is guessed.
        """
        within = [folder for folder in folders_above(parent_of(stem)) if is_within(folder, manifest.folder)]
        folders = within or [manifest.folder]  # a project may build into a folder outside of its package
        for config in (config for folder in reversed(folders) for config in self._projects.in_folder(folder)):
            for output in config.output_folders:
                if not stem.startswith(output + "/"):
                    continue
                rest = stem[len(output) + 1 :]
                # Without `rootDir`, the compiler takes the folder with all files, such as the only included one.
                included = [path for path in config.include or () if "*" not in path]
                roots = [join_path(config.folder, "src"), *(included if len(included) == 1 else ()), config.folder]
                roots = [config.root_dir] if config.root_dir is not None else roots
                yield from (f"{root}/{rest}" if root else rest for root in roots if root is not None)


def _published_targets(manifest: PackageManifest, subpath: str, conditions: frozenset[str]) -> list[str]:
    """Return the paths for a subpath in the manifest.

    Paths for our conditions come first, then paths for any condition, then paths that `exports` does not list.
    """
    key = f"./{subpath}" if subpath else "."
    if is_hidden(manifest.exports, key, conditions):
        return []
    targets = matching_targets(manifest.exports, key, conditions) + all_targets(manifest.exports, key)
    if subpath:
        targets.append(subpath)
    else:
        # Bundlers read sources and prefer `module` to `main`.
        entries = (manifest.source, manifest.types, manifest.module, manifest.main)
        targets += [*(entry for entry in entries if entry), "index"]
    return list(dict.fromkeys(targets))


def _named_targets(manifest: PackageManifest, subpath: str, conditions: frozenset[str]) -> list[str]:
    """Return the paths that Node, a bundler or the compiler may load for a subpath, and the subpath itself."""
    key = f"./{subpath}" if subpath else "."
    exported = matching_targets(manifest.exports, key, conditions) or all_targets(manifest.exports, key)
    return [*exported, subpath] if subpath else exported or manifest.entries


def _by_habit(prefix: str, stem: str, manifest: PackageManifest) -> Iterator[str]:
    """Remove leading output folders one by one, and yield the remaining path in the package and in its source folder.

    A build of several packages may write `dist/<package>/…`, so the name of the package folder counts as an output folder.
    `svelte-package` builds the folder `src/lib`.
    """
    package_folder = manifest.folder.rpartition("/")[2]
    sources = ["src/", ""]
    if any(each.package == _SVELTE_PACKAGE for each in manifest.dependencies):
        sources.insert(0, "src/lib/")
    segments = stem.split("/")
    while True:
        rest = "/".join(segments)
        yield from (f"{prefix}{source}{rest}" for source in sources)
        if len(segments) > 1 and (segments[0] in _OUTPUT_FOLDERS or segments[0] == package_folder):
            segments.pop(0)
        else:
            return
