"""Circular imports, one cycle for each import that closes a circle, and the files that nothing imports."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from ...graphdb.queries.map import ImportLink

#: Imported paths by importing path, both in order.
Imports = Mapping[str, Sequence[str]]


def imports_by_file(links: Iterable[ImportLink]) -> dict[str, list[str]]:
    """Links as adjacency, sorted; the type-only ones with the rest."""
    imports: dict[str, list[str]] = {}
    for link in links:
        imports.setdefault(link.from_path, []).append(link.to_path)
    return {path: sorted(imports[path]) for path in sorted(imports)}


def import_cycles(imports: Imports) -> list[tuple[str, ...]]:
    """Cycles without their repeated first file, in the order of their discovery.

    A search in depth over the sorted files and imports gives one cycle for each import that leads back into the path to it.
    Without these imports there would be no cycle. A graph may hold exponentially many cycles; these are at most one an import.
    """
    found: list[tuple[str, ...]] = []
    finished: set[str] = set()
    for start in imports:
        if start in finished:
            continue
        path, place = [start], {start: 0}
        pending = [iter(imports[start])]
        while path:
            following = next(pending[-1], None)
            if following is None:
                pending.pop()
                done = path.pop()
                del place[done]
                finished.add(done)
            elif following in place:
                found.append(tuple(path[place[following] :]))
            elif following not in finished:
                place[following] = len(path)
                path.append(following)
                pending.append(iter(imports.get(following, ())))
    return found


def circles_closed_by(imports: Imports, closing: Iterable[tuple[str, str]]) -> list[tuple[str, ...]]:
    """Return the shortest cycle through each of some imports, if there is one, without its repeated first file.

    A cycle begins at its first file by name, and is returned once.
    """
    found: dict[tuple[str, ...], None] = {}
    for importer, imported in closing:
        path = _shortest_path(imports, imported, importer)
        if path is not None:
            first = path.index(min(path))
            found[(*path[first:], *path[:first])] = None
    return list(found)


def _shortest_path(imports: Imports, start: str, end: str) -> list[str] | None:
    came_from = {start: ""}
    frontier = [start]
    while frontier and end not in came_from:
        following: list[str] = []
        for path in frontier:
            for target in imports.get(path, ()):
                if target not in came_from:
                    came_from[target] = path
                    following.append(target)
        frontier = following
    if end not in came_from:
        return None
    found = [end]
    while found[-1] != start:
        found.append(came_from[found[-1]])
    return found[::-1]


def distances_from_roots(imports: Imports, paths: Sequence[str]) -> dict[str, int]:
    """By path, the fewest imports between it and a file that nothing imports; a circle begins at its first file."""
    imported = {target for targets in imports.values() for target in targets}
    roots = [path for path in paths if path not in imported]
    distances: dict[str, int] = {}
    for wave in [roots, *([path] for path in paths)]:
        frontier = [path for path in wave if path not in distances]
        distance = 0
        while frontier:
            distances.update(dict.fromkeys(frontier, distance))
            distance += 1
            reached = (target for path in frontier for target in imports.get(path, ()))
            frontier = list(dict.fromkeys(target for target in reached if target not in distances))
    return distances
