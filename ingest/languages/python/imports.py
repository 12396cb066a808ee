"""Imports of Python: the names in statements, and the packages of files."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Final

from ....schema.paths import folders_above, parent_of
from ...files.python_environments import package_folders
from ..import_targets import AssetTarget, BuiltinTarget, MissingTarget, PackageTarget, Resolution, SourceTarget
from ..path_imports import PathImports, nearest
from ..syntax_only.import_statements import Specifier, items
from .modules.conftest_files import conftest_at, is_conftest
from .modules.module_endings import is_ending, parts_of
from .modules.module_tree import ModuleTree, module_tree
from .modules.search_path import SearchPath
from .modules.standard_library import is_built_in, is_standard
from .modules.stub_files import BESIDE, file_beside
from .packaging import ManifestReader, PythonManifest, normalized

_COMMENT: Final = re.compile(r"#[^\n]*")
#: Spaces may stand around dots, and need not stand beside them: `from . desk import total`, `from.desk import total`.
_FROM: Final = re.compile(
    r"from\b\s*+(?P<module>(?:\.\s*+)*+(?:(?!import\b)\w++(?:\s*+\.\s*+\w++)*+)?)\s*+import\b\s*+\(?(?P<names>[^)]*)"
)
_IMPORT: Final = re.compile(r"import\s+(?P<names>.+)", re.DOTALL)


def read_specifiers(statement: str) -> Iterator[Specifier]:
    """Yield the specifiers of an import statement.

    `from a import b` has the specifiers `a` and `a.b`, since `a.b` may be a file. `import a.b` binds the name `a`, so the package
    `a` is imported as well.
    """
    text = _COMMENT.sub("", statement).replace("\\\n", " ").strip()
    if found := _FROM.match(text):
        module, named = "".join(found["module"].split()), [item for item in items(found["names"]) if item[0] != "*"]
        yield Specifier(module, tuple(name for name, _ in named), tuple(local for _, local in named))
        separator = "" if module.endswith(".") else "."
        yield from (Specifier(f"{module}{separator}{name}", is_inner=True) for name, _ in named)
    elif found := _IMPORT.match(text):
        for name, local in items(found["names"]):
            yield Specifier(name, (), (local.partition(".")[0],))
            if local == name:
                parts = name.split(".")
                yield from (Specifier(".".join(parts[:end]), is_inner=True) for end in range(1, len(parts)))


class PythonImports(PathImports):
    """Resolves imports of Python: relative imports by folders, other imports along an assumed search path.

    Python's search path depends on how a program is started. The assumed search path has, in this order:

    1. the folder that contains the outermost package of the importing file, or the file itself if it is in no package,
    2. the source folders around the file,
    3. the standard library,
    4. the packages that manifests depend on,
    5. the folders above the file,
    6. the folders that contain packages elsewhere in the workspace.

    As in Python, the first folder with a module or a regular package of the name is used. Folders without `__init__.py`, which
    are parts of namespace packages, count only if no folder has such a module or package.
    """

    def resolve(self, specifier: str, from_path: str) -> Resolution:
        """Return the target of a specifier in a file."""
        if specifier != BESIDE:
            return super().resolve(specifier, from_path)
        beside = file_beside(from_path, self.files.sources) if self._tree.has_declarations else None
        return SourceTarget(beside) if beside is not None else MissingTarget(specifier)

    def target(self, specifier: str, from_path: str) -> Resolution:
        """Return the target of a specifier in a file."""
        if is_conftest(specifier):
            conftest = conftest_at(specifier, from_path, self.files.sources)
            return SourceTarget(conftest) if conftest is not None else MissingTarget(specifier)
        if is_ending(specifier):
            loaded = self._tree.ending(parts_of(specifier))
            return SourceTarget(loaded) if loaded is not None else MissingTarget(specifier)
        name = specifier.lstrip(".")
        parts = tuple(name.split(".")) if name else ()
        folder = parent_of(from_path)
        if dots := len(specifier) - len(name):
            found = self._relative(parts, dots, folder)
            return SourceTarget(found) if found is not None else MissingTarget(specifier)
        return self._absolute(parts, folder)

    def own(self, specifier: str, from_path: str) -> Resolution:
        """Return the target of a specifier that resolves to the importing file itself: `import redis` in `pkg/redis.py`."""
        folder = parent_of(from_path)
        is_outside = specifier.isidentifier() and folder not in self._search_path_folders(folder)
        return PackageTarget(specifier, "", None) if is_outside else MissingTarget(specifier)

    def _relative(self, parts: tuple[str, ...], dots: int, folder: str) -> str | None:
        for _ in range(dots - 1):
            if not folder:
                return None
            folder = parent_of(folder)
        return self._tree.file(folder, parts)

    def _absolute(self, parts: tuple[str, ...], folder: str) -> Resolution:
        name, tree = parts[0], self._tree
        near = [] if is_built_in(name) else self._search_path_folders(folder)
        root = next((root for root in near if tree.has_module(root, name)), None)
        if root is not None:
            return self._in_root(root, parts)
        if is_standard(name):
            return BuiltinTarget(".".join(parts), "python")
        if name in self._package_folders:
            return self._in_folder(self._package_folders[name], parts)
        if normalized(name) in self._dependencies and name not in tree.stubbed:
            return PackageTarget(name, "/".join(parts[1:]), None)
        above = [*near, *self._folders_above(folder)]
        root = next((root for root in above if tree.has_module(root, name) or tree.has_stubs(root, name)), None)
        if root is not None:
            return self._in_root(root, parts)
        packages = tree.outermost.get(name, ())
        own = self._in_own_project(packages, folder)
        return (
            self._in_one_of(own, parts, folder)
            or self._beside_script(parts, near)
            or self._in_one_of(packages, parts, folder)
            or self._in_namespace(parts, above)
            or self._in_one_of(tree.loose.get(name, ()), parts, folder)
            or self._namespace(parts, above)
            or self._module_in_same_folder(parts, folder)
            or PackageTarget(name, "/".join(parts[1:]), None)
        )

    def _in_folder(self, folder: str, parts: tuple[str, ...]) -> Resolution:
        """Return a module of a package whose folder has a different name than the package."""
        path = self._tree.file(folder, parts[1:])
        return SourceTarget(path) if path is not None else MissingTarget(".".join(parts))

    def _in_root(self, root: str, parts: tuple[str, ...]) -> Resolution:
        path = self._tree.file(root, parts) or self._tree.stub(root, parts)
        return SourceTarget(path) if path is not None else MissingTarget(".".join(parts))

    def _in_one_of(self, roots: Iterable[str], parts: tuple[str, ...], folder: str) -> Resolution | None:
        """Return the module in the nearest folder of `roots`, which contain its package; None if no folder may be searched.

        A folder with source files is preferred to a folder with stub files only. The result is a missing target if several
        folders are equally near.
        """
        roots = self._roots_on_path(roots, folder)
        files = {self._tree.file(root, parts[:1]) or self._tree.stub(root, parts[:1]) or "": root for root in roots}
        if not files:
            return None
        found = nearest([path for path in files if path.endswith(".py")] or list(files), f"{folder}/" if folder else "")
        return self._in_root(files[found], parts) if found is not None else MissingTarget(".".join(parts))

    def _roots_on_path(self, roots: Iterable[str], folder: str) -> list[str]:
        """Return the folders among `roots` that may be on the search path of a file in another folder.

        If the file belongs to a package with a manifest, return the folders in manifests and the folders below the package. A
        script may add the latter to the path. Without a manifest, any folder may be on the path.
        """
        if not any(each in self._project_folders for each in folders_above(folder)):
            return list(roots)
        own = self._tree.package_root(folder)
        declared = {*self._source_folders, *self._project_folders}
        return [root for root in roots if root in declared or (own and root.startswith(f"{own}/"))]

    def _in_own_project(self, roots: Iterable[str], folder: str) -> list[str]:
        """Return the folders among `roots` that belong to the nearest project with a manifest around a folder."""
        project = next((each for each in folders_above(folder) if each in self._project_folders), None)
        return [root for root in roots if project is not None and (not project or f"{root}/".startswith(f"{project}/"))]

    def _beside_script(self, parts: tuple[str, ...], near: Iterable[str]) -> Resolution | None:
        """Return a module of a package without `__init__.py` in the folder of the importing script.

        The script's folder is the first on Python's search path, and a package of another project is usually not on the path.
        """
        if len(parts) < 2:
            return None
        found = next((path for root in near if (path := self._tree.file(root, parts)) is not None), None)
        return SourceTarget(found) if found is not None else None

    def _in_namespace(self, parts: tuple[str, ...], above: Iterable[str]) -> Resolution | None:
        """Return a module of a package that has no `__init__.py`."""
        roots = dict.fromkeys([*above, *self._source_folders, *self._project_folders])
        found = next((path for root in roots if (path := self._tree.file(root, parts)) is not None), None)
        return SourceTarget(found) if found is not None else None

    def _namespace(self, parts: tuple[str, ...], above: Iterable[str]) -> Resolution | None:
        """Return the folder of a package that has no `__init__.py`."""
        roots = dict.fromkeys([*above, *self._source_folders, *self._project_folders])
        root = next((root for root in roots if self._tree.is_namespace(root, parts)), None)
        return AssetTarget("/".join((root, *parts) if root else parts)) if root is not None else None

    def _module_in_same_folder(self, parts: tuple[str, ...], folder: str) -> Resolution | None:
        """Return a module in the same folder. A script inside a package imports such a module by its plain name."""
        path = self._tree.file(folder, parts)
        return SourceTarget(path) if path is not None else None

    def _folders_above(self, folder: str) -> list[str]:
        """Return the folders around a file that are not packages. The folders follow installed packages on the search path."""
        return [each for each in folders_above(folder) if not self._tree.is_package(each)]

    def _search_path_folders(self, folder: str) -> list[str]:
        """Return the folders on the search path of a file before the standard library."""
        if folder not in self._near_roots:
            above = folders_above(folder)
            around = [each for each in above if each in self._source_folders]
            root = self._tree.package_root(folder)
            # A folder without `__init__.py` below a source folder is a namespace package, and not a folder of scripts.
            is_namespace = any(root.startswith(f"{each}/") for each in around)
            self._near_roots[folder] = list(dict.fromkeys(around if is_namespace else [root, *around]))
        return self._near_roots[folder]

    @cached_property
    def _near_roots(self) -> dict[str, list[str]]:
        return {}

    @cached_property
    def _tree(self) -> ModuleTree:
        return module_tree(self.files.sources)

    @cached_property
    def _source_folders(self) -> dict[str, None]:
        """The source folders, such as `src`, from which packages of a project are imported; outer folders come first."""
        found = [folder for folder in self._tree.folders_named.get("src", []) if not self._tree.is_package(folder)]
        found += [folder for manifest in self._manifests for folder in manifest.source_folders]
        found += [folder for path in self._search_paths for folder in path.folders if self._tree.has_sources(folder)]
        return dict.fromkeys(sorted(set(found), key=lambda folder: (folder.count("/"), folder)))

    @cached_property
    def _project_folders(self) -> list[str]:
        """The folders of packages that manifests declare."""
        return [manifest.folder for manifest in self._manifests if manifest.is_package]

    @cached_property
    def _package_folders(self) -> dict[str, str]:
        """The folders of packages that are not below a source folder, by name."""
        found = {name: folder for manifest in self._manifests for name, folder in manifest.package_folders.items()}
        linked = [each for path in self._search_paths for each in path.places.items()]
        return {**{name: folder for name, folder in linked if self._tree.is_package(folder)}, **found}

    @cached_property
    def _search_paths(self) -> list[SearchPath]:
        """The search paths of the environments, which include editable installations of packages of the repository."""
        environments = package_folders(self.files.root, self.files.configurations, self.files.python_environment)
        return [SearchPath(self.files.root, folders) for folders in environments.values()]

    @cached_property
    def _dependencies(self) -> frozenset[str]:
        """Normalized names of the dependencies in manifests, without the packages of the workspace."""
        own = {normalized(manifest.name) for manifest in self._manifests}
        return frozenset(
            each.package for manifest in self._manifests for each in manifest.dependencies if each.package not in own
        )

    @cached_property
    def _manifests(self) -> list[PythonManifest]:
        return self.files.once(ManifestReader).all
