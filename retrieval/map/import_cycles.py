"""Find circular imports, and the distance of each file from the files that no other file imports."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from ...graphdb.queries.map import ImportLink

#: Imported paths by the importing path; both are sorted.
Imports = Mapping[str, Sequence[str]]


def imports_by_file(links: Iterable[ImportLink]) -> dict[str, list[str]]:
    """Return the imported paths, including type-only imports, by the importing path; both are sorted."""
    imports: dict[str, list[str]] = {}
    for link in links:
        imports.setdefault(link.from_path, []).append(link.to_path)
    return {path: sorted(imports[path]) for path in sorted(imports)}


def import_cycles(imports: Imports) -> list[tuple[str, ...]]:
    """Return import cycles in the order of their discovery; the first file is not repeated at the end.

    A depth-first search returns one cycle for each import of a file on the current path. So there is at most one cycle for each
    import, although a graph may contain exponentially many cycles. The graph without these imports has no cycles.
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
    """Return the shortest cycle through each given import. The first file is not repeated at the end.

    A cycle begins at its alphabetically first file. Equal cycles are returned once.
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
    """Return for each path the smallest number of imports from a file that no other file imports.

    For a cycle that no such file reaches, the distance counts from the alphabetically first file.
    """
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
