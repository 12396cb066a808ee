"""Swift: annotations, and declarations that are visible by default."""

from __future__ import annotations

from ..base import Language
from ..syntax_only.reader import SyntaxOnlyReader
from ..syntax_only.rules import AT_ANNOTATION, SyntaxRules
from .excerpt_syntax import SYNTAX

READER = SyntaxOnlyReader(SyntaxRules(language="swift", annotation=AT_ANNOTATION))
LANGUAGE = Language(read=READER.read, parse=READER.parse, excerpts=SYNTAX)
