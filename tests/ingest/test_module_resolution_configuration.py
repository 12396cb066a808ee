"""What the resolver tells besides targets: projects, problems of configuration files, implementations."""

from __future__ import annotations

import json
import re
import string
import time
from pathlib import Path

import pytest
from astrolabe.ingest.files.discovery import discover
from astrolabe.ingest.files.jsonc import parse_object
from astrolabe.ingest.files.workspace_files import WorkspaceFiles
from astrolabe.ingest.languages.typescript.module_resolution import ModuleResolver, SourceTarget
from astrolabe.ingest.languages.typescript.module_resolution.packages.version_ranges import includes_typescript
from astrolabe.schema.records import Problem
from astrolabe.schema.settings import Settings
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st


def resolver(root: Path, text: str) -> ModuleResolver:
    sources = []
    for block in re.split(r"^//- ", text, flags=re.MULTILINE)[1:]:
        name, _, body = block.partition("\n")
        path = root / name.strip()
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(body, "utf-8")
        if path.suffix in (".ts", ".js"):
            sources.append(name.strip())
    return ModuleResolver(WorkspaceFiles(root, sources, discover(root, Settings()).configuration_files))


SOLUTION = """
//- tsconfig.base.json
{"compilerOptions": {"composite": true, "outDir": "${configDir}/dist"}}
//- tsconfig.json
{"files": [], "references": [{"path": "./shared"}, {"path": "./app"}]}
//- shared/tsconfig.json
{"extends": "../tsconfig.base.json", "compilerOptions": {"rootDir": "src"}}
//- shared/src/a.ts
//- app/tsconfig.json
{"extends": "../tsconfig.base.json", "include": ["src"], "references": [{"path": "../shared"}]}
//- app/src/b.ts
//- loose.ts
"""


def test_projects_of_a_solution(tmp_path: Path) -> None:
    projects = resolver(tmp_path, SOLUTION).projects
    shared, app, root = (projects.governing(path) for path in ("shared/src/a.ts", "app/src/b.ts", "loose.ts"))
    assert shared is not None
    assert app is not None
    assert root is not None
    assert (shared.path, app.path, root.path) == ("shared/tsconfig.json", "app/tsconfig.json", "tsconfig.json")
    assert (shared.is_solution, root.is_solution) == (False, True)
    assert (shared.composite, root.composite) == (True, False)
    assert (shared.output_folders, shared.root_dir) == (("shared/dist",), "shared/src")
    assert app.references == ("shared/tsconfig.json",)
    assert root.references == ("shared/tsconfig.json", "app/tsconfig.json")
    assert app.extends == ("tsconfig.base.json",)


def test_no_configuration(tmp_path: Path) -> None:
    assert resolver(tmp_path, "//- a.ts\n").projects.governing("a.ts") is None


PROBLEMS = [
    ("tsconfig.json", '{\n  "compilerOptions": {\n    "strict": yes\n  }\n}', Problem(3, "not valid JSON: Expecting value")),
    ("tsconfig.json", "[]", Problem(1, "not a JSON object")),
    ("tsconfig.json", "", Problem(2, "not valid JSON: Expecting value")),
    ("tsconfig.json", '/* a\ncomment */ {"x": // y\n}', Problem(3, "not valid JSON: Expecting value")),
    ("tsconfig.json", '{"extends": "./gone.json"}', Problem(1, 'extends "./gone.json", which is not there')),
    ("tsconfig.json", '{"extends": "@gone/config"}', Problem(1, 'extends "@gone/config", which is not there')),
    ("tsconfig.json", '{"extends": "./tsconfig.json"}', Problem(1, 'extends "./tsconfig.json", which extends this file')),
    ("tsconfig.json", "[" * 100_000, None),
    ("package.json", '{"name": "x",\n "main": }', Problem(2, "not valid JSON: Expecting value")),
    ("pnpm-workspace.yaml", "packages:\n  - a\n bad: [", Problem(3, "not valid YAML")),
    ("pnpm-workspace.yaml", "packages: 2024-99-99", Problem(1, "not valid YAML")),
]


