"""Resolve the module specifiers in a file.

The order is TypeScript's, with one exception: a file of the repository is preferred to an installed file with the same name,
because only sources of the repository are indexed. Each look-up therefore tries the indexed files first, and then the disk.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from .....schema.paths import COMPONENT_EXTENSIONS, PLATFORMS, parent_of
from .....schema.records import Problem
from ....files.path_roles import is_declaration_file, is_test_path
from ....files.workspace_files import WorkspaceFiles, join_path
from ...import_targets import AssetTarget, BuiltinTarget, GlobTarget, MissingTarget, PackageTarget, Resolution, SourceTarget
from .compiler_programs import CompilerPrograms
from .configurations.aliases import Alias
from .configurations.auto_imports import AUTO_IMPORT
from .configurations.import_maps import DenoConfigurations
from .configurations.tool_rules import NO_RULES, ToolConfigurations, ToolRules
from .globs import GLOB, files_of_glob
from .packages.node_packages import InstalledPackages, installed_package_of, split_package_name
from .packages.package_exports import CONDITIONS, all_targets, is_hidden, matching_targets
from .packages.package_manifest import Manifests, PackageManifest
from .packages.path_probe import ALL_EXTENSIONS, PathProbe, split_extension
from .packages.workspace_packages import WorkspacePackages
from .projects import Projects, ResolutionOptions
from .runtime_modules import runtime_module
from .source_mapping import PackageSources
from .tsconfig import TsConfigReader

#: Query parameters with which a bundler returns the text or URL of a file instead of its exports.
_ASSET_QUERIES = frozenset({"raw", "url", "inline", "no-inline", "source"})
_DOTS_AT_END = re.compile(r"(?:^|/)\.{0,2}$")
#: Each part needs a letter or digit: "~/x" and "@/x" are aliases, not packages.
_PACKAGE_NAME = re.compile(r"(?:@[^/@]*[A-Za-z0-9][^/@]*/)?[^/@]*[A-Za-z0-9][^/]*")
_TYPED_EXTENSIONS = (".d.ts", ".d.mts", ".d.cts", ".ts", ".tsx", ".mts", ".cts")


class _Scope:
    """The specifiers in the files of one folder, under one set of compiler options. Resolved specifiers are cached here."""

    __slots__ = ("answers", "conditions", "disk", "folder", "options", "sources", "tools")

    def __init__(self, folder: str, options: ResolutionOptions, files: WorkspaceFiles, manifests: Manifests) -> None:
        self.folder = folder
        self.options = options
        self.conditions = CONDITIONS | set(options.conditions)
        self.sources = PathProbe(files.is_source, manifests, module_suffixes=options.module_suffixes)
        self.disk = PathProbe(files.is_file, manifests, module_suffixes=options.module_suffixes)
        #: Rules of the tools' configurations for this folder; None until a specifier needs them.
        self.tools: ToolRules | None = None
        self.answers: dict[str, Resolution] = {}


class ModuleResolver:
    """Resolves modules in one state of a workspace. Create a new resolver when files or configurations change."""

    def __init__(self, files: WorkspaceFiles) -> None:
        self._files = files
        self._manifests = Manifests(self._files)
        self._packages = WorkspacePackages(self._files, self._manifests)
        self._installed = InstalledPackages(self._files, self._manifests)
        self._configs = TsConfigReader(self._files, self._find_package_config)
        #: Finds the tsconfig that governs a file.
        self.projects = Projects(self._files, self._configs)
        #: Tells which files share the global scope of a file.
        self.programs = CompilerPrograms(self.projects, self._manifests)
        #: Names of the sources without extension, and of folders with an index file; None until they are needed.
        self._source_names: set[str] | None = None
        self._sources = PathProbe(self._files.is_source, self._manifests)
        self._disk = PathProbe(self._files.is_file, self._manifests)
        self._tools = ToolConfigurations(self._files, self._manifests)
        self._package_sources = PackageSources(self._files, self.projects, self._tools)
        self._deno = DenoConfigurations(self._files)
        self._scopes: dict[str, _Scope] = {}
        self._scopes_by_place: dict[tuple[str, int], _Scope] = {}

    def resolve(self, specifier: str, from_path: str) -> Resolution:
        """Return the target of a specifier in a file.

        The file may also be below node_modules, for declarations that are read there.
        """
        scope = self._scopes.get(from_path) or self._scope_of(from_path)
        if specifier.startswith(GLOB):
            return GlobTarget(tuple(files_of_glob(specifier, (from_path,), self._files, lambda each: self._folders(each, scope))))
        answer = scope.answers.get(specifier)
        if answer is None:
            answer = scope.answers[specifier] = self._resolve(specifier, scope)
        return _not_itself(answer, specifier, from_path)

    def is_source(self, path: str) -> bool:
        """Return whether a path belongs to an indexed file."""
        return self._files.is_source(path)

    def source_of(self, folder: str, target: str) -> str | None:
        """Return the indexed file for a path in the package.json of a folder: the path itself, or the source that it is
        built from."""
        manifest = self._manifests.at(folder)
        return self._package_sources.find_target(manifest, target) if manifest is not None else None

    def problems(self) -> dict[str, Problem]:
        """Return the problems of the configuration files that were read so far, by path."""
        return {**self._manifests.problems(), **self._packages.problems(), **self._configs.problems}

    def _scope_of(self, from_path: str) -> _Scope:
        folder = parent_of(from_path)
        options = self.projects.options_for(from_path)
        # `Projects` interns options, so their identity is enough.
        place = (folder, id(options))
        scope = self._scopes_by_place.get(place)
        if scope is None:
            scope = self._scopes_by_place[place] = _Scope(folder, options, self._files, self._manifests)
        self._scopes[from_path] = scope
        return scope

    def _resolve(self, specifier: str, scope: _Scope) -> Resolution:
        if specifier.startswith(AUTO_IMPORT):
            return self._auto_import(specifier, scope)
        # "text!./x" names a loader of older bundlers; "./x?raw" selects a form of the file in newer bundlers.
        path, _, query = specifier.rpartition("!")[2].partition("?")
        if not path:
            return MissingTarget(specifier)
        if path.startswith(("./", "../")) or path in (".", ".."):
            answer = self._relative(path, scope)
        elif path.startswith("/"):
            answer = self._absolute(path, scope)
        else:
            answer = self._bare(path, scope)
        if isinstance(answer, MissingTarget):
            return MissingTarget(specifier, answer.reason)
        if query and isinstance(answer, SourceTarget) and not _ASSET_QUERIES.isdisjoint(re.split("[=&]", query)):
            return AssetTarget(answer.path)
        return answer

    def _auto_import(self, specifier: str, scope: _Scope) -> Resolution:
        """Return the file that provides a name which Nuxt imports into the files of a folder.

        Without a name, the answer is the folder itself if Nuxt imports anything into its files.
        """
        name = specifier.removeprefix(AUTO_IMPORT)
        if name.startswith("."):  # a file that decides the types of a route
            place = join_path(scope.folder, name)
            return SourceTarget(place) if place is not None and self._files.is_source(place) else MissingTarget(specifier)
        names = self._tools.names_for(scope.folder)
        if names is None:
            return MissingTarget(specifier)
        if not name:
            return AssetTarget(scope.folder)
        path = names.file_of(name, scope.folder)
        if path is not None:
            return SourceTarget(path)
        package = names.package_of(name, scope.folder)
        if package is None:
            return MissingTarget(specifier)
        # Our declarations of Nuxt are simpler than its own, which depend on generated files.
        found = self._bare(package, scope) if package != "nuxt/app" else None
        return found if isinstance(found, PackageTarget) else _registry_target(f"npm:{package}")

    # Relative and absolute specifiers

    def _relative(self, path: str, scope: _Scope) -> Resolution:
        candidate = join_path(scope.folder, path)
        if candidate is None:
            return MissingTarget(path)
        folder_only = _DOTS_AT_END.search(path) is not None
        for probe in (scope.sources, scope.disk):
            for each in _across_root_dirs(candidate, scope.options.root_dirs):
                if found := probe.path(each, folder_only=folder_only):
                    return self._file_target(found)
        return (
            self._other_file(candidate)
            or self._built_package(candidate, scope)
            or self._component_file(candidate)
            or self._built_file(candidate)
            or self._platform_file(candidate)
            or MissingTarget(path)
        )

    def _absolute(self, path: str, scope: _Scope) -> Resolution:
        """Resolve an absolute path: of the file system, or of a server for the package's folder or for `public`."""
        if found := self._mapped(path, scope, scope.sources) or self._mapped(path, scope, scope.disk):
            return self._file_target(found)
        if aliased := self._aliased(path, scope):
            return aliased
        inside = path.removeprefix(self._files.root)
        bases = ("",) if inside != path else self._served_folders(scope)
        candidates = [each for base in bases if (each := join_path(base, "." + inside))]
        for probe in (scope.sources, scope.disk):
            for candidate in candidates:
                if found := probe.path(candidate, folder_only=path.endswith("/")):
                    return self._file_target(found)
        others = (self._other_file(candidate) for candidate in candidates)
        return next((other for other in others if other is not None), MissingTarget(path))

    def _folders(self, path: str, scope: _Scope) -> list[str]:
        """Return the folders of the workspace that a path may mean, best first: `./stores`, `/src/stores`, `@/stores`."""
        if path in ("", ".", "..") or path.startswith(("./", "../")):
            written: list[str | None] = [join_path(scope.folder, path or ".")]
        elif path.startswith("/"):
            written = [join_path(base, "." + path) for base in self._served_folders(scope)]
        else:
            inside = f"{path}/x"  # an alias such as `@/*` matches what stands in a folder
            mapped = [each for each, _ in self._mapped_candidates(inside, scope.options)]
            root = f"{self._files.root}/"
            targets = [each for alias in self._rules(scope).aliases for each in alias.apply(inside) or ()]
            mapped += [each.removeprefix(root) for each in targets if each.startswith(root)]
            written = [join_path("", parent_of(each)) for each in mapped]
        return [each for each in written if each is not None and (each in self._files.source_folders or not each)]

    def _served_folders(self, scope: _Scope) -> list[str]:
        packages = [manifest.folder for manifest in self._manifests.above(scope.folder)]
        return [each for folder in [*packages, ""] for each in (folder, f"{folder}/public" if folder else "public")]

    def _other_file(self, path: str) -> AssetTarget | PackageTarget | SourceTarget | None:
        """Return a file that is not a TypeScript module: the path itself, or a JSON file without its extension."""
        for candidate in (path, f"{path}.json", f"{path}/index.json") if path else ("index.json",):
            if self._files.is_file(candidate):
                return self._file_target(candidate)
        return None

    def _built_package(self, folder: str, scope: _Scope) -> SourceTarget | None:
        """Return the source of a folder of a package whose package.json names only built files."""
        manifest = self._manifests.at(folder) if self._files.is_folder(folder) else None
        return self._package_sources.find(manifest, "", scope.conditions) if manifest is not None else None

    def _built_file(self, path: str) -> SourceTarget | None:
        """Return the source of a missing built file. Tests, scripts and `bin` fields of packages name such files."""
        manifest = next(iter(self._manifests.above(parent_of(path))), None)
        found = self._package_sources.find_built(manifest, path) if manifest is not None else None
        return SourceTarget(found, built=True) if found else None

    def _component_file(self, path: str) -> SourceTarget | None:
        """Return the component whose extension is omitted: `./Card` resolves to `Card.vue`, as the defaults of Vue CLI and the
        option `resolve.extensions` of bundlers allow.
        """
        candidates = (f"{stem}{each}" for stem in (path, f"{path}/index" if path else "index") for each in COMPONENT_EXTENSIONS)
        found = next((each for each in candidates if self._files.is_source(each)), None)
        return SourceTarget(found) if found is not None else None

    def _platform_file(self, path: str) -> SourceTarget | None:
        """Return the file for one platform, if there is no file for all: `./button` resolves to `button.ios.tsx` for React
        Native.
        """
        stem, extension = split_extension(path)
        for platform in PLATFORMS:
            for candidate in (stem, f"{stem}/index"):
                for each in (extension, *ALL_EXTENSIONS[""]):
                    if each and self._files.is_source(f"{candidate}.{platform}{each}"):
                        return SourceTarget(f"{candidate}.{platform}{each}")
        return None

    def _file_target(self, path: str) -> SourceTarget | PackageTarget | AssetTarget:
        if self._files.is_source(path):
            return SourceTarget(path)
        real = self._files.real_path(path)
        if self._files.is_source(real):
            return SourceTarget(real)
        installed = installed_package_of(real)
        if installed is None:
            return AssetTarget(real, real in self._files.data)
        return PackageTarget(*installed, real if split_extension(real)[1] in _TYPED_EXTENSIONS else None)

    # Bare specifiers

    def _bare(self, path: str, scope: _Scope) -> Resolution:
        if mapped := self._mapped(path, scope, scope.sources):
            return SourceTarget(self._source_behind(mapped, path, scope))
        if self._deno.exist and (found := self._by_import_map(path, scope)) is not None:
            return found
        if path.startswith("#"):
            return self._hash_import(path, scope)
        if (name := runtime_module(path)) is not None:
            return BuiltinTarget(name)
        return self._aliased(path, scope) or self._package(path, scope)

    def _package(self, path: str, scope: _Scope) -> Resolution:
        """Resolve a specifier that no alias changes: a package of the workspace, an installed package or an unknown package."""
        if ":" in path:
            return _registry_target(path)
        package, subpath = split_package_name(path)
        manifest = self._packages.named(package, scope.folder)
        if manifest is not None and (found := self._package_sources.find(manifest, subpath, scope.conditions)):
            return found
        if mapped := self._mapped(path, scope, scope.disk):
            return self._file_target(mapped)
        return (
            self._installed_target(package, subpath, scope, manifest)
            or self._mapped_asset(path, scope)
            or self._by_tools(path, scope)
            or self._unknown(path, package, subpath, scope)
        )

    # Aliases of tools

    def _rules(self, scope: _Scope) -> ToolRules:
        if scope.tools is None:
            scope.tools = self._tools.rules_for(scope.folder)
        return scope.tools

    def _aliased(self, path: str, scope: _Scope) -> Resolution | None:
        """Return the target of a specifier through an alias of a bundler or a compiler, or None.

        As in the compiler, an alias does not replace a declared package outside the workspace.
        """
        rules = self._rules(scope)
        if rules is NO_RULES:
            return None
        for alias in rules.aliases:
            for target in self._targets_of(alias, path, scope) or ():
                package = split_package_name(path)[0]
                if self._packages.declares(package, scope.folder) and self._packages.named(package, scope.folder) is None:
                    return None
                found = self._alias_target(target, path, scope)
                if found is not None:
                    return found
        return None

    def _targets_of(self, alias: Alias, path: str, scope: _Scope) -> list[str] | None:
        """Return the targets of an alias for a specifier, or None if the alias does not apply.

        Only tests import a test file in place of a package, as in `"server-only": "./src/test/empty.ts"`.
        """
        targets = alias.apply(path)
        if not targets or split_package_name(path)[1] or not _PACKAGE_NAME.fullmatch(path) or is_test_path(f"{scope.folder}/x"):
            return targets
        return [target for target in targets if not self._is_test(target)] or None

    def _is_test(self, target: str) -> bool:
        root = self._files.root
        return target.startswith(f"{root}/") and is_test_path(target[len(root) + 1 :])

    def _alias_target(self, target: str, path: str, scope: _Scope) -> Resolution | None:
        """Resolve one target of an alias. The target is a path or another specifier. Return None if it does not resolve."""
        root = self._files.root
        if target == root or target.startswith(root + "/"):
            return self._workspace_path(target[len(root) + 1 :])
        if target.startswith("/") or target == path:
            return None
        relative = target.startswith(("./", "../"))
        answer = self._relative(target, scope) if relative else self._package(target, scope)
        return None if isinstance(answer, MissingTarget) else answer

    def _workspace_path(self, path: str) -> Resolution | None:
        """Return the file that a bundler finds for a path of the workspace."""
        normal = join_path("", path) if path else ""
        if normal is None:
            return None
        for exists, probe in ((self._files.is_source, self._sources), (self._files.is_file, self._disk)):
            found = normal if split_extension(normal)[1] and exists(normal) else probe.path(normal)
            if found is not None:
                return self._file_target(found)
        return self._other_file(normal) or self._component_file(normal) or self._built_file(normal) or self._platform_file(normal)

    def _by_tools(self, path: str, scope: _Scope) -> Resolution | None:
        """Resolve a specifier that nothing else resolves, by the module folders and the mappings for tests in the configurations
        of tools.

        If an alias matches, but its target is missing or unknown, the specifier is missing.
        """
        rules = self._rules(scope)
        if rules is NO_RULES:
            return None
        for folder in rules.module_folders:
            candidate = join_path(folder, path)
            if candidate is not None and (found := self._workspace_path(candidate)) is not None:
                return found
        if self._packages.declares(split_package_name(path)[0], scope.folder):
            return None
        for alias in rules.test_aliases:
            for target in self._targets_of(alias, path, scope) or ():
                if (found := self._alias_target(target, path, scope)) is not None:
                    return found
        if any(self._targets_of(alias, path, scope) is not None for alias in rules.aliases):
            return MissingTarget(path, "alias")
        return MissingTarget(path, "configuration") if rules.is_open and self._may_mean_source(path) else None

    def _may_mean_source(self, path: str) -> bool:
        """Return whether an unknown alias could map a specifier to a source, because a source has the last name in the specifier.
        A package name without a path is never mapped.
        """
        if not split_package_name(path)[1]:
            return False
        if self._source_names is None:
            stems = (split_extension(source)[0] for source in self._files.sources)
            named = (stem.removesuffix("/index") for stem in stems)
            self._source_names = {stem.rpartition("/")[2] for stem in named}
        return split_extension(path)[0].removesuffix("/index").rpartition("/")[2] in self._source_names

    def _hash_import(self, path: str, scope: _Scope) -> Resolution:
        answer = self._subpath_import(path, scope)
        if isinstance(answer, MissingTarget):
            return self._aliased(path, scope) or self._by_tools(path, scope) or answer
        return answer

    def _by_import_map(self, path: str, scope: _Scope) -> Resolution | None:
        """Resolve a specifier by Deno's import maps and the members of its workspace. Return None if it does not resolve."""
        address = self._deno.address(path, scope.folder)
        if address is not None and address.startswith("/"):
            return self._workspace_path(address[1:]) or MissingTarget(path, "alias")
        target = address or path
        for member in self._deno.member_paths(target):
            if (found := self._workspace_path(member)) is not None:
                return found
        if address is None:
            return None
        name = runtime_module(address)
        return BuiltinTarget(name) if name is not None else self._package(address, scope)

    def _source_behind(self, mapped: str, path: str, scope: _Scope) -> str:
        """Return the source of the declarations that `paths` names for a package."""
        if not is_declaration_file(mapped):
            return mapped
        package, subpath = split_package_name(path)
        manifest = self._packages.named(package, scope.folder)
        found = self._package_sources.find(manifest, subpath, scope.conditions) if manifest is not None else None
        return found.path if found is not None and not is_declaration_file(found.path) else mapped

    def _installed_target(
        self, package: str, subpath: str, scope: _Scope, workspace_manifest: PackageManifest | None
    ) -> Resolution | None:
        """Resolve a package name in node_modules. A link into the workspace resolves to the sources of the linked package."""
        for folder in self._installed.folders(package, scope.folder):
            linked = self._manifests.at(folder) if installed_package_of(folder) is None else None
            if linked is not None and (found := self._package_sources.find(linked, subpath, scope.conditions)):
                return found
        declaration = self._installed.declaration(package, subpath, scope.folder, scope.conditions)
        if declaration is not None:
            is_installed = installed_package_of(declaration) is not None
            return PackageTarget(package, subpath, declaration) if is_installed else self._file_target(declaration)
        if workspace_manifest is not None and subpath:
            # A stylesheet or a JSON file of a workspace package.
            return self._exported_asset(workspace_manifest, subpath, scope)
        return None

    def _exported_asset(self, manifest: PackageManifest, subpath: str, scope: _Scope) -> Resolution | None:
        if is_hidden(manifest.exports, f"./{subpath}", scope.conditions):
            return None
        targets = [*matching_targets(manifest.exports, f"./{subpath}", scope.conditions), subpath]
        joined = (join_path(manifest.folder, target) for target in targets)
        return next((self._file_target(each) for each in joined if each and self._files.is_file(each)), None)

    def _unknown(self, path: str, package: str, subpath: str, scope: _Scope) -> Resolution:
        """Return the target for a name that was not found: an uninstalled package, or an alias without a target."""
        matched = scope.options.path_patterns.match(path)
        is_alias = matched is not None and not matched[0].startswith("*")
        if _PACKAGE_NAME.fullmatch(package) is None or (is_alias and not self._packages.declares(package, scope.folder)):
            return MissingTarget(path)
        return PackageTarget(package, subpath, None)

    def _mapped(self, path: str, scope: _Scope, probe: PathProbe) -> str | None:
        """Return the file to which `paths`, else `baseUrl`, maps a specifier that is not relative."""
        for candidate, is_exact in self._mapped_candidates(path, scope.options):
            # A substitution with an extension resolves to exactly that file, if the file exists.
            if is_exact and probe.exists(candidate):
                return candidate
            if found := probe.path(candidate, folder_only=path.endswith("/")):
                return found
        return None

    def _mapped_asset(self, path: str, scope: _Scope) -> Resolution | None:
        """Return a file that is not a module, such as a stylesheet, for a mapped name."""
        others = (self._other_file(candidate) for candidate, _ in self._mapped_candidates(path, scope.options))
        return next((other for other in others if other is not None), None)

    def _mapped_candidates(self, path: str, options: ResolutionOptions) -> Iterator[tuple[str, bool]]:
        """Yield the paths to which the options map a specifier, each with whether the path has an extension."""
        matched = options.path_patterns.match(path)
        if matched is not None:
            pattern, star = matched
            for substitution in options.paths[pattern]:
                candidate = join_path("", substitution.replace("*", star, 1))
                if candidate is not None:
                    yield candidate, bool(split_extension(substitution)[1])
        elif options.base_url is not None and not path.startswith("/"):
            candidate = join_path(options.base_url, path)
            if candidate:
                yield candidate, False

    def _subpath_import(self, path: str, scope: _Scope) -> Resolution:
        """Resolve `#x` by the `imports` of the nearest package.json.

        The targets of `#x` may be built files or other packages.
        """
        manifest = next((each for each in self._manifests.above(scope.folder) if each.imports is not None), None)
        if manifest is None or is_hidden(manifest.imports, path, scope.conditions):
            return MissingTarget(path)
        targets = matching_targets(manifest.imports, path, scope.conditions) + all_targets(manifest.imports, path)
        for target in dict.fromkeys(targets):
            answer = self._import_target(target, manifest, scope)
            if not isinstance(answer, MissingTarget):
                return answer
        return MissingTarget(path)

    def _import_target(self, target: str, manifest: PackageManifest, scope: _Scope) -> Resolution:
        if not target.startswith("."):
            return MissingTarget(target) if target.startswith(("#", "/")) else self._bare(target, scope)
        candidate = join_path(manifest.folder, target)
        if candidate is None:
            return MissingTarget(target)
        if found := scope.sources.file(candidate):
            return SourceTarget(found)
        if found := self._package_sources.find_target(manifest, target):
            return SourceTarget(found, built=True)
        found = scope.disk.file(candidate) or (candidate if self._files.is_file(candidate) else None)
        return self._file_target(found) if found else MissingTarget(target)

    def _find_package_config(self, name: str, folder: str) -> str | None:
        """Return the configuration file that a tsconfig in `folder` extends by the name of a package."""
        package, subpath = split_package_name(name)
        workspace = self._packages.named(package, folder)
        folders = [*self._installed.folders(package, folder), *([workspace.folder] if workspace is not None else [])]
        for each in folders:
            manifest = self._manifests.at(each)
            entry = subpath or (manifest.tsconfig if manifest else None) or "tsconfig.json"
            exported = matching_targets(manifest.exports, f"./{subpath}", frozenset({"require", "node"})) if manifest else []
            for target in (*exported, entry, f"{entry}.json", f"{entry}/tsconfig.json"):
                path = join_path(each, target)
                if path is not None and path.endswith(".json") and self._files.is_file(path):
                    return path
        return None


