"""Filter relative paths in memory by a file, a folder or a glob."""

from __future__ import annotations

from collections.abc import Callable

from ..text.linear_regex import compile_regex
from .globs import GLOB_CHARACTERS, glob_pattern, normal_path


def path_filter(path: str) -> Callable[[str], bool]:
    """Return a predicate that admits the file, all files in the folder, or the matches of the glob; "" and "." admit all.

    Raises UsageError for an invalid glob.
    """
    wanted = normal_path(path)
    if wanted in ("", "."):
        return lambda _: True
    folder = f"{wanted}/"

    def within(known: str) -> bool:
        return known == wanted or known.startswith(folder)

    if not GLOB_CHARACTERS & set(wanted):
        return within
    # Globs of users could take exponential time in an engine that backtracks.
    pattern = compile_regex(glob_pattern(wanted))
    # The name of a folder may look like a glob, as in `routes/[id]`.
    return lambda known: within(known) or pattern.matches(known)
