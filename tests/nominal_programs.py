"""Edges of files of nominal languages in a folder, with the packages outside of it that they import."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from astrolabe.ingest.files.source_text import decode_source
from astrolabe.ingest.files.workspace_files import WorkspaceFiles
from astrolabe.ingest.languages.import_resolution import ImportResolver
from astrolabe.ingest.languages.installed_files import InstalledFiles
from astrolabe.ingest.languages.registry import language as language_named
from astrolabe.ingest.languages.typescript.resolve.model.unit import Unit
from astrolabe.ingest.resolution.nominal_files import InstalledPackages, NominalFiles
from astrolabe.schema.graph_content import GraphContent, joined


def edges_of_file(files: WorkspaceFiles, sources: Mapping[str, str], language: str, path: str) -> GraphContent:
    """Return all edges of one file of a workspace. Ids of symbols are their names."""
    read = language_named(language).read
    facts = {each: read(decode_source(text.encode()), language) for each, text in sources.items()}
    places = {each: place for place, each in enumerate(sorted(sources))}
    nominal = NominalFiles(
        places,
        facts.__getitem__,
        ImportResolver(files).resolve,
        lambda unit, symbol: unit.symbols[symbol].name,
        None,
        InstalledPackages(files, InstalledFiles(Path(files.root))),
    )
    nominal.prepare([Unit(place, each, facts[each]) for each, place in places.items()])
    edges, unit = nominal.edges_of(language), nominal.unit_at(path)
    assert edges is not None
    assert unit is not None
    found = joined([edges.of_names(unit), edges.of_calls(unit)])
    assert nominal.faults == []
    return found
