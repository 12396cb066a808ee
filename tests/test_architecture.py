"""The rules of ARCHITECTURE.md that a program can check."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from importlinter.cli import lint_imports

ROOT = Path(__file__).resolve().parents[1]
LAYERS = ("schema", "ingest", "graphdb", "retrieval", "server")

#: Modules that a room holds at most, beside its `__init__`: more names than that are no longer seen as parts of one subject.
MAX_MODULES = 24

#: Rooms whose modules call each other because names, types and members are defined in terms of each other: the type engines.
KNOTS = (
    {"ingest/languages/typescript/resolve", "ingest/languages/typescript/resolve/narrowing"},
    {"ingest/nominal", "ingest/nominal/call_sites", "ingest/nominal/items", "ingest/nominal/overloading"},
)

#: Modules of others -> where they may be imported: the seams behind which they can be replaced.
SEAMS = {
    "kuzu": "graphdb/engine.py",
    "ladybug": "graphdb/engine.py",
    "lancedb": "retrieval/vectors/lance_engine.py",
    "mcp": ("server/mcp/", "server/web/endpoints/tools.py"),
    "mcp_types": "server/mcp/",
    "anyio": ("server/mcp/server.py", "server/mcp/resource_notices.py", "server/web/endpoints/tools.py"),
    "typer": "server/",
    "rich": "server/",
    "pydantic": "server/",
    "filelock": "server/",
    "IPython": ("server/display/", "server/notebook/"),
    "pygments": "server/display/",
    "re2": "retrieval/text/linear_regex.py",
    "starlette": ("server/web/", "server/mcp/http_serving.py"),
    "uvicorn": ("server/web/", "server/mcp/http_serving.py"),
    "yaml": ("ingest/contracts/yaml_tree.py", "ingest/languages/typescript/module_resolution/"),
    "tree_sitter": "ingest/",
    "tree_sitter_javascript": "ingest/languages/typescript/parsing/",
    "tree_sitter_typescript": "ingest/languages/typescript/parsing/",
}
#: Training is run by hand, and stands outside of the program.

#: Folders whose modules turn bytes into facts.
PURE = (
    "ingest/symbols/",
    "ingest/languages/syntax_only/",
    "ingest/languages/typescript/lowering/",
    "ingest/languages/typescript/parsing/",
)

#: Slices with two ends in compiled modules: of lists and texts, never of bytes.
SLICES = {
    "self.lists[index + 1 : index + 1 + self.lists[index]]",
    "lists[index + 1 : index + 1 + lists[index]]",
    "node.children[1:-1]",
    "actual.elements[place:end]",
    "inner[1:2]",
    "texts[at][start:end]",
    "texts[at + 1 : until]",
    "parts[at:until]",
    "text[3:-2]",
    'written[max(written.find("["), 0) : written.find("]") + 1]',
}

#: What takes long to load; nobody may wait for it before it is needed.
HEAVY = {"anyio", "kuzu", "ladybug", "lancedb", "mcp", "networkx", "numpy", "pandas", "pyarrow", "rich", "torch", "tree_sitter"}

LOADED = """
import json
sys.stdout = sys.__stdout__
print(json.dumps(sorted({name.partition(".")[0] for name in sys.modules})))
"""


def modules() -> Iterator[str]:
    """Paths of the package's modules from the root."""
    for file in [*ROOT.glob("*.py"), *(file for layer in LAYERS for file in (ROOT / layer).rglob("*.py"))]:
        yield file.relative_to(ROOT).as_posix()


def tree(module: str) -> ast.Module:
    return ast.parse((ROOT / module).read_bytes())


