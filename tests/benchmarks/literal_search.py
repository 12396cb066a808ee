"""Compares literal search with ripgrep: python tests/benchmarks/literal_search.py FOLDER... [--patterns N] [--data-dir D]

Texts and patterns are drawn from the lines of the folder itself, with a fixed seed. Ripgrep (`rg` on the path) searches exactly
the indexed files. Prints how many agree on every line, and the processor time that a search takes.
"""

from __future__ import annotations

import argparse
import random
import re
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import NamedTemporaryFile

from astrolabe.retrieval.text_search.indexed_text import IndexedTexts
from astrolabe.retrieval.text_search.scan import finder, scan
from astrolabe.server.api.workspace import Workspace
from astrolabe.server.stores.readers import Readers

#: Patterns around words of the code.
TEMPLATES = (
    r"\b{word}\b", r"{word}\(", r"^\s*{word}", r"{word}[^;]*;$", r"(?:{word}|{other})", r"{word}.*{other}", r"\.{word}\??\.",
    r"[A-Z]\w+{word}", r"{word}\s*[:=]\s*\S+", r'"[^"]*{word}[^"]*"', r"`.*{word}", r"//.*{word}", r"{word}$",
    r"^.{{0,20}}{word}", r"\p{{Lu}}{word}", r"{word}<[^>]+>", r"(?i){word}", r"[^\x00-\x7F]", r"\d{{3,}}", r"^\s+$", r"^$",
    r"[ \t]+$", r"(?:{word})?", r"^(?:\t|  )\S",
)  # fmt: skip


def drawn(texts: IndexedTexts, count: int) -> Iterator[tuple[str, bool, bool]]:
    """Queries: text or pattern, whether it is a pattern, whether case matters."""
    dice = random.Random(5)
    paths = sorted(texts)

    def line() -> str:
        return dice.choice(texts[dice.choice(paths)].text.decode("utf-8", "replace").split("\n"))

    def word() -> str:
        while not (words := re.findall(r"\w{4,}", line())):
            pass
        return dice.choice(words)

    for number in range(count):
        if number % 2:
            template = TEMPLATES[number // 2 % len(TEMPLATES)]
            yield template.format(word=word(), other=word()), True, dice.random() < 0.6
            continue
        if number % 10 == 0:
            while not (blanks := re.findall(r"[ \t]+", line())):
                pass
            yield dice.choice(blanks), False, dice.random() < 0.6
            continue
        while len((text := line()).strip()) <= 12:
            pass
        begin = dice.randrange(len(text) - 6)
        yield text[begin : begin + dice.randrange(4, 30)], False, dice.random() < 0.6


def ripgrep(root: Path, listed: Path, query: str, is_regex: bool, case_sensitive: bool) -> set[tuple[str, int]]:
    options = ["-s" if case_sensitive else "-i", *([] if is_regex else ["-F"])]
    command = ["xargs", "-a", str(listed), "-d", "\\n", "rg", "-nH", "--no-heading", "--no-ignore", "--text", "--no-config"]
    done = subprocess.run([*command, *options, "-e", query], cwd=root, capture_output=True, check=False)
    matches = (re.match(rb"(.*?):(\d+):", line) for line in done.stdout.split(b"\n"))
    return {(match[1].decode(), int(match[2])) for match in matches if match}


def compare(root: Path, data_dir: Path | None, count: int) -> None:
    with Workspace.locate(root, data_dir) as workspace:
        texts = workspace.analyse(_texts)
    with NamedTemporaryFile("w", suffix=".txt") as file:
        file.write("\n".join(sorted(texts)))
        file.flush()
        print(verdict(root, Path(file.name), texts, count))


def verdict(root: Path, listed: Path, texts: IndexedTexts, count: int) -> str:
    equal, lines, seconds = 0, 0, []
    for query, is_regex, case_sensitive in drawn(texts, count):
        started = time.process_time()
        found = scan(texts, texts, finder(query, is_regex=is_regex, case_sensitive=case_sensitive), 10**9, 60).lines
        seconds.append(time.process_time() - started)
        ours = [(line.file.path, line.line) for line in found]
        theirs = ripgrep(root, listed, query, is_regex, case_sensitive)
        lines += len(theirs)
        if set(ours) == theirs and ours == sorted(ours):
            equal += 1
        else:
            print(f"differs: {query!r} (pattern {is_regex}, case {case_sensitive}): {len(ours)} and {len(theirs)} lines")
    seconds.sort()
    middle, high = seconds[len(seconds) // 2] * 1000, seconds[int(len(seconds) * 0.95)] * 1000
    return f"{root.name}: {equal} of {count} equal, {lines:,} lines; {middle:.1f} ms, 95th percentile {high:.1f} ms"


def _texts(readers: Readers) -> IndexedTexts:
    return readers.engine.texts


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--patterns", type=int, default=200)
    parser.add_argument("--data-dir", type=Path)
    options = parser.parse_args()
    for folder in options.folders:
        compare(folder, options.data_dir, options.patterns)


if __name__ == "__main__":
    main()
