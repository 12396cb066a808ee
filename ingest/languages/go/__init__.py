"""Go: packages by folder, and names that are public by their capital."""

from __future__ import annotations

from ..base import Language
from ..syntax_only.reader import SyntaxOnlyReader
from ..syntax_only.rules import SyntaxRules
from ..syntax_only.visibility import Declaration
from .excerpt_syntax import SYNTAX
from .imports import GoImports, read_specifiers


def _is_visible(declaration: Declaration) -> bool:
    return declaration.name[:1].isupper()


READER = SyntaxOnlyReader(SyntaxRules(language="go", is_visible=_is_visible, specifiers=read_specifiers))
LANGUAGE = Language(read=READER.read, parse=READER.parse, excerpts=SYNTAX, import_rules=GoImports)
