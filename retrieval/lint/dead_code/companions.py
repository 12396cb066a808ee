"""Files that substitute each other: a declaration file and its code, and the variants of a module for several platforms."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping

from ....graphdb.queries.map import ImportLink
from ....schema.paths import PLATFORMS

_DECLARATION = re.compile(r"\.d\.([cm]?)ts$")
_VARIANT = re.compile(
    rf"\.(?:{'|'.join(PLATFORMS)}|server|client|browser|node|desktop|mobile|electron|next|expo|edge"
    r"|workerd|worker|react-server|edge-light|deno|bun|development|production|dev|prod)(?=\.[cm]?[jt]sx?$)"
)
_EXTENSION = re.compile(r"\.[cm]?[jt]sx?$")

#: The other files of the same module, by path.
Companions = Mapping[str, tuple[str, ...]]


def companions(paths: Collection[str]) -> Companions:
    """Return the substitutes of each file that has substitutes."""
    groups: dict[str, list[str]] = {}
    variants: set[str] = set()
    declarations: list[tuple[str, str]] = []
    for path in sorted(paths):
        if match := _DECLARATION.search(path):
            stem = path[: match.start()]
            declarations.append((stem, path))
            extensions = (f".{match[1]}js",) if match[1] else (".js", ".jsx")
            if any(stem + each in paths for each in extensions):
                variants.add(stem)
            continue
        plain = _VARIANT.sub("", path)
        stem = _EXTENSION.sub("", plain)
        if plain != path:
            variants.add(stem)
        groups.setdefault(stem, []).append(path)
    for stem, path in declarations:
        if stem in variants:
            groups.setdefault(stem, []).append(path)
    return {
        path: tuple(other for other in group if other != path)
        for stem, group in groups.items()
        if stem in variants and len(group) > 1
        for path in group
    }


def with_companions(entries: Mapping[str, str], groups: Companions) -> dict[str, str]:
    """Return entry points together with their substitutes. A substitute is an entry point for the same reason.

    The JavaScript beside a declaration file is not added: every declaration file is an entry point, even if nothing loads the
    JavaScript.
    """
    others = {
        other: reason for path, reason in entries.items() if not _DECLARATION.search(path) for other in groups.get(path, ())
    }
    return {**others, **entries}


def stand_ins(entries: Iterable[str], paths: Collection[str]) -> Iterator[tuple[str, str]]:
    """Yield the files that people may put in the place of an entry point, as `main.offline.ts` for `main.ts`, with reasons."""
    places = {_EXTENSION.sub("", path): path for path in sorted(entries) if not _DECLARATION.search(path)}
    for path in paths:
        folder, _, name = _EXTENSION.sub("", path).rpartition("/")
        stem = name.partition(".")[0]
        place = places.get(f"{folder}/{stem}" if folder else stem) if stem != name else None
        if place is not None:
            yield path, f"it may be put in the place of {place}"


def companion_links(groups: Companions) -> list[ImportLink]:
    """Return links in both directions between files that substitute each other. Code that loads one file may load any of its
    substitutes.
    """
    return [ImportLink(path, other) for path, others in groups.items() for other in others]
