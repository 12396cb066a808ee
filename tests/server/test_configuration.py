"""Settings: where they come from, what is refused and how it is explained."""

from __future__ import annotations

from pathlib import Path

import pytest
from astrolabe.schema.errors import UsageError
from astrolabe.schema.settings import GROUPS, Settings
from astrolabe.server.environment.configuration import load_settings, settings_state, settings_table, variable_name


def write(root: Path, text: str) -> None:
    (root / "astrolabe.toml").write_text(text, encoding="utf-8")


def test_defaults(tmp_path: Path) -> None:
    assert load_settings(tmp_path) == Settings()


def test_the_environment_goes_before_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, 'workers = 1\ncall_depth = -1\nexclude = ["a/", "*.gen.ts"]\n')
    monkeypatch.setenv("ASTROLABE_WORKERS", "3")
    settings = load_settings(tmp_path)
    assert (settings.workers, settings.call_depth, settings.exclude) == (3, -1, ("a/", "*.gen.ts"))


@pytest.mark.parametrize(
    ("variable", "text", "setting", "value"),
    [
        ("ASTROLABE_EXCLUDE", "a/, *.gen.ts", "exclude", ("a/", "*.gen.ts")),
        ("ASTROLABE_EXCLUDE", "", "exclude", ()),
        ("ASTROLABE_QUERY_TIMEOUT", "2.5", "query_timeout", 2.5),
        ("ASTROLABE_MAX_FILE_SIZE", "1000", "max_file_size", 1000),
    ],
)
def test_variables(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, variable: str, text: str, setting: str, value: object
) -> None:
    monkeypatch.setenv(variable, text)
    assert getattr(load_settings(tmp_path), setting) == value


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("wrokers = 2", "wrokers is no setting of Astrolabe; did you mean workers."),
        ("zzz = 2", "zzz is no setting of Astrolabe."),
        ('workers = "many"', "workers must be a whole number, not 'many'."),
        ("workers = -1", "workers must be at least 0, not -1."),
        ("max_token_budget = 0", "max_token_budget must be greater than 0, not 0."),
        ("max_token_budget = 1.5", "max_token_budget must be a whole number, not 1.5."),
        ("vector_weight = 2", "vector_weight must be at most 1, not 2."),
        ("query_timeout = inf", "query_timeout must be a finite number, not inf."),
        ('embedding_provider = "magic"', 'embedding_provider must be "local" or "voyage", not \'magic\'.'),
        ("exclude = 3", "exclude must be a list of texts, not 3."),
        ("exclude = [3]", "exclude must be a text, not 3."),
        ('sql_dialect = ["postgre"]', "sql_dialect must be a dialect (bigquery, "),
        ('sql_dialect = ["db/=my"]', "or a pattern and a dialect (reports/=bigquery), not 'db/=my'."),
        ("workers = ", "is not valid TOML"),
        ("[workers]\nmany = 3", "workers must be a whole number"),
        ("workers = true", "workers must be a whole number, not True."),
        ('sampling = "perhaps"', "sampling must be true or false, not 'perhaps'."),
        ("run_compiler = 3", "run_compiler must be true or false, not 3."),
        ("sampling_below = nan", "sampling_below must be a finite number, not nan."),
    ],
)
def test_wrong_values_are_explained(tmp_path: Path, text: str, message: str) -> None:
    write(tmp_path, text)
    with pytest.raises(UsageError) as caught:
        load_settings(tmp_path)
    assert message in str(caught.value)
    assert str(tmp_path / "astrolabe.toml") in str(caught.value)


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("# Ours.\n\nwrokers = 2\n", ":3: wrokers is no setting"),
        ('exclude = [\n  "a/",\n  "b/", # more\n]\nworkers = -1 # few\n', ":5: workers must be at least 0"),
        ("sampling_below = 2\n\n[workers]\nmany = 3\n", ":3: workers must be a whole number"),
        ("workers = 1\ncall_depth = = 2\n", ":2:14: The file is not valid TOML"),
        ("workers = 1\ncall_depth =", ":2:"),
        ('exclude = ["a/"\n', ":2: The file is not valid TOML"),
        ('sql_dialect = ["mysql", "postgre"]', "not 'postgre', which is item 2."),
    ],
)
def test_a_mistake_in_the_file_has_its_place(tmp_path: Path, text: str, place: str) -> None:
    write(tmp_path, text)
    with pytest.raises(UsageError) as caught:
        load_settings(tmp_path)
    assert place in str(caught.value)


def test_mistakes_are_listed_beside_the_values(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASTROLABE_CALL_DEPTH", "deep")
    write(tmp_path, "wrokers = 2\nmax_token_budget = 0\nhistory_depth = 5\n")
    state = settings_state(tmp_path)
    assert [(problem.name, problem.line) for problem in state.problems] == [("wrokers", 1), ("max_token_budget", 2), ("", 0)]
    values = {each.row.name: each for each in state.values}
    assert (values["max_token_budget"].value, values["history_depth"].value, values["call_depth"].value) == (0, 5, "deep")
    assert [each.row.name for each in state.values if each.problem] == ["max_token_budget", "call_depth"]


def test_a_file_that_is_not_valid_has_no_values(tmp_path: Path) -> None:
    write(tmp_path, "workers = 1\nworkers = 2\n")
    state = settings_state(tmp_path)
    assert (state.values, [problem.line for problem in state.problems]) == ((), [2])


def test_each_setting_is_in_one_group_in_the_order_of_the_table() -> None:
    assert [name for group in GROUPS for name in group.settings] == list(Settings.__struct_fields__)


def test_each_mistake_has_its_sentence(tmp_path: Path) -> None:
    write(tmp_path, "workers = -1\ncall_depth = -2\n")
    with pytest.raises(UsageError) as caught:
        load_settings(tmp_path)
    assert len(str(caught.value).splitlines()) == 2


def test_a_wrong_variable_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASTROLABE_WORKERS", "lots")
    with pytest.raises(UsageError, match=r"^ASTROLABE_WORKERS must be a whole number, not 'lots'\.$"):
        load_settings(tmp_path)


def test_an_unknown_variable_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASTROLABE_EXCLUDES", "a")
    with pytest.raises(UsageError, match="ASTROLABE_EXCLUDES is no setting of Astrolabe; did you mean ASTROLABE_EXCLUDE"):
        load_settings(tmp_path)


def test_a_variable_like_no_setting_is_likened_to_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASTROLABE_BUDGET", "3")
    with pytest.raises(UsageError, match=r"^The environment variable ASTROLABE_BUDGET is no setting of Astrolabe\.$"):
        load_settings(tmp_path)


def test_a_file_in_another_encoding_is_refused(tmp_path: Path) -> None:
    (tmp_path / "astrolabe.toml").write_bytes('exclude = ["é"]'.encode("latin-1"))
    with pytest.raises(UsageError, match="not valid UTF-8"):
        load_settings(tmp_path)


def test_the_table_documents_every_setting() -> None:
    rows = settings_table()
    assert [row.name for row in rows] == list(Settings.__struct_fields__)
    assert all(row.meaning.endswith(".") and row.variable == variable_name(row.name) for row in rows)


@pytest.mark.parametrize("row", settings_table(), ids=lambda row: row.name)
def test_the_documented_default_may_be_written_to_the_file(tmp_path: Path, row: object) -> None:
    write(tmp_path, f"{row.name} = {row.default}\n")  # type: ignore[attr-defined]
    assert load_settings(tmp_path) == Settings()
