"""Go: one package per folder, and names that are public if they begin with a capital."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from ...data.mapper_faults import read_models
from ...documents.doc_links import DocLinks
from ...symbols.lowering_state import LoweringState
from ..base import Language
from ..change_rules import ChangeRules, Receiver
from ..syntax_only.reader import SyntaxOnlyReader
from ..syntax_only.rules import SyntaxRules
from ..syntax_only.visibility import Declaration
from .excerpt_syntax import SYNTAX
from .frameworks import GoWiring
from .imports import GoImports, read_specifiers
from .parsing import parse_go
from .queries import GoQueries
from .runtime_facts import RUNTIME, GoRules
from .terms import TERMS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tree_sitter import Node

    from ....schema.signatures import SignatureParts
    from ...data.schemas.mapped import MappedSchema
    from ...facts.data import DataFacts
    from ...facts.model import FileFacts
    from ...files.source_text import SourceText
    from ...files.workspace_files import WorkspaceFiles
    from ..conversions import Conversion
    from ..module_manifests import FoundManifests, ManifestGap


def _is_visible(declaration: Declaration) -> bool:
    return declaration.name[:1].isupper()


def _lower(state: LoweringState, root: Node) -> LoweringState:
    from .lowering import lower_file

    return lower_file(state, root)


def _missing_packages(files: WorkspaceFiles) -> Iterator[ManifestGap]:
    from ..installed_files import InstalledFiles
    from .installed_packages import GoPackages

    return GoPackages(files, InstalledFiles(Path(files.root))).missing()


def _read_manifests(files: WorkspaceFiles) -> FoundManifests:
    from .modules.manifests import read_manifests

    return read_manifests(files)


def _add_api(facts: FileFacts) -> None:
    from ..api_calls.api_facts import add_api_facts
    from .frameworks.beego import find_controllers
    from .frameworks.routes import ROUTES
    from .frameworks.sent_requests import find_requests
    from .frameworks.services import find_services
    from .frameworks.topics import find_listeners

    add_api_facts(facts, ROUTES, find_controllers, find_services, find_listeners, find_requests)


READER = SyntaxOnlyReader(
    SyntaxRules(
        language="go",
        parse=parse_go,
        is_visible=_is_visible,
        specifiers=read_specifiers,
        names_constructors=False,
        lower=_lower,
    )
)
#: Doc links: "[Cart]", "[Cart.Add]", "[cart.New]".
_LINKS = DocLinks(re.compile(r"(?<![\w\]])\[\*?(?P<name>[A-Za-z_]\w*(?:\.[A-Za-z_]\w*){0,2})\](?![\[(:])"))


def _read(source: SourceText, language: str) -> FileFacts:
    from .models import add_models

    facts = READER.read(source, language)
    read_models(facts, lambda read: add_models(read, source.data))
    if b"//go:embed" in source.data:
        from .queries.embedded_files import add_embedded_files

        add_embedded_files(facts, source.data.decode("utf-8", "replace"))
    return facts


def _mapped_schemas(facts: Mapping[str, DataFacts]) -> Sequence[MappedSchema]:
    from .models import mapped_schemas

    return mapped_schemas(facts)


def _conversions(data: bytes) -> Iterator[Conversion]:
    from .conversions import conversions

    return conversions(data)


def _used_results(data: bytes) -> Mapping[int, int]:
    from .used_results import used_results

    return used_results(data)


def _signature_parts(signature: str) -> SignatureParts:
    from .signatures import parts_of, signature_source

    return parts_of(READER.parse(signature_source(signature), "go"))


LANGUAGE = Language(
    doc_links=_LINKS,
    read=_read,
    mapped_schemas=_mapped_schemas,
    parse=READER.parse,
    excerpts=SYNTAX,
    signature_parts=_signature_parts,
    import_rules=GoImports,
    manifests=_read_manifests,
    missing_packages=_missing_packages,
    build_declarations=RUNTIME.build,
    nominal=GoRules(),
    wiring=GoWiring(),
    queries=GoQueries(),
    conversions=_conversions,
    used_results=_used_results,
    add_api=_add_api,
    terms=TERMS,
    changes={"go": ChangeRules(counts_arguments=True, has_misfits=True, receiver=Receiver.FIRST, has_distinct_fields=True)},
)
