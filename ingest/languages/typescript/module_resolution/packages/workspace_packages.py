"""Find packages of a workspace by name: in npm, yarn and pnpm workspaces, and in repositories that declare no
workspace."""

from __future__ import annotations

import re

import msgspec

from ......schema.paths import folders_above, parent_of
from ......schema.records import Problem
from .....files.ignore_rules import pattern_with_choices
from .....files.jsonc import text_list
from .....files.workspace_files import WorkspaceFiles, join_path
from .package_manifest import Manifests, PackageManifest, parse_manifest

#: Scheme of a version range that names a catalog of the workspace.
_CATALOG = "catalog:"

#: Schemes of a version range that names a folder.
_FOLDER_SCHEMES = ("file:", "link:", "portal:", "workspace:./", "workspace:../")
#: A member of the workspace under another name: `workspace:@x/y@*`.
_RENAMED_MEMBER = re.compile(r"workspace:((?:@[^/@]+/)?[^/@*^~]+)@.*")
#: A package of a registry under another name: `npm:@x/y@1`.
_RENAMED_PACKAGE = re.compile(r"npm:(?:@[^/@]+/)?[^/@]*[A-Za-z][^/@]*(?:@.*)?")


#: Files beside a package.json that define a workspace. The file of Yarn only has catalogs.
_DEFINITIONS = ("pnpm-workspace.yaml", ".yarnrc.yml")


class WorkspaceDefinition(msgspec.Struct, frozen=True):
    """The content of a pnpm-workspace.yaml or a .yarnrc.yml."""

    #: Globs of the members.
    packages: tuple[str, ...]
    #: Catalog name ("default" for the unnamed one) -> package -> version range.
    catalogs: dict[str, dict[str, str]]
    problem: Problem | None


def parse_definition(content: bytes) -> WorkspaceDefinition:
    """Parse the definition of a workspace. The result for broken YAML is an empty workspace with a problem."""
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        data = loader(content.decode("utf-8-sig", "replace")).get_single_data()
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        # YAML recognizes some dates and numbers that Python rejects with a ValueError.
        mark = getattr(error, "problem_mark", None)
        return WorkspaceDefinition((), {}, Problem(mark.line + 1 if mark else 1, "not valid YAML"))
    if not isinstance(data, dict):
        return WorkspaceDefinition((), {}, None)
    named = data.get("catalogs")
    catalogs = {"default": data.get("catalog"), **(named if isinstance(named, dict) else {})}
    return WorkspaceDefinition(
        tuple(text_list(data.get("packages"))),
        {str(name): _text_map(ranges) for name, ranges in catalogs.items() if isinstance(ranges, dict)},
        None,
    )


def _text_map(value: dict[object, object]) -> dict[str, str]:
    return {str(key): str(item) for key, item in value.items() if isinstance(item, str | int | float)}


