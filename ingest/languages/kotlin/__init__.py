"""Kotlin: annotations, and declarations that are public by default."""

from __future__ import annotations

import re

from ...documents.doc_links import DocLinks
from ..base import Language
from ..jvm import JvmImports, read_specifiers
from ..jvm.terms import TERMS
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
#: KDoc: "[Cart.add]" and "@see Cart".
_LINKS = DocLinks(re.compile(r"\[(?P<link>[A-Za-z_][\w.]*)\](?![\[(:])|@see\s+(?P<see>[A-Za-z_][\w.]*)"))
LANGUAGE = Language(doc_links=_LINKS, read=READER.read, parse=READER.parse, excerpts=SYNTAX, import_rules=JvmImports, terms=TERMS)
