"""Exclude dependencies, tool output, and folders that look like the output of a build.

The table contains names that have the same role in every project. Four decisions need a reason:

- Hidden folders are included by default, because `.storybook` or `.github` contain sources that people wrote.
  Known caches and tool folders are excluded.
- Generated sources (`routes.gen.ts`, `schema_pb.ts`) are indexed, because code imports them and uses their types.
  The output of bundlers and minifiers is excluded.
- `vendor`, `target`, `bin` and `obj` contain dependencies or output beside the manifests of some languages (`go.mod`,
  `Cargo.toml`, a C# project), and sources elsewhere. A folder with a `pyvenv.cfg` is a virtual environment, whatever its name is.
- `build`, `out`, `coverage` and `.vite` are output in some projects and sources in others. Such a folder counts as output
  if it is at the root of a package (beside a package.json or tsconfig.json) and contains no TypeScript source itself.
  If a `.gitignore` is in force, people list their output there, so `out` and `coverage` count as sources unless listed.
  A committed `build` is often a bundle for download, so it is checked anyway. The folder `build` has sources if a build
  script of the package.json runs a program in it. `lib`, `es`, `esm` and similar names
  never count as output.
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection

from ...schema.languages import extension_of
from .ignore_rules import RuleSet, parse_patterns
from .path_roles import TYPESCRIPT_EXTENSIONS, is_declaration_file

#: Folders that are never read and never listed, because they contain nothing that a user wrote.
PRIVATE_FOLDERS = frozenset({".git", ".hg", ".svn", ".jj", ".sl", ".bzr", ".astrolabe"})

#: Patterns in gitignore syntax. `.astrolabeignore` can re-include their matches with `!`.
DEFAULT_PATTERNS = """
node_modules/
bower_components/
jspm_packages/
web_modules/
.yarn/
.pnpm-store/
.pnp.cjs
.pnp.js
.pnp.loader.mjs
dist/
storybook-static/
public/build/
.next/
.nuxt/
.nitro/
.output/
.svelte-kit/
.astro/
.angular/
.docusaurus/
.react-router/
.tanstack/
.vinxi/
.vercel/
.netlify/
.wrangler/
.serverless/
.sst/
.aws-sam/
.expo/
.webpack/
.turbo/
.nx/
.cache/
.temp/
.tmp/
.parcel-cache/
.rollup.cache/
.rpt2_cache*/
.rts2_cache*/
.nyc_output/
.stryker-tmp/
.vscode-test/
.vs/
.idea/
.history/
.gradle/
.terraform/
.venv/
venv/
.tox/
__pycache__/
.ipynb_checkpoints/
site-packages/
.nox/
.eggs/
.bundle/
vendor/bundle/
Pods/
Carthage/
.build/
DerivedData/
.dart_tool/
*.min.js
*.min.mjs
*.min.cjs
*.bundle.js
*.bundle.mjs
*.chunk.js
*.chunk.mjs
"""

DEFAULT_RULES = RuleSet("", parse_patterns(DEFAULT_PATTERNS.split(), "built-in rule"))

#: Names of folders with dependencies or output. A name counts only if a file with one of the listed names or endings is beside
#: the folder.
_BESIDE = {
    "vendor": ("go.mod", "go.work", "composer.json"),
    "target": ("Cargo.toml", "pom.xml", "build.sbt"),
    "bin": (".csproj", ".fsproj", ".vbproj"),
    "obj": (".csproj", ".fsproj", ".vbproj"),
    "build": ("build.gradle", "build.gradle.kts", "setup.py"),
}
#: Names of output folders at the root of a package.
_PACKAGE_OUTPUT = frozenset({"build", "out", "coverage", ".vite"})
#: Names of folders that may contain the output of a build.
OUTPUT_NAMES = frozenset({*_PACKAGE_OUTPUT, *_BESIDE})
#: The `OUTPUT_NAMES` that are checked even if a `.gitignore` is in force.
COMMITTED_OUTPUT_NAMES = frozenset({"build", ".vite", *_BESIDE})
_PACKAGE_MARKS = ("package.json", "tsconfig.json")
#: A script such as `"build": "node build/all.js"`. Scripts that run the built output have other names, such as `start`.
_BUILDS_BY_ITSELF = re.compile(
    rb"""["'](?:pre|post)?(?:build|dist|bundle|compile|prepare|prepack|prepublish)[\w:.-]{0,40}["']\s{0,9}:"""
    rb"""\s{0,9}"[^"\n]{0,200}?(?:\bnode|\bbabel-node|--config|-c)[ ]{1,9}(?:\./)?build["\s&;/]"""
)
#: Maximum number of bytes of a manifest that are searched.
_MAX_MANIFEST = 100_000


def output_folder_reason(folder: str, name: str, siblings: Collection[str]) -> str | None:
    """Return why a folder with one of the `OUTPUT_NAMES` counts as output, or None if it does not.

    `folder` is its absolute path, and `siblings` are the names beside it.
    """
    for mark in _BESIDE.get(name, ()):
        if any(each.endswith(mark) if mark.startswith(".") else each == mark for each in siblings):
            return f"built-in rule: {name}/ beside a {mark}"
    if name not in _PACKAGE_OUTPUT or not any(mark in siblings for mark in _PACKAGE_MARKS):
        return None
    if name == "build" and "package.json" in siblings and _runs_to_build(f"{folder.rpartition(os.sep)[0]}/package.json"):
        return None
    try:
        inside = os.listdir(folder)
    except OSError:
        # The walk reports the same error when it reads the folder.
        return None
    if any(extension_of(entry) in TYPESCRIPT_EXTENSIONS and not is_declaration_file(entry) for entry in inside):
        return None
    return f"built-in rule: {name}/ at a package's root, without TypeScript sources in it"


def _runs_to_build(manifest: str) -> bool:
    """Return whether a build script of a package.json runs a program in the folder `build`."""
    try:
        with open(manifest, "rb") as file:
            return _BUILDS_BY_ITSELF.search(file.read(_MAX_MANIFEST)) is not None
    except OSError:
        return False
