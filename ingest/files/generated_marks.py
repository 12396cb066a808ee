"""The files that `.gitattributes` marks with `linguist-generated` or `linguist-vendored`."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from .ignore_rules import RuleSet, parse_patterns

_ATTRIBUTES = ".gitattributes"
_NAMES = ("linguist-generated", "linguist-vendored")
_MARKS = frozenset(form for name in _NAMES for form in (name, f"{name}=true"))
_NO_MARKS = frozenset(form for name in _NAMES for form in (f"-{name}", f"!{name}", f"{name}=false"))


def marked_generated(root: Path, folders: Iterable[str], paths: Iterable[str]) -> frozenset[str]:
    """Return the paths that a `.gitattributes` in one of the folders marks. The last matching line decides."""
    rules = [made for folder in sorted(folders) if (made := _rules(root, folder)) is not None]
    return frozenset(path for path in paths if _is_marked(path, rules)) if rules else frozenset()


def _is_marked(path: str, rules: list[RuleSet]) -> bool:
    name, marked = path.rpartition("/")[2], False
    for each in rules:
        rule = each.match_source(name, path)
        if rule is not None:
            marked = not rule.negated
    return marked


def _rules(root: Path, folder: str) -> RuleSet | None:
    file = root / folder / _ATTRIBUTES
    if not file.is_file():
        return None
    patterns = []
    for line in file.read_text("utf-8", "replace").splitlines():
        pattern, *attributes = line.split() or [""]
        if not _NO_MARKS.isdisjoint(attributes):
            patterns.append(f"!{pattern}")
        elif not _MARKS.isdisjoint(attributes):
            patterns.append(pattern)
    if not patterns:
        return None
    return RuleSet(f"{folder}/" if folder else "", parse_patterns(patterns, _ATTRIBUTES))
