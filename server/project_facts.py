"""What the checks need to know of a project beyond its index: entry points, and what its compiler says."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from ..schema.settings import Settings

if TYPE_CHECKING:
    from ..graphdb.generations import Generation
    from ..retrieval.lint import LintRequest
    from .compiler_diagnostics import CompilerReport


class ProjectFacts:
    """Keeps what it found for the generation it was found for. Thread-safe."""

    def __init__(self, root: Path, settings: Settings) -> None:
        self._root = root
        self._settings = settings
        self._lock = threading.Lock()
        self._known_for: tuple[int, str] | None = None
        self._entries: Mapping[str, str] | None = None
        self._report: CompilerReport | None = None

    def informed(self, request: LintRequest, generation: Generation) -> LintRequest:
        """The request with the facts that its checks need."""
        with self._lock:
            if generation.name != self._known_for:
                self._known_for, self._entries, self._report = generation.name, None, None
            if request.wants("dead-code"):
                request = replace(request, entries=self._entry_points(generation))
            if request.wants("errors", "warnings", "hints"):
                report = self._compiler()
                request = replace(request, compiler=report.diagnostics, compiler_note=report.note)
            return request

    def _entry_points(self, generation: Generation) -> Mapping[str, str]:
        from ..ingest.discovery import discover
        from ..ingest.entry_points import entry_points

        if self._entries is None:
            sources = [stamp.relative_path for stamp in generation.manifest.stamps]
            configurations = discover(self._root, self._settings).configuration_files
            self._entries = entry_points(self._root, sources, configurations)
        return self._entries

    def _compiler(self) -> CompilerReport:
        from .compiler_diagnostics import CompilerReport, compiler_report

        if not self._settings.run_compiler:
            return CompilerReport(note="The compiler was not asked: the setting run_compiler is off.")
        if self._report is None:
            self._report = compiler_report(self._root, self._settings.compiler_timeout)
        return self._report
