"""Find the aliases of a symbol: its names in import and export statements, with the chains of renames."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from ...graphdb.database import GraphDatabase
from ...graphdb.queries.aliases import LocalName, import_statements, passing_statements, whole_module_imports
from ...graphdb.queries.export_surface import offers_of
from ...graphdb.queries.files import imports_of
from ...schema.languages import is_partly_resolved_path
from .alias_statements import NamedItem, NameStatement, read_python_statements, read_statement
from .subject import Analysis, EmptyReason, FileSubject, Subject, counted, none_of

AliasKind = Literal["import", "export", "defaultImport", "defaultExport", "namespaceImport", "namespaceExport", "importEquals"]


@dataclass(frozen=True, slots=True)
class Alias:
    """A name other than the symbol's own, and the statement that introduces it."""

    name: str
    kind: AliasKind
    #: The name before `as` in the statement, which the alias replaces.
    original: str
    path: str
    line: int
    type_only: bool
    #: Names from the symbol's own name to this alias, without consecutive repeats: ("Widget", "Component", "Element").
    chain: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Aliases(Analysis):
    """The other names of a symbol, by path and line. The subject is the symbol, even if the request uses an alias."""

    subject: Subject
    aliases: tuple[Alias, ...] = ()

    @property
    def canonical(self) -> str:
        """The name in the declaration of the symbol."""
        return self.subject.name

    @property
    def names(self) -> tuple[str, ...]:
        """The distinct other names, in alphabetical order."""
        return tuple(sorted({alias.name for alias in self.aliases}))

    @property
    def title(self) -> str:
        return f"{self.subject.label} has {counted(len(self.names), 'other name')}"

    def lines(self) -> list[str]:
        return [_line(alias) for alias in self.aliases]


@dataclass(frozen=True, slots=True, kw_only=True)
class ModuleAliases(Analysis):
    """The names under which other files import or export a file as a whole: `import * as name`, `export * as name`."""

    subject: FileSubject
    aliases: tuple[Alias, ...] = ()

    @property
    def title(self) -> str:
        return f"{self.subject.label} is known as {', '.join(sorted({alias.name for alias in self.aliases}))}"

    def lines(self) -> list[str]:
        return [_line(alias) for alias in self.aliases]


def aliases(graph: GraphDatabase, subject: Subject) -> Aliases:
    """Return all names under which a symbol is imported or exported, except its own name."""
    if subject.nothing is not None:
        return Aliases(subject=subject, nothing=subject.nothing)
    names = _Names(graph, subject)
    found = sorted(set(names.renames()) | set(names.namespaces()), key=lambda alias: (alias.path, alias.line, alias.name))
    empty = none_of(subject, "Every file that imports or exports it uses its own name.")
    return Aliases(subject=subject, aliases=tuple(found), nothing=None if found else empty)


def file_aliases(graph: GraphDatabase, subject: FileSubject) -> ModuleAliases:
    """Return the names under which other files import a file as a whole."""
    if subject.nothing is not None:
        return ModuleAliases(subject=subject, nothing=subject.nothing)
    wholes = whole_module_imports(graph, subject.paths)
    written = _Written(graph, {found.from_path for found in wholes})
    found = []
    for whole in wholes:
        for line, statement, item in written.items(whole.from_path):
            if statement.specifier == whole.specifier and item.original == "*" and item.local != "*":
                kind: AliasKind = "namespaceImport" if statement.form == "import" else "namespaceExport"
                found.append(Alias(item.local, kind, "*", whole.from_path, line, item.type_only, (subject.label, item.local)))
    found.sort(key=lambda alias: (alias.path, alias.line))
    empty = EmptyReason("none", "No file imports or exports it as a whole under a name.")
    return ModuleAliases(subject=subject, aliases=tuple(dict.fromkeys(found)), nothing=None if found else empty)


class _Written:
    """The import and export statements of some files."""

    def __init__(self, graph: GraphDatabase, paths: set[str]) -> None:
        self._by_path: dict[str, list[tuple[int, NameStatement]]] = {}
        found: Sequence[LocalName] = import_statements(graph, sorted(paths))
        for at in found:
            for statement in _statements(at):
                self._by_path.setdefault(at.path, []).append((at.start_line, statement))

    def items(self, path: str) -> Iterator[tuple[int, NameStatement, NamedItem]]:
        """Yield line, statement and item for each name that the statements of a file import or export."""
        for line, statement in self._by_path.get(path, ()):
            for item in statement.items:
                yield line, statement, item


def _statements(at: LocalName) -> list[NameStatement]:
    if is_partly_resolved_path(at.path):
        return read_python_statements(at.text)
    statement = read_statement(at.text)
    return [statement] if statement is not None else []


