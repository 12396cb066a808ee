"""Operations of two kinds of scopes: scopes of files, and scopes of nodes that have a place in a file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from ....graphdb.scopes.plan import Given, Where, Within
from ....schema.errors import UsageError
from .arguments import text_argument
from .commits import CommitScope, commits_of
from .operations import operation
from .rows import SymbolRow
from .scope import Scope
from .terminals import AnyRow

if TYPE_CHECKING:
    from .file_scopes import FileScope, ModuleScope

#: Maximum `count` of `hot`.
_MAX_HOT = 1_000


class InFiles(Scope[AnyRow]):
    """Files, or nodes with a place in a file."""

    @operation
    def within_module(self, name: str) -> Self:
        """Keep nodes inside the modules with the given name or folder, including nested modules."""
        name = text_argument("within_module", name)
        return self._kept(Within(name), "within_module", (name,))

    @operation
    def in_files(self, *paths: str) -> Self:
        """Keep nodes in some files."""
        return self._same(Where(self._conditions({"path__in": list(paths)})), "in_files", paths)

    @operation
    def changed_since(self, ref: str) -> Self:
        """Keep nodes in files that differ from a commit, branch or tag, or are not committed."""
        ref = text_argument("changed_since", ref)
        return self._kept(Given("changed_since", ref), "changed_since", (ref,))

    @operation
    def hot(self, count: int = 20) -> Self:
        """Keep nodes in the `count` files with the highest product of commits and lines."""
        if not isinstance(count, int) or isinstance(count, bool) or not 1 <= count <= _MAX_HOT:
            raise UsageError(f"`hot` takes a number of files from 1 to {_MAX_HOT:,}, not {count!r}.")
        return self._kept(Given("hot", count), "hot", (count,))

    @operation
    def commits(self, **filters: object) -> CommitScope:
        """Return the commits that changed the files, through their renames, the newest first."""
        return commits_of(self, filters)

    @operation
    def module(self) -> ModuleScope:
        """Return the modules to which the files belong."""
        return self._step("module")


class Placed(InFiles[SymbolRow]):
    """Nodes with a place in a file: symbols, including tables and sections."""

    @operation
    def file(self) -> FileScope:
        """Return the files that contain the nodes."""
        return self._step("file")

    @operation
    def files(self) -> FileScope:
        """Return the files that contain the nodes; the same as `file`."""
        return self._step("files")
