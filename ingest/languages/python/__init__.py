"""Python: decorators, docstrings, packages."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from ...data.mapper_faults import read_models
from ...documents.doc_links import DocLinks
from ...symbols.lowering_state import LoweringState
from ...symbols.node_text import node_text
from ..base import Language
from ..change_rules import ChangeRules, Receiver
from ..syntax_only.reader import SyntaxOnlyReader
from ..syntax_only.rules import Decorated, SyntaxRules
from ..syntax_only.visibility import Declaration
from .excerpt_syntax import SYNTAX
from .frameworks import PythonWiring
from .imports import PythonImports, read_specifiers
from .queries import PythonQueries
from .runtime_facts import PythonRules, build_declarations
from .terms import TERMS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tree_sitter import Node

    from ....schema.signatures import SignatureParts
    from ...data.schemas.mapped import MappedSchema
    from ...facts.data import DataFacts
    from ...facts.model import FileFacts
    from ...files.source_text import SourceText
    from ...files.workspace_files import WorkspaceFiles
    from ..module_manifests import FoundManifests

#: Decorators that make a function a getter.
_PROPERTIES: Final = frozenset(("property", "cached_property", "abstractproperty", "hybrid_property"))
#: The quotes of a docstring, with the prefix before them.
_QUOTES: Final = re.compile(r"^[rRuUbBfF]*(\"\"\"|'''|\"|')")


def docstring_text(literal: str) -> str:
    """Return the text of a string at the beginning of a body, without quotes and indentation."""
    found = _QUOTES.match(literal)
    text = literal[found.end() : -len(found[1])] if found and literal.endswith(found[1]) else literal
    return "\n".join(line.strip() for line in text.strip().split("\n"))


def _decorated(node: Node) -> Decorated:
    """Return whether decorators make a function a getter, a setter or a stub. A query of the grammar would take cubic time."""
    names: set[str] = set()
    attributes: set[str] = set()
    for child in node.children:
        if child.type == "decorator" and child.named_child_count:
            decorator = child.named_children[0]
            attribute = decorator.child_by_field_name("attribute") if decorator.type == "attribute" else None
            if attribute is not None:
                attributes.add(node_text(attribute))
            elif decorator.type == "identifier":
                names.add(node_text(decorator))
    if (names | attributes) & _PROPERTIES:
        return Decorated("getter")
    if "setter" in attributes:
        return Decorated("setter")
    return Decorated(is_stub="overload" in names | attributes)


def _is_docstring(node: Node) -> bool:
    """Return whether a statement is only a string: a docstring, or a string without effect."""
    return node.type == "expression_statement" and node.named_child_count == 1 and node.named_children[0].type == "string"


def _is_visible(declaration: Declaration) -> bool:
    return not declaration.name.startswith("_") or declaration.name.endswith("__")


def _lower(state: LoweringState, root: Node) -> LoweringState:
    from .lowering import lower_module

    return lower_module(state, root)


def _manifests(files: WorkspaceFiles) -> FoundManifests:
    from .packaging import read_manifests

    return read_manifests(files)


_RULES = SyntaxRules(
    language="python",
    constructors=frozenset(("__init__",)),
    joins_overloads=True,
    docstring=docstring_text,
    has_decorators=True,
    decorated=_decorated,
    is_visible=_is_visible,
    specifiers=read_specifiers,
    imports_late=True,
    lower=_lower,
)
READER = SyntaxOnlyReader(_RULES)


def _read(source: SourceText, language: str) -> FileFacts:
    facts = READER.read(source, language)
    if facts.code:
        _add_models(facts, source.data)
    return facts


def _add_models(facts: FileFacts, data: bytes) -> None:
    """Add the models and the migration of a file. A reader is loaded only if the file may have something for it."""
    from .models import hints

    if hints.may_have_django_models(facts):
        from .models.django import add_django_models

        read_models(facts, add_django_models)
    if hints.may_have_peewee_models(facts):
        from .models.active_record.peewee import add_peewee_models

        read_models(facts, add_peewee_models)
    if hints.may_have_piccolo_models(facts):
        from .models.active_record.piccolo import add_piccolo_models

        read_models(facts, add_piccolo_models)
    if hints.may_have_documents(facts):
        from .models.active_record.documents import add_documents

        read_models(facts, add_documents)
    if hints.may_have_sqlalchemy_tables(facts):
        from .models.sqlalchemy import add_sqlalchemy_models

        read_models(facts, lambda read: add_sqlalchemy_models(read, data))
    if hints.may_be_alembic_migration(facts):
        from .migrations.alembic import add_alembic_migration

        read_models(facts, add_alembic_migration)
    if hints.may_be_django_migration(facts):
        from .migrations.django import add_django_migration

        read_models(facts, add_django_migration)


def _add_api(facts: FileFacts) -> None:
    from ..api_calls.api_facts import add_api_facts
    from .frameworks.django_routes import find_django_routes
    from .frameworks.routes import ROUTES
    from .frameworks.sent_requests import find_requests
    from .frameworks.services import find_services
    from .frameworks.topics import find_listeners

    add_api_facts(facts, ROUTES, find_services, find_django_routes, find_listeners, find_requests)


def _mapped_schemas(facts: Mapping[str, DataFacts]) -> Sequence[MappedSchema]:
    from .migrations.alembic_schemas import alembic_schemas
    from .migrations.django_schemas import django_migrations
    from .models.active_record.document_tables import document_schemas
    from .models.active_record.peewee_tables import peewee_schemas
    from .models.active_record.piccolo_tables import piccolo_schemas
    from .models.active_record.tortoise_tables import tortoise_schemas
    from .models.django_entities import django_schema
    from .models.sqlalchemy_classes import Classes
    from .models.sqlalchemy_tables import sqlalchemy_schemas

    django, classes = django_schema(facts), Classes(facts)
    return [
        *filter(None, [django]),
        *django_migrations(facts),
        *sqlalchemy_schemas(classes),
        *alembic_schemas(facts, classes),
        *peewee_schemas(facts),
        *tortoise_schemas(facts),
        *piccolo_schemas(facts),
        *document_schemas(facts),
    ]


#: Roles of Sphinx: ":func:`load`", ":class:`~shop.cart.Cart`", ":meth:`the sum <Cart.total>`".
_LINKS = DocLinks(
    re.compile(
        r":(?:py:)?(?:func|class|meth|mod|attr|exc|data|obj|const):`(?:[^`<\n]*<)?[~!.]*(?P<name>[A-Za-z_][\w.]*)(?:\(\))?>?`"
    ),
    is_inside=True,
)
#: Decorators that leave the parameters of a function as they are.
_PLAIN_DECORATORS: Final = frozenset(
    ("abstractmethod", "asynccontextmanager", "classmethod", "contextmanager", "final", "override", "staticmethod")
)
#: The base and the decorators of classes that demand members: https://typing.python.org/en/latest/spec/protocol.html and `abc`.
_DEMANDING: Final = frozenset(("Protocol", "abstractclassmethod", "abstractmethod", "abstractproperty", "abstractstaticmethod"))


def _signature_parts(signature: str) -> SignatureParts:
    from .signatures import parts_of, signature_source

    return parts_of(READER.parse(signature_source(signature), "python"))


LANGUAGE = Language(
    doc_links=_LINKS,
    read=_read,
    mapped_schemas=_mapped_schemas,
    add_api=_add_api,
    parse=READER.parse,
    excerpts=SYNTAX,
    signature_parts=_signature_parts,
    import_rules=PythonImports,
    manifests=_manifests,
    build_declarations=build_declarations,
    nominal=PythonRules(),
    wiring=PythonWiring(),
    queries=PythonQueries(),
    is_documentation=_is_docstring,
    equivalent_nodes={"expression_list": "tuple", "pattern_list": "tuple_pattern"},
    terms=TERMS,
    changes={
        "python": ChangeRules(
            counts_arguments=True,
            receiver=Receiver.FIRST_OR_PASSED,
            plain_decorators=_PLAIN_DECORATORS,
            has_misfits=True,
            demanding=_DEMANDING,
        )
    },
)
