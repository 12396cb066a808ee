"""The scopes of files, and of modules and packages, which contain or provide them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....graphdb.scopes.plan import Kind
from .data_scopes import existing
from .in_files import InFiles
from .operations import operation
from .rows import FileRow, ModuleRow, PackageRow
from .scope import Scope
from .symbol_scope import declarations

if TYPE_CHECKING:
    from .data_scopes import TableScope
    from .document_scopes import DocumentScope, SectionScope
    from .symbol_scope import SymbolScope


class ModuleScope(Scope[ModuleRow]):
    """Modules: folders with a manifest."""

    kind: Kind = "module"

    @operation
    def files(self, **filters: object) -> FileScope:
        """Return the files of the modules, without the files of nested modules."""
        return self._filtered_step("files", filters)

    @operation
    def symbols(self, **filters: object) -> SymbolScope:
        """Return the declarations in the modules."""
        return declarations(self._filtered_step("symbols", filters), filters)

    @operation
    def modules(self, depth: int = 1) -> ModuleScope:
        """Return the modules within the modules."""
        return self._step("modules", depth)

    @operation
    def packages(self) -> PackageScope:
        """Return the packages that the manifests name."""
        return self._step("packages")

    @operation
    def dependencies(self) -> ModuleScope:
        """Return the modules whose files are imported, including modules that import their own files."""
        return self._step("dependencies")

    @operation
    def dependants(self) -> ModuleScope:
        """Return the modules whose files import files of the modules."""
        return self._step("dependants")

    @operation
    def documents(self) -> DocumentScope:
        """Return the documents of the modules."""
        return self._step("documents")

    @operation
    def sections(self, **filters: object) -> SectionScope:
        """Return the sections of the documents of the modules."""
        return self._filtered_step("sections", filters)

    @operation
    def tables(self, **filters: object) -> TableScope:
        """Return the tables and views that files of the modules declare."""
        return existing(self._filtered_step("tables", filters), filters)


class FileScope(InFiles[FileRow]):
    """Source files."""

    kind: Kind = "file"

    @operation
    def symbols(self, **filters: object) -> SymbolScope:
        """Return the declarations in the files."""
        return declarations(self._filtered_step("symbols", filters), filters)

    @operation
    def imports(self, depth: int = 1) -> FileScope:
        """Return the files that the files import."""
        return self._step("imports", depth)

    @operation
    def importers(self, depth: int = 1) -> FileScope:
        """Return the files that import the files."""
        return self._step("importers", depth)

    @operation
    def dependencies(self, depth: int = 1) -> FileScope:
        """Return the files that the files import; the same as `imports`."""
        return self._step("dependencies", depth)

    @operation
    def dependants(self, depth: int = 1) -> FileScope:
        """Return the files that import the files; the same as `importers`."""
        return self._step("dependants", depth)

    @operation
    def modules(self) -> ModuleScope:
        """Return the modules to which the files belong; the same as `module`."""
        return self._step("modules")

    @operation
    def packages(self) -> PackageScope:
        """Return the packages that the files import."""
        return self._step("packages")

    @operation
    def hubs(self, count: int = 10, by: str = "importers") -> FileScope:
        """Keep the files with the most importers, imports or other neighbors at a step, most first."""
        return self._hubs(by, count)

    @operation
    def documents(self) -> DocumentScope:
        """Return the files that are documents."""
        return self._step("documents")

    @operation
    def sections(self, **filters: object) -> SectionScope:
        """Return the sections of the files."""
        return self._filtered_step("sections", filters)

    @operation
    def tables(self, **filters: object) -> TableScope:
        """Return the tables and views that the files declare."""
        return existing(self._filtered_step("tables", filters), filters)


class PackageScope(Scope[PackageRow]):
    """Packages outside of the repository."""

    kind: Kind = "package"

    @operation
    def files(self) -> FileScope:
        """Return the files that import the packages."""
        return self._step("files")

    @operation
    def importers(self) -> FileScope:
        """Return the files that import the packages; the same as `files`."""
        return self._step("importers")

    @operation
    def modules(self) -> ModuleScope:
        """Return the modules whose manifests name the packages."""
        return self._step("modules")

    @operation
    def symbols(self, **filters: object) -> SymbolScope:
        """Return the declarations in the files that import the packages."""
        return declarations(self._filtered_step("symbols", filters), filters)
