"""Compiles lowering and the type engine with mypyc where a C compiler is at hand; everything else is in pyproject.toml.

Compiled, they take two thirds of the time. Where they cannot be compiled (no compiler, a Python that mypyc does not know
yet), the same modules run as Python, with the same results. `ASTROLABE_PURE=1` asks for that; an editable install always
does, or edits would have no effect.
"""

from __future__ import annotations

import os
import shutil
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
#: Layers that the engine imports, so that mypyc knows their types.
LAYERS = ("schema", "ingest")
COMPILED = (
    "ingest/symbols",
    "ingest/languages/typescript/lowering",
    "ingest/languages/typescript/lowering/constructs",
    "ingest/languages/typescript/lowering/jsdoc",
    "ingest/languages/typescript/resolve",
    "ingest/languages/typescript/resolve/edges",
    "ingest/languages/typescript/resolve/model",
)
#: Where the generated C goes, below the folder that setuptools builds in.
GENERATED = "build/engine"
#: Commands that make something to install; the others (metadata, requirements) need no extension.
BUILDS = {"bdist_wheel", "build", "build_ext", "install"}


def staged_modules(folder: Path) -> list[str]:
    """Copies the layers to `folder/astrolabe`, since mypyc names modules after folders; gives the modules to compile."""
    package = folder / "astrolabe"
    for layer in LAYERS:
        shutil.copytree(ROOT / layer, package / layer, ignore=lambda _, names: [n for n in names if n == "__pycache__"])
    package.joinpath("__init__.py").touch()
    modules = (path for layer in COMPILED for path in sorted((package / layer).glob("*.py")))
    return [str(path) for path in modules if path.name != "__init__.py"]


def engine_extensions() -> list[Any]:
    """The extensions of the compiled engine; none where mypyc is missing or refuses."""
    try:
        from mypyc.build import mypycify
    except ImportError:
        return []
    with TemporaryDirectory() as folder:
        options = ["--config-file=", "--ignore-missing-imports", "--follow-untyped-imports", *staged_modules(Path(folder))]
        try:
            return mypycify(
                options, opt_level="1", debug_level="0", multi_file=True, target_dir=GENERATED, group_name="astrolabe_engine"
            )
        except SystemExit as stopped:  # how mypycify reports what it cannot compile
            print(f"lowering and the type engine stay Python: {stopped}", file=sys.stderr)
            return []


class PackageAlone(build_py):
    """Leaves this file out: it lies beside the package's modules, since the root folder is the package."""

    def find_package_modules(self, package: str, package_dir: str) -> list[tuple[str, str, str]]:
        found = super().find_package_modules(package, package_dir)  # type: ignore[no-untyped-call]
        return [module for module in found if Path(module[2]).resolve() != SELF]


class BuildWhereItWorks(build_ext):
    """Builds the extensions, all or none of them."""

    def run(self) -> None:
        try:
            super().run()
        except (BaseError, OSError) as error:
            print(f"lowering and the type engine stay Python: {error}", file=sys.stderr)
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


wanted = not os.environ.get("ASTROLABE_PURE") and not BUILDS.isdisjoint(sys.argv)
setup(ext_modules=engine_extensions() if wanted else [], cmdclass={"build_ext": BuildWhereItWorks, "build_py": PackageAlone})
