"""Common parts of siblings: files by pattern of path, their common text, and their declarations."""

from __future__ import annotations

import json
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import msgspec

from .naming import Generalizer, common_form, styled
from .siblings import Siblings

#: Minimum share of siblings that have a common line.
_LINE_SHARE = 0.66
#: Minimum share of common lines in boilerplate.
_BOILERPLATE = 0.8
#: Maximum number of characters of a compared text.
_MAX_TEXT = 40_000


class Pattern(msgspec.Struct, frozen=True):
    """A file that siblings have: its path with placeholders, and the paths of the files by sibling."""

    path: str
    files: dict[str, str]


def patterns(siblings: Siblings, unindexed: Mapping[str, Sequence[str]], paths: Iterable[str]) -> list[Pattern]:
    """Return the files that at least half of the siblings have: inside the sibling, or in other folders with its name, such as
    tests.
    """
    generalizers = {name: Generalizer(name) for name in siblings.files}
    found: dict[str, dict[str, str]] = {}
    forms: dict[str, Counter[str]] = {}

    def add(name: str, path: str, general: str) -> None:
        form = common_form(general)
        found.setdefault(form, {}).setdefault(name, path)
        forms.setdefault(form, Counter())[general] += 1

    own = set()
    for name, inner in siblings.files.items():
        for each in (*inner, *unindexed.get(name, ())):
            path = siblings.path(name, each)
            own.add(path)
            add(name, path, siblings.path("{name}", generalizers[name].of(each)))
    by_word = _by_word(siblings)
    for path in paths:
        if path not in own:
            for name in {name for word in _words(path) for name in by_word.get(word, ())}:
                if "{" in (general := generalizers[name].of(path)):
                    add(name, path, general)
    fewest = max(2 if len(siblings.files) > 1 else 1, -(-len(siblings.files) // 2))
    kept = [Pattern(styled(forms[form]), files) for form, files in found.items() if len(files) >= fewest]
    return sorted(kept, key=lambda each: (-len(each.files), each.path))


def common_text(files: Mapping[str, str]) -> str:
    """Return the common text of files of siblings, with placeholders; "" if there is none.

    `files` has the text of each sibling's file, by the name of the sibling. If the texts are nearly equal, the result is all
    common lines; otherwise the common lines at the beginning.
    """
    lines = {name: Generalizer(name).of(text[:_MAX_TEXT]).split("\n") for name, text in files.items()}
    counts: Counter[str] = Counter()
    for each in lines.values():
        counts.update({common_form(line) for line in each})
    fewest = max(2 if len(lines) > 1 else 1, _LINE_SHARE * len(lines))

    def is_common(line: str) -> bool:
        return counts[common_form(line)] >= fewest

    def share(name: str) -> float:
        written = [line for line in lines[name] if line.strip()]
        return sum(map(is_common, written)) / len(written) if written else 1.0

    best = max(lines, key=lambda name: (share(name), not Generalizer(name).is_one_word, name))
    if share(best) >= _BOILERPLATE:
        return "\n".join(line for line in lines[best] if is_common(line))
    end = next((place for place, line in enumerate(lines[best]) if not is_common(line)), len(lines[best]))
    while end and not _is_balanced("\n".join(lines[best][:end])):
        end -= 1
    return "\n".join(lines[best][:end]).rstrip("\n")


def common_manifest(texts: Mapping[str, str]) -> dict[str, Any] | None:
    """Return the common part of JSON manifests of siblings, with placeholders; None if a manifest is not a JSON object."""
    read: list[dict[str, Any]] = []
    for name, text in texts.items():
        try:
            value = json.loads(Generalizer(name).of(text))
        except ValueError:  # JSON with comments, or a damaged file
            return None
        if not isinstance(value, dict):
            return None
        read.append(value)
    return _common(read, max(1, -(-len(read) * 2 // 3)))


def is_valid(path: str, text: str) -> bool:
    """Return whether a text in JSON or TOML, according to its path, is well-formed; True for other formats."""
    reader: Callable[[str], object] | None = {"json": json.loads, "toml": tomllib.loads}.get(path.rpartition(".")[2])
    if reader is None:
        return True
    try:
        reader(text)
    except ValueError:
        return False
    return True


def _common(values: Sequence[dict[str, Any]], fewest: int) -> dict[str, Any]:
    """Return the keys that at least `fewest` objects have with equal values, in the order of their first occurrence."""
    found: dict[str, Any] = {}
    for key in dict.fromkeys(key for value in values for key in value):
        given = [value[key] for value in values if key in value]
        if len(given) < fewest:
            continue
        if all(isinstance(each, dict) for each in given):
            if inner := _common(given, fewest):
                found[key] = inner
            continue
        counted = Counter(common_form(json.dumps(each, sort_keys=True)) for each in given)
        form, count = counted.most_common(1)[0]
        if count >= fewest:
            same = [each for each in given if common_form(json.dumps(each, sort_keys=True)) == form]
            found[key] = json.loads(styled(Counter(json.dumps(each) for each in same)))
    return found


def _is_balanced(text: str) -> bool:
    return all(text.count(opening) == text.count(closing) for opening, closing in ("()", "[]", "{}"))


def _by_word(siblings: Siblings) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for name in siblings.files:
        found.setdefault(_plain(name), []).append(name)
    return found


def _words(path: str) -> set[str]:
    """Return the parts of a path that may name a sibling: folders, and the file's stem with and without marks of tests."""
    *folders, file = path.split("/")
    stem = file.split(".")[0]
    words = {_plain(folder) for folder in folders} | {_plain(stem)}
    lowered = stem.lower()
    for mark in ("test_", "test-"):
        words.add(_plain(lowered.removeprefix(mark)))
    for mark in ("_test", "-test", "_spec", "-spec", "test", "tests", "spec"):
        words.add(_plain(lowered.removesuffix(mark)))
    return words - {""}


def _plain(name: str) -> str:
    return name.lower().replace("-", "").replace("_", "")
