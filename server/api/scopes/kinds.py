"""The scopes of all kinds of nodes, and of the repository, where chains begin."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....graphdb.scopes.plan import Kind, Named, Plan, TableNamed, Test, Titled, Wired
from ....retrieval.query.symbol_path import read_symbol_path
from ....schema.errors import UsageError
from .arguments import text_argument
from .commits import CommitScope, commit_scope
from .data_scopes import ColumnScope, TableScope, existing
from .document_scopes import DocumentScope, SectionScope, StepScope
from .file_scopes import FileScope, ModuleScope, PackageScope
from .operations import operation
from .rows import RepositoryRow
from .running import Written
from .scope import AnyScope, Scope
from .symbol_scope import SymbolScope, declarations

if TYPE_CHECKING:
    from ..requests.answering_index import AnsweringIndex

__all__ = [
    "ColumnScope",
    "CommitScope",
    "DocumentScope",
    "FileScope",
    "ModuleScope",
    "PackageScope",
    "RepoScope",
    "SectionScope",
    "StepScope",
    "SymbolScope",
    "TableScope",
    "repo_scope",
]


class RepoScope(Scope[RepositoryRow]):
    """The repository, where chains begin."""

    kind: Kind = "repository"

    @operation
    def modules(self, **filters: object) -> ModuleScope:
        """Return the modules: folders with a manifest."""
        return begin(ModuleScope, self._workspace, "modules", filters)

    @operation
    def files(self, **filters: object) -> FileScope:
        """Return the source files."""
        return begin(FileScope, self._workspace, "files", filters)

    @operation
    def symbols(self, **filters: object) -> SymbolScope:
        """Return the declarations. Imports, comments and expressions are included only if a filter names their kind."""
        return declarations(begin(SymbolScope, self._workspace, "symbols", filters), filters)

    @operation
    def packages(self, **filters: object) -> PackageScope:
        """Return the packages that manifests name or the code imports."""
        return begin(PackageScope, self._workspace, "packages", filters)

    @operation
    def symbol(self, name: str) -> SymbolScope:
        """Return the declarations named `Name`, `Parent > Child`, `Parent.Child` or `file > Name`."""
        return named_symbol(self._workspace, name)

    @operation
    def file(self, path: str) -> FileScope:
        """Return the file at a path."""
        path = text_argument("file", path).removeprefix("./")
        return begin(FileScope, self._workspace, "file", {}).chosen("file", Test("path", "eq", path), (path,))

    @operation
    def commits(self, **filters: object) -> CommitScope:
        """Return the commits, the newest first."""
        return commit_scope(self._workspace, "commits", filters)

    @operation
    def commit(self, hash: str) -> CommitScope:
        """Return the commit with a hash, or with the beginning of a hash."""
        return commit_scope(self._workspace, "commit", {"hash": text_argument("commit", hash).lower()})

    @operation
    def tables(self, **filters: object) -> TableScope:
        """Return the tables and views. Dropped tables are included only if a filter names `dropped`."""
        return existing(begin(TableScope, self._workspace, "tables", filters), filters)

    @operation
    def table(self, name: str) -> TableScope:
        """Return the tables and views with a name, ignoring case: `users`, `sales.users` or `db/schema.sql > users`."""
        file, name = _table_path(text_argument("table", name).strip())
        found = begin(TableScope, self._workspace, "table", {})
        return found.chosen("table", TableNamed(name, file), (f"{file} > {name}" if file else name,))

    @operation
    def columns(self, **filters: object) -> ColumnScope:
        """Return the columns of all tables. Dropped columns are included only if a filter names `dropped`."""
        return existing(begin(ColumnScope, self._workspace, "columns", filters), filters)

    @operation
    def docs(self, **filters: object) -> DocumentScope:
        """Return the documents: Markdown, reStructuredText, AsciiDoc, and files of diagrams."""
        return begin(DocumentScope, self._workspace, "docs", filters)

    @operation
    def doc(self, path: str) -> DocumentScope:
        """Return the document at a path."""
        path = text_argument("doc", path).removeprefix("./")
        found = begin(DocumentScope, self._workspace, "doc", {})
        return found.chosen("doc", Test("path", "eq", path), (path,))

    @operation
    def sections(self, **filters: object) -> SectionScope:
        """Return the sections of all documents."""
        return begin(SectionScope, self._workspace, "sections", filters)

    @operation
    def workflows(self, **filters: object) -> SectionScope:
        """Return the sections that describe a workflow."""
        found = begin(SectionScope, self._workspace, "workflows", filters)
        return found.silently("modifiers__has", "workflow")

    @operation
    def workflow(self, name: str) -> SectionScope:
        """Return the workflows with a name, ignoring case; `Checkout` also names `Workflow: Checkout`."""
        name = text_argument("workflow", name).strip()
        found = begin(SectionScope, self._workspace, "workflow", {}).silently("modifiers__has", "workflow")
        return found.chosen("workflow", Titled(name, after_colon=True), (name,))

    @operation
    def endpoints(self, **filters: object) -> SymbolScope:
        """Return the handlers of the routes of web frameworks."""
        return begin(SymbolScope, self._workspace, "endpoints", filters).marked(Wired("route"))


def repo_scope(workspace: AnsweringIndex) -> RepoScope:
    """Return the repository of a workspace."""
    return RepoScope(workspace, Plan("repository"), (Written("repo()", 0),))


def begin(scope: type[AnyScope], workspace: AnsweringIndex, name: str, filters: dict[str, object]) -> AnyScope:
    """Return all nodes of a kind that match some filters."""
    made = scope(workspace, Plan(scope.kind), (Written(f"{name}()", 0),))
    return made.begun(name, filters)


def named_symbol(workspace: AnsweringIndex, name: str) -> SymbolScope:
    """Return the declarations that a symbol path names. Raises UsageError."""
    written = text_argument("symbol", name).strip()
    path = read_symbol_path(f"symbol = {written}")
    if path is None or not path.names:
        raise UsageError(f"`symbol` takes a name, 'Parent > Child' or 'file > Name', not {name!r}.")
    names = tuple(part for each in path.names for part in each.split(".") if part)
    found = begin(SymbolScope, workspace, "symbol", {}).chosen("symbol", Named(path.file or "", names, written), (name,))
    return declarations(found, {})


def _table_path(written: str) -> tuple[str, str]:
    """Return the file (or "") and the name in the path of a table: `name` or `file > name`."""
    file, separator, name = written.rpartition(">")
    return (file.strip().removeprefix("./"), name.strip()) if separator and name.strip() else ("", written)
