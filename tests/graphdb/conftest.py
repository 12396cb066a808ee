"""A small project as graph content, and real graphs of it in temporary folders."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from astrolabe.graphdb.database import GraphDatabase
from astrolabe.graphdb.generations.generations import FORMAT_VERSION
from astrolabe.schema.edges import (
    CallEdge,
    ExportEdge,
    ExternalCallEdge,
    HeritageEdge,
    ImportEdge,
    OverrideEdge,
    ReferenceEdge,
    TypeFlowEdge,
    UnresolvedCallEdge,
    UnresolvedImport,
)
from astrolabe.schema.graph_content import GraphContent
from astrolabe.schema.manifest import Manifest
from astrolabe.schema.records import Dependency, External, FileRecord, ModuleRecord, Problem, Symbol
from astrolabe.schema.symbol_id import symbol_id

from tests.written_graph import write_graph

TOKENS = "src/auth/tokenService.ts"
BASE = "src/base.ts"
MIDDLEWARE = "src/middleware/auth.ts"
MODELS = "src/models/auth.ts"
DEEP = "src/deep.ts"
BROKEN = "scripts/broken.ts"
#: More levels than the engine follows in one pattern.
LEVELS = 35


class Project:
    """Collects files, symbols and edges; symbols are named by "path#qualified.name"."""

    def __init__(self) -> None:
        self.symbols: dict[str, Symbol] = {}

    def add(self, path: str, kind: str, qualified_name: str, start: int, end: int, **fields: Any) -> None:
        outer, _, name = qualified_name.rpartition(".")
        parent = self.symbols[f"{path}#{outer}"] if outer else None
        values: dict[str, Any] = {
            "declaration_line": start,
            "name_line": start,
            "signature": f"{kind} {name}",
            "doc": "",
            "modifiers": (),
            "exported": False,
            "is_chunk": True,
        } | fields
        self.symbols[f"{path}#{qualified_name}"] = Symbol(
            id=symbol_id(path, kind, qualified_name, 0),
            name=name,
            qualified_name=qualified_name,
            kind=kind,
            relative_path=path,
            depth=parent.depth + 1 if parent else 0,
            ordinal=0,
            start_line=start,
            end_line=end,
            breadcrumb=" > ".join([path, *qualified_name.split(".")]),
            parent_id=parent.id if parent else None,
            **values,
        )

    def id(self, key: str) -> str:
        return self.symbols[key].id


@pytest.fixture(scope="session")
def project() -> Project:
    project = Project()
    project.add(TOKENS, "import", "import:jsonwebtoken", 1, 1)
    project.add(TOKENS, "const", "TOKEN_EXPIRY", 3, 3, exported=True, modifiers=("export", "const"))
    project.add(TOKENS, "class", "TokenService", 5, 30, exported=True, doc="Issues and checks tokens.", declaration_line=7)
    project.add(TOKENS, "property", "TokenService.secret", 8, 8)
    project.add(TOKENS, "method", "TokenService.validateToken", 10, 20, modifiers=("async",))
    project.add(TOKENS, "function", "TokenService.validateToken.decode", 12, 14)
    project.add(TOKENS, "method", "TokenService.refreshToken", 22, 28)
    project.add(TOKENS, "method", "TokenService.decode", 29, 29)
    project.add(BASE, "interface", "Validator", 1, 4, exported=True)
    project.add(BASE, "method", "Validator.validateToken", 2, 2)
    project.add(BASE, "class", "BaseValidator", 6, 12, exported=True)
    project.add(BASE, "function", "decode", 14, 16, exported=True)
    project.add(MIDDLEWARE, "class", "AuthMiddleware", 3, 20, exported=True)
    project.add(MIDDLEWARE, "method", "AuthMiddleware.verify", 5, 12)
    project.add(MIDDLEWARE, "method", "AuthMiddleware.validatetoken", 14, 19)
    project.add(MODELS, "interface", "JwtPayload", 1, 5, exported=True)
    for level in range(1, LEVELS + 1):
        project.add(DEEP, "function", ".".join(f"level{depth}" for depth in range(1, level + 1)), level, 2 * LEVELS - level)
    return project


@pytest.fixture(scope="session")
def content(project: Project) -> GraphContent:
    at = project.id
    validate, refresh, verify = (
        f"{TOKENS}#TokenService.validateToken",
        f"{TOKENS}#TokenService.refreshToken",
        f"{MIDDLEWARE}#AuthMiddleware.verify",
    )
    payload = at(f"{MODELS}#JwtPayload")
    paths = [TOKENS, BASE, MIDDLEWARE, MODELS, DEEP, BROKEN]
    return GraphContent(
        repository_name="shop",
        git_head="0123abc",
        modules=[
            ModuleRecord("src", "shop", "npm", "src/package.json", "1.0.0", None),
            ModuleRecord("src/models", "models", "npm", "src/models/package.json", "", "src"),
        ],
        dependencies=[
            Dependency("src", "jsonwebtoken", "^9", "dependencies"),
            Dependency("src/models", "vitest", "^3", "devDependencies"),
        ],
        files=[_file(path) for path in paths],
        file_modules=["src", "src", "src", "src/models", "src", None],
        symbols=list(project.symbols.values()),
        externals=[
            External("npm:jsonwebtoken#verify", "jsonwebtoken", "verify"),
            External("lib:EventTarget", "lib", "EventTarget"),
        ],
        imports=[
            ImportEdge(TOKENS, BASE, "../base", ("BaseValidator", "decode"), "import", False, 2),
            ImportEdge(MIDDLEWARE, TOKENS, "../auth/tokenService", ("TokenService",), "import", False, 1),
            ImportEdge(MIDDLEWARE, TOKENS, "../auth/tokenService", ("TOKEN_EXPIRY",), "export", False, 2),
            ImportEdge(TOKENS, MODELS, "../models/auth", ("JwtPayload",), "import", True, 4),
        ],
        external_imports=[ImportEdge(TOKENS, "jsonwebtoken", "jsonwebtoken", ("default",), "import", False, 1)],
        unresolved_imports=[UnresolvedImport(BASE, "./gone", ("Gone",), "import", False, 1, "absent")],
        exports=[
            ExportEdge(TOKENS, at(f"{TOKENS}#TokenService"), "TokenService", False, ()),
            ExportEdge(MIDDLEWARE, at(f"{TOKENS}#TOKEN_EXPIRY"), "EXPIRY", False, (TOKENS,)),
        ],
        calls=[
            CallEdge(at(verify), at(validate), (7, 7, 9), (4, 30, 4), "method", "type"),
            CallEdge(at(refresh), at(validate), (23,), (10,), "this", "type"),
            CallEdge(at(refresh), at(f"{BASE}#decode"), (24,), (10,), "identifier", "scope"),
            CallEdge(at(verify), at(f"{BASE}#decode"), (10,), (4,), "identifier", "scope"),
            CallEdge(at(validate), at(f"{TOKENS}#TokenService.validateToken.decode"), (16,), (8,), "identifier", "scope"),
        ],
        external_calls=[
            ExternalCallEdge(at(validate), "npm:jsonwebtoken#verify", (17,), (12,), "namespace"),
            ExternalCallEdge(at(refresh), "npm:jsonwebtoken#verify", (25, 26), (3, 3), "namespace"),
        ],
        unresolved_calls=[
            UnresolvedCallEdge(at(verify), "validateToken", (11,), (5,), "method", "receiver"),
            UnresolvedCallEdge(at(refresh), "validateToken", (27, 28), (5, 5), "method", "receiver"),
            UnresolvedCallEdge(at(refresh), "log", (28,), (20,), "identifier", "global"),
        ],
        references=[
            ReferenceEdge(at(validate), at(f"{TOKENS}#import:jsonwebtoken"), "read", (17,), (12,), ("jwt",)),
            ReferenceEdge(at(validate), at(f"{TOKENS}#TokenService.secret"), "read", (17, 18), (30, 30), ()),
            ReferenceEdge(at(validate), payload, "type", (10,), (40,), ()),
            ReferenceEdge(at(refresh), at(validate), "call", (23,), (10,), ()),
            ReferenceEdge(at(verify), at(validate), "call", (7, 7, 9), (4, 30, 4), ()),
            ReferenceEdge(at(f"{MIDDLEWARE}#AuthMiddleware"), at(f"{TOKENS}#TokenService"), "import", (1,), (10,), ()),
            ReferenceEdge(at(verify), at(f"{TOKENS}#TokenService"), "type", (5,), (20,), ()),
        ],
        heritage=[
            HeritageEdge(at(f"{TOKENS}#TokenService"), at(f"{BASE}#BaseValidator"), "extends", 7, False),
            HeritageEdge(at(f"{TOKENS}#TokenService"), at(f"{BASE}#Validator"), "implements", 7, False),
            HeritageEdge(at(f"{BASE}#BaseValidator"), "lib:EventTarget", "extends", 6, True),
        ],
        overrides=[OverrideEdge(at(validate), at(f"{BASE}#Validator.validateToken"))],
        type_flows=[
            TypeFlowEdge(at(validate), payload, "return", "", 0),
            TypeFlowEdge(at(verify), at(f"{TOKENS}#TokenService"), "param", "service", 1),
            TypeFlowEdge(at(verify), payload, "param", "payload", 0),
            TypeFlowEdge(at(f"{TOKENS}#TokenService.secret"), payload, "field", "", 0),
        ],
    )


def _file(path: str) -> FileRecord:
    problems = (Problem(3, "unexpected }"), Problem(9, "unterminated string")) if path == BROKEN else ()
    return FileRecord(
        relative_path=path,
        language="typescript",
        content_hash=f"{len(path):064x}",
        mtime=1_700_000_000_000_000_000,
        size=100 * len(path),
        lines=10 * len(path),
        parse_status="recovered" if problems else "ok",
        problems=problems,
        is_test=False,
    )


@pytest.fixture(scope="session")
def graph_path(content: GraphContent, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("graph") / "graph.kuzu"
    write_graph(path, content)
    return path


@pytest.fixture(scope="module")
def graph(graph_path: Path) -> Iterator[GraphDatabase]:
    with GraphDatabase.open(graph_path) as database:
        yield database


@pytest.fixture
def manifest() -> Manifest:
    return Manifest(
        format_version=FORMAT_VERSION,
        astrolabe_version="0.1.0",
        generation=0,
        created_at="2025-01-01T00:00:00Z",
        git_head="0123abc",
        vectors_version=1,
        embedding_model="none",
        embedding_dimensions=0,
        counts={"File": 6},
        configuration_digest="",
        stamps=[],
        excluded=[],
        data_files=[],
    )


@pytest.fixture
def change(content: GraphContent) -> Callable[..., GraphContent]:
    """The content with some of its lists replaced."""
    return lambda **lists: msgspec.structs.replace(content, **lists)
