"""TypeScript and JavaScript: parsing, lowering, module resolution and the type engine."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ...data.mapper_faults import read_models
from ..base import ImportRules, Language, SyntaxTree
from ..change_rules import ChangeRules
from ..module_manifests import FoundManifests
from .commonjs_exports import EXPORTING
from .excerpt_syntax import SYNTAX
from .terms import TERMS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from ...data.schemas.mapped import MappedSchema
    from ...facts.data import DataFacts
    from ...facts.model import FileFacts
    from ...files.source_text import SourceText
    from ...files.workspace_files import WorkspaceFiles

# Modules are imported when they are used: resolution needs no parser, and a parse process needs no resolver.


def _read(source: SourceText, language: str) -> FileFacts:
    from .file_facts import read_file
    from .mapped_models import add_models
    from .migrations import add_migrations

    facts = read_file(source, language)
    read_models(facts, lambda read: add_models(read, source.data))
    read_models(facts, lambda read: add_migrations(read, source.data))
    return facts


def _parse(data: bytes, language: str) -> SyntaxTree:
    from .parsing.parse import parse_text

    return parse_text(data, language)


def _import_rules(files: WorkspaceFiles) -> ImportRules:
    from .module_resolution import ModuleResolver

    return ModuleResolver(files)


def _manifests(files: WorkspaceFiles) -> FoundManifests:
    from .module_resolution.packages.npm_modules import read_manifests

    return read_manifests(files)


def _add_api(facts: FileFacts) -> None:
    from .frameworks.api import add_api

    add_api(facts)


def _name_statements(facts: FileFacts) -> None:
    from .queries.pgtyped import name_tagged_queries
    from .queries.typed_sql import add_typed_statements

    name_tagged_queries(facts)
    add_typed_statements(facts)


def _build_declarations(folder: Path) -> None:
    from .runtime_facts import build_declarations

    build_declarations(folder)


def _mapped_schemas(facts: Mapping[str, DataFacts]) -> Sequence[MappedSchema]:
    from .mapped_models import mapped_schemas

    return mapped_schemas(facts)


#: A file of JavaScript has no declared types, and accepts every number of arguments.
_CHANGES: Final = dict.fromkeys(("typescript", "tsx"), ChangeRules(counts_arguments=True, has_misfits=True))

LANGUAGE = Language(
    read=_read,
    mapped_schemas=_mapped_schemas,
    parse=_parse,
    excerpts=SYNTAX,
    import_rules=_import_rules,
    manifests=_manifests,
    build_declarations=_build_declarations,
    add_api=_add_api,
    name_statements=_name_statements,
    terms=TERMS,
    exporting=EXPORTING,
    changes=_CHANGES,
)
