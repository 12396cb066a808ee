"""Read the `exports` and `imports` of a package.json: the files to which they map a subpath.

This follows "Package entry points" and "Subpath imports" of the Node documentation, and TypeScript's conditions `types` and
`types@range`. If a target does not exist, the next target applies, so all functions return ordered lists.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from .star_patterns import match_star
from .version_ranges import includes_typescript

#: Conditions that TypeScript assumes for a bundler; other conditions are tried later.
CONDITIONS = frozenset({"import", "types"})


def matching_targets(entries: object, subpath: str, conditions: frozenset[str]) -> list[str]:
    """Return the targets for a subpath ("." or "./x" of exports, "#x" of imports) under the conditions."""
    return _targets(entries, subpath, lambda key: key == "default" or key in conditions or _is_versioned_types(key, conditions))


def all_targets(entries: object, subpath: str) -> list[str]:
    """Return the targets for a subpath under any condition, in the order in which they are written."""
    return _targets(entries, subpath, lambda key: True)


def is_hidden(entries: object, subpath: str, conditions: frozenset[str]) -> bool:
    """Return whether a manifest maps a subpath to null, so that no file may be guessed for the subpath.

    A key with null takes precedence over a less specific pattern. A null under a condition counts only if it is the result for
    both `import` and `require`.
    """
    selected = _select(entries, subpath)
    if selected is None or entries is None:
        return False
    required = (conditions - {"import"}) | {"require"}
    return all(_ends_in_null(selected[0], each) for each in (conditions, required))


def _ends_in_null(value: object, conditions: frozenset[str]) -> bool:
    """Return whether the only target of a value under the conditions is null."""
    pending, found = [value], False
    while pending:
        each = pending.pop()
        if isinstance(each, str):
            return False
        if each is None:
            found = True
        elif isinstance(each, list):
            pending += each
        elif isinstance(each, dict):
            pending += [item for key, item in each.items() if key == "default" or key in conditions]
    return found


def _is_versioned_types(key: str, conditions: frozenset[str]) -> bool:
    return key.startswith("types@") and "types" in conditions and includes_typescript(key.removeprefix("types@"))


def _targets(entries: object, subpath: str, accepts: Callable[[str], bool]) -> list[str]:
    selected = _select(entries, subpath)
    if selected is None:
        return []
    value, substitute = selected
    return [substitute(target) for target in _leaves(value, accepts)]


def _select(entries: object, subpath: str) -> tuple[object, Callable[[str], str]] | None:
    """Return the value of the key that matches a subpath, and a function that turns its targets into paths."""
    if not isinstance(entries, dict) or not any(key.startswith((".", "#")) for key in entries):
        return (entries, str) if subpath == "." else None
    if subpath in entries and "*" not in subpath and not subpath.endswith("/"):
        return entries[subpath], str
    for key in sorted((key for key in entries if "*" in key or key.endswith("/")), key=_specificity):
        if key.endswith("/"):
            # Node dropped folder mappings ("./features/"), but packages still use them.
            if subpath.startswith(key):
                return entries[key], partial(_append, subpath[len(key) :])
        elif (star := match_star(key, subpath)) is not None:
            return entries[key], partial(_fill_star, star)
    return None


def _append(rest: str, target: str) -> str:
    return target + rest


def _fill_star(star: str, target: str) -> str:
    return target.replace("*", star)


def _specificity(key: str) -> tuple[int, int]:
    """Return a sort key as Node orders keys: the longest part before the star first, then the longest key."""
    star = key.find("*")
    return (-(len(key) if star < 0 else star + 1), -len(key))


def _leaves(value: object, accepts: Callable[[str], bool]) -> Iterator[str]:
    """Yield the strings below a value, in order.

    The loop avoids recursion, because JSON may nest deeply.
    """
    pending = [value]
    while pending:
        each = pending.pop()
        if isinstance(each, str):
            yield each
        elif isinstance(each, list):
            pending += reversed(each)
        elif isinstance(each, dict):
            pending += [item for key, item in reversed(each.items()) if accepts(key)]
