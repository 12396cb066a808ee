"""Graphs for the page and for other programs: the nodes of a chain and of further steps."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

import msgspec

from ....schema.errors import UsageError
from ...api.scopes.forms import ScopeGraph, mermaid_of
from ...api.scopes.graph_forms import to_networkx
from ...api.scopes.kinds import ModuleScope
from ...api.scopes.rows import FileRow, ModuleRow, Row, SymbolRow, key_of
from ...api.scopes.scope import Scope
from ...api.workspace import Workspace
from .endpoint import Endpoint
from .symbols import DATA_STEPS, FILE_STEPS, SYMBOL_STEPS, data_of

#: Maximum number of single nodes of a graph. In larger graphs, folders are drawn instead of nodes.
MAX_NODES = 2_000
#: Maximum number of nodes in a graph with added steps, equal to the maximum number of values in a filter.
MAX_WITH_STEPS = 1_000
#: Maximum number of nodes that one step adds.
MAX_STEP = 200
#: Maximum number of suggested symbols for the beginning of a graph.
MAX_SYMBOLS = 8
#: Maximum number of suggested files for the beginning of a graph.
MAX_FILES = 5
#: Maximum number of suggested modules for the beginning of a graph.
MAX_MODULES = 4
#: Name of the step that adds the shortest path to the node `target`.
PATH = "path"


class Step(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Nodes added from one node: by a step such as `callers`, or by the shortest path to another node."""

    step: str
    key: str
    target: str = ""


