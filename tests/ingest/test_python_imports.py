"""What import statements of Python lead to, by the rules of Python's import system."""

from __future__ import annotations

from pathlib import Path

import pytest
from astrolabe.ingest.files.source_text import decode_source
from astrolabe.ingest.languages.python import READER
from written_workspace import target_of, write

# A package in the root folder, with modules named like those of the standard library.
FLAT = """
//- shop/__init__.py
//- shop/logging.py
//- shop/types.py
//- shop/orders/__init__.py
//- shop/orders/lines.py
//- shop/yaml.py
//- shop/both.py
//- shop/both/__init__.py
//- shop/typed.py
//- shop/typed.pyi
//- shop/declared.pyi
//- shop/redis.py
//- tests/test_shop.py
//- tests/conftest.py
//- tests/unit/test_orders.py
//- tools/logging.py
//- tools/time.py
//- tools/run.py
//- tools/helpers.py
//- notebooks/parts/plot.py
"""

IN_FLAT = [
    ("shop/orders/lines.py", "logging", "python:logging"),
    ("shop/__init__.py", "types", "python:types"),
    ("shop/__init__.py", "os.path", "python:os.path"),
    ("shop/__init__.py", "distutils.core", "python:distutils.core"),
    ("shop/__init__.py", ".types", "shop/types.py"),
    ("shop/__init__.py", "shop.types", "shop/types.py"),
    ("shop/__init__.py", "requests", "requests"),
    ("shop/__init__.py", "requests.adapters", "requests+adapters"),
    ("shop/__init__.py", "shop.gone", "(missing)"),
    ("shop/__init__.py", ".gone", "(missing)"),
    ("shop/__init__.py", "...gone", "(missing)"),
    ("shop/orders/lines.py", ".", "shop/orders/__init__.py"),
    ("shop/orders/lines.py", "..types", "shop/types.py"),
    ("shop/types.py", "shop.both", "shop/both/__init__.py"),
    ("shop/types.py", "shop.typed", "shop/typed.py"),
    ("shop/types.py", "shop.declared", "shop/declared.pyi"),
    ("shop/redis.py", "redis", "redis"),
    ("shop/redis.py", "redis.client", "redis+client"),
    ("shop/orders/lines.py", "redis", "redis"),
    ("tests/test_shop.py", "shop.orders.lines", "shop/orders/lines.py"),
    ("tests/test_shop.py", "conftest", "tests/conftest.py"),
    ("tests/unit/test_orders.py", "conftest", "tests/conftest.py"),
    ("tests/unit/test_orders.py", "shop", "shop/__init__.py"),
    ("tools/run.py", "helpers", "tools/helpers.py"),
    ("tools/run.py", "logging", "tools/logging.py"),
    ("tools/run.py", "time", "python:time"),
    ("tests/test_shop.py", "logging", "python:logging"),
    ("notebooks/parts/plot.py", "notebooks.parts.plot", "(missing)"),
    ("tests/test_shop.py", "notebooks.parts.plot", "notebooks/parts/plot.py"),
    ("tests/test_shop.py", "notebooks.parts", "notebooks/parts (folder)"),
]


@pytest.mark.parametrize(("path", "specifier", "wanted"), IN_FLAT)
def test_import_in_a_package_at_the_root(tmp_path: Path, path: str, specifier: str, wanted: str) -> None:
    write(tmp_path, FLAT)
    assert target_of(tmp_path, path, specifier) == wanted


# Two projects without links between them: a folder `lib` without `__init__.py` beside a script, and a package `lib`.
SCRIPTS = """
//- game/pyproject.toml
[project]
name = "game"
//- game/lib/__init__.py
//- game/lib/text.py
//- game/tests/test_text.py
//- game/tests/lib/text.py
//- study/run.py
//- study/lib/text.py
//- study/lib/deep/words.py
//- study/more/other.py
"""

IN_SCRIPTS = [
    ("study/run.py", "lib.text", "study/lib/text.py"),
    ("study/run.py", "lib.deep.words", "study/lib/deep/words.py"),
    ("study/more/other.py", "lib.text", "game/lib/text.py"),
    ("game/tests/test_text.py", "lib.text", "game/lib/text.py"),
]


@pytest.mark.parametrize(("path", "specifier", "wanted"), IN_SCRIPTS)
def test_packages_beside_scripts(tmp_path: Path, path: str, specifier: str, wanted: str) -> None:
    write(tmp_path, SCRIPTS)
    assert target_of(tmp_path, path, specifier) == wanted


