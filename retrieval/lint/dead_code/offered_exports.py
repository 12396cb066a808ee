"""Find exports that are used without an import in the repository: by frameworks, by users of the package, or through substitute
files.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from ....graphdb.queries.lint import UnusedDeclaration
from ....graphdb.queries.map import DEFAULT_NAMES
from ....graphdb.traversal.reachability import reachable
from ..model.request import LintRequest
from .companions import Companions


def offered(declaration: UnusedDeclaration) -> Sequence[tuple[str, str]]:
    """Return the files that export a declaration, each with the exported name."""
    if not declaration.exported:
        return ()
    is_default = (declaration.path, "default") in declaration.offered_as
    return declaration.offered_as if is_default else ((declaration.path, declaration.name), *declaration.offered_as)


class OutsideReaders:
    """Exports that code outside of the repository uses: all exports of published files, and exports that frameworks read."""

    def __init__(self, request: LintRequest, whole: Mapping[str, Sequence[str]]) -> None:
        """`whole` maps paths to the files that they export as a whole."""
        self._read = request.read_exports
        #: Entry points, and the files that entry points export as a whole, directly or through other files.
        self._published = frozenset(reachable((path for path in request.entries if path not in self._read), whole))

    def read(self, path: str, name: str) -> bool:
        """Return whether code outside of the repository may read an export of a file."""
        return path in self._published or name in self._read.get(path, ())


class Twins:
    """Declarations that are used through a substitute file: a declaration file, or a file for another platform."""

    def __init__(self, groups: Companions, unused: Iterable[UnusedDeclaration], exports: Mapping[str, Collection[str]]) -> None:
        """`exports` maps paths to the names that they export."""
        self._groups = groups
        self._exports = exports
        self._unused = {
            (path, name)
            for each in unused
            if each.path in groups
            for path, name in (*each.offered_as, (each.path, each.name))
            if path == each.path
        }

    def use(self, declaration: UnusedDeclaration) -> bool:
        """Return whether a substitute of the file exports a used declaration of the same name."""
        names = {name for path, name in offered(declaration) if path == declaration.path}
        # `export = x` in a declaration file describes both a default export and `module.exports`.
        names |= DEFAULT_NAMES if names & DEFAULT_NAMES else set()
        return any(
            (other, name) not in self._unused
            for other in self._groups.get(declaration.path, ())
            for name in names & set(self._exports.get(other, ()))
        )
