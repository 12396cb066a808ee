"""The rules of Java for the nominal engine: declarations of its standard library, and ids of external declarations."""

from __future__ import annotations

from functools import cache as kept
from importlib.resources import files as resources
from typing import TYPE_CHECKING, Final

from ..platforms import OnEveryPlatform
from ..runtime_declarations import RuntimeDeclarations
from .external_names import OF_THE_JDK, is_of_the_jdk, split_name

if TYPE_CHECKING:
    from ...facts.cache import FactReader
    from ...facts.model import FileFacts
    from ...files.workspace_files import WorkspaceFiles
    from ..installed_files import InstalledFiles
    from .class_files.class_path import ClassPath
    from .lombok_config import LombokNames

_FOLDER: Final = f"{__package__}.runtime"
#: The declarations in `runtime/`.
RUNTIME: Final = RuntimeDeclarations(_FOLDER, "java")


@kept
def runtime_packages() -> frozenset[str]:
    """Return the names of the packages that `runtime/` declares."""
    entries = [entry.name for entry in resources(_FOLDER).iterdir()]
    return frozenset(name.removesuffix(".stub") for name in entries if name.endswith(".stub"))


class JavaRules(OnEveryPlatform):
    """The rules of Java for the nominal engine."""

    is_static = True
    null_literal = "null"
    beside = ""
    has_overloads = True

    def is_package(self, name: str) -> bool:
        """Return whether a name is the first part of a package of the JDK."""
        return name in OF_THE_JDK

    def runtime_name(self, module: str) -> str:
        """Return the package that declares a type of the runtime: `java.util` for `java.util.Map.Entry`."""
        return split_name(module)[0] if is_of_the_jdk(module) else module

    def runtime(self, module: str, cache: FactReader | None = None) -> FileFacts | None:
        """Return the facts of our own declarations of a package, or None. Raises `StoreError`."""
        return RUNTIME.facts(module, cache) if module in runtime_packages() else None

    def generated_names(self, files: WorkspaceFiles) -> LombokNames:
        """Return the settings for the members that Lombok generates."""
        from .lombok_config import LombokNames

        return LombokNames(files)

    def packages(self, files: WorkspaceFiles, installed: InstalledFiles) -> ClassPath:
        """Return the types in downloaded archives of the workspace's dependencies."""
        from .class_files.class_path import ClassPath

        return ClassPath(files, installed)

    def is_library(self, module: str) -> bool:
        """Return False, because there are no declarations of libraries of Java."""
        return False

    def external(self, name: str) -> str:
        """Return the id of an external declaration by its dotted name: `java:java.util.List.add`."""
        package, rest = split_name(name)
        if is_of_the_jdk(package):
            return f"java:{name}"
        return f"maven:{package}{'#' if rest else ''}{rest}"

    def split_outside(self, name: str) -> tuple[str, str]:
        """Split the dotted name of an external declaration after its package."""
        return split_name(name)
