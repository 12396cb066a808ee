"""Find tests by their text: tests with a string that names changed code, and tests that share rare words with the change.

Such a string is a route that the test requests, or a file that the test builds or runs. The graph has no edge from such a test to
the code.
"""

from __future__ import annotations

import posixpath
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from math import log
from pathlib import Path
from typing import Final, NamedTuple

from ...ingest.contracts.route_paths import PARAMETER, REST, has_literal, segments_of, without_host
from ...schema.name_words import name_words, singular
from ...schema.paths import parent_of

#: Maximum number of bytes that are read of all tests together.
_MAX_BYTES: Final = 32 << 20
#: Maximum number of bytes that are read of one test.
_MAX_BYTES_OF_FILE: Final = 1 << 20
#: A string that contains a path, or a dotted module name.
_STRING: Final = re.compile(r"""["'`](?P<text>[^"'`\s\\]*[/.][^"'`\s\\]*)["'`]""")
#: A word of code with at least three characters.
_WORD: Final = re.compile(r"[A-Za-z_]\w{2,}")
#: The title of a case or of a group of cases in the text of a test: an argument of `describe` or `it`, or the name of a function
#: or a class.
_TITLE: Final = re.compile(
    r"""\b(?:describe|context|suite|it|test|bench)(?:\.\w+)*\s*\(\s*(?P<quote>["'`])(?P<text>[^"'`\n]*)"""
    r"""|\b(?:def\s+|func\s+|class\s+(?=Test|\w+Test\b))(?P<name>[Tt]est\w*|\w+Test\b)|\bvoid\s+(?P<method>\w+)\s*\("""
)
#: Minimum length of a part of a name that counts.
_MIN_PART: Final = 3
#: The path in the text of a route: `GET /users/{id}`, `app.get("/users/<id>")`.
_ROUTE: Final = re.compile(r"(?:^|[\s\"'`(])(?P<path>/[^\s\"'`,)]*)")
#: A placeholder in a template for strings: `${id}`, `{id}`, `%s`, `%d`.
_INSERTED: Final = re.compile(r"\$?\{[^{}]*\}|%[sd]")
#: Names of files that represent their folder.
_FOLDER_FILES: Final = frozenset(("index", "__init__", "__main__", "main", "mod"))


class NamedInTest(NamedTuple):
    """A test that names changed code, or code that depends on it."""

    test: str
    #: Hops from the named code to the change, plus one.
    distance: int
    reason: str
    #: Whether the test requests a route; otherwise it names a file.
    is_request: bool


def tests_naming(
    root: Path, tests: Collection[str], files: Mapping[str, int], routes: Iterable[tuple[str, int]]
) -> Iterator[NamedInTest]:
    """Yield the tests that name one of the files or routes in a string, each at most once for a file and once for a route.

    `files` maps paths to their hops from the change. `routes` are pairs of the text of a route and its hops from the change.
    """
    by_name = _files_by_name(files)
    by_end = _routes_by_end(routes)
    if not by_name and not by_end:
        return
    for test, text in _texts(root, tests):
        strings = {found["text"] for found in _STRING.finditer(text)}
        paths = {path: files[path] for each in strings for path in _named_files(each, parent_of(test), by_name) if path != test}
        if paths:
            path = min(paths, key=lambda one: (paths[one], one))
            yield NamedInTest(test, paths[path] + 1, f"names {path} in a string", is_request=False)
        asked = {route: hops for each in strings if "/" in each for route, hops in _requested(each, by_end)}
        if asked:
            route = min(asked, key=lambda one: (asked[one], one))
            yield NamedInTest(test, asked[route] + 1, f"requests {route}", is_request=True)


