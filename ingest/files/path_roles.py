"""Tell the role of a source file from its path."""

from __future__ import annotations

import re
from functools import lru_cache

from ...schema.languages import is_resolved_path

#: The extensions of TypeScript, the most common first.
TYPESCRIPT_EXTENSIONS = (".ts", ".tsx", ".mts", ".cts")
#: The extensions of JavaScript, the most common first.
JAVASCRIPT_EXTENSIONS = (".js", ".jsx", ".mjs", ".cjs")
#: The extension of data files, which have no symbols, but whose values code imports.
DATA_EXTENSION = ".json"
#: The extensions of other files that code imports through a bundler: styles, pictures, fonts, sounds, texts and binaries.
_ASSET_EXTENSIONS = frozenset(
    (
        *(".css", ".scss", ".sass", ".less", ".styl", ".stylus", ".pcss", ".postcss", ".sss"),
        *(".svg", ".png", ".jpg", ".jpeg", ".gif", ".webp", ".avif", ".apng", ".bmp", ".ico", ".cur", ".jxl"),
        *(".woff", ".woff2", ".ttf", ".otf", ".eot", ".mp3", ".wav", ".ogg", ".flac", ".aac", ".opus", ".m4a"),
        *(".mp4", ".webm", ".mov", ".vtt", ".pdf", ".txt", ".html", ".xml", ".yaml", ".yml", ".toml", ".json5"),
        *(".glsl", ".vert", ".frag", ".wgsl", ".wasm", ".node", ".webmanifest", ".lottie", ".glb", ".gltf", ".bin"),
    )
)

_DECLARATION = re.compile(r"\.d\.(?:[^./]+\.)?[cm]?ts$")

#: Folders with tests and their data. "testing" and names that end in "-test" are omitted, because libraries have public modules
#: with such names.
_TEST_FOLDER = re.compile(
    r"""
    (?:^|/)
    (?: __(?:test|tests|mocks|fixtures|snapshots)__ | specs? | e2e | cypress
      | tests? | (?:unit|integration|e2e|type|dts)[-_]?tests? | test-d | test-dts
      | [\w.-]+[-_]tests | test[-_]?data
      | (?:[\w.-]+[-_])? test(?:ing)? [-_]? (?:utils? | helpers? | fixtures? | support)
    )
    (?:/|$)
    """,
    re.VERBOSE,
)

_TEST_FILE = re.compile(
    r"""
    (?: [._-](?:test|tests|spec|specs) | [._](?:e2e|cy|test-d|spec-d|test-utils|e2e-spec|e2e-test) )
    \.[cm]?[jt]sx?$
    | ^(?:test|tests|spec)\.[cm]?[jt]sx?$
    """,
    re.VERBOSE,
)

#: Names of test folders and test files in other languages.
_OTHER_TEST_FOLDER = re.compile(
    r"""
    (?:^|/)
    (?: [\w.]* (?: Tests? | Test(?:Utils? | Helpers? | Support | Data | Fixtures?) )
      | [\w.]+ \. Tests? \. [\w.]+  # projects of .NET: Shop.Tests.Web
      | (?:android|jvm|common|native|unit|integration|functional)Test
      | src/test[A-Z]\w* | testFixtures
      | src/ (?:\w*Tests? | i?it | i?tests?) / (?:java|kotlin|groovy|scala|resources)  # source sets of Maven and Gradle
      | internal/ (?:[\w.-]+/)*? [a-z]+testing  # Go has helpers of tests in packages of their own
      | unittests? | tests[-_][\w.-]+ | test[-_]?(?:cases? | suites? | resources | srcs? | sources?)
    )
    (?:/|$)
    """,
    re.VERBOSE,
)
_OTHER_TEST_FILE = re.compile(
    r"""
    ^(?: tests? [._-] | conftest\.py$ | tests?\.\w+$ )
    | [._-] (?: tests? | spec | specs | unittest | unittests ) \.\w+$
    | [a-z0-9] (?: Tests? | TestCase | TestSuite | IT | Spec | Specs | Suite ) \.(?:java|kts?|scala|sc|php|cs|swift)$
    | [a-z0-9] Tests? \.(?:cc|cpp|cxx|c|h|hpp)$
    """,
    re.VERBOSE,
)
#: Names of test files. In `src/main` of Maven and Gradle, files with such names are not tests, but describe other things.
_SPECIFICATION = re.compile(r"(?:Specs?|Suite)\.\w+$")
_MAIN_FOLDER = re.compile(r"(?:^|/)src/main/")


#: A word in the name of a script about migrations, such as `validate-migrations.ts`, `migrate.py` or `MigrationRunner.java`.
_MIGRATIONS = re.compile(r"(?:(?:^|[-_.\d])m|(?:^|[-_.a-z\d])M)igrat(?:e|ions?|or|er)(?![a-z])")


def is_imported_data(name: str) -> bool:
    """Return whether code may import a file with this name, which is not a source."""
    extension = name[name.rfind(".") :].lower() if "." in name else ""
    return extension == DATA_EXTENSION or extension in _ASSET_EXTENSIONS


def is_declaration_file(path: str) -> bool:
    """Return whether a path is `x.d.ts`, `x.d.mts`, `x.d.cts`, or a declaration of another file, such as `x.d.css.ts`."""
    return path.endswith("ts") and _DECLARATION.search(path) is not None


def declaration_of(path: str) -> str:
    """Return the path of the declaration file that describes a file of JavaScript: `x.mjs` -> `x.d.mts`; "" for other files."""
    stem, dot, extension = path.rpartition(".")
    return f"{stem}.d.{extension[:-2]}ts" if dot and f".{extension}" in (".js", ".mjs", ".cjs") else ""


def is_global_script(path: str, language: str, *, is_module: bool) -> bool:
    """Return whether a file declares the names at its root for other files: a declaration file, TypeScript or JavaScript without
    imports and exports."""
    if is_module:
        return False
    if language in ("javascript", "jsx"):
        return path.endswith((".js", ".jsx"))
    return is_declaration_file(path) or (language in ("typescript", "tsx") and path.endswith((".ts", ".tsx")))


@lru_cache(maxsize=1 << 15)  # the engine asks for the files of all arguments
def is_test_path(path: str) -> bool:
    """Return whether a path belongs to test code or its fixtures, judged by the names of folders and file."""
    folders, _, name = path.rpartition("/")
    main = _MAIN_FOLDER.search(f"{folders}/")
    if main is not None:
        folders = folders[: main.start()]  # packages for tests, such as `src/main/java/shop/test`, are part of a library
    if _TEST_FOLDER.search(folders) is not None:
        return True
    if is_resolved_path(name):
        return _TEST_FILE.search(name) is not None
    # Some projects keep their tests in a folder `t` at the root, as in Perl.
    in_t = folders == "t" or folders.startswith("t/")
    if in_t or _OTHER_TEST_FOLDER.search(folders) is not None:
        return True
    if main is not None and _SPECIFICATION.search(name) is not None:
        return False
    return _OTHER_TEST_FILE.search(name) is not None


def is_migration_script(path: str) -> bool:
    """Return whether a file is about migrations, by its name. Its statements may use tables as they were before a migration."""
    return _MIGRATIONS.search(path.rpartition("/")[2]) is not None
