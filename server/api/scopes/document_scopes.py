"""The scopes of documents: documents, their sections, and steps of workflows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....graphdb.scopes.plan import Kind, Titled
from .arguments import text_argument
from .in_files import InFiles, Placed
from .operations import operation
from .rows import FileRow, SymbolRow
from .terminals import AnyRow

if TYPE_CHECKING:
    from .data_scopes import ColumnScope, TableScope
    from .file_scopes import FileScope
    from .symbol_scope import SymbolScope


class Naming(InFiles[AnyRow]):
    """Steps of documents and their parts."""

    @operation
    def linked_symbols(self) -> SymbolScope:
        """Return the declarations that the nodes name: functions, classes, tables and others."""
        return self._step("linked_symbols")

    @operation
    def linked_files(self) -> FileScope:
        """Return the files to which the nodes link or that they name by their path."""
        return self._step("linked_files")

    @operation
    def tables(self) -> TableScope:
        """Return the tables and views that the nodes name."""
        return self._step("tables")

    def _titled(self, title: str) -> SectionScope:
        """Return the sections with a title, ignoring case. Raises UsageError for an empty title."""
        title = text_argument("section", title).strip()
        found: SectionScope = self._step("sections")
        return found.chosen("section", Titled(title), (title,))


class DocumentPart(Naming[SymbolRow], Placed):
    """Steps of chains that sections and steps of workflows share."""

    @operation
    def columns(self) -> ColumnScope:
        """Return the columns that the nodes name."""
        return self._step("columns")

    @operation
    def linked_sections(self) -> SectionScope:
        """Return the sections to which the nodes link."""
        return self._step("linked_sections")

    @operation
    def mentioned_by(self) -> SymbolScope:
        """Return the texts that link to the nodes: parts of documents, and declarations with comments."""
        return self._step("mentioned_by")

    @operation
    def steps(self, depth: int = 1) -> StepScope:
        """Return the steps directly in the nodes, in order; with a higher depth, also nested steps."""
        return self._step("steps", depth)

    @operation
    def document(self) -> DocumentScope:
        """Return the documents that contain the nodes."""
        return self._step("document")

    @operation
    def symbols(self) -> SymbolScope:
        """Return the same nodes as a scope of symbols."""
        return self._step("symbols")


class DocumentScope(Naming[FileRow]):
    """Documents for people: Markdown, reStructuredText, AsciiDoc, and files of diagrams."""

    kind: Kind = "document"

    @operation
    def sections(self, **filters: object) -> SectionScope:
        """Return all sections of the documents."""
        return self._filtered_step("sections", filters)

    @operation
    def section(self, title: str) -> SectionScope:
        """Return the sections with a title, ignoring case."""
        return self._titled(title)

    @operation
    def steps(self) -> StepScope:
        """Return all steps in the documents, in order."""
        return self._step("steps")

    @operation
    def symbols(self, **filters: object) -> SymbolScope:
        """Return all parts of the documents: sections, steps, diagrams and the nodes of diagrams."""
        return self._filtered_step("symbols", filters)

    @operation
    def file(self) -> FileScope:
        """Return the documents as a scope of files."""
        return self._step("file")


class SectionScope(DocumentPart):
    """Sections of documents: headings with their text, decisions, endpoints and milestones."""

    kind: Kind = "section"

    @operation
    def sections(self, depth: int = 1) -> SectionScope:
        """Return the sections within the sections."""
        return self._step("sections", depth)

    @operation
    def parents(self, depth: int = 1) -> SectionScope:
        """Return the sections around the sections."""
        return self._step("parents", depth)

    @operation
    def section(self, title: str) -> SectionScope:
        """Return the sections with a title, ignoring case, directly within the sections."""
        return self._titled(title)


class StepScope(DocumentPart):
    """Steps of workflows: numbered items, and headings such as "Step 2"."""

    kind: Kind = "step"

    @operation
    def section(self) -> SectionScope:
        """Return the sections directly around the steps."""
        return self._step("section")

    @operation
    def next_steps(self, depth: int = 1) -> StepScope:
        """Return the next steps, up to `depth` places after the steps."""
        return self._step("next_steps", depth)

    @operation
    def previous_steps(self, depth: int = 1) -> StepScope:
        """Return the previous steps, up to `depth` places before the steps."""
        return self._step("previous_steps", depth)
