"""Tests that name changed code in a string."""

from __future__ import annotations

from pathlib import Path

import pytest
from astrolabe.retrieval.changes.tests_by_text import changed_words, shared_words
from astrolabe.retrieval.changes.tests_by_text import tests_naming as naming

FILES = {"src/index.ts": 1, "src/h3.ts": 0, "shop/cart/__init__.py": 1, "shop/cart/total.py": 0, "bin/run.mjs": 0}
ROUTES = [("GET /users/{id}", 0), ('app.post("/users")', 1), ("GET /{id}", 0), ("GET /files/{*path}", 0)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("const code = `import { H3 } from '../../src'`", [(2, "names src/index.ts in a string")]),
        ('resolve(__dirname, "../../src/h3.ts")', [(1, "names src/h3.ts in a string")]),
        ('import("../../src/h3")', [(1, "names src/h3.ts in a string")]),
        ("fork('./bin/run.mjs')", [(1, "names bin/run.mjs in a string")]),
        ('fork("bin/run.js")', [(1, "names bin/run.mjs in a string")]),
        ('run([python, "-m", "shop.cart.total"])', [(1, "names shop/cart/total.py in a string")]),
        ('patch("shop.cart")', [(2, "names shop/cart/__init__.py in a string")]),
        ("import('../../src/h3.css')", []),
        ("import('../src/h3')", []),
        ('read("https://example.org/src/h3.ts")', []),
        ('client.get("/users/7")', [(1, "requests /users/{id}")]),
        ("fetch(`${url}/api/users/${id}?full=1`)", [(1, "requests /users/{id}")]),
        ('client.get(f"/users/{one.id}")', [(1, "requests /users/{id}")]),
        ("request('http://localhost:80/users')", [(2, "requests /users")]),
        ('client.get("/orders/7")', []),
        ('client.get("/7")', []),
    ],
)
def test_one_string(tmp_path: Path, text: str, expected: list[tuple[int, str]]) -> None:
    (tmp_path / "test" / "bench").mkdir(parents=True)
    (tmp_path / "test" / "bench" / "bundle.test.ts").write_text(f"before 'it'\n{text}\n")
    found = list(naming(tmp_path, ["test/bench/bundle.test.ts", "test/gone.test.ts"], FILES, ROUTES))
    assert [(each.distance, each.reason) for each in found] == expected
    assert {each.test for each in found} <= {"test/bench/bundle.test.ts"}


def test_rare_words_of_changed_lines_weigh_more(tmp_path: Path) -> None:
    words = changed_words(b"same = line\nif a:\n  send(status)\n", b"same = line\nif a:\n  send(header, status)\n")
    assert words == {"send", "status", "header"}
    texts = {"one.py": "send(1)", "two.py": "send(header)", "three.py": "send(2)", "four.py": "nothing"}
    for path, text in texts.items():
        (tmp_path / path).write_text(text)
    shares = shared_words(tmp_path, texts, frozenset(words))
    assert shares["two.py"].of_text == pytest.approx(1.0)
    assert shares["four.py"].of_text == 0
    assert 0 < shares["one.py"].of_text == shares["three.py"].of_text < 0.5
    assert shared_words(tmp_path, texts, frozenset()) == {}


@pytest.mark.parametrize(
    "text",
    [
        "it('closes idle connections', () => {})",
        'describe.skip("Connection", () => {})',
        "def test_close_of_connections(): ...",
        "async def test_connection(): ...",
        "class TestConnection: ...",
        "func TestConnections(t *testing.T) {}",
        "class ConnectionTest { @Test public void closes() {} }",
        "@Test void keepsConnections() {}",
    ],
)
def test_titles_share_parts_of_words(tmp_path: Path, text: str) -> None:
    (tmp_path / "one").write_text(text)
    (tmp_path / "two").write_text("expect(connections).toBe('closed connections'); def connect(): pass")
    shares = shared_words(tmp_path, ["one", "two"], frozenset(("forceCloseConnections",)))
    assert shares["one"].of_titles == pytest.approx(1.0)
    assert shares["two"] == (0.0, 0.0)
