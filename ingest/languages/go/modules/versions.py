"""The order of the versions of modules: semantic versions, https://semver.org/#spec-item-11."""

from __future__ import annotations

#: The parts of a version that decide the order.
VersionOrder = tuple[tuple[int, int, int], bool, tuple[tuple[bool, int, str], ...]]


def version_order(version: str) -> VersionOrder:
    """Return a key by which versions sort. An invalid version comes first."""
    numbers, dash, suffix = version.removeprefix("v").partition("+")[0].partition("-")
    parts = [int(part) if part.isdecimal() and len(part) < 19 else -1 for part in numbers.split(".")[:3]]
    major, minor, patch = (*parts, -1, -1)[:3]
    return (major, minor, patch), not dash, tuple([_identifier(part) for part in suffix.split(".")] if dash else [])


def _identifier(part: str) -> tuple[bool, int, str]:
    is_number = part.isdecimal() and len(part) < 19
    return not is_number, int(part) if is_number else 0, part
