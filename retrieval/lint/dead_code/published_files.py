"""Find files that only users of a published package may import, by their paths."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from ....schema.paths import is_within
from .possible_uses import WHOLE, Use


def published_files(published: Iterable[str], paths: Collection[str], run: Collection[str]) -> Iterator[tuple[str, Use]]:
    """Yield the files in folders that a package publishes, each with its possible use by users of the package.

    `run` are the files that entry points other than tests reach. A folder with such a file holds the code behind the entry
    points, so other files in this folder are not published on their own.
    """
    for place in sorted(set(published)):
        inside = [path for path in paths if is_within(path, place)]
        if not any(path in run for path in inside):
            use = Use(f"package.json publishes {place}, and users of the package may import it", frozenset((WHOLE,)))
            yield from ((path, use) for path in inside)
