"""Attacks on the console: other hosts and origins, no token, paths that lead elsewhere, large and broken requests."""

from __future__ import annotations

import socket
import time
from contextlib import suppress
from types import SimpleNamespace

import pytest
from astrolabe.server.web import protection
from astrolabe.server.web.protection import TICKET_SECONDS, Ticket
from console_server import Console

#: A value for the port of the console stands as {port}.
FOREIGN_HOSTS = (
    "evil.example",
    "evil.example:{port}",
    "127.0.0.1",
    "127.0.0.1:1",
    "127.0.0.1.evil.example:{port}",
    "localhost.:{port}",
    "0.0.0.0:{port}",
    "127.0.0.1:{port}@evil.example",
    "127.0.0.2:{port}",
    "",
)
FOREIGN_ORIGINS = (
    "http://evil.example",
    "null",
    "http://127.0.0.1",
    "https://127.0.0.1:{port}",
    "http://127.0.0.1:{port}.evil.example",
)


def headers(console: Console, **changed: str) -> dict[str, str]:
    own = {"Host": console.host, "X-Astrolabe-Token": console.token, "Origin": f"http://{console.host}"}
    return {**own, **{name.replace("_", "-"): value.format(port=console.port) for name, value in changed.items()}}


@pytest.mark.parametrize("host", FOREIGN_HOSTS)
@pytest.mark.parametrize(("method", "path"), [("POST", "/api/state"), ("GET", "/")])
def test_another_host_gets_nothing(console: Console, host: str, method: str, path: str) -> None:
    assert console.request(method, path, b"", headers(console, Host=host)).status in (400, 403)


def test_a_request_without_a_host_gets_nothing(console: Console) -> None:
    admitted = headers(console)
    del admitted["Host"]
    assert console.request("POST", "/api/state", b"", admitted).status == 400


@pytest.mark.parametrize("origin", FOREIGN_ORIGINS)
def test_another_origin_gets_nothing(console: Console, origin: str) -> None:
    assert console.request("POST", "/api/state", b"", headers(console, Origin=origin)).status == 403


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_a_browser_that_names_another_site_gets_nothing(console: Console, site: str) -> None:
    """`same-site` is what a browser says of another port of this machine."""
    assert console.request("POST", "/api/state", b"", headers(console, Sec_Fetch_Site=site)).status == 403


@pytest.mark.parametrize("token", ["", "wrong", "token-of-this-tes", "token-of-this-test1", "é"])
def test_another_token_gets_no_data(console: Console, token: str) -> None:
    answer = console.request("POST", "/api/search", b'{"query": "token"}', headers(console, X_Astrolabe_Token=token))
    assert answer.status == 401
    assert "results" not in answer.json


def test_a_ticket_opens_the_console_once(console: Console) -> None:
    """And not after its time."""

    def enter(ticket: str, **changed: str) -> tuple[int, str]:
        answer = console.request("POST", "/api/enter", b"", headers(console, X_Astrolabe_Token=ticket, **changed))
        return answer.status, answer.json.get("token", "")

    assert enter("") == enter("wrong") == enter(console.token) == (401, "")
    assert enter(console.ticket, Origin="http://evil.example") == (403, "")
    assert enter(console.ticket, Host="evil.example") == (403, "")
    assert console.request("POST", "/api/state", b"", headers(console, X_Astrolabe_Token=console.ticket)).status == 401
    assert enter(console.ticket) == (200, console.token)
    assert enter(console.ticket) == (401, "")


def test_a_ticket_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    ticket = Ticket()
    later = time.monotonic() + TICKET_SECONDS + 1
    # The server of another test reads the clock, too, and would sleep until then.
    monkeypatch.setattr(protection, "time", SimpleNamespace(monotonic=lambda: later))
    assert not ticket.redeem(ticket.secret)


