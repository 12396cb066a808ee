"""A file of a workspace as Python sees it: every analysis of the file as a method."""

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
    """The file at a path from the root. Each request is answered from the fresh index."""

    workspace: Workspace
    path: str

    def exports(self) -> FileExports:
        """Every name that it exports, re-exports and `export *` included."""
        from ...retrieval.analyses.exports import file_exports

        return self._ask(file_exports)

    def imports(self) -> FileImports:
        """What it imports from the repository and from packages."""
        from ...retrieval.analyses.file_imports import file_imports

        return self._ask(file_imports)

    def importers(self) -> FileImporters:
        """Which files import it."""
        from ...retrieval.analyses.file_imports import file_importers

        return self._ask(file_importers)

    def side_effects(self) -> SideEffects:
        """What it does when it is loaded, besides declaring."""
        from ...retrieval.analyses.side_effects import side_effects

        return self._ask(side_effects)

    def unicode_identifiers(self) -> UnicodeIdentifiers:
        """Names beyond ASCII that it declares, with what they may be mistaken for."""
        from ...retrieval.analyses.unicode_identifiers import file_unicode_identifiers

        return self._ask(file_unicode_identifiers)

    def projects(self) -> ProjectStructure:
        """The compiler projects that it belongs to."""
        from ...retrieval.analyses.project_structure import file_projects

        return self._ask(file_projects)

    def augmentations(self) -> Ambients:
        """The `declare module` blocks of other files that add to it."""
        from ...retrieval.analyses.ambients import augmentations

        return self._ask(augmentations)

    def aliases(self) -> ModuleAliases:
        """Under which names other files take it as a whole."""
        from ...retrieval.analyses.aliases import file_aliases

        return self._ask(file_aliases)

    def impact(self, depth: int = 3) -> Impact:
        """What a change of it may affect over `depth` hops (-1: all), and how risky the change is."""
        from ...retrieval.analyses.impact import file_impact

        return self._ask(lambda graph, subject: file_impact(graph, subject, depth))

    def subject(self) -> FileSubject:
        """The file itself, or why it is not in the index."""
        return self._ask(lambda graph, subject: subject)

    def _ask(self, analysis: Callable[[GraphDatabase, FileSubject], Answer]) -> Answer:
        from ...retrieval.analyses.finding import find_file

        return self.workspace.analyse(
            lambda readers: analysis(readers.graph, find_file(readers.graph, self.path, readers.generation.manifest.excluded))
        )