def _texts(root: Path, tests: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield the texts of tests, up to `_MAX_BYTES` in total. Unreadable tests are left out, as in an index."""
    left = _MAX_BYTES
    for test in sorted(tests):
        try:
            with (root / test).open("rb") as file:
                data = file.read(min(left, _MAX_BYTES_OF_FILE))
        except OSError:
            continue
        yield test, data.decode("utf-8", "replace")
        left -= len(data)
        if left <= 0:
            return


# ---------------------------------------------------------------------- words


def changed_words(old: bytes, new: bytes) -> set[str]:
    """Return the words of the lines that occur in only one of two texts."""
    before, after = Counter(old.split(b"\n")), Counter(new.split(b"\n"))
    lines = [*(before - after), *(after - before)]
    return {word for line in lines for word in _WORD.findall(line.decode("utf-8", "replace"))}


class SharedWords(NamedTuple):
    """The shares of some words that a test has, from 0 to 1. A word has more weight if few tests contain it."""

    #: Share of the words that its text contains.
    of_text: float
    #: Share of the parts of these words that the titles of its cases contain: `it('closes idle connections')` has two parts of
    #: `forceCloseConnections`.
    of_titles: float


def shared_words(root: Path, tests: Collection[str], words: frozenset[str]) -> dict[str, SharedWords]:
    """Return the shares of some words that the tests have."""
    parts = _parts(words)
    texts: dict[str, set[str]] = {}
    titles: dict[str, set[str]] = {}
    for test, text in _texts(root, tests) if words else ():
        texts[test] = {*_WORD.findall(text)} & words
        titles[test] = parts & _parts(found[found.lastgroup or 0] for found in _TITLE.finditer(text))
    of_texts, of_titles = _weighted_shares(texts), _weighted_shares(titles)
    return {test: SharedWords(of_texts[test], of_titles[test]) for test in texts}


def _parts(names: Iterable[str]) -> set[str]:
    return {singular(part) for name in names for part in name_words(name) if len(part) >= _MIN_PART}


def _weighted_shares(held: Mapping[str, set[str]]) -> dict[str, float]:
    counts = Counter(word for each in held.values() for word in each)
    weights = {word: log((len(held) + 1) / (count + 0.5)) for word, count in counts.items()}
    total = sum(weights.values()) or 1.0
    return {test: sum(weights[word] for word in each) / total for test, each in held.items()}


# ---------------------------------------------------------------------- files


def _files_by_name(files: Mapping[str, int]) -> dict[str, list[str]]:
    """Return the paths by the last part of the names that a string may use for them: the stem of a file, or its folder."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    for path in files:
        stem = _without_ending(path).rpartition("/")[2]
        found[stem].append(path)
        if stem in _FOLDER_FILES and "/" in path:
            found[parent_of(path).rpartition("/")[2]].append(path)
    return dict(found)


def _named_files(text: str, folder: str, by_name: Mapping[str, list[str]]) -> Iterator[str]:
    """Yield the files that a string names: by a path from the folder of the test or from the root, or by a dotted module name."""
    if text.startswith(("http:", "https:", "@")) or not by_name:
        return
    if "/" in text:
        relative = [posixpath.normpath(posixpath.join(folder, text))]
        candidates = relative if text.startswith(".") and not text.startswith("./") else [*relative, posixpath.normpath(text)]
    else:
        candidates = [text.replace(".", "/"), posixpath.normpath(posixpath.join(folder, text))]
    for candidate in candidates:
        plain = _without_ending(candidate)
        for path in by_name.get(plain.rpartition("/")[2], ()):
            own = _without_ending(path)
            is_folder = own.rpartition("/")[2] in _FOLDER_FILES and parent_of(path) in (candidate, plain)
            if path == candidate or is_folder or (plain == own and (candidate == plain or _ending(path) == _ending(candidate))):
                yield path
            elif "/" not in text and text.count(".") and own.endswith(f"/{candidate}"):
                yield path  # `shop.cart` for `src/shop/cart.py`


def _without_ending(path: str) -> str:
    folder, slash, name = path.rpartition("/")
    return f"{folder}{slash}{name.partition('.')[0] or name}"


def _ending(path: str) -> str:
    """Return the extension of a path, with `mjs` and `cjs` written as `js`, so that `a.mjs` and `a.js` count as the same file."""
    return path.rpartition("/")[2].partition(".")[2].replace("mjs", "js").replace("cjs", "js")


# ---------------------------------------------------------------------- routes


def _routes_by_end(routes: Iterable[tuple[str, int]]) -> dict[int, list[tuple[tuple[str, ...], str, int]]]:
    """Return the routes that have a literal segment, by the number of their segments."""
    found: defaultdict[int, list[tuple[tuple[str, ...], str, int]]] = defaultdict(list)
    for text, hops in routes:
        for match in _ROUTE.finditer(text):
            segments = segments_of(match["path"])
            if has_literal(segments) and REST not in segments:
                found[len(segments)].append((segments, match["path"], hops))
    return dict(found)


def _requested(text: str, by_end: Mapping[int, list[tuple[tuple[str, ...], str, int]]]) -> Iterator[tuple[str, int]]:
    """Yield the routes whose path is the end of a URL, because a router may be mounted below another path."""
    if not by_end or not (text.startswith(("/", "http:", "https:")) or _INSERTED.match(text)):
        return
    asked = segments_of(_INSERTED.sub(PARAMETER, without_host(text).partition("?")[0].partition("#")[0]))
    for count, routes in by_end.items():
        end = asked[len(asked) - count :] if count <= len(asked) else ()
        for segments, path, hops in routes if end else ():
            if all(one in (PARAMETER, other) for one, other in zip(segments, end, strict=True)):
                yield path, hops
