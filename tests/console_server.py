"""A console that serves a workspace, and requests to it as a browser or an attacker sends them."""

from __future__ import annotations

import http.client
import json
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import uvicorn
from astrolabe.server.api.workspace import Workspace
from astrolabe.server.environment.loopback import listening_socket
from astrolabe.server.web.application import console_application
from astrolabe.server.web.protection import Ticket

#: Token of every console of the tests.
TOKEN = "token-of-this-test"


@dataclass(frozen=True)
class Answer:
    """What the console answered."""

    status: int
    headers: dict[str, str]
    text: str

    @property
    def json(self) -> Any:
        return json.loads(self.text)


@dataclass(frozen=True)
class Console:
    """A console that runs."""

    workspace: Workspace
    port: int
    token: str
    ticket: str

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self.port}"

    @property
    def url(self) -> str:
        return f"http://{self.host}/#token={self.token}"

    def request(self, method: str, path: str, body: bytes = b"", headers: dict[str, str] | None = None) -> Answer:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
        for name, value in {"Content-Length": str(len(body)), **(headers or {})}.items():
            connection.putheader(name, value)
        connection.endheaders(body)
        response = connection.getresponse()
        answer = Answer(response.status, {k.lower(): v for k, v in response.getheaders()}, response.read().decode())
        connection.close()
        return answer

    def ask(self, endpoint: str, **request: object) -> Answer:
        headers = {"Host": self.host, "Origin": f"http://{self.host}", "X-Astrolabe-Token": self.token}
        return self.request("POST", f"/api/{endpoint}", json.dumps(request).encode(), headers)


def serve(workspace: Workspace) -> Iterator[Console]:
    """Serve a workspace at a free port while the generator is suspended."""
    ticket = Ticket()
    with listening_socket("127.0.0.1", 0) as listener:
        port = listener.getsockname()[1]
        application = console_application(workspace, [f"127.0.0.1:{port}", f"localhost:{port}"], TOKEN, ticket)
        server = uvicorn.Server(uvicorn.Config(application, log_level="warning", timeout_graceful_shutdown=1))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        while not server.started:
            assert thread.is_alive()
            time.sleep(0.01)
        try:
            yield Console(workspace, port, TOKEN, ticket.secret)
        finally:
            server.should_exit = True
            thread.join()
