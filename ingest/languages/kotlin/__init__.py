"""Kotlin: annotations, and declarations that are public by default."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from ...documents.doc_links import DocLinks
from ..base import Language
from ..jvm import JvmImports, read_specifiers
from ..jvm.terms import TERMS
from ..syntax_only.reader import SyntaxOnlyReader
from ..syntax_only.rules import AT_ANNOTATION, SyntaxRules
from .excerpt_syntax import SYNTAX
from .parsing import parse_kotlin

if TYPE_CHECKING:
    from ...data.schemas.mapped import MappedSchema
    from ...facts.data import DataFacts
    from ...facts.model import FileFacts
    from ...files.source_text import SourceText

READER = SyntaxOnlyReader(
    SyntaxRules(
        language="kotlin",
        parse=parse_kotlin,
        annotation=AT_ANNOTATION,
        specifiers=read_specifiers,
    )
)
#: KDoc: "[Cart.add]", "[the sum][Cart.total]", "@see Cart" and "@throws CartError".
_LINKS = DocLinks(re.compile(r"\[(?P<link>[A-Za-z_][\w.]*)\](?![\[(:])|@(?:see|throws|exception)\s+(?P<see>[A-Za-z_][\w.]*)"))
#: Tables and statements of Exposed, and calls of entities, which need no import of the library.
_EXPOSED: Final = re.compile(rb"\bjetbrains\.exposed\b|:\s*\w*Table\s*\(|\b[A-Z]\w*\.(?:new|findById|find|all)\s*[({]")


def _read(source: SourceText, language: str) -> FileFacts:
    facts = READER.read(source, language)
    if _EXPOSED.search(source.data) is not None:
        from .exposed.statements import add_exposed

        add_exposed(facts, source.data.decode("utf-8", "replace"))
    if b"ImplBase(" in source.data:
        from .grpc_services import add_grpc_services

        add_grpc_services(facts)
    return facts


def _mapped_schemas(facts: Mapping[str, DataFacts]) -> Sequence[MappedSchema]:
    from .exposed.tables import mapped_schemas

    return mapped_schemas(facts)


LANGUAGE = Language(
    doc_links=_LINKS,
    read=_read,
    parse=READER.parse,
    excerpts=SYNTAX,
    import_rules=JvmImports,
    terms=TERMS,
    mapped_schemas=_mapped_schemas,
)