@pytest.mark.parametrize(("name", "content", "expected"), PROBLEMS)
def test_problem_of_a_configuration(tmp_path: Path, name: str, content: str, expected: Problem | None) -> None:
    found = resolver(tmp_path, f"//- {name}\n{content}\n//- a.ts\n//- b.ts\n")
    assert found.resolve("./b", "a.ts") == SourceTarget("b.ts")
    found.resolve("some-package", "a.ts")
    assert set(found.problems()) == {name}
    if expected is not None:
        assert found.problems()[name] == expected


def test_sound_configurations_have_no_problems(tmp_path: Path) -> None:
    text = '//- tsconfig.json\n\ufeff{"extends": [], /* fine */ }\n//- package.json\n{"name": "a", "exports": {}}\n//- a.ts\n'
    found = resolver(tmp_path, text)
    found.resolve("b", "a.ts")
    assert found.problems() == {}


def test_a_long_chain_of_extends_is_cut(tmp_path: Path) -> None:
    chain = "".join(f'//- c{n}.json\n{{"extends": ["./c{n + 1}.json", "./c{n + 1}.json"]}}\n' for n in range(2000))
    found = resolver(tmp_path, f'//- tsconfig.json\n{{"extends": "./c0.json"}}\n{chain}//- a.ts\n')
    found.resolve("b", "a.ts")
    assert [problem.reason for problem in found.problems().values()] == ["more than 64 files extend one another"]


JSONC = [
    ('{"a": 1}', {"a": 1}),
    ('{"a": [1, 2,], }', {"a": [1, 2]}),
    ('{"a": 1, // ,}\n}', {"a": 1}),
    ('{"url": "https://x/*y*/", /* no */ "b": "//"}', {"url": "https://x/*y*/", "b": "//"}),
    ('{"quote": "\\"//,}", "c": ",]"}', {"quote": '"//,}', "c": ",]"}),
    ('{"a": 1,\n\n // last\n /* really */ }', {"a": 1}),
    ('{"tab": "a\tb"}', {"tab": "a\tb"}),
    ("{} /* open", {}),
]


@pytest.mark.parametrize(("text", "expected"), JSONC)
def test_json_with_comments(text: str, expected: dict[str, object]) -> None:
    assert parse_object(text.encode()) == (expected, None)


VERSION_RANGES = [
    ("*", True),
    ("", True),
    (">=4.2", True),
    (">=5.9", True),
    (">=6", False),
    ("<5", False),
    ("<=5", True),
    (">5", False),
    (">5.8", True),
    ("<5.9", False),
    ("<5.10", True),
    ("5", True),
    ("5.x", True),
    ("^5.1", True),
    ("^4.1", False),
    ("~5.9.0", True),
    ("~5.8", False),
    (">=3.1 <4", False),
    (">=3.1 <6", True),
    ("<4 || >=5", True),
    ("4.0 - 5.9", True),
    ("4.0 - 4.9", False),
    ("nonsense", False),
]


@pytest.mark.parametrize(("text", "expected"), VERSION_RANGES)
def test_version_range(text: str, expected: bool) -> None:
    assert includes_typescript(text) is expected


def test_nothing_outside_the_workspace_is_read(tmp_path: Path) -> None:
    outer = tmp_path / "package.json"
    outer.write_text('{"name": "outer", "imports": {"#x": "./inner/x.ts"}, "workspaces": ["*"]}')
    (tmp_path / "tsconfig.json").write_text('{"compilerOptions": {"paths": {"x": ["./inner/x.ts"]}}}')
    (tmp_path / "node_modules/dep").mkdir(parents=True)
    (tmp_path / "node_modules/dep/index.d.ts").write_text("")
    found = resolver(tmp_path / "inner", "//- x.ts\n//- a.ts\n")
    answers = [found.resolve(specifier, "a.ts") for specifier in ("#x", "x", "dep", "outer")]
    assert not any(isinstance(answer, SourceTarget) or getattr(answer, "declaration_path", None) for answer in answers)


