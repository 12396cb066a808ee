"""Ruby: visibility words that apply to the code below, attributes, and files that `require` finds."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from ....schema.paths import parent_of
from ...documents.doc_links import DocLinks
from ...files.workspace_files import join_path
from ...symbols.node_text import node_text
from ..base import Language
from ..path_imports import PathImports, ends_with, nearest
from ..syntax_only.import_statements import Specifier
from ..syntax_only.reader import SyntaxOnlyReader
from ..syntax_only.rules import SyntaxRules
from ..syntax_only.visibility import Declaration
from .excerpt_syntax import SYNTAX
from .terms import TERMS

if TYPE_CHECKING:
    from tree_sitter import Node

    from ...data.schemas.mapped import MappedSchema
    from ...facts.data import DataFacts
    from ...facts.model import FileFacts
    from ...files.source_text import SourceText

_REQUIRE: Final = re.compile(r"(?P<form>require_relative|require|load|autoload)\b[^\"']*[\"'](?P<path>[^\"']+)[\"']")
#: Folders in which `require` looks for files by their path.
_LIBRARY_FOLDERS: Final = ("lib", "app/models", "app/controllers")


def _read_specifiers(statement: str) -> Iterator[Specifier]:
    if found := _REQUIRE.match(statement):
        relative = found["form"] == "require_relative"
        yield Specifier(f"./{found['path']}" if relative else found["path"])


def _is_visible(declaration: Declaration) -> bool:
    hidden = ("private", "private_class_method", "protected")
    return not declaration.name.startswith("_") and declaration.modifiers.isdisjoint(hidden)


def _name_of(declared: Node, node: Node | None, header: bytes) -> tuple[str, int] | None:
    """Return the name in a symbol: `attr_reader :name`."""
    if node is None or node.type != "simple_symbol":
        return None
    return node_text(node).strip().strip(":\"'"), node.start_byte


class RubyImports(PathImports):
    """Resolves required files by their paths: relative paths, and paths below the folders that Ruby searches."""

    def find(self, specifier: str, from_path: str) -> str | None:
        """Return the path of a required file."""
        name = specifier.removesuffix(".rb") + ".rb"
        if specifier.startswith("."):
            return self.source(join_path(parent_of(from_path), name))
        known = [
            path
            for path in self.by_name.get(name.rpartition("/")[2], ())
            if path == name or any(ends_with(path, f"{folder}/{name}") for folder in _LIBRARY_FOLDERS)
        ]
        return nearest(known, from_path) if known else None


READER = SyntaxOnlyReader(
    SyntaxRules(
        language="ruby",
        name_of=_name_of,
        constructors=frozenset(("initialize",)),
        has_root_methods=True,
        is_visible=_is_visible,
        specifiers=_read_specifiers,
    )
)
#: The call around all tables of a schema.
_SCHEMA: Final = re.compile(rb"^ActiveRecord::Schema\b[^\n]*\bdo\b", re.MULTILINE)

_GRPC: Final = re.compile(rb"<[ ]*(?:\w*::)+Service\b")
#: Code that may define or use a model: a class with a base, or a method that is called on a constant.
_MODELS: Final = re.compile(rb"^[ \t]*class\s+[\w:]+\s*<|\b[A-Z]\w*\.[a-z]", re.MULTILINE)


def _read(source: SourceText, language: str) -> FileFacts:
    if _SCHEMA.search(source.data) is not None:
        from .rails.schema_files import schema_facts

        return schema_facts(source, language)
    facts = READER.read(source, language)
    if _GRPC.search(source.data) is not None:
        from .grpc_services import add_grpc_services

        add_grpc_services(facts)
    if _MODELS.search(source.data) is not None:
        from .rails.statements import add_models

        add_models(facts, source.data.decode("utf-8", "replace"))
    return facts


def _mapped_schemas(facts: Mapping[str, DataFacts]) -> Sequence[MappedSchema]:
    from .rails.models import mapped_schemas

    return mapped_schemas(facts)


#: YARD: "{Cart#add}" and "@see Cart.open".
_LINKS = DocLinks(
    re.compile(r"\{(?P<link>(?:[A-Z]\w*(?:::[A-Z]\w*)*)?[#.]?\w+[?!]?)\}|@see\s+(?!https?:)(?P<see>[A-Z]\w*(?:(?:::|#|\.)\w+)*)")
)


LANGUAGE = Language(
    doc_links=_LINKS,
    read=_read,
    parse=READER.parse,
    excerpts=SYNTAX,
    import_rules=RubyImports,
    terms=TERMS,
    mapped_schemas=_mapped_schemas,
)
