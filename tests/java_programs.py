"""Programs of Java files that exist only as texts, with the engine that resolves them.

Java is an outline in an index: its files are lowered here, by the same reader and with the rules of the engine.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from astrolabe.ingest.files.source_text import decode_source
from astrolabe.ingest.files.workspace_files import WorkspaceFiles
from astrolabe.ingest.languages.import_resolution import ImportResolver
from astrolabe.ingest.languages.java.lowering import lower_file
from astrolabe.ingest.languages.java.runtime_facts import JavaRules
from astrolabe.ingest.languages.jvm import read_specifiers
from astrolabe.ingest.languages.syntax_only.reader import SyntaxOnlyReader
from astrolabe.ingest.languages.syntax_only.rules import AT_ANNOTATION, SyntaxRules
from astrolabe.ingest.languages.syntax_only.visibility import if_public
from astrolabe.ingest.languages.typescript.resolve.model.program import Unit
from astrolabe.ingest.nominal.edges.edges import NominalEdges
from astrolabe.ingest.nominal.engine import NominalEngine
from astrolabe.ingest.nominal.program import NominalProgram

if TYPE_CHECKING:
    from astrolabe.ingest.facts.cache import FactCache
    from astrolabe.ingest.facts.model import FileFacts

CORE = """package java.lang;
class Object { public Object() {} public boolean equals(Object other) { } public String toString() { } }
final class String { public int length() { } public String trim() { } }
final class Integer { public static Integer valueOf(int value) { } public int intValue() { } }
final class Long { }
final class Boolean { }
class $int { } class $long { } class $boolean { } class $void { } class $double { } class $float { } class $char { }
class $byte { } class $short { }
class $array<T> { public int length; }
"""
READER = SyntaxOnlyReader(
    SyntaxRules(
        language="java",
        is_visible=if_public,
        annotation=AT_ANNOTATION,
        specifiers=read_specifiers,
        lower=lower_file,
    )
)


class WithCore(JavaRules):
    """Java with a small part of `java.lang`."""

    def runtime(self, module: str, cache: FactCache | None = None) -> FileFacts | None:
        """Return the facts of the declarations above."""
        return READER.read(decode_source(CORE.encode()), "java") if module == "java.lang" else None


def java_edges(sources: dict[str, str]) -> tuple[dict[str, Unit], NominalEdges]:
    """Return the files of a program by their paths, and what gives their edges."""
    paths = sorted(sources)
    units = {
        path: Unit(place, path, READER.read(decode_source(sources[path].encode()), "java")) for place, path in enumerate(paths)
    }
    resolver = ImportResolver(WorkspaceFiles(Path("/nowhere"), paths, [], []))
    engine = NominalEngine(NominalProgram(units.get, resolver.resolve, WithCore()))

    def symbol_id(unit: Unit, symbol: int) -> str:
        if symbol < 0:
            return unit.path
        start = unit.facts.symbols[symbol].start_line
        return f"{unit.facts.symbols[symbol].name}:{start}"

    return units, NominalEdges(engine, symbol_id)
