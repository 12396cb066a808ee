"""Small projects with real source text, written down by hand as graph content and chunks, and real stores made of them."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import astrolabe
import numpy as np
import pytest
from astrolabe.graphdb.database import GraphDatabase
from astrolabe.retrieval.embedding import load_local_embedder
from astrolabe.retrieval.embedding.embedder import Vectors
from astrolabe.retrieval.ranking.ranking import Ranker
from astrolabe.retrieval.search import SearchEngine
from astrolabe.retrieval.text.words import split_text
from astrolabe.retrieval.vectors.chunk_table import ChunkTable
from astrolabe.schema.edges import (
    CallEdge,
    ExportEdge,
    ExternalCallEdge,
    HeritageEdge,
    ImportEdge,
    ReferenceEdge,
    TypeFlowEdge,
    UnresolvedCallEdge,
)
from astrolabe.schema.graph_content import GraphContent
from astrolabe.schema.records import Chunk, External, FileRecord, Symbol
from astrolabe.schema.settings import Settings
from astrolabe.schema.symbol_id import symbol_id
from astrolabe.server.api.workspace import Workspace
from astrolabe.server.project.source_syntax import SourceSyntax

from tests.written_graph import write_graph

_CALLABLE = ("function", "method", "constructor", "getter", "setter", "component")


class HashEmbedder:
    """Bags of hashed words: texts that share words lie near each other. For tests alone."""

    model = "hash-64"
    dimensions = 64

    def embed_chunks(self, chunks: Sequence[Chunk]) -> Vectors:
        return np.stack([self.embed_query(f"{chunk.name} {chunk.embedding_text}") for chunk in chunks])

    def embed_query(self, text: str) -> Vectors:
        vector = np.zeros(self.dimensions, dtype=np.float32)
        for term in split_text(text):
            vector[int(hashlib.md5(term.encode("utf-8", "replace")).hexdigest(), 16) % self.dimensions] += 1
        length = float(np.linalg.norm(vector))
        return vector / length if length else vector


class Project:
    """Collects files, symbols and edges. A symbol is named by "path#qualified.name", with ":kind" where two share that."""

    def __init__(self) -> None:
        self.texts: dict[str, list[str]] = {}
        self.symbols: dict[str, Symbol] = {}
        self.tests: set[str] = set()
        self._ordinals: dict[tuple[str, str, str], int] = {}
        self.calls: list[CallEdge] = []
        self.external_calls: list[ExternalCallEdge] = []
        self.unresolved: list[UnresolvedCallEdge] = []
        self.references: list[ReferenceEdge] = []
        self.heritage: list[HeritageEdge] = []
        self.type_flows: list[TypeFlowEdge] = []
        self.exports: list[ExportEdge] = []
        self.imports: list[ImportEdge] = []
        self.externals: dict[str, External] = {}

    def file(self, path: str, text: str, *declarations: tuple[str, ...], is_test: bool = False) -> None:
        """Add a file. Declarations are (kind, qualified name) in source order; imports are found by themselves.

        A third part is what the first line of a declaration holds, where that is not its name.
        """
        self.texts[path] = text.strip("\n").split("\n")
        if is_test:
            self.tests.add(path)
        for number, line in enumerate(self.texts[path], 1):
            if match := re.match(r"import .*?['\"](.*)['\"]|import \{$", line):
                last = number if match[1] else self._line_after(path, number, r"\} from")
                specifier = re.search(r"['\"](.*)['\"]", self.texts[path][last - 1])
                assert specifier
                self._add(path, "import", f"import:{specifier[1]}", f"import:{specifier[1]}", number, number, last)
        after = 0
        for kind, qualified, *held in declarations:
            after = self._declare(path, kind, qualified, after, *held)

    def _line_after(self, path: str, number: int, pattern: str) -> int:
        return next(n for n, line in enumerate(self.texts[path], 1) if n >= number and re.search(pattern, line))

    def _declare(self, path: str, kind: str, qualified: str, after: int, held: str = "") -> int:
        """Finds the declaration behind a line; its end is the line at its own indentation that closes it."""
        lines = self.texts[path]
        outer = qualified.rpartition(".")[0]
        name = qualified.removeprefix(f"{outer}.") if f"{path}#{outer}" in self.symbols else qualified
        start = (
            self._line_after(path, 1, re.escape(held))
            if held
            else self._line_after(path, after + 1, rf"(^|[^\w$.'\"(]){re.escape(name)}(?![\w$])")
        )
        indent = len(lines[start - 1]) - len(lines[start - 1].lstrip())
        end = start
        if lines[start - 1].rstrip().endswith(("{", "(", "[")):
            closing = re.compile(rf" {{{indent}}}[}})\]](?!.*\{{$)")
            end = next(n for n in range(start + 1, len(lines) + 1) if closing.match(lines[n - 1]))
        first = declared = start
        while first > 1 and re.match(r"\s*(/\*\*|\*|@\w)", lines[first - 2]):
            first -= 1
            declared = first if lines[first - 1].lstrip().startswith("@") else declared
        self._add(path, kind, qualified, name, first, declared, end)
        return start

    def _add(self, path: str, kind: str, qualified: str, name: str, first: int, start: int, end: int) -> None:
        parent = self.symbols.get(f"{path}#{qualified.removesuffix(name).removesuffix('.')}")
        line = next(line for line in self.texts[path][start - 1 :] if not line.lstrip().startswith("@")).strip()
        ordinal = self._ordinals[path, kind, qualified] = self._ordinals.get((path, kind, qualified), -1) + 1
        exported = line.startswith("export ")
        words = line.split("(")[0].split()
        modifiers = tuple(word for word in words if word in ("async", "static", "private", "readonly", "abstract"))
        has_body = end > start
        signature = re.sub(r"^export (default )?|\s*(=>)?\s*\{$|;$", "", line)
        key = f"{path}#{qualified}" if f"{path}#{qualified}" not in self.symbols else f"{path}#{qualified}:{kind}"
        self.symbols[key] = Symbol(
            id=symbol_id(path, kind, qualified, ordinal),
            name=name,
            qualified_name=qualified,
            kind=kind,
            relative_path=path,
            depth=parent.depth + 1 if parent else 0,
            ordinal=ordinal,
            start_line=first,
            end_line=end,
            declaration_line=start,
            name_line=start,
            signature=signature,
            doc="",
            modifiers=modifiers,
            exported=exported or bool(parent and parent.exported and parent.kind in ("class", "interface", "enum")),
            breadcrumb=" > ".join([path, *([name] if not parent else [*parent.breadcrumb.split(" > ")[1:], name])]),
            is_chunk=parent is None or (has_body and kind in _CALLABLE),
            parent_id=parent.id if parent else None,
        )

    def _sites(self, source: str, name: str) -> tuple[int, ...]:
        symbol = self.symbols[source]
        lines = self.texts[symbol.relative_path]
        found = [
            n for n in range(symbol.start_line, symbol.end_line + 1) if re.search(rf"(?<![\w$]){re.escape(name)}", lines[n - 1])
        ]
        return tuple(found[-1:] if len(found) > 1 and found[0] == symbol.declaration_line else found[:1]) or (symbol.start_line,)

    def call(self, source: str, target: str) -> None:
        """`source` calls `target`."""
        callee = self.symbols[target]
        lines = self._sites(source, callee.name)
        self.calls.append(CallEdge(self.symbols[source].id, callee.id, lines, (1,) * len(lines), "identifier", "scope"))

    def call_external(self, source: str, external: str, written: str = "") -> None:
        """`source` calls "package#name"."""
        outside = self._external(external)
        lines = self._sites(source, written or outside.name)
        self.external_calls.append(ExternalCallEdge(self.symbols[source].id, outside.id, lines, (1,), "identifier"))

    def _external(self, external: str) -> External:
        package, _, name = external.partition("#")
        where = package if package == "lib" or ":" in package else f"npm:{package}"
        self.externals[external] = External(f"{where}#{name}", where, name)
        return self.externals[external]

    def call_unresolved(self, source: str, name: str, reason: str = "receiver") -> None:
        """`source` calls something of a name that could not be bound."""
        self.unresolved.append(
            UnresolvedCallEdge(self.symbols[source].id, name, self._sites(source, name), (1,), "method", reason)
        )

    def refer(self, source: str, target: str, role: str = "read", names: Sequence[str] = ()) -> None:
        """`source` refers to `target`."""
        name = names[0] if names else self.symbols[target].name
        lines = self._sites(source, name)
        self.references.append(
            ReferenceEdge(self.symbols[source].id, self.symbols[target].id, role, lines, (1,) * len(lines), tuple(names))
        )

    def use_import(self, source: str, specifier: str, *names: str) -> None:
        """`source` uses local names that its file imports."""
        for name in names:
            self.refer(source, f"{self.symbols[source].relative_path}#import:{specifier}", "binding", [name])

    def inherit(self, source: str, target: str, kind: str = "extends") -> None:
        """A class or interface extends or implements another."""
        self.heritage.append(
            HeritageEdge(self.symbols[source].id, self.symbols[target].id, kind, self.symbols[source].start_line, False)
        )

    def inherit_external(self, source: str, external: str) -> None:
        """A class extends "package#name"."""
        symbol = self.symbols[source]
        self.heritage.append(HeritageEdge(symbol.id, self._external(external).id, "extends", symbol.start_line, True))

    def flow(self, source: str, target: str, role: str, name: str = "", position: int = 0) -> None:
        """A signature names a type."""
        self.type_flows.append(TypeFlowEdge(self.symbols[source].id, self.symbols[target].id, role, name, position))

    def export(self, path: str, target: str, name: str) -> None:
        """A file offers a symbol under a name."""
        self.exports.append(ExportEdge(path, self.symbols[target].id, name, False, ()))

    def import_file(self, path: str, target: str) -> None:
        """A file imports another."""
        self.imports.append(ImportEdge(path, target, target, (), "import", False, 1))

    def content(self) -> GraphContent:
        files = [
            FileRecord(path, _language(path), "0" * 64, 0, len("\n".join(lines)), len(lines), "ok", (), path in self.tests)
            for path, lines in self.texts.items()
        ]
        return GraphContent(
            repository_name="sample",
            git_head="",
            modules=[],
            dependencies=[],
            files=files,
            file_modules=[None] * len(files),
            symbols=list(self.symbols.values()),
            externals=list(self.externals.values()),
            imports=self.imports,
            external_imports=[],
            exports=self.exports,
            calls=self.calls,
            external_calls=self.external_calls,
            unresolved_calls=self.unresolved,
            references=self.references,
            heritage=self.heritage,
            overrides=[],
            type_flows=self.type_flows,
        )

    def chunks(self) -> list[Chunk]:
        chunked = {symbol.id: symbol for symbol in self.symbols.values() if symbol.is_chunk}
        return [self._chunk(symbol, chunked) for symbol in chunked.values()]

    def _chunk(self, symbol: Symbol, chunked: dict[str, Symbol]) -> Chunk:
        lines = self.texts[symbol.relative_path]
        children = [child for child in chunked.values() if child.parent_id == symbol.id]
        collapsed = list(lines)
        for child in children:
            collapsed[child.declaration_line - 1] = f"  {child.signature};"
            collapsed[child.declaration_line : child.end_line] = [""] * (child.end_line - child.declaration_line)
        parent = chunked.get(symbol.parent_id or "")
        return Chunk(
            id=symbol.id,
            relative_path=symbol.relative_path,
            language=_language(symbol.relative_path),
            node_kind=symbol.kind,
            name=symbol.name,
            parent_name=parent.name if parent else None,
            parent_chunk_id=parent.id if parent else None,
            child_chunk_ids=tuple(child.id for child in children),
            depth=symbol.depth,
            signature=symbol.signature,
            start_line=symbol.start_line,
            end_line=symbol.end_line,
            jsdoc=symbol.doc or None,
            relevant_imports=(),
            embedding_text="\n".join(line for line in collapsed[symbol.start_line - 1 : symbol.end_line] if line),
            breadcrumb=symbol.breadcrumb,
            content_hash="0" * 64,
            last_modified=0,
            exported=symbol.exported,
            is_test=symbol.relative_path in self.tests,
            collapsed=True,
        )


def _language(path: str) -> str:
    return {"ts": "typescript", "tsx": "tsx", "js": "javascript", "jsx": "jsx"}[path.rpartition(".")[2]]


class Stores:
    """A project's graph and chunk table, and engines over them."""

    def __init__(self, project: Project, graph: GraphDatabase, table: ChunkTable) -> None:
        self.project = project
        self.graph = graph
        self.table = table

    def engine(self, **settings: Any) -> SearchEngine:
        ranker = Ranker(load_local_embedder())
        return SearchEngine(self.graph, self.table, HashEmbedder(), Settings(**settings), ranker, SourceSyntax())

    def id(self, key: str) -> str:
        return self.project.symbols[key].id


