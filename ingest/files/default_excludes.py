"""What is left out when nobody says so: dependencies, what tools produce, and folders that look like a build's output.

The table holds names that mean the same in every project. Four decisions need a word:

- Hidden folders are not left out as such: `.storybook` or `.github` hold sources that people wrote. Known caches and
  tool folders are left out.
- Generated sources (`routes.gen.ts`, `schema_pb.ts`) are indexed, for code imports them and takes its types from them.
  What a bundler or minifier wrote is not.
- `vendor`, `target`, `bin` and `obj` hold dependencies or output beside the manifests of some languages (`go.mod`, `Cargo.toml`,
  a C# project), and sources elsewhere. A folder with a `pyvenv.cfg` is a virtual environment, whatever its name.
- `build`, `out`, `coverage` and `.vite` name output in one project and sources in the next. Such a folder counts as output when
  it stands at the root of a package (beside a package.json or tsconfig.json) and holds no TypeScript source of its own.
  Where a `.gitignore` is in force, people name their output there, and `out` and `coverage` are taken at their word; a
  `build` that is committed is often a bundle for download, so it is judged all the same. `lib`, `es`, `esm` and the like
  are never guessed to be output.
"""

from __future__ import annotations

import os
from collections.abc import Collection

from ...schema.languages import extension_of
from .ignore_rules import RuleSet, parse_patterns
from .path_roles import TYPESCRIPT_EXTENSIONS, is_declaration_file

#: Never entered and never listed: they hold nothing of the user's.
PRIVATE_FOLDERS = frozenset({".git", ".hg", ".svn", ".jj", ".sl", ".bzr", ".astrolabe"})

#: In gitignore syntax; `.astrolabeignore` can re-include any of them with `!`.
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

#: Names of folders that hold dependencies or output where one of these stands beside them, or a file of that ending.
_BESIDE = {
    "vendor": ("go.mod", "composer.json"),
    "target": ("Cargo.toml", "pom.xml", "build.sbt"),
    "bin": (".csproj", ".fsproj", ".vbproj"),
    "obj": (".csproj", ".fsproj", ".vbproj"),
    "build": ("build.gradle", "build.gradle.kts", "setup.py"),
}
#: Names of output at the root of a package.
_PACKAGE_OUTPUT = frozenset({"build", "out", "coverage", ".vite"})
#: Names that may mean a build's output.
OUTPUT_NAMES = frozenset({*_PACKAGE_OUTPUT, *_BESIDE})
#: Those of them that are judged even where a `.gitignore` is in force.
COMMITTED_OUTPUT_NAMES = frozenset({"build", ".vite", *_BESIDE})
_PACKAGE_MARKS = ("package.json", "tsconfig.json")


def output_folder_reason(folder: str, name: str, siblings: Collection[str]) -> str | None:
    """Why a folder with one of the `OUTPUT_NAMES`, at the absolute path `folder`, counts as output; None when it does not."""
    for mark in _BESIDE.get(name, ()):
        if any(each.endswith(mark) if mark.startswith(".") else each == mark for each in siblings):
            return f"built-in rule: {name}/ beside a {mark}"
    if name not in _PACKAGE_OUTPUT or not any(mark in siblings for mark in _PACKAGE_MARKS):
        return None
    try:
        inside = os.listdir(folder)
    except OSError:
        # Entering the folder meets the same error and reports it.
        return None
    if any(extension_of(entry) in TYPESCRIPT_EXTENSIONS and not is_declaration_file(entry) for entry in inside):
        return None
    return f"built-in rule: {name}/ at a package's root, without TypeScript sources in it"
