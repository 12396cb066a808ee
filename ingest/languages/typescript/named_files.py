"""Find sources named by commands, pages and configuration files.

No import refers to these files, but tools and people start them.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from ....schema.paths import folders_above, parent_of
from ...files.jsonc import parse_object
from ...files.tool_configurations import DENO_NAMES
from ...files.workspace_files import join_path
from .module_resolution import ModuleResolver

#: A name with the extension of a source.
_FILE = re.compile(r"(?<![\w@])[\w@./-]+\.[cm]?[jt]sx?\b")
#: Programs that run the file in their next argument, which may lack the extension or `/index`.
_RUNNER = re.compile(
    r"(?<![\w./-])(?:node|tsx|ts-node(?:-dev|-esm|-script)?|tsnd|nodemon|vite-node|esno|jiti|babel-node|zx|electron)"
    r"[ \t]+([^|&;'\"\n]*)"
)
#: The option of a command that names a folder of configuration, such as the option of Storybook.
_CONFIGURATION_FOLDER = re.compile(r"--config-?(?:dir|folder)(?:=|[ \t]+)['\"]?([\w@./-]+)", re.IGNORECASE)
#: Fields of a package.json whose values do not name loaded files.
_DESCRIBING = re.compile(
    r"name|description|keywords|version|repository|homepage|bugs|license|author|contributors|sideEffects|lint-staged|scripts"
    r"|.*[dD]ependencies|overrides|resolutions|typesVersions|publishConfig"
)
#: A folder or file in the field `files` of a package.json, as group 1, and a pattern for everything in the folder.
_PUBLISHED = re.compile(r"/?((?:[\w@.-]+/){0,20}[\w@.-]+)/?(?:(?<=/)(?:\*\*/)?\*{1,2}(?:\.\w+)?)?")
#: Files beside a package.json that configure the files that a tool loads.
_TOOL_SETTINGS = (
    "angular.json",
    "project.json",
    "nest-cli.json",
    "nodemon.json",
    ".mocharc.json",
    ".mocharc.yml",
    ".mocharc.yaml",
    "wrangler.toml",
    "wrangler.json",
    "wrangler.jsonc",
    "cdk.json",
    "vercel.json",
    "Dockerfile",
    "Procfile",
)
#: Files beside a package.json that name the handlers of functions, as in `handler: src/orders.create`.
_FUNCTION_SETTINGS = (
    "serverless.yml",
    "serverless.yaml",
    "serverless.json",
    "serverless.ts",
    "serverless.js",
    "template.yml",
    "template.yaml",
)
#: The option of Nest that names the file to start, without the extension.
_ENTRY_FILE = re.compile(r"--entry-?file(?:=|[ \t]+)['\"]?([\w./-]+)", re.IGNORECASE)
_HANDLER = re.compile(r"""\bhandler['"]?[ \t]*:[ \t]*['"]?([\w./-]+)\.\w+['"]?[ \t]*(?:[,}#]|$)""", re.IGNORECASE | re.MULTILINE)
_CODE_FOLDER = re.compile(r"""\bCodeUri['"]?[ \t]*:[ \t]*['"]?([\w./-]+)""")
#: Files with commands, as globs from the root.
_ROOT_COMMANDS = (
    ".github/workflows/*.y*ml",
    ".github/actions/*/action.y*ml",
    ".husky/*",
    ".circleci/*.y*ml",
    ".gitlab-ci.y*ml",
    "azure-pipelines*.y*ml",
    "bitbucket-pipelines.y*ml",
    "lefthook.y*ml",
    "Jenkinsfile",
    "Makefile",
    "justfile",
    "Taskfile.y*ml",
    "Procfile",
    "netlify.toml",
)
#: Actions of GitHub: the paths in them are relative to their folder.
_ACTIONS = ("action.y*ml", "*/action.y*ml", ".github/actions/*/action.y*ml")
#: The manifest of a browser extension, whose values name scripts and pages.
EXTENSION_MANIFEST = "manifest.json"
#: Usual folders of sources, for built files whose source no configuration names.
_SOURCE_FOLDERS = ("src", "source", "app", "lib", "ts")
_SOURCE_EXTENSIONS = (".ts", ".tsx", ".mts", ".cts", ".js", ".mjs", ".cjs")
_BUILT = re.compile(r"\.[cm]?js$")
#: Maximum size of a file with commands, in bytes. People do not write larger files.
_MAX_FILE_SIZE = 200_000

_HTML_SCRIPT = re.compile(rb"""<script\b[^>]*\bsrc\s*=\s*["']([^"'?#]+)""", re.IGNORECASE)
_HTML_MODULE = re.compile(rb"""<script\b[^>]*\bmodule\b[^>]*>(.*?)</script""", re.IGNORECASE | re.DOTALL)
_IMPORTED = re.compile(rb"""(?:\bfrom|\bimport)\s*\(?\s*["'](\.{0,2}/[^"'?#]+)""")


def run_by_scripts(data: Mapping[str, object], folder: str, resolver: ModuleResolver) -> Iterator[str]:
    """Yield the sources that the scripts of a package.json run."""
    scripts = data.get("scripts")
    for script in scripts.values() if isinstance(scripts, dict) else ():
        if isinstance(script, str):
            yield from _in_commands(script, folder, resolver)


def configured_by_scripts(data: Mapping[str, object], folder: str, sources: Iterable[str]) -> Iterator[str]:
    """Yield the sources in folders that scripts of a package.json name as folders of configuration."""
    scripts = data.get("scripts")
    commands = [script for script in scripts.values() if isinstance(script, str)] if isinstance(scripts, dict) else []
    named = {join_path(folder, name.rstrip("/")) for command in commands for name in _CONFIGURATION_FOLDER.findall(command)}
    yield from (path for path in sources if parent_of(path) in named) if named else ()


def named_in_manifest(data: Mapping[str, object], folder: str, resolver: ModuleResolver) -> Iterator[str]:
    """Yield the sources in other fields of a package.json, such as the settings of a test runner."""
    pending = [value for field, value in data.items() if not _DESCRIBING.fullmatch(field)]
    while pending:
        value = pending.pop()
        if isinstance(value, dict):
            pending += value.values()
        elif isinstance(value, list):
            pending += value
        elif isinstance(value, str) and _FILE.fullmatch(value):
            yield from source_named(value, folder, resolver)


def published_places(data: Mapping[str, object], folder: str) -> Iterator[str]:
    """Yield the folders and files that the field `files` of a package.json publishes, without the patterns behind a folder."""
    listed = data.get("files")
    for each in listed if isinstance(listed, list) and data.get("private") is not True else ():
        named = _PUBLISHED.fullmatch(each) if isinstance(each, str) else None
        place = join_path(folder, named[1]) if named is not None else None
        if place is not None and place != folder:
            yield place


def named_beside(root: Path, folder: str, resolver: ModuleResolver) -> Iterator[str]:
    """Yield the sources that configuration files beside a package.json name.

    The configuration files are not sources themselves.
    """
    for name in _TOOL_SETTINGS:
        yield from _in_commands(text_of(root / folder / name), folder, resolver)
    for name in _FUNCTION_SETTINGS:
        text = text_of(root / folder / name)
        bases = dict.fromkeys(("", *(base.strip("/") for base in _CODE_FOLDER.findall(text))))
        for handler in _HANDLER.findall(text):
            for base in bases:
                yield from source_named(f"{base}/{handler}.js".lstrip("/"), folder, resolver)
    for source_folder, name in _nest_entries(parse_object(text_of(root / folder / "nest-cli.json").encode() or b"{}")[0]):
        yield from source_named(f"{source_folder}/{name}.ts", folder, resolver)
    for name in DENO_NAMES:
        data, _ = parse_object(text_of(root / folder / name).encode() or b"{}")
        # An import map only makes a name importable. There may be no file that imports it.
        started = {field: value for field, value in data.items() if field not in ("imports", "scopes", "importMap")}
        yield from _in_commands(json.dumps(started), folder, resolver)


def _nest_entries(settings: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    """Yield the folder and the name of the file that starts each application in the settings of Nest's command line."""
    projects = settings.get("projects")
    for each in (settings, *(projects.values() if isinstance(projects, dict) else ())):
        if isinstance(each, dict) and "entryFile" in each:
            yield str(each.get("sourceRoot", "src")), str(each["entryFile"])


def loaded_by_extensions(root: Path, pages: Iterable[str], resolver: ModuleResolver) -> Iterator[str]:
    """Yield the sources that the manifests of browser extensions name, such as a service worker.

    The source of a named script is beside the manifest, or in a usual folder of sources.
    """
    for page in (page for page in pages if page.rpartition("/")[2] == EXTENSION_MANIFEST):
        text = text_of(root / page)
        if "manifest_version" not in parse_object(text.encode() or b"{}")[0]:
            continue
        folder = parent_of(page)
        above = parent_of(folder)
        bases = [folder, *(join_path(above, name) for name in _SOURCE_FOLDERS)]
        for name in _FILE.findall(text):
            stem = _BUILT.sub("", name)
            places = [join_path(base, stem + each) for base in bases if base is not None for each in (*_SOURCE_EXTENSIONS, "")]
            found = next((place for place in places if place is not None and resolver.is_source(place)), None)
            if found is not None:
                yield found


def vercel_functions(root: Path, folder: str, sources: Iterable[str]) -> Iterator[str]:
    """Yield the sources that Vercel runs: each file in the folder `api` beside its configuration. No dependency names Vercel."""
    if (root / folder / "vercel.json").is_file():
        begin = f"{join_path(folder, 'api')}/"
        yield from (path for path in sources if path.startswith(begin))


def netlify_functions(root: Path, folder: str, sources: Iterable[str]) -> Iterator[str]:
    """Yield the sources that Netlify runs: files in its folders of functions, and the main files of folders in these.

    Each function is a file `name.js`, `name/name.js` or `name/index.js`. The folders are named in `netlify.toml`.
    """
    try:
        configured = tomllib.loads(text_of(root / folder / "netlify.toml"))
    except (tomllib.TOMLDecodeError, RecursionError):
        return  # Netlify would not start either
    build, functions = configured.get("build"), configured.get("functions")
    named = [build.get("functions"), build.get("edge_functions")] if isinstance(build, dict) else []
    named += [functions.get("directory")] if isinstance(functions, dict) else []
    places = (join_path(folder, name.strip("/")) for name in named if isinstance(name, str))
    folders = {place for place in places if place}
    for path in sources if folders else ():
        around = parent_of(path)
        stem = path.rpartition("/")[2].split(".")[0]
        if around in folders or (parent_of(around) in folders and stem in ("index", around.rpartition("/")[2])):
            yield path


def named_at_root(root: Path, resolver: ModuleResolver) -> Iterator[str]:
    """Yield the sources that the commands of workflows, hooks and similar files run."""
    for pattern in _ROOT_COMMANDS:
        for path in sorted(root.glob(pattern)):
            yield from _in_commands(text_of(path), "", resolver)
    for pattern in _ACTIONS:
        for path in sorted(root.glob(pattern)):
            yield from _in_commands(text_of(path), parent_of(path.relative_to(root).as_posix()), resolver)


def named_by_projects(root: Path, configurations: Iterable[str], resolver: ModuleResolver) -> Iterator[str]:
    """Yield the sources that the `files` of compiler configurations list."""
    for path in sorted(configurations):
        folder, _, name = path.rpartition("/")
        if name.endswith(".json") and name != "package.json" and (root / path).is_file():
            listed = parse_object((root / path).read_bytes())[0].get("files")
            for each in listed if isinstance(listed, list) else ():
                target = join_path(folder, each) if isinstance(each, str) else None
                if target is not None and resolver.is_source(target):
                    yield target


def loaded_by_pages(root: Path, pages: Iterable[str], sources: set[str], resolver: ModuleResolver) -> Iterator[str]:
    """Yield the sources that HTML pages load, by `src` or in inline modules.

    A path from the root of the server is searched in the folder of the page and in the folders above, and in their folders
    `public`. For a built file, its source is yielded.
    """
    for page in (page for page in pages if page.rpartition("/")[2] != EXTENSION_MANIFEST):
        text = (root / page).read_bytes() if (root / page).is_file() else b""
        named = _HTML_SCRIPT.findall(text)
        named += [name for script in _HTML_MODULE.findall(text) for name in _IMPORTED.findall(script)]
        folder = parent_of(page)
        for each in named:
            name = each.decode("utf-8", "replace")
            bases = [base for above in folders_above(folder) for base in (above, join_path(above, "public") or "")]
            for base in bases if name.startswith("/") else (folder,):
                path = join_path(base, name.lstrip("/"))
                if path in sources:
                    yield str(path)
                    break
            else:
                if (path := join_path(folder, name)) is not None and (built := _source_of_built(path, resolver)):
                    yield built


def _source_of_built(path: str, resolver: ModuleResolver) -> str | None:
    """Return the source of a built file. The output folder must be the first or second folder of the path."""
    for base in sorted(folders_above(parent_of(path)), key=len)[-3:]:
        if found := _usual_source(path[len(base) :].lstrip("/"), base, resolver):
            return found
    return None


def source_named(name: str, folder: str, resolver: ModuleResolver) -> Iterator[str]:
    """Yield the source with a name relative to a package's folder: the file itself, and the source of a built file."""
    path = join_path(folder, name)
    if path is not None and resolver.is_source(path):
        yield path
    named = (name,) if "." in name.rpartition("/")[2] else (name, f"{name.rstrip('/')}/index.js")
    if built := next((found for each in named if (found := resolver.source_of(folder, each))), None):
        yield built
    elif path is None or not resolver.is_source(path):
        yield from (found for each in named if (found := _usual_source(each, folder, resolver)))


def _usual_source(name: str, folder: str, resolver: ModuleResolver) -> str | None:
    """Return the source of a built file: the file with the same path below one of the usual folders of sources."""
    inner = name.removeprefix("./").partition("/")[2]
    stem = _BUILT.sub("", inner)
    if stem == inner:
        return None
    places = (join_path(folder, f"{base}/{stem}{each}") for base in _SOURCE_FOLDERS for each in _SOURCE_EXTENSIONS)
    return next((place for place in places if place is not None and resolver.is_source(place)), None)


def _in_commands(text: str, folder: str, resolver: ModuleResolver) -> Iterator[str]:
    for name in _FILE.findall(text):
        yield from source_named(name, folder, resolver)
    for arguments in _RUNNER.findall(text):
        for name in _words(arguments):
            yield from source_named(name, folder, resolver)
    for name in _ENTRY_FILE.findall(text):
        yield from source_named(f"src/{name}.ts", folder, resolver)


def _words(arguments: str) -> Iterable[str]:
    """Return the arguments that may name a file without its extension."""
    return (word for word in arguments.split() if not word.startswith("-") and re.fullmatch(r"[\w@./-]+", word))


def text_of(path: Path) -> str:
    """Return the text of a file; "" for a missing file and for a file of more than `_MAX_FILE_SIZE` bytes."""
    if not path.is_file() or path.stat().st_size > _MAX_FILE_SIZE:
        return ""
    return path.read_text("utf-8", "replace")