def _not_itself(answer: Resolution, specifier: str, from_path: str) -> Resolution:
    """Return MissingTarget if a built file is mapped back to its importer: `index.js` re-exports `./dist/index.js`, but is not
    its source.
    """
    is_itself = isinstance(answer, SourceTarget) and answer.built and answer.path == from_path
    return MissingTarget(specifier) if is_itself and specifier.startswith((".", "/")) else answer


def _across_root_dirs(path: str, root_dirs: tuple[str, ...]) -> list[str]:
    """Return the path, and its equivalents below the other `rootDirs`, which TypeScript treats as one folder."""
    holders = [root for root in root_dirs if not root or path.startswith(root + "/")]
    if not holders:
        return [path]
    holder = max(holders, key=len)
    rest = path[len(holder) + 1 :] if holder else path
    return [path, *(f"{root}/{rest}" if root else rest for root in root_dirs if root != holder)]


def _registry_target(specifier: str) -> PackageTarget:
    """Return the package of a registry specifier: `npm:react@18/jsx-runtime` -> react.

    The package of a URL or a bundler's virtual module is the whole specifier.
    """
    scheme, _, name = specifier.partition(":")
    if scheme not in ("npm", "jsr"):
        return PackageTarget(specifier, "", None)
    package, subpath = split_package_name(name.lstrip("/"))
    head, at, _ = package[1:].partition("@")
    return PackageTarget(package[0] + head if at else package, subpath, None)
