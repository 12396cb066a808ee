"""PHP: namespaces that composer maps to folders, attributes, and members that are public by default."""

from __future__ import annotations

import re

from ...documents.doc_links import DocLinks
from ..base import Language
from ..syntax_only.reader import SyntaxOnlyReader
from ..syntax_only.rules import SyntaxRules
from ..syntax_only.visibility import Declaration, unless_hidden
from .excerpt_syntax import SYNTAX
from .imports import PhpImports, read_specifiers
from .terms import TERMS


def _is_visible(declaration: Declaration) -> bool:
    return declaration.kind == "namespace" or unless_hidden(declaration)


READER = SyntaxOnlyReader(
    SyntaxRules(
        language="php",
        grammar_function="language_php",
        constructors=frozenset(("__construct",)),
        annotation=re.compile(r"#(?=\[)"),
        is_visible=_is_visible,
        specifiers=read_specifiers,
    )
)
#: PHPDoc: "@see Cart::add()", "{@link Cart}" and "@throws \Acme\CartError".
_LINKS = DocLinks(re.compile(r"@(?:see|link|uses|throws)\s+(?!https?:)\\?(?:\w+\\)*(?P<name>\$?[A-Za-z_]\w*(?:::\$?\w+)?)"))

LANGUAGE = Language(doc_links=_LINKS, read=READER.read, parse=READER.parse, excerpts=SYNTAX, import_rules=PhpImports, terms=TERMS)
