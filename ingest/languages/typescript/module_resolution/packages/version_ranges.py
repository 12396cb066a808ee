"""Check whether a version range includes `TYPESCRIPT_VERSION`, for `typesVersions` and `types@…` conditions."""

from __future__ import annotations

import re

#: The TypeScript release whose resolution rules are implemented here.
TYPESCRIPT_VERSION = (5, 9, 0)

_COMPARATOR = re.compile(r"(<=|>=|<|>|=|\^|~)?\s*v?(\d+|[xX*])(?:\.(\d+|[xX*]))?(?:\.(\d+|[xX*]))?[^\s]*")
_HYPHEN = re.compile(r"^\s*([\w.]+)\s+-\s+([\w.]+)\s*$")


def includes_typescript(range_text: str) -> bool:
    """Return whether a semver range includes `TYPESCRIPT_VERSION`. A range that cannot be parsed includes nothing."""
    return any(_holds_all(_HYPHEN.sub(r">=\1 <=\2", part)) for part in range_text.split("||"))


def _holds_all(comparators: str) -> bool:
    found = list(_COMPARATOR.finditer(comparators))
    return bool(found or not comparators.strip()) and all(_holds(match) for match in found)


def _holds(match: re.Match[str]) -> bool:
    operator = match[1] or "="
    given = [int(part) for part in match.groups()[1:] if part is not None and part.isdigit()]
    if not given:
        return True
    # Missing parts of a version compare as equal: "<=5" includes 5.9, ">5" does not.
    ours = list(TYPESCRIPT_VERSION[: len(given)])
    match operator:
        case "<":
            return ours < given
        case "<=":
            return ours <= given
        case ">":
            return ours > given
        case ">=":
            return ours >= given
        case "^":
            return ours[0] == given[0] and ours >= given
        case "~":
            return ours[:2] == given[:2] and ours >= given
        case _:
            return ours == given
