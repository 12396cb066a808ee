"""Settings that are written to `astrolabe.toml`, and the file around them."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest
from astrolabe.schema.errors import UsageError
from astrolabe.server.environment.configuration import load_settings, setting_values
from astrolabe.server.environment.settings_file import set_setting, unset_setting

from tests.server.conftest import Run

WRITTEN = """\
# Our settings.

max_token_budget = 4000 # agents read less
exclude = [
    "legacy/", # from before
    "*.gen.ts",
]

# The end.
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "astrolabe.toml"
    path.write_text(WRITTEN)
    return path


def test_a_changed_value_keeps_everything_around_it(file: Path) -> None:
    set_setting(file.parent, "max_token_budget", 2000)
    assert file.read_text() == WRITTEN.replace("4000", "2000")
    set_setting(file.parent, "max_token_budget", 4000)
    assert file.read_text() == WRITTEN


def test_a_new_setting_is_added(file: Path) -> None:
    set_setting(file.parent, "sampling", True)
    assert load_settings(file.parent).sampling
    assert WRITTEN.rstrip() in file.read_text()


def test_a_file_is_made(tmp_path: Path) -> None:
    set_setting(tmp_path, "exclude", ["a/", '"quoted"'])
    assert load_settings(tmp_path).exclude == ("a/", '"quoted"')


def test_a_removed_setting_has_its_default_again(file: Path) -> None:
    assert unset_setting(file.parent, "max_token_budget")
    assert load_settings(file.parent).max_token_budget == 8000
    assert "# from before" in file.read_text()
    assert not unset_setting(file.parent, "max_token_budget")


@pytest.mark.parametrize("before", [b"\xef\xbb\xbfworkers = 1\r\n# end\r\n", b"workers = 1", b"workers=1 #x\n"])
def test_line_ends_and_marks_stay(tmp_path: Path, before: bytes) -> None:
    file = tmp_path / "astrolabe.toml"
    file.write_bytes(before)
    set_setting(tmp_path, "workers", 2)
    assert file.read_bytes() == before.replace(b"1", b"2")


def test_mode_and_links_stay(tmp_path: Path) -> None:
    target = tmp_path / "shared.toml"
    target.write_text("workers = 1\n")
    target.chmod(0o640)
    (tmp_path / "astrolabe.toml").symlink_to(target)
    set_setting(tmp_path, "workers", 2)
    assert target.read_text() == "workers = 2\n"
    assert (tmp_path / "astrolabe.toml").is_symlink()
    assert stat.S_IMODE(target.stat().st_mode) == 0o640
    assert sorted(os.listdir(tmp_path)) == ["astrolabe.toml", "shared.toml"]


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("max_token_budge", 1, "did you mean max_token_budget"),
        ("max_token_budget", 0, "must be greater than 0"),
        ("max_token_budget", "many", "must be a whole number"),
        ("sampling", 1, "must be true or false"),
        ("rerank_weight", 2, "must be at most 1"),
        ("pre_commit", "maybe", "must be"),
        ("exclude", "x", "must be a list of texts"),
        ("exclude", [1], "must be a text"),
    ],
)
def test_what_is_not_allowed_changes_nothing(file: Path, name: str, value: object, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        set_setting(file.parent, name, value)
    assert file.read_text() == WRITTEN


@pytest.mark.parametrize("text", [b"workers = ", b"\xff", b"workers = 1\nworkers = 2\n"])
def test_a_broken_file_is_explained_and_stays(tmp_path: Path, text: bytes) -> None:
    (tmp_path / "astrolabe.toml").write_bytes(text)
    with pytest.raises(UsageError, match="is not valid"):
        set_setting(tmp_path, "workers", 2)
    assert (tmp_path / "astrolabe.toml").read_bytes() == text


def test_values_say_where_they_come_from(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASTROLABE_WORKERS", "3")
    found = {each.row.name: each for each in setting_values(file.parent)}
    assert (found["workers"].value, found["workers"].source, found["workers"].form) == (3, "environment", "number")
    assert (found["max_token_budget"].value, found["max_token_budget"].source) == (4000, "file")
    assert (found["pre_commit"].source, found["pre_commit"].choices) == ("default", ("block", "off", "warn"))
    assert {each.form for each in found.values()} == {"flag", "number", "decimal", "choice", "list", "text"}


def test_the_commands(run: Run, shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = ("--root", str(shop))
    assert "exclude = legacy/, *.gen.ts in" in run("settings", "set", "exclude", "legacy/, *.gen.ts", *root).out
    assert {"name": "exclude", "value": ["legacy/", "*.gen.ts"], "source": "file"} in run(
        "settings", "list", "--json", *root
    ).json
    assert "max_token_budget" in run("settings", "list", *root).out
    assert run("settings", "set", "workers", "many", *root).code == 2
    assert "is no setting" in run("settings", "set", "nonsense", "1", *root).err
    assert "no longer" in run("settings", "unset", "exclude", *root).out
    assert "does not set exclude" in run("settings", "unset", "exclude", *root).err
    monkeypatch.setenv("ASTROLABE_WORKERS", "3")
    assert "ASTROLABE_WORKERS wins" in run("settings", "set", "workers", "1", *root).err
