"""A file of a workspace in the Python API, with a method for each analysis."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from ...graphdb.database import GraphDatabase
    from ...retrieval.analyses.aliases import ModuleAliases
    from ...retrieval.analyses.ambients import Ambients
    from ...retrieval.analyses.exports import FileExports
    from ...retrieval.analyses.file_imports import FileImporters, FileImports
    from ...retrieval.analyses.impact import Impact
    from ...retrieval.analyses.project_structure import ProjectStructure
    from ...retrieval.analyses.side_effects import SideEffects
    from ...retrieval.analyses.subject import FileSubject
    from ...retrieval.analyses.unicode_identifiers import UnicodeIdentifiers
    from .workspace import Workspace

Answer = TypeVar("Answer")


@dataclass(frozen=True, slots=True)
class FileView:
    """The file at a path relative to the root. Each call uses an up-to-date index."""

    workspace: Workspace
    path: str

    def exports(self) -> FileExports:
        """Return every name that the file exports, including re-exports and `export *`."""
        from ...retrieval.analyses.exports import file_exports

        return self._ask(file_exports)

    def imports(self) -> FileImports:
        """Return the imports of the file from the repository and from packages."""
        from ...retrieval.analyses.file_imports import file_imports

        return self._ask(file_imports)

    def importers(self) -> FileImporters:
        """Return the files that import the file."""
        from ...retrieval.analyses.file_imports import file_importers

        return self._ask(file_importers)

    def side_effects(self) -> SideEffects:
        """Return the effects of loading the file other than declarations."""
        from ...retrieval.analyses.side_effects import side_effects

        return self._ask(side_effects)

    def unicode_identifiers(self) -> UnicodeIdentifiers:
        """Return the declared names with characters outside of ASCII, and similar names."""
        from ...retrieval.analyses.unicode_identifiers import file_unicode_identifiers

        return self._ask(file_unicode_identifiers)

    def projects(self) -> ProjectStructure:
        """Return the compiler projects that the file belongs to."""
        from ...retrieval.analyses.project_structure import file_projects

        return self._ask(file_projects)

    def augmentations(self) -> Ambients:
        """Return the `declare module` blocks of other files that augment the file."""
        from ...retrieval.analyses.ambients import augmentations

        return self._ask(augmentations)

    def aliases(self) -> ModuleAliases:
        """Return the names under which other files import the whole module."""
        from ...retrieval.analyses.aliases import file_aliases

        return self._ask(file_aliases)

    def impact(self, depth: int = 3) -> Impact:
        """Return the symbols that a change of the file may affect within `depth` hops (-1: no limit), and the risk of the
        change.
        """
        from ...retrieval.analyses.impact import file_impact

        return self._ask(lambda graph, subject: file_impact(graph, subject, depth))

    def subject(self) -> FileSubject:
        """Return the file, or the reason why it is not in the index."""
        return self._ask(lambda graph, subject: subject)

    def _ask(self, analysis: Callable[[GraphDatabase, FileSubject], Answer]) -> Answer:
        from ...retrieval.analyses.finding import find_file

        return self.workspace.analyse(
            lambda readers: analysis(readers.graph, find_file(readers.graph, self.path, readers.generation.manifest.excluded))
        )
