"""Which files are source: extensions, languages, and what a path alone says about a file's role."""

from __future__ import annotations

import re

#: Extension -> language. The language also chooses the grammar.
LANGUAGE_BY_EXTENSION: dict[str, str] = {
    ".ts": "typescript",
    ".tsx": "tsx",
    ".mts": "typescript",
    ".cts": "typescript",
    ".js": "javascript",
    ".jsx": "jsx",
    ".mjs": "javascript",
    ".cjs": "javascript",
}

#: The extensions of TypeScript, most usual first.
TYPESCRIPT_EXTENSIONS = (".ts", ".tsx", ".mts", ".cts")
#: The extensions of JavaScript, most usual first.
JAVASCRIPT_EXTENSIONS = (".js", ".jsx", ".mjs", ".cjs")

_DECLARATION = re.compile(r"\.d\.(?:[^./]+\.)?[cm]?ts$")

#: Folders that hold tests and what tests need. "testing" is not among them: libraries ship a public module of that name.
_TEST_FOLDER_NAMES = """
    test tests __test__ __tests__ __mocks__ __fixtures__ __snapshots__ spec specs e2e cypress
    unit-test unit-tests integration-test integration-tests e2e-test e2e-tests type-test type-tests
    dts-test dts-tests test-d test-dts browser-tests system-tests functional-tests acceptance-tests
    test-util test-utils test-helper test-helpers test-fixture test-fixtures testdata test-data
"""
_TEST_FOLDERS = frozenset(_TEST_FOLDER_NAMES.split())

_TEST_FILE = re.compile(
    r"""
    (?: [._-](?:test|tests|spec|specs) | [._](?:e2e|cy|test-d|spec-d|test-utils|e2e-spec|e2e-test) )
    \.[cm]?[jt]sx?$
    | ^(?:test|tests|spec)\.[cm]?[jt]sx?$
    """,
    re.VERBOSE,
)

_GENERATED_FILE = re.compile(r"(?:[._-](?:generated|gen|g)|_pb|_pb\.d|\.pb|_connect)\.[cm]?[jt]sx?$")
_GENERATED_FOLDERS = frozenset({"__generated__", "generated", "codegen-output"})


def extension_of(path: str) -> str:
    """The last extension with its dot, `""` for none: `a/b.d.ts` -> `.ts`."""
    start, dot = path.rfind("/") + 1, path.rfind(".")
    return path[dot:] if dot > start else ""


def language_of(path: str) -> str | None:
    """`typescript`, `tsx`, `javascript` or `jsx`; None for a file that is not source."""
    return LANGUAGE_BY_EXTENSION.get(extension_of(path))


def is_declaration_file(path: str) -> bool:
    """True for `x.d.ts`, `x.d.mts`, `x.d.cts` and for declarations of other files, such as `x.d.css.ts`."""
    return path.endswith("ts") and _DECLARATION.search(path) is not None


def is_test_path(path: str) -> bool:
    """True for test code and its fixtures, judged by folder and file names."""
    folders, _, name = path.rpartition("/")
    return _TEST_FILE.search(name) is not None or not _TEST_FOLDERS.isdisjoint(folders.split("/"))


def is_generated_path(path: str) -> bool:
    """True for source that a program wrote, judged by names. Code imports it, so it is indexed; people rarely look for it."""
    folders, _, name = path.rpartition("/")
    return _GENERATED_FILE.search(name) is not None or not _GENERATED_FOLDERS.isdisjoint(folders.split("/"))
