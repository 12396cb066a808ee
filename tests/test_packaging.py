"""The wheel: what is in it, and that it works where nothing of this repository is at hand."""

from __future__ import annotations

import ast
import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tomllib
import venv
import zipfile
from collections.abc import Iterator
from email import message_from_bytes
from email.message import Message
from pathlib import Path

import astrolabe
import pytest
from astrolabe.schema.languages import LANGUAGES

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))

#: Folders that hold no part of the package; with the hidden ones, which hold what tools keep.
OUTSIDE = {"tests", "docs", "training", "build", "dist", "venv", "node_modules", "__pycache__"}

TOTAL = """\
/** Sums the prices of a cart. */
export function cartTotal(prices: number[]): number {
  return sum(prices)
}
function sum(values: number[]): number {
  return values.reduce((left, right) => left + right, 0)
}
"""
SHOP = {"package.json": '{"name": "shop"}\n', "src/total.ts": TOTAL}

#: Distributions whose modules have other names. pydantic_core and mcp_types are parts of the ones that pin their versions.
DISTRIBUTIONS = {
    "re2": "google_re2",
    "yaml": "pyyaml",
    "pydantic_core": "pydantic",
    "mcp_types": "mcp",
    "markdown_it": "markdown_it_py",
    "IPython": "ipython",
}


def package_folders() -> Iterator[Path]:
    """Every folder of the repository that is a package, the root included."""
    for folder, names, files in os.walk(ROOT):
        names[:] = [name for name in names if name not in OUTSIDE and not name.startswith(".") and not name.endswith(".egg-info")]
        if "__init__.py" in files:
            yield Path(folder)


def package_files() -> set[str]:
    """Paths in the wheel of everything that lies in a package; of the root folder only what is code or marks it as typed."""
    found = set()
    for folder in package_folders():
        for file in folder.iterdir():
            belongs = folder != ROOT or (file.suffix == ".py" and file.name != "setup.py") or file.name == "py.typed"
            if file.is_file() and belongs and not file.name.startswith("."):
                found.add("astrolabe/" + file.relative_to(ROOT).as_posix())
    # A build adds the facts of our own declarations.
    languages = ROOT / "ingest/languages"
    stubs = [file.relative_to(ROOT).with_suffix(".facts") for file in languages.glob("*/*/*.stub")]
    found |= {f"astrolabe/{file.as_posix()}" for file in stubs} | {"astrolabe/ingest/languages/typescript/runtime/runtime.facts"}
    # The built page of the console is no package.
    found |= {"astrolabe/" + file.relative_to(ROOT).as_posix() for file in (ROOT / "server/web/static").iterdir()}
    return found


def third_party_modules() -> set[str]:
    """Names of the modules of others that the package imports."""
    found = set()
    for folder in package_folders():
        for file in folder.glob("*.py"):
            if file == ROOT / "setup.py":
                continue
            for node in ast.walk(ast.parse(file.read_bytes())):
                if isinstance(node, ast.Import):
                    found |= {alias.name.partition(".")[0] for alias in node.names}
                elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                    found.add(node.module.partition(".")[0])
    return found - sys.stdlib_module_names


@pytest.fixture(scope="session")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the repository: a build leaves files in its source folder, and old ones there would slip in."""
    source = tmp_path_factory.mktemp("source") / "astrolabe"
    left_out = shutil.ignore_patterns(".*", "*.egg-info", *(OUTSIDE - {"tests"}))
    shutil.copytree(ROOT, source, ignore=left_out)
    return source


def build(source: Path, target: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Build a wheel into `target`."""
    command = [sys.executable, "-P", "-m", "build", "--wheel", "--no-isolation", "--outdir", str(target), str(source)]
    return subprocess.run(command, capture_output=True, text=True, cwd=target, env={**os.environ, **environment})


