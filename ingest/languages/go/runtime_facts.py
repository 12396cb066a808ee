"""Our own declarations of Go's types and standard library, and the names of declarations outside of the repository."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..runtime_declarations import RuntimeDeclarations
from .modules.build_constraints import fits, is_left_out, variant
from .modules.standard_library import CGO

if TYPE_CHECKING:
    from ...facts.cache import FactReader
    from ...facts.model import FileFacts
    from ...files.workspace_files import WorkspaceFiles
    from ..installed_files import InstalledFiles
    from .installed_packages import GoPackages


#: The declarations in `runtime/`.
RUNTIME = RuntimeDeclarations(f"{__package__}.runtime", "go")


class GoRules:
    """The rules of Go for the nominal engine."""

    is_static = True
    null_literal = "nil"
    beside = ""
    has_overloads = False

    def is_package(self, name: str) -> bool:
        """Return False, because a name denotes a package only after an import."""
        return False

    def runtime_name(self, module: str) -> str:
        """Return the name of the package itself, because each package of the runtime declares its own contents."""
        return module

    def runtime(self, module: str, cache: FactReader | None = None) -> FileFacts | None:
        """Return the facts of our own declarations of a package, or None. Raises `StoreError`."""
        return RUNTIME.facts(module, cache)

    def generated_names(self, files: WorkspaceFiles) -> None:
        """Return None, because generators of Go code write files."""

    def packages(self, files: WorkspaceFiles, installed: InstalledFiles) -> GoPackages:
        """Return the packages in `vendor` folders, in the module cache and of the standard library."""
        from .installed_packages import GoPackages

        return GoPackages(files, installed)

    def is_library(self, module: str) -> bool:
        """Return False, because there are no declarations of libraries of Go."""
        return False

    def external(self, name: str) -> str:
        """Return the id of an external declaration by its import path and its name: `fmt.Println`.

        A package of the standard library has no dot in the first part of its path. Declarations of C have no id.
        """
        package, dot, rest = _split(name)
        if package == CGO:
            return ""
        if package == "builtins":
            return f"go:{rest}"
        return f"gomod:{package}{'#' if dot else ''}{rest}" if "." in package.partition("/")[0] else f"go:{name}"

    def split_outside(self, name: str) -> tuple[str, str]:
        """Split the dotted name of an external declaration after the import path of its package."""
        package, _, rest = _split(name)
        return package, rest

    def is_left_out(self, path: str, constraint: str) -> bool:
        """Return whether a file belongs to the program only on platforms other than the host's."""
        return is_left_out(path, constraint)

    def variant(self, path: str, constraint: str) -> str:
        """Return the platforms of a file as a text, "" for all platforms."""
        return variant(path, constraint)

    def fits(self, path: str, constraint: str, other_path: str, other_constraint: str) -> bool:
        """Return whether two files belong to the program on a common platform."""
        return fits(path, constraint, other_path, other_constraint)


def _split(name: str) -> tuple[str, str, str]:
    """Split a dotted name after its import path.

    The last part of the path has a dot only before a version: `gopkg.in/yaml.v3`.
    """
    folder, slash, last = name.rpartition("/")
    first, dot, rest = last.partition(".")
    version, more, inner = rest.partition(".")
    if version[:1] == "v" and version[1:].isdigit():
        return f"{folder}{slash}{first}.{version}", more, inner
    return f"{folder}{slash}{first}", dot, rest
