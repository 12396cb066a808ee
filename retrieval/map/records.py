"""The request and the answer of a map. In JSON, fields are in camelCase, and empty fields are absent."""

from __future__ import annotations

from dataclasses import dataclass

import msgspec

from ...schema.errors import UsageError

#: Kinds of symbols by the value of `kind` in a request.
KINDS: dict[str, tuple[str, ...]] = {
    "all": (),
    "functions": ("function", "component"),
    "classes": ("class",),
    "interfaces": ("interface",),
    "types": ("type", "interface", "enum"),
    "constants": ("const", "variable"),
    "enums": ("enum",),
}
FORMATS = ("tree", "flat")
#: Highest level of detail; the lowest is 0.
MAX_DEPTH = 3
#: Minimum budget in tokens. A smaller map cannot list its omitted entries.
MIN_BUDGET = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class MapRequest:
    """The requested part of the repository, and the level of detail. Raises UsageError for an invalid value."""

    #: A file, a folder or a glob; "" for the whole repository.
    path: str = ""
    #: Level of detail: 0 for files, 1 for exported names, 2 for signatures, 3 for doc comments.
    depth: int = 1
    #: A second file, folder or glob that files must match.
    filter: str = ""
    #: A key of `KINDS`.
    kind: str = "all"
    #: Whether to list the imports of each file.
    include_imports: bool = False
    #: Whether to include the graph of imports among the files.
    include_graph: bool = False
    #: Whether to list circular imports.
    detect_circular: bool = False
    #: Whether to list files that no other file imports.
    find_orphans: bool = False
    #: Whether to count lines and problems.
    include_stats: bool = False
    #: Whether to show signatures, from depth 2 on.
    include_types: bool = True
    #: Whether to show doc comments, from depth 3 on.
    include_jsdoc: bool = True
    #: Format of the map: "tree" or "flat".
    format: str = "tree"
    #: Budget of the answer in tokens.
    budget: int

    def __post_init__(self) -> None:
        if not 0 <= self.depth <= MAX_DEPTH:
            raise UsageError(f"The depth of a map is a number from 0 (files) to {MAX_DEPTH} (doc comments), not {self.depth}.")
        if self.kind not in KINDS:
            raise UsageError(f'There is no kind "{self.kind}"; it is one of {", ".join(KINDS)}.')
        if self.format not in FORMATS:
            raise UsageError(f'A map has the format tree or flat, not "{self.format}".')
        if self.budget < MIN_BUDGET:
            raise UsageError(f"A map needs a budget of at least {MIN_BUDGET} tokens, not {self.budget}.")


class MappedSymbol(msgspec.Struct, frozen=True, rename="camel", omit_defaults=True):
    """A symbol at the root of a file."""

    name: str
    kind: str
    signature: str = ""
    line: int = 0
    is_default: bool = False
    jsdoc: str = ""


class MappedReExport(msgspec.Struct, frozen=True, rename="camel"):
    """A name that a file re-exports."""

    name: str
    declared_in: str = msgspec.field(name="from")


class MappedFile(msgspec.Struct, frozen=True, rename="camel", omit_defaults=True):
    """A file. In a tree, `file` is the name of the file, and in a flat list it is the path."""

    file: str
    exports: tuple[MappedSymbol, ...] = ()
    #: Number of exports that were left out.
    more_exports: int = 0
    #: Symbols at the root of the file that are not exported.
    internal: tuple[MappedSymbol, ...] = ()
    re_exports: tuple[MappedReExport, ...] = ()
    more_re_exports: int = 0
    imports: tuple[str, ...] = ()
    lines: int = 0
    problems: int = 0
    test: bool = False


class MappedFolder(msgspec.Struct, frozen=True, rename="camel", omit_defaults=True):
    """A folder with its shown files; the path of the root is ".". At depth 0, a file is represented by its name."""

    path: str
    files: tuple[MappedFile | str, ...] = ()


class LeftOutFolder(msgspec.Struct, frozen=True, rename="camel"):
    """The number of files in and below a folder that are not shown."""

    path: str
    files: int


class MappedPackage(msgspec.Struct, frozen=True, rename="camel", omit_defaults=True):
    """A package of the workspace."""

    name: str
    path: str
    files: int
    #: Paths of the packages of the workspace that this package imports.
    depends_on: tuple[str, ...] = ()


class ImportCycle(msgspec.Struct, frozen=True, rename="camel"):
    """Files that import each other in a cycle; the first file is repeated at the end."""

    chain: tuple[str, ...]
    #: "warning" for a cycle of loading, else "info".
    severity: str
    #: "load" if the files load each other; "lazy" if an import of the cycle runs later; "type" if the cycle contains a
    #: type-only import, and does not exist at run time.
    kind: str


class GraphModule(msgspec.Struct, frozen=True, rename="camel", omit_defaults=True):
    """A file in the graph of imports. `depth` is its distance from the files that no other file imports."""

    imports: tuple[str, ...] = ()
    more_imports: int = 0
    imported_by: tuple[str, ...] = ()
    more_imported_by: int = 0
    depth: int = 0


class GraphStats(msgspec.Struct, frozen=True, rename="camel"):
    """Counts of the whole graph of imports, including parts that are not shown."""

    total_modules: int
    total_edges: int
    circular_count: int
    orphan_count: int


class ModuleGraph(msgspec.Struct, frozen=True, rename="camel", omit_defaults=True):
    """The graph of imports among files. Parts that were not requested are empty."""

    stats: GraphStats
    modules: dict[str, GraphModule] = {}
    circular: tuple[ImportCycle, ...] = ()
    orphans: tuple[str, ...] = ()


class MapSummary(msgspec.Struct, frozen=True, rename="camel", omit_defaults=True):
    """Counts over all requested files, including files that are not shown."""

    total_files: int
    total_dirs: int
    total_exports: int
    exports_by_kind: dict[str, int] = {}
    #: Number of lines; None without `include_stats`, like the number of problems.
    total_lines: int | None = None
    total_problems: int | None = None


class LeftOut(msgspec.Struct, frozen=True, rename="camel", omit_defaults=True):
    """Counts of omitted entries, and a hint on how to see these entries."""

    hint: str
    files: int = 0
    exports: int = 0
    folders: tuple[LeftOutFolder, ...] = ()
    graph_modules: int = 0
    circular: int = 0
    orphans: int = 0
    packages: int = 0


class CodebaseMap(msgspec.Struct, frozen=True, rename="camel", omit_defaults=True):
    """The map of a repository. `tokens` is the size of its JSON form."""

    project_root: str
    summary: MapSummary
    packages: tuple[MappedPackage, ...] = ()
    structure: tuple[MappedFolder, ...] = ()
    #: The files of a flat list, which replaces `structure`.
    files: tuple[MappedFile | str, ...] = ()
    graph: ModuleGraph | None = None
    left_out: LeftOut | None = None
    tokens: int = 0
