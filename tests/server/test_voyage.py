"""Voyage as provider: the real `voyageai` client against a server on this machine that speaks its API."""

from __future__ import annotations

import json
import math
import re
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from astrolabe.retrieval.embedding.vector_cache import VectorCache
from astrolabe.retrieval.embedding.voyage import VoyageEmbedder, VoyageReranker
from astrolabe.retrieval.embedding.voyage_service import DIMENSIONS, VoyageService
from astrolabe.retrieval.text.words import split_text
from astrolabe.schema.errors import ProviderError
from astrolabe.schema.records import Chunk
from astrolabe.schema.settings import Settings
from astrolabe.server.api.workspace import Workspace
from store_worker_template import NO_PAUSES

KEY = "pa-key-of-the-tests"
SOURCES = {
    "cart.ts": "export function cartTotal(prices: number[]) {\n  return prices.reduce((a, b) => a + b, 0)\n}\n",
    "login.ts": "export function checkPassword(user: string, password: string) {\n  return user !== password\n}\n",
}


AT_ONCE = {"Retry-After": "0"}


class Reply(NamedTuple):
    """An answer that the service does not make up itself."""

    status: int
    body: bytes = b'{"detail": "Not now."}'
    headers: dict[str, str] = AT_ONCE
    #: Without a length, nobody notices that it is cut off.
    has_length: bool = True


def busy(status: int) -> Reply:
    return Reply(status)


def plain(status: int, body: bytes = b'{"detail": "Not now."}') -> Reply:
    return Reply(status, body, {})


@dataclass
class Service:
    """What the server was asked, and what it answers before it does its work."""

    requests: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    #: The next answers.
    refusals: list[Reply] = field(default_factory=list)
    #: What is done to each answer of its own.
    change: Callable[[dict[str, Any]], object] = lambda _: None
    #: Tokens (four characters each) of a request from which on it is refused.
    most_tokens: int = 1_000_000

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
                self.reply(plain(401, b'{"detail": "Provided API key is invalid."}'))
            elif served.refusals:
                self.reply(served.refusals.pop(0))
            elif self.path == "/v1/embeddings" and usage(body["input"])["total_tokens"] > served.most_tokens:
                self.reply(plain(400, b'{"detail": "The batch has too many tokens."}'))
            else:
                answer = served.answer(self.path, body)
                served.change(answer)
                self.reply(plain(200, json.dumps(answer).encode()))

        def reply(self, reply: Reply) -> None:
            self.send_response(reply.status)
            self.send_header("Content-Type", "application/json")
            if reply.has_length:
                self.send_header("Content-Length", str(len(reply.body)))
            for name, value in reply.headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(reply.body)

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


TRUNCATED = Reply(200, b'{"object": "list", "data": [', AT_ONCE, has_length=False)
PASSING = [
    [busy(429)],
    [busy(503)],
    [busy(500), busy(429), busy(502)],
    [Reply(429, b"<html>slow down</html>")],
    [Reply(429, b'{"error": "rate limit"}')],
    [Reply(429, headers={"Retry-After": format_datetime(datetime.now(UTC))})],
    [Reply(520, b"<html>unknown</html>"), Reply(529, b'{"detail": "overloaded"}')],
    [TRUNCATED],
]


@pytest.fixture
def pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """What is slept, which takes no time, neither here nor in a worker."""
    slept: list[float] = []
    monkeypatch.setenv(NO_PAUSES, "1")
    monkeypatch.setattr("time.sleep", slept.append)
    return slept


@pytest.mark.parametrize("refusals", PASSING)
def test_a_busy_service_is_asked_again(service: Service, pauses: list[float], refusals: list[Reply]) -> None:
    service.refusals = list(refusals)
    vector = VoyageEmbedder(VoyageService(), None).embed_query("anything at all")
    assert vector == pytest.approx(bag("anything at all"), abs=1e-6)
    assert len(pauses) == len(refusals)


def test_the_service_says_how_long_it_is_busy(service: Service, pauses: list[float]) -> None:
    later = format_datetime(datetime.now(UTC) + timedelta(seconds=4))
    service.refusals = [Reply(429, headers={"Retry-After": "3"}), Reply(429, headers={"retry-after": later})]
    VoyageEmbedder(VoyageService(), None).embed_query("anything at all")
    assert pauses[0] == 3
    assert 2 < pauses[1] <= 4