class _Names:
    """The names of one symbol in all files."""

    def __init__(self, graph: GraphDatabase, subject: Subject) -> None:
        main = subject.declarations[0]
        self._name, self._home, self._line = main.name, main.relative_path, main.declaration_line
        self._passing = passing_statements(graph, subject.ids)
        self._offers = {(offer.path, offer.name) for offer in offers_of(graph, subject.ids)}
        offering = {path for path, _ in self._offers}
        self._wholes = whole_module_imports(graph, offering)
        paths = {at.path for at in self._passing} | offering | {whole.from_path for whole in self._wholes}
        self._written = _Written(graph, paths)
        self._targets: dict[tuple[str, str], list[str]] = {}
        for found in imports_of(graph, sorted(paths)):
            self._targets.setdefault((found.from_path, found.specifier), []).append(found.to_path)

    def renames(self) -> Iterator[Alias]:
        """Yield the aliases in statements that name the symbol."""
        places = {(at.path, at.start_line): at.lines[0] for at in self._passing}
        for path, start in places:
            wanted = [at for at in self._passing if (at.path, at.start_line) == (path, start)]
            imported = {name for at in wanted for name in at.names or (self._name,)}
            for line, statement, item in self._written.items(path):
                if line != start or item.original == item.local or item.original == "*":
                    continue
                if item.local in imported or item.original.rpartition(".")[2] in imported:
                    at = next((one for one in wanted if item.local in one.names), wanted[0])
                    yield self._alias(path, at.lines[0], statement, item)
        if (self._home, "default") in self._offers:
            yield self._default_export(places)

    def _default_export(self, places: dict[tuple[str, int], int]) -> Alias:
        line = next((line for (path, _), line in places.items() if path == self._home), self._line)
        return Alias("default", "defaultExport", self._name, self._home, line, type_only=False, chain=(self._name, "default"))

    def namespaces(self) -> Iterator[Alias]:
        """Yield `module.name` for each file that imports, as a whole, a module that exports the symbol."""
        for whole in self._wholes:
            for line, statement, item in self._written.items(whole.from_path):
                if statement.specifier != whole.specifier or item.original != "*" or item.local == "*":
                    continue
                kind: AliasKind = "namespaceImport" if statement.form == "import" else "namespaceExport"
                for path, name in sorted(self._offers):
                    if path == whole.to_path:
                        chain = (*self._chain(path, name, frozenset()), f"{item.local}.{name}")
                        yield Alias(f"{item.local}.{name}", kind, name, whole.from_path, line, item.type_only, chain)

    def _alias(self, path: str, line: int, statement: NameStatement, item: NamedItem) -> Alias:
        chain = self._names_before(path, statement, item, frozenset())
        return Alias(item.local, _kind(statement, item), item.original, path, line, item.type_only, _joined(chain, item.local))

    def _names_before(
        self, path: str, statement: NameStatement, item: NamedItem, seen: frozenset[tuple[str, str]]
    ) -> tuple[str, ...]:
        """Return the chain of names that ends with the name that an item of a statement imports."""
        if statement.form == "equals":
            return (self._name,)
        if statement.specifier is None:
            return self._local(path, item.original, seen)
        for target in self._targets.get((path, statement.specifier), ()):
            if (target, item.original) in self._offers:
                return self._chain(target, item.original, seen)
        return _joined((self._name,), item.original)

    def _chain(self, path: str, name: str, seen: frozenset[tuple[str, str]]) -> tuple[str, ...]:
        """Return the chain of names that ends with the name under which a file exports the symbol."""
        if (path, name) in seen:
            return (self._name,)
        seen |= {(path, name)}
        for _, statement, item in self._written.items(path):
            if statement.form == "export" and item.local == name and item.original != "*":
                return _joined(self._names_before(path, statement, item, seen), name)
        if path == self._home:
            return _joined((self._name,), name)
        for (source, _), targets in self._targets.items():
            for target in targets:
                if source == path and (target, name) in self._offers:
                    return self._chain(target, name, seen)
        return _joined((self._name,), name)

    def _local(self, path: str, name: str, seen: frozenset[tuple[str, str]]) -> tuple[str, ...]:
        """Return the chain of names that ends with the name of the symbol in a file."""
        for _, statement, item in self._written.items(path):
            if statement.form == "import" and item.local == name:
                return _joined(self._names_before(path, statement, item, seen), name)
        return _joined((self._name,), name)


def _joined(chain: tuple[str, ...], name: str) -> tuple[str, ...]:
    return chain if chain[-1] == name else (*chain, name)


def _kind(statement: NameStatement, item: NamedItem) -> AliasKind:
    if statement.form == "equals":
        return "importEquals"
    if statement.form == "export":
        return "export"
    return "defaultImport" if item.original == "default" else "import"


def _line(alias: Alias) -> str:
    only = " (type only)" if alias.type_only else ""
    return f"  {alias.name}   {alias.path}:{alias.line}   {alias.kind}{only}: {' → '.join(alias.chain)}"
