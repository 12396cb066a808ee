"""The files of a run: their units, resolved imports, and global names."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from .....facts.model import FileFacts
from ...libraries.route_types import MODULE, PACKAGE
from ...module_resolution import AssetTarget, BuiltinTarget, GlobTarget, PackageTarget, Resolution, SourceTarget
from ...module_resolution.compiler_programs import CompilerPrograms
from ...module_resolution.configurations.auto_imports import AUTO_IMPORT
from ...module_resolution.globs import name_of_loaded
from ...module_resolution.packages.star_patterns import StarPatterns
from .global_scopes import GlobalScopes
from .unit import Unit, is_value

#: Packages that are global namespaces, too, which types may name without an import.
_GLOBAL_PACKAGES: Final = {"React": "react"}
#: Our declarations of packages, for workspaces in which they are not installed.
_LIBRARIES: Final = {
    "npm:vue": "<libraries>/vue.d.ts",
    "npm:@vue/composition-api": "<libraries>/vue.d.ts",
    "npm:astro": "<libraries>/astro.d.ts",
    "npm:nuxt/app": "<libraries>/nuxt.d.ts",
    "npm:pinia": "<libraries>/pinia.d.ts",
    "npm:react": "<libraries>/react.d.ts",
    "npm:vuex": "<libraries>/vuex.d.ts",
    "npm:svelte": "<libraries>/svelte.d.ts",
    "npm:svelte/reactivity": "<libraries>/svelte_reactivity.d.ts",
    "npm:svelte/runes": "<libraries>/svelte_runes.d.ts",
    "npm:svelte/store": "<libraries>/svelte_store.d.ts",
}
_JAVASCRIPT = (".js", ".cjs", ".mjs", ".jsx")


class OtherFiles:
    """The files of a repository that are read only when needed. Most files do not affect the resolution of one file."""

    def __init__(self, places: Mapping[str, int], read: Callable[[str], FileFacts]) -> None:
        """`places` numbers all files of the repository by their path."""
        self.places: Final = places
        self.read: Final = read


class Program:
    """The files of a repository, and the modules that they import."""

    def __init__(
        self,
        facts: Mapping[str, FileFacts],
        resolve: Callable[[str, str], Resolution],
        lib: FileFacts,
        declarations: Callable[[str], FileFacts | None] | None = None,
        others: OtherFiles | None = None,
        programs: CompilerPrograms | None = None,
    ) -> None:
        """Read the facts of the files.

        `resolve` resolves a specifier for a path. `lib` has the declarations of the runtime. `declarations` reads a
        declaration file of an installed package, by its path below a node_modules folder.

        With `others`, `facts` has only the files that are read immediately, including all files that declare globals. Without
        `programs`, all files see the names of declaration files, and no file sees the names of other scripts.
        """
        #: Files that were read.
        self.units: list[Unit] = []
        self._by_path: dict[str, Unit] = {}
        self._others = others
        #: Number of files in the repository.
        self._count: Final = len(facts) if others is None else len(others.places)
        #: Ambient modules: (unit, scope) of each `declare module`, by specifier.
        self.ambient_modules: dict[str, list[tuple[Unit, int]]] = {}
        #: Global names: (unit, binding) of each declaration in the repository.
        self._declared_globals: dict[str, list[tuple[Unit, int]]] = {}
        self._scopes = GlobalScopes(programs)
        #: Augmentations of modules of the repository and of installed packages: (unit, scope) by path.
        self.augmentations: dict[str, list[tuple[Unit, int]]] = {}
        #: The packages of augmented files that are not in the repository, by path.
        self._augmented_packages: dict[str, str] = {}
        #: Path of the file that a `declare module` block augments, by the block's file and scope.
        self.augmented_paths: dict[tuple[int, int], str] = {}
        self._resolve = resolve
        self._declarations = declarations
        #: The file that declares a package, by the package's name in entities: the first file to which an import resolves.
        self._package_files: dict[str, str] = {}
        #: Whether a framework imports names into the files of a folder, by folder.
        self._has_auto_imports: dict[str, bool] = {}
        #: Files of installed packages that were read, by path; None for files that cannot be read.
        self._installed: dict[str, Unit | None] = {}
        for path in facts:
            self._add(path, facts[path])
        self.lib = Unit(self._count, "<lib>", lib, "lib")
        scripts = [unit for unit in self.units if not unit.facts.is_module]
        #: Modules that scripts declare, even if their specifiers also resolve to files.
        self._declared = frozenset(scope.ambient for unit in scripts for scope in unit.scopes.values() if scope.ambient)
        for unit in self.units:
            self._collect_ambient(unit, resolve)
        self._ambient_patterns: Final = StarPatterns(self.ambient_modules)

    def release(self) -> None:
        for unit in (*self.units, self.lib, *self._installed.values()):
            if unit is not None:
                unit.release()
        self._installed.clear()
        self.units.clear()
        self._by_path.clear()
        self._declared_globals.clear()
        self._scopes.clear()
        self.ambient_modules.clear()
        self.augmentations.clear()
        self.augmented_paths.clear()
        self._augmented_packages.clear()

    def _add(self, path: str, facts: FileFacts) -> Unit:
        index = len(self.units) if self._others is None else self._others.places[path]
        unit = self._by_path[path] = Unit(index, path, facts)
        unit.import_targets = [self._resolve(entry.specifier, path) for entry in facts.imports]
        self.units.append(unit)
        return unit

    def holds(self, path: str) -> bool:
        """Return whether a path is a file of the repository."""
        return path in self._by_path or (self._others is not None and path in self._others.places)

    def unit_at(self, path: str) -> Unit | None:
        """Return the file of the repository at a path, reading it if necessary; None if there is none."""
        unit = self._by_path.get(path)
        if unit is None and self._others is not None and path in self._others.places:
            unit = self._add(path, self._others.read(path))
        return unit

    def _collect_ambient(self, unit: Unit, resolve: Callable[[str, str], Resolution]) -> None:
        for index, scope in unit.scopes.items():
            if scope.ambient == "global":
                self._add_globals(unit, index)
            elif scope.ambient:
                target = resolve(scope.ambient, unit.path)
                path = self._augmented_path(scope.ambient, target)
                if path is not None:
                    self.augmentations.setdefault(path, []).append((unit, index))
                    self.augmented_paths[unit.index, index] = path
                else:
                    self.ambient_modules.setdefault(scope.ambient, []).append((unit, index))
        # A file that could not be read has no scopes.
        if 0 in unit.scopes and self._scopes.is_script(unit):
            self._add_globals(unit, 0)

    def _augmented_path(self, specifier: str, target: Resolution) -> str | None:
        """Return the path of the file whose module a `declare module` block augments; None for a block that declares the module.

        A block in a script declares an installed package instead of the package's own declarations.
        """
        if isinstance(target, SourceTarget):
            return None if self.is_declared_instead(specifier, target.path) else target.path
        if not isinstance(target, PackageTarget) or target.declaration_path is None or self._declarations is None:
            return None
        if specifier in self._declared:
            return None
        self._augmented_packages[target.declaration_path] = f"npm:{target.package}"
        return target.declaration_path

    def augmented_unit(self, path: str) -> Unit | None:
        """Return the file that a `declare module` block augments, reading it if necessary; None if it cannot be read."""
        package = self._augmented_packages.get(path)
        return self.unit_at(path) if package is None else self._installed_unit(path, package)

    def augments_package(self, unit: Unit, index: int, name: str) -> bool:
        """Return whether a file of the repository adds a declaration of a name to the installed package that an import names."""
        target = unit.import_targets[index]
        path = target.declaration_path if isinstance(target, PackageTarget) else None
        return path is not None and any(name in other.scopes[scope].names for other, scope in self.augmentations.get(path, ()))

    def is_declared_in_script(self, specifier: str) -> bool:
        """Return whether a `declare module` declares a whole module; in files that are modules, it only adds names to one."""
        return specifier in self._declared

    def is_declared_instead(self, specifier: str, path: str) -> bool:
        """Return whether a script's `declare module` for a specifier replaces the file to which the specifier resolves.

        The block replaces only JavaScript. For a TypeScript file the block is an augmentation, which keeps the other declarations
        of the file.
        """
        return specifier in self._declared and path.endswith(_JAVASCRIPT)

    def ambient_module(self, unit: Unit, index: int) -> str:
        """Return the name of the `declare module` to which an import of a file resolves, or "".

        A name with a star (`*.svg`) counts only if the import resolves to nothing else. The name "*" does not count, because it
        would match every package that is not installed.
        """
        specifier, target = unit.facts.imports[index].specifier, unit.import_targets[index]
        file = self.imported_unit(unit, index)
        if specifier in self.ambient_modules:
            return specifier if file is None or self.is_declared_instead(specifier, file.path) else ""
        package = target if isinstance(target, PackageTarget) else None
        if file is not None or isinstance(target, BuiltinTarget) or (package is not None and package.declaration_path):
            return ""
        matched = self._ambient_patterns.match(specifier)
        return matched[0] if matched is not None and (matched[0] != "*" or package is None) else ""

    def _add_globals(self, unit: Unit, scope: int) -> None:
        self._scopes.add(unit)
        for name, binding in unit.scopes[scope].names.items():
            self._declared_globals.setdefault(name, []).append((unit, binding))

    def declares_global(self, name: str) -> bool:
        """Return whether a file of the repository or the runtime declares a global name."""
        return name in self._declared_globals or name in self.lib.scopes[0].names

    def globals_of(self, unit: Unit, name: str) -> Sequence[tuple[Unit, int]]:
        """Return the declarations of a global name in the global scope of a file as (unit, binding), the most specific first."""
        declared = self._declared_globals.get(name)
        found = self._scopes.seen_by(unit, name, declared) if declared is not None else []
        binding = self.lib.scopes[0].names.get(name)
        if binding is None:
            return found
        # The compiler reads its libraries first. If a file for one environment declares a value of the libraries again, the
        # declaration of the libraries therefore remains.
        is_first = bool(found) and is_value(self.lib, binding) and is_value(found[0][0], found[0][1])
        return [(self.lib, binding), *found] if is_first else [*found, (self.lib, binding)]

    def every_global(self, name: str) -> Sequence[tuple[Unit, int]]:
        """Return all declarations of a global name by files, also in programs of the compiler that do not see one another."""
        return self._declared_globals.get(name, [])

    def route_types(self, unit: Unit, specifier: str) -> Unit | None:
        """Return the declarations that SvelteKit generates for the folder that `./$types` in a file names, or None."""
        path = posixpath.normpath(posixpath.join(posixpath.dirname(unit.path), posixpath.dirname(specifier), MODULE))
        return self._installed_unit(path, PACKAGE) if not path.startswith("../") else None

    def auto_import(self, unit: Unit, name: str) -> Resolution | None:
        """Return what a framework imports into a file under a name that the file does not declare; None if it imports nothing."""
        folder = unit.path.rpartition("/")[0]
        has_any = self._has_auto_imports.get(folder)
        if has_any is None:
            has_any = not unit.external and isinstance(self._resolve(AUTO_IMPORT, unit.path), AssetTarget)
            self._has_auto_imports[folder] = has_any
        target = self._resolve(AUTO_IMPORT + name, unit.path) if has_any else None
        if isinstance(target, PackageTarget) and target.declaration_path is not None:
            self._package_files.setdefault(package_name(target), target.declaration_path)
        return target

    def loaded_names(self, unit: Unit, index: int) -> list[str]:
        """Return the names of the files that an import with a glob means, by `name_of_loaded`."""
        target = unit.import_targets[index]
        return list(dict.fromkeys(name_of_loaded(path) for path in target.paths)) if isinstance(target, GlobTarget) else []

    def loaded_file(self, unit: Unit, index: int, name: str) -> Unit | None:
        """Return the file with a name among those that an import with a glob means, or None."""
        target = unit.import_targets[index]
        paths = target.paths if isinstance(target, GlobTarget) else ()
        return next((self.unit_at(path) for path in paths if name_of_loaded(path) == name), None)

    def imported_unit(self, unit: Unit, index: int) -> Unit | None:
        """Return the file that an import names, or None. A file of a package may import other installed files."""
        target = unit.import_targets[index]
        if isinstance(target, SourceTarget):
            return self.unit_at(target.path)
        if unit.external and isinstance(target, PackageTarget) and target.declaration_path is not None:
            return self._installed_unit(target.declaration_path, f"npm:{target.package}")
        return None

    def imported_package(self, unit: Unit, index: int) -> str:
        """Return the package that an import names outside the repository, "npm:name" or "node:name"; "" if it is missing."""
        return self._package_of(unit.import_targets[index])

    def package_global(self, unit: Unit, name: str) -> str:
        """Return the package whose declarations say `export as namespace name`; "" for names that no dependency has."""
        specifier = _GLOBAL_PACKAGES.get(name)
        return self._package_of(self._resolve(specifier, unit.path)) if specifier is not None else ""

    def _package_of(self, target: Resolution) -> str:
        if isinstance(target, PackageTarget):
            package = package_name(target)
            if target.declaration_path is not None:
                self._package_files.setdefault(package, target.declaration_path)
            return package
        return target.package if isinstance(target, BuiltinTarget) else ""

    def package_unit(self, package: str) -> Unit | None:
        """Return the declarations of an installed package, reading them if necessary; None if there are none."""
        path = self._package_files.get(package) or _LIBRARIES.get(package)
        return self._installed_unit(path, package) if path is not None else None

    def _installed_unit(self, path: str, package: str) -> Unit | None:
        if path not in self._installed:
            facts = self._declarations(path) if self._declarations is not None else None
            if facts is None:
                self._installed[path] = None
            else:
                made = Unit(self._count + 1 + len(self._installed), path, facts, package)
                made.import_targets = [self._resolve(entry.specifier, path) for entry in facts.imports]
                self._installed[path] = made
        return self._installed[path]


def package_name(target: PackageTarget) -> str:
    """Return the name of a package in entities: "npm:react/jsx-runtime"."""
    return f"npm:{target.package}{'/' + target.subpath if target.subpath else ''}"