@cache
def imported(module: str) -> set[str]:
    """First parts of the absolute names that a module imports."""
    names = set()
    for node in ast.walk(tree(module)):
        if isinstance(node, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names.add(node.module.partition(".")[0])
    return names


def imported_modules(module: str) -> Iterator[str]:
    """Paths of the package's modules that a module imports, wherever the import stands."""
    for node in ast.walk(tree(module)):
        if isinstance(node, ast.ImportFrom) and node.level:
            folders = module.split("/")[: -node.level]
            named = "/".join([*folders, *(node.module or "").split(".")]).rstrip("/")
            for alias in node.names:
                files = (f"{named}/{alias.name}.py", f"{named}/{alias.name}/__init__.py", f"{named}.py", f"{named}/__init__.py")
                yield next(file for file in files if (ROOT / file).is_file())


def knots(edges: dict[str, set[str]]) -> list[set[str]]:
    """The groups of two and more nodes that reach each other."""
    reached = {}
    for start in edges:
        found: set[str] = set()
        waiting = [start]
        while waiting:
            new = edges.get(waiting.pop(), set()) - found
            found |= new
            waiting += new
        reached[start] = found
    groups = {frozenset(other for other in found if node in reached.get(other, ())) for node, found in reached.items()}
    return [set(group) for group in groups if len(group) > 1]


def loaded_by(program: str) -> set[str]:
    """Modules that a fresh interpreter has loaded when the program ends."""
    code = f"import io, sys\nsys.stdout = io.StringIO()\n{program}\n{LOADED}"
    environment = {name: value for name, value in os.environ.items() if not name.startswith("ASTROLABE_")}
    done = subprocess.run([sys.executable, "-P", "-c", code], env=environment, capture_output=True, text=True, check=True)
    return set(json.loads(done.stdout))


def test_every_module_says_what_it_is() -> None:
    assert [module for module in sorted(modules()) if not ast.get_docstring(tree(module))] == []


def test_tests_and_benchmarks_say_what_they_are() -> None:
    # Fixtures are files as people write them.
    paths = [path for path in (ROOT / "tests").rglob("*.py") if "outline_fixtures" not in path.parts]
    silent = [path.name for path in paths if not ast.get_docstring(ast.parse(path.read_bytes()))]
    assert silent == []


def test_imports_point_one_way() -> None:
    assert lint_imports(config_filename=str(ROOT / "pyproject.toml"), no_cache=True, no_logo=True) == 0


def test_rooms_have_no_circles() -> None:
    """A folder is above or below each of its subfolders, and of two other rooms one is above the other."""
    edges: dict[str, set[str]] = {}
    for module in modules():
        room = module.rpartition("/")[0]
        edges.setdefault(room, set()).update({other.rpartition("/")[0] for other in imported_modules(module)} - {room})
    assert sum(map(len, edges.values())) > 500
    found = knots({room: others for room, others in edges.items() if room})
    assert sorted(map(sorted, found)) == sorted(map(sorted, KNOTS))


def test_circles_are_found() -> None:
    assert knots({"a": {"b"}, "b": {"c"}, "c": {"b"}, "d": {"a"}}) == [{"b", "c"}]


def test_rooms_are_small() -> None:
    sizes = Counter(module.rpartition("/")[0] for module in modules() if not module.endswith("__init__.py"))
    assert not {room for room, size in sizes.items() if size > MAX_MODULES}


@pytest.mark.parametrize("name", SEAMS)
def test_modules_of_others_stay_behind_their_seam(name: str) -> None:
    users = {module for module in modules() if name in imported(module)}
    assert users
    assert all(module.startswith(SEAMS[name]) for module in users)


def compiled_folders() -> tuple[str, ...]:
    """What `setup.py` compiles with mypyc."""
    values = {node.targets[0].id: node.value for node in tree("setup.py").body if isinstance(node, ast.Assign)}  # type: ignore[attr-defined]
    return tuple(f"{folder}/" for folder in ast.literal_eval(values["COMPILED"]))


def test_compiled_modules_cut_bytes_with_care() -> None:
    """Compiled, a slice of bytes whose end lies before its start fails: `between` and `decoded` do not."""
    found = {
        ast.unparse(node)
        for module in modules()
        if module.startswith(compiled_folders()) and module != "ingest/symbols/byte_ranges.py"
        for node in ast.walk(tree(module))
        if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load) and isinstance(node.slice, ast.Slice)
        if node.slice.lower is not None and node.slice.upper is not None
    }
    assert found == {ast.unparse(ast.parse(text)) for text in SLICES}


def test_parse_workers_are_pure() -> None:
    """What turns bytes into facts looks at no clock, no disk, no network and no environment."""
    impure = {"os", "pathlib", "time", "datetime", "random", "socket", "subprocess", "tempfile", "io", "shutil"}
    pure = [
        "ingest/languages/extraction.py",
        "ingest/facts/cells.py",
        "ingest/facts/document_facts.py",
        "ingest/facts/model.py",
        "ingest/facts/operations.py",
        "ingest/files/source_text.py",
        *(module for module in modules() if module.startswith(PURE)),
    ]
    assert {module: imported(module) & impure for module in pure if imported(module) & impure} == {}


@pytest.mark.parametrize(
    "command", ["", "index", "search", "map", "trace", "lint", "history", "status", "cypher", "export", "serve"]
)
def test_help_waits_for_nothing(command: str) -> None:
    arguments = ["astrolabe", *command.split(), "--help"]
    program = f"sys.argv = {arguments}\nfrom astrolabe.server.cli.app import main\ntry:\n    main()\nexcept SystemExit:\n    pass"
    assert loaded_by(program) & HEAVY == set()


def test_importing_the_package_waits_for_nothing() -> None:
    assert loaded_by("import astrolabe") & (HEAVY | {"msgspec", "pydantic", "typer"}) == set()
