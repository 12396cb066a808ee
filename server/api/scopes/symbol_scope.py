"""The scope of symbols: declarations, and the statements around them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....graphdb.scopes.plan import DerivesFrom, Given, Kind, Untested, Wired
from ....graphdb.scopes.steps import check_depth
from ....schema.symbol_kinds import STATEMENTS
from .arguments import text_argument
from .in_files import Placed
from .operations import operation

if TYPE_CHECKING:
    from .data_scopes import ColumnScope, TableScope
    from .document_scopes import DocumentScope, SectionScope, StepScope
    from .file_scopes import FileScope, ModuleScope, PackageScope

#: Maximum `depth` of `untested`.
_MAX_UNTESTED_DEPTH = 3
_STATEMENTS = sorted(STATEMENTS)


class SymbolScope(Placed):
    """Declarations, and the statements around them."""

    kind: Kind = "symbol"

    @operation
    def callers(self, depth: int = 1) -> SymbolScope:
        """Return the callers of the symbols, over 1 to `depth` calls."""
        return self._step("callers", depth)

    @operation
    def callees(self, depth: int = 1) -> SymbolScope:
        """Return the callees of the symbols, over 1 to `depth` calls."""
        return self._step("callees", depth)

    @operation
    def dependants(self, depth: int = 1) -> SymbolScope:
        """Return the users of the symbols by calls, references, types, heritage, overrides and frameworks."""
        return self._step("dependants", depth)

    @operation
    def dependencies(self, depth: int = 1) -> SymbolScope:
        """Return the symbols that the symbols use in any way."""
        return self._step("dependencies", depth)

    @operation
    def references(self) -> SymbolScope:
        """Return the symbols that the symbols refer to."""
        return self._step("references")

    @operation
    def referenced_by(self) -> SymbolScope:
        """Return the symbols that refer to the symbols."""
        return self._step("referenced_by")

    @operation
    def members(self, depth: int = 1) -> SymbolScope:
        """Return the direct members of the symbols."""
        return self._step("members", depth)

    @operation
    def parents(self, depth: int = 1) -> SymbolScope:
        """Return the symbols around the symbols."""
        return self._step("parents", depth)

    @operation
    def overrides(self, depth: int = 1) -> SymbolScope:
        """Return the members that the symbols override or implement."""
        return self._step("overrides", depth)

    @operation
    def overridden_by(self, depth: int = 1) -> SymbolScope:
        """Return the members that override or implement the symbols."""
        return self._step("overridden_by", depth)

    @operation
    def base_types(self, depth: int = 1) -> SymbolScope:
        """Return the types of the repository that the symbols extend and implement."""
        return self._step("base_types", depth)

    @operation
    def subtypes(self, depth: int = 1) -> SymbolScope:
        """Return the types that extend and implement the symbols."""
        return self._step("subtypes", depth)

    @operation
    def types(self) -> SymbolScope:
        """Return the types of parameters, results and fields of the symbols."""
        return self._step("types")

    @operation
    def tests(self, depth: int = 1) -> SymbolScope:
        """Return the code of test files that uses the symbols, over 1 to `depth` calls and references."""
        return self._step("tests", depth)

    @operation
    def modules(self) -> ModuleScope:
        """Return the modules with the symbols; the same as `module`."""
        return self._step("modules")

    @operation
    def packages(self) -> PackageScope:
        """Return the packages that the files with the symbols import."""
        return self._step("packages")

    @operation
    def extends(self, name: str) -> SymbolScope:
        """Keep types that directly extend a type with the given name, inside or outside of the repository."""
        name = text_argument("extends", name)
        return self._kept(DerivesFrom("EXTENDS", name), "extends", (name,))

    @operation
    def implements(self, name: str) -> SymbolScope:
        """Keep types that directly implement a type with the given name, inside or outside of the repository."""
        name = text_argument("implements", name)
        return self._kept(DerivesFrom("IMPLEMENTS", name), "implements", (name,))

    @operation
    def dead(self) -> SymbolScope:
        """Keep the declarations that the check of dead code reports, at most 1,000."""
        return self._kept(Given("dead", members="places"), "dead", ())

    @operation
    def untested(self, depth: int = 1) -> SymbolScope:
        """Keep symbols of code outside of tests that no code of a test file uses over 1 to `depth` calls and references."""
        depth = check_depth("untested", depth, _MAX_UNTESTED_DEPTH)
        return self._kept(Untested(depth), "untested", (depth,))

    @operation
    def hubs(self, count: int = 10, by: str = "callers") -> SymbolScope:
        """Keep the symbols with the most callers, dependants or other neighbors at a step, most first."""
        return self._hubs(by, count)

    @operation
    def tables(self) -> TableScope:
        """Return the tables and views that the symbols read or modify."""
        return self._step("tables")

    @operation
    def columns(self) -> ColumnScope:
        """Return the columns that the symbols read or modify."""
        return self._step("columns")

    @operation
    def sections(self) -> SectionScope:
        """Return the sections of documents that name the symbols, even in a step or a diagram."""
        return self._step("sections")

    @operation
    def steps(self) -> StepScope:
        """Return the steps of workflows that name the symbols."""
        return self._step("steps")

    @operation
    def documents(self) -> DocumentScope:
        """Return the documents that name the symbols."""
        return self._step("documents")

    @operation
    def mentioned_by(self) -> SymbolScope:
        """Return the texts that name the symbols: parts of documents, and declarations with comments."""
        return self._step("mentioned_by")

    @operation
    def linked_symbols(self) -> SymbolScope:
        """Return the declarations that the symbols name in comments or text."""
        return self._step("linked_symbols")

    @operation
    def linked_files(self) -> FileScope:
        """Return the files that the symbols name in comments or text."""
        return self._step("linked_files")

    @operation
    def mentioned_tables(self) -> TableScope:
        """Return the tables and views that the symbols name in comments or text."""
        return self._step("mentioned_tables")

    @operation
    def wired_as(self, role: str) -> SymbolScope:
        """Keep the symbols that a framework runs in a role, such as route, handler, test, fixture, task or command."""
        role = text_argument("wired_as", role)
        return self._kept(Wired(role), "wired_as", (role,))


def declarations(scope: SymbolScope, filters: dict[str, object]) -> SymbolScope:
    """Leave out statements, unless a filter names kinds or single symbols."""
    return scope.unless_named(("kind", "id"), filters, "kind__not_in", _STATEMENTS)