@pytest.mark.parametrize("method", ["GET", "PUT", "DELETE", "OPTIONS", "HEAD"])
def test_data_is_only_posted(console: Console, method: str) -> None:
    """No link, image or preflight reaches an endpoint, and no header of the answer admits another origin."""
    answer = console.request(method, "/api/state", b"", headers(console))
    assert answer.status in (404, 405)
    assert not any(name.startswith("access-control") for name in answer.headers)


@pytest.mark.parametrize(
    "path",
    [
        "/../../../etc/passwd",
        "/%2e%2e/%2e%2e/%2e%2e/etc/passwd",
        "/..%2f..%2fapplication.py",
        "/..\\..\\application.py",
        "/static/../../application.py",
        "//etc/passwd",
        "/%00",
        "/package.json",
        "/.astrolabe/CURRENT",
    ],
)
def test_no_path_leads_out_of_the_page(console: Console, path: str) -> None:
    assert console.request("GET", path, b"", headers(console)).status in (400, 403, 404)


@pytest.mark.parametrize(
    "path", ["../../../etc/passwd", "/etc/passwd", "package.json/../../secret", "src/auth/../auth/verify.ts", "\0"]
)
def test_source_comes_from_the_index_alone(console: Console, path: str) -> None:
    for endpoint in ("source", "file"):
        assert console.ask(endpoint, path=path).status == 422


def test_broken_and_large_requests_get_a_sentence(console: Console) -> None:
    for body, status in ((b"{", 400), (b"\xff\xfe", 400), (b"[]", 400), (b"[" * 100_000, 400), (b" " * 1_000_001, 413)):
        answer = console.request("POST", "/api/search", body, headers(console))
        assert (answer.status, list(answer.json)) == (status, ["error"])


@pytest.mark.parametrize(("method", "path"), [("GET", "/"), ("GET", "/console.js"), ("POST", "/api/state"), ("GET", "/nothing")])
def test_every_answer_forbids_foreign_scripts(console: Console, method: str, path: str) -> None:
    answer = console.request(method, path, b"", headers(console))
    policy = answer.headers["content-security-policy"]
    assert "script-src 'self';" in policy
    assert "unsafe" not in policy
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["x-frame-options"] == "DENY"


def test_requests_in_pieces_and_other_protocols_get_nothing(console: Console) -> None:
    """A body without a length is read up to the limit, and no page is upgraded to a web socket."""
    pieces = b"".join(b"fa00\r\n" + b" " * 64_000 + b"\r\n" for _ in range(20)) + b"0\r\n\r\n"
    shared = "".join(f"{name}: {value}\r\n" for name, value in headers(console).items())
    assert raw(console, f"POST /api/state HTTP/1.1\r\n{shared}Transfer-Encoding: chunked\r\n\r\n".encode() + pieces) == 413
    twice = f"Host: evil.example\r\n{shared}Content-Length: 0\r\n\r\n"
    assert raw(console, f"POST /api/state HTTP/1.1\r\n{twice}".encode()) in (400, 403)
    upgrade = f"{shared}Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: YQ==\r\n\r\n"
    assert raw(console, f"GET /api/state HTTP/1.1\r\n{upgrade}".encode()) not in (101, 200)
    elsewhere = f"{shared}Content-Length: 0\r\n\r\n"
    assert raw(console, f"POST http://evil.example/api/state HTTP/1.1\r\n{elsewhere}".encode()) in (400, 403, 404, 405)


def raw(console: Console, request: bytes) -> int:
    """Return the status of the answer to the bytes of a request."""
    with socket.create_connection(("127.0.0.1", console.port), timeout=30) as connection:
        with suppress(BrokenPipeError, ConnectionResetError):  # a server may answer before it has read everything
            connection.sendall(request)
        return int(connection.recv(64).split()[1])


def test_the_page_has_no_inline_script_and_names_no_other_host(console: Console) -> None:
    page = console.request("GET", "/", b"", headers(console)).text
    assert "<script>" not in page
    assert "://" not in page.replace("http://www.w3.org", "")
    assert console.token not in page