@pytest.fixture(scope="session")
def new_project() -> type[Project]:
    """The class of projects, since test folders are no packages that could be imported from."""
    return Project


@pytest.fixture(scope="module")
def opened_project(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[Mapping[str, str]], Workspace]]:
    """Writes the files of a project, by path, and opens it; its first question makes the index."""
    with ExitStack() as opened:

        def make(files: Mapping[str, str]) -> Workspace:
            root = tmp_path_factory.mktemp("project")
            for name, text in files.items():
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                (root / name).write_text(text, encoding="utf-8")
            return opened.enter_context(astrolabe.open(root))

        yield make


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[Project], Stores]]:
    """Writes a project into a temporary Kùzu graph and LanceDB table, which are open until the module ends."""
    with ExitStack() as opened:

        def write(project: Project) -> Stores:
            folder: Path = tmp_path_factory.mktemp("index")
            write_graph(folder / "graph.kuzu", project.content())
            chunks = project.chunks()
            texts = {path: "\n".join(lines).encode() for path, lines in project.texts.items()}
            version = ChunkTable.write(folder / "vectors", chunks, HashEmbedder().embed_chunks(chunks), texts)
            graph = opened.enter_context(GraphDatabase.open(folder / "graph.kuzu"))
            return Stores(project, graph, ChunkTable.open(folder / "vectors", version))

        yield write
