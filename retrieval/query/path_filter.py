"""Which files a request means: a file, a folder or a glob, over a list of paths."""

from __future__ import annotations

from collections.abc import Callable

from ..text.linear_regex import compile_regex
from .row_filter import GLOB_CHARACTERS, glob_pattern, normal_path


def path_filter(path: str) -> Callable[[str], bool]:
    """Whether a relative path is the file, lies in the folder, or matches the glob; "" and "." admit all.

    Raises UsageError for a glob that cannot be read.
    """
    wanted = normal_path(path)
    if wanted in ("", "."):
        return lambda _: True
    folder = f"{wanted}/"

    def within(known: str) -> bool:
        return known == wanted or known.startswith(folder)

    if not GLOB_CHARACTERS & set(wanted):
        return within
    # A glob comes from outside: an engine that backtracks could be kept busy by it.
    pattern = compile_regex(glob_pattern(wanted))
    # Folders may be spelt like globs, as in `routes/[id]`.
    return lambda known: within(known) or pattern.matches(known)
