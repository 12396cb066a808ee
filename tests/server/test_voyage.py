"""Voyage as provider: the real `voyageai` client against a server on this machine that speaks its API."""

from __future__ import annotations

import json
import math
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from astrolabe.retrieval.embedding.vector_cache import VectorCache
from astrolabe.retrieval.embedding.voyage import DIMENSIONS, VoyageClient, VoyageEmbedder
from astrolabe.retrieval.words import split_text
from astrolabe.schema.errors import ProviderError
from astrolabe.schema.records import Chunk
from astrolabe.schema.settings import Settings
from astrolabe.server.workspace import Workspace

KEY = "pa-key-of-the-tests"
SOURCES = {
    "cart.ts": "export function cartTotal(prices: number[]) {\n  return prices.reduce((a, b) => a + b, 0)\n}\n",
    "login.ts": "export function checkPassword(user: string, password: string) {\n  return user !== password\n}\n",
}


@dataclass
class Service:
    """What the server was asked, and what it answers before it does its work."""

    requests: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    #: Status codes of the next answers.
    refusals: list[int] = field(default_factory=list)

    def inputs(self) -> list[str]:
        return [text for path, body in self.requests if path == "/v1/embeddings" for text in body["input"]]

    def answer(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        self.requests.append((path, body))
        if path == "/v1/embeddings":
            vectors = [{"object": "embedding", "index": n, "embedding": bag(text)} for n, text in enumerate(body["input"])]
            return {"object": "list", "data": vectors, "model": body["model"], "usage": usage(body["input"])}
        query = set(split_text(body["query"]))
        shares = [len(query & set(split_text(text))) / max(len(query), 1) for text in body["documents"]]
        order = sorted(range(len(shares)), key=lambda place: -shares[place])
        results = [{"index": place, "relevance_score": shares[place]} for place in order]
        return {"object": "list", "data": results, "model": body["model"], "usage": usage(body["documents"])}


def usage(texts: list[str]) -> dict[str, int]:
    return {"total_tokens": sum(len(text) // 4 + 1 for text in texts)}


def bag(text: str) -> list[float]:
    """A bag of hashed words, of unit length."""
    vector = [0.0] * DIMENSIONS
    for term in split_text(text):
        vector[sum(map(ord, term)) * 7919 % DIMENSIONS] += 1.0
    length = math.sqrt(sum(value * value for value in vector)) or 1.0
    return [value / length for value in vector]


@pytest.fixture
def service(monkeypatch: pytest.MonkeyPatch) -> Iterator[Service]:
    served = Service()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            if self.headers["Authorization"] != f"Bearer {KEY}":
                self.reply(401, {"detail": "Provided API key is invalid."})
            elif served.refusals:
                self.reply(served.refusals.pop(0), {"detail": "Not now."})
            else:
                self.reply(200, served.answer(self.path, body))

        def reply(self, status: int, body: dict[str, Any]) -> None:
            data = json.dumps(body).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            if status == 429:
                self.send_header("Retry-After", "0")
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, format: str, *args: Any) -> None:
            """Nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    monkeypatch.setenv("VOYAGE_API_KEY", KEY)
    monkeypatch.setenv("VOYAGE_BASE_URL", f"http://127.0.0.1:{server.server_port}/v1")
    yield served
    server.shutdown()
    server.server_close()


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "shop"
    root.mkdir()
    for name, source in SOURCES.items():
        (root / name).write_text(source)
    return root


def opened(root: Path, **settings: Any) -> Workspace:
    return Workspace(root, root / ".astrolabe", Settings(embedding_provider="voyage", **settings))


def a_chunk(text: str, cuts: tuple[int, ...] = ()) -> Chunk:
    return Chunk(
        id="1",
        relative_path="a.ts",
        language="typescript",
        node_kind="function",
        name="a",
        parent_name=None,
        parent_chunk_id=None,
        child_chunk_ids=(),
        depth=0,
        signature="",
        full_source=text,
        start_line=1,
        end_line=1,
        jsdoc=None,
        relevant_imports=(),
        embedding_text=text,
        breadcrumb="a.ts > a",
        content_hash="",
        last_modified=0,
        exported=True,
        is_test=False,
        cuts=cuts,
    )


def test_code_goes_out_raw_and_results_are_blended_as_the_settings_say(service: Service, project: Path) -> None:
    with opened(project) as workspace:
        results = list(workspace.search("check the password of a user", limit=5))
    assert results[0].name == "checkPassword"
    source = (project / "login.ts").read_text().rstrip("\n")
    assert source in service.inputs()
    embedded = [body for path, body in service.requests if path == "/v1/embeddings"]
    assert {(body["model"], body["input_type"], body["output_dimension"]) for body in embedded} == {
        ("voyage-code-3", "document", 1024),
        ("voyage-code-3", "query", 1024),
    }
    (reranking,) = [body for path, body in service.requests if path == "/v1/rerank"]
    assert reranking["model"] == "rerank-2.5"
    assert source in reranking["documents"]
    query = set(split_text("check the password of a user"))
    share = len(query & set(split_text(source))) / len(query)
    cosine = float(np.dot(bag("check the password of a user"), bag(source)))
    assert results[0].score == pytest.approx(0.65 * share + 0.35 * cosine, abs=2e-3)


@pytest.mark.parametrize("refusals", [[429], [503], [500, 429, 502]])
def test_a_busy_service_is_asked_again(service: Service, refusals: list[int]) -> None:
    service.refusals = list(refusals)
    vector = VoyageEmbedder(VoyageClient(), None).embed_query("anything at all")
    assert vector == pytest.approx(bag("anything at all"), abs=1e-6)


REFUSED: list[tuple[Callable[[pytest.MonkeyPatch, Service], None], str]] = [
    (lambda patch, _: patch.delenv("VOYAGE_API_KEY"), "set the environment variable VOYAGE_API_KEY"),
    (lambda patch, _: patch.setenv("VOYAGE_API_KEY", "wrong"), "does not accept the key in VOYAGE_API_KEY"),
    (lambda _, service: service.refusals.append(400), "InvalidRequestError"),
]


@pytest.mark.parametrize(("arrange", "message"), REFUSED)
def test_what_cannot_be_helped_is_said_at_once(
    service: Service, monkeypatch: pytest.MonkeyPatch, arrange: Callable[[pytest.MonkeyPatch, Service], None], message: str
) -> None:
    arrange(monkeypatch, service)
    with pytest.raises(ProviderError, match=message):
        VoyageEmbedder(VoyageClient(), None).embed_query("anything")
    assert not service.requests


def test_requests_are_bounded_by_texts_and_by_tokens(service: Service) -> None:
    many = [a_chunk(f"const value{n} = {n}") for n in range(600)]
    large = [a_chunk(f"const large{n} = '{'word ' * 20_000}'") for n in range(7)]
    vectors = VoyageEmbedder(VoyageClient(), None).embed_chunks([*many, *large])
    assert vectors.shape == (607, DIMENSIONS)
    sizes = [(len(body["input"]), sum(map(len, body["input"]))) for _, body in service.requests]
    assert sum(count for count, _ in sizes) == 607
    assert all(count <= 1000 and characters <= 360_000 for count, characters in sizes)
    assert len(sizes) > 4


def test_a_symbol_in_pieces_has_the_mean_of_their_vectors(service: Service) -> None:
    first, second = "alpha beta gamma\n", "delta epsilon"
    (vector,) = VoyageEmbedder(VoyageClient(), None).embed_chunks([a_chunk(first + second, (len(first),))])
    mean = (np.array(bag(first)) + np.array(bag(second))) / 2
    assert vector == pytest.approx(mean / np.linalg.norm(mean), abs=1e-3)
    assert service.inputs() == [first, second]


def test_an_interrupted_run_goes_on_where_it_stopped(service: Service, tmp_path: Path) -> None:
    path = tmp_path / "paid.bin"
    before = VoyageEmbedder(VoyageClient(), VectorCache.open(path, DIMENSIONS))
    before.embed_chunks([a_chunk("one"), a_chunk("two")])
    with path.open("ab") as file:
        file.write(b"half a record")
    after = VoyageEmbedder(VoyageClient(), VectorCache.open(path, DIMENSIONS))
    vectors = after.embed_chunks([a_chunk("one"), a_chunk("three"), a_chunk("two")])
    assert service.inputs() == ["one", "two", "three"]
    assert vectors[2] == pytest.approx(bag("two"), abs=1e-3)
    after.keep_only([a_chunk("three")])
    assert len(VectorCache.open(path, DIMENSIONS)) == 1


def test_a_rebuild_embeds_only_what_changed_and_tells_the_cost(service: Service, project: Path) -> None:
    with opened(project) as workspace:
        first = workspace.index()
        assert any("Embedded with voyage-code-3" in notice and "$" in notice for notice in first.notices)
        asked = len(service.inputs())
        (project / "cart.ts").write_text("export const cartLimit = 9\n")
        workspace.index()
    assert service.inputs()[asked:] == ["export const cartLimit = 9"]


def test_a_large_run_is_announced_with_its_cost() -> None:
    embedder = VoyageEmbedder(VoyageClient(), None)
    assert embedder.announcement([a_chunk("small")]) == ""
    sentence = embedder.announcement([a_chunk(f"const a{n} = '{'word ' * 25_000}'") for n in range(40)])
    assert sentence.startswith("Embedding 40 pieces of code with voyage-code-3: about 1,66")
    assert "$0.30" in sentence


def test_another_provider_embeds_everything_anew_and_says_so(service: Service, project: Path) -> None:
    with Workspace(project, project / ".astrolabe", Settings()) as workspace:
        workspace.index()
    with opened(project) as workspace:
        report = workspace.index()
    assert report.outcome == "built"
    assert any("embedded anew, with voyage-code-3 instead of astrolabe-static" in notice for notice in report.notices)
    assert service.inputs()
