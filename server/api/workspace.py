"""The interface to a repository, for Python, the command line and the MCP server."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from ...schema.errors import (
    UsageError,
)
from ..display.notebook_progress import notebook_progress
from ..environment.configuration import load_settings
from ..environment.data_folder import data_folder
from ..environment.progress import ProgressListener, ignore_progress
from ..environment.workspace_root import find_root
from .file_view import FileView
from .requests.answering_index import AnsweringIndex
from .requests.fresh_index import log_notice
from .symbol_view import SymbolView

if TYPE_CHECKING:
    from .graph_questions import GraphQuestions
    from .scopes.chain_evaluation import Outcome
    from .scopes.commits import CommitScope
    from .scopes.kinds import (
        ColumnScope,
        DocumentScope,
        FileScope,
        ModuleScope,
        PackageScope,
        RepoScope,
        SectionScope,
        SymbolScope,
        TableScope,
    )


class Workspace(AnsweringIndex):
    """A repository with its index. Thread-safe; close it, or use it in a `with` block."""

    @classmethod
    def locate(
        cls,
        root: str | Path | None = None,
        data_dir: str | Path | None = None,
        *,
        progress: ProgressListener = ignore_progress,
        notify: Callable[[str], None] = log_notice,
    ) -> Workspace:
        """Return the workspace at `root`, or around the current folder. Reads the settings, and builds no index.

        `progress` receives the progress of indexing. `notify` receives notices that an answer cannot contain, for example that
        the rows of a query come from an outdated index. Raises NotAFolder, WorkspaceError and, for invalid settings, UsageError.
        """
        folder = find_root(None if root is None else Path(root))
        data = data_folder(folder, None if data_dir is None else Path(data_dir))
        return cls(folder, data, load_settings(folder), progress=progress, notify=notify)

    def at(self, ref: str) -> Workspace:
        """Return the workspace at a commit, with a separate index that the first question builds. Close this workspace, too.

        The work tree does not change, and its installed packages are not available. Raises UsageError for an unknown commit,
        GitFailed without a Git repository, and StoreError.
        """
        from ..environment.past_tree import past_tree

        past = past_tree(self.root, self.data_dir, ref, self.settings.max_file_size)
        settings = load_settings(past.root)
        found = Workspace(past.root, past.data_dir, settings, progress=self._listener, notify=self._notify)
        found._root_name = f"{self.root} at {past.commit[:12]}"
        return found

    def symbol(self, path: str) -> SymbolView:
        """Return the symbol named `Name`, `Parent > Child` or `file > Parent > Child`.

        The view has the connections and the source of the symbol, and its methods are analyses. Raises UsageError.
        """
        if not path.strip():
            raise UsageError("Name a symbol: `Name`, `Parent > Child` or `file > Parent > Child`.")
        return SymbolView(self, path.replace(f"{self.root}/", "", 1))

    def file(self, path: str | Path) -> FileView:
        """Return the file at a path, relative to the root or absolute. Its methods are analyses."""
        return FileView(self, self._relative(str(path)))

    def repo(self) -> RepoScope:
        """Return the repository as a scope, where chains of filters and steps begin."""
        from .scopes.kinds import repo_scope

        return repo_scope(self)

    def modules(self, **filters: object) -> ModuleScope:
        """Return the modules as a scope; a filter is a field with an operator, such as `name__startswith="core"`."""
        return self.repo().modules(**filters)

    def files(self, **filters: object) -> FileScope:
        """Return the source files as a scope; a filter is a field with an operator, such as `lines__gt=200`."""
        return self.repo().files(**filters)

    def symbols(self, **filters: object) -> SymbolScope:
        """Return the declarations as a scope; a filter is a field with an operator, such as `kind__in=["class"]`."""
        return self.repo().symbols(**filters)

    def packages(self, **filters: object) -> PackageScope:
        """Return the packages that manifests name or the code imports as a scope."""
        return self.repo().packages(**filters)

    def tables(self, **filters: object) -> TableScope:
        """Return the tables and views as a scope, without dropped tables."""
        return self.repo().tables(**filters)

    def table(self, name: str) -> TableScope:
        """Return the tables and views with a name as a scope: `users`, or `db/schema.sql > users`."""
        return self.repo().table(name)

    def columns(self, **filters: object) -> ColumnScope:
        """Return the columns of all tables as a scope, without dropped columns."""
        return self.repo().columns(**filters)

    def docs(self, **filters: object) -> DocumentScope:
        """Return the documents for people as a scope."""
        return self.repo().docs(**filters)

    def doc(self, path: str) -> DocumentScope:
        """Return the document at a path as a scope."""
        return self.repo().doc(path)

    def sections(self, **filters: object) -> SectionScope:
        """Return the sections of all documents as a scope."""
        return self.repo().sections(**filters)

    def workflows(self, **filters: object) -> SectionScope:
        """Return the sections that describe a workflow as a scope."""
        return self.repo().workflows(**filters)

    def workflow(self, name: str) -> SectionScope:
        """Return the workflows with a name as a scope. Documents describe workflows."""
        return self.repo().workflow(name)

    def endpoints(self, **filters: object) -> SymbolScope:
        """Return the handlers of routes that a framework knows as a scope."""
        return self.repo().endpoints(**filters)

    def commit(self, hash: str) -> CommitScope:
        """Return the commit with a hash, or with the beginning of a hash, as a scope."""
        return self.repo().commit(hash)

    def commits(self, **filters: object) -> CommitScope:
        """Return the commits as a scope, the newest first; filters select by author, message, date and path."""
        return self.repo().commits(**filters)

    def query(self, chain: str) -> Outcome:
        """Return the result of a chain in text form: `files(language='go').symbols(kind='method').callers(depth=2)`.

        The result is a scope, or the result of a last operation such as `count()`. Raises UsageError with the place of an error.
        """
        from .scopes.chain_evaluation import read

        return read(self, chain)

    @property
    def graph(self) -> GraphQuestions:
        """The tools of the set `graph`, such as `ws.graph.query_symbol("Cart")`."""
        from .graph_questions import GraphQuestions

        return GraphQuestions(self)

    def __repr__(self) -> str:
        return f"Workspace({str(self.root)!r})"


def open_workspace(
    path: str | Path | None = None,
    *,
    data_dir: str | Path | None = None,
    progress: ProgressListener | None = None,
) -> Workspace:
    """Open the workspace at `path`, and build or refresh its index.

    Without a path, the root is the nearest enclosing folder with `.astrolabe`, else the nearest with `.git`, else the current
    folder. `progress(stage, done, total)` receives the progress of indexing; without it, a notebook shows a bar. Raises an
    `AstrolabeError` that says what to do.
    """
    workspace = Workspace.locate(path, data_dir, progress=progress or notebook_progress())
    workspace.refresh()
    return workspace
