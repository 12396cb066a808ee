"""Packages of Python: what their manifests say, and what imports mean by them."""

from __future__ import annotations

from pathlib import Path

import pytest
from astrolabe.ingest.files.discovery import discover
from astrolabe.ingest.files.workspace_files import WorkspaceFiles
from astrolabe.ingest.languages.workspace_modules import WorkspaceModules, read_modules
from astrolabe.schema.records import Dependency, ModuleRecord
from astrolabe.schema.settings import Settings
from written_workspace import target_of, write


def modules_of(root: Path, text: str) -> WorkspaceModules:
    write(root, text)
    found = discover(root, Settings())
    return read_modules(WorkspaceFiles(root, [file.relative_path for file in found.files], found.configuration_files))


STANDARD = """
//- pyproject.toml
[build-system]
requires = ["hatchling"]

[project]
name = "Shop.Core"
dynamic = ["version"]
dependencies = [
    "Requests[socks] >=2.31, <3 ; python_version < '3.9'",
    "zope.interface",
    "pay (>=1)",
    "tool @ git+https://example.com/tool.git",
]

[project.optional-dependencies]
redis = ["redis>=5", "shop-core[extra]"]
dev = ["mypy==1.18"]

[dependency-groups]
test = ["pytest>=8", {include-group = "lint"}]
lint = ["ruff"]

[tool.hatch.version]
path = "src/shop/__about__.py"
//- src/shop/__about__.py
__version__: str = "1.4.0"
//- src/shop/__init__.py
"""


def test_a_package_by_the_standard(tmp_path: Path) -> None:
    found = modules_of(tmp_path, STANDARD)
    assert found.modules == [ModuleRecord(".", "Shop.Core", "python", "pyproject.toml", "1.4.0", None)]
    assert found.dependencies == [
        Dependency(".", "requests", ">=2.31, <3", "dependencies"),
        Dependency(".", "zope-interface", "", "dependencies"),
        Dependency(".", "pay", ">=1", "dependencies"),
        Dependency(".", "tool", "git+https://example.com/tool.git", "dependencies"),
        Dependency(".", "redis", ">=5", "optionalDependencies"),
        Dependency(".", "mypy", "==1.18", "devDependencies"),
        Dependency(".", "pytest", ">=8", "devDependencies"),
        Dependency(".", "ruff", "", "devDependencies"),
    ]


TOOLS = """
//- poetry/pyproject.toml
[tool.poetry]
name = "p"
version = "2.0"
packages = [{include = "p", from = "lib"}]
[tool.poetry.dependencies]
python = "^3.11"
click = "^8.1"
rich = {version = ">=13", optional = true}
numpy = [{version = "1", python = "<3.12"}, {version = "2", python = ">=3.12"}]
[tool.poetry.group.dev.dependencies]
pytest = "*"
//- poetry/lib/p/__init__.py
//- flit/pyproject.toml
[build-system]
build-backend = "flit_core.buildapi"
[project]
name = "flat-pack"
dynamic = ["version", "description"]
//- flit/flat_pack/__init__.py
__version__ = "0.3"
//- config/setup.cfg
[metadata]
name = configured
version = attr: configured.__version__
[options]
package_dir =
    = lib
install_requires =
    attrs>=22  # why
    six; python_version < "3"
[options.extras_require]
docs = sphinx
[tool:pytest]
addopts = -q
//- config/setup.py
from setuptools import setup
setup()
//- config/lib/configured/__init__.py
__version__ = "5.1"
//- script/setup.py
import os
from setuptools import find_packages, setup

NAME = "scripted"
COMMON = ["click>=8"]
REQUIRED = COMMON + ["flask"]
setup(
    name=NAME,
    version="3" + ".2",
    packages=find_packages("source"),
    install_requires=REQUIRED,
    extras_require={"async": ["anyio", os.environ["X"]], "tests": "pytest"},
)
//- script/source/scripted/__init__.py
//- tools/pyproject.toml
[tool.black]
line-length = 100
//- tools/setup.cfg
[flake8]
max-line-length = 100
//- tools/run.py
"""


def test_packages_by_other_tools(tmp_path: Path) -> None:
    found = modules_of(tmp_path, TOOLS)
    assert [(module.id, module.name, module.version, module.manifest_path) for module in found.modules] == [
        ("config", "configured", "5.1", "config/setup.cfg"),
        ("flit", "flat-pack", "0.3", "flit/pyproject.toml"),
        ("poetry", "p", "2.0", "poetry/pyproject.toml"),
        ("script", "scripted", "3.2", "script/setup.py"),
    ]
    assert [(each.module_id, each.package, each.version_range, each.section) for each in found.dependencies] == [
        ("config", "attrs", ">=22", "dependencies"),
        ("config", "six", "", "dependencies"),
        ("config", "sphinx", "", "devDependencies"),
        ("poetry", "click", "^8.1", "dependencies"),
        ("poetry", "rich", ">=13", "optionalDependencies"),
        ("poetry", "numpy", "1", "dependencies"),
        ("poetry", "pytest", "*", "devDependencies"),
        ("script", "click", ">=8", "dependencies"),
        ("script", "flask", "", "dependencies"),
        ("script", "anyio", "", "optionalDependencies"),
        ("script", "pytest", "", "devDependencies"),
    ]
    assert found.module_of("tools/run.py") is None
    assert found.root_name == ""


