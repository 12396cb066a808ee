"""Entries of coding agents: only the entry differs, whatever else is in their files."""

from __future__ import annotations

import json
import random
import tomllib
from pathlib import Path

import pytest
from astrolabe.ingest.files.jsonc import parse_object
from astrolabe.server.clients.agents_section import AGENTS_FILE, planned_section, planned_section_removal
from astrolabe.server.clients.client_entries import planned_entries, planned_removals
from astrolabe.server.clients.clients import BY_NAME, CLIENTS, ENTRY, Client, Place

WITH_FILES = [client for client in CLIENTS if not client.elsewhere]
OTHERS = {"github": {"command": "npx", "args": ["-y", "server // not a comment"]}, "files": {"url": "http://127.0.0.1:1/mcp"}}


def enter(root: Path, *clients: Client) -> list[str]:
    """Enter the clients, and return why some were left alone."""
    plans = planned_entries(root, clients)
    for plan in plans:
        if plan.change is not None:
            plan.change.apply()
    return [plan.reason for plan in plans if plan.reason]


def remove(root: Path) -> None:
    for plan in planned_removals(root):
        assert plan.change is not None, plan.reason
        plan.change.apply()


def read(path: Path) -> object:
    if path.suffix == ".toml":
        return tomllib.loads(path.read_bytes().decode("utf-8-sig"))
    value, problem = parse_object(path.read_bytes())
    assert problem is None
    return value


def is_subsequence(part: str, whole: str) -> bool:
    characters = iter(whole)
    return all(character in characters for character in part)


