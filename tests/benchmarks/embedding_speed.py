"""Prints how many chunks a second one core embeds: python tests/benchmarks/embedding_speed.py [FOLDER].

FOLDER's TypeScript and JavaScript files are cut into pieces of about the size of a function; without it, made-up
functions are embedded. What counts is processor time, summed over all threads.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

from astrolabe.retrieval.embedding import load_embedder
from astrolabe.schema.records import Chunk
from astrolabe.schema.settings import Settings

_EXTENSIONS = {".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs"}
_LINES_PER_CHUNK, _MAX_CHUNKS, _QUERIES = 18, 30_000, 200


def _chunk(path: str, name: str, text: str) -> Chunk:
    return Chunk(
        id="0",
        relative_path=path,
        language="typescript",
        node_kind="function",
        name=name,
        parent_name=None,
        parent_chunk_id=None,
        child_chunk_ids=(),
        depth=0,
        signature=text.partition("{")[0].strip(),
        start_line=1,
        end_line=1,
        jsdoc=None,
        relevant_imports=(),
        embedding_text=text,
        breadcrumb=f"{path} > {name}",
        content_hash="",
        last_modified=0,
        exported=True,
        is_test=False,
    )


def _pieces(folder: Path) -> Iterator[Chunk]:
    for path in sorted(folder.rglob("*")):
        if path.suffix in _EXTENSIONS and path.is_file():
            lines = path.read_text("utf-8", "replace").splitlines()
            for start in range(0, len(lines), _LINES_PER_CHUNK):
                yield _chunk(
                    path.relative_to(folder).as_posix(), f"piece{start}", "\n".join(lines[start : start + _LINES_PER_CHUNK])
                )


def _inventions() -> Iterator[Chunk]:
    chance = random.Random(0)
    verbs = ["get", "set", "parse", "render", "update", "load", "merge"]
    nouns = ["User", "Token", "Config", "Stream", "Layout", "Cache", "Query"]
    for _ in range(_MAX_CHUNKS):
        names = [chance.choice(verbs) + chance.choice(nouns) + chance.choice(nouns) for _ in range(14)]
        lines = [f"  const {name} = await this.{other}({name}Id, options.{name})" for name, other in pairwise(names)]
        head = f"export async function {names[1]}(options: Options): Promise<void> "
        yield _chunk(f"src/{names[0]}.ts", names[1], head + "{\n" + "\n".join(lines) + "\n}")


def main(arguments: list[str]) -> None:
    """Embed the chunks three times and some queries; print the best figures."""
    chunks = list(_pieces(Path(arguments[0])) if arguments else _inventions())[:_MAX_CHUNKS]
    embedder = load_embedder(Settings())
    seconds = []
    for _ in range(3):
        started = time.process_time()
        embedder.embed_chunks(chunks)
        seconds.append(time.process_time() - started)
    characters = sum(len(chunk.embedding_text) for chunk in chunks) / len(chunks)
    print(f"{len(chunks)} chunks of {characters:.0f} characters: {len(chunks) / min(seconds):,.0f} chunks a second")
    started = time.process_time()
    for _ in range(_QUERIES):
        embedder.embed_query("where are access tokens validated before the request is sent")
    print(f"{1000 * (time.process_time() - started) / _QUERIES:.2f} ms a query")


if __name__ == "__main__":
    main(sys.argv[1:])
