"""What the nominal engine asks about Java: declarations of its library, and names of what is outside of the repository."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ..runtime_declarations import RuntimeDeclarations

if TYPE_CHECKING:
    from ...facts.cache import FactCache
    from ...facts.model import FileFacts
    from ...files.workspace_files import WorkspaceFiles
    from ..installed_files import InstalledFiles

#: The declarations in `runtime/`.
RUNTIME: Final = RuntimeDeclarations(f"{__package__}.runtime", "java")
#: The packages that `runtime/` declares.
PACKAGES: Final = (
    "java.lang",
    "java.util",
    "java.util.function",
    "java.util.stream",
    "java.util.concurrent",
    "java.util.concurrent.atomic",
    "java.util.concurrent.locks",
    "java.util.regex",
    "java.io",
    "java.nio",
    "java.nio.file",
    "java.nio.charset",
    "java.time",
    "java.math",
    "java.net",
    "java.lang.reflect",
    "java.lang.annotation",
    "java.text",
    "java.sql",
)
#: First names of packages that are written in code.
_FIRST_NAMES: Final = frozenset(("java", "javax", "jakarta", "com", "org", "net", "io", "edu", "de", "me", "dev"))


class JavaRules:
    """What the nominal engine asks about Java."""

    is_static = True
    has_overloads = True

    def is_package(self, name: str) -> bool:
        """Return whether a name may be the first one of a package, where nothing else has the name."""
        return name in _FIRST_NAMES

    def runtime_name(self, module: str) -> str:
        """Return the package that declares what a package of the runtime gives: always itself."""
        return module

    def runtime(self, module: str, cache: FactCache | None = None) -> FileFacts | None:
        """Return the facts of our own declarations of a package, or None. Raises `StoreError`.

        All packages are read with the first one, so that processes that are copied later have them.
        """
        for package in PACKAGES:
            RUNTIME.facts(package, cache)
        return RUNTIME.facts(module, cache) if module in PACKAGES else None

    def packages(self, files: WorkspaceFiles, installed: InstalledFiles) -> None:
        """Read no types of archives that are downloaded: they stay unknown."""

    def external(self, name: str) -> str:
        """Return the id of something outside of the repository by its dotted name: `java:java.util.List.add`.

        The name of the package ends in front of the first name with a capital.
        """
        if name.startswith(("java.", "javax.")):
            return f"java:{name}"
        parts = name.split(".")
        length = next((place for place, part in enumerate(parts) if part[:1].isupper()), len(parts))
        package, rest = ".".join(parts[:length]), ".".join(parts[length:])
        return f"maven:{package}{'#' if rest else ''}{rest}"

    def is_of_another_platform(self, path: str) -> bool:
        """Return whether the name of a file says that it is for another platform: never."""
        return False