class GraphQuestion(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A chain whose result is symbols, files or modules, and further steps from its nodes."""

    chain: str
    steps: tuple[Step, ...] = ()


class ExportQuestion(GraphQuestion, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A graph in the form of another program."""

    form: Literal["graphml", "mermaid"]


class StartQuestion(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A part of the name of a symbol, a file or a module."""

    text: str


class Start(msgspec.Struct, frozen=True):
    """A node from which a graph may begin, with its chain."""

    kind: Literal["symbol", "file", "module"]
    key: str
    name: str
    note: str
    chain: str
    #: Kind of a symbol, such as "class"; "" for a file or a module.
    declaration: str = ""


class Link(msgspec.Struct, frozen=True):
    """An edge between the nodes with two keys. Between folders, it represents `count` edges."""

    start: str
    end: str
    label: str
    count: int = 1


class Folder(msgspec.Struct, frozen=True):
    """A folder that represents its nodes."""

    path: str
    count: int


class DrawnGraph(msgspec.Struct, frozen=True):
    """Nodes of one kind with the edges between them. With kind "folder", `total` nodes are drawn as folders."""

    kind: Literal["symbol", "file", "module", "folder"]
    nodes: Sequence[Row | Folder]
    edges: Sequence[Link]
    total: int


#: Number of edges that the steps `reached`, `flow` and `needed` follow.
DEEP = 3
#: Steps from a node of each kind, by their names.
_STEPS: Mapping[str, Mapping[str, Callable[[Any], Scope[Any]]]] = {
    "symbol": {
        **SYMBOL_STEPS,
        "reached": lambda symbols: symbols.dependants(DEEP),
        "flow": lambda symbols: symbols.callees(DEEP),
    },
    "file": {
        **FILE_STEPS,
        "reached": lambda files: files.importers(DEEP),
        "needed": lambda files: files.imports(DEEP),
    },
    "module": {
        "dependencies": ModuleScope.dependencies,
        "dependants": ModuleScope.dependants,
        "modules": ModuleScope.modules,
    },
}
#: Steps from tables and columns whose targets are symbols.
_DATA_STEPS = frozenset(("read_by", "modified_by", "maps_to", "mapped_by"))
#: Kinds of drawn nodes by the type of their rows. Tables, columns and sections are symbols, and documents are files.
_KINDS: Mapping[type[Row], Literal["symbol", "file", "module"]] = {SymbolRow: "symbol", FileRow: "file", ModuleRow: "module"}


def _graph(workspace: Workspace, question: GraphQuestion) -> DrawnGraph:
    kind, graph = _kind_and_graph(workspace, question)
    if len(graph.nodes) <= MAX_NODES:
        links = [Link(edge.start, edge.end, edge.label) for edge in graph.edges]
        return DrawnGraph(kind, graph.nodes, links, len(graph.nodes))
    return _by_folder(graph)


def _starts(workspace: Workspace, question: StartQuestion) -> list[Start]:
    """Return the nodes whose name contains a text, the most important of each kind first."""
    text = question.text.strip()
    if not text:
        return []
    symbols = workspace.symbols(name__icontains=text).sort("importance", descending=True).limit(MAX_SYMBOLS)
    files = workspace.files(path__icontains=text).sort("importance", descending=True).limit(MAX_FILES)
    modules = workspace.modules(name__icontains=text).limit(MAX_MODULES)
    return [
        *(
            Start(
                "symbol",
                row.id,
                row.qualified_name,
                f"{row.kind} in {row.path}:{row.start_line}",
                f"symbols(id={row.id!r})",
                row.kind,
            )
            for row in symbols
        ),
        *(Start("file", row.path, row.path, f"{row.lines:,} lines", f"files(path={row.path!r})") for row in files),
        *(Start("module", row.path, row.name, row.path, f"modules(path={row.path!r})") for row in modules),
    ]


def _kind_and_graph(workspace: Workspace, question: GraphQuestion) -> tuple[Literal["symbol", "file", "module"], ScopeGraph]:
    """Return the kind and the graph of a chain's nodes, with added steps. Raises UsageError for nodes of other kinds."""
    scope = workspace.query(question.chain)
    if not isinstance(scope, Scope) or (kind := _KINDS.get(scope.row_type)) is None:
        raise UsageError("A graph begins with a chain that returns symbols, files or modules, such as `symbols(name='main')`.")
    if not question.steps:
        return kind, scope.to_graph()
    keys = dict.fromkeys(key_of(row) for row in scope.limit(MAX_WITH_STEPS).to_list())
    for step in question.steps:
        keys |= dict.fromkeys(key_of(row) for row in _rows(workspace, kind, step))
    if len(keys) > MAX_WITH_STEPS:
        raise UsageError(f"The graph would have {len(keys):,} nodes. Steps can be followed up to {MAX_WITH_STEPS:,}.")
    return kind, _nodes_with_keys(workspace, kind, list(keys)).to_graph()


def _nodes_with_keys(workspace: Workspace, kind: str, keys: Sequence[str]) -> Scope[Any]:
    """Return the nodes with these keys."""
    if kind == "symbol":
        return workspace.symbols(id__in=keys)
    return workspace.files(path__in=keys) if kind == "file" else workspace.modules(path__in=keys)


def _rows(workspace: Workspace, kind: str, step: Step) -> Sequence[Row]:
    """Return the targets of a step. Raises UsageError for an unknown step."""
    begin = _nodes_with_keys(workspace, kind, [step.key])
    if step.step == PATH:
        return [row for path in begin.path_to(_nodes_with_keys(workspace, kind, [step.target]), limit=1) for row in path]
    if follow := _STEPS[kind].get(step.step):
        return follow(begin).limit(MAX_STEP).to_list()
    if kind == "symbol" and step.step in _DATA_STEPS:
        data = data_of(workspace, step.key)
        return DATA_STEPS[step.step](data).limit(MAX_STEP).to_list() if data else []
    raise UsageError(f"There is no step {step.step!r} from a {kind}.")


def _by_folder(graph: ScopeGraph) -> DrawnGraph:
    """Return the folders of the nodes, with the numbers of edges between them."""
    folders = {key_of(row): _folder(row) for row in graph.nodes}
    counts = Counter(folders.values())
    links = Counter((folders[edge.start], folders[edge.end]) for edge in graph.edges)
    largest = dict(counts.most_common(MAX_NODES))
    return DrawnGraph(
        "folder",
        [Folder(path, count) for path, count in largest.items()],
        [
            Link(start, end, "", count)
            for (start, end), count in links.items()
            if start != end and start in largest and end in largest
        ],
        len(graph.nodes),
    )


def _folder(row: Row) -> str:
    path = row.path if isinstance(row, SymbolRow) else key_of(row)
    return path.rpartition("/")[0] or "."


def _export(workspace: Workspace, question: ExportQuestion) -> dict[str, str]:
    _, graph = _kind_and_graph(workspace, question)
    if question.form == "mermaid":
        return {"text": mermaid_of(graph)}
    import networkx  # takes a tenth of a second

    made: Any = networkx.MultiDiGraph()
    made.add_nodes_from(to_networkx(graph).nodes(data=True))
    made.add_edges_from((edge.start, edge.end, {"label": edge.label}) for edge in graph.edges)
    written: Any = networkx  # the library has no types for this function
    return {"text": "\n".join(written.generate_graphml(made))}


ENDPOINTS = (
    Endpoint("graph", GraphQuestion, _graph),
    Endpoint("graph-starts", StartQuestion, _starts),
    Endpoint("export", ExportQuestion, _export),
)
