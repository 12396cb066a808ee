"""Imports of Java. If several files declare a type, an import means the files in modules that the build makes visible."""

from __future__ import annotations

from functools import cached_property

from ....schema.paths import folders_above, parent_of
from ..import_targets import BuiltinTarget, PackageTarget, Resolution, SourceTarget
from ..jvm import JvmImports
from .external_names import is_of_the_jdk, split_name
from .packaging.module_sources import ModuleSources, read_sources


class JavaImports(JvmImports):
    """Resolves types as for all languages of the JVM, and chooses among files with one type by the modules of the workspace."""

    def visible(self, paths: list[str], from_path: str) -> list[str]:
        """Return the files in the nearest modules: the module of the file, else its dependencies, else the dependencies of
        these."""
        modules = self._modules
        homes = {path: {each.folder for each in modules.of(path)} for path in paths}
        level = modules.of(from_path)
        seen = {each.folder for each in level}
        while level:
            folders = {each.folder for each in level}
            found = [path for path in paths if not homes[path].isdisjoint(folders)]
            if found:
                return found
            named = [other for each in level for name in each.dependencies if (other := modules.by_name.get(name)) is not None]
            level = [each for each in dict.fromkeys(named) if each.folder not in seen]
            seen.update(each.folder for each in level)
        return paths

    def of_main_sets(self, paths: list[str], tail: str) -> list[str]:
        """Return the files in folders that builds name for production code, else the files in the usual folders."""
        return [path for path in paths if self._modules.is_main(path)] or super().of_main_sets(paths, tail)

    def target(self, specifier: str, from_path: str) -> Resolution:
        """Return the file of a type, or else the package of a type outside of the repository."""
        found = super().target(specifier, from_path)
        package, name = split_name(specifier)
        if isinstance(found, SourceTarget) or not package or specifier.startswith(("/", "(")):
            return found
        if is_of_the_jdk(package):
            return BuiltinTarget(package, "java")
        return found if self._is_own(package) else PackageTarget(package, name, None)

    def _is_own(self, package: str) -> bool:
        """Return whether a folder of the repository has the name of a package or of a package around it.

        Sources that a build generates may declare the missing types of such a package.
        """
        parts = package.split(".")
        return any("/".join(parts[:length]) in self._folders for length in range(len(parts), 0, -1))

    @cached_property
    def _folders(self) -> frozenset[str]:
        """The last parts of the paths of the folders with Java files: `org/shop` and `shop` for `src/main/java/org/shop`."""
        folders = {parent_of(path) for path in self.files.sources if path.endswith(".java")}
        parts = [folder.split("/") for folder in folders]
        return frozenset("/".join(each[start:]) for each in parts for start in range(len(each)))

    @cached_property
    def _modules(self) -> _Modules:
        return _Modules(self.files.once(read_sources))


class _Modules:
    """The modules of a workspace by their folders."""

    def __init__(self, modules: list[ModuleSources]) -> None:
        self.by_name = {each.name: each for each in modules}
        self._by_folder: dict[str, ModuleSources] = {each.folder: each for each in modules}
        #: The modules that name each folder with sources; a folder may be shared.
        self._by_sources: dict[str, list[ModuleSources]] = {}
        self._main: set[str] = set()
        for each in modules:
            self._main.update(each.main)
            for folder in (*each.main, *each.others):
                self._by_sources.setdefault(folder, []).append(each)

    def of(self, path: str) -> list[ModuleSources]:
        """Return the modules of a file: the modules that name a folder around it, else the module in the nearest folder."""
        for folder in folders_above(parent_of(path)):
            found = self._by_sources.get(folder)
            if found is not None:
                return found
            if folder in self._by_folder:
                return [self._by_folder[folder]]
        return []

    def is_main(self, path: str) -> bool:
        """Return whether a file is in a folder that a build names for production code."""
        return any(folder in self._main for folder in folders_above(parent_of(path)))
