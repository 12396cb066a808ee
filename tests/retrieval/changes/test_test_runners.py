"""The commands that run tests follow from the configuration of a repository."""

from __future__ import annotations

from pathlib import Path

import pytest
from astrolabe.retrieval.changes.test_runners import commands_for


@pytest.mark.parametrize(
    ("files", "tests", "expected"),
    [
        ({"conftest.py": ""}, ["tests/test_a.py", "b c_test.py"], [("", "python -m pytest tests/test_a.py 'b c_test.py'")]),
        ({"pyproject.toml": "[tool.pytest.ini_options]"}, ["test_a.py"], [("", "python -m pytest test_a.py")]),
        ({}, ["tests/test_a.py"], [("", "python -m unittest tests.test_a")]),
        ({"go.mod": "module m"}, ["a/x_test.go", "a/y_test.go", "z_test.go"], [("", "go test ./a .")]),
        ({"srv/go.mod": "module m"}, ["srv/a/x_test.go"], [("srv", "go test ./a")]),
        ({"package.json": '{"scripts": {"test": "vitest"}}'}, ["a.test.ts"], [("", "npx vitest run a.test.ts")]),
        ({"package.json": '{"devDependencies": {"jest": "1"}}'}, ["a.test.js"], [("", "npx jest a.test.js")]),
        ({"package.json": '{"scripts": {"test": "nyc mocha"}}'}, ["test/a.js"], [("", "npx mocha test/a.js")]),
        ({"package.json": '{"scripts": {"t": "node --import tsx --test"}}'}, ["a.test.ts"], [("", "node --test a.test.ts")]),
        (
            {"package.json": '{"devDependencies": {"jest": "1"}}', "packages/ui/package.json": "{}"},
            ["packages/ui/a.test.ts"],
            [("", "npx jest packages/ui/a.test.ts")],
        ),
        ({"package.json": "{broken"}, ["a.test.ts"], []),
        ({"package.json": '{"scripts": ["mocha"], "dependencies": 3}'}, ["a.test.ts"], []),
        (
            {"pom.xml": ""},
            ["src/test/java/a/CartTest.java", "src/test/java/b/TillTest.java"],
            [("", "mvn test -Dtest=CartTest,TillTest")],
        ),
        (
            {"mvnw": "", "pom.xml": "", "shop/pom.xml": ""},
            ["shop/src/test/java/CartTest.java"],
            [("shop", "../mvnw test -Dtest=CartTest")],
        ),
        (
            {"gradlew": "", "build.gradle.kts": ""},
            ["src/test/java/a/CartTest.java", "src/test/java/TillTest.java"],
            [("", "./gradlew test --tests CartTest --tests TillTest")],
        ),
        ({"build.xml": ""}, ["test/CartTest.java"], []),
        ({"Cargo.toml": ""}, ["tests/a.rs", "notes.txt"], []),
    ],
)
def test_each_runner_has_its_command(
    tmp_path: Path, files: dict[str, str], tests: list[str], expected: list[tuple[str, str]]
) -> None:
    for path, text in files.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    assert [(each.folder, each.command) for each in commands_for(tmp_path, tests)] == expected
