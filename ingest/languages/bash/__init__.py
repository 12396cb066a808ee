"""Bash: functions, variables of scripts, and sourced scripts."""

from __future__ import annotations

from collections.abc import Iterator

from ....schema.paths import parent_of
from ...files.workspace_files import join_path
from ..base import Language
from ..path_imports import PathImports
from ..syntax_only.import_statements import Specifier
from ..syntax_only.reader import SyntaxOnlyReader
from ..syntax_only.rules import SyntaxRules
from .excerpt_syntax import SYNTAX
from .terms import TERMS


def _read_specifiers(statement: str) -> Iterator[Specifier]:
    path = statement.partition(" ")[2].strip().strip("\"'")
    if path:
        # Scripts usually compute their own folder: `"$(dirname "$0")/lib.sh"`.
        yield Specifier(f"./{path.rpartition('/')[2]}" if "$" in path else path)


class BashImports(PathImports):
    """Resolves sourced scripts by their paths, relative to the folder of the sourcing script or to the root."""

    def find(self, specifier: str, from_path: str) -> str | None:
        """Return the path of a sourced script."""
        return self.source(join_path(parent_of(from_path), specifier), join_path("", specifier))


READER = SyntaxOnlyReader(SyntaxRules(language="bash", specifiers=_read_specifiers))
LANGUAGE = Language(read=READER.read, parse=READER.parse, excerpts=SYNTAX, import_rules=BashImports, terms=TERMS)
