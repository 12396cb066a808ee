"""Statements of SQL in Makefiles, Dockerfiles and workflows, and which of these files are sources."""

from __future__ import annotations

from pathlib import Path

import pytest
from astrolabe.ingest.files.command_files import command_language
from astrolabe.ingest.files.discovery import discover
from astrolabe.ingest.languages.extraction import extract_facts
from astrolabe.schema.settings import Settings
from data_uses import uses_of
from incremental_steps import check_files
from linear_time import is_linear, processor_seconds
from written_workspace import analysed, write

PROJECT = """
//- db/schema.sql
CREATE TABLE boats (id int PRIMARY KEY, name text, pier_id int);
CREATE TABLE piers (id int PRIMARY KEY, town text);
//- Makefile
.PHONY: sink
sink: up
	psql "$(DATABASE)" -c 'DELETE FROM boats WHERE id = $(BOAT); UPDATE piers SET town = NULL'
//- tools/Makefile
all:
	go build ./... # psql is not run here
//- docker/Dockerfile.dev
FROM postgres:15 AS filled
RUN psql <<EOF
INSERT INTO piers (id, town) VALUES (1, 'Oban');
EOF
CMD ["sh", "-c", "psql -c \\"SELECT name FROM boats\\""]
//- .github/workflows/test.yml
on: push
jobs:
  moor:
    runs-on: ubuntu-latest
    steps:
      - name: "Update the boats"
        run: |
          psql -c "UPDATE boats SET pier_id = ${{ inputs.pier }}"
  build:
    steps:
      - run: make
//- .github/workflows/build.yml
on: push
jobs:
  build:
    steps:
      - run: make
//- .gitlab-ci.yml
count:
  script:
    - mysql -e "SELECT count(id) FROM boats"
//- config/settings.yml
report: mysql -e "SELECT id FROM boats"
"""
PATHS = ["Makefile", "docker/Dockerfile.dev", ".github/workflows/test.yml", ".gitlab-ci.yml"]


def test_statements_are_of_targets_stages_and_jobs(tmp_path: Path) -> None:
    """The strings of another file of YAML are values; a sentence that begins with a verb is no statement."""
    content = analysed(tmp_path, PROJECT)
    assert [use for path in PATHS for use in uses_of(content, path)] == [
        "sink modifies boats delete",
        "sink modifies piers update",
        "sink modifies piers.town update",
        "sink reads boats.id delete",
        "filled modifies piers insert",
        "filled modifies piers.id insert",
        "filled modifies piers.town insert",
        "filled reads boats select",
        "filled reads boats.name select",
        "moor modifies boats update",
        "moor modifies boats.pier_id update",
        "count reads boats select",
        "count reads boats.id select",
    ]


def test_only_files_that_run_statements_are_sources(tmp_path: Path) -> None:
    write(tmp_path, PROJECT)
    found = {each.relative_path: each.language for each in discover(tmp_path, Settings()).files}
    assert found == {
        "db/schema.sql": "sql",
        "Makefile": "makefile",
        "docker/Dockerfile.dev": "dockerfile",
        ".github/workflows/test.yml": "workflow",
        ".gitlab-ci.yml": "workflow",
    }


def test_a_changed_command_changes_its_tables(tmp_path: Path) -> None:
    changes = {
        "Makefile": "sink:\n\tpsql -c 'DELETE FROM piers'\n",
        ".gitlab-ci.yml": "count:\n  script:\n    - make count\n",
        ".github/workflows/build.yml": "jobs:\n  build:\n    steps:\n      - run: psql -c 'TRUNCATE boats'\n",
    }
    check_files(tmp_path, PROJECT, "boats", changes)


@pytest.mark.parametrize(
    ("path", "language"),
    [
        ("GNUmakefile", "makefile"),
        ("rules/db.mk", "makefile"),
        ("Makefile.am", "makefile"),
        ("makefile_notes.txt", None),
        ("Containerfile", "dockerfile"),
        ("api.Dockerfile", "dockerfile"),
        ("api.dockerfile", "dockerfile"),
        ("compose.override.yaml", "workflow"),
        ("infra/docker-compose.yml", "workflow"),
        (".circleci/config.yml", "workflow"),
        ("locales/en.yml", None),
        ("Taskfile.yml", "workflow"),
    ],
)
def test_language_of_a_path(path: str, language: str | None) -> None:
    assert command_language(path) == language


def test_jobs_that_share_lines_and_broken_files() -> None:
    text = "jobs: {a: {steps: []}, b: {steps: []}}\nz:\n  script: psql\n"
    facts = extract_facts(text.encode(), "workflow")
    assert [(each.kind, each.name, each.start_line, each.end_line) for each in facts.symbols] == [
        ("job", "a", 1, 1),
        ("job", "z", 2, 3),
    ]
    broken = extract_facts(b"jobs:\n  a: [\n", "workflow")
    assert [each.kind for each in broken.symbols] == ["expression"]
    assert [problem.reason[:16] for problem in broken.problems] == ["this is not YAML"]


@pytest.mark.parametrize(
    ("language", "part"),
    [("makefile", "define a\n"), ("makefile", "$(a)$(b)"), ("dockerfile", "#\nFROM "), ("workflow", "  a: &a [*a]\n")],
)
def test_hostile_commands_take_linear_time(language: str, part: str) -> None:
    def seconds(count: int) -> float:
        return processor_seconds(lambda: extract_facts(("jobs:\n" + part * count).encode(), language))

    assert is_linear(seconds, 4_000)
