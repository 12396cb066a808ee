"""Find the tests whose names resemble the names of changed files and changed symbols."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from math import log, log2
from pathlib import PurePosixPath
from typing import Final

from ...schema.name_words import name_words, singular

#: Words in names of test files that are not part of the name of the tested file.
_MARKS: Final = frozenset(("test", "tests", "spec", "specs", "unit", "e2e", "integration"))
#: Names of folders that do not describe the tested code.
_FOLDERS: Final = _MARKS | {"__tests__", "src", "lib", "source", "pkg", "packages", "testing"}
#: Minimum share of common words for two names to be similar.
_LIKE: Final = 0.5
#: From this share on, all words of a name count as found, because sums of weights are not exact.
_WHOLE: Final = 0.99


def is_marked(path: str) -> bool:
    """Return whether the name of a file marks it as a file of tests: `cart.test.ts`, `test_cart.py`, `CartTest.java`."""
    return not _MARKS.isdisjoint(name_words(PurePosixPath(path).name))


def named_after_files(sources: Iterable[str], tests: Iterable[str]) -> dict[str, tuple[float, str]]:
    """Return the tests whose names resemble the name of a file, each with the similarity, 0 to 1, and the file."""
    by_words: defaultdict[str, list[str]] = defaultdict(list)
    words_of: dict[str, list[str]] = {}
    for path in tests:
        words_of[path] = [word for word in name_words(PurePosixPath(path).name.partition(".")[0]) if word not in _MARKS]
        words_of[path] = words_of[path] or name_words(_subject_folder(path))
        for word in set(words_of[path]):
            by_words[word].append(path)
    found: dict[str, tuple[float, str]] = {}
    for source in sources:
        stem = PurePosixPath(source).name.partition(".")[0]
        own = [word for word in name_words(stem) if word not in _MARKS]
        if stem in ("__init__", "index", "main", "mod") or not own:
            own = name_words(_subject_folder(source))
        folders = _folder_words(source)
        for path in {path for word in own for path in by_words[word]}:
            common = len({*own} & {*words_of[path]})
            likeness = common / max(len({*own}), len({*words_of[path]}))
            theirs = _folder_words(path)
            shared = len(folders & theirs) / (len(folders | theirs) or 1)
            value = likeness * (0.6 + 0.4 * shared) if likeness >= _LIKE else 0.0
            if value > found.get(path, (0.0, ""))[0]:
                found[path] = (value, source)
    return found


def named_after_symbols(symbols: Iterable[tuple[str, str]], tests: Iterable[str]) -> dict[str, tuple[float, str]]:
    """Return the tests whose names resemble the name of a symbol, each with the similarity, 0 to 1, and the name of the symbol.

    `symbols` are names with the paths of their files. The similarity is higher if a folder of the test has the name of the
    symbol's file or folder: `test/request/host.js` for `host` in `request.js`.
    """
    subjects: dict[str, tuple[set[str], set[str]]] = {}
    by_word: defaultdict[str, list[str]] = defaultdict(list)
    for path in tests:
        own = _subject_words(path)
        subjects[path] = own, {singular(word) for name in _folder_words(path) for word in name_words(name)}
        for word in own:
            by_word[word].append(path)
    found: dict[str, tuple[float, str]] = {}
    for name, source in sorted(set(symbols)):
        words = {singular(word) for word in name_words(name)}
        around = {singular(word) for part in (PurePosixPath(source).stem, *_folder_words(source)) for word in name_words(part)}
        for path in {path for word in words for path in by_word[word]}:
            own, folders = subjects[path]
            likeness = len(words & own) / max(len(words), len(own))
            value = likeness * (0.6 if folders.isdisjoint(around) else 1.0) if likeness >= _LIKE else 0.0
            if value > found.get(path, (0.0, ""))[0]:
                found[path] = value, name
    return found


def named_in_words(words: Iterable[str], tests: Iterable[str]) -> dict[str, float]:
    """Return, for each test, the share of the words in its name that occur within `words`, from 0 to 1: `forceCloseConnections`
    contains the word of `close.test.js`.

    A word has more weight if few names of tests contain it. All shares are lower if many names are found completely.
    """
    parts = {singular(part) for word in words for part in name_words(word)}
    names = {path: _subject_words(path) for path in tests} if parts else {}
    counts = Counter(word for own in names.values() for word in own)
    weights = {word: log((len(names) + 1) / (count + 0.5)) for word, count in counts.items()}
    shares = {
        path: sum(weights[word] for word in own & parts) / sum(weights[word] for word in own)
        for path, own in names.items()
        if own
    }
    whole = sum(share > _WHOLE for share in shares.values())
    return {path: share / (1 + log2(1 + whole)) for path, share in shares.items() if share >= _LIKE}


def _subject_words(path: str) -> set[str]:
    """Return the words in the name of a test without the mark of tests: `test/custom-http-methods.test.js` -> {"custom", "http",
    "method"}.
    """
    return {singular(word) for word in name_words(PurePosixPath(path).name.partition(".")[0]) if word not in _MARKS}


def _folder_words(path: str) -> set[str]:
    """Return the names of a file's folders, without names such as `src` that do not describe the file's subject."""
    return {name for name in PurePosixPath(path).parent.parts if name.lower() not in _FOLDERS}


def _subject_folder(path: str) -> str:
    """Return the innermost of a file's folders whose name describes the file's subject; "" if there is none."""
    names = [name for name in PurePosixPath(path).parent.parts if name.lower() not in _FOLDERS]
    return names[-1] if names else ""
