"""Programs of Java files that exist only as texts, with the engine that resolves them."""

from __future__ import annotations

from pathlib import Path

from astrolabe.ingest.files.source_text import decode_source
from astrolabe.ingest.files.workspace_files import WorkspaceFiles
from astrolabe.ingest.languages.base import InstalledModules
from astrolabe.ingest.languages.import_resolution import ImportResolver
from astrolabe.ingest.languages.java import LANGUAGE
from astrolabe.ingest.languages.java.runtime_facts import JavaRules
from astrolabe.ingest.languages.typescript.resolve.model.unit import Unit
from astrolabe.ingest.nominal.edges.edges import NominalEdges
from astrolabe.ingest.nominal.engine import NominalEngine
from astrolabe.ingest.nominal.program import NominalProgram


def java_edges(sources: dict[str, str], packages: InstalledModules | None = None) -> tuple[dict[str, Unit], NominalEdges]:
    """Return the files of a program by their paths, and what gives their edges."""
    paths = sorted(sources)
    units = {
        path: Unit(place, path, LANGUAGE.read(decode_source(sources[path].encode()), "java")) for place, path in enumerate(paths)
    }
    resolver = ImportResolver(WorkspaceFiles(Path("/nowhere"), paths, [], []))
    program = NominalProgram(
        units.get, resolver.resolve, JavaRules(), wiring=LANGUAGE.wiring, files=lambda: paths, packages=packages
    )
    engine = NominalEngine(program)

    def symbol_id(unit: Unit, symbol: int) -> str:
        if symbol < 0:
            return unit.path
        start = unit.facts.symbols[symbol].start_line
        return f"{unit.facts.symbols[symbol].name}:{start}"

    return units, NominalEdges(engine, symbol_id)
