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
#: Tables and statements of Exposed and Ktorm, and calls of entities, which need no import of the library.
_EXPOSED: Final = re.compile(
    rb"\bjetbrains\.exposed\b|\borg\.ktorm\b|:\s*\w*Table\s*\(|\b[A-Z]\w*\.(?:new|findById|find|all)\s*[({]"
)


#: Packages of mappers with annotations, repositories, and calls of functions that repositories inherit.
_ANNOTATED: Final = re.compile(
    rb"\b(?:androidx\.room|persistence\.|springframework\.data|mybatisplus|micronaut\.data|org\.komapper|panache)"
    rb"|:\s*[A-Z]\w*(?:Repository|Repo|Mapper|Dao|Service|s)\b"
)


def _read(source: SourceText, language: str) -> FileFacts:
    facts = READER.read(source, language)
    if _ANNOTATED.search(source.data) is not None:
        from .annotated.declarations import Declarations
        from .annotated.rows import add_rows
        from .annotated.statements import add_statements

        declared = Declarations(source.data.decode("utf-8", "replace"))
        add_rows(facts, declared)
        add_statements(facts, declared)
    if _EXPOSED.search(source.data) is not None:
        from .exposed.statements import add_exposed

        add_exposed(facts, source.data.decode("utf-8", "replace"))
    if b"Queries" in source.data:
        from .sqldelight import add_queries

        add_queries(facts, source.data.decode("utf-8", "replace"))
    if b"org.jooq" in source.data:
        from .jooq import add_jooq

        add_jooq(facts, source.data.decode("utf-8", "replace"))
    if b"ImplBase(" in source.data:
        from .grpc_services import add_grpc_services

        add_grpc_services(facts)
    return facts


def _mapped_schemas(facts: Mapping[str, DataFacts]) -> Sequence[MappedSchema]:
    from .annotated.tables import mapped_schemas as annotated_schemas
    from .exposed.tables import mapped_schemas

    return [*mapped_schemas(facts), *annotated_schemas(facts)]


LANGUAGE = Language(
    doc_links=_LINKS,
    read=_read,
    parse=READER.parse,
    excerpts=SYNTAX,
    import_rules=JvmImports,
    terms=TERMS,
    mapped_schemas=_mapped_schemas,
)