@pytest.mark.parametrize(
    "asked", ["0", "-5", "nan", "inf", "soon", "Wed, 01 Jan 2020 00:00:00 GMT", "Mon, 01 Jan 99999999999999999999 00:00:00 GMT"]
)
def test_no_service_is_asked_again_without_a_pause(service: Service, pauses: list[float], asked: str) -> None:
    service.refusals = [Reply(503, headers={"Retry-After": asked})] * 2
    VoyageEmbedder(VoyageService(), None).embed_query("anything")
    assert 0.5 <= pauses[0] < 1 <= pauses[1] < 2


@pytest.mark.parametrize("status", [400, 422, 429, 500])
@pytest.mark.parametrize("detail", [[{"loc": ["input"], "msg": "too long"}], {"why": "too long"}, None, 7, ""])
def test_whatever_the_service_says_is_told(service: Service, pauses: list[float], status: int, detail: Any) -> None:
    service.refusals = [plain(status, json.dumps({"detail": detail}).encode())] * 9
    with pytest.raises(ProviderError) as refused:
        VoyageEmbedder(VoyageService(), None).embed_query("anything")
    assert status == 500 or not isinstance(detail, list | dict) or "too long" in str(refused.value)


def test_nobody_waits_for_minutes_for_results(service: Service, pauses: list[float]) -> None:
    service.refusals = [plain(500)] * 50
    with pytest.raises(ProviderError, match="status 500"):
        VoyageEmbedder(VoyageService(), None).embed_query("anything")
    assert sum(pauses) > 3
    service.refusals = [Reply(429, headers={"Retry-After": "90"})]
    with pytest.raises(ProviderError, match="no more requests for now: Not now"):
        VoyageEmbedder(VoyageService(), None).embed_query("anything")
    assert sum(pauses) < 10


def test_who_builds_an_index_waits_and_hears_of_it(service: Service, pauses: list[float]) -> None:
    heard: list[str] = []
    service.refusals = [plain(500)] * 6
    VoyageEmbedder(VoyageService(heard.append), None).embed_chunks([a_chunk("one")])
    assert 60 < sum(pauses) < 100
    assert len(heard) == 1 + sum(pause >= 8 for pause in pauses[1:])
    assert all(re.search(r"Trying again in \d+ s\.$", sentence) for sentence in heard)


