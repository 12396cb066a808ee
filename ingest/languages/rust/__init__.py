"""Rust: modules of a crate, `pub`, and attributes that mark tests."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from ...documents.doc_links import DocLinks
from ..base import Language
from ..syntax_only.reader import SyntaxOnlyReader
from ..syntax_only.rules import SyntaxRules
from ..syntax_only.visibility import Declaration
from .excerpt_syntax import SYNTAX
from .imports import RustImports, read_specifiers
from .marked_tests import test_span
from .terms import TERMS

if TYPE_CHECKING:
    from ...data.schemas.mapped import MappedSchema
    from ...facts.data import DataFacts
    from ...facts.model import FileFacts
    from ...files.source_text import SourceText


def _is_visible(declaration: Declaration) -> bool:
    outer = declaration.outer
    # Members of a trait, and of its implementations, are visible wherever the trait is visible.
    is_of_trait = outer is not None and outer.kind == "extension" and " for " in outer.signature
    return "pub" in declaration.modifiers or is_of_trait or declaration.outer_kind in ("interface", "enum")


READER = SyntaxOnlyReader(SyntaxRules(language="rust", is_visible=_is_visible, specifiers=read_specifiers, test_span=test_span))
#: Intra-doc links: "[`Cart`]", "[`Cart::add`]", "[the sum](crate::Cart::total)".
_LINKS = DocLinks(
    re.compile(r"\[`(?P<link>[A-Za-z_][\w:]*)(?:\(\)|!)?`\](?!\()|\]\(`?(?P<target>(?:crate|self|super)::[\w:]+)`?\)")
)
_DIESEL: Final = re.compile(rb"\btable!\s*[{(\[]|\bdiesel\b")

#: A statement of SeaORM in a file without an import of the library.
_ENTITY: Final = re.compile(rb"\bEntity\s*::\s*(?:find|insert|update|delete)|\bEntity\s+as\b|\bActiveModel\b")
_QUERY_FILE: Final = re.compile(rb"\bquery_file\w*\s*!")
_QUERY_AS: Final = re.compile(rb"\bquery_as\b")
#: The derived traits of structs into which statements read rows.
_ROW: Final = re.compile(rb"\b(?:FromRow|Queryable(?:ByName)?|Selectable)\b")
#: The module that tonic generates for a service.
_TONIC: Final = re.compile(rb"\w_server\s*::")


def _read(source: SourceText, language: str) -> FileFacts:
    facts = READER.read(source, language)
    if _DIESEL.search(source.data) is not None:
        from .databases.diesel_statements import add_statements
        from .databases.diesel_tables import add_tables

        text = source.data.decode("utf-8", "replace")
        add_tables(facts, text)
        add_statements(facts, text)
    if b"sea_orm" in source.data or _ENTITY.search(source.data) is not None:
        from .databases.sea_orm import add_sea_orm

        add_sea_orm(facts, source.data.decode("utf-8", "replace"))
    if _QUERY_FILE.search(source.data) is not None:
        from .databases.sqlx import add_query_files

        add_query_files(facts, source.data.decode("utf-8", "replace"))
    if _QUERY_AS.search(source.data) is not None:
        from .databases.sqlx_rows import add_row_columns

        add_row_columns(facts, source.data.decode("utf-8", "replace"))
    if _ROW.search(source.data) is not None:
        from .databases.row_structs import add_row_structs

        add_row_structs(facts, source.data.decode("utf-8", "replace"))
    if _TONIC.search(source.data) is not None:
        from .tonic import add_tonic_services

        add_tonic_services(facts)
    return facts


def _mapped_schemas(facts: Mapping[str, DataFacts]) -> Sequence[MappedSchema]:
    from .databases.sea_orm import sea_orm_schemas

    return sea_orm_schemas(facts)


LANGUAGE = Language(
    doc_links=_LINKS,
    read=_read,
    parse=READER.parse,
    excerpts=SYNTAX,
    import_rules=RustImports,
    terms=TERMS,
    mapped_schemas=_mapped_schemas,
)
