"""The local embedding that ships with the package."""

from __future__ import annotations

import dataclasses
import subprocess
import sys
from pathlib import Path

import msgspec
import numpy as np
import pytest
from astrolabe.retrieval.embedding import WEIGHTS_PATH, load_embedder
from astrolabe.retrieval.embedding.chunk_fields import FIELDS, chunk_fields
from astrolabe.retrieval.embedding.embedder import Embedder
from astrolabe.retrieval.embedding.static_embedder import StaticEmbedder
from astrolabe.retrieval.embedding.weights import MAX_COMPONENT, Weights, quantised, read_weights, write_weights
from astrolabe.schema.errors import ProviderError
from astrolabe.schema.records import Chunk
from astrolabe.schema.settings import Settings
from hypothesis import given, settings
from hypothesis import strategies as st


def _chunk(name: str, text: str, path: str = "src/code.ts", scope: str = "", jsdoc: str | None = None) -> Chunk:
    breadcrumb = " > ".join(part for part in (path, scope, name) if part)
    return Chunk(
        id="0",
        relative_path=path,
        language="typescript",
        node_kind="function",
        name=name,
        parent_name=scope or None,
        parent_chunk_id=None,
        child_chunk_ids=(),
        depth=0,
        signature=text.partition("{")[0].strip(),
        start_line=1,
        end_line=1,
        jsdoc=jsdoc,
        relevant_imports=(),
        embedding_text=text,
        breadcrumb=breadcrumb,
        content_hash="",
        last_modified=0,
        exported=True,
        is_test=False,
    )


CHUNKS = {
    "token": _chunk(
        "validateToken",
        "async validateToken(jwt: string): Promise<Claims> {\n  const claims = verify(jwt, this.secret)\n"
        "  if (claims.exp < Date.now()) throw new UnauthorizedError('expired')\n  return claims\n}",
        "src/auth/token-service.ts",
        "TokenService",
    ),
    "retry": _chunk(
        "withBackoff",
        "export async function withBackoff<T>(call: () => Promise<T>, attempts: number): Promise<T> {\n"
        "  for (let n = 0; n < attempts; n++) {\n    try { return await call() } catch (e) { await sleep(2 ** n * 100) }\n  }\n"
        "  throw new Error('gave up')\n}",
        "src/net/retry.ts",
    ),
    "cart": _chunk(
        "computeTotal",
        "export function computeTotal(items: CartItem[], taxRate: number): Money {\n"
        "  const sum = items.reduce((total, item) => total + item.price * item.quantity, 0)\n"
        "  return round(sum * (1 + taxRate))\n}",
        "src/shop/cart.ts",
    ),
    "tree": _chunk(
        "rotateLeft",
        "private rotateLeft(node: TreeNode): TreeNode {\n  const pivot = node.right\n  node.right = pivot.left\n"
        "  pivot.left = node\n  node.height = heightOf(node)\n  return pivot\n}",
        "src/collections/avl-tree.ts",
        "AvlTree",
    ),
    "theme": _chunk(
        "ThemeToggle",
        "export function ThemeToggle() {\n  const [dark, setDark] = useState(false)\n"
        "  return <button onClick={() => setDark(!dark)}>{dark ? <MoonIcon /> : <SunIcon />}</button>\n}",
        "src/components/ThemeToggle.tsx",
    ),
    "upload": _chunk(
        "saveAttachment",
        "async saveAttachment(file: Buffer, name: string) {\n  const key = `${randomUUID()}/${name}`\n"
        "  await this.bucket.putObject({ key, body: file })\n  return key\n}",
        "src/storage/attachments.ts",
        "AttachmentStore",
    ),
}


@pytest.fixture(scope="module")
def embedder() -> Embedder:
    return load_embedder(Settings())


def test_shape_and_length(embedder: Embedder) -> None:
    vectors = embedder.embed_chunks(list(CHUNKS.values()))
    assert vectors.shape == (len(CHUNKS), 256)
    assert vectors.dtype == np.float32
    assert embedder.dimensions == 256
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-6)
    query = embedder.embed_query("where are tokens checked")
    assert query.shape == (256,)
    assert query.dtype == np.float32
    assert np.linalg.norm(query) == pytest.approx(1, abs=1e-6)


def test_model_has_a_name_and_version(embedder: Embedder) -> None:
    assert embedder.model.startswith("astrolabe-static-code-256 v")


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("where do we check that an access token is still valid", "token"),
        ("verify jwt", "token"),
        ("try a failed request again after a delay", "retry"),
        ("exponential backoff", "retry"),
        ("how is the price of all products in the basket calculated", "cart"),
        ("sum with tax", "cart"),
        ("rebalance a binary search tree", "tree"),
        ("switch between dark and light mode", "theme"),
        ("component with a button to change colours of the theme", "theme"),
        ("store an uploaded file in object storage", "upload"),
        ("AttachmentStore.saveAttachment", "upload"),
    ],
)
def test_question_is_nearest_to_the_code_that_answers_it(embedder: Embedder, query: str, expected: str) -> None:
    scores = embedder.embed_chunks(list(CHUNKS.values())) @ embedder.embed_query(query)
    assert list(CHUNKS)[int(scores.argmax())] == expected