_words = st.sampled_from(["name", "paths", "exports", "imports", ".", "./*", "#x", "*", "./a.ts", "../..", "types", "main", ""])
_json = st.recursive(
    st.none() | st.booleans() | st.integers() | _words | st.text(string.printable, max_size=6),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_words, inner, max_size=4),
    max_leaves=8,
)
_TSCONFIG_KEYS = ["baseUrl", "paths", "rootDirs", "outDir", "rootDir", "moduleSuffixes", "customConditions", "composite"]
_MANIFEST_KEYS = ["name", "main", "types", "exports", "imports", "workspaces", "typesVersions", "dependencies", "tsconfig"]


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(
    options=st.dictionaries(st.sampled_from(_TSCONFIG_KEYS), _json),
    top=st.dictionaries(st.sampled_from(["extends", "references", "files", "include", "exclude"]), _json),
    manifest=st.dictionaries(st.sampled_from(_MANIFEST_KEYS), _json),
)
def test_no_configuration_breaks_the_resolver(
    tmp_path: Path, options: dict[str, object], top: dict[str, object], manifest: dict[str, object]
) -> None:
    """Every specifier has an answer, and a relative one its usual answer, whatever stands in the configuration files."""
    text = json.dumps({**top, "compilerOptions": options})
    found = resolver(tmp_path, f"//- tsconfig.json\n{text}\n//- package.json\n{json.dumps(manifest)}\n//- d/a.ts\n//- d/b.ts\n")
    suffixes = options.get("moduleSuffixes")
    if not isinstance(suffixes, list) or not any(isinstance(suffix, str) for suffix in suffixes):
        assert found.resolve("./b", "d/a.ts") == SourceTarget("d/b.ts")
    for specifier in ("name", "#x", "a/b", "./gone", "/x", "..", "", "*", "@", "./b?raw"):
        answer = found.resolve(specifier, "d/a.ts")
        assert not isinstance(answer, SourceTarget) or answer.path in ("d/a.ts", "d/b.ts")


def exported(alias: str) -> str:
    return f"export default {{ resolve: {{ alias: {alias} }} }}"


HOSTILE = {
    "constants that double": "const a0 = ['x', 'y']\n"
    + "".join(f"const a{n + 1} = [...a{n}, ...a{n}]\n" for n in range(60))
    + exported("a60"),
    "a circle of constants": "const a = { ...b }\nconst b = { ...a }\n" + exported("{ ...a, '@': __dirname + '/src' }"),
    "a long chain": "chain" + ".resolve.alias.set('@', __dirname + '/src')" * 4000,
    "deep lists": "const alias = " + "[" * 4000 + "]" * 4000,
    "a function that calls itself": "const f = (x) => f(f(x))\n" + exported("{ '@': f('src') }"),
    "slow expressions": exported("[{ find: /^(a+)+$/, replacement: '/src' }, { find: /a*a*a*a*a*b/, replacement: '' }]"),
    "loops in loops": "const paths = {}\nconst many = ["
    + "'a', " * 400
    + "]\n"
    + "for (const x of many) for (const y of many) for (const z of many) {\n"
    + "  paths[x + y + z] = x\n" * 2000
    + "}\n"
    + exported("paths"),
    "lists that double": "const a0 = ['x', 'y']\n"
    + "".join(f"const a{n + 1} = a{n}.concat(a{n}).flatMap((x) => [x, x])\n" for n in range(60))
    + exported("a60"),
    "objects that assign to each other": "const a = {}\nconst b = {}\n" + "a.x = b\nb.x = a\n" * 999 + exported("{ ...a, ...b }"),
    "no code at all": "alias {{{ `${ <<<<",
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_hostile_configurations_take_little_time(tmp_path: Path, text: str) -> None:
    began = time.monotonic()
    found = resolver(tmp_path, f"//- vite.config.js\n{text}\n//- src/a.ts\n//- src/b.ts\n")
    for specifier in ("@/b", "a" * 200, "a" * 5000, "x/y"):
        found.resolve(specifier, "src/a.ts")
    assert found.resolve("./b", "src/a.ts") == SourceTarget("src/b.ts")
    assert time.monotonic() - began < 10
