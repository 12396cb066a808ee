"""What a path alone says about a source file's role."""

from __future__ import annotations

import re

from ..schema.languages import is_resolved_path

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

#: The same in other languages, by their own habits.
_OTHER_TEST_FOLDER = re.compile(
    r"(?:^|/)(?:[\w.]*Tests?|(?:android|jvm|common|native|unit|integration|functional)Test|testFixtures)(?:/|$)"
)
_OTHER_TEST_FILE = re.compile(
    r"""
    ^(?: tests? [._-] | conftest\.py$ | tests?\.\w+$ )
    | [._-] (?: tests? | spec | specs | unittest | unittests ) \.\w+$
    | [a-z0-9] (?: Tests? | TestCase | TestSuite | IT | Spec | Specs | Suite ) \.(?:java|kts?|scala|sc|php|cs|swift)$
    """,
    re.VERBOSE,
)


def is_declaration_file(path: str) -> bool:
    """True for `x.d.ts`, `x.d.mts`, `x.d.cts` and for declarations of other files, such as `x.d.css.ts`."""
    return path.endswith("ts") and _DECLARATION.search(path) is not None


def is_test_path(path: str) -> bool:
    """True for test code and its fixtures, judged by folder and file names."""
    folders, _, name = path.rpartition("/")
    if not _TEST_FOLDERS.isdisjoint(folders.split("/")):
        return True
    if is_resolved_path(name):
        return _TEST_FILE.search(name) is not None
    # Some keep their tests in a folder `t` at the root, as is the habit of Perl.
    in_t = folders == "t" or folders.startswith("t/")
    return in_t or _OTHER_TEST_FILE.search(name) is not None or _OTHER_TEST_FOLDER.search(folders) is not None