def test_related_code_is_nearer_than_unrelated(embedder: Embedder) -> None:
    similar = _chunk("checkJwt", "function checkJwt(token: string) {\n  return decode(token).exp > now()\n}", "src/auth/jwt.ts")
    scores = embedder.embed_chunks([CHUNKS["token"], CHUNKS["cart"], CHUNKS["theme"]]) @ embedder.embed_chunks([similar])[0]
    assert scores[0] > 0.4
    assert scores[0] > scores[1:].max() + 0.2


def test_doc_comment_counts(embedder: Embedder) -> None:
    bare = _chunk("run", "function run(a: number) {\n  return a\n}")
    explained = _chunk("run", bare.embedding_text, jsdoc="/** Converts a temperature from celsius to fahrenheit. */")
    plain, documented = embedder.embed_chunks([bare, explained]) @ embedder.embed_query("temperature conversion to fahrenheit")
    assert documented > plain + 0.2


def test_same_input_gives_the_same_bytes_in_any_company(embedder: Embedder) -> None:
    chunks = list(CHUNKS.values())
    together = embedder.embed_chunks(chunks * 300)
    again = load_embedder(Settings()).embed_chunks(chunks[::-1])[::-1]
    alone = np.concatenate([embedder.embed_chunks([chunk]) for chunk in chunks])
    assert together[: len(chunks)].tobytes() == together[-len(chunks) :].tobytes() == again.tobytes() == alone.tobytes()


@settings(max_examples=60)
@given(st.lists(st.text(max_size=200), min_size=1, max_size=12))
def test_any_text_embeds_to_unit_or_zero_and_alone_as_in_a_batch(embedder: Embedder, texts: list[str]) -> None:
    chunks = [_chunk(text[:5], text) for text in texts]
    vectors = embedder.embed_chunks(chunks)
    lengths = np.linalg.norm(vectors, axis=1)
    assert np.all((np.abs(lengths - 1) < 1e-5) | (lengths == 0))
    assert vectors[-1].tobytes() == embedder.embed_chunks(chunks[-1:]).tobytes()


def test_no_chunks(embedder: Embedder) -> None:
    assert embedder.embed_chunks([]).shape == (0, 256)


@pytest.mark.parametrize("text", ["", "   ", "+ - * /", "\n\n", "?!", "42 7"])
def test_text_without_words_is_zero(embedder: Embedder, text: str) -> None:
    assert not embedder.embed_query(text).any()


def test_chunk_without_words_is_zero_and_disturbs_no_other(embedder: Embedder) -> None:
    empty = _chunk("", "", "")
    vectors = embedder.embed_chunks([empty, CHUNKS["cart"], empty])
    assert not vectors[0].any()
    assert not vectors[2].any()
    assert vectors[1].tobytes() == embedder.embed_chunks([CHUNKS["cart"]])[0].tobytes()


def test_unknown_words_meet_by_their_letters(embedder: Embedder) -> None:
    query = embedder.embed_query("flurbozinate")
    assert np.linalg.norm(query) == pytest.approx(1, abs=1e-6)
    assert query @ embedder.embed_query("flurbozinated") > query @ embedder.embed_query("krompelwexy") + 0.2


@pytest.mark.parametrize(
    "text", ["größe in millimetern", "ユーザーを検証する", "проверка токена", "naïve café", "μέτρηση → μήκος"]
)
def test_words_of_any_script_embed(embedder: Embedder, text: str) -> None:
    assert np.linalg.norm(embedder.embed_query(text)) == pytest.approx(1, abs=1e-6)


@pytest.mark.parametrize(
    "text",
    [
        "function f() { work() }\n" * 200_000,
        "x" * 3_000_000,
        "a1B2" * 500_000,
        "words " * 500_000,
        "\0" * 100_000,
        "\ud800" * 10_000,
    ],
)
def test_huge_chunk_is_cut(embedder: Embedder, text: str) -> None:
    vectors = embedder.embed_chunks([_chunk("generated", text), CHUNKS["tree"]])
    assert vectors[1].tobytes() == embedder.embed_chunks([CHUNKS["tree"]])[0].tobytes()
    assert np.linalg.norm(vectors[0]) == pytest.approx(1, abs=1e-5)


