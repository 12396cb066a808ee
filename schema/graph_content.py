"""The content of a generation of the graph: all nodes and edges, in parts that processes send to each other."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from .edges import (
    AliasPart,
    Augmentation,
    CallEdge,
    ColumnEdge,
    CompilerProject,
    DataMapping,
    DataUse,
    ExportEdge,
    ExternalCallEdge,
    FileMentionEdge,
    ForeignKeyEdge,
    FunctionTaken,
    HeritageEdge,
    ImplementationEdge,
    ImportEdge,
    IndexEdge,
    LoadEffect,
    MemberValue,
    MentionEdge,
    MessageEdge,
    MethodEdge,
    NextStepEdge,
    OverrideEdge,
    Passing,
    ProjectFile,
    ReferenceEdge,
    SchemaEvent,
    SectionFields,
    TypeCheck,
    TypeFlowEdge,
    UnicodeIdentifier,
    UnresolvedCallEdge,
    UnresolvedDataUse,
    UnresolvedImport,
    UnresolvedMentionEdge,
    UnresolvedReferenceEdge,
    Wiring,
)
from .records import Dependency, External, FileRecord, ModuleRecord, Symbol


class GraphContent(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Content of one generation of the graph, or a part of the content.

    Parts with nodes may come before the parts with the edges of these nodes.
    """

    #: Name of the repository; "" if this part does not contain the repository node.
    repository_name: str = ""
    git_head: str = ""
    modules: list[ModuleRecord] = []
    dependencies: list[Dependency] = []
    files: list[FileRecord] = []
    #: Id of the module of each file, parallel to `files`; None for a file outside of every module.
    file_modules: list[str | None] = []
    symbols: list[Symbol] = []
    externals: list[External] = []
    imports: list[ImportEdge] = []
    #: Imports whose targets are paths of data files.
    data_imports: list[ImportEdge] = []
    external_imports: list[ImportEdge] = []
    unresolved_imports: list[UnresolvedImport] = []
    exports: list[ExportEdge] = []
    calls: list[CallEdge] = []
    external_calls: list[ExternalCallEdge] = []
    unresolved_calls: list[UnresolvedCallEdge] = []
    references: list[ReferenceEdge] = []
    unresolved_references: list[UnresolvedReferenceEdge] = []
    mentions: list[MentionEdge] = []
    file_mentions: list[FileMentionEdge] = []
    unresolved_mentions: list[UnresolvedMentionEdge] = []
    messages: list[MessageEdge] = []
    next_steps: list[NextStepEdge] = []
    section_fields: list[SectionFields] = []
    heritage: list[HeritageEdge] = []
    overrides: list[OverrideEdge] = []
    methods: list[MethodEdge] = []
    type_flows: list[TypeFlowEdge] = []
    checks: list[TypeCheck] = []
    passings: list[Passing] = []
    wirings: list[Wiring] = []
    columns: list[ColumnEdge] = []
    foreign_keys: list[ForeignKeyEdge] = []
    indexes: list[IndexEdge] = []
    data_uses: list[DataUse] = []
    unresolved_data_uses: list[UnresolvedDataUse] = []
    data_mappings: list[DataMapping] = []
    schema_events: list[SchemaEvent] = []
    implementations: list[ImplementationEdge] = []
    functions_taken: list[FunctionTaken] = []
    alias_parts: list[AliasPart] = []
    member_values: list[MemberValue] = []
    projects: list[CompilerProject] = []
    project_files: list[ProjectFile] = []
    augmentations: list[Augmentation] = []
    load_effects: list[LoadEffect] = []
    unicode_identifiers: list[UnicodeIdentifier] = []


#: A part of a graph's content, decoded or in encoded form.
GraphPart = GraphContent | msgspec.Raw


def joined(parts: Sequence[GraphPart]) -> GraphContent:
    """Return the concatenated content of the parts. The result has each external declaration only once."""
    if len(parts) == 1 and isinstance(parts[0], GraphContent):
        return parts[0]
    contents = [part if isinstance(part, GraphContent) else msgspec.msgpack.decode(part, type=GraphContent) for part in parts]
    lists = {
        field: [record for content in contents for record in getattr(content, field)]
        for field in GraphContent.__struct_fields__
        if isinstance(getattr(contents[0], field), list)
    }
    lists["externals"] = list({external.id: external for external in lists["externals"]}.values())
    return msgspec.structs.replace(contents[0], **lists)
