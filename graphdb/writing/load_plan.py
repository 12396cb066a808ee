"""Convert the content of a graph to loads: for each table, columns with the names of the stored properties."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from operator import attrgetter
from typing import Any

import msgspec

from ...schema import ddl
from ...schema.graph_content import GraphContent
from ...schema.records import camel_case

#: Name of the column with the key of the node at which a relationship begins.
START = "from"
#: Name of the column with the key of the node at which a relationship ends.
END = "to"


class Load(msgspec.Struct, frozen=True):
    """Rows for one table. A relationship table that joins several pairs of node tables gets one load per pair."""

    table: ddl.Table
    #: Names of the node tables that the relationships join; empty for nodes.
    ends: tuple[str, str] | tuple[()]
    #: Columns of equal length: one per property, and START and END for relationships.
    columns: dict[str, list[Any]]

    @property
    def rows(self) -> int:
        """The number of rows."""
        return len(next(iter(self.columns.values())))


def copy_statement(table: ddl.Table, ends: tuple[str, ...]) -> str:
    """Return the statement that copies the Arrow table `rows` into a table, for relationships between two node tables."""
    options = " (from='{}', to='{}')".format(*ends) if len(table.connections) > 1 else ""
    return f"COPY {table.name} FROM rows{options}"


def plan_loads(content: GraphContent) -> list[Load]:
    """Return every load with rows, nodes before relationships."""
    loads = [
        *_node_loads(content),
        *_containment(content),
        *_file_edges(content),
        *_call_edges(content),
        *_type_edges(content),
        *_construct_edges(content),
    ]
    return [load for load in loads if load.rows]


def _node_loads(content: GraphContent) -> Iterator[Load]:
    if content.repository_name:
        yield _nodes("Repository", given={"id": ["."], "name": [content.repository_name], "gitHead": [content.git_head]})
    yield _nodes("Module", content.modules)
    yield _nodes(
        "File",
        content.files,
        {
            "problemLines": [[problem.line for problem in file.problems] for file in content.files],
            "problemReasons": [[problem.reason for problem in file.problems] for file in content.files],
            "importance": [0] * len(content.files),
        },
    )
    # Importance depends on the edges, and is set after the edges are written.
    yield _nodes("Symbol", content.symbols, {"importance": [0] * len(content.symbols)})
    yield _nodes("External", content.externals)
    named = [edge.package for edge in content.dependencies]
    yield _nodes("Package", given={"name": _distinct([*named, *(edge.target for edge in content.external_imports)])})
    yield _nodes("DataFile", given={"relativePath": _distinct(edge.target for edge in content.data_imports)})
    specifiers = [edge.specifier for edge in content.unresolved_imports]
    specifiers += [edge.to_id for edge in content.unresolved_mentions]
    yield _nodes("UnresolvedSpecifier", given={"specifier": _distinct(specifiers)})
    unresolved = [edge.name for edge in content.unresolved_calls]
    unresolved += [edge.name for edge in content.unresolved_references]
    unresolved += [edge.name for edge in content.unresolved_data_uses]
    yield _nodes("UnresolvedName", given={"name": _distinct(unresolved)})


def _containment(content: GraphContent) -> Iterator[Load]:
    outer = [module for module in content.modules if module.parent_id is None]
    inner = [module for module in content.modules if module.parent_id is not None]
    yield _contains("Repository", "Module", ["."] * len(outer), [module.id for module in outer])
    yield _contains("Module", "Module", [module.parent_id for module in inner], [module.id for module in inner])
    yield from plan_homes(zip((file.relative_path for file in content.files), content.file_modules, strict=True))
    roots = [symbol for symbol in content.symbols if symbol.parent_id is None]
    nested = [symbol for symbol in content.symbols if symbol.parent_id is not None]
    yield _contains("File", "Symbol", [symbol.relative_path for symbol in roots], [symbol.id for symbol in roots])
    yield _contains("Symbol", "Symbol", [symbol.parent_id for symbol in nested], [symbol.id for symbol in nested])


def plan_homes(homes: Iterable[tuple[str, str | None]]) -> Iterator[Load]:
    """Yield the edges from modules and from the repository to files.

    `homes` has the path of each file, and the id of its module or None.
    """
    pairs = list(homes)
    inside = [(module, path) for path, module in pairs if module is not None]
    outside = [path for path, module in pairs if module is None]
    yield _contains("Repository", "File", ["."] * len(outside), outside)
    yield _contains("Module", "File", [module for module, _ in inside], [path for _, path in inside])


def _file_edges(content: GraphContent) -> Iterator[Load]:
    yield _edges("IMPORTS", content.imports, "from_path", "target")
    yield _edges("IMPORTS", content.data_imports, "from_path", "target", ends=("File", "DataFile"))
    yield _edges("IMPORTS_EXTERNAL", content.external_imports, "from_path", "target")
    yield _edges("IMPORTS_UNRESOLVED", content.unresolved_imports, "from_path", "specifier")
    yield _edges("EXPORTS", content.exports, "from_path", "symbol_id")
    yield _edges("DEPENDS_ON", content.dependencies, "module_id", "package")


def _call_edges(content: GraphContent) -> Iterator[Load]:
    yield _sited("CALLS", content.calls, "to_id")
    yield _sited("CALLS_EXTERNAL", content.external_calls, "external_id")
    yield _sited("CALLS_UNRESOLVED", content.unresolved_calls, "name")
    yield _sited("REFERENCES", content.references, "to_id")
    yield _sited("REFERENCES_UNRESOLVED", content.unresolved_references, "name")
    yield _edges("MENTIONS", content.mentions, ends=("Symbol", "Symbol"))
    yield _edges("MENTIONS", content.file_mentions, ends=("Symbol", "File"))
    yield _edges("MENTIONS", content.unresolved_mentions, ends=("Symbol", "UnresolvedSpecifier"))
    yield _edges("MESSAGE", content.messages)
    yield _edges("NEXT_STEP", content.next_steps)
    yield _edges("SECTION_FIELDS", content.section_fields, end="to_path")


def _type_edges(content: GraphContent) -> Iterator[Load]:
    for table, kind in (("EXTENDS", "extends"), ("IMPLEMENTS", "implements")):
        for end, external in (("Symbol", False), ("External", True)):
            edges = [edge for edge in content.heritage if edge.kind == kind and edge.to_external is external]
            yield _edges(table, edges, ends=("Symbol", end))
    for end, external in (("Symbol", False), ("External", True)):
        yield _edges("OVERRIDES", [edge for edge in content.overrides if edge.to_external is external], ends=("Symbol", end))
    yield _edges("HAS_METHOD", content.methods)
    by_role = defaultdict(list)
    for edge in content.type_flows:
        by_role[edge.role].append(edge)
    for table, role in (("PARAM_TYPE", "param"), ("RETURN_TYPE", "return"), ("FIELD_TYPE", "field")):
        yield _edges(table, by_role[role])


def _construct_edges(content: GraphContent) -> Iterator[Load]:
    """Yield the edges for checks, wirings, uses of data, compiler projects, and constructs such as enum values."""
    yield _edges("CHECKS", content.checks, end="to_path")
    yield _edges("PASSED_IN", content.passings)
    for start, from_file in (("Symbol", False), ("File", True)):
        yield _edges("WIRED", [each for each in content.wirings if each.from_file is from_file], ends=(start, "Symbol"))
    yield _edges("COLUMN_OF", content.columns)
    yield _edges("FOREIGN_KEY", content.foreign_keys)
    yield _edges("INDEXES", content.indexes)
    for table, modifies in (("READS", False), ("MODIFIES", True)):
        yield _sited(table, [each for each in content.data_uses if each.modifies is modifies], "to_id")
    yield _sited("DATA_UNRESOLVED", content.unresolved_data_uses, "name")
    yield _edges("MAPS_TO", content.data_mappings)
    yield _edges("IMPLEMENTED_BY", content.implementations)
    yield _edges("CHANGED_IN", content.schema_events, end="to_path")
    yield _edges("TAKES_FUNCTION", content.functions_taken, end="to_path")
    yield _edges("TYPE_PART", content.alias_parts, end="to_path")
    yield _edges("ENUM_VALUE", content.member_values)
    yield _edges("COMPILER_PROJECT", content.projects)
    yield _edges("PROJECT_FILE", content.project_files, end="to_path")
    yield _edges("AUGMENTS", content.augmentations, end="to_path")
    yield _edges("RUNS", content.load_effects, "from_path")
    yield _edges("UNICODE_NAME", content.unicode_identifiers, "from_path")


def _nodes(name: str, records: Sequence[Any] = (), given: dict[str, list[Any]] | None = None) -> Load:
    table = ddl.tables()[name]
    return Load(table, (), _columns(table, records, given or {}))


def _edges(
    name: str,
    records: Sequence[Any],
    start: str = "from_id",
    end: str = "to_id",
    ends: tuple[str, str] | None = None,
    given: dict[str, list[Any]] | None = None,
) -> Load:
    """Return relationships from records; `start` and `end` are the fields with the keys of their two nodes."""
    table = ddl.tables()[name]
    keys = {START: list(map(attrgetter(start), records)), END: list(map(attrgetter(end), records))}
    return Load(table, ends or table.connections[0], keys | _columns(table, records, given or {}))


def _sited(name: str, records: Sequence[Any], end: str) -> Load:
    return _edges(name, records, end=end, given={"count": [len(record.lines) for record in records]})


def _contains(start: str, end: str, parents: list[Any], children: list[Any]) -> Load:
    seen: Counter[Any] = Counter()
    positions = []
    for parent in parents:
        positions.append(seen[parent])
        seen[parent] += 1
    return Load(ddl.tables()["CONTAINS"], (start, end), {START: parents, END: children, "position": positions})


def _columns(table: ddl.Table, records: Sequence[Any], given: dict[str, list[Any]]) -> dict[str, list[Any]]:
    """Return the table's properties as columns: the given columns, and for all other properties the fields of the records."""
    fields = {camel_case(field): field for field in (records[0].__struct_fields__ if records else ())}
    return {
        prop.name: given[prop.name] if prop.name in given else [*map(attrgetter(fields[prop.name]), records)] if records else []
        for prop in table.properties
    }


def _distinct(names: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(names))