MIXED = """
//- package.json
{"private": true, "devDependencies": {"vite": "^6"}}
//- pyproject.toml
[project]
name = "site"
version = "1"
dependencies = ["django"]
//- api/package.json
{"type": "module"}
//- api/setup.py
from setuptools import setup
setup(name="api", install_requires=open("requirements.txt").read().splitlines())
//- api/requirements.txt
-r base.txt
--index-url https://example.com
# comment
fastapi==0.115.0 --hash=sha256:0
uvicorn[standard]>=0.3  # why
./local
//- api/worker/pyproject.toml
[project]
name = "worker"
"""


def test_manifests_of_two_languages_in_one_folder(tmp_path: Path) -> None:
    found = modules_of(tmp_path, MIXED)
    assert found.modules == [
        ModuleRecord(".", "site", "npm", "package.json", "1", None),
        ModuleRecord("api", "api", "python", "api/setup.py", "", "."),
        ModuleRecord("api/worker", "worker", "python", "api/worker/pyproject.toml", "", "api"),
    ]
    assert found.dependencies == [
        Dependency(".", "vite", "^6", "devDependencies"),
        Dependency(".", "django", "", "dependencies"),
        Dependency("api", "fastapi", "==0.115.0", "dependencies"),
        Dependency("api", "uvicorn", ">=0.3", "dependencies"),
    ]


BROKEN = [
    ("pyproject.toml", "[project\nname = 1", 1),
    ("pyproject.toml", "a = 1\n[project]\nname = ", 3),
    ("pyproject.toml", "a = " + "[" * 5_000, 1),
    ("setup.cfg", "name = before any section", 1),
    ("setup.cfg", "[metadata]\nname = x\n  and\nnothing here", 4),
    ("setup.py", "from setuptools import setup\nsetup(name='a', print 'b')", 2),
    ("setup.py", "\x00", 1),
]


@pytest.mark.parametrize(("name", "text", "line"), BROKEN, ids=range(len(BROKEN)))
def test_a_damaged_manifest_is_a_problem(tmp_path: Path, name: str, text: str, line: int) -> None:
    found = modules_of(tmp_path, f"//- pkg/{name}\n{text}\n//- pkg/a.py\n")
    [(path, problem)] = found.problems.items()
    assert (path, problem.line) == (f"pkg/{name}", line)
    assert [module.name for module in found.modules] == ["pkg"]


ODD = [
    ("pyproject.toml", "project = 3\ntool = []\ndependency-groups = 'x'"),
    ("pyproject.toml", "[project]\nname = 5\ndependencies = {a = 1}\noptional-dependencies = [1]\ndynamic = 1"),
    ("pyproject.toml", "[tool.poetry]\npackages = [1, {from = 2}]\ndependencies = 'x'\ngroup = {dev = 1}"),
    ("setup.cfg", "[options.packages.find]\nwhere = ../../..\n[metadata]\nversion = attr:"),
    ("setup.py", "setup(**{1: 2}, **kwargs)\nA = A\nB: int"),
    ("setup.py", "def setup(name): pass\nlambda: setup(*a, author='x')"),
    ("setup.py", "setup = 1\nsetup(name)"),
]


@pytest.mark.parametrize(("name", "text"), ODD, ids=range(len(ODD)))
def test_an_odd_manifest_declares_nothing(tmp_path: Path, name: str, text: str) -> None:
    found = modules_of(tmp_path, f"//- pkg/{name}\n{text}\n//- pkg/a.py\n")
    assert (found.modules, found.dependencies, found.problems) == ([], [], {})


# Source folders that only manifests name, and packages that are not named like their folders.
LAYOUTS = """
//- poetry/pyproject.toml
[tool.poetry]
name = "one"
packages = [{include = "ns", from = "lib"}]
dependencies = {redis = "*", two = "*"}
//- poetry/lib/ns/one/mod.py
//- poetry/lib/ns/one/types.py
//- mapped/setup.py
from setuptools import setup
setup(name="mapped", package_dir={"tool": "code"})
//- mapped/code/__init__.py
//- mapped/code/inner.py
//- hatch/pyproject.toml
[project]
name = "two"
[tool.hatch.build.targets.wheel]
packages = ["python/two"]
[tool.pytest.ini_options]
pythonpath = ["tests/support"]
//- hatch/python/two/__init__.py
//- hatch/tests/support/fakes.py
//- hatch/tests/test_two.py
//- hatch/tests/more/deep.py
//- hatch/examples/pydantic/__init__.py
//- vendor/redis/__init__.py
//- main.py
"""

IN_LAYOUTS = [
    ("main.py", "ns.one.mod", "poetry/lib/ns/one/mod.py"),
    ("poetry/lib/ns/one/mod.py", "types", "python:types"),
    ("poetry/lib/ns/one/mod.py", "ns.one.types", "poetry/lib/ns/one/types.py"),
    ("poetry/lib/ns/one/mod.py", "two", "hatch/python/two/__init__.py"),
    ("main.py", "tool", "mapped/code/__init__.py"),
    ("main.py", "tool.inner", "mapped/code/inner.py"),
    ("hatch/tests/test_two.py", "two", "hatch/python/two/__init__.py"),
    ("hatch/tests/test_two.py", "fakes", "hatch/tests/support/fakes.py"),
    ("hatch/tests/test_two.py", "deep", "hatch/tests/more/deep.py"),
    ("hatch/tests/test_two.py", "pydantic", "pydantic"),
    ("main.py", "pydantic", "hatch/examples/pydantic/__init__.py"),
    # The manifest says that it comes from elsewhere.
    ("main.py", "redis", "redis"),
]


@pytest.mark.parametrize(("path", "specifier", "wanted"), IN_LAYOUTS)
def test_imports_by_the_layout_that_manifests_say(tmp_path: Path, path: str, specifier: str, wanted: str) -> None:
    write(tmp_path, LAYOUTS)
    assert target_of(tmp_path, path, specifier) == wanted
