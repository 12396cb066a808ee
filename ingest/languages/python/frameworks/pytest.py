"""pytest: tests, fixtures and hooks.

A parameter of a test or of a fixture is resolved to the fixture that pytest would choose. Pytest looks in the class, in the
module, in the `conftest.py` files from the nearest folder outwards, and in the plugins that these files name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from ....facts.model import DeclKind, FileFacts
from ....facts.operations import Op
from ...framework_rules.wiring import Declared, ImpliedImport, Wired, WiredFile
from ..modules.conftest_files import conftest_specifiers

_NAME: Final = "pytest"
_FIXTURE: Final = frozenset(("fixture", "yield_fixture"))
_PACKAGES: Final = frozenset(("pytest", "pytest_asyncio", "_pytest", "pytest_twisted", "pytest_trio"))
_TEST_FILE: Final = re.compile(r"(?:.*/)?(?:test_[^/]*|[^/]*_test|tests?|test_[^/]+/__init__)\.py")
#: Names of test classes: pytest's default, and the settings that projects use most often.
_TEST_CLASS: Final = re.compile(r"Test\w*|test_\w+")
_SET_UP: Final = re.compile(r"(?:setup|teardown)(?:_(?:method|class|module|function))?")
_VARIABLES: Final = frozenset(("pytest_plugins", "pytestmark", "collect_ignore", "collect_ignore_glob"))
_MENTIONS: Final = frozenset(("usefixtures", "getfixturevalue"))


def implied(facts: FileFacts) -> Iterator[ImpliedImport]:
    """Yield the `conftest.py` files around a file that may contain tests or fixtures."""
    is_tested = any(entry.kind == DeclKind.FUNCTION and entry.name.startswith("test") for entry in facts.decls)
    if is_tested or not (_FIXTURE | _MENTIONS).isdisjoint(facts.strings):
        yield from (ImpliedImport(specifier, "*") for specifier in conftest_specifiers())


def wired(file: WiredFile) -> Iterator[Wired]:
    """Yield the tests of a file, its hooks, and the fixtures that tests and other fixtures use."""
    is_test_file = _TEST_FILE.fullmatch(file.path) is not None
    tests = _tests(file) if is_test_file else {}
    for place in tests:
        target = Declared(file, place).symbol
        if target is not None:
            entry = file.facts.decls[place]
            yield Wired(-1, target, _NAME, "test", "name", entry.name, entry.position)
    for place, entry in enumerate(file.facts.decls):
        target = Declared(file, place).symbol
        if target is not None and entry.kind == DeclKind.VARIABLE and entry.name in _VARIABLES:
            yield Wired(-1, target, _NAME, "configuration", "name", entry.name, entry.position)
        if entry.kind != DeclKind.FUNCTION or target is None:
            continue
        decorator = _fixture_decorator(file, place)
        if decorator >= 0 and _keyword(file, decorator, "autouse") >= 0:
            yield Wired(-1, target, _NAME, "fixture", "decorator", "autouse", entry.position)
        if entry.name.startswith("pytest_"):
            yield Wired(-1, target, _NAME, "hook", "name", entry.name, entry.position)
        if decorator >= 0 or place in tests:
            for parameter in file.facts.functions[entry.a].parameters:
                given = (
                    _visible_fixture(file, entry.a, place, parameter.name)
                    if parameter.decl >= 0 and parameter.default < 0
                    else None
                )
                fixture = given.symbol if given is not None else None
                if fixture is not None:
                    position = file.facts.decls[parameter.decl].position
                    yield Wired(entry.symbol, fixture, _NAME, "fixture", "parameter", parameter.name, position)
    yield from _mentioned(file)


def injected(file: WiredFile, function: int, name: str) -> Declared | None:
    """Return the fixture that a parameter of a function names, None if pytest does not call the function."""
    place = _places(file).get(function, -1)
    if place < 0:
        return None
    is_test = _TEST_FILE.fullmatch(file.path) is not None and place in _tests(file)
    if not is_test and _fixture_decorator(file, place) < 0:
        return None
    return _visible_fixture(file, function, place, name)


# -------------------------------------------------------------------- tests


def _tests(file: WiredFile) -> dict[int, None]:
    """Return the declarations that pytest collects in a file of tests, and its fixtures and hooks."""
    found = file.memory.get("pytest tests")
    if not isinstance(found, dict):
        found = dict[int, None]()
        file.memory["pytest tests"] = found
        methods = {member.extra: shape for shape, facts in enumerate(file.facts.shapes) for member in facts.members}
        roots = set(file.facts.scopes[0].names.values()) if 0 in file.facts.scopes else set[int]()
        at_root = {decl for binding in roots for decl in file.facts.bindings[binding].decls}
        for place, entry in enumerate(file.facts.decls):
            shape = methods.get(place, -1)
            is_in_class = shape >= 0 and _TEST_CLASS.fullmatch(file.facts.shapes[shape].name) is not None
            is_function = entry.kind == DeclKind.FUNCTION and (is_in_class or place in at_root)
            is_test = entry.name.startswith("test") or _SET_UP.fullmatch(entry.name) is not None
            is_class = entry.kind == DeclKind.CLASS and place in at_root and _TEST_CLASS.fullmatch(entry.name) is not None
            if (is_function and is_test and _fixture_decorator(file, place) < 0) or is_class:
                found[place] = None
    return found


# -------------------------------------------------------------------- fixtures


def _visible_fixture(file: WiredFile, function: int, place: int, name: str) -> Declared | None:
    """Return the fixture with a name that is visible to a function.

    The function itself is excluded, because a fixture may extend a fixture with the same name.
    """
    if name in _parametrized(file, place):
        return None
    own = Declared(file, place)
    for fixtures in _levels(file, function):
        found = fixtures.get(name)
        if found is not None and (found.place != own.place or found.file is not file):
            return found
    return None


def _levels(file: WiredFile, function: int) -> Iterator[dict[str, Declared]]:
    """Yield the fixtures that are visible to a function, in one table for each level, the nearest level first."""
    shape = _classes(file).get(function, -1)
    if shape >= 0:
        for other, base in file.ancestors(shape):
            yield _of_class(other, base)
    yield _of_module(file)
    for specifier in conftest_specifiers():
        conftest = file.module(specifier)
        if conftest is None:
            continue
        yield _of_module(conftest)


def _of_module(file: WiredFile) -> dict[str, Declared]:
    found = file.memory.get("pytest fixtures")
    if not isinstance(found, dict):
        found = file.memory["pytest fixtures"] = {}
        for name in file.names():
            declared = file.declared(name)
            if declared is not None:
                _add(found, declared, name)
    return found


def _of_class(file: WiredFile, shape: int) -> dict[str, Declared]:
    found: dict[str, Declared] = {}
    for member in file.facts.shapes[shape].members:
        if member.function >= 0 and member.extra >= 0:
            _add(found, Declared(file, member.extra), member.name)
    return found


def _add(found: dict[str, Declared], declared: Declared, name: str) -> None:
    """Add a fixture under the name that tests use; ignore other declarations."""
    decorator = _fixture_decorator(declared.file, declared.place)
    if decorator >= 0:
        given = _keyword(declared.file, decorator, "name")
        code, facts = declared.file.code, declared.file.facts
        is_text = given >= 0 and code[given] == Op.STRING
        found[facts.strings[code[given + 2]] if is_text else name] = declared


def _fixture_decorator(file: WiredFile, place: int) -> int:
    entry = file.facts.decls[place]
    if entry.kind != DeclKind.FUNCTION or entry.b < 0:
        return -1
    for node in file.items(entry.b):
        callee = file.code[node + 1] if file.code[node] == Op.CALL else node
        if callee >= 0 and file.name(callee) in _FIXTURE and file.origin(callee).partition(":")[0] in _PACKAGES:
            return node
    return -1


def _keyword(file: WiredFile, call: int, name: str) -> int:
    """Return a keyword argument of a call by its name, -1 if there is none."""
    code = file.code
    if code[call] == Op.CALL:
        for argument in file.items(code[call + 2]):
            if code[argument] == Op.PROP and file.facts.strings[code[argument + 2]] == name:
                return code[argument + 1]
    return -1


def _parametrized(file: WiredFile, place: int) -> set[str]:
    """Return the parameters of a test whose values come from decorators of the test or of its class."""
    code, strings = file.code, file.facts.strings
    found: set[str] = set()
    entries = [file.facts.decls[place]]
    shape = _classes(file).get(entries[0].a, -1)
    if shape >= 0 and file.facts.shapes[shape].decl >= 0:
        entries.append(file.facts.decls[file.facts.shapes[shape].decl])
    for node in [node for entry in entries if entry.b >= 0 for node in file.items(entry.b)]:
        is_call = code[node] == Op.CALL and code[node + 1] >= 0 and file.name(code[node + 1]) == "parametrize"
        arguments = file.items(code[node + 2]) if is_call else ()
        if not arguments or _keyword(file, node, "indirect") >= 0:
            continue
        first = arguments[0]
        if code[first] == Op.PROP:
            first = code[first + 1]
        listed = file.items(code[first + 1]) if code[first] == Op.ARRAY else [first]
        for each in listed:
            if code[each] == Op.STRING:
                found.update(part.strip() for part in strings[code[each + 2]].split(","))
    return found


def _mentioned(file: WiredFile) -> Iterator[Wired]:
    """Yield the fixtures that calls name: `usefixtures("database")`, `request.getfixturevalue("client")`."""
    code, strings = file.code, file.facts.strings
    for node in file.facts.calls:
        callee = code[node + 1]
        if callee < 0 or file.name(callee) not in _MENTIONS:
            continue
        if file.name(callee) == "usefixtures" and file.origin(callee).partition(":")[0] not in _PACKAGES:
            continue
        owner = file.owner(node)
        for argument in file.items(code[node + 2]):
            if code[argument] != Op.STRING:
                continue
            name = strings[code[argument + 2]]
            found = next((level[name] for level in _levels(file, -1) if name in level), None)
            place = found.symbol if found is not None else None
            if place is not None:
                yield Wired(owner, place, _NAME, "fixture", "text", name, code[argument + 4])


def _places(file: WiredFile) -> dict[int, int]:
    """Return the declarations of the functions of a file, by function."""
    found = file.memory.get("functions")
    if not isinstance(found, dict):
        decls = enumerate(file.facts.decls)
        found = file.memory["functions"] = {entry.a: place for place, entry in decls if entry.kind == DeclKind.FUNCTION}
    return found


def _classes(file: WiredFile) -> dict[int, int]:
    """Return the classes of the methods of a file, by function."""
    found = file.memory.get("classes")
    if not isinstance(found, dict):
        shapes = enumerate(file.facts.shapes)
        found = file.memory["classes"] = {
            member.function: shape for shape, facts in shapes for member in facts.members if member.function >= 0
        }
    return found
