"""Compile lowering and the type engine with mypyc if a C compiler is available, and read our own declarations of libraries.

All other settings are in pyproject.toml. Compiled modules take two thirds of the time. Without a compiler, or with a Python that
mypyc does not support, the same modules run as Python, with the same results. pip prints messages of this file only with
`--verbose`, so the package also contains the reason, which `astrolabe status` shows.

With `COMPILE_ASTROLABE=1`, an installation that cannot compile fails, as in the builds of mypy and black. With
`COMPILE_ASTROLABE=0`, nothing is compiled. An editable install never compiles, because edits would have no effect.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from setuptools import setup
from setuptools.command.build_ext import build_ext
from setuptools.command.build_py import build_py
from setuptools.errors import BaseError

SELF = Path(__file__).resolve()
ROOT = SELF.parent
#: "1": compile or fail. "0": do not compile. "": compile if possible.
WANTED = os.environ.get("COMPILE_ASTROLABE", "")
#: Layers that the engine imports. mypyc needs their types.
LAYERS = ("schema", "ingest")
COMPILED = (
    "ingest/symbols",
    "ingest/nominal",
    "ingest/nominal/call_sites",
    "ingest/nominal/edges",
    "ingest/nominal/items",
    "ingest/nominal/overloading",
    "ingest/languages/go/lowering",
    "ingest/languages/java/lowering",
    "ingest/languages/python/lowering",
    "ingest/languages/typescript/lowering",
    "ingest/languages/typescript/lowering/jsdoc",
    "ingest/languages/typescript/lowering/source_file",
    "ingest/languages/typescript/resolve",
    "ingest/languages/typescript/resolve/edges",
    "ingest/languages/typescript/resolve/model",
    "ingest/languages/typescript/resolve/narrowing",
)
#: Folder of the generated C code, below the build folder of setuptools.
GENERATED = "build/engine"
#: File of the package with the reason why it was not compiled.
REASON = "astrolabe/not_compiled.txt"
#: Commands that build an installation. Other commands (metadata, requirements) need no extension.
BUILDS = {"bdist_wheel", "build", "build_ext", "install"}


def staged_modules(folder: Path) -> list[str]:
    """Copy the layers to `folder/astrolabe`, because mypyc names modules after folders, and return the modules to compile."""
    package = folder / "astrolabe"
    for layer in LAYERS:
        shutil.copytree(ROOT / layer, package / layer, ignore=lambda _, names: [n for n in names if n == "__pycache__"])
    package.joinpath("__init__.py").touch()
    modules = (path for layer in COMPILED for path in sorted((package / layer).glob("*.py")))
    return [str(path) for path in modules if path.name != "__init__.py"]


def engine_extensions() -> list[Any]:
    """Return the extensions of the compiled engine. Raises ImportError if mypyc is missing, and SystemExit if mypyc reports an
    error.
    """
    from mypyc.build import mypycify

    with TemporaryDirectory() as folder:
        options = ["--config-file=", "--ignore-missing-imports", "--follow-untyped-imports", *staged_modules(Path(folder))]
        return mypycify(
            options, opt_level="1", debug_level="0", multi_file=True, target_dir=GENERATED, group_name="astrolabe_engine"
        )


def stays_python(error: BaseException, build_folder: str) -> None:
    """Print why nothing is compiled, and write the reason into the package. Raises SystemExit if compilation is required."""
    if WANTED == "1":
        raise SystemExit(f"lowering and the type engine could not be compiled, as COMPILE_ASTROLABE=1 demands: {error}")
    print(f"WARNING: lowering and the type engine stay Python, which takes half as long again: {error}", file=sys.stderr)
    note = Path(build_folder, REASON)
    note.parent.mkdir(parents=True, exist_ok=True)
    note.write_text(f"{error}\n", encoding="utf-8")


def write_declarations(package: Path) -> None:
    """Write the facts of our own declarations of the languages' libraries into the package, so that no index parses them.

    They come from the code in the package and from the installed grammars. If they cannot be read, an index parses the
    declarations. Raises SystemExit if COMPILE_ASTROLABE=1 demands a complete build.
    """
    for stale in (each for ending in ("*.so", "*.pyd") for each in package.rglob(ending)):
        stale.unlink()  # compiled by an earlier build in this folder, from other code
    module = "astrolabe.ingest.languages.built_declarations"
    paths = os.pathsep.join(filter(None, (str(package.parent.resolve()), os.environ.get("PYTHONPATH"))))
    environment = {**os.environ, "PYTHONPATH": paths, "PYTHONDONTWRITEBYTECODE": "1"}
    target = str(package / "ingest" / "languages")
    done = subprocess.run([sys.executable, "-P", "-m", module, target], check=False, env=environment)
    if done.returncode == 0:
        return
    if os.environ.get("COMPILE_ASTROLABE") == "1":
        raise SystemExit("our own declarations could not be read, as COMPILE_ASTROLABE=1 demands")
    print("WARNING: our own declarations could not be read, so each new index parses them", file=sys.stderr)
    for partial in package.rglob("*.facts"):
        partial.unlink()


class PackageAlone(build_py):
    """Leaves out this file, which is beside the package's modules because the root folder is the package."""

    def run(self) -> None:
        Path(self.build_lib, REASON).unlink(missing_ok=True)  # a file of an earlier build in this folder
        super().run()
        if not self.editable_mode:
            write_declarations(Path(self.build_lib, "astrolabe"))
        if refused is not None:
            stays_python(refused, self.build_lib)

    def find_package_modules(self, package: str, package_dir: str) -> list[tuple[str, str, str]]:
        found = super().find_package_modules(package, package_dir)  # type: ignore[no-untyped-call]
        return [module for module in found if Path(module[2]).resolve() != SELF]


class BuildWhereItWorks(build_ext):
    """Builds all extensions or none."""

    def run(self) -> None:
        try:
            super().run()
        except (BaseError, OSError) as error:
            stays_python(error, self.build_lib)
            for extension in self.extensions:
                Path(self.get_ext_fullpath(extension.name)).unlink(missing_ok=True)
            self.extensions = []

    def build_extensions(self) -> None:
        one = self.compiler.compile

        def all_at_once(sources: list[str], *arguments: Any, **options: Any) -> list[str]:
            with ThreadPoolExecutor(os.cpu_count()) as pool:
                made = pool.map(lambda source: one([source], *arguments, **options), sources)
                return [path for paths in made for path in paths]

        self.compiler.compile = all_at_once
        super().build_extensions()


extensions: list[Any] = []
#: Why mypyc created no extensions.
refused: BaseException | None = None
if WANTED != "0" and not BUILDS.isdisjoint(sys.argv):
    try:
        extensions = engine_extensions()
    except (ImportError, SystemExit) as error:  # mypycify reports errors by SystemExit
        refused = error
setup(ext_modules=extensions, cmdclass={"build_ext": BuildWhereItWorks, "build_py": PackageAlone})