class Writer:
    """Writes JSON as people do: with comments, trailing commas, and any layout."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        self.line = chance.choice(["\n", "\n", "\n", "\r\n"])
        self._indent = chance.choice(["  ", "    ", "\t", ""])
        self._has_comments = chance.random() < 0.6
        self._has_trailing = chance.random() < 0.5
        self._is_flat = chance.random() < 0.2

    def text(self, data: object) -> str:
        mark = self._chance.choice(["", "", "", "\ufeff"])
        end = self._chance.choice(["", self.line, self.line * 2])
        return mark + self._comment(self.line) + self._value(data, self.line) + end

    def _value(self, data: object, line: str) -> str:
        if not isinstance(data, dict):
            return json.dumps(data)
        if not data:
            return self._chance.choice(["{}", "{ }", f"{{{line}}}"])
        if self._is_flat or self._chance.random() < 0.2:
            flat = ", ".join(f"{json.dumps(key)}: {json.dumps(value)}" for key, value in data.items())
            return f"{{{flat}{',' if self._has_trailing else ''}}}"
        inner = line + self._indent
        members = []
        for number, (key, value) in enumerate(data.items(), 1):
            comma = "," if number < len(data) or self._has_trailing else ""
            remark = self._chance.choice(["", "", " // a remark", " /* } */ "]) if self._has_comments else ""
            members.append(f"{self._comment(inner)}{json.dumps(key)}: {self._value(value, inner)}{comma}{remark}")
        return "{" + inner + inner.join(members) + self._comment("").rstrip() + line + "}"

    def _comment(self, line: str) -> str:
        if not self._has_comments or self._chance.random() < 0.6:
            return ""
        return self._chance.choice([f'// "{ENTRY}": {{,{line or self.line}', f"/* {{ * }} */{line}"])


def written(chance: random.Random, section: str) -> str:
    """Return the text of a file."""
    others = {name: entry for name, entry in OTHERS.items() if chance.random() < 0.7}
    data: dict[str, object] = {"theme": "One Dark"} if chance.random() < 0.5 else {}
    if others or chance.random() < 0.5:
        data[section] = others
    if chance.random() < 0.5:
        data["tab size"] = 4
    return Writer(chance).text(data)


def written_toml(chance: random.Random, section: str) -> str:
    line = chance.choice(["\n", "\r\n"])
    parts = ['model = "gpt" # the usual', "[history]", 'persistence = """', "[mcp_servers.astrolabe]", '"""', ""]
    if chance.random() < 0.7:
        parts += [
            f"[{section}.github]",
            'command = "npx"',
            "args = [",
            '  "-y", # yes',
            "]",
            f"[{section}.github.env]",
            'A = "1"',
        ]
    return chance.choice(["", "", "\ufeff"]) + line.join(parts) + chance.choice(["", line, line * 2])


@pytest.mark.parametrize("seed", range(120))
def test_only_the_entry_differs(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    client = WITH_FILES[seed % len(WITH_FILES)]
    place = chance.choice(client.places)
    path = tmp_path / place.path
    path.parent.mkdir(parents=True, exist_ok=True)
    text = (written_toml if place.is_toml else written)(chance, place.section)
    path.write_bytes(text.encode())
    before = read(path)
    assert isinstance(before, dict)

    assert enter(tmp_path, client) == []
    others = before.get(place.section, {})
    assert read(path) == {**before, place.section: {**others, ENTRY: dict(place.entry)}}
    assert is_subsequence(text, path.read_bytes().decode())

    entered = path.read_bytes()
    assert enter(tmp_path, client) == [f"{place.path} has the entry already."]
    assert path.read_bytes() == entered

    remove(tmp_path)
    assert path.read_bytes() == text.encode()


@pytest.mark.parametrize("place", [place for client in WITH_FILES for place in client.places], ids=lambda place: place.path)
@pytest.mark.parametrize(
    "text", ["", "\n", "\ufeff", " \r\n\t", "{}", "{}\n", "{ }", "{\n}\n", "{\r\n\t\r\n}\r\n", "{ // none\n}\n"]
)
def test_a_file_without_servers_comes_back_as_it_was(tmp_path: Path, place: Place, text: str) -> None:
    if place.is_toml and "{" in text:
        text = "# none\n" + " " * text.count(" ")
    [client] = [client for client in WITH_FILES if place in client.places]
    path = tmp_path / place.path
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode())

    assert enter(tmp_path, client) == []
    value = read(path)
    assert isinstance(value, dict)
    assert value[place.section] == {ENTRY: dict(place.entry)}
    assert enter(tmp_path, client) == [f"{place.path} has the entry already."]

    remove(tmp_path)
    assert path.read_bytes() == text.encode()


@pytest.mark.parametrize("client", WITH_FILES, ids=lambda client: client.name)
def test_a_new_file_is_removed_again(tmp_path: Path, client: Client) -> None:
    assert enter(tmp_path, client) == []
    place = client.place(tmp_path)
    assert read(tmp_path / place.path) == {**place.preamble, place.section: {ENTRY: dict(place.entry)}}
    remove(tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"// nothing", "line 1, column 11: a value was expected"),
        (b'{"mcpServers": {"a": 1}', "line 1, column 24: ',' or '}' was expected"),
        (b'{"mcpServers": []}', '"mcpServers" is not an object in braces'),
        (b"[1, 2]", "the root is not an object in braces"),
        (b'{"a": 1}\n/* open', "line 2, column 1: a comment does not end"),
        (b"{'a': 1}", "line 1, column 2: a name in double quotes was expected"),
        (b"[" * 100_000, "line 1, column 102: values are nested more than 100 deep"),
    ],
)
def test_a_file_that_is_not_json_is_left_alone(tmp_path: Path, content: bytes, reason: str) -> None:
    path = tmp_path / ".mcp.json"
    path.write_bytes(content)
    assert enter(tmp_path, BY_NAME["claude-code"]) == [f".mcp.json was left alone. As JSON: {reason}."]
    assert path.read_bytes() == content


@pytest.mark.parametrize("content", [b"\xff{}", b"a = 1\na = 2\n", b"mcp_servers = { a = { command = 'x' } }\n"])
def test_a_toml_file_that_cannot_get_a_table_is_left_alone(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / ".codex" / "config.toml"
    path.parent.mkdir()
    path.write_bytes(content)
    [reason] = enter(tmp_path, BY_NAME["codex"])
    assert reason.startswith(".codex/config.toml")
    assert path.read_bytes() == content


def test_an_entry_of_the_same_name_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / ".mcp.json"
    path.write_text('{"mcpServers": {"astrolabe": {"command": "uvx", "args": ["astrolabe", "serve"]}}}')
    [reason] = enter(tmp_path, BY_NAME["claude-code"])
    assert reason == ".mcp.json has another entry with the name astrolabe, which was left alone."


def test_a_file_outside_of_the_project_is_left_alone(tmp_path: Path) -> None:
    root, home = tmp_path / "project", tmp_path / "home"
    root.mkdir()
    home.mkdir()
    (root / ".cursor").symlink_to(home)
    [reason] = enter(root, BY_NAME["cursor"])
    assert "leads out of the project" in reason
    assert list(home.iterdir()) == []


def test_windsurf_has_no_file_in_a_project(tmp_path: Path) -> None:
    [reason] = enter(tmp_path, BY_NAME["windsurf"])
    assert "~/.codeium/windsurf/mcp_config.json" in reason
    assert list(tmp_path.iterdir()) == []


def test_kilo_code_gets_the_entry_in_the_file_that_it_reads(tmp_path: Path) -> None:
    (tmp_path / "kilo.jsonc").write_text("{\n}\n")
    assert enter(tmp_path, BY_NAME["kilo-code"]) == []
    assert read(tmp_path / "kilo.jsonc") == {
        "mcp": {ENTRY: {"type": "local", "command": ["astrolabe", "serve"], "enabled": True}}
    }


@pytest.mark.parametrize("text", [None, b"", b"\n", b"\r\n", b"# Rules", b"# Rules\n\n", b"# Rules\r\n"])
def test_the_file_with_instructions_comes_back_as_it_was(tmp_path: Path, text: bytes | None) -> None:
    path = tmp_path / AGENTS_FILE
    if text is not None:
        path.write_bytes(text)
    entered = planned_section(tmp_path)
    assert entered is not None
    entered.apply()
    assert b"codebase_search" in path.read_bytes()
    assert planned_section(tmp_path) is None
    removed = planned_section_removal(tmp_path)
    assert removed is not None
    removed.apply()
    assert (path.read_bytes() if path.exists() else None) == text
