"""Sources that commands, pages and files of configuration name: what no import leads to, but people and machines start."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from ...files.workspace_files import join_path
from .module_resolution import ModuleResolver

#: A name with the extension of a source.
_FILE = re.compile(r"(?<![\w@])[\w@./-]+\.[cm]?[jt]sx?\b")
#: Programs that run the file which follows them, its extension or `/index` left out.
_RUNNER = re.compile(
    r"(?<![\w./-])(?:node|tsx|ts-node(?:-dev|-esm|-script)?|tsnd|nodemon|vite-node|esno|jiti|babel-node|zx|electron)"
    r"[ \t]+([^|&;'\"\n]*)"
)
#: Fields of a package.json whose values say nothing of what is loaded.
_DESCRIBING = re.compile(
    r"name|description|keywords|version|repository|homepage|bugs|license|author|contributors|sideEffects|lint-staged|scripts"
    r"|.*[dD]ependencies|overrides|resolutions|typesVersions|publishConfig"
)
#: Beside a package.json, files in which a tool is told what to load; and at the root, files with commands.
_TOLD_BESIDE = ("angular.json", "project.json", "nest-cli.json", "nodemon.json", ".mocharc.json", "wrangler.toml", "Dockerfile")
_TOLD_AT_ROOT = (".github/workflows/*.y*ml", ".github/actions/*/action.y*ml", ".husky/*", "Makefile", "Procfile", "netlify.toml")
#: A file of commands that is larger than this is none that people wrote.
_LARGEST = 200_000

_HTML_SCRIPT = re.compile(rb"""<script\b[^>]*\bsrc\s*=\s*["']([^"'?#]+)""", re.IGNORECASE)
_HTML_MODULE = re.compile(rb"""<script\b[^>]*\bmodule\b[^>]*>(.*?)</script""", re.IGNORECASE | re.DOTALL)
_IMPORTED = re.compile(rb"""(?:\bfrom|\bimport)\s*\(?\s*["'](\.{0,2}/[^"'?#]+)""")


def run_by_scripts(data: Mapping[str, object], folder: str, resolver: ModuleResolver) -> Iterator[str]:
    """What the scripts of a package.json run."""
    scripts = data.get("scripts")
    for script in scripts.values() if isinstance(scripts, dict) else ():
        if isinstance(script, str):
            yield from _in_commands(script, folder, resolver)


def named_in_manifest(data: Mapping[str, object], folder: str, resolver: ModuleResolver) -> Iterator[str]:
    """What other fields of a package.json name: the settings of a test runner, say."""
    pending = [value for field, value in data.items() if not _DESCRIBING.fullmatch(field)]
    while pending:
        value = pending.pop()
        if isinstance(value, dict):
            pending += value.values()
        elif isinstance(value, list):
            pending += value
        elif isinstance(value, str) and _FILE.fullmatch(value):
            yield from source_named(value, folder, resolver)


def named_beside(root: Path, folder: str, resolver: ModuleResolver) -> Iterator[str]:
    """What files of configuration in the folder of a package name, which are no sources themselves."""
    for name in _TOLD_BESIDE:
        yield from _in_commands(_text(root / folder / name), folder, resolver)


def named_at_root(root: Path, resolver: ModuleResolver) -> Iterator[str]:
    """What the commands of workflows, hooks and the like run."""
    for pattern in _TOLD_AT_ROOT:
        for path in sorted(root.glob(pattern)):
            yield from _in_commands(_text(path), "", resolver)


def loaded_by_pages(root: Path, folder: str, sources: set[str]) -> Iterator[str]:
    """What the pages of HTML in the folder of a package load, by address or in scripts of their own."""
    for page in (*sorted((root / folder).glob("*.html")), root / folder / "public" / "index.html"):
        text = page.read_bytes() if page.is_file() else b""
        named = _HTML_SCRIPT.findall(text)
        named += [name for script in _HTML_MODULE.findall(text) for name in _IMPORTED.findall(script)]
        for name in named:
            path = join_path(folder, name.decode("utf-8", "replace").lstrip("/"))
            if path in sources:
                yield str(path)


def source_named(name: str, folder: str, resolver: ModuleResolver) -> Iterator[str]:
    """The source of a name, as seen from the folder of a package: the very file, and the one it is built from."""
    path = join_path(folder, name)
    if path is not None and resolver.is_source(path):
        yield path
    if built := resolver.source_of(folder, name):
        yield built


def _in_commands(text: str, folder: str, resolver: ModuleResolver) -> Iterator[str]:
    for name in _FILE.findall(text):
        yield from source_named(name, folder, resolver)
    for arguments in _RUNNER.findall(text):
        for name in _words(arguments):
            yield from source_named(name, folder, resolver)


def _words(arguments: str) -> Iterable[str]:
    """The arguments that may name a file without its extension."""
    return (word for word in arguments.split() if not word.startswith("-") and re.fullmatch(r"[\w@./-]+", word))


def _text(path: Path) -> str:
    if not path.is_file() or path.stat().st_size > _LARGEST:
        return ""
    return path.read_text("utf-8", "replace")
