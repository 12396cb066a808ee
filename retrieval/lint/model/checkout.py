"""The folder that an index describes, as far as checks of documents need it."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Container, Mapping, Sequence
from typing import NamedTuple

from ....schema.paths import parent_of


class Checkout(NamedTuple):
    """Answers questions about paths, which are relative to the root.

    `exists` returns whether a path is on disk. `ignored` returns the paths that Git ignores. `links` maps the target of each
    tracked symbolic link to the paths of the links. `names` are the names of all tracked files, without their folders;
    none if they are not known.
    """

    exists: Callable[[str], bool]
    ignored: Callable[[Sequence[str]], set[str]]
    links: Callable[[], Mapping[str, Sequence[str]]]
    names: Callable[[], Container[str]]

    def folders_of(self, path: str) -> list[str]:
        """Return the folders in which readers find a file: its own folder, and the folders of symbolic links to the file or to a
        folder around it.
        """
        links = self.links()
        found = [parent_of(path)]
        target = path
        while target:
            inner = posixpath.relpath(path, target)
            found += [parent_of(posixpath.normpath(posixpath.join(link, inner))) for link in links.get(target, ())]
            target = parent_of(target)
        return found
