"""Read the fields of package.json files, each file once. No field is trusted to have the right type."""

from __future__ import annotations

import msgspec

from ......schema.paths import folders_above
from ......schema.records import Problem
from .....files.jsonc import object_value, parse_object, text_list, text_value
from .....files.workspace_files import WorkspaceFiles
from ....module_manifests import DeclaredDependency
from .version_ranges import includes_typescript

DEPENDENCY_SECTIONS = ("dependencies", "devDependencies", "peerDependencies", "optionalDependencies")

#: Fields in which tools map specifiers.
TOOL_FIELDS = ("alias", "browser", "_moduleAliases", "jest", "babel")


class PackageManifest(msgspec.Struct, frozen=True):
    """The fields of a package.json that determine how its modules are found.

    Absent strings are None; an absent name or version is "".
    """

    path: str
    folder: str
    name: str
    version: str
    #: `types`, else `typings`.
    types: str | None
    main: str | None
    module: str | None
    #: Entry point among the sources, for bundlers that build packages.
    source: str | None
    #: A configuration that a tsconfig may extend.
    tsconfig: str | None
    #: The parsed value, for `package_exports`.
    exports: object
    imports: object
    #: The `typesVersions` entry for `TYPESCRIPT_VERSION`: pattern -> substitutions. Empty if there is none.
    version_paths: dict[str, list[str]]
    #: True if Node reads its `.js` files as ES modules.
    is_es_package: bool
    #: Globs of workspace members; None if the package is not the root of a workspace.
    workspaces: tuple[str, ...] | None
    #: Catalogs of a Bun workspace: name ("default" for the unnamed one) -> package -> version range.
    catalogs: dict[str, dict[str, str]]
    dependencies: tuple[DeclaredDependency, ...]
    #: Package -> the version range that replaces all others: `resolutions` of Yarn, `overrides` of npm, Bun and pnpm.
    overrides: dict[str, str]
    #: The commands of `scripts`.
    scripts: tuple[str, ...]
    #: The parsed values of `TOOL_FIELDS`, for `configurations`.
    tools: dict[str, object]
    problem: Problem | None

    @property
    def entries(self) -> list[str]:
        """The files that represent the package itself, apart from `exports`, best first."""
        return [entry for entry in (self.types, self.main, self.module) if entry]


def parse_manifest(path: str, folder: str, content: bytes) -> PackageManifest:
    """Parse a package.json. The result for broken JSON is an empty manifest with a problem."""
    data, problem = parse_object(content)
    return PackageManifest(
        path=path,
        folder=folder,
        name=text_value(data, "name") or "",
        version=text_value(data, "version") or "",
        types=text_value(data, "types") or text_value(data, "typings"),
        main=text_value(data, "main"),
        module=text_value(data, "module"),
        source=text_value(data, "source"),
        tsconfig=text_value(data, "tsconfig"),
        exports=data.get("exports"),
        imports=data.get("imports"),
        version_paths=_version_paths(object_value(data, "typesVersions")),
        is_es_package=data.get("type") == "module",
        workspaces=_workspace_globs(data.get("workspaces")),
        catalogs=_catalogs(data),
        dependencies=tuple(_dependencies(data)),
        overrides=_overrides(data),
        scripts=tuple(command for command in object_value(data, "scripts").values() if isinstance(command, str)),
        tools={field: data[field] for field in TOOL_FIELDS if isinstance(data.get(field), dict)},
        problem=problem,
    )


def _version_paths(versions: dict[str, object]) -> dict[str, list[str]]:
    for version_range, paths in versions.items():
        if includes_typescript(version_range) and isinstance(paths, dict):
            return {pattern: text_list(substitutions) for pattern, substitutions in paths.items()}
    return {}


def _workspace_globs(value: object) -> tuple[str, ...] | None:
    """Read `workspaces`: a list of globs, or an object with such a list under `packages`."""
    if isinstance(value, dict):
        value = value.get("packages")
    return tuple(text_list(value)) if isinstance(value, list) else None


def _catalogs(data: dict[str, object]) -> dict[str, dict[str, str]]:
    """Read `catalog` and `catalogs`, which Bun reads from `workspaces` or from the manifest itself."""
    found: dict[str, dict[str, str]] = {}
    for holder in (data, object_value(data, "workspaces")):
        for name, ranges in {"default": holder.get("catalog"), **object_value(holder, "catalogs")}.items():
            if isinstance(ranges, dict):
                found[name] = {package: text for package, text in ranges.items() if isinstance(text, str)}
    return found


def _overrides(data: dict[str, object]) -> dict[str, str]:
    written = (
        object_value(data, "resolutions"),
        object_value(data, "overrides"),
        object_value(object_value(data, "pnpm"), "overrides"),
    )
    return {name: text for ranges in written for name, text in ranges.items() if isinstance(text, str)}


def _dependencies(data: dict[str, object]) -> list[DeclaredDependency]:
    return [
        DeclaredDependency(package, version_range, section)
        for section in DEPENDENCY_SECTIONS
        for package, version_range in object_value(data, section).items()
        if isinstance(version_range, str)
    ]


class Manifests:
    """The package.json files of a workspace and of its installed packages, by folder."""

    def __init__(self, files: WorkspaceFiles) -> None:
        self._files = files
        self._by_folder: dict[str, PackageManifest | None] = {}
        self._above: dict[str, tuple[PackageManifest, ...]] = {}

    def at(self, folder: str) -> PackageManifest | None:
        """Return the manifest in the folder itself."""
        if folder not in self._by_folder:
            self._by_folder[folder] = self._read(folder)
        return self._by_folder[folder]

    def above(self, folder: str) -> tuple[PackageManifest, ...]:
        """Return the manifests of a folder and of all folders around it, nearest first."""
        found = self._above.get(folder)
        if found is None:
            manifests = (self.at(each) for each in folders_above(folder))
            found = self._above[folder] = tuple(manifest for manifest in manifests if manifest is not None)
        return found

    def of_workspace(self) -> list[PackageManifest]:
        """Return every manifest outside excluded folders, shallowest first, then by path."""
        paths = [path for path in self._files.configurations if path.rpartition("/")[2] == "package.json"]
        folders = [path.removesuffix("package.json").removesuffix("/") for path in paths]
        folders.sort(key=lambda folder: (folder.count("/") + bool(folder), folder))
        return [manifest for folder in folders if (manifest := self.at(folder)) is not None]

    def problems(self) -> dict[str, Problem]:
        """Return the problems of the manifests that were read so far, by path."""
        return {manifest.path: manifest.problem for manifest in self._by_folder.values() if manifest and manifest.problem}

    def _read(self, folder: str) -> PackageManifest | None:
        path = f"{folder}/package.json" if folder else "package.json"
        # Discovery lists the configurations of every folder with sources, so the disk need not be read for these folders.
        known = path in self._files.configurations
        if not known and (folder in self._files.source_folders or not self._files.is_file(path)):
            return None
        content = self._files.read(path)
        return None if content is None else parse_manifest(path, folder, content)
