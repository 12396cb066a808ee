"""The scopes of data: tables and columns."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....graphdb.scopes.plan import Kind
from .in_files import Placed
from .operations import operation
from .scope import AnyScope

if TYPE_CHECKING:
    from .document_scopes import DocumentScope, SectionScope, StepScope
    from .file_scopes import FileScope
    from .symbol_scope import SymbolScope


class DataScope(Placed):
    """Steps of tables and columns."""

    @operation
    def read_by(self) -> SymbolScope:
        """Return the code that reads the nodes: code with SQL statements, views, routines, and queries in files."""
        return self._step("read_by")

    @operation
    def modified_by(self) -> SymbolScope:
        """Return the code that modifies the nodes."""
        return self._step("modified_by")

    @operation
    def referenced_by(self) -> SymbolScope:
        """Return the users of the nodes: SQL statements, code that names models, foreign keys, and models of the tables."""
        return self._step("referenced_by")

    @operation
    def changed_in(self) -> FileScope:
        """Return the files that create, alter, rename or drop the nodes, such as migrations."""
        return self._step("changed_in")

    @operation
    def mentioned_by(self) -> SymbolScope:
        """Return the texts that name the nodes: parts of documents, and declarations with comments."""
        return self._step("mentioned_by")

    @operation
    def sections(self) -> SectionScope:
        """Return the sections of documents that name the nodes, even in a step or a diagram."""
        return self._step("sections")

    @operation
    def steps(self) -> StepScope:
        """Return the steps of workflows that name the nodes."""
        return self._step("steps")

    @operation
    def documents(self) -> DocumentScope:
        """Return the documents that name the nodes."""
        return self._step("documents")

    @operation
    def symbols(self) -> SymbolScope:
        """Return the same nodes as a scope of symbols."""
        return self._step("symbols")


class TableScope(DataScope):
    """Tables and views, and the models of object-relational mappers."""

    kind: Kind = "table"

    @operation
    def columns(self, **filters: object) -> ColumnScope:
        """Return the columns. Dropped columns are included only if a filter names `dropped`."""
        return existing(self._filtered_step("columns", filters), filters)

    @operation
    def references(self) -> TableScope:
        """Return the tables to which foreign keys of the tables refer."""
        return self._step("references")

    @operation
    def reads(self) -> TableScope:
        """Return the tables that the views read."""
        return self._step("reads")

    @operation
    def maps_to(self) -> TableScope:
        """Return the tables in migrations that the models and schema files represent."""
        return self._step("maps_to")

    @operation
    def mapped_by(self) -> TableScope:
        """Return the models and schema files that represent the tables."""
        return self._step("mapped_by")


class ColumnScope(DataScope):
    """Columns of tables and views with a separate declaration."""

    kind: Kind = "column"

    @operation
    def table(self) -> TableScope:
        """Return the tables with the columns."""
        return self._step("table")

    @operation
    def references(self, depth: int = 1) -> ColumnScope:
        """Return the columns to which foreign keys of the columns refer."""
        return self._step("references", depth)

    @operation
    def maps_to(self) -> ColumnScope:
        """Return the columns in migrations that the fields of models represent."""
        return self._step("maps_to")

    @operation
    def mapped_by(self) -> ColumnScope:
        """Return the fields of models that represent the columns."""
        return self._step("mapped_by")


def existing(scope: AnyScope, filters: dict[str, object]) -> AnyScope:
    """Exclude tables and columns that migrations dropped, unless a filter names `dropped`."""
    return scope.unless_named(("dropped",), filters, "dropped", False)