def test_without_a_network_it_is_soon_said(pauses: list[float], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VOYAGE_API_KEY", KEY)
    monkeypatch.setenv("VOYAGE_BASE_URL", "http://127.0.0.1:9/v1")
    with pytest.raises(ProviderError, match="cannot be reached"):
        VoyageEmbedder(VoyageService(), None).embed_chunks([a_chunk("one")])
    assert sum(pauses) < 15


def without(name: str) -> Callable[[dict[str, Any]], object]:
    return lambda answer: answer.pop(name)


def with_embedding(value: Any) -> Callable[[dict[str, Any]], object]:
    return lambda answer: [one.update(embedding=value) for one in answer["data"]]


UNUSABLE: list[Callable[[dict[str, Any]], object]] = [
    without("data"),
    without("usage"),
    lambda answer: answer["data"].pop(),
    lambda answer: answer["data"].append(answer["data"][0]),
    lambda answer: [one.update(index=7) for one in answer["data"]],
    with_embedding([0.1] * 512),
    with_embedding([0.1] * 2048),
    with_embedding([float("nan")] * DIMENSIONS),
    with_embedding([float("inf")] * DIMENSIONS),
    with_embedding([0.0] * DIMENSIONS),
    with_embedding([10**400] * DIMENSIONS),
    lambda answer: answer["usage"].update(total_tokens=float("inf")),
    with_embedding(None),
    with_embedding(["x"] * DIMENSIONS),
]


@pytest.mark.parametrize("change", UNUSABLE)
def test_what_is_no_answer_is_neither_taken_nor_kept(
    service: Service, pauses: list[float], tmp_path: Path, change: Callable[[dict[str, Any]], object]
) -> None:
    service.change = change
    path = tmp_path / "paid.bin"
    embedder = VoyageEmbedder(VoyageService(), VectorCache.open(path, DIMENSIONS))
    with pytest.raises(ProviderError, match="cannot be used"):
        embedder.embed_chunks([a_chunk("one"), a_chunk("two")])
    assert len(service.requests) == 3
    assert not path.exists()
    service.change = lambda _: None
    assert embedder.embed_chunks([a_chunk("two")])[0] == pytest.approx(bag("two"), abs=1e-3)


@pytest.mark.parametrize("index", [7, -1, None, "0"])
def test_a_re_ranking_of_other_documents_is_not_taken(service: Service, pauses: list[float], index: Any) -> None:
    service.change = lambda answer: answer["data"][0].update(index=index)
    with pytest.raises(ProviderError, match="cannot be used"):
        VoyageReranker(VoyageService()).scores("one", ["one", "two"])


def test_vectors_belong_to_the_texts_that_the_answer_names(service: Service) -> None:
    service.change = lambda answer: answer["data"].reverse()
    vectors = VoyageEmbedder(VoyageService(), None).embed_chunks([a_chunk("one"), a_chunk("two"), a_chunk("three")])
    for vector, text in zip(vectors, ("one", "two", "three"), strict=True):
        assert vector == pytest.approx(bag(text), abs=1e-3)


def test_damaged_vectors_in_the_cache_are_paid_for_again(service: Service, tmp_path: Path) -> None:
    path = tmp_path / "paid.bin"
    vectors = np.array([bag("one"), bag("two")], np.float32)
    vectors[0, 5] = np.nan
    VectorCache.open(path, DIMENSIONS).add(["one", "two"], vectors)
    found = VoyageEmbedder(VoyageService(), VectorCache.open(path, DIMENSIONS)).embed_chunks([a_chunk("one"), a_chunk("two")])
    assert service.inputs() == ["one"]
    assert found[0] == pytest.approx(bag("one"), abs=1e-3)


def no_voyage(patch: pytest.MonkeyPatch) -> None:
    patch.setitem(sys.modules, "voyageai", None)


REFUSED: list[tuple[Callable[[pytest.MonkeyPatch, Service], None], str]] = [
    (lambda patch, _: patch.delenv("VOYAGE_API_KEY"), "set the environment variable VOYAGE_API_KEY"),
    (lambda patch, _: patch.setenv("VOYAGE_API_KEY", "wrong"), "does not accept the key in VOYAGE_API_KEY"),
    (lambda patch, _: patch.setenv("VOYAGE_API_KEY", "pa-\nkey"), "has characters that no key has"),
    (lambda patch, _: patch.setenv("VOYAGE_API_KEY", "pa-€"), "has characters that no key has"),
    (
        lambda patch, _: patch.setenv("VOYAGE_BASE_URL", "somewhere"),
        "VOYAGE_BASE_URL, or that of a proxy, cannot be used",
    ),
    (lambda patch, _: no_voyage(patch), r'pip install "astrolabe-code\[voyage\]"'),
    (lambda _, service: service.refusals.append(busy(400)), "InvalidRequestError"),
    (lambda _, service: service.refusals.append(busy(403)), "status 403"),
]


@pytest.mark.parametrize(("arrange", "message"), REFUSED)
def test_what_cannot_be_helped_is_said_at_once(
    service: Service,
    pauses: list[float],
    monkeypatch: pytest.MonkeyPatch,
    arrange: Callable[[pytest.MonkeyPatch, Service], None],
    message: str,
) -> None:
    arrange(monkeypatch, service)
    with pytest.raises(ProviderError, match=message):
        VoyageEmbedder(VoyageService(), None).embed_query("anything")
    assert not service.requests
    assert not pauses


def test_a_line_break_behind_the_key_does_not_matter(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VOYAGE_API_KEY", f"{KEY}\n")
    VoyageEmbedder(VoyageService(), None).embed_query("anything")


def test_errors_are_short_and_never_show_the_key(service: Service) -> None:
    service.refusals = [plain(403, json.dumps({"detail": f"\x1b[2J{KEY} may not do this. " * 900}).encode())]
    with pytest.raises(ProviderError) as refused:
        VoyageEmbedder(VoyageService(), None).embed_query("anything")
    assert KEY not in str(refused.value)
    assert str(refused.value).isprintable()
    assert len(str(refused.value)) < 500


def test_less_is_sent_where_the_service_takes_less(service: Service, pauses: list[float]) -> None:
    service.most_tokens = 20_000
    texts = [f"const text{n} = '{'word ' * 2_000}'" for n in range(40)]
    vectors = VoyageEmbedder(VoyageService(), None).embed_chunks([a_chunk(text) for text in texts])
    assert vectors[39] == pytest.approx(bag(texts[39]), abs=1e-3)
    assert service.inputs() == texts
    assert all(usage(body["input"])["total_tokens"] <= 20_000 for _, body in service.requests)


def test_less_is_sent_while_too_much_was_asked(service: Service, pauses: list[float]) -> None:
    service.refusals = [busy(429)] * 4
    texts = [f"const text{n} = '{'word ' * 2_000}'" for n in range(40)]
    VoyageEmbedder(VoyageService(), None).embed_chunks([a_chunk(text) for text in texts])
    assert service.inputs() == texts
    assert len(service.requests) > len(texts) * 10_000 // 300_000 + 1
    assert len(pauses) == 4
    sizes = [usage(body["input"])["total_tokens"] for _, body in service.requests]
    assert sizes[1] > sizes[0]


def test_requests_are_bounded_by_texts_and_by_tokens(service: Service) -> None:
    many = [a_chunk(f"const value{n} = {n}") for n in range(600)]
    large = [a_chunk(f"const large{n} = '{'word ' * 20_000}'") for n in range(7)]
    chinese = [a_chunk(f"const text{n} = '{'代码智能' * 5_000}'") for n in range(7)]
    vectors = VoyageEmbedder(VoyageService(), None).embed_chunks([*many, *large, *chinese])
    assert vectors.shape == (614, DIMENSIONS)
    sizes = [(len(body["input"]), sum(map(len, body["input"]))) for _, body in service.requests]
    assert sum(count for count, _ in sizes) == 614
    assert all(count <= 1000 and characters <= 360_000 for count, characters in sizes)
    assert len(sizes) > 4
    for _, body in service.requests:
        assert sum("代" in text for text in body["input"]) * 20_000 <= 80_000


def test_a_symbol_in_pieces_has_the_mean_of_their_vectors(service: Service) -> None:
    first, second = "alpha beta gamma\n", "delta epsilon"
    (vector,) = VoyageEmbedder(VoyageService(), None).embed_chunks([a_chunk(first + second, (len(first),))])
    mean = (np.array(bag(first)) + np.array(bag(second))) / 2
    assert vector == pytest.approx(mean / np.linalg.norm(mean), abs=1e-3)
    assert service.inputs() == [first, second]


def test_an_interrupted_run_goes_on_where_it_stopped(service: Service, tmp_path: Path) -> None:
    path = tmp_path / "paid.bin"
    before = VoyageEmbedder(VoyageService(), VectorCache.open(path, DIMENSIONS))
    before.embed_chunks([a_chunk("one"), a_chunk("two")])
    with path.open("ab") as file:
        file.write(b"half a record")
    after = VoyageEmbedder(VoyageService(), VectorCache.open(path, DIMENSIONS))
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
    embedder = VoyageEmbedder(VoyageService(), None)
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


def test_without_the_service_names_and_text_are_still_found(
    service: Service, project: Path, pauses: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    with opened(project) as workspace:
        workspace.index()
    monkeypatch.setenv("VOYAGE_BASE_URL", "http://127.0.0.1:9/v1")
    (project / "cart.ts").write_text("export const cartLimit = 9\n")
    with opened(project) as workspace:
        results = workspace.search("symbol = checkPassword")
        assert [result.name for result in results] == ["checkPassword"]
        assert not results.index.fresh
        assert "cannot be reached" in results.index.notices[0]
        assert "1 changed file is not in it yet" in results.index.notices[0]
        assert workspace.find("prices.reduce").answer.total_matches == 1
        with pytest.raises(ProviderError, match="cannot be reached"):
            workspace.search("check the password of a user")
        with pytest.raises(ProviderError, match="cannot be reached"):
            workspace.index()


def test_vectors_of_another_model_are_asked_nothing(
    service: Service, project: Path, pauses: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    with Workspace(project, project / ".astrolabe", Settings()) as workspace:
        workspace.index()
    service.refusals = [plain(403)] * 5
    with opened(project) as workspace:
        assert [result.name for result in workspace.search("symbol = checkPassword")] == ["checkPassword"]
        with pytest.raises(ProviderError, match=r"embedded with astrolabe-static.*the settings want voyage-code-3"):
            workspace.search("check the password of a user")
    service.refusals = []
    with opened(project) as workspace:
        assert workspace.search("check the password of a user", limit=1).results[0].name == "checkPassword"
