"""Kotlin: annotations, and what is public unless it says otherwise."""

from __future__ import annotations

from ..base import Language
from ..jvm import JvmImports, read_specifiers
from ..syntax_only.reader import SyntaxOnlyReader
from ..syntax_only.rules import AT_ANNOTATION, SyntaxRules
from .excerpt_syntax import SYNTAX

READER = SyntaxOnlyReader(
    SyntaxRules(
        language="kotlin",
        annotation=AT_ANNOTATION,
        specifiers=read_specifiers,
    )
)
LANGUAGE = Language(read=READER.read, parse=READER.parse, excerpts=SYNTAX, import_rules=JvmImports)