class WorkspacePackages:
    """The manifests of the packages of a workspace, by name."""

    def __init__(self, files: WorkspaceFiles, manifests: Manifests) -> None:
        self._files = files
        self._manifests = manifests
        self._by_name: dict[str, PackageManifest] | None = None
        #: Definitions by path.
        self._definitions = {
            path: parse_definition(files.read(path) or b"")
            for path in sorted(files.configurations)
            if path.rpartition("/")[2] in _DEFINITIONS
        }

    def named(self, name: str, folder: str) -> PackageManifest | None:
        """Return the package of the workspace to which a name resolves in a folder.

        The packages around the folder come first, the nearest before the others. A dependency of such a package on a folder
        (`file:../x`) precedes the package's own name (a self-reference), because a demo may have the name of the demonstrated
        package. Members of the workspaces come last. Among members with the same name, the shallowest counts.
        """
        for manifest in self._manifests.above(folder):
            if name in manifest.overrides and (linked := self._linked(manifest, manifest.overrides[name])) is not None:
                return linked
        for manifest in self._manifests.above(folder):
            written = next((each.version_range for each in manifest.dependencies if each.package == name), "")
            written = written and self.without_catalog(manifest.folder, name, written)
            if written and _RENAMED_PACKAGE.fullmatch(written):
                return None
            linked = self._linked(manifest, written)
            if linked is not None or manifest.name == name:
                return linked or manifest
        return self._members().get(name)

    def without_catalog(self, folder: str, package: str, version_range: str) -> str:
        """Return a version range of a package.

        The name of a catalog of pnpm, Yarn or Bun is replaced by the range in the catalog.
        """
        if not version_range.startswith(_CATALOG):
            return version_range
        catalog = version_range.removeprefix(_CATALOG).strip() or "default"
        for each in folders_above(folder):
            paths = (f"{each}/{name}" if each else name for name in _DEFINITIONS)
            holders = [self._manifests.at(each), *map(self._definitions.get, paths)]
            for holder in holders:
                if holder is not None and catalog in holder.catalogs:
                    return holder.catalogs[catalog].get(package, version_range)
        return version_range

    def declares(self, name: str, folder: str) -> bool:
        """Return whether a manifest around the folder has the package among its dependencies."""
        return any(
            name == dependency.package for manifest in self._manifests.above(folder) for dependency in manifest.dependencies
        )

    def problems(self) -> dict[str, Problem]:
        """Return the problems of workspace definitions, by path."""
        return {path: each.problem for path, each in self._definitions.items() if each.problem is not None}

    def _linked(self, manifest: PackageManifest, version_range: str) -> PackageManifest | None:
        """Return the package of a folder or of a renamed member that a manifest depends on."""
        if version_range.startswith(_FOLDER_SCHEMES):
            target = join_path(manifest.folder, version_range.partition(":")[2])
            if target is None:
                return None
            # A linked folder needs no package.json.
            return self._manifests.at(target) or (
                parse_manifest(f"{target}/package.json", target, b"{}") if self._files.is_folder(target) else None
            )
        renamed = _RENAMED_MEMBER.fullmatch(version_range)
        return self._members().get(renamed[1]) if renamed is not None else None

    def _members(self) -> dict[str, PackageManifest]:
        if self._by_name is None:
            self._by_name = {}
            for manifest in self._member_manifests():
                if manifest.name:
                    self._by_name.setdefault(manifest.name, manifest)
        return self._by_name

    def _member_manifests(self) -> list[PackageManifest]:
        """Return the members and roots of all workspaces, or all packages if the repository's root declares no
        workspace."""
        everything = self._manifests.of_workspace()
        globs = {manifest.folder: list(manifest.workspaces) for manifest in everything if manifest.workspaces is not None}
        for path, workspace in self._definitions.items():
            if not path.endswith(".yarnrc.yml"):
                globs.setdefault(parent_of(path), []).extend(workspace.packages)
        if not globs.get(""):
            return everything
        matchers = {folder: MemberGlobs(patterns) for folder, patterns in globs.items()}
        return [manifest for manifest in everything if _is_member(manifest.folder, matchers)]


class MemberGlobs:
    """The globs of one workspace. A glob that begins with `!` excludes members."""

    def __init__(self, patterns: list[str]) -> None:
        self._included = _compile([pattern for pattern in patterns if not pattern.startswith("!")])
        self._excluded = _compile([pattern[1:] for pattern in patterns if pattern.startswith("!")])

    def match(self, folder: str) -> bool:
        """Return whether a folder is a member; `folder` is relative to the workspace's root."""
        path = f"{folder}/package.json" if folder else "package.json"
        return any(each.fullmatch(path) for each in self._included) and not any(each.fullmatch(path) for each in self._excluded)


def _compile(patterns: list[str]) -> list[re.Pattern[str]]:
    # The name of the manifest is appended, so that "packages/**" also matches "packages", as in the package managers.
    globs = (pattern.strip().removeprefix("./").strip("/") for pattern in patterns)
    paths = ("package.json" if glob in ("", ".") else f"{glob}/package.json" for glob in globs)
    return [pattern for path in paths if (pattern := pattern_with_choices(path)) is not None]


def _is_member(folder: str, matchers: dict[str, MemberGlobs]) -> bool:
    for root, globs in matchers.items():
        if folder == root:
            return True
        prefix = f"{root}/" if root else ""
        if folder.startswith(prefix) and globs.match(folder[len(prefix) :]):
            return True
    return False
