"""C#: attributes, directives, operators, and explicit visibility. Imports name namespaces, not files."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from ...documents.doc_links import DocLinks
from ...symbols.node_text import node_text
from ..base import Language
from ..syntax_only.import_statements import SPACES, Specifier
from ..syntax_only.reader import SyntaxOnlyReader
from ..syntax_only.rules import SyntaxRules
from ..syntax_only.visibility import Declaration, if_public
from .excerpt_syntax import SYNTAX
from .terms import TERMS

if TYPE_CHECKING:
    from tree_sitter import Node

    from ...data.schemas.mapped import MappedSchema
    from ...facts.data import DataFacts
    from ...facts.model import FileFacts
    from ...files.source_text import SourceText

#: Directives that configure the compiler or group the code below. A comment above such a directive belongs to the declaration
#: below.
_DIRECTIVE: Final = re.compile(rb"[ \t]*#[ \t]*(?:pragma|nullable|region|if)\b")
_ALIAS: Final = re.compile(r"(?:global )?using (?P<alias>\w+) =")
_OPERATOR: Final = re.compile(r"\b(?:operator\s*\S+?|this)\s*(?=[(\[])")


def _read_specifiers(statement: str) -> Iterator[Specifier]:
    if found := _ALIAS.match(SPACES.sub(" ", statement)):
        yield Specifier("", (), (found["alias"],))


def _is_visible(declaration: Declaration) -> bool:
    return declaration.kind == "namespace" or if_public(declaration)


def _name_of(declared: Node, node: Node | None, header: bytes) -> tuple[str, int] | None:
    """Return the name of an operator, an indexer or a destructor, which is not a node."""
    if node is not None:
        return (f"~{node_text(node).strip()}", node.start_byte) if declared.type == "destructor_declaration" else None
    text = header.decode("utf-8", "replace")
    written = _OPERATOR.search(text)
    if written is None:
        return None
    return " ".join(written[0].split()), declared.start_byte + len(text[: written.start()].encode())


READER = SyntaxOnlyReader(
    SyntaxRules(
        language="csharp",
        name_of=_name_of,
        directive=_DIRECTIVE,
        annotation=re.compile(r"(?=\[)"),
        is_visible=_is_visible,
        specifiers=_read_specifiers,
    )
)
#: XML documentation: "<see cref=\"Cart\"/>".
_LINKS = DocLinks(
    re.compile(r'<(?:see|seealso|inheritdoc|exception)\s+cref="(?:[TMPFE]:)?(?P<name>[A-Za-z_][\w.]*)'), is_in_tags=True
)
#: Contexts, sets and repositories of Entity Framework, and classes that may be entities.
_ENTITIES: Final = re.compile(
    rb"\bEntityFramework|\bDbSet\s*<|\bDbContext\b|\bRepository\s*<|\w[cC]ontext\s*\.|\bclass\s+\w|\benum\s+\w|\bglobal using\b"
)
_GRPC: Final = re.compile(rb"\b(\w+)\.\1Base\b")


def _read(source: SourceText, language: str) -> FileFacts:
    facts = READER.read(source, language)
    if b"MigrationBuilder" in source.data:
        from .entity_framework.migrations import add_migration

        add_migration(facts, source.data.decode("utf-8", "replace"))
    if _ENTITIES.search(source.data) is not None:
        from .dapper import add_row_columns
        from .entity_framework.declarations import Declarations
        from .entity_framework.models import add_models
        from .entity_framework.statements import add_statements

        declared = Declarations(source.data.decode("utf-8", "replace"))
        add_models(facts, declared)
        add_statements(facts, declared)
        add_row_columns(facts, declared)
    if _GRPC.search(source.data) is not None:
        from .grpc_services import add_grpc_services

        add_grpc_services(facts)
    return facts


def _mapped_schemas(facts: Mapping[str, DataFacts]) -> Sequence[MappedSchema]:
    from .entity_framework.tables import mapped_schemas

    return mapped_schemas(facts)


LANGUAGE = Language(
    doc_links=_LINKS, read=_read, parse=READER.parse, excerpts=SYNTAX, terms=TERMS, mapped_schemas=_mapped_schemas
)
