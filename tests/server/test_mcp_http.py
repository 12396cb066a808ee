"""MCP over HTTP with a token and a limit of sessions, against a running server."""

from __future__ import annotations

import socket
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest
from astrolabe.schema.errors import UsageError
from astrolabe.server.cli.app import app
from astrolabe.server.mcp.http_serving import token_in
from typer.testing import CliRunner

HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}},
}
ACCEPTED = {"Accept": "application/json, text/event-stream"}


@pytest.fixture
def guarded(indexed: Path, tmp_path: Path) -> Iterator[tuple[str, Path]]:
    """Run a server that demands a token and allows one session; its URL, and the file with the token."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    token_file = tmp_path / "token"
    options = ["--http", f"127.0.0.1:{port}", "--token-file", str(token_file), "--max-sessions", "1", "--root", str(indexed)]
    server = subprocess.Popen([sys.executable, "-P", "-m", "astrolabe", "serve", *options], stderr=subprocess.PIPE, text=True)
    assert server.stderr is not None
    try:
        while "Clients must send" not in server.stderr.readline():
            assert server.poll() is None
        yield f"http://127.0.0.1:{port}/mcp", token_file
    finally:
        server.terminate()
        server.communicate(timeout=30)


def test_only_a_client_with_the_token_is_answered_and_only_so_many_at_once(guarded: tuple[str, Path]) -> None:
    url, token_file = guarded
    assert stat.S_IMODE(token_file.stat().st_mode) == 0o600
    for sent in ({}, {"Authorization": "Bearer wrong"}, {"Authorization": token_file.read_text().strip()}):
        refused = httpx2.post(url, json=HELLO, headers=ACCEPTED | sent, timeout=60)
        assert refused.status_code == 401
        assert refused.headers["WWW-Authenticate"] == "Bearer"
        assert "demands its token" in refused.json()["error"]
    right = ACCEPTED | {"Authorization": f"bearer {token_file.read_text().strip()}"}  # schemes have no case
    answered = httpx2.post(url, json=HELLO, headers=right, timeout=60)
    assert answered.status_code == 200
    assert '"serverInfo"' in answered.text
    assert httpx2.post(url, json=HELLO, headers=right, timeout=60).status_code == 503
    session = right | {"Mcp-Session-Id": answered.headers["Mcp-Session-Id"]}
    assert httpx2.delete(url, headers=session, timeout=60).status_code == 200
    assert httpx2.post(url, json=HELLO, headers=right, timeout=60).status_code == 200


def test_a_token_that_could_be_guessed_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "token"
    made = token_in(file)
    assert token_in(file) == made
    for text in ("", "short", "a token with blanks in it", "umlaut-äöü-is-not-for-headers", "\0" * 20):
        file.write_text(text, encoding="utf-8")
        with pytest.raises(UsageError, match="holds no usable token"):
            token_in(file)
    file.write_text(made)
    file.chmod(0o644)
    with pytest.raises(UsageError, match="Other users of this machine can read"):
        token_in(file)
    folder = tmp_path / "folder"
    folder.mkdir(0o700)
    with pytest.raises(UsageError, match="cannot be read"):
        token_in(folder)
    with pytest.raises(UsageError, match="cannot be read"):
        token_in(tmp_path / "absent" / "token")


@pytest.mark.parametrize("option", ["--token-file", "--max-sessions"])
def test_options_of_http_are_refused_without_it(option: str, shop: Path, tmp_path: Path) -> None:
    value = {"--token-file": str(tmp_path / "token"), "--max-sessions": "3"}[option]
    refused = CliRunner().invoke(app, ["serve", option, value, "--root", str(shop)])
    assert isinstance(refused.exception, UsageError)
    assert f"{option} needs --http" in str(refused.exception)
    assert not (tmp_path / "token").exists()
