"""Count the omitted files of a map by folder, as precisely as the budget allows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import pairwise
from posixpath import dirname

from ..text.json_budget import characters
from .records import LeftOutFolder


def folded(paths: Iterable[str], room: int) -> list[LeftOutFolder]:
    """Return folders with their numbers of files, so that each path counts once, in at most `room` characters of JSON.

    Subfolders replace the folder with the most files as long as the entries fit.
    """
    below: Counter[str] = Counter()
    directly = Counter(dirname(path) or "." for path in paths)
    children: dict[str, set[str]] = {}
    for home, files in directly.items():
        folder, chain = home, [home]
        while folder != ".":
            folder = dirname(folder) or "."
            chain.append(folder)
        for inner, outer in pairwise(chain):
            children.setdefault(outer, set()).add(inner)
        below.update(dict.fromkeys(chain, files))
    if not below:
        return []
    shown = {".": below["."]}
    room -= characters(LeftOutFolder(".", below["."]))
    while True:
        candidates = sorted((folder for folder in shown if children.get(folder)), key=lambda folder: (-shown[folder], folder))
        for folder in candidates:
            opened = {child: below[child] for child in children[folder]} | (
                {folder: directly[folder]} if directly[folder] else {}
            )
            if opened.keys() == {folder}:
                continue
            cost = sum(_cost(path, count) for path, count in opened.items()) - _cost(folder, shown[folder])
            if cost > room:
                continue
            room -= cost
            children[folder] = set()
            del shown[folder]
            shown |= opened
            break
        else:
            return [LeftOutFolder(path, count) for path, count in sorted(shown.items())]


def _cost(path: str, count: int) -> int:
    return characters(LeftOutFolder(path, count))
