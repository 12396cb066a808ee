"""Scala: annotations, and constructors that are called `this`."""

from __future__ import annotations

from ..base import Language
from ..jvm import JvmImports, read_specifiers
from ..syntax_only.reader import SyntaxOnlyReader
from ..syntax_only.rules import AT_ANNOTATION, SyntaxRules
from .excerpt_syntax import SYNTAX

READER = SyntaxOnlyReader(
    SyntaxRules(
        language="scala",
        constructors=frozenset(("this",)),
        annotation=AT_ANNOTATION,
        specifiers=read_specifiers,
    )
)
LANGUAGE = Language(read=READER.read, parse=READER.parse, excerpts=SYNTAX, import_rules=JvmImports)
