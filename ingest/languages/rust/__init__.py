"""Rust: modules of a crate, `pub`, and attributes that mark tests."""

from __future__ import annotations

import re

from ...documents.doc_links import DocLinks
from ..base import Language
from ..syntax_only.reader import SyntaxOnlyReader
from ..syntax_only.rules import SyntaxRules
from ..syntax_only.visibility import Declaration
from .excerpt_syntax import SYNTAX
from .imports import RustImports, read_specifiers
from .marked_tests import test_span
from .terms import TERMS


def _is_visible(declaration: Declaration) -> bool:
    outer = declaration.outer
    # Members of a trait, and of its implementation for a type, are visible wherever the trait is.
    is_of_trait = outer is not None and outer.kind == "extension" and " for " in outer.signature
    return "pub" in declaration.modifiers or is_of_trait or declaration.outer_kind in ("interface", "enum")


READER = SyntaxOnlyReader(SyntaxRules(language="rust", is_visible=_is_visible, specifiers=read_specifiers, test_span=test_span))
#: Intra-doc links: "[`Cart`]", "[`Cart::add`]", "[the sum](crate::Cart::total)".
_LINKS = DocLinks(
    re.compile(r"\[`(?P<link>[A-Za-z_][\w:]*)(?:\(\)|!)?`\](?!\()|\]\(`?(?P<target>(?:crate|self|super)::[\w:]+)`?\)")
)
LANGUAGE = Language(
    doc_links=_LINKS, read=READER.read, parse=READER.parse, excerpts=SYNTAX, import_rules=RustImports, terms=TERMS
)
