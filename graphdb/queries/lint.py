"""Queries for the checks: declarations that nothing uses, and functions by size."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence, Set
from typing import Any, NamedTuple

import msgspec

from ...schema.records import SymbolRef
from ..database import GraphDatabase, shared
from ..symbols.id_batches import rows_for_ids
from ..symbols.symbol_table import symbols_of


class UnusedDeclaration(msgspec.Struct, frozen=True, gc=False):
    """A top-level declaration without uses; see `unused_declarations`."""

    id: str
    name: str
    kind: str
    path: str
    line: int
    exported: bool
    #: Whether the doc comment of the declaration has `@public` or `@beta`, which marks an intended export.
    is_public: bool
    #: Whether other code of the same file uses the declaration.
    used_within: bool
    #: Names of exported values of the same file whose signatures contain the declaration.
    part_of: tuple[str, ...]
    #: Paths of the files that export or re-export the declaration, each with the exported name.
    offered_as: tuple[tuple[str, str], ...]
    #: First and last line of the declaration, including its doc comment.
    lines: tuple[int, int]


class PassedName(msgspec.Struct, frozen=True, gc=False):
    """A name that a file re-exports by `export { name } from`, or by an import and an export."""

    path: str
    name: str
    line: int


class WholeImport(msgspec.Struct, frozen=True, gc=False):
    """An import of a whole file by another file."""

    importer: str
    #: "namespace", "dynamic" or "require".
    form: str
    #: The import specifiers, as they are written after `from`.
    specifiers: tuple[str, ...]


#: Forms of imports that occur in scripts: `/// <reference path="…" />`, `import()` and types such as `import('./a').A`.
_FORMS_IN_SCRIPTS = ("reference", "dynamic", "importType")

#: `app.use = function use() {}` adds a member to an object, and uses of this member may have no edge. `run = () => {}` assigns
#: to a variable, which has its own symbol.
_IS_ASSIGNED = """
    (regexp_matches(s.signature, '^[^={}]*=([^=>]|$)') AND NOT regexp_matches(s.signature,
        '^(export|declare|const|let|var|using|await|async|function|abstract|class|type|interface|enum|namespace|module) '))"""
#: A declaration file may declare symbols for all files, and may extend the declarations of the runtime.
_DECLARED_FOR_ALL = "regexp_matches(s.relativePath, '[.]d[.][cm]?ts$')"
#: The runtime of a worker calls functions of these names.
_CALLED_BY_WORKERS = (
    "['onmessage', 'onmessageerror', 'onconnect', 'onfetch', 'oninstall', 'onactivate', 'onpush', 'onerror', 'onsync']"
)
#: `declare module "x"` describes or extends a module, and no code names it.
_IS_AMBIENT_MODULE = "(s.kind = 'namespace' AND regexp_matches(s.signature, 'module *[^a-zA-Z0-9_$ {]'))"
_AT_THE_TOP = f"""
    s.depth = 0 AND NOT {_IS_AMBIENT_MODULE} AND NOT s.name IN ['global', 'require']
    AND (s.exported OR NOT s.name IN {_CALLED_BY_WORKERS})
    AND (s.exported OR NOT ({_IS_ASSIGNED} OR {_DECLARED_FOR_ALL}))
    AND s.kind IN ['function', 'component', 'class', 'const', 'variable', 'interface', 'type', 'enum', 'namespace']"""
_MADE_OF_TYPES = frozenset(("interface", "type", "class", "property"))
_MEMBERS = frozenset(("method", "constructor", "getter", "setter", "property"))
#: Roles of references that only re-export a name.
_PASSING = "['export']"
_IS_PUBLIC = "(contains(s.doc, '@public') OR contains(s.doc, '@beta'))"
_COLUMNS = f"s.id, s.name, s.kind, s.relativePath, s.nameLine, s.exported, {_IS_PUBLIC}, s.startLine, s.endLine"
_UNUSED = f"""
    MATCH (s:Symbol) WHERE {_AT_THE_TOP} AND NOT EXISTS {{
        MATCH (s)<-[r:REFERENCES]-(o:Symbol)
        WHERE NOT r.role IN {_PASSING} AND o.id <> s.id AND (NOT s.exported OR o.relativePath <> s.relativePath)
    }}
    RETURN {_COLUMNS}"""
_UNUSED_IN_PATTERNS = f"""
    MATCH (f:File)-[:EXPORTS]->(s:Symbol)
    WHERE s.depth = 1 AND s.relativePath = f.relativePath AND s.kind IN ['const', 'variable'] AND NOT EXISTS {{
        MATCH (s)<-[r:REFERENCES]-(o:Symbol)
        WHERE NOT r.role IN {_PASSING} AND (NOT s.exported OR o.relativePath <> s.relativePath)
    }}
    RETURN DISTINCT {_COLUMNS}"""
#: Kinds of declarations with signatures. A user of such a declaration may have to name the types in its signature.
_VALUES = "['function', 'component', 'class', 'const', 'variable']"


@shared
def unused_declarations(database: GraphDatabase) -> list[UnusedDeclaration]:
    """Return top-level declarations that nothing uses, by file and line.

    An unexported declaration is unused if no other code in its file uses it. An exported declaration is unused if no other file
    uses it.
    """
    # The names of a destructuring pattern have separate uses.
    found = [*database.rows(_UNUSED), *database.rows(_UNUSED_IN_PATTERNS)]
    rows = [row for row in found if row[1].isidentifier() or "$" in row[1]]
    exported = [row[0] for row in rows if row[5]]
    return _declarations(rows, _uses_within(database, exported), _offers(database, exported))


def _declarations(
    rows: Iterable[tuple[Any, ...]], uses: Mapping[str, Set[str]], offers: Mapping[str, Sequence[tuple[str, str]]]
) -> list[UnusedDeclaration]:
    """Return declarations from rows of `_COLUMNS`, by file and line; `uses` are the result of `_uses_within`."""
    made = [
        UnusedDeclaration(
            id,
            name,
            kind,
            path,
            line,
            exported,
            public,
            id in uses,
            tuple(sorted(uses.get(id, ()))),
            tuple(offers.get(id, ())),
            (first, last),
        )
        for id, name, kind, path, line, exported, public, first, last in rows
    ]
    return sorted(made, key=lambda declaration: (declaration.path, declaration.line, declaration.name))


def _offers(database: GraphDatabase, ids: Iterable[str]) -> dict[str, list[tuple[str, str]]]:
    """Map ids of symbols to the files that export or re-export them, with the exported names."""
    found: dict[str, list[tuple[str, str]]] = {}
    statement = "MATCH (s:Symbol)<-[e:EXPORTS]-(f:File) WHERE s.id IN $ids RETURN DISTINCT s.id, f.relativePath, e.name"
    for symbol, path, name in rows_for_ids(database, statement, ids):
        found.setdefault(symbol, []).append((path, name))
    return found


def _uses_within(database: GraphDatabase, ids: Iterable[str]) -> dict[str, set[str]]:
    """Return the exported symbols that other code of their file uses, by id.

    The values are names of exported values whose signatures contain the symbol; types in bodies and nested functions do not
    count.
    """
    statement = f"""
        MATCH (s:Symbol)<-[r:REFERENCES|PARAM_TYPE|RETURN_TYPE|FIELD_TYPE]-(o:Symbol)
        WHERE s.id IN $ids AND o.id <> s.id AND o.relativePath = s.relativePath AND (r.role IS NULL OR NOT r.role IN {_PASSING})
        RETURN DISTINCT s.id, s.name, s.relativePath, label(r), r.role, o.kind, o.depth, o.signature,
            split_part(o.qualifiedName, '.', 1)"""
    values = {
        (path, name)
        for path, name in database.rows(
            f"MATCH (s:Symbol) WHERE s.depth = 0 AND s.exported AND s.kind IN {_VALUES} RETURN s.relativePath, s.name"
        )
    }
    found: dict[str, set[str]] = {}
    for symbol, used, path, label, role, kind, depth, signature, name in rows_for_ids(database, statement, ids):
        outside = depth == 0 or (depth == 1 and kind in _MEMBERS)
        written = kind in _MADE_OF_TYPES or re.search(rf"\b{re.escape(used)}\b", signature) is not None
        shows = outside and (label != "REFERENCES" or (role in ("type", "heritage") and written)) and (path, name) in values
        found.setdefault(symbol, set()).update((name,) if shows else ())
    return found


@shared
def passed_names(database: GraphDatabase) -> list[PassedName]:
    """Return re-exported names that no other file imports from the re-exporting file, by file and line."""
    statements: dict[str, list[_Bringing]] = {}
    imported: dict[str, set[str]] = {}
    query = "MATCH (f:File)-[r:IMPORTS]->(t:File) RETURN f.relativePath, t.relativePath, r.names, r.form, r.line"
    for path, target, names, form, line in database.rows(query):
        statements.setdefault(path, []).append(_Bringing(target, names, form, line))
        whole = form in ("dynamic", "require") or "*" in names
        imported.setdefault(target, set()).update(("*",) if whole else names)
    offers = """
        MATCH (f:File)-[e:EXPORTS]->(s:Symbol) WHERE s.relativePath <> f.relativePath
        RETURN DISTINCT f.relativePath, e.name, s.name, s.relativePath"""
    found = {
        PassedName(path, name, line)
        for path, name, declared, source in database.rows(offers)
        if not {name, "*"} & imported.get(path, set())
        and (line := _passing_line(statements.get(path, ()), name, declared, source)) is not None
    }
    return sorted(found, key=lambda each: (each.path, each.line, each.name))


class _Bringing(NamedTuple):
    """A statement that imports or re-exports names of another file."""

    target: str
    names: Sequence[str]
    form: str
    line: int


def _passing_line(statements: Sequence[_Bringing], name: str, declared: str, source: str) -> int | None:
    """Return the line of the statement that re-exports, or else imports, an exported name; None if only an `export *` passes the
    name on.
    """
    passes_all = any(each.form == "export" and "*" in each.names for each in statements)
    found = [
        (rank, each.form != "export", each.line)
        for each in statements
        if each.form == "export" or not passes_all
        for rank, brought in enumerate((name, declared, "default"))
        if brought in each.names and (rank == 0 or each.target == source)
    ]
    return min(found)[2] if found else None


@shared
def whole_exports(database: GraphDatabase) -> dict[str, list[str]]:
    """Map paths to the files that they export as a whole, by `export *` or `export * as name`."""
    found: dict[str, list[str]] = {}
    statement = """
        MATCH (f:File)-[r:IMPORTS]->(t:File) WHERE r.form = 'export' AND list_contains(r.names, '*')
        RETURN f.relativePath, t.relativePath"""
    for path, target in database.rows(statement):
        found.setdefault(path, []).append(target)
    return found


def used_only_by(database: GraphDatabase, paths: Collection[str]) -> list[UnusedDeclaration]:
    """Return the exported declarations that only their own file and the files `paths` use, outside of `paths`, by file and
    line.
    """
    statement = f"""
        MATCH (o:Symbol)-[r:REFERENCES]->(s:Symbol) WHERE o.relativePath IN $ids AND s.exported AND {_AT_THE_TOP}
            AND NOT r.role IN {_PASSING}
        RETURN DISTINCT {_COLUMNS}"""
    rows = {row[0]: row for row in rows_for_ids(database, statement, paths) if row[3] not in paths}
    users = f"""
        MATCH (s:Symbol)<-[r:REFERENCES]-(o:Symbol) WHERE s.id IN $ids AND o.relativePath <> s.relativePath
            AND NOT r.role IN {_PASSING}
        RETURN DISTINCT s.id, o.relativePath"""
    used = {symbol for symbol, path in rows_for_ids(database, users, rows) if path not in paths}
    left = [row for symbol, row in rows.items() if symbol not in used]
    return _declarations(left, {}, _offers(database, rows.keys() - used))


@shared
def whole_imports(database: GraphDatabase) -> dict[str, list[WholeImport]]:
    """Map paths to the imports of the whole file. Such an import may use exports without naming them."""
    rows = database.rows(
        """
        MATCH (o:File)-[r:IMPORTS]->(f:File)
        WHERE list_contains(r.names, '*') AND r.form <> 'export' OR r.form IN ['dynamic', 'require']
        RETURN f.relativePath, o.relativePath, r.form, r.specifier"""
    )
    specifiers: dict[tuple[str, str, str], set[str]] = {}
    for path, importer, form, specifier in rows:
        named = form if form in ("dynamic", "require") else "namespace"
        specifiers.setdefault((path, importer, named), set()).add(specifier)
    found: dict[str, list[WholeImport]] = {}
    for (path, importer, form), written in sorted(specifiers.items()):
        found.setdefault(path, []).append(WholeImport(importer, form, tuple(sorted(written))))
    return found


@shared
def imports_for_effects(database: GraphDatabase) -> dict[str, str]:
    """Map paths to the first file that imports the whole file without a name, as `import './subscribers'` does."""
    statement = """
        MATCH (o:File)-[r:IMPORTS]->(f:File) WHERE r.form = 'import' AND size(r.names) = 0
        RETURN f.relativePath, min(o.relativePath)"""
    return dict(database.rows(statement))


@shared
def written_imports(database: GraphDatabase) -> list[tuple[str, str]]:
    """Return pairs of a path and a relative import specifier that ends in .js but resolves to a TypeScript file."""
    statement = r"""
        MATCH (f:File)-[r:IMPORTS]->(t:File)
        WHERE starts_with(r.specifier, '.') AND regexp_matches(r.specifier, '[.][cm]?jsx?$')
            AND NOT regexp_matches(t.relativePath, '[.][cm]?jsx?$')
        RETURN DISTINCT f.relativePath, r.specifier"""
    return [(path, specifier) for path, specifier in database.rows(statement)]


@shared
def known_specifiers(database: GraphDatabase) -> dict[str, set[str]]:
    """Map paths to the import specifiers whose target is known: a file, or a package of the runtime or of some manifest."""
    declared = {name for (name,) in database.rows("MATCH (:Module)-[:DEPENDS_ON]->(p:Package) RETURN DISTINCT p.name")}
    found: dict[str, set[str]] = {}
    for target in ("File", "DataFile"):
        statement = f"MATCH (f:File)-[r:IMPORTS]->(:{target}) RETURN DISTINCT f.relativePath, r.specifier"
        for path, specifier in database.rows(statement):
            found.setdefault(path, set()).add(specifier)
    statement = "MATCH (f:File)-[r:IMPORTS_EXTERNAL]->(p:Package) RETURN DISTINCT f.relativePath, r.specifier, p.name"
    for path, specifier, package in database.rows(statement):
        if package in declared or package.startswith(("node:", "python:")) or f"@types/{package}" in declared:
            found.setdefault(path, set()).add(specifier)
    return found


@shared
def script_uses(database: GraphDatabase) -> list[tuple[str, str]]:
    """Return pairs of paths where the first file uses a global of the second file.

    The second file is a script: it has no imports and exports, so its declarations are global.
    """
    scripts = scripts_of(database)
    statement = """
        MATCH (o:Symbol)-[:REFERENCES]->(s:Symbol) WHERE s.relativePath IN $ids AND o.relativePath <> s.relativePath
        RETURN DISTINCT o.relativePath, s.relativePath"""
    return [(user, path) for user, path in rows_for_ids(database, statement, scripts)]


def _importing(database: GraphDatabase, except_forms: Sequence[str]) -> set[str]:
    """Return the paths of the files that import something in another form than the given ones."""
    statement = """
        MATCH (f:File)-[i:IMPORTS|IMPORTS_EXTERNAL|IMPORTS_UNRESOLVED]->() WHERE NOT i.form IN $forms
        RETURN DISTINCT f.relativePath"""
    return {path for (path,) in database.rows(statement, {"forms": list(except_forms)})}


@shared
def scripts_of(database: GraphDatabase) -> frozenset[str]:
    """Return the paths of the files that are scripts: they have no exports, and no imports that make a file a module.

    References to paths (`/// <reference path="…" />`), `import()` and types such as `import('./a').A` occur in scripts as well.
    """
    modules = {path for (path,) in database.rows("MATCH (f:File)-[:EXPORTS]->() RETURN DISTINCT f.relativePath")}
    modules |= _importing(database, _FORMS_IN_SCRIPTS)
    return frozenset(path for (path,) in database.rows("MATCH (f:File) RETURN f.relativePath") if path not in modules)


@shared
def offering_nothing(database: GraphDatabase) -> frozenset[str]:
    """Return the paths of files that may run as scripts. Such files export nothing, no file imports them, and they import only by
    `require`, which a bundler replaces.
    """
    modules = _importing(database, (*_FORMS_IN_SCRIPTS, "require"))
    modules |= {path for (path,) in database.rows("MATCH (f:File)-[:EXPORTS]->() RETURN DISTINCT f.relativePath")}
    imported = "MATCH (:File)-[r:IMPORTS]->(f:File) WHERE r.form <> 'reference' RETURN DISTINCT f.relativePath"
    modules |= {path for (path,) in database.rows(imported)}
    return frozenset(path for (path,) in database.rows("MATCH (f:File) RETURN f.relativePath") if path not in modules)


@shared
def augmenting_files(database: GraphDatabase) -> list[str]:
    """Return the files with a block `declare global` or `declare module "x"`, which the compiler reads without imports."""
    statement = """
        MATCH (s:Symbol) WHERE s.kind = 'namespace' AND s.depth = 0 AND (s.signature STARTS WITH 'declare global'
        OR s.signature STARTS WITH 'module "' OR s.signature STARTS WITH "module '"
        OR s.signature STARTS WITH 'declare module "' OR s.signature STARTS WITH "declare module '")
        RETURN DISTINCT s.relativePath"""
    return sorted(row[0] for row in database.rows(statement))


@shared
def declared_for_all(database: GraphDatabase) -> dict[str, set[str]]:
    """Map scripts to the names that they declare for all files."""
    found: dict[str, set[str]] = {}
    statement = f"MATCH (s:Symbol) WHERE s.relativePath IN $ids AND {_AT_THE_TOP} RETURN s.relativePath, s.name"
    for path, name in rows_for_ids(database, statement, scripts_of(database)):
        found.setdefault(path, set()).add(name)
    return found


@shared
def export_names(database: GraphDatabase) -> dict[str, set[str]]:
    """Map paths to the names that they export."""
    found: dict[str, set[str]] = {}
    for path, name in database.rows("MATCH (f:File)-[e:EXPORTS]->(:Symbol) RETURN DISTINCT f.relativePath, e.name"):
        found.setdefault(path, set()).add(name)
    return found


@shared
def unresolved_names(database: GraphDatabase) -> set[str]:
    """Return the names that are called somewhere without a known declaration."""
    return {name for (name,) in database.rows("MATCH (n:UnresolvedName)<-[:CALLS_UNRESOLVED]-(:Symbol) RETURN DISTINCT n.name")}


def functions(database: GraphDatabase, kinds: Sequence[str], lines: int) -> list[SymbolRef]:
    """Return declarations of some kinds with at least `lines` lines, by file and line."""
    statement = "MATCH (s:Symbol) WHERE s.kind IN $kinds AND s.endLine - s.startLine + 1 >= $lines RETURN offset(id(s))"
    rows = database.rows(statement, {"kinds": list(kinds), "lines": lines})
    found = symbols_of(database).refs_at([offset for (offset,) in rows])
    return sorted(found, key=lambda symbol: (symbol.relative_path, symbol.start_line, -symbol.end_line))
