"""The request and the answer of a map. As JSON, fields are in camelCase, and empty ones are absent."""

from __future__ import annotations

from dataclasses import dataclass

import msgspec

from ...schema.errors import UsageError

#: Kinds of symbols by the name that a request gives them.
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
#: Levels of detail, from 0.
MAX_DEPTH = 3
#: Tokens below which a map has no room to say what it leaves out.
MIN_BUDGET = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class MapRequest:
    """Which part of the repository, and in how much detail. Raises UsageError for a value that a field cannot hold."""

    #: File, folder or glob; "" for everything.
    path: str = ""
    #: 0 files, 1 exported names, 2 with signatures, 3 with doc comments.
    depth: int = 1
    #: A glob that files must match as well.
    filter: str = ""
    #: A key of `KINDS`.
    kind: str = "all"
    #: Imports of each file.
    include_imports: bool = False
    #: The graph of imports among the files.
    include_graph: bool = False
    #: Circular imports.
    detect_circular: bool = False
    #: Files that nothing imports.
    find_orphans: bool = False
    #: Counts of lines and problems.
    include_stats: bool = False
    #: Signatures, from depth 2 on.
    include_types: bool = True
    #: Doc comments, from depth 3 on.
    include_jsdoc: bool = True
    #: "tree" or "flat".
    format: str = "tree"
    #: Tokens of the answer.
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
    """A name at the top of a file."""

    name: str
    kind: str
    signature: str = ""
    line: int = 0
    is_default: bool = False
    jsdoc: str = ""


class MappedReExport(msgspec.Struct, frozen=True, rename="camel"):
    """A name that a file passes on."""

    name: str
    declared_in: str = msgspec.field(name="from")


class MappedFile(msgspec.Struct, frozen=True, rename="camel", omit_defaults=True):
    """A file. In a tree, `file` is its name; in a flat list its path."""

    file: str
    exports: tuple[MappedSymbol, ...] = ()
    #: Exports that were left out.
    more_exports: int = 0
    #: Declared at the top and not exported.
    internal: tuple[MappedSymbol, ...] = ()
    re_exports: tuple[MappedReExport, ...] = ()
    more_re_exports: int = 0
    imports: tuple[str, ...] = ()
    lines: int = 0
    problems: int = 0
    test: bool = False


class MappedFolder(msgspec.Struct, frozen=True, rename="camel", omit_defaults=True):
    """A folder with its shown files; "." is the root. At depth 0 a file is its name."""

    path: str
    files: tuple[MappedFile | str, ...] = ()


class LeftOutFolder(msgspec.Struct, frozen=True, rename="camel"):
    """Files in and below a folder that are not shown."""

    path: str
    files: int


class MappedPackage(msgspec.Struct, frozen=True, rename="camel", omit_defaults=True):
    """A package of the workspace."""

    name: str
    path: str
    files: int
    #: Paths of the packages of the workspace that it imports from.
    depends_on: tuple[str, ...] = ()


class ImportCycle(msgspec.Struct, frozen=True, rename="camel"):
    """Files that import each other in a cycle; the first file is repeated at the end."""

    chain: tuple[str, ...]
    #: "warning" for a circle of loading, else "info".
    severity: str
    #: "load" if the files load each other; "lazy" if an import that runs later closes the circle; "type" if an import of types
    #: does, so that none exists at run time.
    kind: str


class GraphModule(msgspec.Struct, frozen=True, rename="camel", omit_defaults=True):
    """A file among the imports. `depth` counts from files that nothing imports."""

    imports: tuple[str, ...] = ()
    more_imports: int = 0
    imported_by: tuple[str, ...] = ()
    more_imported_by: int = 0
    depth: int = 0


class GraphStats(msgspec.Struct, frozen=True, rename="camel"):
    """Counts of the whole graph, whatever is shown of it."""

    total_modules: int
    total_edges: int
    circular_count: int
    orphan_count: int


class ModuleGraph(msgspec.Struct, frozen=True, rename="camel", omit_defaults=True):
    """Imports among files. Parts that were not requested are empty."""

    stats: GraphStats
    modules: dict[str, GraphModule] = {}
    circular: tuple[ImportCycle, ...] = ()
    orphans: tuple[str, ...] = ()


class MapSummary(msgspec.Struct, frozen=True, rename="camel", omit_defaults=True):
    """Counts of all that the request covers, shown or not."""

    total_files: int
    total_dirs: int
    total_exports: int
    exports_by_kind: dict[str, int] = {}
    #: With `include_stats`.
    total_lines: int | None = None
    total_problems: int | None = None


class LeftOut(msgspec.Struct, frozen=True, rename="camel", omit_defaults=True):
    """Counts of omitted entries, and a hint how to see them."""

    hint: str
    files: int = 0
    exports: int = 0
    folders: tuple[LeftOutFolder, ...] = ()
    graph_modules: int = 0
    circular: int = 0
    orphans: int = 0
    packages: int = 0


class CodebaseMap(msgspec.Struct, frozen=True, rename="camel", omit_defaults=True):
    """The answer. `tokens` counts its JSON form."""

    project_root: str
    summary: MapSummary
    packages: tuple[MappedPackage, ...] = ()
    structure: tuple[MappedFolder, ...] = ()
    #: The files of a flat list, instead of the structure.
    files: tuple[MappedFile | str, ...] = ()
    graph: ModuleGraph | None = None
    left_out: LeftOut | None = None
    tokens: int = 0