def test_huge_query_is_cut(embedder: Embedder) -> None:
    start = "where is the token validated " * 200
    assert embedder.embed_query(start + "zq " * 2_000_000).tobytes() == embedder.embed_query(start).tobytes()


def test_fields_of_a_chunk() -> None:
    chunk = _chunk(
        "save",
        "/** Stores it. */\nsave(x: X) { put(x) }",
        "packages/core/src/deep/store/repo.service.ts",
        "Repo",
        "/** Stores it. */",
    )
    fields = dict(zip(FIELDS, chunk_fields(chunk), strict=True))
    assert fields == {
        "name": "save",
        "scope": "Repo",
        "path": "src/deep/store/repo",
        "head": "/** Stores it. */\nsave(x: X)",
        "body": "\nsave(x: X) { put(x) }",
        "doc": "/** Stores it. */",
    }


@pytest.mark.parametrize("breadcrumb", ["token-service.ts > TokenService > validateToken", "TokenService > validateToken"])
def test_scope_does_not_depend_on_how_the_breadcrumb_names_the_file(breadcrumb: str) -> None:
    chunk = msgspec.structs.replace(CHUNKS["token"], breadcrumb=breadcrumb)
    assert chunk_fields(chunk) == chunk_fields(CHUNKS["token"])
    assert chunk_fields(chunk)[1] == "TokenService"


def test_weights_are_small() -> None:
    assert WEIGHTS_PATH.stat().st_size <= 12_000_000


def _tiny_weights() -> Weights:
    rows, scales = quantised(np.random.default_rng(0).standard_normal((6, 4)).astype(np.float32))
    weights = np.ones(3, np.float32)
    return Weights(
        "tiny v1", ["load", "user"], rows, scales, weights, weights * 2, np.ones(6, np.float32), np.zeros(6, np.float32)
    )


def test_weights_survive_the_file(tmp_path: Path) -> None:
    before = _tiny_weights()
    write_weights(tmp_path / "tiny", before)
    after = read_weights(tmp_path / "tiny")
    assert (after.model, after.words, after.dimensions, after.buckets) == ("tiny v1", ["load", "user"], 4, 4)
    for name in ("rows", "scales", "chunk_weights", "query_weights", "field_weights", "field_powers"):
        np.testing.assert_array_equal(getattr(after, name), getattr(before, name))


def test_quantised_rows_stay_within_half_a_step() -> None:
    vectors = np.random.default_rng(1).standard_normal((50, 16)).astype(np.float32)
    rows, scales = quantised(vectors)
    assert np.abs(rows).max() == MAX_COMPONENT
    assert np.all(np.abs(rows * scales[:, None] - vectors) <= scales[:, None] / 2 * 1.001)


def test_a_model_of_zeros_embeds_to_zero() -> None:
    weights = _tiny_weights()
    silent = dataclasses.replace(weights, rows=np.zeros_like(weights.rows))
    assert not StaticEmbedder(silent).embed_query("load user").any()


def test_missing_weights_are_explained(tmp_path: Path) -> None:
    with pytest.raises(ProviderError, match=r"cannot be read: .*absent"):
        read_weights(tmp_path / "absent")


@pytest.mark.parametrize("damage", ["empty", "short", "cut", "flipped", "other"])
def test_damaged_weights_are_explained(tmp_path: Path, damage: str) -> None:
    path = tmp_path / "tiny"
    write_weights(path, _tiny_weights())
    data = bytearray(path.read_bytes())
    data[-3] ^= 1 if damage == "flipped" else 0
    path.write_bytes({"empty": b"", "short": data[:10], "cut": data[:-5], "flipped": data, "other": b"PK\x03\x04" + data}[damage])
    with pytest.raises(ProviderError, match="Install Astrolabe again"):
        read_weights(path)


def test_unknown_provider_is_explained() -> None:
    with pytest.raises(ProviderError, match='no embedding provider "clairvoyant"'):
        load_embedder(Settings(embedding_provider="clairvoyant"))


def test_embedding_needs_numpy_alone() -> None:
    program = (
        "import sys; from astrolabe.retrieval.embedding import load_embedder; from astrolabe.schema.settings import Settings\n"
        "load_embedder(Settings()).embed_query('load user')\n"
        "heavy = {'torch', 'scipy', 'lancedb', 'pyarrow', 'tree_sitter', 'kuzu', 'pandas', 'networkx'}\n"
        "print(sorted({name.partition('.')[0] for name in sys.modules} & heavy))"
    )
    done = subprocess.run([sys.executable, "-P", "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_naming_the_embedding_loads_no_array_library() -> None:
    program = "import sys, astrolabe.retrieval.embedding; print('numpy' in sys.modules)"
    done = subprocess.run([sys.executable, "-P", "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
