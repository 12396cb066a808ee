"""Compute the answers of the tools of the graph, with a few statements for each answer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from ....graphdb.symbols.symbol_table import symbols_of
from ....retrieval.analyses.finding import find_subject
from ....retrieval.analyses.impact import impact
from ....retrieval.lookup.fuzzy_names import like
from ....schema.errors import UsageError
from ....schema.symbol_kinds import STATEMENTS
from ..scopes.kinds import FileScope, ModuleScope, RepoScope, SymbolScope
from ..scopes.rows import FileRow, ModuleRow, PackageRow, SymbolRow
from ..scopes.running import Nothing, Runner
from ..scopes.scope import Scope
from .records import Entry, GraphAnswer

if TYPE_CHECKING:
    from ...stores.readers import Readers

#: Maximum number of computed entries of a section.
MAX_ENTRIES = 2_000
#: Maximum number of candidates: other declarations of the requested name.
_CANDIDATES = 10


class GraphTools:
    """The tools over one generation."""

    def __init__(self, repo: RepoScope, runner: Runner, readers: Readers) -> None:
        self.repo = repo
        self.runner = runner
        self._readers = readers

    def structure(self) -> GraphAnswer:
        """Return modules, languages and the most important files, with counts."""
        files = self._all(self.repo.files())
        languages: dict[str, int] = {}
        for row in files:
            languages[row.language] = languages.get(row.language, 0) + 1
        counted = sorted(languages.items(), key=lambda each: (-each[1], each[0]))
        modules = [
            Entry(row.name, row.kind, row.path, count=self._count(self.repo.modules(path=row.path).files()))
            for row in self._rows(self.repo.modules())[: _CANDIDATES * 10]
        ]
        important = sorted((row for row in files if not row.is_test), key=lambda row: (-row.importance, row.path))
        return GraphAnswer(
            summary={
                "modules": self._count(self.repo.modules()),
                "files": len(files),
                "lines": sum(row.lines for row in files),
                "symbols": self._count(self.repo.symbols()),
                "testFiles": sum(row.is_test for row in files),
            },
            sections={
                "modules": tuple(modules),
                "languages": tuple(Entry(name, count=count) for name, count in counted),
                "importantFiles": tuple(map(_file, important[:MAX_ENTRIES])),
            },
        )

    def module(self, name: str) -> GraphAnswer:
        """Return a module by its name or folder: files, packages, dependencies and dependants."""
        scope = self._module(name)
        row = self._first(scope)
        if row is None:
            return GraphAnswer(
                nothing=self._nothing(scope, "No module has this name or folder. `query_repo_structure` lists all.")
            )
        files = scope.files().sort("importance", descending=True)
        exported = scope.symbols(exported=True, depth=0).sort("importance", descending=True)
        return GraphAnswer(
            subject=Entry(row.name, row.kind, row.path),
            summary={"files": self._count(scope.files()), "symbols": self._count(scope.symbols())},
            sections={
                "files": self.entries(files),
                "exports": self.entries(exported),
                "dependencies": self.entries(scope.dependencies().exclude(path=row.path)),
                "dependants": self.entries(scope.dependants().exclude(path=row.path)),
                "modules": self.entries(scope.modules()),
                "packages": self.entries(scope.packages()),
            },
        )

    def file(self, path: str) -> GraphAnswer:
        """Return a file: its declarations, imports, importers and packages."""
        scope = self.repo.file(path)
        row = self._first(scope)
        if row is None:
            return GraphAnswer(nothing=self._nothing(scope, f'No file "{path}" is in the index.'))
        return GraphAnswer(
            subject=_file(row),
            summary={"lines": row.lines, "language": row.language, "symbols": self._count(scope.symbols())},
            sections={
                "symbols": self.entries(scope.symbols(depth__lte=1)),
                "imports": self.entries(scope.imports()),
                "importers": self.entries(scope.importers()),
                "packages": self.entries(scope.packages()),
            },
        )

    def symbol(self, name: str, file: str, kind: str) -> GraphAnswer:
        """Return a symbol with its edges of every kind. `candidates` are the other declarations with its name."""
        scope, rows, absent = self._symbol(name, file, kind)
        if absent is not None:
            return absent
        row = rows[0]
        steps: dict[str, SymbolScope] = {
            "callers": scope.callers(),
            "callees": scope.callees(),
            "members": scope.members(),
            "baseTypes": scope.base_types(),
            "subtypes": scope.subtypes(),
            "overrides": scope.overrides(),
            "overriddenBy": scope.overridden_by(),
            "types": scope.types(),
            "tests": scope.tests(),
        }
        sections = {name: self.entries(step) for name, step in steps.items()}
        return GraphAnswer(
            subject=_symbol(row, with_signature=True),
            summary={
                "lines": row.end_line - row.start_line + 1,
                "importance": row.importance,
                "exported": str(row.exported).lower(),
            },
            sections={**sections, "candidates": tuple(map(_symbol, rows[1:]))},
        )

    def connected(self, direction: str, *, symbol: str, file: str, module: str, depth: int) -> GraphAnswer:
        """Return the dependencies or the dependants of a symbol, file or module, with the number of hops."""
        given = [name for name, value in (("symbol", symbol), ("file", file), ("module", module)) if value]
        if not given or (len(given) > 1 and set(given) != {"symbol", "file"}):
            raise UsageError("Name one subject: `symbol` (with `file` if several have its name), `file`, or `module`.")
        rows: Sequence[SymbolRow] = ()
        scope: SymbolScope | FileScope | ModuleScope
        if symbol:
            scope, rows, absent = self._symbol(symbol, file, "")
            if absent is not None:
                return absent
            subject: Entry = _symbol(rows[0])
        else:
            scope = self.repo.file(file) if file else self._module(module)
            first = self._first(scope)
            if first is None:
                return GraphAnswer(nothing=self._nothing(scope, f'Nothing in the index is named "{file or module}".'))
            subject = _entry(first)
        found = self._by_distance(scope, direction, depth)
        sections = {direction: tuple(found), "candidates": tuple(map(_symbol, rows[1:]))}
        if direction == "dependencies" and not isinstance(scope, SymbolScope):
            sections["packages"] = self.entries(scope.packages())
        nothing = None if found else self.runner.nothing(*self._step(scope, direction).described)
        return GraphAnswer(subject=subject, summary={direction: len(found)}, sections=sections, nothing=nothing)

    def search(self, query: str, kind: str, path: str, limit: int) -> GraphAnswer:
        """Return the symbols with names similar to a query, by similarity and then by importance."""
        written = query.strip()
        if not 1 <= len(written) <= 200:
            raise UsageError("`search_symbols` takes a name of 1 to 200 characters.")
        table = symbols_of(self._readers.graph)
        offsets, _, importance = table.ranked()
        refs = table.refs_at(offsets)
        scores = like({ref.name for ref in refs}, written.split(".")[-1].split(">")[-1].strip() or written)
        found = [
            (scores[ref.name], int(weight), ref)
            for ref, weight in zip(refs, importance.tolist(), strict=True)
            if ref.name in scores and ref.kind not in STATEMENTS and (not kind or ref.kind == kind)
            if not path or ref.relative_path == path or ref.relative_path.startswith(f"{path.rstrip('/')}/")
        ]
        found.sort(key=lambda each: (-each[0], -each[1], each[2].relative_path, each[2].start_line))
        shown = [
            Entry(ref.qualified_name, ref.kind, f"{ref.relative_path}:{ref.start_line}", score=round(score, 3))
            for score, _, ref in found[:limit]
        ]
        nothing = None if shown else Nothing("search_symbols", "absent", f'No name is like "{written[:80]}".')
        return GraphAnswer(summary={"matches": len(found)}, sections={"results": tuple(shown)}, nothing=nothing)

    def impact(self, name: str, file: str, depth: int) -> GraphAnswer:
        """Return the symbols that a change of a symbol may affect: dependants with distance, files, tests, and the risk."""
        path = f"{file} > {name}" if file else name
        subject = find_subject(self._readers.graph, path, self._readers.generation.manifest.excluded)
        if not subject.declarations:
            empty = subject.nothing
            candidates = (
                tuple(Entry(each.symbol.qualified_name, each.symbol.kind, each.path) for each in empty.candidates)
                if empty
                else ()
            )
            message = empty.message if empty is not None else f'No symbol is named "{name}".'
            return GraphAnswer(sections={"candidates": candidates}, nothing=Nothing("get_impact_analysis", "absent", message))
        found = impact(self._readers.graph, subject, depth)
        declared = subject.declarations[0]
        dependants = [
            Entry(
                each.symbol.qualified_name,
                each.symbol.kind,
                f"{each.symbol.relative_path}:{each.symbol.start_line}",
                distance=each.distance,
                through=each.through,
            )
            for each in found.dependants
        ]
        nothing = found.nothing
        return GraphAnswer(
            subject=Entry(declared.qualified_name, declared.kind, f"{declared.relative_path}:{declared.start_line}"),
            summary={
                "risk": found.risk,
                "direct": len(found.direct),
                "transitive": len(found.transitive),
                "files": len(found.files),
                "modules": len(found.modules),
                "tests": len(found.tests),
            },
            sections={
                "dependants": tuple(dependants),
                "files": tuple(Entry(file.path, distance=file.distance, count=file.symbols) for file in found.files),
                "tests": tuple(Entry(path, reason="run it after the change") for path in found.tests),
            },
            nothing=None if nothing is None else Nothing("dependants", nothing.kind, nothing.message),
        )

    def files_context(self, paths: Sequence[str]) -> GraphAnswer:
        """Return the context for editing some files: their declarations, used symbols, users, and tests."""
        if not 1 <= len(paths) <= 50:
            raise UsageError(f"`get_context_for_files` takes 1 to 50 paths, not {len(paths)}.")
        scope = self.repo.files(path__in=list(paths))
        rows = self._rows(scope)
        if not rows:
            return GraphAnswer(nothing=self._nothing(scope, "None of these paths is in the index."))
        symbols = scope.symbols()
        own = [row.path for row in rows]
        missing = [path for path in paths if path not in own]
        return GraphAnswer(
            summary={"files": len(rows), "notIndexed": len(missing)},
            sections={
                "files": tuple(map(_file, rows)),
                "declarations": self.entries(
                    scope.symbols(depth__lte=1).sort("importance", descending=True), with_signature=True
                ),
                "uses": self.entries(symbols.callees().exclude(path__in=own), reason="called by these files"),
                "usedBy": self.entries(symbols.callers().exclude(path__in=own), reason="calls these files"),
                "imports": self.entries(scope.imports().exclude(path__in=own)),
                "importers": self.entries(scope.importers().exclude(path__in=own)),
                "tests": self.entries(symbols.tests().file()),
                "notIndexed": tuple(Entry(path) for path in missing),
            },
        )

    def _symbol(self, name: str, file: str, kind: str) -> tuple[SymbolScope, list[SymbolRow], GraphAnswer | None]:
        """Return a scope of the most important declaration of a name, all declarations of the name, and an answer if there are
        none.
        """
        scope = self.repo.symbol(name)
        scope = scope.filter(path=file) if file else scope
        scope = scope.filter(kind=kind) if kind else scope
        rows = self._rows(scope.sort("importance", descending=True).limit(_CANDIDATES))
        if not rows:
            return scope, [], GraphAnswer(nothing=self.runner.nothing(*scope.described))
        return self.repo.symbols(id=rows[0].id), rows, None

    def _module(self, name: str) -> ModuleScope:
        if not name.strip():
            raise UsageError("Name a module: its name in the manifest, or its folder.")
        return self.repo.modules(name=name) | self.repo.modules(path=name.rstrip("/") or ".")

    def _by_distance(self, scope: SymbolScope | FileScope | ModuleScope, direction: str, depth: int) -> list[Entry]:
        found: dict[str, Entry] = {}
        own = {_entry(row) for row in self._rows(scope)}
        for hops in range(1, depth + 1):
            step = self._step(scope, direction, hops)
            rows = self._rows(step.limit(MAX_ENTRIES))
            before = len(found)
            for row in rows:
                entry = _entry(row)
                if entry not in own:
                    found.setdefault(f"{entry.name}\0{entry.at}", msgspec.structs.replace(entry, distance=hops))
            if len(found) == before:
                break
        return list(found.values())

    def _step(self, scope: SymbolScope | FileScope | ModuleScope, direction: str, hops: int = 1) -> Scope[Any]:
        if isinstance(scope, ModuleScope):
            found: Scope[Any] = scope
            for _ in range(hops):
                found = found.dependants() if direction == "dependants" else found.dependencies()  # type: ignore[attr-defined]
            return found
        return scope.dependants(hops) if direction == "dependants" else scope.dependencies(hops)

    def entries(self, scope: Scope[Any], *, with_signature: bool = False, reason: str = "") -> tuple[Entry, ...]:
        """Return the nodes of a scope as entries, all with the same reason."""
        rows = self._rows(scope.limit(MAX_ENTRIES))
        entries = [_symbol(row, with_signature=True) if with_signature else _entry(row) for row in rows]
        return tuple(msgspec.structs.replace(entry, reason=reason) for entry in entries) if reason else tuple(entries)

    def _rows(self, scope: Scope[Any]) -> list[Any]:
        return scope.listed_by(self.runner)

    def _all(self, scope: FileScope) -> list[FileRow]:
        return scope.listed_by(self.runner)

    def _first(self, scope: Scope[Any]) -> Any:
        rows = self._rows(scope.limit(1))
        return rows[0] if rows else None

    def _count(self, scope: Scope[Any]) -> int:
        return self.runner.count(scope.plan)

    def _nothing(self, scope: Scope[Any], message: str) -> Nothing:
        return Nothing(scope.chain, "absent", message)


def _entry(row: SymbolRow | FileRow | ModuleRow | PackageRow) -> Entry:
    if isinstance(row, SymbolRow):
        return _symbol(row)
    if isinstance(row, FileRow):
        return _file(row)
    return Entry(row.name, row.kind, row.path) if isinstance(row, ModuleRow) else Entry(row.name, "package")


def _symbol(row: SymbolRow, *, with_signature: bool = False) -> Entry:
    return Entry(
        row.qualified_name, row.kind, f"{row.path}:{row.start_line}", signature=row.signature[:200] if with_signature else ""
    )


def _file(row: FileRow) -> Entry:
    return Entry(row.path, "test" if row.is_test else "file")