@pytest.fixture(scope="session")
def wheel(source: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, left as Python on demand; the tests themselves run on what the README's command has compiled."""
    target = tmp_path_factory.mktemp("wheel")
    build(source, target, COMPILE_ASTROLABE="0").check_returncode()
    (built,) = target.glob("*.whl")
    return built


@pytest.fixture(scope="session")
def contents(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


@pytest.fixture(scope="session")
def metadata(wheel: Path) -> Message:
    with zipfile.ZipFile(wheel) as archive:
        (path,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        return message_from_bytes(archive.read(path))


@pytest.fixture(scope="session")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of scripts of an environment that has the wheel; dependencies come from the environment of the tests."""
    environment = tmp_path_factory.mktemp("environment")
    venv.create(environment, with_pip=False)
    paths = sysconfig.get_paths(vars={"base": str(environment), "platbase": str(environment)})
    scripts = Path(paths["scripts"])
    pip = [sys.executable, "-P", "-m", "pip", "--python", str(scripts / "python"), "--disable-pip-version-check"]
    subprocess.run([*pip, "install", "--no-deps", "--no-index", "--quiet", str(wheel)], check=True, capture_output=True)
    # Dependencies come last on the path, and only now: an astrolabe among them must neither count as installed nor be seen.
    dependencies = {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}
    Path(paths["purelib"], "dependencies.pth").write_text("\n".join(sorted(dependencies)) + "\n", encoding="utf-8")
    return scripts


@pytest.fixture(scope="session")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("elsewhere") / "shop"
    for name, text in SHOP.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    return root


def run(command: list[str], folder: Path) -> str:
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "ASTROLABE_"))}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_list_of_packages_is_complete() -> None:
    names = {".".join(["astrolabe", *folder.relative_to(ROOT).parts]) for folder in package_folders()}
    assert set(PROJECT["tool"]["setuptools"]["packages"]) == names


def test_the_wheel_holds_the_package_and_nothing_else(contents: set[str]) -> None:
    assert {name for name in contents if ".dist-info/" not in name} == package_files()


@pytest.mark.parametrize(
    "name",
    [
        "py.typed",
        "schema/graph.cypher",
        "ingest/languages/python/declarations.scm",
        "ingest/languages/typescript/runtime/ecmascript.d.ts",
        "retrieval/embedding/static-code-256.weights",
        "retrieval/embedding/question-reader.weights",
        "retrieval/embedding/LICENSE-APACHE-2.0.txt",
        "retrieval/ranking/ranker/ranker.json",
        "retrieval/ranking/ranker/kind_words.json",
        "server/display/graph_picture.css",
        "server/display/graph_picture.js",
    ],
)
def test_the_wheel_holds_what_is_read_at_run_time(contents: set[str], name: str) -> None:
    assert f"astrolabe/{name}" in contents


@pytest.mark.parametrize("path", PROJECT["project"]["license-files"])
def test_the_wheel_holds_the_licences(contents: set[str], path: str) -> None:
    assert any(name.endswith(f".dist-info/licenses/{path}") for name in contents)


def test_the_metadata_says_what_it_is(metadata: Message) -> None:
    assert metadata["Name"] == "astrolabe-code"
    assert metadata["Version"] == astrolabe.__version__
    assert metadata["Requires-Python"] == ">=3.11"
    assert metadata["License-Expression"] == "MIT"
    assert metadata["Description-Content-Type"] == "text/markdown"


def test_a_build_requires_the_versions_that_run() -> None:
    """Facts that are written during a build have the versions of the grammars in their key."""
    required = set(PROJECT["build-system"]["requires"])
    assert {each for each in required if not each.startswith(("mypy", "setuptools"))} <= set(PROJECT["project"]["dependencies"])


def test_dependencies_are_what_the_code_imports() -> None:
    """None is installed for nothing, and none is there only because another one happens to bring it."""
    project = PROJECT["project"]
    extras = project["optional-dependencies"]
    # The last one of `rerank` is data.
    requirements = [*project["dependencies"], *extras["ladybug"], *extras["notebook"], *extras["voyage"], *extras["rerank"][:-1]]
    declared = {re.split(r"[<>=!~]", requirement)[0].replace("-", "_") for requirement in requirements}
    # Grammars are imported by their names in the table of languages, and pandas by its name.
    by_name = {language.grammar.replace("-", "_") for language in LANGUAGES if language.grammar} | {"pandas"}
    imported = third_party_modules() | by_name
    # What trains the models is installed by hand.
    assert {DISTRIBUTIONS.get(module, module) for module in imported} - {"torch", "lightgbm"} == declared


@pytest.fixture
def refusal(tmp_path: Path) -> str:
    """A folder for PYTHONPATH with a mypyc that refuses to compile."""
    (tmp_path / "mypyc").mkdir()
    (tmp_path / "mypyc" / "__init__.py").touch()
    (tmp_path / "mypyc" / "build.py").write_text("def mypycify(*a, **b):\n    raise SystemExit('this Python is too new')\n")
    return str(tmp_path)


@pytest.mark.long
def test_a_failure_to_compile_is_said_and_kept(source: Path, refusal: str, tmp_path: Path) -> None:
    done = build(source, tmp_path, PYTHONPATH=refusal, COMPILE_ASTROLABE="")
    assert "WARNING: lowering and the type engine stay Python" in done.stderr
    (built,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(built) as archive:
        assert archive.read("astrolabe/not_compiled.txt") == b"this Python is too new\n"


@pytest.mark.long
def test_a_failure_to_compile_is_an_error_where_compiling_is_demanded(source: Path, refusal: str, tmp_path: Path) -> None:
    done = build(source, tmp_path, PYTHONPATH=refusal, COMPILE_ASTROLABE="1")
    assert done.returncode != 0
    assert "could not be compiled, as COMPILE_ASTROLABE=1 demands: this Python is too new" in done.stderr
    assert list(tmp_path.glob("*.whl")) == []


def test_the_installed_command_indexes_and_searches(installed: Path, shop: Path) -> None:
    command = str(installed / "astrolabe")
    report = json.loads(run([command, "index", "--json"], shop))
    assert (report["outcome"], report["counts"]["File"], report["counts"]["CALLS"]) == ("built", 1, 1)
    found = json.loads(run([command, "search", "--json", "add up the prices of a shopping cart"], shop))
    assert [found["results"][0][key] for key in ("file", "name", "startLine")] == ["src/total.ts", "cartTotal", 1]


def test_the_installed_package_has_facts_of_our_declarations(installed: Path, shop: Path) -> None:
    """They are loaded: where a declaration has to be parsed, the object that is no cache would be asked for its facts."""
    program = (
        "from astrolabe.ingest.languages.java.runtime_facts import RUNTIME\n"
        "from astrolabe.ingest.languages.typescript.runtime_facts import cached_runtime_facts\n"
        "print(RUNTIME.facts('java.util', object()).package, cached_runtime_facts(object()).language)"
    )
    assert run([str(installed / "python"), "-c", program], shop) == "java.util typescript\n"


def test_the_installed_package_is_the_one_that_runs(installed: Path, shop: Path) -> None:
    place = run([str(installed / "python"), "-c", "import astrolabe; print(astrolabe.__file__)"], shop)
    assert Path(place.strip()).is_relative_to(installed.parent)
