"""Java: annotations, and what is public only if it says so."""

from __future__ import annotations

from ..base import Language
from ..jvm import JvmImports, read_specifiers
from ..syntax_only.reader import SyntaxOnlyReader
from ..syntax_only.rules import AT_ANNOTATION, SyntaxRules
from ..syntax_only.visibility import if_public
from .excerpt_syntax import SYNTAX

READER = SyntaxOnlyReader(
    SyntaxRules(
        language="java",
        is_visible=if_public,
        annotation=AT_ANNOTATION,
        specifiers=read_specifiers,
    )
)
LANGUAGE = Language(read=READER.read, parse=READER.parse, excerpts=SYNTAX, import_rules=JvmImports)