# Folders that tools put on the search path. The project declares its dependencies, so that no other folder may be on it.
TOOLS = """
//- one/pyproject.toml
[project]
name = "one"
//- one/pytest.ini
[pytest]
pythonpath = . ./code ../other $HOME/more
//- one/code/shop/__init__.py
//- one/tests/test_shop.py
//- two/pyproject.toml
[project]
name = "two"
//- two/tox.ini
[testenv]
setenv =
    PYTHONPATH = {toxinidir}/lib:{envdir}/src
//- two/lib/stock/__init__.py
//- two/src/hidden/__init__.py
//- two/tests/test_stock.py
//- three/pyproject.toml
[project]
name = "three"
//- three/Makefile
test:
\tPYTHONPATH="$(CURDIR)/parts:$(HOME)/lib" pytest
//- three/parts/till/__init__.py
//- three/lib/drawer/__init__.py
//- three/tests/test_till.py
"""

IN_TOOLS = [
    ("one/tests/test_shop.py", "shop", "one/code/shop/__init__.py"),
    ("two/tests/test_stock.py", "stock", "two/lib/stock/__init__.py"),
    ("three/tests/test_till.py", "till", "three/parts/till/__init__.py"),
    ("three/tests/test_till.py", "drawer", "drawer"),
]


@pytest.mark.parametrize(("path", "specifier", "wanted"), IN_TOOLS)
def test_tools_set_the_search_path(tmp_path: Path, path: str, specifier: str, wanted: str) -> None:
    write(tmp_path, TOOLS)
    assert target_of(tmp_path, path, specifier) == wanted


# Source folders, namespace packages across them, and packages of stubs.
SOURCES = """
//- core/src/acme/core/__init__.py
//- core/src/acme/core/types.py
//- core/src/acme/util/text.py
//- core/src/acme/util/types.py
//- core/src/acme/single.py
//- core/tests/test_core.py
//- web/src/acme/web/__init__.py
//- web/src/acme/web/pages.py
//- web/src/logging.py
//- stubs/paper-stubs/__init__.pyi
//- stubs/paper-stubs/ink.pyi
//- one/cli/__init__.py
//- one/cli/main.py
//- two/cli/__init__.py
//- two/main.py
//- three/run.py
"""

IN_SOURCES = [
    ("web/src/acme/web/pages.py", "acme.core.types", "core/src/acme/core/types.py"),
    ("web/src/acme/web/pages.py", "acme.util.text", "core/src/acme/util/text.py"),
    ("web/src/acme/web/pages.py", "acme.web", "web/src/acme/web/__init__.py"),
    ("web/src/acme/web/pages.py", "acme.single", "core/src/acme/single.py"),
    ("web/src/acme/web/pages.py", "acme", "web/src/acme (folder)"),
    ("web/src/acme/web/pages.py", "logging", "web/src/logging.py"),
    ("core/src/acme/util/text.py", "types", "python:types"),
    ("core/src/acme/util/text.py", "acme.util.types", "core/src/acme/util/types.py"),
    ("core/tests/test_core.py", "acme.core", "core/src/acme/core/__init__.py"),
    ("core/tests/test_core.py", "acme.util", "core/src/acme/util (folder)"),
    ("core/tests/test_core.py", "paper.ink", "stubs/paper-stubs/ink.pyi"),
    ("core/tests/test_core.py", "paper", "stubs/paper-stubs/__init__.pyi"),
    ("one/cli/main.py", "cli", "one/cli/__init__.py"),
    ("two/main.py", "cli", "two/cli/__init__.py"),
    ("three/run.py", "cli", "(missing)"),
]


@pytest.mark.parametrize(("path", "specifier", "wanted"), IN_SOURCES)
def test_import_across_source_folders(tmp_path: Path, path: str, specifier: str, wanted: str) -> None:
    write(tmp_path, SOURCES)
    assert target_of(tmp_path, path, specifier) == wanted


CODE = """
from __future__ import annotations
import typing as t
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import one
    if True:
        from . import two
elif t.TYPE_CHECKING and True:
    import three
else:
    import four

if not TYPE_CHECKING:
    import five
else:
    import six

try:
    import seven
except ImportError:
    import eight

class Lazy:
    import nine

    def load(self):
        import ten
        if TYPE_CHECKING:
            import eleven
        def inner():
            from twelve import x
"""


def test_when_an_import_runs() -> None:
    facts = READER.read(decode_source(CODE.encode()), "python")
    named = {entry.specifier: (entry.type_only, entry.deferred) for entry in facts.imports if not entry.is_inner}
    types = {name for name, (is_type, _) in named.items() if is_type}
    deferred = {name for name, (_, is_late) in named.items() if is_late}
    assert types == {"one", ".", "three", "six", "eleven"}
    assert deferred == {"ten", "eleven", "twelve"}


def test_what_may_be_a_module_or_a_name_is_told_apart() -> None:
    facts = READER.read(decode_source(b"import a.b\nfrom c import d\nfrom . import e\n"), "python")
    assert [(entry.specifier, entry.is_inner) for entry in facts.imports] == [
        ("a.b", False),
        ("a", True),
        ("c", False),
        ("c.d", True),
        (".", False),
        (".e", True),
    ]
