"""Java: files with the names of the declared types, and explicit visibility."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ...data.mapper_faults import read_models
from ...data.sql.script_files import add_script_files
from ...documents.doc_links import DocLinks
from ...symbols.lowering_state import LoweringState
from ..base import Language
from ..change_rules import ChangeRules
from ..jvm import read_specifiers
from ..jvm.service_files import add_lines, blank, imports_of, names_in
from ..jvm.terms import TERMS
from ..syntax_only.reader import SyntaxOnlyReader
from ..syntax_only.rules import AT_ANNOTATION, SyntaxRules
from ..syntax_only.visibility import if_public
from .excerpt_syntax import SYNTAX
from .frameworks import JavaWiring
from .parsing import parse_java
from .queries import JavaQueries
from .runtime_facts import RUNTIME, JavaRules

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tree_sitter import Node

    from ....schema.signatures import SignatureParts
    from ...data.schemas.mapped import MappedSchema
    from ...facts.data import DataFacts
    from ...facts.model import FileFacts
    from ...files.source_text import SourceText
    from ...files.workspace_files import WorkspaceFiles
    from ..base import ImportRules
    from ..module_manifests import FoundManifests, ManifestGap


def _lower(state: LoweringState, root: Node) -> LoweringState:
    from .lowering import lower_file

    return lower_file(state, root)


def _manifests(files: WorkspaceFiles) -> FoundManifests:
    from .packaging import read_manifests

    return read_manifests(files)


def _missing_packages(files: WorkspaceFiles) -> Iterator[ManifestGap]:
    from .class_files.class_path import missing_archives

    return missing_archives(files)


def _imports(files: WorkspaceFiles) -> ImportRules:
    from .imports import JavaImports

    return JavaImports(files)


def _add_api(facts: FileFacts) -> None:
    from ..api_calls.api_facts import add_api_facts
    from .frameworks.sent_requests import find_requests
    from .frameworks.services import find_services

    add_api_facts(facts, None, find_services, find_requests)


READER = SyntaxOnlyReader(
    SyntaxRules(
        language="java",
        is_visible=if_public,
        annotation=AT_ANNOTATION,
        specifiers=read_specifiers,
        lower=_lower,
        parse=parse_java,
    )
)


def _read(source: SourceText, language: str) -> FileFacts:
    from .models import add_models

    named = names_in(source.data)
    facts = READER.read(source if named is None else blank(source), language)
    if named is not None:
        facts.imports = list(imports_of(named))
        add_lines(facts, source)
        return facts
    read_models(facts, add_models)
    add_script_files(facts, source.data)
    return facts


def _mapped_schemas(facts: Mapping[str, DataFacts]) -> Sequence[MappedSchema]:
    from .models import mapped_schemas

    return mapped_schemas(facts)


#: Javadoc: "{@link Cart#add(Item)}", "@see Cart" and "@throws CartError".
_LINKS = DocLinks(
    re.compile(r"\{@link(?:plain)?\s+(?P<link>[\w.]*#?\w+)|@(?:see|throws|exception)\s+(?P<see>[\w.]*#?\w+)(?![\w.]*[\":])")
)


def _signature_parts(signature: str) -> SignatureParts:
    from .signatures import parts_of, signature_source

    return parts_of(READER.parse(signature_source(signature), "java"))


LANGUAGE = Language(
    doc_links=_LINKS,
    read=_read,
    mapped_schemas=_mapped_schemas,
    parse=READER.parse,
    excerpts=SYNTAX,
    signature_parts=_signature_parts,
    import_rules=_imports,
    manifests=_manifests,
    missing_packages=_missing_packages,
    build_declarations=RUNTIME.build,
    nominal=JavaRules(),
    wiring=JavaWiring(),
    queries=JavaQueries(),
    add_api=_add_api,
    terms=TERMS,
    changes={"java": ChangeRules(has_misfits=True, override_mark=re.compile(rb"@Override\b"))},
)
