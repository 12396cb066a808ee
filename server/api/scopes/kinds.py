"""The scopes of each kind of node, with the steps between them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from ....graphdb.scopes.plan import Heir, Kind, Named, Plan, Untested, Where, Within
from ....graphdb.scopes.steps import COMPOSED
from ....retrieval.query.symbol_path import read_symbol_path
from ....schema.errors import UsageError
from ....schema.symbol_kinds import STATEMENTS
from .commits import CommitScope, commit_scope
from .operations import operation
from .rows import FileRow, ModuleRow, PackageRow, RepositoryRow, SymbolRow
from .running import Written
from .scope import Scope, spelled, text_argument

if TYPE_CHECKING:
    from ..workspace import Workspace

AnyScope = TypeVar("AnyScope", bound=Scope[Any])

#: Most files that `hot` takes.
_MOST_HOT = 1_000
#: Most hops of `untested`.
_MOST_UNTESTED = 3
_STATEMENTS = sorted(STATEMENTS)


class RepoScope(Scope[RepositoryRow]):
    """The repository, where chains begin."""

    kind: Kind = "repository"

    @operation
    def modules(self, **filters: object) -> ModuleScope:
        """Return the modules: folders with a manifest."""
        return _begin(ModuleScope, self._workspace, "modules", filters)

    @operation
    def files(self, **filters: object) -> FileScope:
        """Return the source files."""
        return _begin(FileScope, self._workspace, "files", filters)

    @operation
    def symbols(self, **filters: object) -> SymbolScope:
        """Return the declarations. Imports, comments and expressions come only where a filter names their kind."""
        return _declarations(_begin(SymbolScope, self._workspace, "symbols", filters), filters)

    @operation
    def packages(self, **filters: object) -> PackageScope:
        """Return the packages that manifests name or the code imports."""
        return _begin(PackageScope, self._workspace, "packages", filters)

    @operation
    def symbol(self, name: str) -> SymbolScope:
        """Return the declarations named `Name`, `Parent > Child`, `Parent.Child` or `file > Name`."""
        return _named(self._workspace, name)

    @operation
    def file(self, path: str) -> FileScope:
        """Return the file at a path."""
        path = text_argument("file", path).removeprefix("./")
        return _begin(FileScope, self._workspace, "file", {"path": path})

    @operation
    def commits(self, **filters: object) -> CommitScope:
        """Return the commits, the newest first."""
        return commit_scope(self._workspace, filters)

    @operation
    def commit(self, hash: str) -> CommitScope:
        """Return the commit with a hash, or with the beginning of one."""
        return commit_scope(self._workspace, {"hash": text_argument("commit", hash).lower()})


class ModuleScope(Scope[ModuleRow]):
    """Modules: folders with a manifest."""

    kind: Kind = "module"

    @operation
    def files(self, **filters: object) -> FileScope:
        """Return the files of the modules, without those of modules within them."""
        return self._step(FileScope, "files").begun("files", filters)

    @operation
    def symbols(self, **filters: object) -> SymbolScope:
        """Return the declarations in the modules."""
        found = self._step(SymbolScope, "symbols", along=COMPOSED["module"]["symbols"])
        return _declarations(found.begun("symbols", filters), filters)

    @operation
    def modules(self, depth: int = 1) -> ModuleScope:
        """Return the modules within the modules."""
        return self._step(ModuleScope, "modules", depth)

    @operation
    def packages(self) -> PackageScope:
        """Return the packages that the manifests name."""
        return self._step(PackageScope, "packages")

    @operation
    def dependencies(self) -> ModuleScope:
        """Return the modules whose files are imported; a module that imports its own files is among them."""
        return self._step(ModuleScope, "dependencies", along=COMPOSED["module"]["dependencies"])

    @operation
    def dependants(self) -> ModuleScope:
        """Return the modules whose files import files of these."""
        return self._step(ModuleScope, "dependants", along=COMPOSED["module"]["dependants"])


class FileScope(Scope[FileRow]):
    """Source files."""

    kind: Kind = "file"

    @operation
    def symbols(self, **filters: object) -> SymbolScope:
        """Return the declarations in the files."""
        return _declarations(self._step(SymbolScope, "symbols").begun("symbols", filters), filters)

    @operation
    def imports(self, depth: int = 1) -> FileScope:
        """Return the files that the files import."""
        return self._step(FileScope, "imports", depth)

    @operation
    def importers(self, depth: int = 1) -> FileScope:
        """Return the files that import the files."""
        return self._step(FileScope, "importers", depth)

    @operation
    def dependencies(self, depth: int = 1) -> FileScope:
        """Return the files that the files import, as `imports` does."""
        return self._step(FileScope, "dependencies", depth)

    @operation
    def dependants(self, depth: int = 1) -> FileScope:
        """Return the files that import the files, as `importers` does."""
        return self._step(FileScope, "dependants", depth)

    @operation
    def module(self) -> ModuleScope:
        """Return the modules that the files belong to."""
        return self._step(ModuleScope, "module")

    @operation
    def modules(self) -> ModuleScope:
        """Return the modules that the files belong to, as `module` does."""
        return self._step(ModuleScope, "modules")

    @operation
    def packages(self) -> PackageScope:
        """Return the packages that the files import."""
        return self._step(PackageScope, "packages")

    @operation
    def within_module(self, name: str) -> FileScope:
        """Keep files inside the modules with a name or folder, and inside modules within them."""
        name = text_argument("within_module", name)
        return self._same(Where((Within(name),)), "within_module", (name,))

    @operation
    def changed_since(self, ref: str) -> FileScope:
        """Keep files that differ from a commit, branch or tag, or are not committed."""
        ref = text_argument("changed_since", ref)
        return self._given("changed_since", ref, (ref,))

    @operation
    def hot(self, count: int = 20) -> FileScope:
        """Keep the `count` files with the highest product of commits and lines."""
        return self._given("hot", _hot(count), (count,))

    @operation
    def hubs(self, count: int = 10, by: str = "importers") -> FileScope:
        """Keep the files with the most different files at a step, such as importers or imports; the most first."""
        return self._hubs(by, count)


class SymbolScope(Scope[SymbolRow]):
    """Declarations, and the statements around them."""

    kind: Kind = "symbol"

    @operation
    def callers(self, depth: int = 1) -> SymbolScope:
        """Return what calls the symbols, over 1 to `depth` calls."""
        return self._step(SymbolScope, "callers", depth)

    @operation
    def callees(self, depth: int = 1) -> SymbolScope:
        """Return what the symbols call, over 1 to `depth` calls."""
        return self._step(SymbolScope, "callees", depth)

    @operation
    def dependants(self, depth: int = 1) -> SymbolScope:
        """Return what uses the symbols in any way: calls, references, types, heritage, overrides, frameworks."""
        return self._step(SymbolScope, "dependants", depth)

    @operation
    def dependencies(self, depth: int = 1) -> SymbolScope:
        """Return what the symbols use in any way."""
        return self._step(SymbolScope, "dependencies", depth)

    @operation
    def references(self) -> SymbolScope:
        """Return what the symbols refer to."""
        return self._step(SymbolScope, "references")

    @operation
    def referenced_by(self) -> SymbolScope:
        """Return what refers to the symbols."""
        return self._step(SymbolScope, "referenced_by")

    @operation
    def members(self, depth: int = 1) -> SymbolScope:
        """Return what is declared directly in the symbols."""
        return self._step(SymbolScope, "members", depth)

    @operation
    def parents(self, depth: int = 1) -> SymbolScope:
        """Return the symbols around the symbols."""
        return self._step(SymbolScope, "parents", depth)

    @operation
    def overrides(self, depth: int = 1) -> SymbolScope:
        """Return the members that the symbols override or implement."""
        return self._step(SymbolScope, "overrides", depth)

    @operation
    def overridden_by(self, depth: int = 1) -> SymbolScope:
        """Return the members that override or implement the symbols."""
        return self._step(SymbolScope, "overridden_by", depth)

    @operation
    def base_types(self, depth: int = 1) -> SymbolScope:
        """Return the types of the repository that the symbols extend and implement."""
        return self._step(SymbolScope, "base_types", depth)

    @operation
    def subtypes(self, depth: int = 1) -> SymbolScope:
        """Return the types that extend and implement the symbols."""
        return self._step(SymbolScope, "subtypes", depth)

    @operation
    def types(self) -> SymbolScope:
        """Return the types of parameters, results and fields of the symbols."""
        return self._step(SymbolScope, "types")

    @operation
    def tests(self, depth: int = 1) -> SymbolScope:
        """Return the code of test files that uses the symbols, over 1 to `depth` calls and references."""
        return self._step(SymbolScope, "tests", depth)

    @operation
    def file(self) -> FileScope:
        """Return the files with the symbols."""
        return self._step(FileScope, "file")

    @operation
    def files(self) -> FileScope:
        """Return the files with the symbols, as `file` does."""
        return self._step(FileScope, "files")

    @operation
    def module(self) -> ModuleScope:
        """Return the modules with the symbols."""
        return self._step(ModuleScope, "module", along=COMPOSED["symbol"]["module"])

    @operation
    def modules(self) -> ModuleScope:
        """Return the modules with the symbols, as `module` does."""
        return self._step(ModuleScope, "modules", along=COMPOSED["symbol"]["modules"])

    @operation
    def packages(self) -> PackageScope:
        """Return the packages that the files with the symbols import."""
        return self._step(PackageScope, "packages", along=COMPOSED["symbol"]["packages"])

    @operation
    def extends(self, name: str) -> SymbolScope:
        """Keep types that directly extend a type of a name, inside or outside of the repository."""
        name = text_argument("extends", name)
        return self._same(Where((Heir("EXTENDS", name),)), "extends", (name,))

    @operation
    def implements(self, name: str) -> SymbolScope:
        """Keep types that directly implement a type of a name, inside or outside of the repository."""
        name = text_argument("implements", name)
        return self._same(Where((Heir("IMPLEMENTS", name),)), "implements", (name,))

    @operation
    def within_module(self, name: str) -> SymbolScope:
        """Keep symbols inside the modules with a name or folder, and inside modules within them."""
        name = text_argument("within_module", name)
        return self._same(Where((Within(name),)), "within_module", (name,))

    @operation
    def in_files(self, *paths: str) -> SymbolScope:
        """Keep symbols of some files."""
        return self._same(Where(self._conditions({"path__in": list(paths)})), "in_files", paths)

    @operation
    def changed_since(self, ref: str) -> SymbolScope:
        """Keep symbols of files that differ from a commit, branch or tag, or are not committed."""
        ref = text_argument("changed_since", ref)
        return self._given("changed_since", ref, (ref,))

    @operation
    def hot(self, count: int = 20) -> SymbolScope:
        """Keep symbols of the `count` files with the highest product of commits and lines."""
        return self._given("hot", _hot(count), (count,))

    @operation
    def dead(self) -> SymbolScope:
        """Keep what the check of dead code reports, at most 1,000 declarations."""
        return self._given("dead", "", ())

    @operation
    def untested(self, depth: int = 1) -> SymbolScope:
        """Keep symbols outside of tests that no code of a test file uses over 1 to `depth` calls and references."""
        if not isinstance(depth, int) or isinstance(depth, bool) or not 1 <= depth <= _MOST_UNTESTED:
            raise UsageError(f"`untested` takes a depth from 1 to {_MOST_UNTESTED}, not {depth!r}.")
        return self._same(Where((Untested(depth),)), "untested", (depth,))

    @operation
    def hubs(self, count: int = 10, by: str = "callers") -> SymbolScope:
        """Keep the symbols with the most different symbols at a step, such as callers or dependants; the most first."""
        return self._hubs(by, count)


class PackageScope(Scope[PackageRow]):
    """Packages outside of the repository."""

    kind: Kind = "package"

    @operation
    def files(self) -> FileScope:
        """Return the files that import the packages."""
        return self._step(FileScope, "files")

    @operation
    def importers(self) -> FileScope:
        """Return the files that import the packages, as `files` does."""
        return self._step(FileScope, "importers")

    @operation
    def modules(self) -> ModuleScope:
        """Return the modules whose manifests name the packages."""
        return self._step(ModuleScope, "modules")

    @operation
    def symbols(self, **filters: object) -> SymbolScope:
        """Return the declarations in the files that import the packages."""
        found = self._step(SymbolScope, "symbols", along=COMPOSED["package"]["symbols"])
        return _declarations(found.begun("symbols", filters), filters)


def repo_scope(workspace: Workspace) -> RepoScope:
    """Return the repository of a workspace."""
    return RepoScope(workspace, Plan("repository"), (Written("repo()", 0),))


def _begin(scope: type[AnyScope], workspace: Workspace, name: str, filters: dict[str, object]) -> AnyScope:
    """Return all nodes of a kind that fulfil some filters."""
    made = scope(workspace, Plan(scope.kind), (Written(f"{name}()", 0),))
    return made.begun(name, filters)


def _declarations(scope: SymbolScope, filters: dict[str, object]) -> SymbolScope:
    """Leave out statements, unless a filter names kinds or single symbols."""
    if any(keyword.partition("__")[0] in ("kind", "id") for keyword in filters):
        return scope
    return scope.silently("kind__not_in", _STATEMENTS)


def _named(workspace: Workspace, name: str) -> SymbolScope:
    written = text_argument("symbol", name).strip()
    path = read_symbol_path(f"symbol = {written}")
    if path is None or not path.names:
        raise UsageError(f"`symbol` takes a name, 'Parent > Child' or 'file > Name', not {name!r}.")
    names = tuple(part for each in path.names for part in each.split(".") if part)
    named = Named(path.file or "", names, written)
    plan = Plan("symbol", (Where((named,)),))
    return SymbolScope(workspace, plan, (Written(f"symbol({spelled((name,))})", 1),)).silently("kind__not_in", _STATEMENTS)


def _hot(count: object) -> int:
    if not isinstance(count, int) or isinstance(count, bool) or not 1 <= count <= _MOST_HOT:
        raise UsageError(f"`hot` takes a number of files from 1 to {_MOST_HOT:,}, not {count!r}.")
    return count
