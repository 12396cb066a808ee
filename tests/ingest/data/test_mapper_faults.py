"""Faults in the rules of an object mapper: one file loses its models, and says so."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence

import pytest
from astrolabe.ingest.data.mapper_faults import link_models
from astrolabe.ingest.data.schemas.mapped import MappedSchema
from astrolabe.ingest.facts.data import DataFacts
from astrolabe.ingest.languages.extraction import extract_facts
from astrolabe.ingest.languages.go.models import structs
from astrolabe.ingest.languages.java.models import entities
from astrolabe.ingest.languages.python.models import sqlalchemy

PYTHON = "import sqlalchemy as sa\nt = sa.Table('t', sa.MetaData(), sa.Column('id', sa.Integer))\ndef kept(): ...\n"
GO = 'package a\n\ntype User struct {\n\tID int `gorm:"primaryKey"`\n}\n\nfunc kept() {}\n'
JAVA = "import jakarta.persistence.Entity;\n@Entity class User { void kept() {} }\n"


@pytest.mark.parametrize(
    ("language", "source", "reading"),
    [("python", PYTHON, sqlalchemy._Reading), ("go", GO, structs._Reading), ("java", JAVA, entities._Reading)],
)
def test_a_fault_while_a_file_is_read_is_a_problem_of_that_file(
    language: str, source: str, reading: type, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: object) -> None:
        raise KeyError("lost")

    monkeypatch.setattr(reading, "models", fail)
    facts = extract_facts(source.encode(), language)
    assert "kept" in [symbol.name for symbol in facts.symbols]
    assert [problem.reason for problem in facts.problems] == [
        "models were not read because of a fault in Astrolabe: KeyError: 'lost'"
    ]


@pytest.mark.faults
def test_files_that_fail_while_models_are_joined_are_left_out(caplog: pytest.LogCaptureFixture) -> None:
    def link(files: Mapping[str, DataFacts]) -> Sequence[MappedSchema]:
        if "b.py" in files:
            raise ValueError("odd")
        return [MappedSchema("test", ",".join(files), [])]

    files = {path: DataFacts() for path in ("a.py", "b.py", "c.py")}
    with caplog.at_level(logging.WARNING, "astrolabe"):
        assert [each.folder for each in link_models(link, files)] == ["a.py,c.py"]
    assert "b.py: models were not read because of a fault in Astrolabe: ValueError: odd" in caplog.text
