"""The files of a program of one nominal language, and the modules that imports name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from ..facts.cache import FactReader
from ..facts.operations import Op
from ..languages.base import GeneratedNames, InstalledModules, NominalRules
from ..languages.framework_rules.queries import QueryRules
from ..languages.framework_rules.wiring import WiringRules
from ..languages.import_targets import BuiltinTarget, PackageTarget, Resolution, SourceTarget
from ..languages.typescript.resolve.model.unit import Unit
from .packages import Beside, Packages
from .types import ClassInfo

#: Returns the target of a specifier in a file.
Resolve = Callable[[str, str], Resolution]


def _alone(path: str) -> tuple[str, ...]:
    return (path,)


def _no_files() -> tuple[str, ...]:
    return ()


class NominalProgram:
    """The files of one language, including unread ones, and the declarations of the runtime."""

    def __init__(
        self,
        unit_at: Callable[[str], Unit | None],
        resolve: Resolve,
        rules: NominalRules,
        cache: FactReader | None = None,
        wiring: WiringRules | None = None,
        beside: Beside = _alone,
        files: Callable[[], Iterable[str]] = _no_files,
        packages: InstalledModules | None = None,
        queries: QueryRules | None = None,
        generated: GeneratedNames | None = None,
    ) -> None:
        """`unit_at` returns a file of the repository by its path, and `beside` the paths of the files in its folder.

        `files` returns the paths of all files of the language.

        `cache` has facts of the runtime's declarations and of installed packages, whose modules `packages` finds.
        """
        self._cache = cache
        self._unit_at = unit_at
        self._resolve = resolve
        self._files = files
        self.rules = rules
        #: Rules of the frameworks of the language, if it has any.
        self.wiring = wiring
        #: Settings for the names of generated members, if there are any.
        self.generated = generated
        #: Rules of the object mappers of the language, if it has any.
        self.queries = queries
        self.packages = Packages(unit_at, beside, rules, self._outside_with, files)
        self._runtime: dict[str, Unit | None] = {}
        self._packages = packages
        #: Files of installed packages, by their path.
        self._installed: dict[str, Unit | None] = {}
        self._classes: dict[tuple[int, int], ClassInfo] = {}
        self._modules: dict[tuple[str, str], Unit | None] = {}

    def release(self) -> None:
        """Free all files and classes. The program cannot be used afterwards."""
        for unit in (*self._runtime.values(), *self._installed.values(), *self._modules.values()):
            if unit is not None:
                unit.release()
        self._runtime.clear()
        self._installed.clear()
        self._modules.clear()
        self._classes.clear()

    def module(self, specifier: str, origin: str) -> Unit | None:
        """Return the file of a module: of the repository, or of the runtime; None if it is not known."""
        key = (specifier, origin)
        if key not in self._modules:
            self._modules[key] = self._found(specifier, origin)
        return self._modules[key]

    def beside(self, unit: Unit) -> Unit | None:
        """Return the stub file of a source file, or the source file of a stub file; None if there is none."""
        if unit.external or not self.rules.beside:
            return None
        return self.module(self.rules.beside, unit.path)

    def place(self, specifier: str, unit: Unit) -> tuple[str, str]:
        """Return the full name of the module that a file imports, and the path of the importing file; "" for the runtime."""
        if not unit.external:
            return specifier, unit.path
        if unit.path not in self._installed:
            return specifier, ""
        name = specifier.lstrip(".")
        dots = len(specifier) - len(name)
        if not dots:
            return specifier, unit.path
        is_package = self.is_package(unit)
        around = unit.external.split(".")
        around = around[: len(around) - dots + is_package]
        return ".".join([*around, name] if name else around), unit.path

    def is_package(self, unit: Unit) -> bool:
        """Return whether a file is the module of a package that contains other modules."""
        return unit.path.rpartition("/")[2].startswith("__init__.")

    def is_installed(self, unit: Unit) -> bool:
        """Return whether a file belongs to an installed package."""
        return unit.path in self._installed

    def _found(self, specifier: str, origin: str) -> Unit | None:
        is_outside = origin in self._installed
        if origin and not is_outside:
            target = self._resolve(specifier, origin)
            if isinstance(target, SourceTarget):
                unit = self._unit_at(target.path)
                # A specifier with the name of the file means the file, and any other one its package.
                is_file = specifier.endswith(target.path.rpartition("/")[2])
                return unit if is_file else self.packages.representative(unit)
            is_outside = isinstance(target, PackageTarget) or self.rules.has_overloads
            is_outside = is_outside or (isinstance(target, BuiltinTarget) and self.rules.is_static)
        found = self.runtime(specifier)
        return self._of_package(specifier, origin) if found is None and is_outside else found

    def _of_package(self, module: str, origin: str) -> Unit | None:
        """Return a module of an installed package; None if there is none, or if it is the importing file."""
        path = self._packages.file(module, origin) if self._packages is not None else None
        if path is None or path == origin:
            return None
        return self.packages.representative(self._installed_unit(path, module))

    def _installed_unit(self, path: str, module: str) -> Unit | None:
        """Return a file of an installed package; None if the file is not read.

        Full names in the file begin with `module`. In a language with overloads, they begin with the package that the file
        declares.
        """
        if path not in self._installed:
            facts = self._packages.facts(path, self._cache) if self._packages is not None else None
            named = facts.package if facts is not None and self.rules.has_overloads else ""
            self._installed[path] = Unit(-1, path, facts, external=named or module) if facts is not None else None
        return self._installed[path]

    def _outside_with(self, unit: Unit) -> list[Unit]:
        """Return the files of the package around an external file."""
        if unit.path not in self._installed or self._packages is None:
            return [unit]
        found = [self.unit(path, unit.external) for path in self._packages.beside(unit.path)]
        return [each for each in found if each is not None]

    def unit(self, path: str, module: str) -> Unit | None:
        """Return a file of the repository by its path; if a module name is given, a file outside of the repository."""
        if not module:
            return self._unit_at(path)
        runtime = self.runtime(module)
        if runtime is not None and runtime.path == path:
            return runtime
        return self._installed_unit(path, module)

    def read_packages(self, imports: Iterable[tuple[str, str]]) -> None:
        """Read the files of installed packages that `imports` name: pairs of a specifier and the path of the importing file.

        Raises `StoreError`.
        """
        for specifier, path in imports:
            unit = self.module(specifier, path)
            if unit is not None and unit.path in self._installed:
                self.packages.of(unit)

    def runtime(self, module: str) -> Unit | None:
        """Return the declarations of a module of the runtime."""
        if module not in self._runtime:
            name = self.rules.runtime_name(module)
            if name not in self._runtime:
                facts = self.rules.runtime(name, self._cache)
                self._runtime[name] = Unit(-1, f"{name}.pyi", facts, external=name) if facts is not None else None
            self._runtime[module] = self._runtime[name]
        return self._runtime[module]

    def read_runtime(self, modules: Iterable[str]) -> None:
        """Read the declarations of modules, of their imports and of their parent modules. The cache is not used afterwards.

        Raises `StoreError`.
        """
        waiting, seen = list(modules), set[str]()
        while waiting:
            module = waiting.pop()
            if not module or module in seen:
                continue
            seen.add(module)
            unit = self.runtime(module)
            waiting.append(module.rpartition(".")[0])
            if unit is not None:
                waiting += [entry.specifier for entry in unit.facts.imports]
        self._cache = None

    def files(self) -> Iterator[Unit]:
        """Yield all files of the language in the repository."""
        for path in self._files():
            unit = self._unit_at(path)
            if unit is not None:
                yield unit

    def class_info(self, unit: Unit, shape: int) -> ClassInfo:
        """Return the record of a class. All calls for one class return the same record."""
        key = (id(unit), shape)
        found = self._classes.get(key)
        if found is None:
            found = self._classes[key] = ClassInfo(unit, shape)
        return found


def last_name(unit: Unit, node: int) -> str:
    """Return the last name of a dotted name; "" for other expressions."""
    code = unit.code
    if node >= 0 and code[node] in (Op.NAME, Op.MEMBER, Op.LEXICAL):
        return unit.strings[code[node + 2]]
    return unit.strings[code[node + 3]] if node >= 0 and code[node] == Op.FLOW else ""
