"""Programs in one text, with carets under the names of what is called or used.

Under a name stand the symbols that it means, as `file#Owner.name`, the id of what is outside, or `?` and why it is unknown.
Of several symbols of one name, the line tells which is meant: `file#Owner.name:3`.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path

from astrolabe.ingest.files.source_text import decode_source
from astrolabe.ingest.files.workspace_files import WorkspaceFiles
from astrolabe.ingest.languages.import_resolution import ImportResolver
from astrolabe.ingest.languages.registry import language as language_named
from astrolabe.ingest.languages.typescript.resolve.model.unit import Unit
from astrolabe.ingest.resolution.nominal_files import NominalFiles

_CARETS = re.compile(r"(\s*//\s*)(\^+) (.*)")

_LINE = re.compile(r":\d+$")

#: File, line and column.
_Place = tuple[str, int, int]


def check_carets(text: str, language: str, workspace: type[WorkspaceFiles] = WorkspaceFiles) -> None:
    """Assert that each name above carets means what stands beside them."""
    sources, asked = _program(text)
    read = language_named(language).read
    facts = {path: read(decode_source(source.encode()), language) for path, source in sources.items()}
    files = workspace(Path("/nowhere"), sorted(sources), ["go.mod"])
    places = {path: place for place, path in enumerate(sorted(sources))}
    nominal = NominalFiles(places, facts.__getitem__, ImportResolver(files).resolve, _id, None)
    found = _meanings(nominal, language, sources)
    wrong = {place: (found[place], wanted) for place, wanted in asked if not _agree(found[place], wanted)}
    assert not wrong, wrong
    assert nominal.faults == []
    assert asked


def _agree(found: set[str], wanted: Sequence[str]) -> bool:
    """Return whether a name means what is wanted, which tells the line of a symbol only where several have its name."""
    plain = {each if each in wanted else _LINE.sub("", each) for each in found}
    return plain == set(wanted)


def _meanings(files: NominalFiles, language: str, paths: Iterable[str]) -> dict[_Place, set[str]]:
    edges = files.edges_of(language)
    assert edges is not None
    found: dict[_Place, set[str]] = defaultdict(set)
    for path in paths:
        unit = files.unit_at(path)
        assert unit is not None
        of_calls = edges.of_calls(unit)
        for at, meant in (
            *((edge, edge.to_id) for edge in (*of_calls.calls, *of_calls.references)),
            *((edge, edge.external_id) for edge in of_calls.external_calls),
            *((edge, f"?{edge.reason}") for edge in of_calls.unresolved_calls),
        ):
            for line, column in zip(at.lines, at.columns, strict=True):
                found[path, line, column].add(meant)
    return found


def _files(text: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    path = ""
    for line in text.split("\n"):
        if line.startswith("//- /"):
            path = line[5:]
        elif path:
            found.setdefault(path, []).append(line)
    return found


def _program(text: str) -> tuple[dict[str, str], list[tuple[_Place, list[str]]]]:
    """Return the sources, in which lines with carets are empty comments, and what stands under the names at their places."""
    sources: dict[str, str] = {}
    asked: list[tuple[_Place, list[str]]] = []
    for path, lines in _files(text).items():
        code, kept = -1, []
        for number, line in enumerate(lines):
            carets = _CARETS.fullmatch(line)
            if carets is None:
                code = number
                kept.append(line)
                continue
            kept.append("")
            # A tab is as wide as four columns of carets.
            column, width = 0, 0
            while width < carets.start(2):
                width += 4 if lines[code][column] == "\t" else 1
                column += 1
            asked.append(((path, code + 1, column + 1), carets[3].split("; ")))
        sources[path] = "\n".join(kept)
    return sources, asked


def _id(unit: Unit, symbol: int) -> str:
    facts = unit.symbols[symbol]
    outer = unit.symbols[facts.parent] if facts.parent >= 0 else None
    owner = facts.owner or (outer.name if outer is not None and outer.kind in ("class", "interface", "enum", "type") else "")
    name = f"{owner}.{facts.name}" if owner else facts.name
    return f"{unit.path}#{name}:{facts.name_line}"
